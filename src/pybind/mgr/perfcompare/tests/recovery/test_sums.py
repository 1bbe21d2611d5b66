"""Tests of what is known of clusters with too many PGs to look at each."""

import time

import pytest

from ...model.recovery import Phase
from ...ports import recovery_reads as sights
from ...ports.recovery_reads import PgSums
from ...recovery.observe.budget import Budget
from ...recovery.observe.mapwatch import EpochClock
from ...recovery.observe.pgbook import Scope
from ...recovery.observe.sumbook import SumTracker
from ...recovery.observe.watch import WALK_PGS, WALK_PGS_ONCE, RecoveryWatch
from ..fakes.cluster import FakeCluster

CLEAN = {'active+clean': 8}
ILL = {'active+undersized+degraded': 8}


def sums(states=None, **fields):
    values = dict(
        copies=100, degraded=0, misplaced=0, unfound=0, bytes_recovered=500,
        objects_recovered=5, states=states or CLEAN, by_osd={}, by_pool={},
    )  # fmt: skip
    values.update(fields)
    return PgSums(**values)


def test_states_of_a_pool_are_its_own():
    """PGs of others that are ill for weeks keep no test from settling."""
    book = SumTracker([Scope('arm', pools=frozenset((7,)))])
    found = sums({**CLEAN, **ILL}, by_pool={7: CLEAN, 8: ILL})
    (poll,) = book.polls(601.0, 7.0, found, True)
    assert (poll.pgs, poll.unclean, poll.settled) == (8, 0, True)
    assert not poll.is_degraded


def test_sums_are_those_of_the_mgr():
    names = (
        'object_copies objects_degraded objects_misplaced objects_unfound '
        'bytes_recovered objects_recovered'
    )
    counts = {f'num_{n}': i for i, n in enumerate(names.split())}
    found = sights.pg_sums(
        {
            'pg_stats_sum': {'stat_sum': counts},
            'all': {**CLEAN, **ILL},
            'by_osd': {'3': CLEAN},
            'by_pool': {'7': CLEAN, '8': ILL},
        }
    )
    assert found[:6] == (0, 1, 2, 3, 4, 5)
    assert found.by_osd == {3: CLEAN}
    assert found.by_pool == {7: CLEAN, 8: ILL}


def test_sums_serve_where_there_are_too_many_pgs():
    short = {'active+undersized+degraded': 1}
    found = sums({'active+clean': 7, **short}, degraded=9, by_osd={2: short})
    book = SumTracker([Scope('all'), Scope('b', frozenset((2,)))])
    whole, group = book.polls(601, 7.0, found, True)
    assert (whole.degraded, whole.unclean, whole.walked) == (9, 1, False)
    assert (group.unclean, group.copies) == (1, 0)
    later = found._replace(objects_recovered=8)
    assert book.polls(603, 7.0, later, True)[0].objects_recovered == 3.0


class Large:
    """Hold a watch on a fake cluster that is too large to look at each PG."""

    def __init__(self, pgs=WALK_PGS + 1):
        self.now = time.time()
        self.cluster = FakeCluster()
        self.cluster.add_pool('data', pg_num=pgs, objects=pgs)
        scopes = [Scope('all'), Scope('b', frozenset((0, 1)))]
        self.watch = RecoveryWatch(
            self.cluster, EpochClock(), scopes, now=self.time,
            budget=Budget(self.time, lambda: 0.0), monotonic=self.time,
        )  # fmt: skip
        self.looks = []

    def time(self):
        return self.now

    def step(self, seconds=2.0, **fields):
        """Look once at PGs that report this."""
        reports = self.cluster.pg_reports
        reports[:] = [p._replace(**fields) for p in self.cluster._facts()]
        before = len(self.cluster.called('pg_facts'))
        self.now += seconds
        self.watch.step()
        self.looks.append(len(self.cluster.called('pg_facts')) - before)


def recovered(scene, seconds=100):
    """Let an OSD go and data be recovered, and look until all settled."""
    scene.cluster.set_osd(3, up=False)
    scene.step(words=('active', 'degraded'), degraded=1)
    for done in range(10, seconds + 1, 10):
        scene.step(10.0, objects_recovered=done, bytes_recovered=done * 1000)
    clean = dict(words=('active', 'clean'), degraded=0)
    ended = dict(last_change=scene.now + 5.0, mapping_epoch=9)
    scene.step(10.0, **clean, **ended)
    for _ in range(3):
        scene.step()
    assert scene.watch.settled


def test_last_look_at_each_pg_takes_no_figure_back():
    scene = Large()
    recovered(scene)
    assert sum(scene.looks) == 1
    whole, group = scene.watch.timelines(over=True)
    pgs = WALK_PGS + 1
    assert whole.size.objects_recovered == 100.0 * pgs
    (found,) = [f for f in whole.phases if f.phase is Phase.RECOVERY]
    assert found.objects_recovered == pytest.approx(100.0 * pgs)
    # of groups they are not known
    assert group.size.objects_recovered is group.size.bytes_recovered is None
    assert group.size.copies == 0
    for found in group.phases:
        assert found.objects_recovered is found.bytes_recovered is None


def test_each_pg_is_looked_at_once_in_an_episode():
    scene = Large()
    recovered(scene)
    assert sum(scene.looks) == 1
    recovered(scene)  # it was not over
    assert sum(scene.looks) == 1


def test_clusters_of_more_pgs_are_never_looked_at_one_by_one():
    scene = Large(WALK_PGS_ONCE + 1)
    recovered(scene, 10)
    assert sum(scene.looks) == 0
    assert WALK_PGS < WALK_PGS_ONCE <= 8000


def test_pool_that_is_removed_takes_nothing_back():
    """It goes with all that was ever recovered of it."""
    book = SumTracker([Scope('all')])
    counts = [(10, 1), (40, 4), (5, 0), (25, 3)]
    found = [
        book.polls(
            600.0 + i, 7.0,
            sums(bytes_recovered=size, objects_recovered=count), True,
        )[0]
        for i, (size, count) in enumerate(counts)
    ]  # fmt: skip
    assert [p.bytes_recovered for p in found] == [0.0, 30.0, 30.0, 50.0]
    assert [p.objects_recovered for p in found] == [0.0, 3.0, 3.0, 6.0]


def test_groups_say_how_their_pgs_were_counted():
    scene = Large()
    recovered(scene, 10)
    whole, group = scene.watch.timelines(over=True)
    note = 'a PG counts on each OSD of the group that it is on'
    assert [n for n in group.notes if note in n]
    assert not [n for n in whole.notes if note in n]
