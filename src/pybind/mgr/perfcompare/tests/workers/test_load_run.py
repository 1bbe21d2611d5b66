"""Load under its lease, its abort rules and brakes, in a time of its own."""

import pytest

from ...common.errors import TryAgain
from ...model.run import RunState
from ...workers.control import Control, Stopped
from ...workers.lease import Lease
from ...workers.load_run import WATCH, AbortMonitor
from ..fakes.clock import FakeClock


class Mons:
    """Be mons that answer, or do not."""

    def __init__(self):
        self.silent = False
        self.asked = 0

    def mon_round_trip(self):
        self.asked += 1
        if self.silent:
            raise TryAgain('no mon')


class Held:
    ended = False

    def __init__(self):
        self.renewals = []

    def renew(self, ttl):
        self.renewals.append(ttl)
        return True


@pytest.fixture
def clock():
    return FakeClock()


def test_a_lease_is_renewed_by_thirds_and_for_all_that_joined(clock):
    mons, one, other = Mons(), Held(), Held()
    lease = Lease(mons, 15.0, clock)
    lease.join(other)
    for _ in range(11):
        lease.hold(one)
        clock.wait(1.0)
    # at 0, 5 and 10 seconds
    assert one.renewals == other.renewals == [15.0] * 3 == [15.0] * mons.asked
    lease.leave(other)
    lease.fresh()
    other.ended = one.ended = True
    lease.hold(one)
    assert mons.asked == 4 and len(other.renewals) == len(one.renewals) == 3


def test_a_lease_is_lost_when_no_mon_answered_for_its_time(clock):
    mons, held = Mons(), Held()
    lease = Lease(mons, 15.0, clock)
    mons.silent = True
    for _ in range(15):
        lease.hold(held)
        clock.wait(1.0)
    assert lease.problem() == '' and held.renewals == []
    assert mons.asked == 15  # each second, until one answers
    clock.wait(1.0)
    assert lease.problem() == 'no Monitor answered for 16 s (no mon)'
    mons.silent = False
    lease.hold(held)
    assert lease.problem() == '' and held.renewals == [15.0]


class Rules:
    """Be abort rules, of which one fires at a time."""

    def __init__(self, at):
        self.at = at
        self.looks = []

    def check(self, now):
        self.looks.append(now)
        return 'QUORUM: lost' if now >= self.at else None


def test_abort_rules_are_looked_at_every_few_seconds(clock):
    rules = Rules(clock.now + 2 * WATCH)
    begin, control = clock.now, Control(clock)
    monitor = AbortMonitor(control, rules)
    with pytest.raises(Stopped) as caught:
        while True:
            monitor.look()
            control.wait(0.5)
    assert [t - begin for t in rules.looks] == [0.0, WATCH, 2 * WATCH]
    assert caught.value.state is RunState.ABORTED
    assert caught.value.reason == 'QUORUM: lost'
