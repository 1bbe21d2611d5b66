"""Load beside the steps of a recovery test, and its absence."""

import pytest

from ...common.settings import Settings
from ...guard.abort.watch import AbortWatch
from ...recovery.run import clientload
from ...recovery.run.clientload import START_LIMIT, ClientLoad
from ...worker.wire import jobs
from ...workers.control import Control, Stopped
from ...workers.lease import Lease
from ..fakes.clock import FakeClock
from ..fakes.cluster import FakeCluster
from ..fakes.workers import FakeLauncher


class Rules:
    """Be abort rules that remember when load must be over."""

    deadline = 0.0
    errors = 0

    def load_started(self, name, deadline, pools=()):
        self.deadline = deadline

    def load_ended(self):
        pass

    def load_progress(self, ops, errors):
        self.ops, self.errors = ops, errors

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


def loaded(clock, launcher, seconds=60.0, rules=None):
    control = Control(clock)
    lease = Lease(FakeCluster(), 15.0, control)
    load = ClientLoad(launcher, control, rules or Rules(), lease)
    job = jobs.Trial(
        access=jobs.Access('/c/ceph.conf', '/c/keyring', 'client.x', 'pool'),
        concurrency=4, deadline=seconds, op='write', size=4096, duration=10.0,
        run_name='r', max_objects=100,
    )  # fmt: skip
    names = ('write', 'rand')
    load.start('1', {name: job for name in names}, (), seconds)
    return load, control


def test_operations_that_nobody_makes_any_more_are_not_live():
    clock = FakeClock()
    launcher = FakeLauncher(
        steps=100, rate=lambda job: 50.0, clock=clock.wall
    )
    load, control = loaded(clock, launcher)
    for _ in range(3):
        control.wait(1.0)
        load.tick()
    assert load.live == 100.0
    launcher.started[0].kill()
    control.wait(1.0)
    load.tick()
    assert load.problems and load.live == 50.0
    launcher.silent = True
    for _ in range(4):
        control.wait(1.0)
        load.tick()
    assert load.live == 0.0


def test_failed_operations_of_all_loads_are_told_once_they_are_no_news():
    clock, rules = FakeClock(), Rules()
    launcher = FakeLauncher(
        steps=100, rate=lambda job: 50.0, clock=clock.wall
    )
    launcher.failing = 4
    load, control = loaded(clock, launcher, rules=rules)
    for _ in range(2):
        control.wait(1.0)
        load.tick()
    assert (rules.ops, rules.errors) == (300, 0)
    launcher.failing = 0
    for _ in range(4):
        control.wait(1.0)
        load.tick()
    assert rules.errors == 2 * 3 * 4
    launcher.started[0].kill()  # what one saw does not go with it
    control.wait(1.0)
    load.tick()
    assert rules.errors == 2 * 3 * 4
    load.stop()


def test_too_many_failed_operations_end_a_test():
    clock = FakeClock()
    watch = AbortWatch(
        FakeCluster(), Settings, lambda pools: frozenset(), clock.now
    )
    launcher = FakeLauncher(
        steps=100, rate=lambda job: 50.0, clock=clock.wall
    )
    launcher.failing = 2
    load, control = loaded(clock, launcher, rules=watch)
    with pytest.raises(Stopped, match='^ERROR_BUDGET: .* failed$'):
        for _ in range(20):
            control.wait(1.0)
            load.tick()
    (worst,) = [v for v in watch.values() if v.rule == 'ERROR_BUDGET']
    assert worst.fired
    load.stop()


def test_load_that_was_stopped_is_not_live():
    clock = FakeClock()
    launcher = FakeLauncher(steps=100, clock=clock.wall)
    load, control = loaded(clock, launcher)
    for _ in range(3):
        control.wait(1.0)
        load.tick()
    assert load.live > 0.0
    load.stop()
    assert load.live == 0.0


def test_samples_of_a_long_load_are_bounded_and_go_with_their_step(
    monkeypatch,
):
    monkeypatch.setattr(clientload, 'MOST', 40)
    clock = FakeClock()
    launcher = FakeLauncher(
        steps=2000, rate=lambda job: 50.0, clock=clock.wall
    )
    load, control = loaded(clock, launcher, 600.0)
    for _ in range(500):
        control.wait(1.0)
        load.tick()
    for samples in load.samples.values():
        assert len(samples) <= 41
        first, last = samples[0], samples[-1]
        assert last.at - first.at > 460.0
        rate = (last.ops - first.ops) / (last.at - first.at)
        assert rate == pytest.approx(50.0)
    assert load.live == 100.0
    load.begins(clock.wall())
    assert all(len(s) <= 41 for s in load.samples.values())
    assert load.live == 100.0
    first = min(s[0].at for s in load.samples.values())
    assert clock.wall() - first < 100.0
    load.stop()
