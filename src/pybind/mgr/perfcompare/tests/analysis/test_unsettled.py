"""Trials that began on OSDs which still worked on what was before them."""

import pytest

from ...analysis.comparison import compare
from ...analysis.of_blocks import measure_blocks
from ..data.comparison_data import Scene

W = 'write-4K-c16'
REMOVES = ['osd.0 removes 3 PGs']


def compared(**begun):
    """Compare where so many trials of a group began too early."""
    scene = Scene({W: 0.5})
    for group, many in begun.items():
        trials = [t for t in scene.trials if t.group == group and t.round]
        for trial in trials[:many]:
            trial.evidence['unsettled'] = REMOVES
    return compare(scene.side('x86'), scene.side('arm'))


@pytest.mark.parametrize(
    'x86, arm, holds', [(0, 1, False), (0, 2, True), (7, 5, True)]
)
def test_sides_whose_osds_had_other_work_to_do_are_not_judged(
    x86, arm, holds
):
    (row,) = compared(x86=x86, arm=arm).rows
    assert [r.id for r in row.reasons if r.holds] == ['unsettled'] * holds
    if holds:
        assert row.estimate.verdict_text == 'inconclusive (unsettled)'
        assert f'{x86} of 7 trials of x86, {arm} of 7 trials of arm' in (
            row.estimate.detail
        )


def test_what_both_sides_had_alike_is_a_warning():
    found = compared(x86=7, arm=6)
    assert found.rows[0].reasons == ()
    assert found.rows[0].estimate.verdict_text == 'slower'
    (warning,) = [w for w in found.warnings if 'arm began' in w]
    assert warning == (
        '6 of 7 trials of arm began on OSDs that had not settled, such as: '
        'osd.0 removes 3 PGs'
    )


@pytest.mark.parametrize(
    'rounds, early, verdict',
    [
        (3, 1, 'slower'),
        (3, 2, 'inconclusive (unsettled)'),
        (2, 1, 'inconclusive (unsettled)'),
    ],
)
def test_a_single_trial_of_three_rounds_does_not_void_them(
    rounds, early, verdict
):
    scene = Scene({W: 0.3}, rounds=rounds)
    x86 = [t for t in scene.trials if t.group == 'x86' and t.round]
    for trial in x86[:early]:
        trial.evidence['unsettled'] = REMOVES
    found = compare(scene.side('x86'), scene.side('arm'))
    assert found.rows[0].estimate.verdict_text == verdict
    assert any('x86 began on OSDs' in text for text in found.warnings)


@pytest.mark.parametrize('slowed', [0.01, 0.1, 0.5, 2.0, 10.0])
def test_a_trial_that_is_off_makes_no_verdict_of_three(slowed):
    for truth in (-0.3, 0.0, 0.3):
        x = [truth, truth, truth - slowed]
        low, high = measure_blocks(x, planned=3).decisive
        assert low < truth < high
