"""Load beside the steps of a recovery test, and its absence."""

from ...recovery.run.clientload import START_LIMIT, ClientLoad
from ...workers.control import Control
from ...workers.lease import Lease
from ..fakes.clock import FakeClock
from ..fakes.cluster import FakeCluster
from ..fakes.workers import FakeLauncher


class Rules:
    """Be abort rules that remember when load must be over."""

    deadline = 0.0

    def load_started(self, name, deadline, pools=()):
        self.deadline = deadline

    def load_ended(self):
        pass

    def check(self, now):
        return 'DEADLINE: over' if now > self.deadline else None


def test_a_test_without_load_may_take_as_long_as_its_steps():
    clock, rules = FakeClock(), Rules()
    control = Control(clock)
    lease = Lease(FakeCluster(), 15.0, control)
    load = ClientLoad(FakeLauncher(), control, rules, lease)
    load.start('1', {}, (), 600.0)
    assert rules.deadline == clock.now + START_LIMIT + 600.0
    for _ in range(600):
        load.tick()
        control.wait(1.0)
    load.stop()
