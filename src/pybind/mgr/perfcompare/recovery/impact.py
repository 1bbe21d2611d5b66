"""What clients felt: figures of their load between two moments.

Pure functions of the samples that load processes report once per second.
"""

from typing import Dict, List, Optional, Sequence, Tuple

import bisect
import dataclasses

Figures = Dict[str, Optional[float]]


@dataclasses.dataclass(frozen=True)
class Sample:
    """Hold what one load had done at a moment."""

    at: float  # Unix time
    ops: int  # finished since its start
    waited: float  # seconds: latencies of these operations, summed
    stalled: float  # seconds since the last one finished


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


def figures(
    samples: Sequence[Sample], size: int, begin: float, end: float
) -> Figures:
    """Return throughput, latency and stall of one load in a window."""
    found: Figures = {
        'ops_per_s': None,
        'bytes_per_s': None,
        'latency': None,
        'stall': longest_stall(samples, begin, end),
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
    found['bytes_per_s'] = done * size / (high - low)
    if done > 0 and waited_low is not None and waited_high is not None:
        found['latency'] = (waited_high - waited_low) / done
    return found


def of_loads(
    loads: Dict[str, List[Sample]], size: int, begin: float, end: float
) -> Figures:
    """Return the figures of all loads, by '<workload>_<figure>'."""
    return {
        f'{name}_{key}': value
        for name, samples in sorted(loads.items())
        for key, value in figures(samples, size, begin, end).items()
    }


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
