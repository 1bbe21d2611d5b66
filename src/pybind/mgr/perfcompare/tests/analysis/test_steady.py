import math
import random

import pytest

from ...analysis import steady

FALLING = (1.25, 1.15, 1.05, 0.95, 0.85, 0.75)  # by half of its mean
LEVEL = (1.0,) * 6


def test_level_rate_does_not_drift():
    found = steady.of_rate([[100.0] * 6, [900.0] * 6])
    assert (found.n, found.df) == (2, 1)
    assert found.change == pytest.approx(0.0, abs=1e-12)
    assert not found.demonstrated
    assert found.possible == pytest.approx(0.0, abs=1e-9)


def test_drift_is_the_fitted_change_over_the_trial():
    found = steady.of_rate([FALLING] * 3)
    assert found.change == pytest.approx(-0.5)
    assert found.error == pytest.approx(0.0, abs=1e-12)
    assert found.demonstrated
    assert found.log_amount == pytest.approx(math.log(1.5))


def test_trials_count_the_same_whatever_their_rate():
    rising = [1000.0 * v for v in reversed(FALLING)]
    found = steady.of_rate([FALLING, rising])
    assert found.change == pytest.approx(0.0, abs=1e-12)


def test_what_both_groups_share_is_no_drift_of_the_ratio():
    faster = [7.0 * v for v in FALLING]
    found = steady.of_ratio([(FALLING, faster)] * 3)
    assert found.change == pytest.approx(0.0, abs=1e-12)
    assert not found.demonstrated


def test_drift_of_the_ratio_has_the_sign_of_the_candidate():
    assert steady.of_ratio([(LEVEL, FALLING)] * 3).change < 0.0
    assert steady.of_ratio([(FALLING, LEVEL)] * 3).change > 0.0


def moved(changes):
    """Return a block for each change, all of it the candidate's."""
    return [
        (LEVEL, [1.0 + change * (i / 5.0 - 0.5) for i in range(6)])
        for change in changes
    ]


@pytest.mark.parametrize(
    'changes, demonstrated',
    [
        ((0.11, 0.11, 0.11), True),  # without any noise
        ((0.10, 0.10, 0.10), False),
        ((-0.11, -0.11, -0.11), True),
        # 0.3 - 2.92 * 0.1 / sqrt(3) = 0.131
        ((0.2, 0.3, 0.4), True),
        # 0.25 - 2.92 * 0.1 / sqrt(3) = 0.081
        ((0.15, 0.25, 0.35), False),
    ],
)
def test_a_drift_is_demonstrated_against_its_own_noise(changes, demonstrated):
    assert steady.of_ratio(moved(changes)).demonstrated is demonstrated


def test_what_is_possible_is_the_change_and_its_noise():
    found = steady.of_ratio(moved((-0.1, 0.0, 0.1)))
    assert found.possible == pytest.approx(
        2.920 * 0.1 / math.sqrt(3), rel=1e-3
    )


def test_unpaired_sides_are_taken_with_the_noise_of_both():
    still = steady.of_rate([LEVEL] * 4)
    falls = steady.of_rate([c for _, c in moved((-0.2, -0.3, -0.4))])
    found = steady.between(still, falls)
    assert found.change == pytest.approx(-0.3)
    assert found.error == pytest.approx(0.1 / math.sqrt(3))
    assert found.df == 2  # all of the noise is of three trials
    both = steady.between(falls, falls)
    assert both.change == pytest.approx(0.0)
    assert both.df == 4
    assert steady.between(still, still).df == 6


def test_trials_without_windows_are_no_evidence():
    assert steady.of_rate([]) is None
    assert steady.of_rate([(), (0.0,) * 6, (1.0,) * 5, LEVEL]) is None
    assert steady.of_rate([(), LEVEL, LEVEL]).n == 2
    assert steady.of_ratio([(LEVEL, ()), (LEVEL, LEVEL)]) is None


def test_a_second_without_operations_is_part_of_the_rate():
    found = steady.of_rate([(1.0, 1.0, 0.0, 1.0, 1.0, 1.0)] * 2)
    assert 0.0 < found.change < 0.2


def share_demonstrated(shared, apart, noise, blocks=7, rows=400):
    """Return how often a drift of the ratio is found, by simulation."""
    draw = random.Random(f'{shared} {apart} {noise} {blocks}')

    def trial(drift):
        return [
            (1.0 + drift * (i / 5.0 - 0.5)) * math.exp(draw.gauss(0.0, noise))
            for i in range(6)
        ]

    hits = 0
    for _ in range(rows):
        found = steady.of_ratio(
            [(trial(shared), trial(shared + apart)) for _ in range(blocks)]
        )
        hits += found.demonstrated
    return hits / rows


def test_noise_and_shared_drift_are_seldom_taken_for_drift_of_the_ratio():
    assert share_demonstrated(0.0, 0.0, 0.10) <= 0.02
    assert share_demonstrated(0.0, 0.0, 0.20) <= 0.04
    assert share_demonstrated(0.3, 0.0, 0.10) <= 0.02


def test_drift_of_the_ratio_is_found():
    assert share_demonstrated(0.0, 0.4, 0.10) >= 0.95
    assert share_demonstrated(0.3, 0.2, 0.03) >= 0.95
