"""How workers and their load end, with real processes."""

import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

import pytest

from perfcompare.worker.wire.protocol import Ended, Started
from perfcompare.workers.outcomes import WorkerFailed

from ..fakes import worker_site
from ..fakes.worker_site import (
    HERE,
    PARENT,
    alive,
    drive,
    follow,
    gone,
    running,
)

pytestmark = pytest.mark.process

site = worker_site.site


def test_stop_ends_all_in_order(site):
    worker, pids = running(site, 2)
    worker.stop()
    follow(worker, Ended)
    assert not any(alive(p) for p in pids)
    with pytest.raises(WorkerFailed, match='stopped on request'):
        worker.outcome()


def test_stop_of_a_frozen_worker_kills_it(site):
    worker, pids = running(site)
    os.kill(worker.pid, signal.SIGSTOP)
    worker.stop(0.3)
    follow(worker, Ended)
    assert gone(pids)


def test_kill_takes_all_at_once_and_leaves_no_zombie(site):
    worker, pids = running(site, 3)
    os.kill(pids[0], signal.SIGSTOP)
    begin = time.monotonic()
    worker.kill()
    assert time.monotonic() - begin < 10.0
    assert gone(pids)
    assert worker.ended and worker.returncode == -signal.SIGKILL
    assert not os.path.exists(f'/proc/{worker.pid}')
    worker.kill()  # twice is no harm
    assert [type(e) for e in worker.poll()] == [Ended]
    with pytest.raises(WorkerFailed):
        worker.outcome()


def test_kill_from_another_thread_ends_the_runner(site):
    worker, pids = running(site, 2)
    threading.Timer(0.3, worker.kill).start()
    follow(worker, Ended)
    assert gone(pids)
    with pytest.raises(WorkerFailed) as caught:
        worker.outcome()
    assert caught.value.kind == 'stopped'


def test_load_dies_when_its_worker_is_killed(site):
    worker, pids = running(site, 2)
    os.kill(worker.pid, signal.SIGKILL)
    assert gone(pids)
    follow(worker, Ended)
    with pytest.raises(WorkerFailed, match='signal 9'):
        worker.outcome()


def test_load_dies_when_the_lease_is_not_renewed(site):
    worker, pids = running(site, 2)
    worker.renew(1.0)
    begin = time.monotonic()
    assert gone(pids, 15.0)
    assert 0.5 < time.monotonic() - begin < 12.0  # the one before had 20 s
    follow(worker, Ended)
    with pytest.raises(WorkerFailed) as caught:
        worker.outcome()
    assert caught.value.kind == 'lease', caught.value


def test_a_renewal_that_came_too_late_changes_no_reason(site):
    """The manager may not have seen yet that the worker has gone."""
    worker, pids = running(site, 2)
    worker.renew(1.0)
    assert gone(pids, 15.0)
    # as where it still takes what is sent; here the pipe has gone
    worker._renewed = time.monotonic()
    follow(worker, Ended)
    with pytest.raises(WorkerFailed) as caught:
        worker.outcome()
    assert caught.value.kind == 'lease', caught.value


def test_renewed_lease_keeps_the_load(site):
    worker, pids = running(site)
    for _ in range(14):  # longer than one lease
        worker.renew(5.0)
        time.sleep(0.5)
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
    summary = worker.outcome().summary
    # how fast is the machine's matter; a full pipe would have stopped it
    assert summary.window > 2.0
    assert 250 * summary.window < summary.ops < 750 * summary.window


@pytest.mark.parametrize('mode', ['', 'hang', 'frozen'])
def test_all_die_when_the_manager_is_killed(site, mode):
    root = str(pathlib.Path(HERE).parents[2])
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
    assert gone(pids)
