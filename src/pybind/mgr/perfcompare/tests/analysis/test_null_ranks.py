"""Null distributions of ranks: counted while that is bounded work."""

import random
import tracemalloc

import pytest

from ...analysis import null_ranks, ranks

SIZES = [(73, 73), (12, 1000), (30, 200), (4, 4000)]


def drawn(n1, n2, levels, seed=1, apart=0.3):
    """Return two samples; with ``levels`` many of their values are equal."""
    rng = random.Random(seed)
    a = [rng.gauss(0.0, 1.0) for _ in range(n1)]
    b = [rng.gauss(apart, 1.0) for _ in range(n2)]
    if levels:
        a, b = ([round(v * levels) / levels for v in x] for x in (a, b))
    return a, b


def tail_at(tails, mean, seen_of):
    """Walk inwards to a sum whose lower tail is about 0.025."""
    low, high = 0, mean
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (
            (middle, high) if tails(middle) <= 0.025 else (low, middle)
        )
    return seen_of(low)


@pytest.mark.parametrize('levels', [0, 1, 4])
@pytest.mark.parametrize('n1, n2', SIZES[:3])
def test_the_normal_curve_is_near_what_is_counted_and_no_bolder(
    n1, n2, levels
):
    a, b = drawn(n1, n2, levels)
    drawn_ranks = ranks.mid_ranks(a + b)
    mean = n1 * (n1 + n2 + 1)

    def both(seen):
        return (
            null_ranks.chosen_tails_counted(drawn_ranks, n1, seen)[0],
            null_ranks.chosen_tails_normal(drawn_ranks, n1, seen)[0],
        )

    counted, normal = tail_at(lambda s: both(s)[0], mean, both)
    assert 0.015 < counted <= 0.025
    assert normal == pytest.approx(counted, rel=0.05)
    assert normal > 0.995 * counted


@pytest.mark.parametrize('levels', [0, 1, 4])
def test_signed_ranks_are_near_what_is_counted_and_no_bolder(levels):
    x = [v for v in drawn(0, 361, levels)[1] if v]
    size = ranks.mid_ranks([abs(v) for v in x])

    def both(seen):
        return (
            null_ranks.signed_tail_counted(size, seen),
            null_ranks.signed_tail_normal(size, seen),
        )

    counted, normal = tail_at(lambda s: both(s)[0], sum(size) // 2, both)
    assert 0.02 < counted <= 0.025
    assert normal == pytest.approx(counted, rel=0.02)
    assert normal > counted


@pytest.mark.parametrize('n', [6, 7, 40, 57, 200, 361])
def test_depth_counted_and_by_the_normal_curve(n, monkeypatch):
    null_ranks.signed_depth.cache_clear()
    counted, size = null_ranks.signed_depth(n, 0.05)
    monkeypatch.setattr(null_ranks, 'WORK', 0)
    null_ranks.signed_depth.cache_clear()
    depth, about = null_ranks.signed_depth(n, 0.05)
    null_ranks.signed_depth.cache_clear()
    assert size <= 0.05
    assert abs(depth - counted) <= 1
    if n > 50:
        assert about == pytest.approx(size, abs=0.001)
        assert about <= 0.05


@pytest.mark.parametrize('n1, n2', [(8, 8), (40, 40), *SIZES])
def test_depth_of_a_shift_counted_and_by_the_normal_curve(
    n1, n2, monkeypatch
):
    null_ranks.shift_depth.cache_clear()
    counted, size = null_ranks.shift_depth(n1, n2, 0.05)
    monkeypatch.setattr(null_ranks, 'WORK', 0)
    null_ranks.shift_depth.cache_clear()
    depth, about = null_ranks.shift_depth(n1, n2, 0.05)
    null_ranks.shift_depth.cache_clear()
    assert size <= 0.05
    # off by no more than a hundredth of the steps to the middle
    assert abs(depth - counted) <= max(1, 0.01 * n1 * n2 / 2)
    assert about <= 0.05


def test_runs_of_our_own_are_counted():
    """40 rounds are the most that a run may have."""
    assert null_ranks.signed_work(40) < null_ranks.WORK
    walsh = 41 * 40 // 2
    assert null_ranks.signed_work(40) * walsh < null_ranks.WORK
    assert null_ranks.chosen_work(40, 40) < null_ranks.WORK
    assert null_ranks.chosen_work(3, 1000) < null_ranks.WORK


@pytest.mark.parametrize('n1, n2', [(80, 80), (400, 400), (1000, 1000)])
def test_many_values_with_ties_take_bounded_work(n1, n2):
    """Of 400 on each side a table of counts had 981 MiB."""
    a, b = drawn(n1, n2, 4, apart=0.5)
    x = [v - w for v, w in zip(a, b)]
    tracemalloc.start()
    try:
        assert 0.0 < ranks.mann_whitney_p(a, b) < 0.05
        assert 0.0 < ranks.signed_rank_p(x) < 0.05
        assert null_ranks.shift_depth(n1, n2, 0.05)[1] <= 0.05
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 64 << 20


def test_values_that_are_all_equal_tell_nothing():
    assert null_ranks.chosen_tails_normal([81] * 80, 40, 40 * 81) == (1, 1)
    assert ranks.mann_whitney_p([5.0] * 200, [5.0] * 200) == 1.0
