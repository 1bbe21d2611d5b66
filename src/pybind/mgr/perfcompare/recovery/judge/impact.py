"""What clients felt: figures of their load between two moments.

Pure functions of the samples that load processes report once per second.
"""

from typing import Dict, List, Mapping, Optional, Sequence, Tuple

import bisect
import dataclasses

from ...worker.wire import histogram
from .latencies import LatencyRecorder

PERCENTILES = ('p50', 'p95', 'p99')
MOVING = frozenset(
    ('put', 'get', 'read', 'write')
)  # operations of a mix that move data
NO_BOOKS: Mapping[str, LatencyRecorder] = {}

Figures = Dict[str, Optional[float]]


@dataclasses.dataclass(frozen=True)
class Sample:
    """Hold what one load had done at a moment."""

    at: float  # Unix time
    ops: int  # finished since its start
    waited: float  # seconds: latencies of these operations, summed
    stalled: float  # seconds since the last one finished
    errors: Optional[int] = None  # failed since its start; None: not told


def ops_at(samples: Sequence[Sample], at: float) -> Optional[float]:
    """Return the operations finished until ``at``; None outside.

    Between two samples operations are spread evenly.
    """
    pair = _around(samples, at)
    if pair is None:
        return None
    (first, second), share = pair
    return first.ops + share * (second.ops - first.ops)


def _waited_at(samples: Sequence[Sample], at: float) -> Optional[float]:
    pair = _around(samples, at)
    if pair is None:
        return None
    (first, second), share = pair
    return first.waited + share * (second.waited - first.waited)


def _around(
    samples: Sequence[Sample], at: float
) -> Optional[Tuple[Tuple[Sample, Sample], float]]:
    times = [s.at for s in samples]
    index = bisect.bisect_left(times, at)
    if index < len(samples) and times[index] == at:
        return (samples[index], samples[index]), 0.0
    if not 0 < index < len(samples):
        return None
    first, second = samples[index - 1], samples[index]
    return (first, second), (at - first.at) / (second.at - first.at)


def window(
    samples: Sequence[Sample], begin: float, end: float
) -> Optional[Tuple[float, float]]:
    """Return the part of ``begin`` … ``end`` that samples cover."""
    if not samples:
        return None
    low, high = max(begin, samples[0].at), min(end, samples[-1].at)
    return (low, high) if high - low > 0.5 else None


def longest_stall(
    samples: Sequence[Sample], begin: float, end: float
) -> Optional[float]:
    """Return the longest time without a finished operation, in seconds.

    Samples come once per second, so shorter stalls are not seen: 0.
    """
    inside = [s for s in samples if begin <= s.at <= end]
    if not inside:
        return None
    # a stall that began before the window counts from its begin
    return max(min(s.stalled, s.at - begin) for s in inside)


def errors_between(
    samples: Sequence[Sample], begin: float, end: float
) -> Optional[int]:
    """Return the operations that failed; None where no load tells."""
    before = [s for s in samples if s.at <= begin] or samples[:1]
    inside = [s for s in samples if s.at <= end]
    if not inside or inside[-1].at < begin:
        return None
    first, last = before[-1].errors, inside[-1].errors
    return None if first is None or last is None else max(0, last - first)


def figures(
    samples: Sequence[Sample], size: int, begin: float, end: float
) -> Figures:
    """Return throughput, latency, errors and stall of a load in a window.

    ``size`` are the bytes that an operation moves, 0 where not all move
    the same.
    """
    found: Figures = {
        'ops_per_s': None,
        'bytes_per_s': None,
        'latency': None,
        'stall': longest_stall(samples, begin, end),
        'errors': errors_between(samples, begin, end),
    }
    covered = window(samples, begin, end)
    if covered is None:
        return found
    low, high = covered
    ops_low, ops_high = ops_at(samples, low), ops_at(samples, high)
    waited_low = _waited_at(samples, low)
    waited_high = _waited_at(samples, high)
    if ops_low is None or ops_high is None:
        return found
    done = ops_high - ops_low
    found['ops_per_s'] = done / (high - low)
    if size:
        found['bytes_per_s'] = done * size / (high - low)
    if done > 0 and waited_low is not None and waited_high is not None:
        found['latency'] = (waited_high - waited_low) / done
    return found


def of_loads(
    loads: Dict[str, List[Sample]],
    size: int,
    begin: float,
    end: float,
    books: Mapping[str, LatencyRecorder] = NO_BOOKS,
) -> Figures:
    """Return the figures of all loads, by '<workload>_<figure>'.

    A load whose book of latencies tells of several operations has them as
    loads of their own: '<workload>-<operation>_<figure>'. A window that is
    too short for the book has no figures of it.
    """
    found: Figures = {}
    for name, samples in sorted(loads.items()):
        book = books.get(name)
        known = book is not None and book.resolves(begin, end)
        counted = book.between(begin, end) if book and known else {}
        mixed = book is not None and len(book.operations) > 1
        own = figures(samples, 0 if mixed else size, begin, end)
        own.update(percentiles(histogram.merge(counted.values())))
        found.update({f'{name}_{key}': own[key] for key in own})
        if not mixed or book is None:
            continue
        for op in book.operations & MOVING:
            part = _operation(own, counted, op, size)
            found.update({f'{name}-{op}_{key}': part[key] for key in part})
    return found


def percentiles(counts: histogram.Sparse) -> Figures:
    """Return the percentiles (s) that so many samples can state."""
    known = histogram.percentiles(counts)
    found: Figures = {name: known.get(name) for name in PERCENTILES}
    found['samples'] = float(histogram.count(counts)) if counts else None
    return found


def _operation(
    whole: Figures,
    counted: Mapping[str, histogram.Sparse],
    op: str,
    size: int,
) -> Figures:
    """Return the part of one operation in the figures of a mix."""
    own = counted.get(op, {})
    total = sum(histogram.count(c) for c in counted.values())
    rate = whole['ops_per_s']
    if rate is not None:
        # without any operation there is nothing to divide, and no rate
        rate = rate * histogram.count(own) / total if total else None
    found: Figures = {
        'ops_per_s': rate,
        'bytes_per_s': None if rate is None else rate * size,
        'latency': histogram.mean(own),
    }
    found.update(percentiles(own))
    return found


def shares(now: Figures, baseline: Figures) -> Figures:
    """Return '<workload>_share': throughput as a share of phase 0's."""
    found: Figures = {}
    for key, value in now.items():
        if not key.endswith('_ops_per_s'):
            continue
        before = baseline.get(key)
        name = key[: -len('_ops_per_s')] + '_share'
        found[name] = value / before if value is not None and before else None
    return found
