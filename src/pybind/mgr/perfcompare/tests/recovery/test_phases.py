"""Tests of which phases a recovery has."""

from ...model.recovery import Fate, Mark, Moment, Phase
from ...recovery.judge.phases import phases_of
from .test_timeline import T, make_timeline, out, poll


def moments(t4):
    found = {
        mark: Moment(Fate.REACHED, T + i, 0.1)
        for i, mark in enumerate(Mark)
        if mark is not Mark.T0
    }
    return {Mark.T0: Moment(), **found, Mark.T4: t4}


def test_data_only_moved_from_t3_on_where_nothing_was_degraded():
    *_, last = phases_of(moments(Moment(Fate.SKIPPED)), [], None)
    assert (last.phase, last.began) == (Phase.MOVING, T + 3)


def test_nobody_knows_when_data_only_moved_where_t4_is_not_known():
    found = phases_of(moments(Moment()), [], None)
    assert [p.phase for p in found] == [Phase.PEERING, Phase.WAITING]


def test_moves_that_may_have_degraded_something_have_no_phase_of_moving():
    events, polls = out(1.9)
    polls.append(
        poll(13, affected=9, active_at=8.0, clean_at=9.0, worked_by=8.9,
             objects_recovered=2000.0)
    )  # fmt: skip
    found = make_timeline('x', T, T + 14, events, polls)
    assert found.mark(Mark.T4).fate is Fate.UNKNOWN
    assert found.mark(Mark.T5).reached
    assert Phase.MOVING not in {p.phase for p in found.phases}
