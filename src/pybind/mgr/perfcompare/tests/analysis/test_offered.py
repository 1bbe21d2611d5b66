"""Curves over offered load: what is read off them, and what is said."""

import dataclasses
import json

import pytest

from ...analysis.comparison import compare
from ...analysis.results import Comparison
from ...analysis.verdict import Verdict
from ...common.codec import from_data, to_data
from ...report.text import render
from ..data.comparison_data import of
from ..data.offered_data import RATES, name, offered_scene


def compared(scene):
    return compare(scene.side('x86'), scene.side('arm'))


def only(scene):
    (found,) = compared(scene).curves
    return found


def test_a_slower_group_keeps_the_limit_at_less_load():
    found = compared(offered_scene(0.7))
    (curve,) = found.curves
    assert curve.name == 's3-get-4K-c64'
    assert [point.offered for point in curve.points] == list(RATES)
    assert (curve.metric, curve.slo) == ('offered', 'p99 ≤ 10 ms')
    assert curve.loop == 'open'
    assert curve.estimate.verdict is Verdict.SLOWER
    assert curve.estimate.ratio == pytest.approx(0.7, rel=0.05)
    # 400/s have 7.8 ms and 800/s 20 ms
    assert 400 < curve.baseline.figure.median < 800
    assert found.family_size == 1
    assert not [row for row in found.rows if row.estimate.verdict]
    assert (curve.baseline.notes, curve.baseline.peak.median) == ((), None)
    assert curve.lacks == ()


def test_groups_that_are_alike_are_not_told_apart():
    assert only(offered_scene(1.0, noise=1e-4)).estimate.verdict is (
        Verdict.NO_DIFFERENCE
    )


def test_who_cannot_keep_up_is_said_so_and_has_no_latency_there():
    # arm does 500 at most, x86 all; both are far within the limit else
    scene = offered_scene(1.0, limits={'arm': 500.0}, slo='p99=15ms')
    curve = only(scene)
    behind = [point.candidate.behind for point in curve.points]
    assert behind == [0, 0, 0, 7]
    assert all(point.baseline.behind == 0 for point in curve.points)
    assert (curve.candidate.above, curve.candidate.below) == (7, 0)
    assert (
        'arm did 500 op/s of 800/s offered, and fell behind in 7 of 7 '
        in (curve.lacks[0])
    )
    text = render(compared(scene))
    assert '500/s!' in text
    assert '≥ 400 op/s' in text


def test_who_falls_behind_first_is_slower_whatever_the_limit():
    # x86 is within the limit at 800/s, arm could not even do 400/s
    scene = offered_scene(1.0, limits={'arm': 250.0}, slo='p99=1s')
    curve = only(scene)
    assert curve.baseline.above == 7
    assert curve.estimate.verdict_text == 'slower (at least)'
    # arm's figure is below 400, x86's is 800 or more
    assert curve.estimate.ratio == pytest.approx(0.5)
    assert curve.censored == 'at most'


def test_two_that_fall_behind_at_one_point_are_not_told_apart():
    scene = offered_scene(
        1.0, limits={'x86': 500.0, 'arm': 450.0}, slo='p99=1s'
    )
    curve = only(scene)
    assert curve.estimate.verdict_text == 'inconclusive (outside the ladder)'
    assert (
        'x86 was within p99 ≤ 1 s at 400/s and fell behind at 800/s in 7 of '
        '7 rounds (points between these tell)' in curve.estimate.detail
    )
    # nothing of the ladder was done
    scene = offered_scene(1.0, limits={'x86': 9.0, 'arm': 9.0})
    curve = only(scene)
    assert curve.baseline.below == curve.candidate.below == 7
    assert 'beyond p99 ≤ 10 ms at 100/s in 7 of 7' in curve.estimate.detail


def test_a_trial_that_fell_behind_needs_no_percentile():
    scene = offered_scene(0.7, limits={'arm': 500.0})
    scene.change(
        lambda t: t.group == 'arm' and t.workload == name(800),
        summary={'percentiles': {}, 'ops': 5},
    )
    assert all(point.used for point in only(scene).points)
    scene.change(
        lambda t: t.group == 'x86' and t.workload == name(100),
        summary={'ops': 5},
    )
    curve = only(scene)
    assert [point.used for point in curve.points] == [False, True, True, True]
    assert 'p99 at 100/s: too few operations' in curve.lacks[0]
    assert '100/s (left out)' in render(compared(scene))


def test_random_arrivals_may_be_fewer_by_chance():
    scene = offered_scene(1.0, limits={'arm': 94.0}, window=3.0)
    point = only(scene).points[0]
    assert point.candidate.behind == 7
    drawn = offered_scene(
        1.0, limits={'arm': 94.0}, window=3.0, arrivals='poisson'
    )
    assert only(drawn).points[0].candidate.behind == 0


def test_cpu_time_for_an_operation_where_it_was_measured():
    scene = offered_scene(1.0, noise=1e-6)
    text = render(compared(scene))
    assert 'not available' in text
    assert 'at equal offered load, in an open loop' in text
    for group, busy in (('x86', 0.25), ('arm', 0.5)):
        hosts = {
            f'{group}-{n}': {'cores': 2, 'cpu_busy': busy} for n in (1, 2)
        }
        scene.change(of(group), evidence={'hosts': hosts})
    point = only(scene).points[0]
    assert point.baseline.host_cpu_per_op == pytest.approx(1 / 100, rel=0.01)
    assert point.candidate.host_cpu_per_op == pytest.approx(2 / 100, rel=0.01)
    assert point.baseline.client_cpu_per_op == pytest.approx(
        0.4 / 100, rel=0.01
    )
    lines = [line.split() for line in render(compared(scene)).splitlines()]
    assert '100/s 10.0 ms 20.0 ms 4.00 ms 4.00 ms'.split() in lines


@pytest.mark.parametrize(
    'cores, used', [((4.0, 3.9, 4.1, 4.0), 16.0), ((4.0, None), None)]
)
def test_cpu_of_the_client_is_that_of_all_its_hosts(cores, used):
    """The summary has the busiest alone; what one hides nobody knows."""
    told = [{'host': f'h{n}', 'cores': c} for n, c in enumerate(cores)]
    scene = offered_scene(1.0, noise=1e-6)
    scene.change(
        lambda t: True,
        summary={'client_cores': 4.1},
        evidence={'client': {'hosts': told}},
    )
    side = only(scene).points[0].baseline
    assert side.client_cpu == (used and pytest.approx(used))
    assert side.client_cpu_per_op == (
        used and pytest.approx(used / 100, 0.01)
    )


def test_images_are_closed_above_what_is_in_flight():
    scene = offered_scene(1.0, op='rbd-randread')
    curve = only(scene)
    assert curve.name == 'rbd-randread-4K-c64'
    assert curve.loop == 'closed above what is in flight'
    assert 'closed above what is in flight' in render(compared(scene))


def test_runs_with_limits_of_their_own_have_no_figure():
    one, other = offered_scene(1.0), offered_scene(
        1.0, slo='p99=20ms', run='0a1b2c3e'
    )
    (curve,) = compare(one.side('x86'), other.side('arm')).curves
    assert (curve.metric, curve.slo) == ('offered', '')
    assert 'the limits of the runs differ' in curve.estimate.detail
    assert 'inconclusive' in render(
        compare(one.side('x86'), other.side('arm'))
    )


def test_what_is_wrong_with_a_point_is_said_with_its_rate():
    scene = offered_scene(0.7)
    scene.change(lambda t: True, manifest={'tenant_ops_per_s': 900})
    curve = only(scene)
    assert curve.estimate.verdict_text == 'inconclusive (busy)'
    assert 'at 200/s, 400/s, 800/s: ' in curve.estimate.detail
    assert 'in flight' not in curve.estimate.detail


def test_operations_that_never_began_are_of_the_queue():
    scene = offered_scene(1.0, limits={'arm': 250.0}, slo='p99=1s')
    for rate in (400, 800):
        scene.change(
            lambda t, n=name(rate): t.workload == n and t.group == 'arm',
            summary={'errors': 9000},
        )
    curve = only(scene)
    assert curve.estimate.verdict_text == 'slower (at least)'
    # where it kept up they count
    scene.change(lambda t: t.workload == name(200), summary={'errors': 9000})
    assert only(scene).estimate.verdict_text == 'inconclusive (errors)'


@pytest.mark.parametrize('rounds', [0, 1, 7])
def test_curves_over_offered_load_survive_json(rounds):
    scene = offered_scene(0.7, limits={'arm': 500.0}, rounds=max(1, rounds))
    if not rounds:
        scene.trials = [t for t in scene.trials if t.round == 0]
    found = compared(scene)
    text = json.dumps(to_data(found), allow_nan=False)
    assert from_data(Comparison, json.loads(text)) == found
    assert render(found)


def test_a_point_without_figures_is_no_traceback():
    scene = offered_scene(1.0)
    for trial in list(scene.trials):
        if trial.workload == name(100) and trial.round == 2:
            scene.trials.remove(trial)
            scene.trials.append(dataclasses.replace(trial, summary=None))
    assert render(compared(scene))


def test_rounds_depend_on_each_other_where_the_figures_do():
    """The rates of points are what was offered, be the latency what it is."""

    def told(rate, late):
        scene = offered_scene(0.7, noise=1e-3, rounds=10)
        for i, trial in enumerate(scene.trials):
            if trial.group != 'arm':
                continue
            had = trial.summary
            p99 = had.percentiles['p99'] * (1.0 + late * trial.round)
            summary = dataclasses.replace(
                had,
                ops_per_s=had.ops_per_s * (1.0 + rate * trial.round),
                percentiles={**had.percentiles, 'p99': p99},
            )
            scene.trials[i] = dataclasses.replace(trial, summary=summary)
        return only(scene)

    swinging = told(0.0, 0.01)
    (reason,) = swinging.reasons
    assert reason.evidence.startswith('lag-1 correlation of 10 blocks is 0.')
    assert swinging.estimate.verdict_text == 'inconclusive (dependent trials)'
    assert told(1e-5, 0.0).reasons == ()
