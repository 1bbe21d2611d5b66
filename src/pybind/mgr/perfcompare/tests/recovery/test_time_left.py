"""The time that is left of a recovery test."""

from ...recovery.run.time_left import TimeLeft
from ..fakes.clock import FakeClock


def begun(planned, work, done=0):
    clock = FakeClock()
    return TimeLeft(planned, work, done, clock.monotonic), clock


def test_the_plan_says_it_until_a_repetition_is_over():
    left, clock = begun(100.0, 4)
    assert left.seconds() == 100.0
    left.begins()
    clock.now += 60.0
    assert left.seconds() == 40.0
    clock.now += 60.0
    assert left.seconds() is None  # longer than estimated


def test_repetitions_that_are_left_take_what_those_before_took():
    left, clock = begun(100.0, 4)
    clock.now += 300.0  # writing objects took longer than planned
    left.begins()
    clock.now += 100.0
    left.repeated()
    assert left.seconds() == 300.0
    left.begins()
    clock.now += 20.0
    assert left.seconds() == 280.0
    left.repeated()
    assert left.seconds() == 120.0  # two of 60 s on average


def test_at_the_end_nothing_is_left():
    left, clock = begun(100.0, 1)
    left.begins()
    clock.now += 90.0
    left.repeated()
    clock.now += 300.0
    assert left.seconds() == 0.0


def test_what_a_manager_before_did_is_not_planned_again():
    left, clock = begun(100.0, 4, 3)
    assert left.seconds() == 25.0
    left.begins()
    clock.now += 40.0
    left.repeated()
    assert left.seconds() == 0.0
