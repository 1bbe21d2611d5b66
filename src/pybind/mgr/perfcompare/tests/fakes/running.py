"""One mgr's runs over a cluster in memory, for tests."""

import pathlib
import tempfile
import threading
import time

import pytest

from perfcompare.app.requests import RunRequest
from perfcompare.common.errors import Busy
from perfcompare.common.settings import Settings
from perfcompare.composition import assemble
from perfcompare.store.results import FileDatabase, Store
from perfcompare.store.thread import DbThread

from ..data.guard_data import FakeToolbox
from .clock import FakeClock
from .cluster import FakeCluster
from .workers import FakeLauncher

REQUEST = RunRequest(groups=('x86', 'arm'), profile='smoke')


@pytest.fixture
def folder():
    # pytest's own folders are too long for sockets
    with tempfile.TemporaryDirectory() as path:
        yield pathlib.Path(path)


class Rig:
    """One mgr's life over a cluster that outlives it."""

    def __init__(
        self, cluster, folder, store=None, launcher=None, clock=None
    ):
        self.cluster = cluster
        self.folder = folder
        self.store = store or Store(FileDatabase())
        self.settings = Settings()
        # whoever takes over lives in the same time
        self.clock = clock or vars(cluster).setdefault(
            'clock', FakeClock(time.time(), nap=0.001)
        )
        self.launcher = launcher or FakeLauncher(clock=self.clock.wall)
        self.service = assemble(
            cluster,
            DbThread(self.store),
            FakeToolbox(),
            lambda: self.settings,
            lambda: str(folder),
            lambda path: self.launcher,
            lambda: 'client-1',
            self.clock,
        )
        self.stopping = threading.Event()
        self.thread = threading.Thread(
            target=self.service.serve, args=(self.stopping,), daemon=True
        )
        self.thread.start()

    def wait(self, condition, seconds=120.0):
        deadline = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < deadline, self.service.status()
            time.sleep(0.02)

    def start(self, request=REQUEST):
        self.wait(lambda: not self.service.status().warnings)
        return self.service.start(request).run

    def ended(self, run):
        self.wait(lambda: self.service.status().last.startswith(run))
        return self.service.results.show(run)

    def execute(self, request=REQUEST):
        return self.ended(self.start(request))

    def clean_up(self):
        """Return what the command says when nothing else is undoing."""
        found = []

        def asked():
            try:
                found.append(self.service.cleanup())
            except Busy:
                return False
            return True

        self.wait(asked)
        return found.pop()

    def stop(self):
        self.stopping.set()
        self.service.shutdown()
        self.thread.join(60)
        assert not self.thread.is_alive()


@pytest.fixture
def cluster():
    return FakeCluster()


@pytest.fixture
def rig(cluster, folder):
    found = Rig(cluster, folder)
    yield found
    found.stop()


def left(cluster):
    """Return what carries the name of a run in the cluster."""
    names = [p.name for p in cluster.pools()]
    names += list(cluster.rule_names()) + list(cluster.ec_profile_names())
    names += list(cluster.auth_entities()) + list(cluster.topology().buckets)
    names += list(cluster.kv_list('journal/'))
    names += list(cluster.kv_list('active/'))
    return [n for n in names if 'perfcompare' in n or '/' in n]
