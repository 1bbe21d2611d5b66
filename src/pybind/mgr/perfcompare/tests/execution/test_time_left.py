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


def test_at_first_it_is_that_of_the_plan(hands: Hands) -> None:
    left = TimeLeft(200.0, 0.0, hands)
    assert left.seconds(0.0) == 200.0
    hands.at += 50.0
    assert left.seconds(0.0) == 150.0
    hands.at += 160.0
    assert left.seconds(0.0) is None  # longer than estimated


def test_then_it_is_by_its_own_pace(hands: Hands) -> None:
    left = TimeLeft(200.0, 0.0, hands)
    hands.at += 100.0
    assert left.seconds(0.25) == pytest.approx(300.0)


def test_while_a_trial_lasts_it_never_grows(hands: Hands) -> None:
    left = TimeLeft(200.0, 0.0, hands)
    hands.at += 100.0
    told = [left.seconds(0.5)]
    for _ in range(8):
        hands.at += 10.0
        told.append(left.seconds(0.5))
    assert told == [100.0 - 10.0 * turn for turn in range(9)]
    hands.at += 20.0
    assert left.seconds(0.5) is None


def test_what_a_former_manager_did_says_nothing_of_its_pace(
    hands: Hands,
) -> None:
    left = TimeLeft(200.0, 0.6, hands)
    assert left.seconds(0.6) == pytest.approx(80.0)
    hands.at += 30.0
    assert left.seconds(0.8) == pytest.approx(30.0)
