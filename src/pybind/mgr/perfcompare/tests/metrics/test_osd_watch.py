"""How OSDs are watched during a trial."""

import dataclasses
import threading

import pytest

from perfcompare.metrics import histograms, osd_watch
from perfcompare.metrics.osd_edges import BackgroundReader
from perfcompare.metrics.osd_series import SeriesReader
from perfcompare.model.outcome import Outcome, RawSegment
from perfcompare.model.workload import Op
from perfcompare.ports.trial_watch import TrialContext

from ..data.bench_data import run_plan
from ..data.osd_data import histogram_dump, perf_dump
from ..data.run_data import make_workload
from ..fakes.cluster import FakeCluster

WRITE_4K = make_workload('write-4K-c16')


class Clock:
    """Be a clock that tests set."""

    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


@pytest.fixture
def cluster():
    return FakeCluster()


@pytest.fixture
def clock():
    found = Clock()
    return found


@pytest.fixture
def watch(cluster, clock):
    found = osd_watch.OsdWatch(cluster, clock)
    yield found
    found.close()


def context(cluster, **workload):
    plan = run_plan(cluster)
    group = plan.group('x86')
    load = dataclasses.replace(
        WRITE_4K, warmup=5.0, duration=20.0, **workload
    )
    return TrialContext(plan, load, group, group.pools[0], 'r1')


def count(cluster, group, op_w, buckets=None):
    for osd in group.osds:
        cluster.perf[osd] = perf_dump(op_w, seconds=op_w * 0.002)
        cluster.histograms[osd] = histogram_dump({4: op_w})


def outcome(started=1001.0, ended=1027.0):
    return Outcome('trial', started, ended)


def at(watch, clock, now):
    clock.now = now
    watch.tick()
    assert watch._aside.settle(5.0)


def test_counters_are_those_of_the_measured_window(cluster, clock, watch):
    trial = context(cluster)
    count(cluster, trial.group, 0)
    watch.begin(trial)
    count(cluster, trial.group, 100)
    at(watch, clock, 1006.3)  # the window opened
    count(cluster, trial.group, 1100)
    at(watch, clock, 1015.0)
    at(watch, clock, 1026.0)  # it closes
    count(cluster, trial.group, 1300)  # what drains is not in it
    clock.now = 1028.0
    found = watch.end(outcome())
    first = found.figures['osds'][str(trial.group.osds[0])]
    assert first['op_w'] == 1000
    assert first['op_w_latency'] == 0.002
    assert first['mem_target'] == 4096
    assert first['throttle_lat_total'] == pytest.approx(0.2)
    assert found.figures['osd_window'] == [1006.3, 1026.0]
    assert first['seconds'] == pytest.approx(19.7)
    spread = found.figures['histograms']['write']
    assert spread['count'] == 1000 * len(trial.group.osds)


def test_load_that_ends_early_is_read_at_its_end(cluster, clock, watch):
    trial = context(cluster)
    count(cluster, trial.group, 0)
    watch.begin(trial)
    count(cluster, trial.group, 40)
    clock.now = 1003.0
    found = watch.end(outcome(ended=1002.8))
    assert found.figures['osds'][str(trial.group.osds[0])]['op_w'] == 40


def test_load_that_starts_late_is_read_again(cluster, clock, watch):
    trial = context(cluster)
    count(cluster, trial.group, 0)
    watch.begin(trial)
    at(watch, clock, 1006.3)
    at(watch, clock, 1026.0)  # load has just begun
    count(cluster, trial.group, 700)
    clock.now = 1046.0
    found = watch.end(outcome(started=1020.0, ended=1045.5))
    assert found.figures['osds'][str(trial.group.osds[0])]['op_w'] == 700
    assert found.figures['osd_window'] == [1006.3, 1046.0]
    assert found.notes == [
        'figures of OSDs begin 14 s before the measured window'
    ]


def test_less_than_a_second_is_not_told_as_none(cluster, clock, watch):
    trial = context(cluster)
    count(cluster, trial.group, 0)
    watch.begin(trial)
    at(watch, clock, 1006.3)
    found = watch.end(outcome(started=1006.7, ended=1010.7))
    assert found.notes == [
        'figures of OSDs begin 0.4 s before the measured window'
    ]


def test_second_trial_knows_how_long_load_takes_to_start(
    cluster, clock, watch
):
    trial = context(cluster)
    watch.begin(trial)
    watch.end(outcome(started=1004.0))
    clock.now = 2000.0
    watch.begin(trial)
    count(cluster, trial.group, 0)
    at(watch, clock, 2009.1)  # 4 + 5 s: not yet
    count(cluster, trial.group, 500)
    at(watch, clock, 2009.3)
    assert watch._trial._opened.at == 2009.3


@pytest.mark.parametrize(
    'changes, counter',
    [
        ({}, histograms.WRITE),
        ({'op': Op('rand')}, histograms.READ),
        # behind a gateway there are operations of all kinds
        ({'op': Op('s3-get'), 'tool': 's3'}, None),
    ],
)
def test_only_histograms_of_the_trial_are_read(
    cluster, clock, watch, changes, counter
):
    trial = context(cluster, **changes)
    watch.begin(trial)
    watch.end(outcome())
    asked = cluster.called('osd_histograms')
    assert {call.args[1] for call in asked} == {counter}


def test_the_load_tells_its_own_count_between_the_edges(
    cluster, clock, watch
):
    trial = context(cluster)
    count(cluster, trial.group, 0)
    watch.begin(trial)
    at(watch, clock, 1006.3)
    at(watch, clock, 1026.0)
    raw = RawSegment(0, 1001.0, [0.0, 26.0], [0, 260], [0, 260], [0.0, 1.0])
    found = watch.end(dataclasses.replace(outcome(), raw=[raw]))
    assert found.figures['osd_client_ops'] == 197.0


def test_silent_osd_is_a_note_and_no_figure(cluster, clock, watch):
    trial = context(cluster)
    count(cluster, trial.group, 0)
    watch.begin(trial)
    cluster.fail_on('osd_perf_dump', times=1)
    found = watch.end(outcome())
    values = list(found.figures['osds'].values())
    assert values.count(None) == 1
    assert 'silent, or restarted' in found.notes[0]


def test_series_are_of_the_group_only(cluster, clock, watch):
    trial = context(cluster)
    count(cluster, trial.group, 0)
    for osd in cluster.osds:
        cluster.history[osd] = {
            'osd.op_w': [(999.0, 0), (1004.0, 10), (1009.0, 30)],
            'osd.op_wip': [(1004.0, 2), (1009.0, 4)],
        }
    watch.begin(trial)
    found = watch.end(outcome())
    assert sorted(found.series) == sorted(
        f'osd.{o}' for o in trial.group.osds
    )
    first = trial.group.osds[0]
    assert list(found.series[f'osd.{first}'].column('op_w').values) == [
        10,
        20,
    ]
    assert found.figures['osds'][str(first)]['op_wip_max'] == 4


def test_cut_trial_has_no_evidence(cluster, clock, watch):
    watch.begin(context(cluster))
    assert watch.end(None).figures == {}


def test_reads_of_the_cache_are_said_in_the_manifest(cluster, clock, watch):
    trial = context(cluster, op=Op('rand'))
    for osd in trial.group.osds:
        cluster.perf[osd] = perf_dump(buffer_hit_bytes=0, buffer_miss_bytes=0)
    watch.begin(trial)
    for osd in trial.group.osds:
        cluster.perf[osd] = perf_dump(
            buffer_hit_bytes=1000, buffer_miss_bytes=1
        )
    assert watch.end(outcome()).manifest == {'cache_share': 0.999}


def test_large_groups_are_asked_for_some_histograms_only():
    asked = osd_watch.evenly(range(10000), 128)
    assert len(asked) == len(set(asked)) == 128
    assert asked[0] == 0 and asked[-1] > 9900
    assert osd_watch.evenly((3, 5), 128) == (3, 5)


def test_rest_of_a_large_group_is_read_from_the_mgr(
    cluster, clock, watch, monkeypatch
):
    monkeypatch.setattr(osd_watch, 'DUMPED_OSDS', 1)
    trial = context(cluster)
    first, second = trial.group.osds[:2]
    count(cluster, trial.group, 0)
    reports = [(999.0, 0, 0), (1000.0, 0, 0)]
    cluster.history[second] = {
        'osd.op_w': [r[:2] for r in reports],
        'osd.op_w_latency': reports,
        'osd.recovery_ops': [r[:2] for r in reports],
    }
    watch.begin(trial)
    cluster.history[second] = {
        'osd.op_w': [(1005.0, 400)],
        'osd.op_w_latency': [(1005.0, 400 * 3e6, 400)],
        'osd.recovery_ops': [(1005.0, 25)],
    }
    found = watch.end(outcome())
    assert len(cluster.called('osd_perf_dump')) == 3  # names, two edges
    rest = found.figures['osds'][str(second)]
    assert rest['op_w'] == 400
    assert rest['op_w_latency'] == 0.003
    assert rest['seconds'] == 5.0
    # data that moves there counts, as where an OSD is asked
    assert rest['recovery_ops'] == 25
    assert list(found.series) == []
    assert 'numpg_removing' in found.figures['osds'][str(first)]


def test_work_beside_that_fails_does_not_end_it():
    aside, done = BackgroundReader(), []

    def fail():
        raise ValueError('x')

    aside.do(fail)
    aside.do(lambda: done.append(1))
    assert aside.settle(5.0)
    assert done == [1]
    aside.close()


def test_who_waits_for_osds_is_heard_of_meanwhile():
    """The lease of what scrapes hosts is renewed by the thread that waits."""
    held, going = [], threading.Event()
    aside = BackgroundReader(lambda: held.append(1))
    aside.do(lambda: going.wait(30.0))
    assert not aside.settle(0.2) and held == []
    assert not aside.settle(2.5) and len(held) == 2
    going.set()
    assert aside.settle(5.0)
    aside.close()


def test_series_that_are_being_read_are_left_out(cluster, clock, monkeypatch):
    """OSDs that answer too slowly may still write to them."""
    monkeypatch.setattr(osd_watch, 'SETTLE', 1.5)
    held, going = [], threading.Event()
    watch = osd_watch.OsdWatch(cluster, clock, lambda: held.append(1))
    trial = context(cluster)
    count(cluster, trial.group, 100)
    clock.now = 1000.0
    watch.begin(trial)
    assert watch._aside.settle(5.0)
    at(watch, clock, 1006.5)
    at(watch, clock, 1026.0)
    monkeypatch.setattr(SeriesReader, 'read', lambda _: going.wait(30.0))
    tables = []
    monkeypatch.setattr(SeriesReader, 'tables', tables.append)
    found = watch.end(outcome())
    going.set()
    assert 'some OSDs answer too slowly for their metrics' in found.notes
    assert found.figures['osds'] and held
    assert tables == [] and not found.series
