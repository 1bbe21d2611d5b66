"""Which blocks a row is of, and which branch of the rule judges them."""

import dataclasses

import pytest

from ...analysis.comparison import compare
from ...analysis.measured import IntervalKind, Rule
from ...analysis.sides import Side
from ...analysis.verdict import Verdict
from ...model.run import RunState
from ..data.comparison_data import Scene

W = 'write-4K-c16'


def test_row_that_stopped_is_of_the_blocks_until_then():
    ratios = {W: {'arm': 2.0, 'old': 1.0}}
    scene = Scene(ratios, groups=('x86', 'arm', 'old'), adaptive=True)
    # what the workload did in the rounds that it had for `old`
    scene.change(
        lambda t: t.group == 'arm' and t.round > 3,
        summary={'ops_per_s': 500.0},
        manifest={'size': 9},
    )
    scene.change(
        lambda t: t.group == 'x86' and t.round == 7,
        summary={'ops_per_s': 0.0},
    )
    found = compare(scene.side('x86'), scene.side('arm'))
    row = found.rows[0]
    assert row.estimate.verdict is Verdict.FASTER
    assert (row.stopped_after, row.blocks_complete) == (3, 3)
    assert [len(s.dots) for s in (row.baseline, row.candidate)] == [3, 3]
    assert row.candidate.ops_per_s.min > 1900
    assert len(row.pairs) == 3
    assert not [r.id for r in row.reasons if r.holds]
    assert (
        f'{W} was decided before its last 3 blocks, which other groups '
        'needed: figures are without them'
    ) in found.warnings
    old = compare(scene.side('x86'), scene.side('old'))
    assert old.rows[0].stopped_after is None
    assert not any('decided before' in w for w in old.warnings)


def test_osds_that_both_sides_gain_leave_one_verdict():
    scene = Scene({W: 1.1})
    scene.change(lambda t: t.round > 3, manifest={'osds': 3})
    (row,) = compare(scene.side('x86'), scene.side('arm')).rows
    assert row.estimate.verdict is Verdict.FASTER
    assert row.per_osd.verdict is None
    assert row.per_osd.ratio == row.estimate.ratio


def several(*scenes):
    """Compare arm with x86, blocks of these runs pooled."""
    sides = [
        Side(group, tuple(s.side(group).runs[0] for s in scenes))
        for group in ('x86', 'arm')
    ]
    return compare(*sides)


def test_run_without_blocks_leaves_the_other_one_as_it_is():
    scene = Scene({W: 1.1}, run='aaaaaaaa')
    empty = Scene({W: 1.1}, run='bbbbbbbb')
    empty.trials = []
    row = several(scene, empty).rows[0]
    assert row.rule is Rule.FIXED
    assert row.estimate.verdict is Verdict.FASTER
    assert (row.blocks_complete, row.blocks_planned) == (7, 14)


def test_blocks_of_runs_that_differ_are_not_called_dependent():
    scenes = [
        Scene({W: ratio}, run=f'aaaaaaa{i}', noise=0.01)
        for i, ratio in enumerate((1.0, 1.1))
    ]
    row = several(*scenes).rows[0]
    assert row.estimate.verdict_text == 'inconclusive (between runs)'
    assert not [r for r in row.reasons if r.id == 'dependent trials']


def cut_after(scene, blocks, state=RunState.CANCELLED):
    """End a run of a scene after so many rounds."""
    scene.run = dataclasses.replace(scene.run, state=state)
    scene.trials = [t for t in scene.trials if t.round <= blocks]
    return compare(scene.side('x86'), scene.side('arm')).rows[0].estimate


def test_run_that_was_ended_early_needs_more_for_a_verdict():
    def scene():
        return Scene({W: 1.08}, rounds=10, noise=0.02)

    whole = cut_after(scene(), 7, RunState.COMPLETED)
    assert whole.verdict is Verdict.FASTER  # three blocks were void
    for state in (RunState.CANCELLED, RunState.FAILED, RunState.TRIAL):
        found = cut_after(scene(), 7, state)
        assert found.verdict_text == 'inconclusive (7 of 10 blocks)'
        assert 'was not completed' in found.detail
    nine = cut_after(scene(), 9)
    assert nine.verdict is Verdict.FASTER
    assert nine.coverage > 97.9
    every = cut_after(scene(), 10)
    assert every.coverage == pytest.approx(95.1, abs=0.1)


def test_large_difference_is_found_in_a_run_that_was_ended_early():
    found = cut_after(Scene({W: 2.0}, rounds=10), 6)
    assert found.verdict is Verdict.FASTER
    assert found.coverage == pytest.approx(99.5)
    adaptive = Scene({W: 1.15}, rounds=10, adaptive=True)
    assert cut_after(adaptive, 7).verdict_text == (
        'inconclusive (7 of 10 blocks)'
    )


def test_row_that_stopped_is_not_cut_by_an_end_that_came_later():
    def judged(state):
        scene = Scene(
            {W: 2.0},
            rounds=10,
            noise=0.0,
            adaptive=True,
            osds={'x86': 2, 'arm': 4},
        )
        scene.change(  # so that it stops at the third look, of 6 blocks
            lambda t: t.group == 'arm' and t.round == 1,
            summary={'ops_per_s': 1500.0},
        )
        scene.run = dataclasses.replace(scene.run, state=state)
        scene.trials = [t for t in scene.trials if t.round <= 6]
        (row,) = compare(scene.side('x86'), scene.side('arm')).rows
        assert row.stopped_after == 6
        assert row.estimate.verdict is Verdict.FASTER
        views = [row.per_osd, *(m.estimate for m in row.metrics)]
        return [v.verdict_text for v in views if v.verdict_text]

    whole = judged(RunState.COMPLETED)
    assert whole
    assert judged(RunState.CANCELLED) == whole


def test_what_is_beyond_doubt_of_another_figure_stops_no_row():
    """Four times the OSDs that do as much are soon known to be slower."""
    osds = {'x86': 1, 'arm': 4}
    scene = Scene({W: 1.0}, adaptive=True, osds=osds)
    plan = scene.run.plan
    groups = tuple(
        dataclasses.replace(g, watts=100.0 * len(g.osds)) for g in plan.groups
    )
    plan = dataclasses.replace(plan, groups=groups)
    scene.run = dataclasses.replace(scene.run, plan=plan)
    (row,) = compare(scene.side('x86'), scene.side('arm')).rows
    assert row.stopped_after is None
    per_watt = {m.id: m.estimate for m in row.metrics}['ops-per-watt']
    for view in (row.per_osd, per_watt):
        assert view.n == row.blocks_complete == 7
        assert view.verdict is Verdict.SLOWER
        assert view.kind is IntervalKind.SIGNED_RANK


def test_figures_of_a_row_that_stopped_are_of_its_blocks():
    scene = Scene({W: 2.0}, adaptive=True, noise=0.05, osds={'arm': 4})
    (row,) = compare(scene.side('x86'), scene.side('arm')).rows
    stop = row.stopped_after
    assert stop
    assert row.per_osd.n == stop
    assert row.per_osd.verdict_text == f'inconclusive ({stop} of 6 blocks)'


def test_figures_are_judged_by_rules_of_their_own():
    """Per OSD no two runs differ as much as the groups do."""
    row = several(
        *(
            Scene({W: ratio}, run=f'aaaaaaa{i}', noise=0.01, osds={'x86': 4})
            for i, ratio in enumerate((1.02, 1.2))
        )
    ).rows[0]
    assert row.rule is row.estimate.rule is Rule.RUNS
    assert row.per_osd.verdict is Verdict.FASTER
    assert (row.per_osd.rule, row.per_osd.n) == (Rule.TRIALS, 14)


def test_family_per_osd_is_of_rows_with_other_counts():
    """Of three groups one may have as many OSDs as the baseline."""
    ratios = {name: {'arm': 2.2} for name in (W, 'write-64K-c16')}
    scene = Scene(
        ratios, groups=('x86', 'arm', 'old'), osds={'arm': 4, 'old': 2}
    )

    def views():
        found = compare(scene.side('x86'), scene.side('arm'))
        assert found.family_size == 4
        return [row.per_osd for row in found.rows]

    last = max(views(), key=lambda view: view.p_family)
    assert last.q == pytest.approx(last.p_family)
    # one that is not valid is among them
    scene.change(lambda t: t.workload == W, manifest={'tenant_ops_per_s': 99})
    valid = views()[1]
    assert valid.q == pytest.approx(2 * valid.p_family)
