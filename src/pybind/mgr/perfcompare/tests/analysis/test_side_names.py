"""Texts of one group in two runs say which of them they are of."""

from ...analysis.comparison import compare
from ...model.trial import TrialState
from ...report.text import render
from ..data.comparison_data import Scene, of
from ..data.curve_data import curve_scene

W = 'write-4K-c16'
NAMES = ('arm@aaaaaaaa', 'arm@bbbbbbbb')


def both(make):
    return [make(run=name.split('@')[1]) for name in NAMES]


def against(first, second):
    return compare(first.side('arm'), second.side('arm'))


def test_trials_are_told_of_by_the_name_of_their_side():
    scenes = both(lambda **run: Scene({W: 1.0}, **run))
    for rounds, scene in enumerate(scenes, 1):
        scene.change(
            lambda t, n=rounds: t.group == 'arm' and 0 < t.round <= n,
            state=TrialState.VOID,
            reason='cut',
        )
        scene.change(
            lambda t, n=rounds: t.group == 'arm' and t.round == 6,
            evidence={
                'unsettled': ['osd.1 compacts'],
                'notes': [f'{"late" * rounds}'],
            },
        )
    found = against(*scenes)
    voids = [(v.group, v.count) for v in found.void_trials]
    assert voids == [(NAMES[0], 1), (NAMES[1], 2)]
    told = ' '.join(found.warnings)
    assert f'1 of 6 trials of {NAMES[0]} began on' in told
    assert f'1 of 5 trials of {NAMES[1]} began on' in told
    assert f'{W} on {NAMES[0]}: late' in told
    assert f'{W} on {NAMES[1]}: latelate' in told
    assert f'1 void trial of {NAMES[0]}: cut' in render(found, 120)


def test_curves_beyond_the_ladder_are_told_of_by_the_name_of_their_side():
    scenes = both(lambda **run: curve_scene(slo='p99=1s', **run))
    (curve,) = against(*scenes).curves
    for name in NAMES:
        assert f'{name} was still within' in curve.estimate.detail


def test_two_groups_are_told_of_by_their_names():
    scene = Scene({W: 1.0}).change(
        of('x86'), state=TrialState.VOID, reason='cut'
    )
    found = compare(scene.side('x86'), scene.side('arm'))
    assert [(v.group, v.count) for v in found.void_trials] == [('x86', 7)]
