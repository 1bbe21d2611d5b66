"""S3 load beside a recovery, by real worker processes."""

import json
import time

import pytest

from ...recovery.judge import impact
from ...recovery.run.clientload import ClientLoad
from ...worker.wire.s3_jobs import S3Fill, S3Trial
from ...worker.wire.s3_spec import Endpoint, Weighted
from ...workers.control import Control
from ..fakes.s3_server import S3Server
from ..fakes.worker_site import Site

pytestmark = pytest.mark.process

MIX = (35.0, 45.0, 15.0, 5.0)


class Watch:
    def load_started(self, *args):
        pass

    load_progress = load_started
    load_ended = load_started

    def check(self, now):
        return None


class Lease:
    def __init__(self):
        self.workers = []

    def join(self, worker):
        self.workers.append(worker)

    def leave(self, worker):
        self.workers.remove(worker)

    def fresh(self):
        pass

    def hold(self):
        for worker in self.workers:
            worker.renew(15.0)


@pytest.fixture
def server():
    found = S3Server()
    yield found
    found.close()


def job(cls, site, server, **fields):
    keys = site.path / 'keys'
    keys.write_text(json.dumps({'access_key': 'A', 'secret_key': 'S'}))
    keys.chmod(0o600)
    return cls(
        access=site.access,
        deadline=60.0,
        concurrency=4,
        endpoints=(Endpoint(server.host, server.port),),
        credentials=str(keys),
        bucket='b',
        prefix='base-',
        objects=40,
        sizes=(Weighted(4096),),
        **fields,
    )


def test_latencies_of_a_mix_come_while_it_goes_on(tmp_path, server):
    site = Site(tmp_path)
    load = ClientLoad(site.launcher, Control(), Watch(), Lease())
    load.start('1', {'fill': job(S3Fill, site, server)}, (), 60.0)
    while load._workers:
        load.tick()
        time.sleep(0.05)
    base = [p for p in server.objects if b'/base-' in p]
    assert len(base) == 40, load.problems
    trial = job(
        S3Trial, site, server, mix=MIX, duration=60.0, write_prefix='new-',
        max_objects=100000, keep=True, slices=True,
    )  # fmt: skip
    load.start('2', {'s3-mixed': trial}, (), 60.0)
    began = time.time()
    end = time.monotonic() + 4.0
    while time.monotonic() < end:
        load.tick()
        time.sleep(0.1)
    assert load.problems == [] and load.uncounted() == []
    load.stop()
    found = impact.of_loads(
        load.samples, 4096, began, began + 3.0, load.latencies
    )
    assert found['s3-mixed_errors'] == 0
    for name in ('s3-mixed', 's3-mixed-get', 's3-mixed-put'):
        assert 0 < found[f'{name}_p50'] < 1.0
        assert found[f'{name}_samples'] > 0
        assert found[f'{name}_ops_per_s'] > 0
    # deletes took objects of the mix only
    assert all(p in server.objects for p in base)
