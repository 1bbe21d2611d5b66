"""Per-OSD figures of a run."""

import pytest

from perfcompare.app.requests import RunDetail, RunOsds
from perfcompare.metrics import osd_table
from perfcompare.model.trial import TrialState
from perfcompare.report import listing
from perfcompare.report import osds as report

from ..data.run_data import make_run, make_trial


def figures(ops=1000.0, latency=0.004, commit=0.002, **more):
    return {
        'seconds': 10.0,
        'op_w': ops,
        'op_in_bytes': ops * 4096,
        'op_w_latency': latency,
        'op_w_process_latency': latency * 0.75,
        'commit_lat': commit,
        'aio_wait_lat': commit / 2,
        'op_wip_mean': 4.0,
        **more,
    }


def trial(osds, round=1, **more):
    evidence = {'osds': osds}
    for name in ('histograms', 'tenants'):
        if name in more:
            evidence[name] = more.pop(name)
    return make_trial(round=round, evidence=evidence, **more)


def healthy(n):
    return {str(i): figures() for i in range(n)}


def tables(*trials):
    found = osd_table.OsdTables()
    for one in trials:
        found.add(one)
    return found.tables()


def test_slow_osd_comes_first_with_what_it_is_slow_by():
    osds = dict(healthy(8), **{'5': figures(commit=0.05)})
    table = osd_table.one(trial(osds))
    first = table.rows[0]
    assert (first.osd, first.slow_by) == (5, 'commit')
    assert first.z > 10
    assert all(abs(row.z) < 1 for row in table.rows[1:])


def test_figures_are_rates_of_the_window():
    row = osd_table.one(trial(healthy(4))).rows[0]
    assert row.ops_per_s == 100.0
    assert row.bytes_per_s == 409600.0
    assert row.share == 0.25
    assert row.queued == pytest.approx(0.001)
    assert row.device == 0.001


def test_reads_and_writes_weigh_by_their_number():
    mixed = figures(op_r=3000.0, op_r_latency=0.001)
    row = osd_table.one(trial({'0': mixed})).rows[0]
    assert row.ops_per_s == 400.0
    assert row.latency == pytest.approx((4.0 + 3.0) / 4000)


def test_rows_are_medians_over_judged_trials():
    (table,) = tables(
        trial({'0': figures(latency=0.9)}, round=0),
        trial({'0': figures(latency=0.8)}, state=TrialState.VOID),
        trial({'0': figures(latency=0.001)}),
        trial({'0': figures(latency=0.002)}, round=2),
        trial({'0': figures(latency=0.005)}, round=3),
    )
    assert table.trials == 3
    assert table.rows[0].latency == 0.002
    assert table.rows[0].trials == 3


def test_few_osds_have_no_score():
    assert osd_table.one(trial(healthy(2))).rows[0].z is None


def test_silent_osds_are_named():
    table = osd_table.one(trial({'0': figures(), '1': None}))
    assert table.silent == (1,)
    assert [row.osd for row in table.rows] == [0]


def test_trial_without_counters_has_an_empty_table():
    table = osd_table.one(make_trial(evidence={}))
    assert table.rows == ()
    assert osd_table.spreads(table) == {}


def test_spread_over_osds():
    osds = {str(i): figures(latency=0.001 * (i + 1)) for i in range(11)}
    spread = osd_table.spreads(osd_table.one(trial(osds)))['latency']
    assert (spread.n, spread.min, spread.max) == (11, 0.001, 0.011)
    assert (spread.p10, spread.p50, spread.p90) == (0.002, 0.006, 0.01)


def test_text_says_that_too_few_operations_have_no_percentiles():
    none = {'p50': None, 'p95': None, 'p99': None, 'accuracy': 'x2'}
    one = trial(healthy(4), histograms={'write': none})
    lines = report.osds(RunOsds('0a1b2c3d', tuple(tables(one)))).splitlines()
    assert lines[1] == (
        'write latency of all: not available (too few operations)'
    )


def test_text_shows_the_first_and_says_how_many_more_there_are():
    osds = dict(healthy(30), **{'7': figures(commit=0.05), '9': None})
    histogram = {'p50': 0.002, 'p95': 0.004, 'p99': None, 'accuracy': 'x2'}
    found = RunOsds(
        '0a1b2c3d',
        tuple(
            tables(
                trial(
                    osds,
                    histograms={'write': histogram},
                    tenants={'ops_per_s': 12.0},
                )
            )
        ),
    )
    text = report.osds(found)
    lines = text.splitlines()
    assert 'write-4K-c16 on x86: 29 OSDs, 1 trial' == lines[0]
    assert 'p50 2.00 ms, p95 4.00 ms (x2)' in lines[1]
    assert '12' in lines[2]
    assert lines[3] == 'not available: osd.9'
    assert lines[5].startswith('osd.7 ')
    assert lines[5].endswith('commit')
    assert '9 more' in text
    assert max(len(line) for line in lines) <= 120


def test_text_of_a_run_without_counters_says_so():
    assert 'no judged trial' in report.osds(RunOsds('0a1b2c3d', ()))


@pytest.mark.parametrize('ops, text', [(53.0, 'ok, others 53'), (0.4, 'ok')])
def test_show_names_other_pools_traffic(ops, text):
    run = make_run()
    shown = listing.run(
        RunDetail(run, (trial(healthy(2), tenants={'ops_per_s': ops}),))
    )
    line = next(li for li in shown.splitlines() if ' ok' in li)
    assert line.split('ms  ')[-1].strip().startswith(text)
    assert ('others' in line) == (ops > 1)
