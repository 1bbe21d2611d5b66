"""What a trial that is cut can have done, by what its load told."""

from typing import Optional

from perfcompare.execution.trial import _Told
from perfcompare.worker.wire.protocol import Live


def live(
    phase: str, ops: int, rate: Optional[float], most: Optional[int] = None
) -> Live:
    return Live(1.0, 1.0, phase, ops, rate, None, None, 8, 0.0, 1, most=most)


def test_it_is_what_was_done_and_may_be_by_the_next_report() -> None:
    told = _Told(lambda one: None)
    told.take(live('prefill', 5000, 900.0))
    assert told.most == 0
    told.take(live('measure', 100, 50.0))
    assert told.most == 100 + 8 + 50


def test_a_load_that_does_not_count_says_what_it_can_be() -> None:
    told = _Told(lambda one: None)
    told.take(live('measure', 0, None, 1200))
    assert told.most == 1200


def test_bursts_add_up_while_their_objects_are_written_as_well() -> None:
    told = _Told(lambda one: None)
    told.take(live('measure', 900, 500.0, 1000))
    told.take(live('prefill', 10, 100.0, 2000))
    assert told.most == 2000
