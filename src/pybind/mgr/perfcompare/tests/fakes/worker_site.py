"""A place for real workers with a fake `rados`, for tests."""

import json
import os
import sys
import time

import pytest

from perfcompare.worker.wire import jobs
from perfcompare.worker.wire.protocol import Ended, Ready, Started
from perfcompare.workers.outcomes import WorkerFailed
from perfcompare.workers.process import ProcessLauncher

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
            f'#!/bin/sh\nexec {sys.executable} -S {HERE}/rados.py "$@"\n'
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


def drive(worker, job, until=Ended, limit=60.0, go=True):
    """Lead ``worker`` until an event of class ``until``; return all."""
    worker.start(job)
    return follow(worker, until, limit, go)


def follow(worker, until=Ended, limit=60.0, go=True, beside=()):
    """Follow ``worker`` as in drive; those ``beside`` it keep their lease."""
    seen, end = [], time.monotonic() + limit
    while time.monotonic() < end:
        for event in worker.poll():
            seen.append(event)
            if isinstance(event, Ready) and go:
                worker.go()
        if any(isinstance(e, until) for e in seen):
            return seen
        for one in (worker, *beside):
            one.renew()
        time.sleep(0.02)
    raise AssertionError(f'no {until.__name__} in {limit} s: {seen}')


def alive(pid):
    """Say whether ``pid`` runs (a zombie does not)."""
    try:
        with open(f'/proc/{pid}/stat') as file:
            return file.read().rpartition(')')[2].split()[0] not in 'ZX'
    except OSError:
        return False


def gone(pids, limit=10.0):
    end = time.monotonic() + limit
    while any(alive(p) for p in pids) and time.monotonic() < end:
        time.sleep(0.02)
    return not any(alive(p) for p in pids)


def loading(site, worker, count=1):
    """Wait until ``count`` load processes run; return their ids."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        worker.poll()
        worker.renew()
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


def failure(site, job, **conf):
    site.set(**conf)
    worker = site.worker()
    drive(worker, job)
    with pytest.raises(WorkerFailed) as caught:
        worker.outcome()
    assert gone(site.pids())
    assert '\n' not in caught.value.message
    return caught.value


PARENT = '''
import sys, time
sys.path.insert(0, {root!r})
from perfcompare.tests.fakes.worker_site import Site, drive, loading
from perfcompare.worker.wire.protocol import Started
import pathlib
site = Site(pathlib.Path({path!r}))
site.set(mode={mode!r}, rate=500)
worker = site.worker()
drive(worker, site.write(duration=30.0, deadline=60.0, clients=2), Started)
pids = loading(site, worker, 2)
print(worker.pid, *pids, flush=True)
time.sleep(60)
'''
