"""Keep latencies of a load by time, so that any phase has percentiles."""

from typing import Dict, FrozenSet, List, Mapping, Sequence

import array
import dataclasses

from ...worker.wire.histogram import Sparse

MOST = 4096  # slices; beyond, two neighbors become one


@dataclasses.dataclass(frozen=True)
class _Slice:
    begin: float
    end: float
    counts: Dict[str, 'array.array[int]']  # bucket, count, …


class LatencyRecorder:
    """Hold histograms of one load, slice by slice, in bounded memory.

    A slice belongs to the window that holds its middle, so that the
    windows of a test share out all operations.
    """

    def __init__(self) -> None:
        self._slices: List[_Slice] = []
        self._operations: FrozenSet[str] = frozenset()
        self.counted = 0  # operations, in all

    @property
    def operations(self) -> FrozenSet[str]:
        """Return the operations that were ever told of."""
        return self._operations

    def add(
        self, begin: float, end: float, counts: Mapping[str, Sequence[int]]
    ) -> None:
        """Add what ended from ``begin`` to ``end`` (Unix times)."""
        held = {op: array.array('I', found) for op, found in counts.items()}
        self._operations |= frozenset(held)
        self._slices.append(_Slice(begin, end, held))
        self.counted += sum(sum(pairs[1::2]) for pairs in held.values())
        if len(self._slices) > MOST:
            self._halve()

    def _halve(self) -> None:
        pairs = zip(self._slices[::2], self._slices[1::2])
        odd = self._slices[len(self._slices) // 2 * 2 :]
        self._slices = [_joined(a, b) for a, b in pairs] + odd

    def between(self, begin: float, end: float) -> Dict[str, Sparse]:
        """Return one histogram per operation for a window."""
        found: Dict[str, Sparse] = {}
        for part in self._slices:
            if begin <= (part.begin + part.end) / 2 < end:
                _sum_up(found, part.counts)
        return found


def _sum_up(
    total: Dict[str, Sparse], counts: Mapping[str, Sequence[int]]
) -> None:
    for op, pairs in counts.items():
        own = total.setdefault(op, {})
        for bucket, count in zip(pairs[::2], pairs[1::2]):
            own[bucket] = own.get(bucket, 0) + count


def _joined(first: _Slice, last: _Slice) -> _Slice:
    total: Dict[str, Sparse] = {}
    for part in (first, last):
        _sum_up(total, part.counts)
    return _Slice(
        min(first.begin, last.begin),
        max(first.end, last.end),
        {
            op: array.array('I', [n for pair in own.items() for n in pair])
            for op, own in total.items()
        },
    )
