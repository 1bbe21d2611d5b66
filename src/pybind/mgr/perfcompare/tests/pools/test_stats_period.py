"""`mgr_stats_period` is lowered only when asked, and restored."""

import dataclasses

import pytest

from perfcompare.common.errors import InvalidArgument, PerfcompareError
from perfcompare.pools import stats_period
from perfcompare.report.plan import describe
from perfcompare.undo.journal import Journal, Kind

from ..data import plans
from ..data.bench_data import RUN, run_plan
from ..fakes.clock import FakeClock
from ..fakes.cluster import FakeCluster
from .test_benchpool import _bench

WHO = (stats_period.WHO, stats_period.OPTION)


@pytest.fixture
def cluster():
    found = FakeCluster()
    found.options[stats_period.OPTION] = '5'
    return found


def asked(cluster, seconds):
    plan = run_plan(cluster)
    return dataclasses.replace(
        plan,
        options=dataclasses.replace(plan.options, stats_period=seconds),
    )


def test_left_alone_unless_asked(cluster):
    _bench(cluster, asked(cluster, None)).prepare()
    assert WHO not in cluster.config


@pytest.mark.parametrize('previous', [None, '7'])
def test_journaled_before_and_restored_as_it_was(cluster, previous):
    if previous:
        cluster.config[WHO] = previous
    bench = _bench(cluster, asked(cluster, 1))
    bench.prepare()
    assert cluster.config[WHO] == '1'
    entry = Journal(cluster, FakeClock()).find(
        RUN, Kind.CONFIG, stats_period.OPTION
    )
    assert (entry.previous, entry.was_set) == (previous, previous is not None)
    report = Journal(cluster, FakeClock()).undo_all(RUN)
    assert not report.leftovers
    assert cluster.config.get(WHO) == previous


def test_interrupted_before_the_change_is_restored_as_well(cluster):
    cluster.fail_on('config_set')
    bench = _bench(cluster, asked(cluster, 1))
    with pytest.raises(PerfcompareError):
        bench.prepare()
    assert not Journal(cluster, FakeClock()).undo_all(RUN).leftovers
    assert WHO not in cluster.config


def test_an_operators_own_change_stays(cluster):
    bench = _bench(cluster, asked(cluster, 1))
    bench.prepare()
    cluster.config[WHO] = '3'
    assert [
        k.reason for k in Journal(cluster, FakeClock()).undo_all(RUN).kept
    ]
    assert cluster.config[WHO] == '3'


def test_nothing_to_do_where_osds_report_so_often_already(cluster):
    cluster.options[stats_period.OPTION] = '1'
    _bench(cluster, asked(cluster, 1)).prepare()
    assert WHO not in cluster.config


def test_shown_in_the_plan():
    assert 'mgr_stats_period to 1 s' in describe(plans.make(stats_period=1))
    assert 'mgr_stats_period' not in describe(plans.make())


@pytest.mark.parametrize('seconds', [0, -1, 61])
def test_senseless_periods_are_refused(seconds):
    with pytest.raises(InvalidArgument, match=f'--stats-period {seconds}'):
        plans.make(stats_period=seconds)
