"""Tests of what PGs that others serve for a while say of copies that lack."""

import dataclasses

import pytest

from ...model.recovery import Cause, CauseKind, Fate, Mark
from ...recovery.judge.records import MapEvent
from ...recovery.judge.timeline import make_timeline
from ...recovery.observe.homes import (
    COMMIT,
    HOMING,
    PgTempTracker,
    RemappedPg,
    Whole,
    lacking,
)
from ...recovery.observe.pgbook import PgTracker, Scope
from .test_timeline import T, alive, event, of, poll
from .test_watch import osdmap, pg

HOME = Whole(600.0, True, True, False, RemappedPg(False, False, 590.0, 588.7))
SHORT = dataclasses.replace(HOME, away=RemappedPg(True, False, 590.0, 588.7))
IN_PLACE = Whole(605.0, True, True, True, None)
IDLE = dataclasses.replace(IN_PLACE, clean_at=620.0, grew=False)


def at(epoch, when, kind=None, temps=(), **fields):
    """Return a look at the map: its facts, and what happened."""
    causes = (Cause(kind, when, (1,)),) if kind is not None else ()
    facts = dataclasses.replace(osdmap(epoch), temps=dict(temps), **fields)
    return facts, [MapEvent(when, 0.1, epoch, True, False, causes)]


def followed(*looks):
    homes = PgTempTracker(osdmap(10))
    for look in looks:
        homes.note(*look)
    return homes


OUT = at(11, 1.0, CauseKind.OSD_OUT)


def test_entry_that_goes_is_the_end_of_a_backfill():
    homes = followed(OUT, at(12, 2.0, temps={'1.0': 2}), at(13, 9.0))
    assert homes.of('1.0') == RemappedPg(False, False, 9.0, 9.0 - HOMING)
    assert homes.of('1.1') is None and homes.in_place('1.1', 11)


def test_slow_monitors_are_slow_to_let_go():
    homes = followed(OUT, at(12, 7.0, temps={'1.0': 2}), at(13, 9.0))
    assert homes.of('1.0').ready_from == 7.0 - COMMIT


def test_fewer_osds_than_copies_are_short():
    homes = followed(OUT, at(12, 2.0, temps={'1.0': 1}))
    assert homes.of('1.0') == RemappedPg(True)


@pytest.mark.parametrize(
    'look, disturbed',
    [
        (at(13, 5.0, CauseKind.OSD_IN), True),
        (at(13, 5.0, CauseKind.UPMAP, upmapped={'1.0': 'to 2'}), True),
        (at(13, 5.0, CauseKind.UPMAP, upmapped={'1.7': 'to 2'}), False),
    ],
)
def test_entry_that_went_with_another_change_says_less(look, disturbed):
    homes = followed(OUT, at(12, 2.0, temps={'1.0': 2}), look)
    assert homes.of('1.0').disturbed is disturbed


def test_pg_that_others_go_on_to_serve_was_not_disturbed():
    """It is active where the map has it: its entry stands."""
    change = at(13, 5.0, CauseKind.OSD_IN, temps={'1.0': 2})
    made, facts = book(OUT, at(12, 2.0, temps={'1.0': 2}), change)
    there = pg(state='active+remapped+backfilling', remapped=True)
    for reported, disturbed in (
        (there._replace(moved=True), True),
        (there._replace(words=('remapped', 'peering')), True),
        (there, False),
    ):
        made.walk(601, 7.0, [reported], facts, frozenset((1,)))
        assert made.homes.of('1.0').disturbed is disturbed


def test_epochs_that_were_passed_over_may_have_had_entries():
    homes = followed(OUT, at(14, 4.0))
    assert homes.in_place('1.0', 11)
    assert not homes.in_place('1.0', 13)
    assert not homes.in_place('1.0', 14)


def test_pg_that_enough_osds_serve_lacks_nothing():
    found = lacking([HOME, IDLE])
    assert (found.surely, found.maybe, found.last_by) == (0, 0, None)


def test_pg_that_too_few_serve_lacks_copies_until_it_is_let_go():
    found = lacking([HOME, SHORT])
    assert (found.surely, found.last_by) == (1, 590.0)
    assert found.last_from == 588.7


def test_pg_that_recovers_in_place_lacks_copies_until_it_is_clean():
    found = lacking([IN_PLACE, SHORT, IDLE])
    assert (found.last_from, found.last_by, found.all_by) == (605, 605, 620)


def test_pg_that_was_elsewhere_between_is_not_surely_the_last():
    found = lacking([dataclasses.replace(IN_PLACE, grew_here=False)])
    assert (found.surely, found.last_from, found.last_by) == (1, None, 605.0)


def test_unknown_ways_home_are_told():
    disturbed = dataclasses.replace(HOME, away=RemappedPg(False, True, 590.0))
    unseen = dataclasses.replace(IN_PLACE, in_place=False)
    assert lacking([disturbed, unseen]).maybe == 2
    assert lacking([HOME, dataclasses.replace(HOME, clean_at=None)]) is None


def book(*looks):
    homes = followed(*looks)
    return PgTracker([Scope('all')], 11, 600.0, homes), looks[-1][0]


def test_book_tells_which_pgs_recovered_in_place():
    made, facts = book(OUT)
    pools = frozenset((1,))
    (found,) = made.walk(601, 7.0, [pg()], facts, pools)
    assert found.lacking is None  # nothing has happened to it
    now = pg(mapping_epoch=11, objects_recovered=5, last_change=605.0,
             became_active=602.0)  # fmt: skip
    (found,) = made.walk(606, 7.0, [now], facts, pools)
    assert found.lacking.surely == 1
    assert found.lacking.last_from == found.lacking.last_by == 605.0
    # nothing more is recovered where it goes next
    then = now._replace(mapping_epoch=12, last_change=610.0)
    (found,) = made.walk(611, 7.0, [then], facts, pools)
    assert (found.lacking.last_from, found.lacking.last_by) == (None, 610.0)


# t4 of moves that no look found under way


def moves(*pgs):
    events = [event(0, 10, kind=CauseKind.OSD_OUT), alive(1, 11)]
    told = lacking(
        [dataclasses.replace(p, clean_at=p.clean_at + T - 600) for p in pgs]
    )
    polls = [
        poll(0.1, conclusive=False),
        poll(9, affected=8, active_at=2.0, worked_by=4.0, clean_at=8.0,
             objects_recovered=900.0, bytes_recovered=9e6, lacking=told),
    ]  # fmt: skip
    return make_timeline('x', T, T + 10, events, polls)


def test_moves_that_the_map_explains_degraded_nothing():
    timeline = moves(HOME, IDLE)
    assert (timeline.way, timeline.backfilled) == ('backfill', 1)
    found = timeline.mark(Mark.T4)
    assert (found.fate, found.source) == (Fate.SKIPPED, 'osd map')
    last = timeline.events[-1]
    assert (last.at, 'in its own place' in last.text) == (590.0, True)


def test_moves_in_place_are_whole_when_the_last_is_clean():
    found = moves(HOME, IN_PLACE)
    assert of(found, Mark.T4) == pytest.approx(5.0)
    assert found.mark(Mark.T4).accuracy == pytest.approx(0.1)


def test_moves_that_the_map_does_not_explain_say_nothing():
    unseen = dataclasses.replace(IN_PLACE, in_place=False)
    assert moves(HOME, unseen).mark(Mark.T4).fate is Fate.UNKNOWN


def test_log_recovery_that_nobody_saw_ends_with_the_last_pg():
    events = [
        event(0, 10, kind=CauseKind.OSD_DOWN),
        alive(0.9, 11),
        event(3, 12, kind=CauseKind.OSD_UP),
        alive(4, 13),
    ]
    told = lacking([dataclasses.replace(IN_PLACE, clean_at=T + 6.5)])
    polls = [
        poll(9, affected=8, active_at=4.1, worked_by=5.0, clean_at=6.5,
             objects_recovered=90.0, lacking=told),
    ]  # fmt: skip
    found = make_timeline('x', T, T + 20, events, polls)
    assert of(found, Mark.T4) == pytest.approx(6.5)
    assert found.mark(Mark.T4).accuracy == pytest.approx(0.1)
