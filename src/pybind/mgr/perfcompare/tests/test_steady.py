import math

import pytest

from ..analysis import steady


def test_level_series_is_steady():
    found = steady.drift([[100.0] * 6, [900.0] * 6])
    assert (found.trials, found.range) == (2, 0.0)
    assert found.slope == pytest.approx(0.0, abs=1e-12)
    assert not found.unsteady


def test_slope_is_the_fitted_change_over_the_trial():
    falling = [110.0, 106.0, 102.0, 98.0, 94.0, 90.0]
    found = steady.drift([falling])
    assert found.range == pytest.approx(0.20)
    assert found.slope == pytest.approx(-0.20)
    assert found.unsteady
    assert found.log_amount == pytest.approx(math.log(1.2))


@pytest.mark.parametrize(
    'windows, unsteady',
    [
        ([1.0, 1.0, 1.19, 1.0, 1.0, 1.0], False),  # range 18 %, slope 3 %
        ([1.0, 1.0, 1.30, 1.0, 1.0, 1.0], True),  # range 29 %
        ([1.0, 1.018, 1.036, 1.054, 1.072, 1.09], False),  # slope 8.6 %
        ([1.0, 1.024, 1.048, 1.072, 1.096, 1.12], True),  # slope 11.3 %
    ],
)
def test_either_limit_makes_a_series_unsteady(windows, unsteady):
    assert steady.drift([windows]).unsteady is unsteady


def test_trials_count_the_same_whatever_their_rate():
    up = [0.8, 0.9, 1.0, 1.0, 1.1, 1.2]
    down = [1000.0 * v for v in reversed(up)]
    found = steady.drift([up, down])
    assert found.range == pytest.approx(0.0, abs=1e-9)


def test_trials_without_windows_are_no_evidence():
    assert steady.drift([]) is None
    assert steady.drift([(), (0.0,) * 6, (1.0,) * 5]) is None
    assert steady.drift([(), (1.0,) * 6]).trials == 1
