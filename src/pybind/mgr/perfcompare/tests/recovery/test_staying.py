"""Tests of PGs that were not clean before: nobody waits for them."""

import pytest

from ...model.recovery import CauseKind, Mark, State
from ...recovery.observe.pgbook import PgTracker, Scope
from ...recovery.observe.staying import unclean_only
from ...recovery.observe.sumbook import SumTracker
from .test_observer import Scene
from .test_sums import sums
from .test_watch import pg, walk

STUCK = [
    dict(words='active+undersized+degraded', degraded=5),
    dict(words='active+clean+remapped', remapped=True, misplaced=5),
    dict(words='active+undersized+degraded+scrubbing', degraded=5),
    dict(words='down'),
]


class StuckScene(Scene):
    """Hold an observer of a cluster in which one PG is never clean."""

    def __init__(self, stuck):
        self.stuck = dict(stuck, words=tuple(stuck['words'].split('+')))
        super().__init__()
        made = self.cluster.pg_facts()
        self.cluster.pg_reports.extend([*made[:-1], self.left(made[-1])])
        self.turn(2)

    def left(self, one):
        return one._replace(osds=(2, 3), **self.stuck)

    def report(self, state, **fields):
        last = self.cluster.pg_reports[-1]
        super().report(state, **fields)
        self.cluster.pg_reports[-1] = last


@pytest.mark.parametrize('stuck', STUCK)
def test_pg_that_is_never_clean_opens_nothing_and_keeps_nothing_open(stuck):
    scene = StuckScene(stuck)
    scene.turn(150)
    assert scene.observer.status().state == 'watching'
    scene.observer = scene.another()
    scene.turn(150)
    assert scene.put == []
    assert scene.observer.status().state == 'watching'
    for _ in range(2):
        scene.down()
        scene.turn(5)
        scene.up()
        back = scene.now
        scene.turn(12)
        assert scene.observer.status().state == 'watching'
        episode, _ = scene.put[-1]
        assert episode.state is State.CLEAN
        whole = episode.timelines[0]
        assert whole.mark(Mark.T5).at == pytest.approx(back, abs=0.5)
        assert whole.mark(Mark.T4).reached
        assert whole.size.degraded == 70
        assert [n for n in whole.notes if 'as they were: 1; nobody' in n]
        scene.turn(150)
    assert len(scene.put) == 2


def test_next_manager_waits_for_it_no_more_than_the_former():
    scene = StuckScene(STUCK[0])
    scene.down()
    scene.turn(4)
    scene.observer = scene.another()
    scene.turn(3)
    scene.up()
    scene.turn(12)
    assert scene.put[-1][0].state is State.CLEAN
    assert scene.put[-1][0].timelines[0].mark(Mark.T5).reached


def test_pg_that_was_degraded_before_and_recovers_has_a_part():
    book = PgTracker([Scope('all')], 11, 600.0, leave=True)
    state = 'active+undersized+degraded'
    before = [pg(0), pg(1, state, degraded=9, last_change=100.0)]
    poll = walk(book, 601, before)
    assert (poll.staying, poll.affected, poll.unclean) == (1, 0, 0)
    assert poll.settled and not poll.is_degraded
    # objects come, and a scrub goes
    passing = pg(1, state + '+scrubbing', degraded=12, last_change=603.0)
    assert walk(book, 604, [pg(0), passing]).settled
    works = pg(1, 'active+recovering+degraded', last_change=605.0)
    poll = walk(book, 606, [pg(0), works])
    assert (poll.staying, poll.affected, poll.unclean) == (0, 1, 1)
    # and is waited for whatever it is then
    assert not walk(book, 608, before).settled
    poll = walk(book, 610, [pg(0), pg(1, last_change=609.0)])
    assert poll.settled and poll.clean_at == 609.0


def test_pg_that_is_mapped_anew_has_a_part():
    book = PgTracker([Scope('all')], 11, 600.0, leave=True)
    stuck = pg(1, 'active+undersized+degraded', last_change=100.0)
    assert walk(book, 601, [stuck]).settled
    moved = stuck._replace(moved=True)
    assert not walk(book, 603, [moved]).settled
    new = stuck._replace(mapping_epoch=12)
    assert not walk(book, 605, [new]).settled


@pytest.mark.parametrize(
    'fields',
    [
        dict(last_change=601.0),  # nobody knows how it was before
        dict(mapping_epoch=11),
        dict(state='active+undersized+degraded+backfill_wait'),
        dict(moved=True),
    ],
)
def test_pg_that_may_have_a_part_is_waited_for(fields):
    book = PgTracker([Scope('all')], 11, 600.0, leave=True)
    values = dict(state='active+undersized+degraded', last_change=100.0)
    found = walk(book, 602, [pg(0), pg(1, **dict(values, **fields))])
    assert (found.staying, found.affected) == (0, 1)


def test_steps_of_tests_wait_for_all_pgs():
    book = PgTracker([Scope('all')], 11, 600.0)
    stuck = pg(1, 'active+undersized+degraded', last_change=100.0)
    assert not walk(book, 601, [pg(0), stuck]).settled


@pytest.mark.parametrize('state', ['active+degraded', 'active+recovering'])
def test_what_begins_to_lack_copies_while_we_look_is_recorded(state):
    scene = Scene()
    scene.turn(80)
    began = scene.now
    scene.report(state, degraded=3)
    scene.turn(80)
    whole = scene.observer.current().timelines[0]
    assert scene.observer.current().causes[0].kind is CauseKind.UNKNOWN
    # it was between two looks
    t1 = whole.mark(Mark.T1)
    assert abs(t1.at - began) <= t1.accuracy


def test_sums_leave_what_was_so_in_two_looks():
    short = {'active+undersized+degraded': 3}
    before = sums(
        {'active+clean': 5, **short, 'active+recovering': 1},
        by_osd={1: short, 2: {'active+clean': 9}}, degraded=30,
    )  # fmt: skip
    quiet = unclean_only(before)
    assert (quiet.states, quiet.by_osd) == (short, {1: short})
    scopes = [Scope('all'), Scope('x', frozenset((1,)))]
    more = {'active+clean': 2, 'active+undersized+degraded': 6}
    book = SumTracker(scopes, [quiet, quiet])
    whole, own = book.polls(
        1.0, 7.0, sums(more, by_osd={1: more}, degraded=60), True
    )
    assert (whole.unclean, whole.staying, whole.degraded) == (3, 3, 60)
    assert (own.unclean, own.staying) == (3, 3)
    whole, own = book.polls(2.0, 7.0, before, True)
    assert (whole.pgs, whole.unclean, whole.staying) == (9, 1, 3)
    done = sums({'active+clean': 6, **short}, by_osd={1: short}, degraded=31)
    whole, own = book.polls(3.0, 7.0, done, True)
    assert whole.settled and own.settled and not whole.is_degraded
    # one look may have met what had just begun
    book = SumTracker(scopes, [quiet])
    assert not book.polls(1.0, 7.0, done, True)[0].settled
