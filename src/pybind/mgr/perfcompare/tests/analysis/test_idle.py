"""Trials in which nothing finished: no ratio, and no selection."""

import pytest

from ...analysis.comparison import compare
from ...analysis.sides import Side
from ...report.text import render
from ..data.comparison_data import Scene
from ..data.curve_data import curve_scene

W = 'write-4K-c16'
R = 'rand-4K-c16'
NOTHING = {'ops_per_s': 0.0, 'bytes_per_s': 0.0, 'ops': 0}


def stand_still(scene, rounds, workload=W):
    """Have arm finish nothing in some rounds."""
    return scene.change(
        lambda t: t.group == 'arm'
        and t.round in rounds
        and t.workload == workload,
        summary=NOTHING,
    )


def compared(scene):
    return compare(scene.side('x86'), scene.side('arm'))


@pytest.mark.parametrize('rounds', [(2,), (2, 4, 6, 8), range(1, 11)])
def test_a_group_that_stood_still_is_no_equal(rounds):
    found = compared(stand_still(Scene({W: 1.0, R: 1.0}, rounds=10), rounds))
    row, other = found.rows
    assert row.estimate.verdict_text == 'inconclusive (no operations)'
    times = '1 trial' if len(rounds) == 1 else f'{len(rounds)} trials'
    assert f'nothing finished in {times} of arm,' in row.estimate.detail
    assert row.blocks_complete == 10 - len(rounds)
    assert other.estimate.verdict_text == 'no difference shown'
    assert f'no operations: nothing finished in {times}' in render(found)


def test_nor_is_it_per_osd_or_by_another_metric():
    scene = Scene({W: 1.0}, rounds=10, osds={'x86': 2, 'arm': 4})
    (row,) = compared(stand_still(scene, (2,))).rows
    assert row.per_osd.verdict_text == 'inconclusive (no operations)'
    judged = [m.estimate for m in row.metrics if m.estimate.verdict]
    assert all(one.reason == 'no operations' for one in judged)


def test_stored_runs_tell_of_it_too():
    sides = []
    for at, group in enumerate(('x86', 'arm')):
        runs = [
            stand_still(
                Scene({W: 1.0}, run=f'0000000{at}{i}', seed=10 * at + i), (3,)
            )
            for i in range(4)
        ]
        sides.append(Side(group, tuple(s.side(group).runs[0] for s in runs)))
    (row,) = compare(*sides).rows
    assert row.estimate.verdict_text == 'inconclusive (no operations)'
    assert 'nothing finished in 4 trials of arm,' in row.estimate.detail


def test_the_conditioning_round_does_not_count():
    scene = stand_still(Scene({W: 1.0}), (0,))
    assert compared(scene).rows[0].estimate.reason == ''


def test_a_curve_that_lacks_rounds_for_it_is_not_judged():
    scene = curve_scene(1.0, rounds=8)
    assert compared(scene).curves[0].estimate.reason == ''
    first = scene.run.plan.profile.workloads[0].name
    stand_still(scene, (2,), first)
    (curve,) = compared(scene).curves
    assert curve.rounds_complete == 7
    assert curve.estimate.verdict_text == 'inconclusive (no operations)'
    assert curve.estimate.detail.startswith('no operations: at 1 in flight:')
