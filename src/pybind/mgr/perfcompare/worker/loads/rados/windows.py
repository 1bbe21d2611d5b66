"""From clients' totals over time to the figures of a measured window.

A client is one or more segments (a `seq` read is restarted when all is
read). Totals are taken as linear between two samples. Measured is where
every client is in the middle of a segment: ramps, drains and gaps are cut.
"""

from typing import List, Optional, Sequence, Tuple

import bisect
import dataclasses

from .rados_bench import Bench, Sample

Interval = Tuple[float, float]
RAMP_MAX = 2.0  # seconds


class Segment:
    """Place the samples of one process on the worker's clock."""

    def __init__(
        self,
        bench: Bench,
        start: float,
        stop: Optional[float],
        concurrency: int = 1,
    ) -> None:
        self.start = start
        self.concurrency = concurrency
        self.stop = stop  # seconds after the start; None: when all is read
        self.samples = bench.samples
        self.end = start + bench.seconds
        self.latency_max = bench.latency_max
        self._t = [start + s.t for s in bench.samples]

    def steady(self) -> Optional[Interval]:
        """Return the span without ramp and drain; None when too short.

        A timed load is cut by its time only, never by how much it got
        done: seconds in which nothing finished are measured. A pass over
        a population is cut until each operation in flight had its turn.
        """
        if self.stop is not None:
            # the warm-up, which the caller cuts, covers the ramp
            full = [s for s in self.samples if s.t <= self.stop]
        else:
            total = self.samples[-1].started
            full = [
                s
                for s in self.samples
                if s.started < total
                and (s.finished >= self.concurrency or s.t > RAMP_MAX)
            ]
        if len(full) < 2:
            return None
        return self.start + full[0].t, self.start + full[-1].t

    def totals(self, at: float) -> Tuple[float, float]:
        """Return operations finished and seconds waited up to ``at``."""
        i = bisect.bisect_right(self._t, at)
        if i == 0:
            return 0.0, 0.0
        before = self.samples[i - 1]
        if i == len(self._t):
            return float(before.finished), before.waited
        after = self.samples[i]
        share = (at - self._t[i - 1]) / (self._t[i] - self._t[i - 1])
        return _between(before, after, share)


def _between(a: Sample, b: Sample, share: float) -> Tuple[float, float]:
    return (
        a.finished + share * (b.finished - a.finished),
        a.waited + share * (b.waited - a.waited),
    )


def intersect(a: Sequence[Interval], b: Sequence[Interval]) -> List[Interval]:
    """Return where both sorted lists of intervals hold."""
    found = []
    i = j = 0
    while i < len(a) and j < len(b):
        low, high = max(a[i][0], b[j][0]), min(a[i][1], b[j][1])
        if low < high:
            found.append((low, high))
        if a[i][1] < b[j][1]:
            i += 1
        else:
            j += 1
    return found


def length(intervals: Sequence[Interval]) -> float:
    """Return the seconds that ``intervals`` cover."""
    return sum(high - low for low, high in intervals)


def measured(
    clients: Sequence[Sequence[Segment]], warmup: float, duration: float
) -> List[Interval]:
    """Return where all clients are steady, from the end of the warm-up.

    The warm-up counts from the start of the last client. At most
    ``duration`` seconds are returned.
    """
    if not clients or not all(clients):
        return []
    low = max(segments[0].start for segments in clients) + warmup
    found = [(low, low + duration)]
    for segments in clients:
        steady = [s.steady() for s in segments]
        found = intersect(found, [s for s in steady if s is not None])
    return found


def pieces(intervals: Sequence[Interval], count: int) -> List[List[Interval]]:
    """Cut ``intervals`` into ``count`` parts of equal length."""
    parts: List[List[Interval]] = [[] for _ in range(count)]
    share = length(intervals) / count
    part, room = 0, share
    for low, high in intervals:
        while high - low > room and part < count - 1:
            if room > 0:
                parts[part].append((low, low + room))
            low += room
            part, room = part + 1, share
        if low < high:
            parts[part].append((low, high))
            room -= high - low
    return parts


@dataclasses.dataclass(frozen=True)
class Sums:
    """Hold what finished within some intervals, over all clients."""

    seconds: float
    ops: float
    waited: float

    @property
    def rate(self) -> Optional[float]:
        """Return operations per second."""
        return self.ops / self.seconds if self.seconds > 0 else None

    @property
    def latency(self) -> Optional[float]:
        """Return the mean latency in seconds."""
        return self.waited / self.ops if self.ops > 0 else None


def sums(
    clients: Sequence[Sequence[Segment]], intervals: Sequence[Interval]
) -> Sums:
    """Add up all clients over ``intervals``."""
    ops = waited = 0.0
    for segments in clients:
        for segment in segments:
            for low, high in intervals:
                n0, w0 = segment.totals(low)
                n1, w1 = segment.totals(high)
                ops += n1 - n0
                waited += w1 - w0
    return Sums(length(intervals), ops, waited)
