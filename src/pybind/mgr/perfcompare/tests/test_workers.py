"""A worker with a stand-in for `rados`: results, and a sure end."""

import ctypes
import json
import os
import signal
import stat
import subprocess
import sys
import threading
import time

import pytest

from perfcompare.errors import InvalidArgument
from perfcompare.outcomes import WorkerFailed
from perfcompare.worker import jobs
from perfcompare.worker.protocol import Ended, Live, Ready, Started
from perfcompare.workers import ProcessLauncher

HERE = os.path.dirname(os.path.abspath(__file__))
SECRET = 'AQBlonGAxyzzyxAA' + 'b' * 22 + '=='


@pytest.fixture
def site(tmp_path):
    return Site(tmp_path)


class Site:
    """A folder with a fake rados, conf and keyring."""

    def __init__(self, path):
        self.path = path
        self.conf = path / 'ceph.conf'
        self.set()
        keyring = path / 'keyring'
        keyring.write_text(f'[client.perfcompare.x]\n\tkey = {SECRET}\n')
        rados = path / 'rados'
        rados.write_text(
            f'#!/bin/sh\nexec {sys.executable} -S {HERE}/fake_rados.py "$@"\n'
        )
        rados.chmod(0o755)
        self.access = jobs.Access(
            str(self.conf),
            str(keyring),
            'client.perfcompare.x',
            'p',
            str(rados),
        )
        self.launcher = ProcessLauncher(str(path / 'run'), sys.executable)

    def set(self, **conf):
        self.conf.write_text(json.dumps(conf))

    def worker(self):
        return self.launcher.worker(
            f'{len(os.listdir(self.path))}-{time.monotonic_ns()}'
        )

    def write(self, **changes):
        values = dict(
            access=self.access,
            concurrency=4,
            deadline=20.0,
            op='write',
            size=4096,
            duration=1.0,
            warmup=0.0,
            run_name='w',
            max_objects=100000,
        )
        return jobs.Trial(**{**values, **changes})

    def population(self, objects=4000, name='pop.0'):
        return jobs.Population(name, objects, 4096)

    def pids(self):
        try:
            return [
                int(p)
                for p in (self.path / 'store' / 'pids').read_text().split()
            ]
        except OSError:
            return []


def drive(worker, job, until=Ended, limit=30.0, go=True):
    """Lead ``worker`` until an event of class ``until``; return all."""
    worker.start(job)
    return follow(worker, until, limit, go)


def follow(worker, until=Ended, limit=30.0, go=True):
    seen, end = [], time.monotonic() + limit
    while time.monotonic() < end:
        for event in worker.poll():
            seen.append(event)
            if isinstance(event, Ready) and go:
                worker.go()
        if any(isinstance(e, until) for e in seen):
            return seen
        worker.renew()
        time.sleep(0.02)
    raise AssertionError(f'no {until.__name__} in {limit} s: {seen}')


def alive(pid):
    """Say whether ``pid`` runs (a zombie does not)."""
    try:
        with open(f'/proc/{pid}/stat') as file:
            return file.read().rpartition(')')[2].split()[0] not in 'ZX'
    except OSError:
        return False


def gone(pids, limit=4.0):
    end = time.monotonic() + limit
    while any(alive(p) for p in pids) and time.monotonic() < end:
        time.sleep(0.02)
    return not any(alive(p) for p in pids)


def loading(site, worker, count=1):
    """Wait until ``count`` load processes run; return their ids."""
    end = time.monotonic() + 10
    while time.monotonic() < end:
        worker.poll()
        pids = [p for p in site.pids() if alive(p)]
        if len(pids) >= count:
            return pids
        time.sleep(0.02)
    raise AssertionError('no load')


def running(site, count=1, **changes):
    """Start a long trial; return its worker and all process ids."""
    site.set(rate=500)
    worker = site.worker()
    drive(
        worker,
        site.write(duration=30.0, deadline=60.0, clients=count, **changes),
        Started,
    )
    time.sleep(0.3)
    return worker, loading(site, worker, count) + [worker.pid]


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


def failure(site, job, **conf):
    site.set(**conf)
    worker = site.worker()
    drive(worker, job)
    with pytest.raises(WorkerFailed) as caught:
        worker.outcome()
    assert gone(site.pids())
    assert '\n' not in caught.value.message
    return caught.value


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
        site, site.write(duration=1.0, warmup=0.0, deadline=3.0), mode='hang'
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
    assert found.kind == 'bound' and 'raise max_objects' in found.message


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


def test_load_starts_at_the_moment_agreed(site):
    worker = site.worker()
    drive(worker, site.write(), Ready, go=False)
    at = time.time() + 1.5
    worker.go(at)
    started = [e for e in follow(worker, Started) if isinstance(e, Started)]
    assert at <= started[0].wall < at + 0.6
    worker.kill()


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


def test_stop_ends_all_in_order(site):
    worker, pids = running(site, 2)
    worker.stop()
    follow(worker, Ended, 5.0)
    assert not any(alive(p) for p in pids)
    with pytest.raises(WorkerFailed, match='stopped on request'):
        worker.outcome()


def test_stop_of_a_frozen_worker_kills_it(site):
    worker, pids = running(site)
    os.kill(worker.pid, signal.SIGSTOP)
    worker.stop(0.3)
    follow(worker, Ended, 5.0)
    assert gone(pids)


def test_kill_takes_all_at_once_and_leaves_no_zombie(site):
    worker, pids = running(site, 3)
    os.kill(pids[0], signal.SIGSTOP)
    begin = time.monotonic()
    worker.kill()
    assert time.monotonic() - begin < 2.0
    assert gone(pids, 0.5)
    assert worker.ended and worker.returncode == -signal.SIGKILL
    assert not os.path.exists(f'/proc/{worker.pid}')
    worker.kill()  # twice is no harm
    assert [type(e) for e in worker.poll()] == [Ended]
    with pytest.raises(WorkerFailed):
        worker.outcome()


def test_kill_from_another_thread_ends_the_runner(site):
    worker, pids = running(site, 2)
    threading.Timer(0.3, worker.kill).start()
    follow(worker, Ended, 5.0)
    assert gone(pids, 0.5)
    with pytest.raises(WorkerFailed) as caught:
        worker.outcome()
    assert caught.value.kind == 'stopped'


def test_load_dies_when_its_worker_is_killed(site):
    worker, pids = running(site, 2)
    os.kill(worker.pid, signal.SIGKILL)
    assert gone(pids)
    follow(worker, Ended, 5.0)
    with pytest.raises(WorkerFailed, match='signal 9'):
        worker.outcome()


def test_load_dies_when_the_lease_is_not_renewed(site):
    worker, pids = running(site, 2)
    worker.renew(1.0)
    begin = time.monotonic()
    assert gone(pids, 5.0)
    assert 0.5 < time.monotonic() - begin < 3.0
    follow(worker, Ended, 5.0)
    with pytest.raises(WorkerFailed) as caught:
        worker.outcome()
    assert caught.value.kind == 'lease', caught.value


def test_renewed_lease_keeps_the_load(site):
    worker, pids = running(site)
    for _ in range(10):
        worker.renew(1.0)
        time.sleep(0.2)
    assert all(alive(p) for p in pids)
    worker.kill()


def test_load_goes_on_while_nobody_reads(site):
    site.set(rate=500)
    worker = site.worker()
    drive(worker, site.write(duration=3.0), Started)
    for _ in range(30):  # no poll at all
        worker.renew()
        time.sleep(0.1)
    follow(worker)
    assert worker.outcome().summary.ops_per_s == pytest.approx(500, rel=0.05)


PARENT = '''
import sys, time
sys.path.insert(0, {root!r})
from perfcompare.tests.test_workers import Site, drive, loading
from perfcompare.worker.protocol import Started
import pathlib
site = Site(pathlib.Path({path!r}))
site.set(mode={mode!r}, rate=500)
worker = site.worker()
drive(worker, site.write(duration=30.0, deadline=60.0, clients=2), Started)
pids = loading(site, worker, 2)
print(worker.pid, *pids, flush=True)
time.sleep(60)
'''


@pytest.mark.parametrize('mode', ['', 'hang', 'frozen'])
def test_all_die_when_the_manager_is_killed(site, mode):
    root = os.path.dirname(os.path.dirname(HERE))
    code = PARENT.format(root=root, path=str(site.path), mode=mode)
    with subprocess.Popen(
        [sys.executable, '-c', code], stdout=subprocess.PIPE, text=True
    ) as parent:
        pids = [int(p) for p in parent.stdout.readline().split()]
        assert len(pids) == 3 and all(alive(p) for p in pids)
        if mode == 'frozen':
            for pid in pids[1:]:
                os.kill(pid, signal.SIGSTOP)
        parent.kill()
    assert gone(pids, 4.0)
