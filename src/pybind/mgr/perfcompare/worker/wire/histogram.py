"""Histograms of latencies with a bounded relative error (as HDR's).

Source of the idea: Gil Tene, HdrHistogram. Values are nanoseconds. Each
octave has 128 buckets, so that a value is known to within 1/256 (0.4 %)
from 128 ns to 18 minutes. A histogram is a dict of the counts that are
not 0, by their bucket.
"""

from typing import Dict, Iterable, Mapping, Optional

SUB = 7
TOP = 40  # values of 2^40 ns and more count as the largest
BUCKETS = (TOP - SUB + 1) << SUB
LARGEST = (1 << TOP) - 1

Sparse = Dict[int, int]

# A percentile needs this many samples beyond it to be said.
BEYOND = 10
NAMES = {
    'p50': 0.5,
    'p90': 0.9,
    'p95': 0.95,
    'p99': 0.99,
    'p99.9': 0.999,
    'p99.99': 0.9999,
}


def bucket(nanoseconds: int) -> int:
    """Return the index of the bucket of a value."""
    if nanoseconds > LARGEST:
        return BUCKETS - 1
    shift = nanoseconds.bit_length() - SUB - 1
    if shift <= 0:
        return max(0, nanoseconds)
    return (shift << SUB) + (nanoseconds >> shift)


def middle(index: int) -> float:
    """Return the value (ns) in the middle of a bucket."""
    if index < 2 << SUB:
        return float(index)
    shift = (index >> SUB) - 1
    low = index - (shift << SUB)
    return (low + 0.5) * (1 << shift) - 0.5


def upper(index: int) -> float:
    """Return the value (ns) below which all of a bucket are."""
    if index < 2 << SUB:
        return float(index + 1)
    shift = (index >> SUB) - 1
    return float((index - (shift << SUB) + 1) << shift)


def merge(parts: Iterable[Mapping[int, int]]) -> Sparse:
    """Add histograms up; percentiles are never averaged."""
    total: Sparse = {}
    for part in parts:
        for index, count in part.items():
            total[index] = total.get(index, 0) + count
    return total


def count(histogram: Mapping[int, int]) -> int:
    """Return how many values were counted."""
    return sum(histogram.values())


def mean(histogram: Mapping[int, int]) -> Optional[float]:
    """Return the mean in seconds (to 0.4 %); None of no values."""
    number = count(histogram)
    if not number:
        return None
    return sum(middle(i) * n for i, n in histogram.items()) / number / 1e9


def quantile(histogram: Mapping[int, int], q: float) -> Optional[float]:
    """Return the value (s) that a share ``q`` of all do not exceed."""
    number = count(histogram)
    if not number:
        return None
    # 1e-9: 0.99 * 100 is a little above 99 in floating point
    wanted = max(1, -int(-(q * number - 1e-9) // 1))
    for index in sorted(histogram):
        wanted -= histogram[index]
        if wanted <= 0:
            return middle(index) / 1e9
    return middle(max(histogram)) / 1e9


def percentiles(histogram: Mapping[int, int]) -> Dict[str, float]:
    """Return the percentiles (s) that this many samples can state."""
    number = count(histogram)
    found = {}
    for name, q in NAMES.items():
        if number * (1.0 - q) < BEYOND - 1e-9:
            continue
        value = quantile(histogram, q)
        if value is not None:
            found[name] = value
    return found
