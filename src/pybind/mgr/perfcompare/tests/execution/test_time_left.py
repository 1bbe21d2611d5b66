"""Tests of how long a run goes on."""

import pytest

from perfcompare.execution.time_left import TimeLeft


class Hands:
    def __init__(self) -> None:
        self.at = 100.0

    def __call__(self) -> float:
        return self.at


@pytest.fixture
def hands() -> Hands:
    return Hands()


def paced(hands: Hands, *took: float) -> TimeLeft:
    """Return it when trials took so long, and the next one begins."""
    left = TimeLeft(200.0, hands)
    for seconds in took:
        left.begins()
        hands.at += seconds
    left.begins()
    return left


def test_at_first_it_is_that_of_the_plan(hands: Hands) -> None:
    left = TimeLeft(200.0, hands)
    assert left.seconds(9, 9) == (200.0, 200.0)
    hands.at += 50.0
    left.begins()
    assert left.seconds(9, 9) == (150.0, 150.0)
    hands.at += 160.0
    assert left.seconds(9, 9) is None  # longer than estimated


def test_what_may_be_left_out_is_in_the_most_alone(hands: Hands) -> None:
    left = TimeLeft(200.0, hands)
    assert left.seconds(9, 4) == (100.0, 200.0)
    assert paced(hands, *[10.0] * 5).seconds(8, 2) == (30.0, 90.0)


def test_then_it_is_by_what_trials_took(hands: Hands) -> None:
    left = paced(hands, 10.0, 20.0, 12.0, 16.0, 30.0)
    assert left.seconds(5, 5) == (72.0, 120.0)


def test_while_a_trial_lasts_it_never_grows(hands: Hands) -> None:
    left = paced(hands, *[20.0] * 5)
    told = []
    for _ in range(5):
        found = left.seconds(3, 3)
        told.append(found and found.most)
        hands.at += 8.0
    assert told == [80.0, 72.0, 64.0, 60.0, 60.0]
    assert left.seconds(0, 0) is None


def test_each_next_trial_goes_on_where_the_last_one_was(hands: Hands) -> None:
    left = paced(hands, *[20.0] * 5)
    hands.at += 20.0
    before = left.seconds(3, 3)
    left.begins()
    assert left.seconds(2, 2) == before
