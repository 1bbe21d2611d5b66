"""Edges of moments: limits of time that one more or less decides."""

import dataclasses

import pytest

from ...model.recovery import Cause, CauseKind, Fate, Mark, Moment, Timeline
from ...recovery.judge import milestones
from ...recovery.judge.peering import find_t2
from ...recovery.judge.records import MapEvent, Poll
from ...recovery.judge.timeline import make_timeline

T = 1000.0


def change(at, kind=None):
    """Return a change of the map after which PGs peer."""
    causes = (Cause(kind, T + at, (0,)),) if kind is not None else ()
    return MapEvent(T + at, 0.1, 10, True, False, causes)


def look(at, **fields):
    """Return a look at all PGs; names that end in _… are of seconds."""
    times = ('_at', '_by', '_from')
    values = {k: T + v if k.endswith(times) else v for k, v in fields.items()}
    return dataclasses.replace(
        Poll(T + at, 7.0, True, True, pgs=16), **values
    )


# t2: PGs are active, and stay so


@pytest.mark.parametrize(
    'end, t2',
    [
        (1.5, 1.0),  # for as long as counts
        (1.4, 1.4),  # not so long: the change after it did not disturb
    ],
)
def test_pgs_that_were_active_for_half_a_second_have_peered(end, t2):
    polls = [look(6, active_at=1.0, affected=4)]
    found = find_t2(T, [change(0), change(end)], polls)
    assert found.at == pytest.approx(T + t2)


def alive(at):
    """Return that an OSD is recorded as alive: its PGs become active."""
    return MapEvent(T + at, 0.1, 11, False, True)


@pytest.mark.parametrize(
    'told, end, first, last',
    [
        (0.4, 1.7, -0.1, 1.1),  # by the map alone, long before the next one
        (0.4, 1.5, -0.1, 3.1),  # it may have been too late to be held
        (0.8, 1.5, 0.3, 3.1),
        (1.0, 1.5, 2.9, 3.1),  # it was
    ],
)
def test_peering_that_may_have_been_too_late_is_known_no_better(
    told, end, first, last
):
    events = [change(0), alive(told), change(end)]
    polls = [look(20, active_at=3.0, affected=4)]
    found = find_t2(T, events, polls)
    print(found)
    assert found.at - found.accuracy == pytest.approx(T + first)
    assert found.at + found.accuracy == pytest.approx(T + last)


@pytest.mark.parametrize(
    'at, t2, source',
    [
        (8.9, 1.0, milestones.PG_STATS),
        (
            9.0,
            2.0,
            milestones.OSD_MAP,
        ),  # no report in it is from before the end
        (12.0, 2.0, milestones.OSD_MAP),
    ],
)
def test_a_look_tells_of_what_was_as_long_as_reports_are_old(at, t2, source):
    polls = [look(at, active_at=1.0, affected=4)]
    found = find_t2(T, [change(0), change(2)], polls)
    assert (found.at, found.source) == (T + t2, source)


@pytest.mark.parametrize('at', [2.0, 5.0])
def test_pgs_that_peer_after_the_next_change_had_peered_before(at):
    polls = [look(1.8, active_at=1.0, affected=4), look(at, inactive=2)]
    found = find_t2(T, [change(0), change(2)], polls)
    assert found.at == T + 1.0


@pytest.mark.parametrize('at', [-1.0, 0.0])
def test_a_look_before_the_change_says_nothing_of_peering(at):
    assert find_t2(T, [change(0)], [look(at)]) is None
    assert find_t2(T, [change(0)], [look(at), look(0.1)]).at == T


# t3: the first PG began to recover


@pytest.mark.parametrize(
    'worked_from, first',
    [
        (3.9, 3.9),
        (4.0, 4.0),  # as it had recovered by then
        (9.0, 0.0),  # of another PG than the one that was the first
    ],
)
def test_a_pg_began_between_its_own_bounds(worked_from, first):
    polls = [look(8, objects_recovered=5.0, worked_by=4.0,
                  worked_from=worked_from)]  # fmt: skip
    found = milestones.find_t3(T, Moment(Fate.REACHED, T, 0.1), polls)
    wide = max(milestones.EXACT, (4.0 - first) / 2)
    assert found.at == pytest.approx(T + (first + 4.0) / 2)
    assert found.accuracy == pytest.approx(wide)


# t5: all is clean


@pytest.mark.parametrize(
    'clean_at, t5, source',
    [
        (0.0, 0.0, milestones.PG_STATS),
        (-0.05, -0.05, milestones.PG_STATS),
        (-0.1, -0.1, milestones.PG_STATS),  # as far as clocks agree
        (
            -0.2,
            0.0,
            milestones.OSD_MAP,
        ),  # clean before: none had anything to do
    ],
)
def test_pgs_that_were_clean_before_the_change_had_nothing_to_do(
    clean_at, t5, source
):
    found = milestones.find_t5(T, [change(0)], [look(5, clean_at=clean_at)])
    assert (found.at, found.source) == (pytest.approx(T + t5), source)


# t4: what no report showed


RECOVERING = {'recovering': 1}


def log_recovery(*early):
    """Return what looks found of log recovery that degraded nothing."""
    return [
        *early,
        look(5.5, conclusive=False, affected=4),
        look(7, affected=4, active_at=1.0, unclean=1, copies=100,
             objects_recovered=5.0),
        look(12, affected=4, active_at=1.0, clean_at=11.0, copies=100,
             objects_recovered=9.0),
    ]  # fmt: skip


BACK = Cause(CauseKind.OSD_UP, T, (0,))
WORK = dict(affected=4, active_at=1.0, unclean=4, states=RECOVERING,
            working_at=5.0, objects_recovered=1.0)  # fmt: skip


@pytest.mark.parametrize(
    'early',
    [
        [look(5.2, **WORK)],
        # one in the very moment in which it began, and one before that
        [look(5.0, **WORK)],
        [look(3.0, affected=4, active_at=1.0, unclean=4), look(5.2, **WORK)],
    ],
)
def test_copies_from_the_log_are_whole_by_the_first_look_after(early):
    polls = log_recovery(*early)
    found = make_timeline(
        'x', T, T + 20, [change(0, CauseKind.OSD_UP)], polls
    )
    assert found.mark(Mark.T3).at == pytest.approx(T + 5.0)
    t4 = found.mark(Mark.T4)
    last = min(p.at for p in polls if p.conclusive and p.at > T + 5.0)
    assert t4.at - t4.accuracy <= T + 5.0 + 1e-6
    assert t4.at == pytest.approx((T + 5.0 + last) / 2)


def test_what_a_later_manager_bounds_itself_stands():
    """It began before this one looked, and still it knows t4."""
    prior = Timeline('x', T, T + 2, {
        't1': Moment(Fate.REACHED, T, 0.1),
        't2': Moment(Fate.REACHED, T + 1, 0.1),
    })  # fmt: skip
    polls = log_recovery(look(4.0, affected=4, active_at=1.0, unclean=4),
                         look(5.2, **WORK))  # fmt: skip
    found = make_timeline(
        'x', T, T + 20, [], polls, prior=prior, before=[BACK]
    )
    t4 = found.mark(Mark.T4)
    assert t4.reached and t4.at == pytest.approx(T + 5.1)


def test_moves_without_data_have_no_t4_and_say_by_what():
    events = [change(0, CauseKind.UPMAP)]
    polls = [look(6, affected=4, active_at=1.0, clean_at=1.0, copies=9)]
    found = make_timeline('x', T, T + 20, events, polls)
    assert found.mark(Mark.T3).fate is Fate.SKIPPED
    assert found.mark(Mark.T4) == Moment(Fate.SKIPPED)


def test_backfill_of_an_osd_that_came_back_ends_what_it_lacked():
    """Not a mere move: copies lacked until it had them."""
    events = [
        change(0, CauseKind.OSD_DOWN),
        dataclasses.replace(change(30, CauseKind.OSD_UP), epoch=12),
    ]
    backfilling = dict(WORK, states={'backfilling': 1}, working_at=31.5)
    polls = [
        look(6, affected=4, active_at=1.0, copies=9),
        look(32, **dict(backfilling, active_at=31.0, copies=9)),
        look(40, affected=4, active_at=31.0, clean_at=36.0, copies=9,
             objects_recovered=9.0),
    ]  # fmt: skip
    t4 = make_timeline('x', T, T + 50, events, polls).mark(Mark.T4)
    assert t4.reached and t4.at == pytest.approx(T + 33.0)


# notes


@pytest.mark.parametrize(
    'accuracy, told', [(None, False), (0.1, False), (1.0, False), (1.5, True)]
)
def test_moments_that_are_no_better_than_a_second_are_named(accuracy, told):
    order = Moment(Fate.REACHED, T - 3, accuracy, 'order')
    polls = [look(6, affected=4, active_at=1.0, clean_at=2.0)]
    found = make_timeline('x', T, T + 20, [change(0)], polls, order)
    assert found.mark(Mark.T5).reached
    line = 't0 known to no better than 1 s: they fell between two reports'
    assert [n for n in found.notes if 'no better' in n] == (
        [f'{line} of OSDs'] if told else []
    )
