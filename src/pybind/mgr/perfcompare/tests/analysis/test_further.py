import dataclasses
import math

import pytest

from ...analysis.comparison import compare
from ...analysis.efficiency import METRICS, choose
from ...analysis.sides import Side
from ...analysis.verdict import Verdict
from ...common.errors import InvalidArgument
from ...report.text import render
from ..data.comparison_data import Scene, of
from ..data.findings_data import a_host, an_osd, make_trial, on_hosts

W = 'write-4K-c16'


def with_hosts(scene, **of_group):
    """Give all trials hosts; ``of_group`` changes those of a group."""
    for i, trial in enumerate(scene.trials):
        group = trial.group
        changes = of_group.get(group, {})
        scene.trials[i] = dataclasses.replace(
            trial,
            evidence={
                'osds': {str(osd): an_osd() for osd in range(2)},
                'hosts': {
                    f'{group}-{n}': a_host('x86-1', **changes) for n in (1, 2)
                },
            },
        )
    return scene


def planned(scene, **of_group):
    """Set attributes of the planned groups."""
    plan = scene.run.plan
    groups = tuple(
        dataclasses.replace(g, **of_group.get(g.name, {}))
        for g in plan.groups
    )
    scene.run = dataclasses.replace(
        scene.run, plan=dataclasses.replace(plan, groups=groups)
    )
    return scene


def compared(scene):
    return compare(scene.side('x86'), scene.side('arm'))


def metric(scene, name, row=0):
    found = compared(scene).rows[row].metrics
    return {one.id: one for one in found}[name]


def test_power_that_was_measured_comes_before_what_is_stated():
    scene = with_hosts(
        Scene({W: 0.8}), x86={'watts': 200.0}, arm={'watts': 100.0}
    )
    planned(scene, x86={'watts': 1.0}, arm={'watts': 1.0})
    found = metric(scene, 'ops-per-watt')
    assert (found.basis, found.source) == ('measured', 'ipmi')
    assert found.estimate.ratio == pytest.approx(1.6, rel=0.05)
    assert found.estimate.verdict is Verdict.FASTER
    assert found.baseline.median == pytest.approx(2.5, rel=0.05)


def test_both_sides_use_the_same_way():
    scene = with_hosts(Scene({W: 0.8}), arm={'watts': None})
    assert 'ops-per-watt' not in [
        m.id for m in compared(scene).rows[0].metrics
    ]
    planned(scene, x86={'watts': 400.0}, arm={'watts': 200.0})
    found = metric(scene, 'ops-per-watt')
    assert found.basis == 'stated'
    assert found.estimate.ratio == pytest.approx(1.6, rel=0.05)


def test_power_of_processors_is_not_held_against_that_of_machines():
    scene = with_hosts(
        Scene({W: 0.8}),
        x86={'watts': 120.0, 'watts_source': 'rapl'},
        arm={'watts': 250.0, 'watts_source': 'ipmi'},
    )
    row = compared(scene).rows[0]
    assert 'ops-per-watt' not in [m.id for m in row.metrics]
    [text] = [t for t in row.metrics_missing if 'ops-per-watt' in t]
    assert 'sensors of one kind' in text
    planned(scene, x86={'watts': 400.0}, arm={'watts': 200.0})
    found = metric(scene, 'ops-per-watt')
    assert (found.basis, found.source) == ('stated', '')
    scene = with_hosts(
        Scene({W: 0.8}),
        x86={'watts': 120.0, 'watts_source': 'rapl'},
        arm={'watts': 60.0, 'watts_source': 'rapl'},
    )
    text = render(compared(scene), 160, ['ops-per-watt'])
    assert 'measured (rapl)' in text


def test_what_hosts_used_for_writes_between_deletes_is_no_metric():
    scene = with_hosts(Scene({W: 0.8}))
    for trial in scene.trials:
        trial.evidence['client'] = {'between': 12.0}
    row = compared(scene).rows[0]
    found = {one.id for one in row.metrics}
    assert not found & {'cpu-per-op', 'ops-per-watt'}
    assert 'ops-per-core' in found  # they have as many all the time
    assert [m for m in row.metrics_missing if 'cpu-per-op' in m] == [
        'ops-per-watt, cpu-per-op: needs hosts that did nothing but what is '
        'measured: what deletes take is written between them'
    ]
    planned(scene, x86={'watts': 400.0}, arm={'watts': 200.0})
    assert metric(scene, 'ops-per-watt').basis == 'stated'


def test_price_cores_memory_and_capacity():
    scene = with_hosts(
        Scene({W: 1.0}, noise=0.001),
        x86={'cores': 32, 'ghz': 2.5, 'mem_total': 128 * 2**30},
        arm={'cores': 64, 'ghz': 2.0, 'mem_total': 64 * 2**30},
    )
    planned(scene, x86={'price': 9000.0}, arm={'price': 6000.0})
    scene.change(of('x86'), manifest={'size_bytes': 8 * 10**12})
    scene.change(of('arm'), manifest={'size_bytes': 16 * 10**12})
    for name, ratio in (
        ('ops-per-core', 0.5),
        ('ops-per-ghz-core', 0.625),
        ('ops-per-gib-ram', 2.0),
        ('ops-per-tb', 0.5),
        ('ops-per-price', 1.5),
    ):
        found = metric(scene, name)
        assert found.estimate.ratio == pytest.approx(ratio, rel=0.01), name
        text = 'faster' if ratio > 1 else 'slower'
        assert found.estimate.verdict_text == text
    assert metric(scene, 'ops-per-core').baseline.median == pytest.approx(
        1000 / 64, rel=0.01
    )


def test_what_both_groups_have_as_much_of_is_not_judged_twice():
    scene = with_hosts(Scene({W: 0.5}))
    found = metric(scene, 'ops-per-core')
    assert found.estimate.verdict is None
    assert found.estimate.detail == 'as op/s'
    # power is measured in each trial, so it says something of its own
    for i, trial in enumerate(scene.trials):
        scene.trials[i] = on_hosts(trial, watts=150.0 + 10 * (i % 3))
    assert metric(scene, 'ops-per-watt').estimate.verdict is not None


def test_less_cpu_for_an_operation_is_better():
    scene = with_hosts(
        Scene({W: 1.0}, noise=0.01),
        x86={'cpu_busy': 0.6},
        arm={'cpu_busy': 0.3},
    )
    found = metric(scene, 'cpu-per-op')
    assert found.better == 'lower' and found.unit == 's'
    assert found.estimate.ratio == pytest.approx(0.5, rel=0.03)
    assert found.estimate.low < found.estimate.ratio < found.estimate.high
    assert found.estimate.verdict is Verdict.FASTER
    assert found.baseline.median == pytest.approx(2 * 16 * 0.6 / 1000, 0.03)


def test_what_a_hypervisor_took_is_no_cpu_time_of_an_operation():
    scene = with_hosts(
        Scene({W: 1.0}, noise=0.01),
        x86={'cpu_busy': 0.6, 'cpu_steal': 0.3},
        arm={'cpu_busy': 0.3},
    )
    found = metric(scene, 'cpu-per-op')
    assert found.estimate.ratio == pytest.approx(1.0, rel=0.03)
    assert found.baseline.median == pytest.approx(2 * 16 * 0.3 / 1000, 0.03)


def latencies(scene, rate=None, ops=100000, **of_group):
    """Give trials percentiles, and the workload a rate."""
    plan = scene.run.plan
    workloads = tuple(
        dataclasses.replace(w, rate=rate) for w in plan.profile.workloads
    )
    profile = dataclasses.replace(plan.profile, workloads=workloads)
    scene.run = dataclasses.replace(
        scene.run, plan=dataclasses.replace(plan, profile=profile)
    )
    for i, trial in enumerate(scene.trials):
        factor = of_group[trial.group] * math.exp(0.001 * (i % 5))
        scene.trials[i] = dataclasses.replace(
            trial,
            summary=dataclasses.replace(
                trial.summary,
                ops=ops,
                percentiles={'p50': 0.002 * factor, 'p99.9': 0.02 * factor},
            ),
            evidence={
                'client': {
                    'operations': {
                        'get': {
                            'ops': 20000,
                            'first_byte': {'p99': 0.01 * factor},
                        }
                    }
                }
            },
        )
    return scene


def test_latency_has_a_verdict_in_an_open_loop_only():
    open_loop = latencies(Scene({W: 1.0}), 500.0, x86=2.0, arm=1.0)
    for name in ('latency-p50', 'latency-p99.9', 'ttfb-p99'):
        found = metric(open_loop, name)
        assert found.estimate.verdict is Verdict.FASTER, name
        assert found.estimate.ratio == pytest.approx(0.5, rel=0.02)
    closed = latencies(Scene({W: 1.0}), None, x86=2.0, arm=1.0)
    found = metric(closed, 'latency-p50')
    assert found.estimate.verdict is None
    assert found.estimate.low is not None
    assert 'closed loop' in found.estimate.detail


def probed(scene, share=0.02, **given):
    """Let the percentiles of trials be those of a probe."""
    for i, trial in enumerate(scene.trials):
        probe = {'rate': 100.0, 'share': share, 'reason': '', **given}
        scene.trials[i] = dataclasses.replace(
            trial, evidence={'client': {'probe': probe}}
        )
    return scene


def test_what_a_probe_saw_has_verdicts_in_a_family_of_its_own():
    scene = probed(latencies(Scene({W: 1.0}), None, x86=2.0, arm=1.0))
    found = compared(scene)
    assert (found.metrics_family_size, found.probe_family_size) == (0, 2)
    one = metric(scene, 'latency-p50')
    assert one.estimate.verdict is Verdict.FASTER
    assert (one.basis, one.source) == ('recorded', 'probe')
    side = found.rows[0].baseline
    assert side.percentiles_basis == (
        'as one more client sees it: probe, 100/s'
    )
    assert side.percentiles['p50'] > 0 and side.percentiles_reason == ''
    assert 'as one more client sees it' in render(found)


def test_what_a_probe_is_stands_once_where_its_rates_differ():
    scene = probed(latencies(Scene({W: 1.0}), None, x86=2.0, arm=1.0))
    for i, trial in enumerate(scene.trials):
        probe = {**trial.evidence['client']['probe']}
        probe['rate'] = 100.0 if trial.group == 'arm' else 39.0
        scene.trials[i] = dataclasses.replace(
            trial, evidence={'client': {'probe': probe}}
        )
    text = ' '.join(render(compared(scene)).split())
    assert 'as one more client sees it: probe, 39/s and 100/s' in text


def test_a_probe_is_not_held_against_latencies_of_the_load():
    scene = latencies(Scene({W: 1.0}), None, x86=2.0, arm=1.0)
    own = list(scene.trials)
    probed(scene)
    scene.trials = [
        a if a.group == 'x86' else b for a, b in zip(own, scene.trials)
    ]
    row = compared(scene).rows[0]
    assert not [m for m in row.metrics if m.kind == 'latency']


def test_a_probe_that_is_much_of_the_load_voids_the_row():
    scene = probed(Scene({W: 0.5}), share=0.08)
    row = compared(scene).rows[0]
    assert row.estimate.verdict_text == 'inconclusive (probe)'
    assert '--probe-rate' in row.reasons[0].evidence


def test_why_a_probe_has_no_percentiles_is_said():
    for given, why in (
        ({'reason': 'it died'}, 'it died'),
        (
            {'missing': {'p99': 'too few', 'p95': 'too few', 'p50': 'late'}},
            'p50 (late); p95, p99 (too few)',
        ),
    ):
        scene = probed(Scene({W: 0.5}), **given)
        side = compared(scene).rows[0].baseline
        assert side.percentiles == {} and why in side.percentiles_reason


def test_a_percentile_needs_ten_operations_beyond_it():
    scene = latencies(Scene({W: 1.0}), 500.0, 9999, x86=1.0, arm=1.0)
    row = compared(scene).rows[0]
    ids = [m.id for m in row.metrics]
    assert 'latency-p50' in ids and 'latency-p99.9' not in ids
    assert any('latency-p99.9' in text for text in row.metrics_missing)


def test_further_metrics_have_a_family_of_their_own():
    names = {f'write-{n}K-c16': 1.0 for n in (4, 8, 16, 32)}
    names['write-64K-c16'] = 0.5
    scene = with_hosts(Scene(names, noise=0.02), arm={'cores': 20})
    before = compared(Scene(names, noise=0.02))
    found = compared(scene)
    assert [r.estimate.q for r in found.rows] == [
        r.estimate.q for r in before.rows
    ]
    judged = [m for r in found.rows for m in r.metrics if m.estimate.verdict]
    assert len(judged) == found.metrics_family_size
    assert all(m.estimate.q >= m.estimate.p_family for m in judged)
    assert before.metrics_family_size == 0


def test_an_invalid_row_has_no_verdict_of_any_metric():
    scene = with_hosts(Scene({W: 0.5}), arm={'cores': 4})
    scene.change(lambda t: True, summary={'client_thread_cores': 0.99})
    found = metric(scene, 'ops-per-core').estimate
    assert found.verdict_text == 'inconclusive (client)'
    assert found.q is None


def test_unpaired_runs_have_further_metrics_too():
    one = with_hosts(Scene({W: 1.0}, run='aaaaaaaa'))
    two = with_hosts(Scene({W: 1.0}, run='bbbbbbbb'), arm={'cores': 4})
    side = Side('x86', one.side('x86').runs)
    other = Side('arm', two.side('arm').runs)
    found = {m.id: m for m in compare(side, other).rows[0].metrics}
    ratio = found['ops-per-core'].estimate.ratio
    assert ratio == pytest.approx(4.0, rel=0.05)
    assert found['ops-per-gib-ram'].estimate.verdict is None


def test_nothing_recorded_is_named_and_no_error():
    row = compared(Scene({W: 1.0})).rows[0]
    assert row.metrics == ()
    text = '; '.join(row.metrics_missing)
    for one in METRICS:
        assert one.id in text
    assert compared(Scene({W: 1.0}, rounds=0)).rows[0].metrics == ()


def test_words_choose_metrics():
    assert choose([]) == choose(['primary']) == []
    assert choose(['all']) == [m.id for m in METRICS]
    assert choose(['ops-per-watt,latency-p99']) == [
        'ops-per-watt',
        'latency-p99',
    ]
    kinds = {m.id: m.kind for m in METRICS}
    assert {kinds[name] for name in choose(['latency'])} == {'latency'}
    with pytest.raises(
        InvalidArgument, match="--metrics: 'speed' is not a metric; give"
    ):
        choose(['speed'])


# the report


def test_chosen_metrics_are_printed_and_others_are_not():
    scene = with_hosts(Scene({W: 0.5}), arm={'cores': 4})
    found = compared(scene)
    plain = render(found)
    assert 'further metrics' not in plain
    text = render(found, 100, choose(['all']))
    (line,) = [x for x in text.split('\n') if x.startswith('ops-per-core')]
    assert line.endswith(' better')  # no efficiency is fast
    assert 'ops-per-price: needs prices of both groups' in text
    assert plain.split('\n\n')[1] in text  # the primary table as it was
    for width in (80, 100, 120):
        lines = render(found, width, choose(['all'])).split('\n')
        assert max(map(len, lines)) <= width


def test_the_report_says_in_a_line_what_limited_each_side():
    scene = with_hosts(Scene({W: 0.5}), arm={'cpu_busy': 0.98})
    text = render(compared(scene))
    assert f'  {W} x86: none found' in text
    assert f'  {W} arm: CPU: the CPUs of the OSD hosts were busy: 98%' in text
    side = compared(scene).rows[0].candidate.limited
    assert (side.limit, side.trials, side.of) == ('CPU', 7, 7)


def test_an_outlier_is_named_beside_the_limit():
    evidence = make_trial().evidence
    evidence['osds']['1']['commit_lat'] = 0.05
    scene = Scene({W: 1.0}).change(of('arm'), evidence=evidence)
    assert 'outlier: osd.1' in render(compared(scene))


def test_a_client_limit_counts_for_the_metric_that_is_judged():
    scene = with_hosts(
        Scene({W: 1.3}),
        x86={'cores': 8, 'watts': 100.0},
        arm={'cores': 16, 'watts': 50.0},
    ).change(of('arm'), summary={'client_thread_cores': 0.99})
    assert compared(scene).rows[0].estimate.verdict_text == (
        'faster (at least)'
    )
    # arm would do more for each of its cores, too
    found = metric(scene, 'ops-per-core').estimate
    assert found.verdict_text == 'inconclusive (client)'
    # and nobody knows by how much its power would grow
    found = metric(scene, 'ops-per-watt').estimate
    assert found.verdict_text == 'inconclusive (client)'


def test_what_is_better_in_spite_of_a_limit_is_so_at_least():
    scene = with_hosts(
        Scene({W: 1.3}), x86={'cores': 16}, arm={'cores': 8}
    ).change(of('arm'), summary={'client_thread_cores': 0.99})
    found = metric(scene, 'ops-per-core').estimate
    assert found.verdict_text == 'faster (at least)'
