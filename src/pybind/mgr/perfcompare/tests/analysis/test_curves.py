import dataclasses
import json
import math

import pytest

from ...analysis.comparison import compare
from ...analysis.measured import Rule
from ...analysis.results import Comparison
from ...analysis.sides import RunTrials, Side
from ...analysis.verdict import Verdict
from ...app.verdicts import counted
from ...common.codec import from_data, to_data
from ...model.run import RunState
from ...model.trial import TrialState
from ...report.text import render
from ..data.comparison_data import of
from ..data.curve_data import LADDER, NAMES, curve_scene, rate


def compared(scene):
    return compare(scene.side('x86'), scene.side('arm'))


def only(scene):
    (found,) = compared(scene).curves
    return found


def test_one_verdict_for_a_curve_and_none_for_its_points():
    found = compared(curve_scene(0.8))
    (curve,) = found.curves
    assert curve.name == 'rand-4K'
    assert [point.workload for point in curve.points] == list(NAMES)
    assert (curve.metric, curve.slo) == ('slo', 'p99 ≤ 3 ms')
    assert curve.estimate.verdict is Verdict.SLOWER
    assert (curve.rounds_complete, curve.rounds_planned) == (7, 7)
    assert found.family_size == 1
    for row in found.rows:
        assert row.estimate.verdict is None
        assert row.estimate.ratio == pytest.approx(0.8, rel=0.03)
        assert row.curve == 'rand-4K'
        assert not [m for m in row.metrics if m.estimate.verdict]


def test_the_figure_is_throughput_at_the_limit():
    curve = only(curve_scene(1.0, noise=1e-6))
    # 4 in flight have 2.5 ms, and 8 have 4 ms
    low, high = rate(4), rate(8)
    assert low < curve.baseline.figure.median < high
    assert curve.estimate.ratio == pytest.approx(1.0, abs=1e-4)
    assert curve.estimate.verdict is Verdict.NO_DIFFERENCE


@pytest.mark.parametrize(
    'slo, read',
    [('p99=3ms', ('-c4', '-c8')), (None, ('-c8', '-c16', '-c32'))],
)
def test_a_figure_is_no_better_known_than_what_it_is_read_off(slo, read):
    """Other points of the ladder may have counted a thousand times more."""
    scene = curve_scene(0.9, noise=1e-6, slo=slo)
    scene.change(lambda t: t.workload.endswith(read), summary={'ops': 1000})
    found = only(scene).estimate
    off = math.hypot(1 / 1000, 1 / 1000)
    assert math.log(found.high / found.low) == pytest.approx(
        2 * off, abs=1e-4
    )


@pytest.mark.parametrize('slo', ['p99=3ms', None])
def test_group_of_twice_the_osds_is_judged_per_osd_too(slo):
    scene = curve_scene(2.0, slo=slo, osds={'x86': 12, 'arm': 24})
    found = compared(scene)
    (curve,) = found.curves
    assert curve.estimate.verdict is Verdict.FASTER
    assert curve.per_osd.ratio == pytest.approx(curve.estimate.ratio / 2)
    for side, osds in ((curve.baseline, 12), (curve.candidate, 24)):
        assert side.per_osd.median == pytest.approx(side.figure.median / osds)
    if slo is None:  # else more comes within the limit
        assert curve.per_osd.verdict is Verdict.NO_DIFFERENCE
    text = render(found, 120)
    assert 'per OSD' in text
    assert curve.per_osd.verdict_text in text
    assert from_data(Comparison, to_data(found), 'comparison') == found


@pytest.mark.parametrize('width', [80, 120])
def test_verdicts_per_osd_of_curves_fit_the_terminal(width):
    osds = {'x86': 4, 'arm': 6}
    scene = curve_scene(2.0, slo='p99=2.5ms', osds=osds)
    for line in render(compared(scene), width).splitlines():
        assert len(line) <= width, line


def test_per_osd_verdicts_of_curves_are_a_family_of_their_own():
    scene = curve_scene(1.7, slo=None, osds={'x86': 2, 'arm': 4})
    curve = only(scene)
    assert curve.estimate.verdict is Verdict.FASTER
    assert curve.per_osd.verdict is Verdict.SLOWER
    assert curve.per_osd.q == pytest.approx(curve.per_osd.p_family)


def test_curves_of_equal_counts_are_not_in_the_family_per_osd():
    scene = curve_scene(
        1.7,
        slo=None,
        groups=('x86', 'arm', 'alt'),
        osds={'x86': 2, 'arm': 4, 'alt': 2},
    )
    found = compared(scene)
    assert found.family_size == 2
    (curve,) = found.curves
    assert curve.per_osd.q == pytest.approx(curve.per_osd.p_family)


def test_curves_of_equal_counts_have_one_verdict():
    found = compared(curve_scene(0.8))
    assert found.curves[0].per_osd is None
    assert found.curves[0].baseline.per_osd.median is None
    assert 'Both groups have 2 OSDs' in render(found, 120)


def test_counts_that_change_for_both_alike_have_one_verdict():
    scene = curve_scene(1.7, slo=None)
    scene.change(lambda t: t.round > 2, manifest={'osds': 3})
    curve = only(scene)
    assert curve.estimate.verdict is not None
    assert curve.per_osd is None
    scene.change(lambda t: t.group == 'arm', manifest={'osds': 4})
    assert only(scene).per_osd.verdict is not None


def test_bound_of_a_curve_is_a_bound_per_osd():
    scene = curve_scene(2.0, slo='p99=10ms', osds={'arm': 6})
    curve = only(scene)
    assert curve.estimate.verdict_text == 'faster (at least)'
    assert curve.per_osd.reason == 'outside the ladder'
    each = next(
        line
        for line in render(compared(scene), 120).split('\n')
        if line.startswith('rand-4K') and 'outside' in line
    )
    assert each.count('≥') == 2  # the figure of arm, and the ratio


def test_without_a_limit_the_peak_is_compared():
    curve = only(curve_scene(0.8, slo=None))
    assert (curve.metric, curve.slo) == ('peak', '')
    assert curve.estimate.verdict is Verdict.SLOWER
    assert curve.estimate.ratio == pytest.approx(0.8, rel=0.02)
    assert set(curve.baseline.peak_at) <= {'8', '16', '32'}
    assert curve.peak.verdict is None


def test_a_peak_that_was_not_reached_is_not_judged():
    scene = curve_scene(0.8, slo=None)
    for name, flying in zip(NAMES, LADDER):
        scene.change(
            lambda t, n=name: t.workload == n,
            summary={'ops_per_s': 100.0 * flying},
        )
    curve = only(scene)
    assert curve.estimate.verdict_text == 'inconclusive (outside the ladder)'
    assert 'op/s of arm still rose at 32 in flight' in curve.estimate.detail
    assert curve.baseline.above == 7


def test_one_round_has_no_peak_and_says_why():
    curve = only(curve_scene(0.8, slo=None, rounds=1))
    assert curve.rounds_complete == 1
    assert curve.lacks == (
        '1 round: a peak needs 2, as its point is chosen by the other rounds',
    )
    scene = curve_scene(0.8, slo=None, rounds=1)
    scene.trials = [t for t in scene.trials if t.round == 0]
    assert 'no round in which' in only(scene).lacks[0]


@pytest.mark.parametrize('left', [0, 1, 2])
def test_a_ladder_of_which_little_is_left_has_no_figures(left):
    scene = curve_scene(0.8)
    for name in NAMES[left:]:
        scene.change(lambda t, n=name: t.workload == n, summary={'ops': 9})
    curve = only(scene)
    assert curve.estimate.verdict is Verdict.INCONCLUSIVE
    assert f'{left} points, of which 3' in curve.estimate.detail
    assert curve.peak.ratio is None


def test_beyond_the_ladder_only_the_end_that_does_not_matter_is_judged():
    # both are within the limit at the last point: nothing is known
    curve = only(curve_scene(0.8, slo='p99=1s'))
    assert curve.estimate.verdict_text == 'inconclusive (outside the ladder)'
    assert curve.estimate.ratio is None
    assert '32 in flight in 7 of 7 rounds' in curve.estimate.detail
    assert curve.baseline.above == curve.candidate.above == 7
    # x86 is, and arm is not: arm is slower by at least what is seen
    curve = only(curve_scene(0.5, slo='p99=20ms'))
    assert (curve.baseline.above, curve.candidate.above) == (7, 0)
    assert curve.censored == 'at most'
    assert curve.estimate.verdict_text == 'slower (at least)'
    # nothing of arm's is within: likewise
    curve = only(curve_scene(0.5, slo='p99=1.6ms'))
    assert curve.candidate.below == 7
    assert curve.estimate.verdict_text == 'slower (at least)'


def test_rounds_stay_pairs_where_the_first_point_has_no_block():
    scene = curve_scene(0.8)
    scene.change(
        lambda t: t.group == 'arm' and t.workload == NAMES[0],
        state=TrialState.VOID,
    )
    curve = only(scene)
    assert curve.rule is Rule.FIXED
    assert curve.estimate.verdict is Verdict.SLOWER
    assert 'no complete block at 1 in flight' in curve.lacks[0]


def test_placement_counts_for_the_figure_of_the_curve():
    # the ratio of a point may be 1 but for its placement, not the curve's
    scene = curve_scene(0.96)
    scene.change(of('arm'), manifest={'objects_max_mean': 1.045})
    scene.change(of('x86'), manifest={'objects_max_mean': 1.0})
    found = compared(scene)
    assert {r.holds for row in found.rows for r in row.reasons} == {True}
    (curve,) = found.curves
    assert [(r.id, r.holds) for r in curve.reasons] == [('placement', False)]
    assert curve.estimate.verdict is Verdict.SLOWER


def test_a_bound_in_the_wrong_direction_says_nothing():
    # x86 is beyond the end, so arm's ratio is at most 1.1: that is no
    # reason to call it faster
    scene = curve_scene(1.0, slo='p99=12ms')
    scene.change(
        lambda t: t.group == 'x86' and t.workload == NAMES[-1],
        summary={
            'ops_per_s': rate(8),
            'percentiles': {'p50': 0.001, 'p99': 0.0119},
        },
    )
    curve = only(scene)
    assert curve.baseline.above == 7
    assert curve.estimate.verdict is Verdict.INCONCLUSIVE
    assert curve.estimate.reason == 'outside the ladder'


def test_points_without_the_percentile_leave_the_ladder():
    scene = curve_scene(0.8).change(
        lambda t: t.workload == NAMES[0] and t.round == 3,
        summary={'ops': 900},
    )
    curve = only(scene)
    assert [p.used for p in curve.points] == [False] + [True] * 5
    assert 'p99 at 1 in flight: too few operations' in curve.lacks[0]
    assert curve.estimate.verdict is Verdict.SLOWER
    for name in NAMES[1:4]:
        scene.change(lambda t, n=name: t.workload == n, summary={'ops': 9})
    curve = only(scene)
    assert curve.estimate.verdict is Verdict.INCONCLUSIVE
    assert '2 points, of which 3 are needed' in curve.estimate.detail


def test_a_round_without_all_points_is_left_out():
    scene = curve_scene(0.8).change(
        lambda t: t.workload == NAMES[2]
        and t.round == 2
        and t.group == 'arm',
        state=TrialState.VOID,
        reason='cut',
    )
    curve = only(scene)
    assert (curve.rounds_complete, curve.rounds_planned) == (6, 7)
    assert curve.estimate.verdict is Verdict.SLOWER


def test_what_is_wrong_with_a_point_counts_where_the_figure_rests_on_it():
    scene = curve_scene(0.8)
    scene.change(
        lambda t: t.workload == NAMES[0], manifest={'tenant_ops_per_s': 900}
    )
    assert only(scene).estimate.verdict is Verdict.SLOWER
    for name in NAMES:
        scene.change(
            lambda t, n=name: t.workload == n,
            manifest={'tenant_ops_per_s': 900},
        )
    curve = only(scene)
    assert curve.estimate.verdict_text == 'inconclusive (busy)'
    assert 'in flight: ' in curve.estimate.detail
    assert curve.estimate.q is None


def test_points_have_the_cpu_of_hosts_where_it_was_measured():
    scene = curve_scene(0.8)
    for group, busy in (('x86', 0.25), ('arm', 0.5)):
        hosts = {
            f'{group}-1': {'cores': 6, 'cpu_busy': busy},
            f'{group}-2': {'cores': 2, 'cpu_busy': 0.0},
        }
        scene.change(of(group), evidence={'hosts': hosts})
    for point in only(scene).points:
        assert point.baseline.host_cpu == pytest.approx(0.1875)
        assert point.candidate.host_cpu == pytest.approx(0.375)
    text = render(compared(scene))
    assert '19%' in text and '38%' in text
    # one host of two tells nothing of the group
    scene.change(
        of('arm'),
        evidence={'hosts': {'arm-1': {'cores': 6, 'cpu_busy': 0.5}}},
    )
    assert only(scene).points[0].candidate.host_cpu is None


def test_each_candidate_has_its_curves_in_the_family():
    scene = curve_scene(0.8, groups=('x86', 'arm', 'alt'))
    scene.change(
        of('alt'), summary={'percentiles': {'p99': 0.001}, 'ops': 9999}
    )
    found = compared(scene)
    assert found.family_size == 2
    assert len(found.curves) == 1


def test_stored_runs_are_compared_too():
    runs = [
        curve_scene(speed, run=f'0a1b2c{n}{n}', noise=0.005 * (n + 1))
        for n, speed in enumerate((0.8,) * 8)
    ]
    left = Side('x86', tuple(s.side('x86').runs[0] for s in runs[:4]))
    right = Side('arm', tuple(s.side('arm').runs[0] for s in runs[4:]))
    (curve,) = compare(left, right).curves
    assert curve.estimate.verdict is Verdict.SLOWER
    # runs with limits of their own have none in common: their peaks count
    other = curve_scene(0.8, run='0a1b2cff', slo='p99=9ms')
    left = Side('x86', (runs[0].side('x86').runs[0],))
    right = Side('arm', (RunTrials(other.run, tuple(other.trials)),))
    found = compare(left, right)
    assert found.curves[0].metric == 'peak'
    told = [w for w in found.warnings if 'different ones' in w]
    assert told == [
        'curves are read at no limit, as the runs have different ones: '
        'p99=3ms, p99=9ms'
    ]


def test_a_run_that_ended_before_its_first_round_is_not_planned_for():
    """It has a block of the first point, and no round of the curve."""
    runs = [curve_scene(0.9), curve_scene(0.9, run='0a1b2c00')]
    runs[1].run = dataclasses.replace(runs[1].run, state=RunState.CANCELLED)
    runs[1].trials = [
        t
        for t in runs[1].trials
        if t.round == 0 or (t.round == 1 and t.workload == NAMES[0])
    ]
    left, right = (
        Side(group, tuple(scene.side(group).runs[0] for scene in runs))
        for group in ('x86', 'arm')
    )
    (curve,) = compare(left, right).curves
    assert curve.rounds_complete == 7
    assert curve.estimate.reason == ''
    assert curve.estimate.verdict is Verdict.SLOWER


def test_before_its_first_round_a_curve_has_no_figures():
    scene = curve_scene(0.8, rounds=7)
    scene.trials = [t for t in scene.trials if t.round == 0]
    curve = only(scene)
    assert curve.estimate.verdict is Verdict.INCONCLUSIVE
    assert curve.baseline.figure.median is None
    assert curve.rounds_complete == 0


def test_curves_survive_json():
    for scene in (
        curve_scene(0.8),
        curve_scene(0.8, slo=None),
        curve_scene(0.8, slo='p99=1s'),
        curve_scene(0.8, rounds=1),
    ):
        found = compared(scene)
        text = json.dumps(to_data(found), allow_nan=False)
        assert from_data(Comparison, json.loads(text)) == found


def test_a_list_of_runs_counts_curves():
    found = counted('arm', compared(curve_scene(0.8)))
    assert (found.slower, found.open) == (1, 0)


def test_a_ladder_without_curve_has_rows_as_ever():
    found = compared(curve_scene(0.8, slo=None, curve=None))
    assert found.curves == ()
    assert found.family_size == len(LADDER)
    assert found.rows[0].estimate.verdict is Verdict.SLOWER
