"""Curves of several runs, pooled or stored, of which nothing is read."""

import pytest

from ...analysis.comparison import compare
from ...analysis.sides import Side
from ...model.trial import TrialState
from ..data.curve_data import NAMES, curve_scene
from ..data.offered_data import offered_scene

pooled_and_stored = pytest.mark.parametrize(
    'runs, stored', [(2, False), (8, True)]
)


def scenes_of(make, runs, **options):
    return [make(run=f'0a1b2c{n:02}', **options) for n in range(runs)]


def judged(scenes, stored):
    """Compare curves: of pooled runs, or of half of them on each side."""
    half = len(scenes) // 2
    first, last = (scenes[:half], scenes[half:]) if stored else [scenes] * 2
    (curve,) = compare(
        Side('x86', tuple(s.side('x86').runs[0] for s in first)),
        Side('arm', tuple(s.side('arm').runs[0] for s in last)),
    ).curves
    return curve.estimate


@pooled_and_stored
def test_curves_beyond_the_ladder_on_both_sides_say_so(runs, stored):
    scenes = scenes_of(curve_scene, runs, speed=0.8, slo='p99=1s')
    found = judged(scenes, stored)
    assert found.verdict_text == 'inconclusive (outside the ladder)'
    assert 'was still within p99 ≤ 1 s at 32 in flight' in found.detail


@pooled_and_stored
def test_ladders_of_which_little_is_left_say_so(runs, stored):
    scenes = scenes_of(curve_scene, runs)
    for scene in scenes:
        for name in NAMES[2:]:
            scene.change(
                lambda t, n=name: t.workload == n, summary={'ops': 9}
            )
    found = judged(scenes, stored)
    assert found.verdict_text == 'inconclusive (0 of 6 blocks)'
    assert '2 points, of which 3 are needed' in found.detail


@pooled_and_stored
def test_runs_without_a_complete_round_say_so(runs, stored):
    scenes = scenes_of(curve_scene, runs)
    for scene in scenes:
        scene.change(
            lambda t: t.workload == NAMES[3 + t.round % 2],
            state=TrialState.VOID,
        )
    found = judged(scenes, stored)
    assert found.verdict_text == 'inconclusive (0 of 6 blocks)'
    assert 'no round in which both groups have all points' in found.detail


@pooled_and_stored
def test_rates_at_limits_of_their_own_say_so(runs, stored):
    scenes = [
        *scenes_of(offered_scene, runs - 1),
        offered_scene(run='0a1b2cff', slo='p99=9ms'),
    ]
    found = judged(scenes, stored)
    assert found.verdict_text == 'inconclusive (0 of 6 blocks)'
    assert found.detail == 'the limits of the runs differ'
