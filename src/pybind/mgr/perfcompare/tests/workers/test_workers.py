"""Workers at work, with real processes and a fake `rados`."""

import ctypes
import os
import stat
import sys

import pytest

from perfcompare.common.errors import InvalidArgument
from perfcompare.worker.wire import jobs
from perfcompare.worker.wire.protocol import Ended, Live
from perfcompare.workers.outcomes import WorkerFailed
from perfcompare.workers.process import ProcessLauncher

from ..fakes import worker_site
from ..fakes.worker_site import SECRET, drive, failure, running

pytestmark = pytest.mark.process

site = worker_site.site


def test_clients_of_a_write_are_measured_as_one(site):
    site.set(rate=400.0)
    worker = site.worker()
    seen = drive(
        worker,
        site.write(clients=2, max_objects=9999, duration=2.0, warmup=1.0),
    )
    outcome = worker.outcome()
    rate = outcome.summary.ops_per_s
    assert rate == pytest.approx(800, rel=0.05)
    assert outcome.summary.bytes_per_s == pytest.approx(rate * 4096)
    assert 1.6 <= outcome.summary.window <= 2.001
    assert outcome.summary.latency_avg == pytest.approx(2 / 400, rel=0.02)
    assert len(outcome.summary.windows) == 6
    assert outcome.summary.client_cores is not None
    assert outcome.summary.host_cores >= 1
    assert outcome.evidence['run_names'] == ['w.0', 'w.1']
    assert {
        a['source'] for c in outcome.evidence['alignment'] for a in c
    } <= {
        'admin socket',
        'exit',
    }  # the latter on a busy host
    assert outcome.tools['rados'].startswith('ceph version 20.2.4')
    assert len(outcome.raw) == 2
    live = [e for e in seen if isinstance(e, Live)]
    assert live[-1].ops > 500 and any(e.clients == 2 for e in live)
    assert [e.returncode for e in seen if isinstance(e, Ended)] == [0]


def test_series_covers_the_trial_where_numpy_is(site):
    worker = site.worker()
    site.set(rate=300.0)
    drive(worker, site.write(duration=2.0, warmup=1.0))
    outcome = worker.outcome()
    if outcome.series is None:
        assert 'numpy' in outcome.notes[0]
        return
    assert len(outcome.series.t) == len(outcome.series.ops) >= 3
    assert outcome.series.ops[1] == pytest.approx(300, rel=0.1)


def test_missing_numpy_is_said_and_costs_the_series_only(site, tmp_path):
    python = tmp_path / 'python'
    python.write_text(f'#!/bin/sh\nexec {sys.executable} -S "$@"\n')
    python.chmod(0o755)
    worker = ProcessLauncher(str(tmp_path / 'run'), str(python)).worker('a')
    drive(worker, site.write())
    outcome = worker.outcome()
    assert outcome.series is None and outcome.summary.ops > 0
    assert outcome.notes == ['series: not available: numpy missing']


def test_population_is_written_checked_kept_and_read(site):
    site.set(rate=2000.0)
    populations = (site.population(4000, 'a'), site.population(4000, 'b'))
    worker = site.worker()
    job = jobs.Prefill(site.access, 8, 30.0, populations)
    drive(worker, job)
    assert [
        (p.run_name, p.objects, p.kept) for p in worker.outcome().populations
    ] == [
        ('a', 4000, False),
        ('b', 4000, False),
    ]
    again = site.worker()
    drive(again, job)
    assert [p.kept for p in again.outcome().populations] == [True, True]
    warm = site.worker()
    drive(warm, jobs.Warm(site.access, 8, 30.0, populations))
    assert [p.objects for p in warm.outcome().populations] == [4000, 4000]
    rand = site.worker()
    drive(
        rand,
        site.write(
            op='rand', clients=2, populations=populations, duration=1.0
        ),
    )
    assert rand.outcome().summary.ops_per_s == pytest.approx(4000, rel=0.05)


def test_sequential_read_is_restarted_and_its_gaps_are_cut(site):
    site.set(rate=2000.0)
    fill = site.worker()
    drive(fill, jobs.Prefill(site.access, 4, 30.0, (site.population(3000),)))
    worker = site.worker()
    drive(
        worker,
        site.write(
            op='seq', populations=(site.population(3000),), duration=4.0
        ),
    )
    outcome = worker.outcome()
    assert len(outcome.raw) >= 2
    assert outcome.summary.window < 4.0
    assert outcome.summary.ops_per_s == pytest.approx(2000, rel=0.1)


def test_missing_population_is_a_clear_error(site):
    found = failure(
        site, site.write(op='rand', populations=(site.population(),))
    )
    assert found.kind == 'population'
    assert "'pop.0' does not exist" in found.message


def test_missing_tool_is_a_clear_error(site):
    access = jobs.Access(
        site.access.conf, site.access.keyring, 'client.x', 'p', '/no/rados'
    )
    found = failure(site, site.write(access=access))
    assert found.kind == 'tool' and "'/no/rados'" in found.message


def test_hanging_load_ends_at_the_deadline_and_names_the_osd(site):
    found = failure(
        site, site.write(duration=1.0, warmup=0.0, deadline=8.0), mode='hang'
    )
    assert found.kind == 'deadline'
    assert 'osd.3 (2)' in found.message


def test_failed_load_gives_its_last_words_without_secrets(site):
    text = f'2026-01-01T00:00:00.1+0000 7f5 -1 monclient: bad key {SECRET}\nfailed to connect'
    found = failure(site, site.write(), mode='fail', stderr=text)
    assert found.kind == 'access'
    assert 'failed to connect' in found.message
    assert SECRET not in found.message and '***' in found.message


def test_load_that_reaches_its_bound_early_is_no_trial(site):
    found = failure(
        site, site.write(max_objects=500, duration=9.0), rate=400.0
    )
    assert found.kind == 'bound' and '500 objects' in found.message
    assert 'max_objects' not in found.message  # no such option


def test_bad_job_is_refused_before_anything_starts(site):
    worker = site.worker()
    with pytest.raises(InvalidArgument, match='clients cannot share'):
        worker.start(site.write(clients=5))
    assert not (site.path / 'run').exists()


def test_files_are_private_and_discarded(site):
    worker = site.worker()
    drive(worker, site.write())
    folder = worker._folder
    assert stat.S_IMODE(os.stat(folder).st_mode) == 0o700
    for name in os.listdir(folder):
        assert (
            not stat.S_IMODE(os.lstat(os.path.join(folder, name)).st_mode)
            & 0o077
            or 'asok' in name
        )
    worker.discard()
    assert not os.path.exists(folder)


def test_changed_result_is_refused(site):
    worker = site.worker()
    drive(worker, site.write())
    with open(os.path.join(worker._folder, 'result.json'), 'a') as file:
        file.write(' ')
    with pytest.raises(WorkerFailed, match='changed or cut'):
        worker.outcome()


def test_a_result_that_is_too_large_is_not_read(site):
    worker = site.worker()
    drive(worker, site.write())
    with pytest.raises(WorkerFailed, match='more than 100 bytes'):
        worker.outcome(100)
    assert worker.outcome().summary.ops > 0


def test_environment_of_the_manager_does_not_reach_the_load(
    site, monkeypatch
):
    monkeypatch.setenv('CEPH_ARGS', '--id admin')
    worker = site.worker()
    drive(worker, site.write())
    assert worker.outcome().summary.ops > 0


def test_key_is_in_no_command_line(site):
    worker, pids = running(site)
    for pid in pids:
        with open(f'/proc/{pid}/cmdline') as file:
            assert SECRET not in file.read()
    worker.kill()


def test_load_is_nice_and_its_leash_is_not(site):
    worker, pids = running(site)
    levels = {p: os.getpriority(os.PRIO_PROCESS, p) for p in pids}
    worker.kill()
    own = os.getpriority(os.PRIO_PROCESS, 0)
    assert levels.pop(worker.pid) == own
    assert set(levels.values()) == {min(19, own + jobs.NICE)}


def test_children_that_become_ours_are_reaped(site):
    # as for a manager that is process 1 of a container
    prctl = ctypes.CDLL(None).prctl
    prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER
    try:
        worker, pids = running(site, 3)
        worker.kill()
        assert not any(os.path.exists(f'/proc/{p}') for p in pids)
    finally:
        prctl(36, 0, 0, 0, 0)


def test_load_is_the_first_to_go_when_memory_runs_out(site):
    worker, pids = running(site)
    scores = [int(open(f'/proc/{p}/oom_score_adj').read()) for p in pids]
    worker.kill()
    assert scores == [1000] * len(pids)


def test_a_worker_that_had_no_room_says_where_room_is_needed(
    site, tmp_path, monkeypatch
):
    python = tmp_path / 'python'
    python.write_text('#!/bin/sh\nexit 120\n')
    python.chmod(0o755)
    worker = ProcessLauncher(str(tmp_path / 'run'), str(python)).worker('a')
    full = os.statvfs_result((4096, 4096, 1024, 0, 0, 9, 9, 9, 0, 255))
    monkeypatch.setattr(os, 'statvfs', lambda path: full)
    with pytest.raises(WorkerFailed) as caught:
        drive(worker, site.write())
        worker.outcome()
    assert 'no space is left in' in caught.value.message
    assert 'run_dir' in caught.value.message
