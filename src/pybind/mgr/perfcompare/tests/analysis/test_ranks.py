import itertools
import random

import pytest

from ...analysis import null_ranks, pairs, ranks


def enumerated_p(x):
    """Give the signed-rank p by trying all signs, mid-ranks for ties."""
    size = [abs(v) for v in x]
    rank = [
        sum(s < v for s in size) + (sum(s == v for s in size) + 1) / 2
        for v in size
    ]

    def least(signs):
        plus = sum(r for r, s in zip(rank, signs) if s)
        return min(plus, sum(rank) - plus)

    seen = least([v > 0 for v in x])
    all_signs = list(itertools.product((False, True), repeat=len(x)))
    return sum(least(signs) <= seen for signs in all_signs) / len(all_signs)


def enumerated_u_p(a, b):
    """Give the Mann-Whitney p by trying all ways to share the values."""
    values = list(a) + list(b)

    def u_of(chosen):
        rest = [v for i, v in enumerate(values) if i not in chosen]
        return sum(
            (values[i] > w) + (values[i] == w) / 2
            for i in chosen
            for w in rest
        )

    seen = u_of(set(range(len(a))))
    ways = list(itertools.combinations(range(len(values)), len(a)))
    below = sum(u_of(set(way)) <= seen for way in ways)
    above = sum(u_of(set(way)) >= seen for way in ways)
    return 2 * min(below, above) / len(ways)


def test_hodges_lehmann_is_the_median_walsh_average():
    assert ranks.hodges_lehmann([1.0, 2.0, 10.0]) == 3.75
    assert ranks.hodges_lehmann([5.0]) == 5.0


def test_signed_rank_p_agrees_with_scipy_without_ties():
    scipy_stats = pytest.importorskip('scipy.stats')
    rng = random.Random(1)
    for n in (3, 6, 7, 10, 15, 25):
        x = [rng.gauss(0.4, 1.0) for _ in range(n)]
        exact = scipy_stats.wilcoxon(x, method='exact').pvalue
        assert ranks.signed_rank_p(x) == pytest.approx(exact)


@pytest.mark.parametrize('seed', range(30))
def test_signed_rank_p_with_ties_is_that_of_enumeration(seed):
    rng = random.Random(seed)
    x = [rng.choice((-3, -2, -1, 1, 2, 3, 4)) for _ in range(4 + seed % 6)]
    assert ranks.signed_rank_p(x) == pytest.approx(min(1.0, enumerated_p(x)))


def test_zeros_are_left_out():
    assert ranks.signed_rank_p([0.0, 1.0, 2.0, 0.0]) == 0.5
    assert ranks.signed_rank_p([0.0, 0.0]) == 1.0


@pytest.mark.parametrize(
    'n, size, depth, coverage',
    [
        (5, 0.05, -1, None),
        (6, 0.05, 0, 96.9),
        (7, 0.05, 2, 95.3),
        (8, 0.05, 3, 96.1),
        (9, 0.05, 5, 96.1),
        (10, 0.05, 8, 95.1),
        (6, 0.035, 0, 96.9),
        (7, 0.035, 1, 96.9),
        (10, 0.035, 6, 97.3),
    ],
)
def test_depth_of_the_interval(n, size, depth, coverage):
    found, reached = null_ranks.signed_depth(n, size)
    assert found == depth
    if coverage is not None:
        assert round(100 * (1 - reached), 1) == coverage


def test_interval_of_six_is_their_range():
    x = [0.3, 0.1, 0.5, 0.2, 0.9, 0.4]
    found = ranks.signed_rank_interval(x, 0.05)
    assert (found.low, found.high) == (0.1, 0.9)
    assert ranks.signed_rank_interval(x[:5], 0.05) is None


@pytest.mark.parametrize('n', [6, 7, 8, 10, 12])
def test_interval_holds_what_the_test_does_not_reject(n):
    rng = random.Random(n)
    for step in (None, 0.5):  # without and with equal values
        x = [rng.gauss(0.0, 1.0) for _ in range(n)]
        if step:
            x = [round(v / step) * step for v in x]
        found = ranks.signed_rank_interval(x, 0.05)
        for theta in (i / 37 for i in range(-150, 151)):
            kept = ranks.signed_rank_p([v - theta for v in x]) > 0.05
            inside = found.low <= theta <= found.high
            assert inside or not kept
            if found.low < theta < found.high and not step:
                assert kept


@pytest.mark.parametrize('seed', range(6))
@pytest.mark.parametrize('center', [-1.0, 0.0, 1.0])
def test_interval_with_equal_values_is_no_wider_than_need_be(seed, center):
    rng = random.Random(seed)
    x = [round(rng.gauss(center, 0.5), 1) for _ in range(8)]
    x[1] = x[0]  # and averages that rounding takes apart
    steps = sorted({round(v, 6) for v in pairs.averages(x)})
    gaps = [
        (low, high)
        for low, high in zip(steps, steps[1:])
        if ranks.signed_rank_p([v - (low + high) / 2 for v in x]) > 0.05
    ]
    found = ranks.signed_rank_interval(x, 0.05)
    assert found.low == pytest.approx(gaps[0][0], abs=1e-9)
    assert found.high == pytest.approx(gaps[-1][1], abs=1e-9)


def tied(seed):
    rng = random.Random(seed)
    x = [rng.randint(-3, 5) / 10 for _ in range(7)]
    x[1] = x[0]
    return x


# rounding takes averages at its lower end apart
APART = [4.4, 4.4, -0.7, 1.1, -0.1, -1.3, 0.4]


@pytest.mark.parametrize('x', [APART, *map(tied, range(12))])
def test_coverage_with_equal_values_is_that_of_what_was_rejected(x):
    steps = sorted({round(v, 6) for v in pairs.averages(x)})
    sizes = [2.0 / 2**7]  # of what is beyond the whole range
    for low, high in zip(steps, steps[1:]):
        sizes.append(ranks.signed_rank_p([v - (low + high) / 2 for v in x]))
    sizes.append(sizes[0])
    kept = [i for i, p in enumerate(sizes) if p > 0.1]
    found = ranks.signed_rank_interval(x, 0.1)
    assert found.low == pytest.approx(steps[kept[0] - 1], abs=1e-9)
    assert found.high == pytest.approx(steps[kept[-1]], abs=1e-9)
    rejected = sizes[kept[0] - 1] + sizes[kept[-1] + 1]
    assert found.coverage == pytest.approx(1 - rejected / 2)


def test_equal_values_give_an_interval_of_no_width():
    found = ranks.signed_rank_interval([0.7] * 7, 0.05)
    assert (found.low, found.high) == (0.7, 0.7)
    assert found.coverage == 1 - 2 / 2**7


def test_interval_of_many_values_is_exact_too():
    rng = random.Random(2)
    x = [rng.gauss(1.0, 0.1) for _ in range(60)]
    found = ranks.signed_rank_interval(x, 0.05)
    assert 0.95 <= found.coverage < 0.951
    assert found.low < 0.98 < found.high


def test_mann_whitney_p_agrees_with_scipy_without_ties():
    scipy_stats = pytest.importorskip('scipy.stats')
    rng = random.Random(4)
    for n1, n2 in ((2, 3), (3, 3), (4, 4), (7, 7), (10, 6), (14, 20)):
        a = [rng.gauss(0.0, 1.0) for _ in range(n1)]
        b = [rng.gauss(0.7, 1.0) for _ in range(n2)]
        exact = scipy_stats.mannwhitneyu(a, b, method='exact').pvalue
        assert ranks.mann_whitney_p(a, b) == pytest.approx(exact)


@pytest.mark.parametrize('seed', range(20))
def test_mann_whitney_p_with_ties_is_that_of_enumeration(seed):
    rng = random.Random(seed)
    a = [rng.randrange(4) for _ in range(3 + seed % 2)]
    b = [rng.randrange(1, 5) for _ in range(4 + seed % 3)]
    assert ranks.mann_whitney_p(a, b) == pytest.approx(
        min(1.0, enumerated_u_p(a, b))
    )


def test_shift_interval_holds_what_the_test_does_not_reject():
    rng = random.Random(6)
    a = [rng.gauss(0.0, 1.0) for _ in range(6)]
    b = [rng.gauss(1.0, 1.0) for _ in range(5)]
    found = ranks.shift_interval(a, b, 0.05)
    assert found.low < ranks.shift_estimate(a, b) < found.high
    for shift in (i / 37 for i in range(-150, 151)):
        p = ranks.mann_whitney_p(a, [v - shift for v in b])
        assert (p > 0.05) == (found.low < shift < found.high)


def test_three_and_three_have_no_interval_of_that_size():
    assert ranks.shift_interval([1, 2, 3], [4, 5, 6], 0.05) is None
    assert ranks.shift_interval([1, 2, 3, 4], [5, 6, 7, 8], 0.05)
