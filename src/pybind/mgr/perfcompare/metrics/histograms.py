"""Latency distributions that OSDs keep themselves: `perf histogram dump`.

An OSD counts each operation by latency and size. The buckets of latency are
100 µs wide at first and then double; Ceph labels them microseconds, but
they hold nanoseconds (its source calls to_nsec()). So a percentile is known
to lie within one bucket: the bounds are stated with it, and the figure is
interpolated on the scale of the buckets. Histograms are added over OSDs,
never averaged.
"""

from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

import dataclasses
import math

from ..analysis.efficiency import enough

WRITE = 'op_w_latency_in_bytes_histogram'
READ = 'op_r_latency_out_bytes_histogram'
READ_WRITE = 'op_rw_latency_in_bytes_histogram'
# kind in the evidence -> counter of logger 'osd'
KINDS: Mapping[str, str] = {
    'write': WRITE,
    'read': READ,
    'read-write': READ_WRITE,
}
PERCENTILES: Mapping[str, float] = {'p50': 0.5, 'p95': 0.95, 'p99': 0.99}
ACCURACY = 'one bucket: the next bound is twice as high'
NANO = 1e-9


@dataclasses.dataclass(frozen=True)
class Histogram:
    """Count operations by latency; ``upper`` are bounds in seconds.

    Bucket i holds what took at least ``upper[i - 1]`` (0 for the first)
    and less than ``upper[i]``; the last one is infinite.
    """

    upper: Tuple[float, ...]
    counts: Tuple[int, ...]

    @property
    def total(self) -> int:
        """Return how many operations are counted."""
        return sum(self.counts)

    def minus(self, former: 'Histogram') -> Optional['Histogram']:
        """Return what came since ``former``; None after a restart."""
        if former.upper != self.upper:
            return None
        counts = tuple(a - b for a, b in zip(self.counts, former.counts))
        if any(count < 0 for count in counts):
            return None
        return Histogram(self.upper, counts)

    def bounds(self, share: float) -> Optional[Tuple[float, float]]:
        """Return the bounds (s) between which a percentile lies."""
        found = self._bucket(share)
        if found is None:
            return None
        return self._low(found[0]), self.upper[found[0]]

    def percentile(self, share: float) -> Optional[float]:
        """Return the latency (s) below which ``share`` of all lie.

        Interpolated within its bucket; the lower bound in the infinite
        one. None without operations.
        """
        found = self._bucket(share)
        if found is None:
            return None
        index, inside = found
        low, high = self._low(index), self.upper[index]
        if math.isinf(high):
            return low
        if low <= 0.0:
            return high * inside
        return low * math.pow(high / low, inside)

    def _low(self, index: int) -> float:
        return self.upper[index - 1] if index else 0.0

    def _bucket(self, share: float) -> Optional[Tuple[int, float]]:
        """Return the bucket of a percentile, and how far in it is (0…1)."""
        wanted = share * self.total
        if not self.total:
            return None
        below = 0
        for index, count in enumerate(self.counts):
            if count and below + count >= wanted:
                return index, (wanted - below) / count
            below += count
        raise AssertionError('a share above 1')


def parse(dump: Mapping[str, Any], counter: str) -> Optional[Histogram]:
    """Return a latency histogram of an OSD's dump, over all sizes.

    None when the dump has none, or one of another shape.
    """
    try:
        data = dump['osd'][counter]
        ranges = data['axes'][0]['ranges']
        rows = data['values']
        upper: List[float] = []
        counts: List[int] = []
        for bucket, row in zip(ranges, rows):
            number = sum(row)
            top = bucket.get('max')
            if top is not None and float(top) < 0.0:
                continue  # negative latencies: a clock that stepped
            upper.append(
                math.inf if top is None else (float(top) + 1.0) * NANO
            )
            counts.append(int(number))
    except (KeyError, IndexError, TypeError, ValueError, AttributeError):
        return None
    if len(rows) != len(ranges) or not counts:
        return None
    if any(b <= a for a, b in zip(upper, upper[1:])):
        return None
    return Histogram(tuple(upper), tuple(counts))


def merged(parts: Sequence[Histogram]) -> Optional[Histogram]:
    """Add histograms of several OSDs; None if none or bounds differ."""
    if not parts or any(p.upper != parts[0].upper for p in parts):
        return None
    return Histogram(
        parts[0].upper, tuple(map(sum, zip(*(p.counts for p in parts))))
    )


Dumps = Mapping[int, Optional[Mapping[str, Histogram]]]  # by OSD and kind


def parse_kinds(dump: Mapping[str, Any]) -> Dict[str, Histogram]:
    """Return the histograms of one OSD's dump by kind."""
    found: Dict[str, Histogram] = {}
    for kind, counter in KINDS.items():
        histogram = parse(dump, counter)
        if histogram is not None:
            found[kind] = histogram
    return found


def evidence(before: Dumps, after: Dumps) -> Dict[str, Any]:
    """Return the distributions over a group between two sets of dumps.

    By kind: percentiles in seconds, the bounds of their buckets, the number
    of operations, of OSDs that were counted, and the buckets themselves.
    """
    found: Dict[str, Any] = {}
    for kind in KINDS:
        parts = []
        for osd, dumps in after.items():
            former = before.get(osd)
            if not dumps or not former:
                continue
            if kind in dumps and kind in former:
                change = dumps[kind].minus(former[kind])
                if change is not None:
                    parts.append(change)
        whole = merged(parts)
        if whole is not None and whole.total:
            found[kind] = describe(whole, len(parts), len(after))
    return found


def describe(whole: Histogram, known: int, osds: int) -> Dict[str, Any]:
    """Return a distribution as plain data; infinite bounds are None.

    A percentile without ten operations beyond it is None, without bounds.
    """
    found: Dict[str, Any] = dict.fromkeys(PERCENTILES)
    bounds: Dict[str, Any] = {name: [] for name in PERCENTILES}
    for name, share in PERCENTILES.items():
        if enough(whole.total, name):
            found[name] = whole.percentile(share)
            edges = whole.bounds(share) or ()
            bounds[name] = [_finite(edge) for edge in edges]
    found['bounds'] = bounds
    used = [i for i, count in enumerate(whole.counts) if count]
    found['buckets'] = [
        [_finite(whole.upper[i]), whole.counts[i]]
        for i in range(used[0], used[-1] + 1)
    ]
    found['count'] = whole.total
    found['accuracy'] = ACCURACY
    found['osds'] = known
    found['osds_missing'] = osds - known
    return found


def _finite(value: float) -> Optional[float]:
    return None if math.isinf(value) else float(f'{value:.7g}')
