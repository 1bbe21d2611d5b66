"""Latencies of S3 load by time: from a process to the phase of a test."""

import dataclasses
import time

import pytest

from ...app.requests import Status
from ...common.errors import InvalidArgument
from ...drivers.driver import BackgroundParts
from ...drivers.s3.background import S3Background
from ...drivers.s3.gateways.private import Service
from ...model.recovery import StepKind, StepResult
from ...model.run import Progress, RunState
from ...recovery.judge import impact, latencies
from ...recovery.judge.impact import Sample
from ...recovery.judge.latencies import LatencyRecorder
from ...recovery.plan.request import RecoveryRequest
from ...report import listing
from ...report.recovery import clients as clienttext
from ...worker.loads.s3 import slices
from ...worker.loads.s3.recorder import Recorder
from ...worker.wire import histogram, jobs
from ...worker.wire.s3_spec import GET, PUT, Endpoint
from ..data.recovery_rig import BASE

MS = 1_000_000


def pairs(milliseconds, count):
    return (histogram.bucket(milliseconds * MS), count)


def book(rows):
    found = LatencyRecorder()
    for begin, counts in rows:
        found.add(begin, begin + 0.5, counts)
    return found


def test_operations_are_shared_out_among_windows():
    found = book([(100.0 + i / 2, {'get': pairs(10, 3)}) for i in range(20)])
    parts = [found.between(100.0, 103.3), found.between(103.3, 110.0)]
    counts = [histogram.count(p['get']) for p in parts]
    assert sum(counts) == 60 and counts[0] in (18, 21)
    assert found.between(0.0, 100.0) == {}


def test_memory_is_bounded_and_nothing_is_lost(monkeypatch):
    monkeypatch.setattr(latencies, 'MOST', 16)
    found = book([(i / 2, {'put': pairs(5, 1)}) for i in range(101)])
    assert len(found._slots) <= 17
    assert histogram.count(found.between(0.0, 60.0)['put']) == 101


def test_mix_has_figures_of_its_reads_and_writes():
    samples = [Sample(100.0 + t, 100 * t, t, 0.0, 2 * t) for t in range(11)]
    rows = [
        (100.0 + i / 2, {'get': pairs(10, 40), 'stat': pairs(1, 10)})
        for i in range(20)
    ]
    found = impact.of_loads(
        {'s3-mixed': samples}, 1000, 102.0, 108.0, {'s3-mixed': book(rows)}
    )
    assert found['s3-mixed_ops_per_s'] == pytest.approx(100)
    assert found['s3-mixed_bytes_per_s'] is None  # stats move none
    assert found['s3-mixed_errors'] == 12
    assert found['s3-mixed_samples'] == 600
    assert found['s3-mixed_p50'] == pytest.approx(0.01, rel=0.01)
    assert found['s3-mixed_p99'] is None  # 6 beyond it
    assert found['s3-mixed-get_ops_per_s'] == pytest.approx(80)
    assert found['s3-mixed-get_bytes_per_s'] == pytest.approx(80000)
    assert not [key for key in found if key.startswith('s3-mixed-stat')]


def test_rados_load_has_no_percentiles_and_says_so():
    samples = [Sample(100.0 + t, 100 * t, t, 0.0) for t in range(11)]
    found = impact.of_loads({'rand': samples}, 1000, 102.0, 108.0)
    assert found['rand_p50'] is None and found['rand_errors'] is None
    step = StepResult('x86', 1, 0, StepKind.BASELINE, '', client=found)
    assert clienttext.NO_PERCENTILES in clienttext.client(step)


def test_load_names_are_words():
    assert clienttext.load_name('s3-mixed-get') == 's3-mixed get'
    assert clienttext.load_name('s3-get') == 's3-get'
    assert clienttext.load_name('rand') == 'read'


# from the process to its leader


def test_slices_tell_what_ended_since_the_last(tmp_path):
    path = str(tmp_path / 'pipe')
    tap = slices.Tap(path)
    cutter = slices.Cutter(path)
    now = time.perf_counter_ns()
    recorder = Recorder(now, 0.0, 100.0)
    cutter.begin([recorder], now)
    recorder.done(GET, now + 5 * MS, now, 4096, now + MS)
    cutter.tick(now + 400 * MS)
    assert tap.read() == []
    cutter.tick(now + 600 * MS)
    recorder.done(PUT, now + 700 * MS, now, 4096, 0)
    cutter.tick(now + 1200 * MS)
    first, last = [slices.on_wall(item, 0.0) for item in tap.read()]
    assert first.latencies == {'get': pairs(5, 1)}
    assert last.latencies == {'put': pairs(700, 1)}
    assert first.end == last.begin
    tap.close()


def test_pipe_that_nobody_reads_blocks_nobody(tmp_path, monkeypatch):
    monkeypatch.setattr(slices, 'HELD', 200)
    path = str(tmp_path / 'pipe')
    tap = slices.Tap(path)
    cutter = slices.Cutter(path)
    now = time.perf_counter_ns()
    recorder = Recorder(now, 0.0, 100.0)
    cutter.begin([recorder], now)
    for i in range(2000):
        cutter.tick(now + (i + 1) * 600 * MS)
    assert 0 < len(tap.read()) < 2000
    cutter.tick(now + 3000 * 600 * MS)
    assert tap.read()
    tap.close()


# the plan and its jobs


def s3_request(**fields):
    return dataclasses.replace(
        BASE, scenario='backfill', workloads=('s3-mixed',), **fields
    )


def test_s3_and_rados_load_exclude_each_other():
    with pytest.raises(InvalidArgument, match='one kind'):
        RecoveryRequest(groups=('a',), workloads=('rand', 's3-get')).checked()


def test_first_pool_of_a_group_has_the_objects(rig):  # noqa: F811
    plan = rig.service.tests.draft(s3_request()).plan
    for group in plan.groups:
        roles = [pool.role for pool in group.pools]
        assert roles == ['s3-write-data', 's3-meta', 's3-write-index']
        assert not any(pool.per_round for pool in group.pools)
        own = plan.recovery.of(group.name)
        most = own.objects + 2 * own.write_objects
        assert group.pools[0].max_bytes == most * 4096


class Source:
    def of(self, group):
        return Service(
            (Endpoint('127.0.0.1', 7480),), '/run/keys', 'h', 'x86_64', '', ''
        )

    def problem(self, group):
        return 'it died'

    def close(self):
        pass


def test_s3_jobs_share_objects_that_stay(rig):  # noqa: F811
    plan = rig.service.tests.draft(s3_request()).plan

    def access(pool):
        return jobs.Access('/etc/ceph.conf', '/run/key', plan.key, pool)

    loads = S3Background(
        BackgroundParts(plan, plan.recovery, access), Source()
    )
    group = plan.groups[0]
    fill = loads.fill(group)
    trial = loads.beside(group, 1, 7, 60.0)['s3-mixed']
    fill.check()
    trial.check()
    assert (fill.prefix, fill.objects) == (trial.prefix, trial.objects)
    assert trial.keep and trial.slices and trial.mix[3] > 0
    assert loads.problem(group) == 'its gateway ended: it died'


# status


def test_status_beyond_the_estimate_is_honest():
    progress = Progress('0a0b0c0d', RunState.TRIAL, 0.5, None, 1, 1, '')
    text = listing.status(Status(progress))
    assert 'longer than estimated' in text
