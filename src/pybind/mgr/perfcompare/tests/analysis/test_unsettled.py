"""Trials that began on OSDs which still worked on what was before them."""

import pytest

from ...analysis.comparison import compare
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


def test_a_single_trial_of_three_rounds_is_enough():
    scene = Scene({W: 0.3}, rounds=3)
    first = next(t for t in scene.trials if t.group == 'x86' and t.round)
    first.evidence['unsettled'] = REMOVES
    (row,) = compare(scene.side('x86'), scene.side('arm')).rows
    assert row.estimate.verdict_text == 'inconclusive (unsettled)'
