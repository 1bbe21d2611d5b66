"""How long a trial waits for the figures of its hosts, and what it says."""

import pytest

from perfcompare.common.settings import Settings
from perfcompare.hosts.watch import END, QUERIED, QUERIED_MOST, HostWatch
from perfcompare.model.outcome import Outcome
from perfcompare.ports.trial_watch import TrialContext
from perfcompare.workers.lease import Lease

from ..data.bench_data import run_plan
from ..data.run_data import make_workload
from ..fakes.clock import FakeClock
from ..fakes.cluster import FakeCluster
from ..fakes.workers import FakeLauncher, FakeWorker

PROMETHEUS = {
    'host_metrics': 'prometheus',
    'prometheus_url': 'http://10.0.0.5:9095',
}


class Deaf(FakeWorker):
    """Go on, whatever it is told."""

    def stop(self, grace=2.0, window=None):
        self.launcher.graces.append(grace)


class Launcher(FakeLauncher):
    def __init__(self):
        super().__init__(steps=10**6)
        self.silent = True
        self.graces = []

    def worker(self, name):
        return Deaf(self, name)


class Scene:
    """A watch whose worker never ends."""

    def __init__(self, folder, **options):
        self.clock = FakeClock()
        self.launcher = Launcher()
        self.stopping = False
        cluster = FakeCluster()
        plan = run_plan(cluster)
        group = plan.group('x86')
        self.context = TrialContext(
            plan,
            make_workload('write-4K-c16'),
            group,
            group.pools[0],
            'r1',
        )
        self.watch = HostWatch(
            cluster,
            self.launcher,
            Lease(cluster, 15.0, self.clock),
            lambda: Settings(**options),
            str(folder),
            lambda: self.stopping,
            clock=self.clock,
        )

    def trial(self, seconds):
        """Return the seconds that a trial waited, and its notes."""
        self.watch.begin(self.context)
        began = self.clock.now
        outcome = Outcome('trial', began, began + seconds)
        self.clock.now = ended = outcome.ended
        seen = self.watch.end(outcome)
        return self.clock.now - ended, seen.notes


def test_a_note_says_that_figures_came_too_late(tmp_path):
    scene = Scene(tmp_path)
    waited, (note,) = scene.trial(300.0)
    assert scene.launcher.graces == [END]
    assert waited == pytest.approx(END + 1.0, abs=0.1)
    assert note == (
        'hosts: not available (no result within 13 s after the trial)'
    )


@pytest.mark.parametrize('seconds', [30.0, 3600.0, 3e6])
def test_more_samples_of_a_prometheus_server_take_longer(tmp_path, seconds):
    scene = Scene(tmp_path, **PROMETHEUS)
    waited, _ = scene.trial(seconds)
    hosts = len(scene.context.group.hosts) + 1  # and the client
    more = min(QUERIED_MOST, QUERIED * hosts * seconds)
    assert scene.launcher.graces == [pytest.approx(END + more)]
    assert waited == pytest.approx(END + more + 1.0, abs=0.1)


def test_a_run_that_is_to_end_does_not_wait_for_many_hosts(tmp_path):
    scene = Scene(tmp_path, **PROMETHEUS)
    scene.stopping = True
    waited, _ = scene.trial(3e6)
    assert waited == pytest.approx(END + 1.0, abs=0.1)
