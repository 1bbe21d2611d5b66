import math
import random

import pytest

from ...analysis.comparison import compare
from ...analysis.verdict import Verdict
from ..data.comparison_data import Scene, first_row, of, reasons

W = 'write-4K-c16'


def windowed(scene, group, fall, noise=0.0, seed=7):
    """Give the trials of a group windows that fall by a share."""
    draw = random.Random(seed)
    for trial in list(scene.trials):
        windows = tuple(
            1000.0 * (1 - fall * i / 5) * math.exp(draw.gauss(0.0, noise))
            for i in range(6)
        )
        scene.change(
            lambda t, trial=trial: t is trial and t.group == group,
            summary={'windows': windows},
        )
    return scene


def drifting(ratio, fall):
    return windowed(Scene({W: ratio}, noise=0.01), 'arm', fall)


def test_drift_is_a_reason_where_the_widened_interval_holds_one():
    assert reasons(drifting(0.9, 0.3)) == ['not steady']
    assert reasons(drifting(1.0, 0.3)) == ['not steady']
    assert reasons(drifting(1.0, 0.05)) == []


def test_drift_is_only_noted_where_the_difference_is_larger():
    found = first_row(drifting(0.3, 0.3))
    assert found.estimate.verdict is Verdict.SLOWER
    (noted,) = found.reasons
    assert (noted.id, noted.holds) == ('not steady', False)
    assert 'the ratio moved by -35% within trials' in noted.evidence
    assert 'so widened excludes 1' in noted.evidence


@pytest.mark.parametrize(
    'ratio, verdict', [(1.0, Verdict.NO_DIFFERENCE), (0.9, Verdict.SLOWER)]
)
def test_drift_that_both_share_is_a_note_on_the_absolute_figures(
    ratio, verdict
):
    found = first_row(windowed(drifting(ratio, 0.3), 'x86', 0.3))
    assert found.estimate.verdict is verdict
    (noted,) = found.reasons
    assert (noted.id, noted.holds) == ('not steady', False)
    assert 'the rate of x86 moved by -35% within trials' in noted.evidence
    assert 'the ratio' not in noted.evidence


def test_noise_within_trials_is_not_taken_for_drift():
    scene = Scene({W: 0.9}, rounds=7, noise=0.01)
    windowed(scene, 'x86', 0.0, noise=0.15)
    windowed(scene, 'arm', 0.0, noise=0.15, seed=8)
    found = first_row(scene)
    assert found.reasons == ()
    assert found.estimate.verdict is Verdict.SLOWER


def test_no_difference_is_not_claimed_where_drift_could_hide():
    scene = Scene({W: 1.0}, rounds=7, noise=0.01)
    windowed(scene, 'arm', 0.0, noise=0.3)
    (found,) = first_row(scene).reasons
    assert (found.id, found.holds) == ('drift not excluded', True)
    assert 'needs less than 20%' in found.evidence
    assert first_row(scene).estimate.verdict_text == (
        'inconclusive (drift not excluded)'
    )


def test_unpaired_runs_are_judged_by_the_drift_of_both():
    """Two stored runs have no blocks: the trials of each side count."""
    steady_run = Scene({W: 1.0}, run='0a1b2c3d', noise=0.01)
    falling = Scene({W: 0.9}, run='1a1b2c3d', noise=0.01, seed=2)
    windowed(falling, 'arm', 0.3)
    found = compare(steady_run.side('x86'), falling.side('arm')).rows[0]
    assert 'not steady' in [r.id for r in found.reasons if r.holds]


def test_slow_swing_of_the_ratio_makes_trials_dependent():
    for rounds, expected in ((10, ['dependent trials']), (9, [])):
        scene = Scene({W: 0.5}, rounds=rounds, noise=0.001)
        for r in range(1, rounds + 1):
            rate = 500.0 * (1.0 + 0.01 * r)
            scene.change(
                lambda t, r=r: t.round == r and t.group == 'arm',
                summary={'ops_per_s': rate},
            )
        assert reasons(scene) == expected


def test_a_drift_counts_for_what_is_judged():
    windows = tuple(1000 * (1 - 0.3 * (i - 2.5) / 5) for i in range(6))
    scene = Scene({W: 2.12}, osds={'arm': 4}, noise=0.005).change(
        of('arm'), summary={'windows': windows}
    )
    found = first_row(scene)
    assert found.estimate.verdict is Verdict.FASTER
    assert found.per_osd.verdict_text == 'inconclusive (not steady)'
