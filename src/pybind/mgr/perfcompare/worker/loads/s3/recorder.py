"""Record what operations did, by intervals that add up to any window.

Intervals end at whole steps from the beginning of the measured window, so
that warm-up, window, its parts and the drain are sums of intervals.
"""

from typing import Any, DefaultDict, Dict, List, NamedTuple, Set, Tuple

import collections

from ...runtime.failure import printable
from ...wire import histogram
from ...wire.s3_spec import GET, OPS
from .intervals import Interval, merge

SLOTS = len(OPS) + 1  # the last one is the time to first byte of reads
FIRST_BYTE = len(OPS)
POINTS = 900  # intervals of a window, at most; an even number
ENDLESS = 1 << 62  # ns: the end of a load that ends by itself
EXAMPLES = 5
NAMES = 100  # of errors, of one process and endpoint
OTHER = 'other errors'
NEVER_BEGUN = 'never begun'


# operations that are counted in one go: where a gateway keeps its host busy,
# each time finds the counters driven out of the caches
AT_ONCE = 64
Done = Tuple[int, int, int, int]  # operation, ns, bytes, ns to first byte


class Totals(NamedTuple):
    """Say what succeeded so far."""

    finished: int  # operations
    moved: int  # bytes
    waited: int  # ns that they took together


def _counters() -> List[DefaultDict[int, int]]:
    """Return empty histograms to fill: few of their buckets ever count."""
    return [collections.defaultdict(int) for _ in range(SLOTS)]


class Recorder:
    """Count one process's operations; times are monotonic nanoseconds."""

    def __init__(
        self, zero: int, warmup: float, duration: float, timed: bool = True
    ) -> None:
        """Measure ``duration`` s from ``zero`` + ``warmup`` s on.

        A duration of 0 is a load that ends by itself. One that is not
        ``timed`` has one interval, however many hours it takes.
        """
        self.begin = zero + int(warmup * 1e9)
        self.end = self.begin + int(duration * 1e9) if duration else ENDLESS
        whole = warmup + duration
        # six windows of a short trial need shorter intervals
        least = 1.0 if not duration or duration >= 12 else 0.25
        self.step = int(
            max(least, -(-whole // POINTS) if whole > POINTS else 0) * 1e9
        )
        early = self.begin - zero
        lead = early // self.step * self.step
        # the first interval may be shorter
        self.edge = self.begin - lead
        if self.edge <= zero:
            self.edge += self.step
        self.edge = min(self.edge, self.end) if timed else self.end
        self._from = zero
        # of the interval under way, and of all that are closed
        self._hist = _counters()
        self._closed = _counters()
        self._bytes = [0] * len(OPS)
        self._errors: Dict[str, int] = {}
        self._attempts: Dict[str, int] = {}
        self._names: Set[str] = set()
        self._sums = [0] * len(OPS)
        self._max = [0] * SLOTS
        self.intervals: List[Interval] = []
        self.examples: List[str] = []
        self.failed = 0  # operations
        self.refused = 0  # attempts to connect
        # of what was under way at the end: how long it had taken
        self.unfinished = _counters()
        self.longest = [0] * len(OPS)
        # what counts into the interval under way, when there are some
        self._fresh: List[Done] = []
        self._totals = Totals(0, 0, 0)

    def done(
        self, op: int, now: int, since: int, size: int, first: int
    ) -> None:
        """Count an operation that succeeded at ``now``."""
        if now >= self.edge:
            self.roll(now)
        fresh = self._fresh
        fresh.append((op, now - since, size, first - since))
        if len(fresh) >= AT_ONCE:
            self._count()

    def _count(self) -> None:
        """Count what was done since the last time."""
        hist, sums, most = self._hist, self._sums, self._max
        moved = self._bytes
        finished, size, waited = self._totals
        for op, took, content, early in self._fresh:
            shift = took.bit_length() - 8
            if shift <= 0:
                index = took if took > 0 else 0
            elif shift > 32:
                index = histogram.BUCKETS - 1
            else:
                index = (shift << 7) + (took >> shift)
            hist[op][index] += 1
            sums[op] += took
            if took > most[op]:
                most[op] = took
            moved[op] += content
            size += content
            waited += took
            if op == GET:
                shift = early.bit_length() - 8
                if shift <= 0:
                    index = early if early > 0 else 0
                elif shift > 32:
                    index = histogram.BUCKETS - 1
                else:
                    index = (shift << 7) + (early >> shift)
                hist[FIRST_BYTE][index] += 1
                if early > most[FIRST_BYTE]:
                    most[FIRST_BYTE] = early
        self._totals = Totals(finished + len(self._fresh), size, waited)
        self._fresh.clear()

    def totals(self) -> Totals:
        """Return what was done so far."""
        self._count()
        return self._totals

    def latencies(self) -> List[histogram.Sparse]:
        """Return a copy of the histograms so far, by operation."""
        self._count()
        return [
            histogram.merge((self._closed[op], self._hist[op]))
            for op in range(len(OPS))
        ]

    def error(self, op: int, now: int, why: str, example: str = '') -> None:
        """Count an operation that failed, by its status or reason."""
        name = f'{OPS[op]} {why}'
        if name not in self._names:
            # a gateway must not fill our memory with names
            if len(self._names) < NAMES - 2 * len(OPS):
                self._names.add(name)
            else:
                name = f'{OPS[op]} {OTHER}'
        self.trouble(name, now)
        if example and len(self.examples) < EXAMPLES:
            self.examples.append(printable(f'{name}: {example}'))

    def trouble(self, name: str, now: int) -> None:
        """Count what went wrong, of an operation or beside any."""
        if now >= self.edge:
            self.roll(now)
        self._errors[name] = self._errors.get(name, 0) + 1
        self.failed += 1

    def attempt(self, why: str, now: int) -> None:
        """Count an attempt to connect that failed."""
        if now >= self.edge:
            self.roll(now)
        self._attempts[why] = self._attempts.get(why, 0) + 1
        self.refused += 1

    def under_way(self, op: int, took: int) -> None:
        """Count an operation that has not ended after ``took`` ns."""
        self.unfinished[op][histogram.bucket(took)] += 1
        self.longest[op] = max(self.longest[op], took)

    def pending(self) -> Dict[str, Any]:
        """Return what was under way at the end, by operation."""
        return {
            name: {'histogram': counts, 'max': longest}
            for name, counts, longest in zip(
                OPS, self.unfinished, self.longest
            )
            if counts
        }

    def roll(self, now: int) -> None:
        """Close the intervals that ended until ``now``."""
        self._count()
        while now >= self.edge:
            self._close(self.edge)
            if self.edge >= self.end:
                self.edge = 1 << 62  # the drain is one interval
                continue
            if self.end == ENDLESS and len(self.intervals) == POINTS:
                self._halve()
            self.edge = min(self.edge + self.step, self.end)

    def _halve(self) -> None:
        """Join intervals two by two, as all processes do at this time."""
        self.step *= 2
        kept = self.intervals[::2]
        for into, more in zip(kept, self.intervals[1::2]):
            merge(into, more)
        self.intervals = kept

    def _close(self, at: int) -> None:
        found: Interval = {'from': self._from, 'to': at}
        names = OPS + ('first byte',)
        ops: Dict[str, Any] = {}
        for slot, counts in enumerate(self._hist):
            if not counts:
                continue
            row: Dict[str, Any] = {
                'histogram': counts,
                'max': self._max[slot],
            }
            if slot < len(OPS):
                row['bytes'] = self._bytes[slot]
                row['waited'] = self._sums[slot]
            ops[names[slot]] = row
            closed = self._closed[slot]
            for index, number in counts.items():
                closed[index] += number
        found['ops'] = ops
        found['errors'] = self._errors
        found['attempts'] = self._attempts
        self.intervals.append(found)
        self._from = at
        self._hist = _counters()
        self._errors, self._attempts = {}, {}
        self._bytes = [0] * len(OPS)
        self._sums = [0] * len(OPS)
        self._max = [0] * SLOTS

    def finish(self, now: int) -> None:
        """Close the last interval."""
        self.roll(now)
        if now > self._from:
            self._close(now)
