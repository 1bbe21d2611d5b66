"""Keep latencies of a load by time, so that any phase has percentiles."""

from typing import Dict, FrozenSet, Mapping, Optional, Sequence, Tuple

import array

from ...worker.wire.histogram import Sparse
from .closeups import Closeups

SLOT = 0.25  # seconds of the shortest slots
MOST = 2048  # slots away from changes; beyond, two neighbors become one
LARGE = 1 << 32  # counts that take more room

Slot = Tuple[int, int]  # number of its first shortest slot, and of how many
Counts = Dict[str, 'array.array[int]']  # by operation: bucket, count, …


class LatencyRecorder:
    """Hold histograms of one load, slot by slot, in bounded memory.

    What a slice of time tells belongs to the slot that holds its middle,
    and a slot to the window that holds its own, so that the windows of a
    step share out all operations.
    """

    def __init__(self, near: Optional[Closeups] = None) -> None:
        """Keep what is ``near`` changes in the shortest slots."""
        self._near = Closeups() if near is None else near
        self._slots: Dict[Slot, Counts] = {}
        self._from = float('-inf')
        self._wide = 1  # shortest slots of one that is away from changes
        self._away = 0  # how many of these there are
        self._operations: FrozenSet[str] = frozenset()
        self.counted = 0  # operations, in all

    @property
    def operations(self) -> FrozenSet[str]:
        """Return the operations that were ever told of."""
        return self._operations

    def begin(self, at: float) -> None:
        """Forget what came before a step that begins (Unix time)."""
        self._from = at
        self._wide = 1
        self._slots = {
            slot: counts
            for slot, counts in self._slots.items()
            if slot[0] * SLOT >= at
        }
        self._away = self._count_away()

    def add(
        self, begin: float, end: float, counts: Mapping[str, Sequence[int]]
    ) -> None:
        """Add what ended from ``begin`` to ``end`` (Unix times)."""
        self._operations |= frozenset(counts)
        self.counted += sum(sum(pairs[1::2]) for pairs in counts.values())
        middle = (begin + end) / 2
        if middle < self._from:
            return
        slot = self._slot(int(middle // SLOT))
        held = self._slots.get(slot)
        self._slots[slot] = _joined(counts, held or {})
        if held is None and not self._is_near(slot):
            self._away += 1
            if self._away > MOST:
                self._widen()

    def _slot(self, number: int) -> Slot:
        if self._is_near((number, 1)):
            return number, 1
        return number // self._wide * self._wide, self._wide

    def _is_near(self, slot: Slot) -> bool:
        return slot[0] * SLOT in self._near

    def _count_away(self) -> int:
        return sum(not self._is_near(slot) for slot in self._slots)

    def _widen(self) -> None:
        """Make one slot of two; all away from changes are as wide."""
        self._wide *= 2
        slots: Dict[Slot, Counts] = {}
        for slot, counts in self._slots.items():
            if not self._is_near(slot):
                slot = (slot[0] // self._wide * self._wide, self._wide)
            held = slots.get(slot)
            slots[slot] = _joined(counts, held) if held else counts
        self._slots = slots
        self._away = self._count_away()

    def between(self, begin: float, end: float) -> Dict[str, Sparse]:
        """Return one histogram per operation for a window."""
        found: Dict[str, Sparse] = {}
        for (first, units), counts in self._slots.items():
            if begin <= (first + units / 2) * SLOT < end:
                _sum_up(found, counts)
        return found

    def width(self, begin: float, end: float) -> float:
        """Return the seconds of the widest slot in a window, 0 for none."""
        return max(
            (
                units * SLOT
                for first, units in self._slots
                if first * SLOT < end and (first + units) * SLOT > begin
            ),
            default=0.0,
        )

    def resolves(self, begin: float, end: float) -> bool:
        """Say whether a window is long enough to be told from others."""
        width = self.width(begin, end)
        return width <= SLOT or 2 * width <= end - begin


def _sum_up(
    total: Dict[str, Sparse], counts: Mapping[str, Sequence[int]]
) -> None:
    for op, pairs in counts.items():
        own = total.setdefault(op, {})
        for bucket, count in zip(pairs[::2], pairs[1::2]):
            own[bucket] = own.get(bucket, 0) + count


def _joined(
    first: Mapping[str, Sequence[int]], last: Mapping[str, Sequence[int]]
) -> Counts:
    total: Dict[str, Sparse] = {}
    for part in (first, last):
        _sum_up(total, part)
    found = {}
    for op, own in total.items():
        room = 'I' if max(own.values(), default=0) < LARGE else 'Q'
        pairs = (number for pair in own.items() for number in pair)
        found[op] = array.array(room, pairs)
    return found
