"""Histograms against exact quantiles."""

from typing import List

import collections
import random

import pytest

from perfcompare.worker.wire import histogram

MICRO = 1000
MINUTE = 60 * 10**9


def exact(values: List[int], q: float) -> float:
    ordered = sorted(values)
    wanted = max(1, -int(-(q * len(ordered) - 1e-9) // 1))
    return ordered[wanted - 1] / 1e9


def fill(values: List[int]) -> histogram.Sparse:
    return dict(collections.Counter(map(histogram.bucket, values)))


def test_error_of_a_value_is_below_one_percent() -> None:
    value = 10 * MICRO
    while value <= 10 * MINUTE:
        for near in (value - 1, value, value + 1):
            found = histogram.middle(histogram.bucket(near))
            assert abs(found - near) / near < 0.004
        value = int(value * 1.003) + 1


def test_small_values_are_exact_and_large_ones_stay_within() -> None:
    for value in range(300):
        middle = histogram.middle(histogram.bucket(value))
        assert abs(middle - value) <= (0 if value < 256 else 1)
    assert histogram.bucket(1 << 60) == histogram.BUCKETS - 1
    assert histogram.bucket(histogram.LARGEST) == histogram.BUCKETS - 1
    assert histogram.bucket(0) == 0
    assert histogram.bucket(-5) == 0


def test_buckets_are_monotonic() -> None:
    last = -1
    for value in sorted({int(1.01**i) for i in range(2700)}):
        index = histogram.bucket(value)
        assert index >= last
        last = index


@pytest.mark.parametrize('seed', range(5))
def test_quantiles_agree_with_exact_ones(seed: int) -> None:
    rng = random.Random(seed)
    values = [
        int(min(10 * MINUTE, 10 * MICRO * rng.paretovariate(0.9)))
        for _ in range(20000)
    ]
    found = fill(values)
    assert histogram.count(found) == len(values)
    for q in (0.0, 0.5, 0.9, 0.99, 0.999, 0.9999, 1.0):
        value = histogram.quantile(found, q)
        assert value == pytest.approx(exact(values, q), rel=0.01)
    mean = histogram.mean(found)
    assert mean == pytest.approx(sum(values) / len(values) / 1e9, rel=0.01)


def test_merged_is_the_same_as_counted_together() -> None:
    rng = random.Random(3)
    values = [rng.randrange(1, 10**9) for _ in range(3000)]
    parts = [fill(values[i::3]) for i in range(3)]
    assert histogram.merge(parts) == fill(values)


def test_percentiles_need_samples_beyond_them() -> None:
    def names(count: int) -> List[str]:
        return list(histogram.percentiles({100: count}))

    assert names(19) == []
    assert names(20) == ['p50']
    assert names(999)[-1] == 'p95'
    assert names(1000)[-1] == 'p99'
    assert names(100000)[-1] == 'p99.99'


def test_nothing_has_no_quantile() -> None:
    assert histogram.quantile({}, 0.5) is None
    assert histogram.mean({}) is None
    assert histogram.percentiles({}) == {}
