"""Tests of moments and phases, from events and polls that are made up."""

import dataclasses

import pytest

from ...common.codec import from_data, to_data
from ...model.recovery import (
    Cause,
    CauseKind,
    Fate,
    Mark,
    Moment,
    Phase,
    Timeline,
)
from ...recovery.judge import milestones
from ...recovery.judge.records import Change, MapEvent, Poll
from ...recovery.judge.timeline import make_timeline

T = 1000.0


def event(at, epoch=10, interval=True, up_thru=False, kind=None, osd=0):
    causes = ()
    if kind is not None:
        causes = (Cause(kind, T + at, (osd,), f'osd.{osd}'),)
    return MapEvent(T + at, 0.1, epoch, interval, up_thru, causes)


def alive(at, epoch=11):
    return event(at, epoch, interval=False, up_thru=True)


def poll(at, **fields):
    values = dict(
        age=7.0, walked=True, conclusive=True, pgs=16, copies=1000,
        bytes_recovered=0.0, objects_recovered=0.0,
    )  # fmt: skip
    for name in list(fields):
        if name.endswith('_at') or name in (
            'worked_by', 'worked_from', 'undegraded_from', 'active_from',
        ):  # fmt: skip
            fields[name] += T
    values.update(fields)
    return Poll(at=T + at, **values)


def down_up(back=30.0):
    """Return an OSD that goes down and comes back, with log recovery."""
    events = [
        event(0, 10, kind=CauseKind.OSD_DOWN),
        alive(0.9, 11),
        event(back, 12, kind=CauseKind.OSD_UP),
        alive(back + 1.0, 13),
    ]
    polls = [
        poll(0.05, conclusive=False),
        poll(6, degraded=200, unclean=16, affected=16, active_at=0.95,
             states={'degraded': 16, 'undersized': 16}),
        poll(back + 2, conclusive=False, degraded=200, unclean=16,
             affected=16, states={'degraded': 16}),
        poll(back + 4, degraded=90, unclean=6, affected=16,
             active_at=back + 1.05, working_at=back + 1.5,
             objects_recovered=110.0, bytes_recovered=110e6,
             states={'degraded': 6, 'recovering': 2, 'recovery_wait': 4}),
        poll(back + 8, affected=16, active_at=back + 1.05,
             objects_recovered=200.0, bytes_recovered=200e6,
             undegraded_at=back + 5.5, undegraded_from=back + 5.5,
             clean_at=back + 5.5),
    ]  # fmt: skip
    return events, polls


def of(timeline, mark):
    moment = timeline.mark(mark)
    return moment.at - T if moment.at is not None else moment.fate


def test_an_osd_that_comes_back_has_all_moments():
    events, polls = down_up()
    found = make_timeline('x', T, T + 60, events, polls)
    assert [of(found, m) for m in Mark] == pytest.approx(
        [Fate.UNKNOWN, 0.0, 0.95, 31.5, 35.5, 35.5]
    )
    assert found.mark(Mark.T2).accuracy == milestones.EXACT
    assert found.mark(Mark.T2).source == 'pg stats'
    assert found.size.degraded == 200
    assert found.size.objects_recovered == 200.0
    assert found.states['recovering'] == 2
    assert found.way == 'log'


def test_phases_have_rates_from_counters_between_t3_and_t5():
    events, polls = down_up()
    found = make_timeline('x', T, T + 60, events, polls)
    phases = {p.phase: p for p in found.phases}
    assert list(phases) == [
        Phase.PEERING, Phase.WAITING, Phase.RECOVERY, Phase.MOVING,
    ]  # fmt: skip
    assert phases[Phase.WAITING].bytes_recovered == 0.0
    assert phases[Phase.RECOVERY].bytes_recovered == 200e6
    assert phases[Phase.RECOVERY].bytes_per_s == pytest.approx(50e6)
    assert phases[Phase.WAITING].degraded_share == 0.2
    assert phases[Phase.MOVING].bytes_per_s is None  # too short


def test_an_ordered_step_has_a_time_to_detect():
    events, polls = down_up()
    order = Moment(Fate.REACHED, T - 2.5, 0.0, 'order')
    found = make_timeline('x', T, T + 60, events, polls, order)
    assert found.span(Mark.T0, Mark.T1).seconds == 2.5
    assert found.phases[0].phase is Phase.DETECTION


def test_peering_is_seen_in_the_map_when_pgs_reported_too_late():
    events = [
        event(0, 10, kind=CauseKind.OSD_DOWN),
        alive(0.9, 11),
        event(3, 12, kind=CauseKind.OSD_UP),
        alive(4, 13),
    ]
    polls = [poll(7, affected=16, active_at=4.1, clean_at=4.2)]
    found = make_timeline('x', T, T + 20, events, polls)
    assert of(found, Mark.T2) == pytest.approx(1.0)
    assert found.mark(Mark.T2).source == 'osd map'
    assert of(found, Mark.T5) == pytest.approx(4.2)
    # while it was away, something was degraded; nobody saw it
    assert of(found, Mark.T4) == pytest.approx(3.6)
    assert found.mark(Mark.T4).accuracy == pytest.approx(0.6)


def test_a_stretch_too_short_to_peer_in_does_not_count():
    events = [
        event(0, 10, kind=CauseKind.OSD_DOWN),
        event(1.0, 11, up_thru=True, kind=CauseKind.OSD_UP),
        alive(2.0, 12),
    ]
    polls = [poll(6, affected=16, active_at=2.05, clean_at=2.06)]
    found = make_timeline('x', T, T + 20, events, polls)
    assert of(found, Mark.T2) == pytest.approx(2.05)
    assert found.mark(Mark.T3).fate is Fate.SKIPPED
    assert found.mark(Mark.T4).fate is Fate.SKIPPED
    assert found.way == 'peering only'


def out(inactive_at, temporary=7):
    """Return an OSD that goes out, as a real cluster showed it.

    PGs were active from 2.1 on; a look at 3.0 found older reports of them
    as they peered.
    """
    events = [
        event(0, 75, kind=CauseKind.OSD_OUT),
        dataclasses.replace(event(1, 76, up_thru=True), temporary=9),
        dataclasses.replace(alive(2, 77), temporary=9),
        dataclasses.replace(
            event(4.2, 78, up_thru=True), temporary=temporary
        ),
        dataclasses.replace(alive(5.2, 79), temporary=temporary),
    ]
    peering = {'remapped': 9, 'peering': 9}
    polls = [
        poll(0.05, conclusive=False),
        poll(3, inactive=9, unclean=9, remapped=9, affected=9,
             inactive_at=inactive_at, states=peering),
        poll(4.24, inactive=9, unclean=9, remapped=9, affected=9,
             inactive_at=inactive_at, states=peering, conclusive=False),
        poll(7.2, conclusive=False, unclean=4, remapped=4, affected=9,
             active_at=5.3, working_at=5.18, worked_by=5.21,
             objects_recovered=1227.0,
             states={'remapped': 4, 'backfilling': 2}),
    ]  # fmt: skip
    return events, polls


def test_report_from_before_the_end_of_peering_is_no_news():
    order = Moment(Fate.REACHED, T, 0.1, 'order')
    found = make_timeline('x', T, T + 8, *out(1.9), order, over=False)
    assert of(found, Mark.T2) == pytest.approx(2.4)
    t3 = found.mark(Mark.T3)
    # the first PG was home at 4.2; it need not have waited for the others
    assert t3.at - t3.accuracy == pytest.approx(T + 1.0)
    assert t3.at + t3.accuracy == pytest.approx(T + 4.2)


@pytest.mark.parametrize('after', (0.1, 0.29, 0.55, 0.73, 0.95))
def test_pgs_whose_copies_are_to_be_made_are_active_later(after):
    """So long after the map, as a witness of busy clusters saw it."""
    found = make_timeline('x', T, T + 8, *out(1.9), over=False)
    t2 = found.mark(Mark.T2)
    assert t2.accuracy <= 0.61
    assert abs(t2.at - (T + 2.0 + after)) <= t2.accuracy


def test_pgs_that_have_moved_on_were_active_before():
    events, polls = out(1.9)
    events[3] = dataclasses.replace(events[3], at=T + 2.7)
    found = make_timeline('x', T, T + 8, events, polls, over=False)
    assert of(found, Mark.T2) == pytest.approx(2.2)


def through(at, epoch, value, interval=False):
    """Return an epoch in which an OSD is known to have lived for long."""
    found = event(at, epoch, interval=interval, up_thru=True)
    return dataclasses.replace(found, through=value)


def back_in(**fields):
    """Return an OSD that goes in, as a busy cluster of Reef showed it.

    PGs reported only when the first one was on its way to its own place.
    """
    events = [
        event(0, 29, kind=CauseKind.OSD_IN),
        dataclasses.replace(through(0.89, 30, 29, True), temporary=3),
        dataclasses.replace(through(1.92, 31, 30), temporary=3),
        dataclasses.replace(through(4.97, 32, 31, True), temporary=2),
        dataclasses.replace(through(6.1, 33, 32), temporary=2),
    ]
    values = dict(
        conclusive=False, unclean=3, remapped=3, affected=3, working_at=1.98,
        active_at=1.98, active_from=1.97, active=3,
        states={'remapped': 3, 'backfilling': 1},
    )  # fmt: skip
    values.update(fields)
    polls = [poll(3.1, conclusive=False), poll(5.13, **values)]
    return events, polls


def test_pgs_that_all_told_when_they_were_active_are_believed():
    found = make_timeline('x', T, T + 8, *back_in(), over=False)
    t2 = found.mark(Mark.T2)
    assert of(found, Mark.T2) == pytest.approx(1.98)
    assert (t2.accuracy, t2.source) == (milestones.EXACT, 'pg stats')


@pytest.mark.parametrize(
    'fields',
    [
        dict(active=2, inactive=1),  # one has moved on
        dict(active_from=1.5),  # one did before the map let it
    ],
)
def test_pgs_of_which_some_told_were_active_no_earlier(fields):
    fields = dict(fields, active_at=2.8)
    found = make_timeline('x', T, T + 8, *back_in(**fields), over=False)
    t2 = found.mark(Mark.T2)
    assert of(found, Mark.T2) == pytest.approx(2.8)
    assert (t2.accuracy, t2.source) == (pytest.approx(0.6), 'osd map')


def test_osd_that_lived_before_the_change_says_nothing_of_it():
    """What is known in the very epoch is of PGs that peered before."""
    up = dataclasses.replace(
        event(0, 207, up_thru=True, kind=CauseKind.OSD_UP), through=206
    )
    events = [up, through(1.0, 208, 207, True), through(2.0, 209, 208)]
    polls = [poll(8, conclusive=False, affected=5)]
    found = make_timeline('x', T, T + 9, events, polls, over=False)
    assert of(found, Mark.T2) == pytest.approx(2.1)


def test_pgs_that_report_to_be_inactive_later_have_not_peered():
    found = make_timeline('x', T, T + 8, *out(2.9), over=False)
    assert found.mark(Mark.T2).at > T + 4


def test_moves_that_nobody_looked_at_may_have_degraded_something():
    """OSDs that hold an older copy get the rest of it from the log."""
    events, polls = out(1.9)
    polls.append(
        poll(13, affected=9, active_at=8.0, clean_at=9.0, worked_by=8.9,
             objects_recovered=2000.0)
    )  # fmt: skip
    found = make_timeline('x', T, T + 14, events, polls)
    assert of(found, Mark.T5) == pytest.approx(9.0)
    assert found.mark(Mark.T4).fate is Fate.UNKNOWN


def test_moves_that_a_former_manager_saw_make_nothing_degraded():
    """It failed before data moved, and this one saw no change of the map."""
    cause = Cause(CauseKind.OSD_OUT, T, (0,))
    began = Moment(Fate.REACHED, T, 0.1)
    peered = Moment(Fate.REACHED, T + 2, 0.1)
    prior = Timeline('x', T, T + 3, {'t1': began, 't2': peered})
    polls = [
        poll(14, affected=9, working_at=5, objects_recovered=90.0),
        poll(16, affected=9, clean_at=8, objects_recovered=90.0),
    ]
    found = make_timeline(
        'x', T, T + 18, [], polls, prior=prior, before=[cause]
    )
    assert found.mark(Mark.T4).fate is Fate.UNKNOWN
    assert of(found, Mark.T5) == pytest.approx(8.0)


def test_moments_that_fell_between_two_managers_are_known_as_bounds():
    began = Moment(Fate.REACHED, T, 0.1)
    prior = Timeline('x', T, T + 1, {'t1': began})
    polls = [
        poll(10, affected=9, unclean=2, active_at=8.0, working_at=6.0,
             states={'backfilling': 1}, objects_recovered=5.0),
        poll(16, affected=9, active_at=11.0, clean_at=12,
             objects_recovered=90.0),
    ]  # fmt: skip
    found = make_timeline('x', T, T + 18, [], polls, prior=prior)
    t2, t3 = found.mark(Mark.T2), found.mark(Mark.T3)
    assert t2.at - t2.accuracy == pytest.approx(T)
    assert t2.at + t2.accuracy == pytest.approx(T + 8.1)
    assert t3.at - t3.accuracy == pytest.approx(T)
    assert t3.at + t3.accuracy >= T + 6.0
    # what was recovered before the first look is in none of its polls
    assert {p.objects_recovered for p in found.phases} == {None}
    # nor is known that nothing was
    quiet = [poll(16, affected=9, active_at=11.0, clean_at=12)]
    none = make_timeline('x', T, T + 18, [], quiet, prior=prior)
    assert none.mark(Mark.T3).fate is Fate.UNKNOWN
    assert none.mark(Mark.T4).fate is Fate.UNKNOWN
    assert none.way == 'not available'
    # one that saw them peer knows when they had
    polls.insert(0, poll(7, conclusive=False, inactive=3, affected=9))
    found = make_timeline('x', T, T + 18, [], polls, prior=prior)
    assert of(found, Mark.T2) == pytest.approx(8.0)


def test_osd_that_a_former_manager_saw_go_down_is_missed():
    cause = Cause(CauseKind.OSD_DOWN, T, (0,))
    prior = Timeline('x', T, T + 3, {})
    polls = [poll(14, affected=9, unclean=9, conclusive=False)]
    found = make_timeline(
        'x', T, T + 18, [], polls, prior=prior, before=[cause]
    )
    assert found.mark(Mark.T4).fate is Fate.CENSORED


def test_moves_of_others_say_nothing_of_the_begin():
    found = make_timeline('x', T, T + 8, *out(1.9), over=False)
    t3 = found.mark(Mark.T3)
    assert t3.at + t3.accuracy == pytest.approx(T + 5.18)


def test_step_begins_with_its_own_change_of_the_map():
    """A PG comes home and an OSD is marked out before another is up."""
    events = [
        event(0, 10),
        event(3, 11, kind=CauseKind.OSD_OUT),
        event(13, 12, kind=CauseKind.OSD_UP, osd=1),
        event(20, 13, kind=CauseKind.OSD_UP),
        alive(21, 14),
    ]
    polls = [
        poll(6, unclean=4, affected=4, states={'backfilling': 1}),
        poll(28, affected=4, active_at=21.1, clean_at=27),
    ]
    change = Change(CauseKind.OSD_UP, frozenset((0,)))
    found = make_timeline('x', T - 1, T + 30, events, polls, change=change)
    assert [of(found, m) for m in (Mark.T1, Mark.T2, Mark.T5)] == (
        pytest.approx([20.0, 21.1, 27.0])
    )


def test_step_whose_change_was_not_seen_has_not_begun():
    change = Change(CauseKind.OSD_UP, frozenset((0,)))
    polls = [poll(6, unclean=3, affected=3)]
    found = make_timeline(
        'x', T - 1, T + 30, [event(0, 10)], polls, change=change
    )
    assert found.mark(Mark.T1).fate is Fate.CENSORED
    # it was made before anybody looked
    found = make_timeline(
        'x', T - 1, T + 30, [], [poll(6), poll(8)], change=change
    )
    assert found.mark(Mark.T1).fate is Fate.UNKNOWN
    assert found.mark(Mark.T5).reached


def test_what_was_not_reached_is_censored():
    events, polls = down_up()
    found = make_timeline('x', T, T + 20, events[:2], polls[:2])
    for mark in (Mark.T3, Mark.T4, Mark.T5):
        assert found.mark(mark).fate is Fate.CENSORED
    span = found.span(Mark.T1, Mark.T5)
    assert span.censored and span.seconds == 20.0


def test_redundancy_that_no_report_could_show_lost_is_not_there():
    """An OSD stays down, and PGs tell of it after the step only."""
    events = [event(0, 10, kind=CauseKind.OSD_DOWN), alive(0.9, 11)]
    polls = [poll(0.05, conclusive=False), poll(6, conclusive=False)]
    found = make_timeline('x86', T - 1, T + 7, events, polls, over=True)
    assert found.mark(Mark.T4).fate is Fate.CENSORED
    assert found.mark(Mark.T5).fate is Fate.CENSORED


def test_what_goes_on_is_not_censored():
    events, polls = down_up()
    found = make_timeline('x', T, T + 9, events[:2], polls[:2], over=False)
    assert found.mark(Mark.T5).fate is Fate.UNKNOWN
    assert found.span(Mark.T1, Mark.T5) is None


def test_backfill_that_degrades_nothing_has_no_t4():
    events = [event(0, kind=CauseKind.UPMAP), alive(1.0)]
    states = {'backfilling': 2, 'remapped': 8}
    polls = [
        poll(3, affected=8, unclean=8, remapped=8, misplaced=300,
             active_at=1.1, working_at=1.6, states=states),
        poll(9, affected=8, active_at=7.1, clean_at=7.2,
             objects_recovered=300.0, bytes_recovered=3e8),
    ]  # fmt: skip
    found = make_timeline('x', T, T + 20, events, polls)
    assert found.mark(Mark.T4).fate is Fate.SKIPPED
    assert of(found, Mark.T3) == pytest.approx(1.6)
    moving = found.phases[-1]
    assert moving.phase is Phase.MOVING
    assert moving.span.seconds == pytest.approx(5.6)
    assert found.way == 'backfill'


def test_backfill_between_two_looks_degrades_nothing():
    """No OSD was away: what was written are copies in a new place."""
    events = [event(0, 10, kind=CauseKind.UPMAP), alive(4.1, 11)]
    polls = [
        poll(0.1, conclusive=False),
        poll(4.7, remapped=8, unclean=8, affected=8, misplaced=900,
             active_at=4.2, states={'remapped': 8, 'backfill_wait': 8}),
        poll(9, affected=8, active_at=4.2, worked_by=5.0, clean_at=8.0,
             objects_recovered=900.0, bytes_recovered=9e6),
    ]  # fmt: skip
    found = make_timeline('x86', T, T + 10, events, polls)
    assert found.mark(Mark.T3).reached
    assert found.way == 'recovery between two reports'
    assert found.mark(Mark.T4).fate is Fate.SKIPPED


def test_stale_reports_end_nothing():
    events = [event(0, kind=CauseKind.OSD_DOWN)]
    polls = [poll(1, conclusive=False), poll(3, conclusive=False)]
    found = make_timeline('x', T, T + 4, events, polls, over=False)
    assert not found.mark(Mark.T5).reached
    assert not found.mark(Mark.T2).reached


def test_recovery_between_two_looks_is_bounded():
    events, _ = down_up(10.0)
    polls = [
        poll(6, degraded=9, unclean=16, active_at=0.95,
             states={'degraded': 16}),
        poll(14, affected=16, active_at=11.1, worked_by=12.9,
             worked_from=11.1, objects_recovered=9.0,
             undegraded_from=12.9, undegraded_at=12.9, clean_at=12.9),
    ]  # fmt: skip
    found = make_timeline('x', T, T + 30, events, polls)
    assert of(found, Mark.T3) == pytest.approx(12.0)
    assert found.mark(Mark.T3).accuracy == pytest.approx(0.9)


def test_a_large_cluster_says_how_little_it_knows():
    events = [event(0, kind=CauseKind.OSD_DOWN), alive(0.9)]
    polls = [
        poll(10, walked=False, unclean=40, affected=40,
             states={'degraded': 40}),
        poll(40, walked=False),
    ]  # fmt: skip
    found = make_timeline('(cluster)', T, T + 60, events, polls)
    assert of(found, Mark.T2) == pytest.approx(1.0)  # the map shows it
    t5 = found.mark(Mark.T5)
    assert abs(t5.at - T - 21.5) < 20 and t5.accuracy > 10
    assert any('too many PGs' in note for note in found.notes)


@pytest.mark.parametrize('walked', [(), (True,), (False, True)])
def test_no_cluster_is_called_large_where_pgs_were_looked_at(walked):
    events = [event(0, kind=CauseKind.OSD_DOWN), alive(0.9)]
    polls = [poll(5 + i, walked=one) for i, one in enumerate(walked)]
    found = make_timeline('(cluster)', T, T + 60, events, polls)
    assert not any('too many PGs' in note for note in found.notes)


@pytest.mark.parametrize('after, floor', [(0.05, 3.0), (0.5, 0.5)])
def test_osd_that_lived_at_the_change_does_not_say_when_work_began(
    after, floor
):
    t2 = Moment(Fate.REACHED, T + 3.0, 0.1)
    polls = [poll(8, objects_recovered=10.0)]
    t3 = milestones.find_t3(T, t2, polls, [alive(after), event(1.0)])
    assert t3.at - t3.accuracy == pytest.approx(T + floor)
    assert t3.at + t3.accuracy == pytest.approx(T + 8)


def test_what_a_former_mgr_found_stands():
    events, polls = down_up()
    before = make_timeline('x', T, T + 7, events[:2], polls[:2], over=False)
    after = make_timeline('x', T, T + 60, events[2:], polls[2:], prior=before)
    assert of(after, Mark.T1) == 0.0
    assert of(after, Mark.T2) == pytest.approx(0.95)
    assert of(after, Mark.T5) == pytest.approx(35.5)
    assert after.size.degraded == 200


def test_moments_are_in_order():
    late = milestones.reached(T + 3, 0.1, 'pg stats')
    early = milestones.reached(T + 2, 0.5, 'counters')
    found = milestones.order([(Mark.T1, late), (Mark.T3, early)])
    assert found[1][1].at == T + 3
    assert found[1][1].accuracy == 1.5  # from 1.5 on, it said
    # a PG may recover while others still peer, and all end after that
    found = milestones.order(
        [(Mark.T2, late), (Mark.T3, early), (Mark.T4, early)]
    )
    assert [moment.at for _, moment in found] == [T + 3, T + 2, T + 3]


def test_first_recovery_is_no_later_than_the_end():
    """Whose own time is exact, where a report told of the first late."""
    rough = milestones.reached(T + 5, 4.0, 'pg stats')
    end = milestones.reached(T + 6, 0.1, 'pg stats')
    found = milestones.not_later(rough, end)
    assert found.at - found.accuracy == pytest.approx(T + 1)
    assert found.at + found.accuracy == pytest.approx(T + 6)
    assert milestones.not_later(end, end) == end
    assert milestones.not_later(rough, None) == rough


def test_a_timeline_survives_the_codec():
    events, polls = down_up()
    found = make_timeline('x', T, T + 60, events, polls)
    assert from_data(Timeline, to_data(found)) == found
