"""Samples of many hosts are asked of a server in the time that there is."""

import time

import pytest

from perfcompare.worker.wire.protocol import Ended, Started
from perfcompare.worker.wire.scrape_jobs import Scrape, Target
from perfcompare.workers.process import ProcessLauncher

from ..fakes.exporter import Exporter

pytestmark = pytest.mark.process

PLACE = 'http://10.0.0.9:9100/metrics'


@pytest.fixture
def server():
    hosts = ('arm-1', 'arm-2', 'arm-3')
    found = Exporter(
        targets=[
            {
                'scrapeUrl': PLACE,
                'labels': {'job': 'node', 'instance': f'{host}:9100'},
            }
            for host in hosts
        ],
        hangs='arm-2:9100',
    )
    yield found
    found.shutdown()
    found.server_close()


def until(worker, kind):
    """Wait for an event of a worker."""
    end = time.monotonic() + 60
    while not any(isinstance(e, kind) for e in worker.poll()):
        assert time.monotonic() < end
        worker.renew()
        time.sleep(0.02)


def test_what_was_read_in_time_is_not_lost_with_the_rest(tmp_path, server):
    targets = [Target(f'arm-{i}', PLACE) for i in (1, 2, 3)]
    job = Scrape(
        deadline=120.0,
        targets=tuple(targets),
        timeout=60.0,
        prometheus=server.url.rsplit('/', 1)[0],
        query=True,
    )
    worker = ProcessLauncher(str(tmp_path / 'run')).worker('scrape')
    worker.start(job)
    worker.go()
    until(worker, Started)
    now = time.time()
    worker.stop(16.0, (now - 20.0, now))
    until(worker, Ended)
    assert worker.returncode == 0
    found = worker.outcome().evidence
    assert set(found['hosts']) == {'arm-1', 'arm-3'} == set(found['tables'])
    assert found['problems'] == {
        'arm-2': 'Prometheus: not read within 8 s after the trial'
    }
