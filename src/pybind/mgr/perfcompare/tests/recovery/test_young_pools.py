"""Tests of pools that are made while a recovery goes on."""

import dataclasses

import pytest

from ...recovery.observe.pgbook import PgTracker, Scope
from ...recovery.observe.sumbook import SumTracker, clean_pools
from ...recovery.observe.watch import WALK_PGS
from .test_sums import CLEAN, ILL, Large, sums
from .test_watch import POOL, Watched, osdmap, pg


def young(ps, state='active+clean', **fields):
    values = dict(mapping_epoch=15, last_change=650.0, became_active=650.0)
    found = pg(ps, state, **dict(values, **fields))
    return found._replace(pgid=f'2.{ps:x}', pool=2)


def look(book, at, pgs, epoch=20):
    facts = dataclasses.replace(
        osdmap(epoch),
        pools={1: POOL._replace(pg_num=1), 2: POOL._replace(pg_num=2)},
    )
    known = frozenset((1, *book.grown_up))
    return book.walk(at, 7.0, [pg(), *pgs], facts, known)[0]


def test_pool_counts_once_all_its_pgs_were_clean():
    book = PgTracker([Scope('all')], 11, 600.0)
    assert look(book, 651, [young(0)]).pgs == 1
    assert look(book, 653, [young(0), young(1, 'peering')]).pgs == 1
    assert not book.grown_up
    both = [young(0), young(1)]
    assert look(book, 655, both).pgs == 1
    poll = look(book, 657, both)
    # that they were made in the episode is no part of it
    assert (poll.pgs, poll.affected, poll.settled) == (3, 0, True)
    # an OSD goes: now they have one
    ill = young(1, 'active+undersized+degraded', mapping_epoch=21)
    poll = look(book, 661, [young(0), ill], 21)
    assert (poll.affected, poll.unclean, poll.first_epoch) == (1, 1, 21)


def test_watch_waits_for_pgs_of_a_pool_that_was_made_meanwhile():
    scene = Watched()
    scene.step()
    scene.cluster.add_pool('new', pg_num=8)
    scene.cluster.epoch += 1
    for _ in range(4):
        scene.step()
    assert scene.watch.settled
    made = scene.cluster.pg_facts()
    ill = [p._replace(words=('active', 'degraded')) for p in made[8:]]
    scene.cluster.pg_reports.extend([*made[:8], *ill])
    scene.step()
    assert not scene.watch.settled
    assert scene.watch.affected == 8


def test_sums_leave_young_pools_out_until_they_are_clean():
    book = SumTracker([Scope('all')])
    found = sums(
        {**CLEAN, 'peering': 2, 'active+undersized': 1},
        by_pool={1: CLEAN, 2: {'peering': 2, 'active+undersized': 1}},
    )
    (poll,) = book.polls(601.0, 7.0, found, True, {2: 3})
    assert (poll.pgs, poll.inactive, poll.unclean) == (8, 0, 0)
    (poll,) = book.polls(603.0, 7.0, found, True)
    assert (poll.pgs, poll.inactive, poll.unclean) == (11, 2, 3)
    assert clean_pools(found, {1: 8, 2: 3}) == [1]
    assert clean_pools(found, {1: 9, 3: 1}) == []
    assert clean_pools(sums(by_pool={1: ILL}), {1: 8}) == []


@pytest.mark.parametrize('state, settled', [('clean', True), ('down', False)])
def test_large_clusters_take_pools_in_as_well(state, settled):
    scene = Large(WALK_PGS + 4000)
    scene.step()
    scene.cluster.add_pool('new', pg_num=4)
    scene.cluster.pg_reports.clear()
    scene.cluster.epoch += 1
    scene.step(10.0)
    assert len(scene.watch._pools) == 2
    words = ('active', 'clean') if state == 'clean' else ('down',)
    made = scene.cluster._facts()
    scene.cluster.pg_reports[:] = [
        p._replace(words=words) if p.pool == made[-1].pool else p
        for p in made
    ]
    for _ in range(5):
        scene.now += 10.0
        scene.watch.step()
    assert scene.watch.settled is settled
