import dataclasses
import json
import sys

import pytest

from ...analysis.comparison import compare
from ...analysis.confounders import confounders
from ...analysis.measured import IntervalKind, Rule
from ...analysis.results import Comparison
from ...analysis.sides import Side
from ...analysis.verdict import Verdict
from ...common.codec import from_data, to_data
from ...common.errors import InvalidArgument, NotFound
from ...model.manifest import Manifest
from ...model.run import RunState
from ...model.trial import TrialState
from ..data.comparison_data import Scene, of

W = 'write-4K-c16'
R = 'rand-4K-c16'


def compared(scene, **kwargs):
    return compare(scene.side('x86'), scene.side('arm'), **kwargs)


def merged(*scenes, group):
    """Return one side of several runs."""
    return Side(group, tuple(s.side(group).runs[0] for s in scenes))


def verdicts(comparison):
    return [row.estimate.verdict_text for row in comparison.rows]


def test_row_for_each_workload_in_the_order_of_the_profile():
    found = compared(Scene({W: 1 / 7, R: 1.0, 'rand-4K-c1': 2.0}))
    assert [row.workload for row in found.rows] == [W, R, 'rand-4K-c1']
    assert verdicts(found) == ['slower', 'no difference shown', 'faster']
    assert found.paired
    assert found.family_size == 3
    row = found.rows[0]
    assert (row.blocks_complete, row.blocks_planned) == (7, 7)
    assert row.estimate.kind is IntervalKind.SIGNED_RANK
    assert row.estimate.coverage == pytest.approx(95.3, abs=0.02)
    assert row.estimate.low < row.estimate.ratio < row.estimate.high
    assert row.estimate.ratio == pytest.approx(1 / 7, rel=0.05)


def test_swapped_sides_say_the_opposite():
    scene = Scene({W: 0.5})
    there = compare(scene.side('x86'), scene.side('arm')).rows[0].estimate
    back = compare(scene.side('arm'), scene.side('x86')).rows[0].estimate
    assert back.verdict is Verdict.FASTER
    assert back.ratio == pytest.approx(1 / there.ratio)
    assert (back.low, back.high) == pytest.approx(
        (1 / there.high, 1 / there.low)
    )


def test_everything_survives_json():
    groups = ('x86', 'arm')
    for scene in (
        Scene({W: 0.5, R: 1.0}),
        Scene({W: 0.5}, rounds=3),
        Scene({W: 0.5}, rounds=0),
        Scene({W: 7.0}, adaptive=True, osds={'x86': 3}),
    ):
        found = compare(*(scene.side(g) for g in groups))
        text = json.dumps(to_data(found), allow_nan=False)
        assert from_data(Comparison, json.loads(text)) == found


def test_sides_carry_medians_ranges_and_dots():
    row = compared(Scene({W: 0.5}, noise=0.0)).rows[0]
    side = row.candidate
    assert side.ops_per_s.median == pytest.approx(500.0)
    assert side.ops_per_s_per_osd.max == pytest.approx(250.0)
    assert side.bytes_per_s.min == pytest.approx(500.0 * 4096)
    assert side.latency_avg.median == pytest.approx(16 / 500.0)
    assert [dot.round for dot in side.dots] == list(range(1, 8))
    assert side.dots[0].client_host == 'c1'
    assert {dot.osds for dot in side.dots} == {2}
    assert {pair.order for pair in row.pairs} == {'AB', 'BA'}
    assert all(pair.ratio == pytest.approx(0.5) for pair in row.pairs)


def test_percentiles_of_rados_bench_are_not_available():
    found = compared(Scene({W: 0.5}))
    assert found.rows[0].baseline.percentiles == {}
    assert found.missing == (
        'latency percentiles not available: '
        'rados bench records no distribution',
    )


def test_percentiles_need_enough_operations():
    scene = Scene({W: 0.5}).change(
        lambda t: True,
        summary={'ops': 9999, 'percentiles': {'p99': 0.1, 'p99.9': 0.2}},
    )
    side = compared(scene).rows[0].baseline
    assert side.percentiles == {'p99': 0.1}
    assert side.percentiles_reason == ('p99.9 (too few operations: 9,999)')
    scene.change(lambda t: True, summary={'ops': 10000})
    side = compared(scene).rows[0].baseline
    assert set(side.percentiles) == {'p99', 'p99.9'}
    assert side.percentiles_reason == ''


def test_percentiles_that_no_trial_could_state_are_said_to_lack():
    scene = Scene({W: 0.5, R: 0.5}).change(
        lambda t: True, summary={'ops': 3000, 'percentiles': {'p99': 0.1}}
    )
    scene.change(lambda t: t.group == 'arm', summary={'ops': 2000})
    found = compared(scene)
    side = found.rows[0].candidate
    assert side.percentiles == {'p99': 0.1}
    assert side.percentiles_reason == 'p99.9 (too few operations: 2,000)'
    # once for all rows, whatever their numbers
    assert found.missing == (
        'latency percentiles not available: p99.9 (too few operations)',
    )


def test_equal_osd_counts_give_one_verdict():
    row = compared(Scene({W: 0.5})).rows[0]
    assert row.per_osd.verdict is None
    assert row.per_osd.ratio == row.estimate.ratio


def test_unequal_osd_counts_give_a_verdict_per_osd():
    scene = Scene({W: 1.5}, osds={'x86': 2, 'arm': 4})
    row = compared(scene).rows[0]
    assert row.estimate.verdict is Verdict.FASTER
    assert row.per_osd.verdict is Verdict.SLOWER
    assert row.per_osd.ratio == pytest.approx(row.estimate.ratio / 2)
    assert 'one total concurrency' in row.per_osd.detail
    assert row.pairs[0].ratio_per_osd == pytest.approx(row.pairs[0].ratio / 2)
    each = Scene({'write-4K-c4/osd': 1.5}, osds={'x86': 2, 'arm': 4})
    assert compared(each).rows[0].per_osd.detail == ''


def test_order_effect_is_found_and_cancels_out():
    scene = Scene({W: 1.0, R: 1.0}, rounds=6, second=0.9, noise=0.0)
    found = compared(scene)
    assert found.order.second_place == pytest.approx(0.9)
    row = found.rows[0]
    assert (row.order.baseline_first, row.order.candidate_first) == (3, 3)
    assert row.order.ratio_baseline_first == pytest.approx(0.9)
    assert row.order.ratio_candidate_first == pytest.approx(1 / 0.9)
    assert row.estimate.ratio == pytest.approx(1.0)


def test_smoke_shows_the_range_of_three():
    row = compared(Scene({W: 1 / 7}, rounds=3)).rows[0]
    assert row.rule is Rule.SMOKE
    assert row.estimate.verdict is Verdict.SLOWER
    assert row.estimate.kind is IntervalKind.RANGE
    ratios = [pair.ratio for pair in row.pairs]
    assert row.estimate.low == pytest.approx(min(ratios))
    assert row.estimate.high == pytest.approx(max(ratios))
    near = compared(Scene({W: 0.9}, rounds=3)).rows[0].estimate
    assert near.verdict_text == 'inconclusive (3 of 6 blocks)'


def test_adaptive_row_keeps_the_verdict_of_its_look():
    scene = Scene({W: 1 / 7, R: 1.0}, adaptive=True)
    scene.trials = [
        t for t in scene.trials if t.workload == R or t.round <= 3
    ]
    first, second = compared(scene).rows
    assert first.estimate.verdict is Verdict.SLOWER
    assert (first.stopped_after, first.blocks_complete) == (3, 3)
    assert second.stopped_after is None
    assert second.rule is Rule.ADAPTIVE
    assert second.estimate.coverage == pytest.approx(96.875)


def test_rows_of_all_groups_are_one_family():
    ratios = {W: {'arm': 1.06, 'old': 1.0}, R: {'arm': 1.0, 'old': 1.0}}
    three = Scene(ratios, groups=('x86', 'arm', 'old'))
    found = compared(three)
    assert found.family_size == 4
    assert found.family_groups == ('arm', 'old')
    assert found.rows[0].estimate.q > found.rows[0].estimate.p
    run = three.side('x86').runs[0]
    kept = tuple(t for t in run.trials if t.group != 'old')
    alone = dataclasses.replace(run, trials=kept)
    without = compare(Side('x86', (alone,)), Side('arm', (alone,)))
    # a group without trials still counts in m
    assert without.family_size == 4


def test_invalid_rows_count_but_do_not_help():
    ratios = {W: 1 / 7, R: 1.06}
    good = compared(Scene(ratios, noise=0.015, seed=4)).rows[1].estimate
    bad = Scene(ratios, noise=0.015, seed=4)
    bad.change(lambda t: t.workload == W, manifest={'size': 9})
    bad.change(
        lambda t: t.workload == W and t.group == 'arm',
        manifest={'size': 2},
    )
    found = compared(bad)
    assert found.rows[0].estimate.q is None
    assert found.rows[1].estimate.q == pytest.approx(
        min(1.0, 2 * good.p), rel=1e-6
    )


def test_missing_blocks_are_said_not_hidden():
    scene = Scene({W: 0.5, R: 0.5})
    scene.change(
        lambda t: t.workload == W and t.round in (2, 5) and t.group == 'arm',
        state=TrialState.VOID,
        reason='OSD map changed',
    )
    found = compared(scene)
    assert verdicts(found) == ['inconclusive (5 of 6 blocks)', 'slower']
    assert found.rows[0].blocks_complete == 5
    (void,) = found.void_trials
    assert (void.group, void.count) == ('arm', 2)
    assert len(found.incomplete_blocks) == 2


def test_run_without_trials_has_rows_without_figures():
    scene = Scene({W: 0.5})
    scene.trials = []
    found = compared(scene)
    row = found.rows[0]
    assert row.estimate.verdict_text == 'inconclusive (0 of 6 blocks)'
    assert row.estimate.ratio is None
    assert row.baseline.ops_per_s.median is None


def test_confounders_and_notes_are_listed():
    scene = Scene({W: 0.5})
    scene.change(
        of('arm'),
        manifest={
            'settings': {'osd_mclock_profile': 'high_client_ops'},
            'fill': 0.5,
            'mgr_pool_osds': [1],
            'kernel': ['6.1'],
            'gateway_arch': 'aarch64',
            'gateways': 2,
        },
    )
    scene.change(
        of('x86'), manifest={'fill': 0.1, 'mgr_pool_osds': [], 'gateways': 3}
    )
    found = compared(scene)
    by_field = {c.field: (c.baseline, c.candidate) for c in found.confounders}
    assert by_field == {
        'arch': (('x86_64',), ('aarch64',)),
        'cpu': (('CPU X',), ('CPU A',)),
        'gateways': (('3',), ('2',)),
        "holds the Manager's pool": (('no',), ('yes',)),
        'fill': (('10%',), ('50%',)),
        'settings.osd_mclock_profile': (('balanced',), ('high_client_ops',)),
    }
    assert found.candidate.notes == ('emulated',)
    assert found.candidate.arch == ('aarch64',)
    assert found.baseline.labels == ('size 2, min_size 1',)


def test_measured_emulation_is_told_without_a_note():
    scene = Scene({W: 0.5}).change(of('x86'), manifest={'emulated': True})
    found = compared(scene)
    assert found.baseline.notes == ('emulated',)
    assert found.baseline.emulated


def test_a_note_that_denies_emulation_hides_none():
    scene = Scene({W: 0.5}).change(of('x86'), manifest={'emulated': True})
    groups = tuple(
        dataclasses.replace(g, note='native boards, not emulated')
        for g in scene.run.plan.groups
    )
    plan = dataclasses.replace(scene.run.plan, groups=groups)
    scene.run = dataclasses.replace(scene.run, plan=plan)
    told = compared(scene).baseline.notes
    assert told == ('native boards, not emulated', 'emulated')


def test_rows_from_several_client_hosts_say_so():
    scene = Scene({W: 0.5}).change(
        lambda t: t.round > 4, manifest={'client_host': 'c2'}
    )
    found = compared(scene)
    assert found.rows[0].client_hosts == ('c1', 'c2')
    assert any('each a stratum: c1, c2' in w for w in found.warnings)
    assert found.rows[0].estimate.verdict is Verdict.SLOWER


def test_unfinished_and_control_runs_warn():
    scene = Scene({W: 0.5}, control=True)
    scene.run = dataclasses.replace(scene.run, state=RunState.TRIAL)
    text = ' '.join(compared(scene).warnings)
    assert 'has not ended (trial)' in text
    assert 'is a control' in text
    scene.run = dataclasses.replace(
        scene.run, state=RunState.ABORTED, reason='MON_DOWN'
    )
    assert 'not completed (aborted): MON_DOWN' in ' '.join(
        compared(scene).warnings
    )


def test_two_stored_runs_are_unpaired():
    old = Scene({W: 1.0, R: 1.0}, run='aaaaaaaa', seed=1)
    new = Scene({W: 2.0, R: 1.0}, run='bbbbbbbb', seed=2)
    found = compare(old.side('arm'), new.side('arm'))
    assert not found.paired
    assert found.runs == ('aaaaaaaa', 'bbbbbbbb')
    assert found.baseline.label == 'arm@aaaaaaaa'
    assert verdicts(found) == ['faster', 'inconclusive (between runs)']
    row = found.rows[0]
    assert row.rule is Rule.TRIALS
    assert (row.pairs, row.order, found.order) == ((), None, None)
    assert (row.blocks_complete, row.blocks_planned) == (7, 7)
    assert row.estimate.kind is IntervalKind.MANN_WHITNEY


def test_many_stored_runs_are_judged_by_their_medians():
    old = [Scene({W: 1.0}, run=f'aaaaaaa{i}', seed=i) for i in range(4)]
    new = [Scene({W: 1.15}, run=f'bbbbbbb{i}', seed=9 + i) for i in range(4)]
    found = compare(merged(*old, group='arm'), merged(*new, group='arm'))
    row = found.rows[0]
    assert row.rule is Rule.RUNS
    assert row.estimate.verdict is Verdict.FASTER
    assert row.baseline.trials == 28
    assert found.baseline.runs == tuple(f'aaaaaaa{i}' for i in range(4))


def test_unpaired_sides_have_a_per_osd_view_too():
    old = Scene({W: 1.0}, run='aaaaaaaa', seed=1)
    new = Scene({W: 3.0}, run='bbbbbbbb', seed=2, osds={'arm': 4})
    row = compare(old.side('arm'), new.side('arm')).rows[0]
    assert row.per_osd.ratio == pytest.approx(row.estimate.ratio / 2)
    assert row.per_osd.verdict is Verdict.FASTER


def test_blocks_of_runs_with_both_groups_are_pooled():
    scenes = [Scene({W: 0.5}, rounds=3, run=f'aaaaaaa{i}') for i in (1, 2)]
    found = compare(
        merged(*scenes, group='x86'), merged(*scenes, group='arm')
    )
    assert found.paired
    row = found.rows[0]
    assert (row.blocks_complete, row.blocks_planned) == (6, 6)
    assert row.rule is Rule.RUNS
    assert row.estimate.n == 2
    assert any('blocks of 2 runs are pooled' in w for w in found.warnings)


def test_trials_have_the_osds_of_their_time():
    old = Scene({W: 1.0}, rounds=3, run='aaaaaaaa')
    grown = {'x86': 4, 'arm': 4}
    new = Scene({W: 1.0}, rounds=3, run='bbbbbbbb', osds=grown)
    found = compare(
        merged(old, new, group='x86'), merged(old, new, group='arm')
    )
    side = found.rows[0].baseline
    assert side.osds is None
    assert {(dot.run, dot.osds) for dot in side.dots} == {
        ('aaaaaaaa', 2),
        ('bbbbbbbb', 4),
    }


def test_trials_without_a_count_of_osds_have_none():
    scene = Scene({W: 1.0}, osds={'x86': 0})
    dots = compared(scene).rows[0].baseline.dots
    assert {dot.osds for dot in dots} == {None}


def test_only_workloads_that_are_alike_are_compared():
    old = Scene({W: 1.0, R: 1.0}, run='aaaaaaaa')
    new = Scene({W: 1.0, 'seq-4M-c16': 1.0}, run='bbbbbbbb')
    found = compare(old.side('arm'), new.side('arm'))
    assert [row.workload for row in found.rows] == [W]
    assert f'{R}: not compared, not part of run bbbbbbbb' in found.missing
    other = Scene({R: 1.0}, run='cccccccc')
    with pytest.raises(InvalidArgument, match='no workload in common'):
        compare(
            Scene({W: 1.0}, run='aaaaaaaa').side('arm'), other.side('arm')
        )


def test_what_runs_define_unlike_is_told():
    old, new = Scene({W: 1.0}, run='aaaaaaaa'), Scene(
        {W: 1.0}, run='bbbbbbbb'
    )
    profile = new.run.plan.profile
    (load,) = profile.workloads
    changed = dataclasses.replace(
        profile,
        workloads=(dataclasses.replace(load, duration=7.5, clients=2),),
    )
    new.run = dataclasses.replace(
        new.run, plan=dataclasses.replace(new.run.plan, profile=changed)
    )
    told = f'{W}: .*unlike: duration {load.duration:g} and 7.5 s, clients 1 '
    with pytest.raises(InvalidArgument, match=told + 'and 2'):
        compare(old.side('arm'), new.side('arm'))


def test_unknown_group_names_those_of_the_run():
    scene = Scene({W: 1.0})
    with pytest.raises(NotFound, match="no group 'mips'; it has x86, arm"):
        compare(scene.side('x86'), scene.side('mips'))


def test_group_against_itself_needs_two_runs():
    scene = Scene({W: 1.0})
    with pytest.raises(InvalidArgument, match='on both sides'):
        compare(scene.side('arm'), scene.side('arm'))
    with pytest.raises(InvalidArgument, match='no run to compare'):
        compare(scene.side('x86'), Side('arm', ()))


def test_adaptive_run_is_not_compared_with_others():
    one = Scene({W: 1.0}, run='aaaaaaaa', adaptive=True)
    other = Scene({W: 1.0}, run='bbbbbbbb')
    with pytest.raises(InvalidArgument, match='aaaaaaaa is adaptive'):
        compare(one.side('arm'), other.side('arm'))


def calls(work):
    """Return how many functions of Python and of C a piece of work calls."""
    count = 0

    def seen(frame, event, argument):
        nonlocal count
        count += event in ('call', 'c_call')

    sys.setprofile(seen)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


def test_work_grows_with_the_rows_and_no_faster():
    def rows(number):
        names = {f'write-{i}K-c16': 0.9 for i in range(1, number + 1)}
        return Scene(names, noise=0.05)

    few, many = rows(50), rows(200)
    compared(few)  # what is computed once and kept
    assert calls(lambda: compared(many)) < 5 * calls(lambda: compared(few))


def test_gateways_with_tls_against_plain_ones_are_told():
    tls, plain = (
        Manifest.from_dict(
            {'gateway_tls': secure, 'gateway_version': version, 'gateways': 1}
        )
        for secure, version in ((True, '20.2.4'), (False, '19.2.1'))
    )
    found = {c.field: (c.baseline, c.candidate)
             for c in confounders([tls], [plain])}  # fmt: skip
    assert found == {
        'gateway_tls': (('yes',), ('no',)),
        'gateway_version': (('20.2.4',), ('19.2.1',)),
    }
