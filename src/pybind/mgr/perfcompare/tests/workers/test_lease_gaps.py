"""The lease of load is renewed whatever whoever guards it waits for."""

from typing import List

import threading

import pytest

from ...common.errors import TryAgain
from ...execution.heartbeat import PERIOD, Heartbeat
from ...recovery.run.clientload import ClientLoad
from ...worker.wire import jobs
from ...workers.control import Control
from ...workers.lease import Lease
from ...workers.load_run import LoadRun
from ..fakes.abort_bench import Bench
from ..fakes.clock import FakeClock
from ..fakes.workers import FakeLauncher, FakeWorker

SLOW = 0.4  # of a lease: what a look, or a watch, may take

JOB = jobs.Trial(
    access=jobs.Access('/c/ceph.conf', '/c/keyring', 'client.x', 'pool'),
    concurrency=4,
    deadline=600.0,
    op='write',
    size=4096,
    duration=10.0,
    run_name='r',
    max_objects=100,
)


class Mons:
    """Be mons that answer, or that are silent for a time limit."""

    def __init__(self, clock: FakeClock) -> None:
        self.clock = clock
        self.silent = False

    def mon_round_trip(self) -> None:
        if self.silent:
            self.clock.now += 5.0
            raise TryAgain('no mon')


class SlowRules:
    """Be abort rules that a silent orchestrator holds up."""

    def __init__(self, clock: FakeClock, seconds: float) -> None:
        self.clock, self.seconds, self.looks = clock, seconds, 0

    def load_started(self, *told: object) -> None:
        pass

    load_progress = load_started

    def load_ended(self) -> None:
        pass

    def check(self, now: float) -> None:
        self.looks += 1
        self.clock.now += self.seconds


def noted(monkeypatch: pytest.MonkeyPatch, clock: FakeClock) -> List[float]:
    """Return where the times of renewals will be."""
    times: List[float] = []

    def renew(worker: FakeWorker, ttl: float = 0.0) -> bool:
        times.append(clock.now)
        return True

    monkeypatch.setattr(FakeWorker, 'renew', renew)
    return times


def longest(times: List[float]) -> float:
    return max(b - a for a, b in zip(times, times[1:]))


@pytest.mark.parametrize('seconds', [15.0, 10.0])
def test_a_slow_watch_and_a_slow_look_cost_no_lease(
    monkeypatch: pytest.MonkeyPatch, seconds: float
) -> None:
    clock = FakeClock()
    renewals = noted(monkeypatch, clock)
    rules = SlowRules(clock, SLOW * seconds)
    control = Control(clock)
    lease = Lease(Mons(clock), seconds, control)
    launcher = FakeLauncher(steps=100, clock=clock.wall)
    loads = LoadRun(launcher, control, rules, lease)  # type: ignore

    def tick() -> None:
        clock.now += SLOW * seconds

    loads.run('x', JOB, (), on_tick=tick)
    assert rules.looks > 10 and longest(renewals) < seconds


@pytest.mark.parametrize('seconds', [15.0, 10.0])
def test_a_slow_look_beside_a_step_costs_no_lease(
    monkeypatch: pytest.MonkeyPatch, seconds: float
) -> None:
    clock = FakeClock()
    renewals = noted(monkeypatch, clock)
    rules = SlowRules(clock, SLOW * seconds)
    control = Control(clock)
    lease = Lease(Mons(clock), seconds, control)
    launcher = FakeLauncher(steps=1000, clock=clock.wall)
    load = ClientLoad(launcher, control, rules, lease)  # type: ignore
    load.start('1', {'write': JOB}, (), 600.0)
    for _ in range(100):
        load.tick()
        control.wait(SLOW * seconds)  # what a step does between ticks
    load.stop()
    assert longest(renewals) < seconds


def test_silent_mons_are_not_asked_by_every_hold() -> None:
    clock = FakeClock()
    mons = Mons(clock)
    lease = Lease(mons, 15.0, clock)
    mons.silent = True
    before = clock.now
    for _ in range(3):  # of one look at the load
        lease.hold()
    assert clock.now - before == 5.0


def test_a_sign_of_life_that_hangs_holds_nobody_up() -> None:
    clock, hanging, done = FakeClock(), threading.Event(), []

    def touch() -> None:
        done.append(clock.now)
        hanging.wait(30.0)
        raise TryAgain('no mon')

    heart = Heartbeat(touch, clock)
    threads = threading.active_count()
    for _ in range(5):
        heart.beat()  # would hang here
        clock.now += PERIOD
    assert len(done) == 1 and threading.active_count() == threads + 1
    hanging.set()
    for _ in range(100):
        heart.beat()
        clock.now += PERIOD
        if len(done) > 1:
            return
    pytest.fail('no sign of life any more')


def test_an_orchestrator_that_hangs_holds_no_look_up() -> None:
    bench = Bench()
    hanging = threading.Event()
    original = bench.cluster.upgrade_in_progress

    def hang() -> object:
        hanging.wait(30.0)
        return original()

    setattr(bench.cluster, 'upgrade_in_progress', hang)
    bench.cluster.upgrade = 'to 20.2.5'
    assert bench.check(12) is None
    bench.cluster.set_health('SLOW_OPS', 'it happened')
    abort = bench.check()
    assert abort is not None and abort.rule == 'SLOW_OPS'
    hanging.set()


def test_an_answer_that_comes_late_is_not_lost() -> None:
    bench = Bench()
    hanging, began = threading.Event(), threading.Event()

    def hang() -> str:
        began.set()
        hanging.wait(30.0)
        return 'to 20.2.5'

    setattr(bench.cluster, 'upgrade_in_progress', hang)
    while not began.is_set():
        assert bench.check() is None
    hanging.set()
    for _ in range(12):
        abort = bench.check()
        if abort is not None:
            assert abort.rule == 'UPGRADE'
            return
    pytest.fail('nobody heard of the upgrade')
