import math
import random

import pytest

from ...analysis import stats


def test_incomplete_beta_of_known_values():
    # I_x(1, b) = 1 - (1 - x)^b and I_x(a, 1) = x^a
    for x in (0.0, 1e-9, 0.2, 0.5, 0.9, 1.0):
        assert stats.incomplete_beta(1.0, 3.0, x) == pytest.approx(
            1 - (1 - x) ** 3, rel=1e-12, abs=1e-16
        )
        assert stats.incomplete_beta(2.5, 1.0, x) == pytest.approx(
            x**2.5, rel=1e-12
        )


def test_student_p_of_one_and_two_degrees_of_freedom():
    for t in (0.0, 0.3, 1.0, 12.7, 1e3):
        cauchy = 1.0 - 2.0 * math.atan(t) / math.pi
        assert stats.student_p(t, 1) == pytest.approx(cauchy, abs=1e-12)
        two = 1.0 - t / math.sqrt(2.0 + t * t)
        assert stats.student_p(t, 2) == pytest.approx(two, abs=1e-12)


def test_student_agrees_with_scipy():
    scipy_stats = pytest.importorskip('scipy.stats')
    for df in (1, 2, 3, 5, 6, 9, 19, 40, 200):
        for t in (0.01, 0.5, 1.0, 2.0, 5.0, 30.0, 1e4):
            assert stats.student_p(t, df) == pytest.approx(
                2 * scipy_stats.t.sf(t, df), rel=1e-9
            )
        for p in (0.5, 0.05, 0.005, 0.005 / 18, 0.005 / 200):
            assert stats.student_quantile(p, df) == pytest.approx(
                scipy_stats.t.isf(p / 2, df), rel=1e-9
            )


def test_t_test_agrees_with_scipy():
    scipy_stats = pytest.importorskip('scipy.stats')
    rng = random.Random(3)
    for n in (2, 3, 6, 7, 10, 20):
        x = [rng.gauss(0.4, 1.0) for _ in range(n)]
        test = stats.t_test(x, 1e-9)
        assert test.p == pytest.approx(
            scipy_stats.ttest_1samp(x, 0.0).pvalue, rel=1e-9
        )


def test_floor_keeps_lucky_agreement_from_certainty():
    x = [0.01, 0.01, 0.01]
    assert stats.t_test(x, 0.005).p == pytest.approx(
        stats.student_p(0.01 / (0.005 / math.sqrt(3)), 2)
    )
    assert stats.t_test(x, 0.005).p > 0.05


def test_benjamini_hochberg_by_hand():
    # p·m/rank = .05, .05, .05, .041…: monotone from the largest down
    assert stats.benjamini_hochberg([0.01, 0.04, 0.03, 0.005]) == (
        pytest.approx([0.02, 0.04, 0.04, 0.02])
    )
    assert stats.benjamini_hochberg([]) == []
    assert stats.benjamini_hochberg([1.0, 1.0]) == [1.0, 1.0]


def test_benjamini_hochberg_agrees_with_scipy():
    scipy_stats = pytest.importorskip('scipy.stats')
    rng = random.Random(5)
    p = [rng.random() ** 3 for _ in range(40)] + [0.01, 0.01]
    assert stats.benjamini_hochberg(p) == pytest.approx(
        list(scipy_stats.false_discovery_control(p))
    )


def test_lag1_correlation():
    assert stats.lag1_correlation([1.0, -1.0] * 5) == pytest.approx(-0.9)
    assert stats.lag1_correlation([float(i) for i in range(12)]) > 0.5
    assert stats.lag1_correlation([2.0] * 10) == 0.0
    for n in range(10, 31):  # what rounding leaves is no series
        for ratio in (0.3, 1.1, 4.0, 7.0):
            assert stats.lag1_correlation([math.log(ratio)] * n) == 0.0


def test_median():
    assert stats.median([3.0, 1.0, 2.0]) == 2.0
    assert stats.median([4.0, 1.0, 2.0, 3.0]) == 2.5
