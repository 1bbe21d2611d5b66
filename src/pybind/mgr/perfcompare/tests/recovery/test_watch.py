"""Tests of what is read from the OSD map and from PGs."""

import dataclasses

import pytest

from ...model.recovery import CauseKind, Mark
from ...ports import recovery_reads as sights
from ...ports.recovery_reads import (
    MapFacts,
    OsdFacts,
    PgFacts,
    PoolFacts,
)
from ...recovery.judge.records import MapEvent
from ...recovery.observe.mapwatch import EpochClock, diff, missed_since
from ...recovery.observe.pgbook import PgTracker, Scope
from ...recovery.observe.poll_series import table, thin
from ...recovery.observe.watch import MAX_EVENTS, WALK_PGS, RecoveryWatch
from ..fakes.cluster import FakeCluster
from ..memory import traced

UP = OsdFacts(True, True, 1.0, 5, 8, 0)
POOL = PoolFacts(0, 2, 1, 8, 8)


def osdmap(epoch=10, **osds):
    found = {i: UP for i in range(3)}
    for name, fields in osds.items():
        ident = int(name[3:])
        found[ident] = found[ident]._replace(**fields)
    return MapFacts(epoch, 1000.0 + epoch, found, {1: POOL}, 1, 0, 0, 0)


def pg(ps=0, state='active+clean', **fields):
    values = dict(
        pgid=f'1.{ps:x}', pool=1, words=tuple(state.split('+')), osds=(0, 1),
        remapped=False, moved=False, copies=20, degraded=0, misplaced=0,
        unfound=0, bytes_recovered=0, objects_recovered=0, last_change=500.0,
        became_active=500.0, mapping_epoch=5,
    )  # fmt: skip
    values.update(fields)
    return PgFacts(**values)


def kinds(events):
    return [(c.kind, c.osds) for e in events for c in e.causes]


@pytest.mark.parametrize(
    'fields, kind',
    [
        (dict(up=False, down_at=11), CauseKind.OSD_DOWN),
        (dict(in_=False, weight=0.0), CauseKind.OSD_OUT),
        (dict(weight=0.5), CauseKind.WEIGHT),
    ],
)
def test_a_change_of_an_osd_is_a_cause(fields, kind):
    events = diff(osdmap(10), osdmap(11, osd1=fields), EpochClock())
    assert kinds(events) == [(kind, (1,))]
    assert events[0].interval


def test_an_osd_that_flapped_between_two_looks_is_seen():
    clock = EpochClock()
    for epoch in (11, 12, 13):
        clock.note(epoch)
    after = osdmap(13, osd1=dict(down_at=11, up_from=12))
    events = diff(osdmap(10), after, clock)
    assert kinds(events) == [
        (CauseKind.OSD_DOWN, (1,)),
        (CauseKind.OSD_UP, (1,)),
    ]
    assert [e.epoch for e in events] == [11, 12]


def test_when_an_osd_came_up_unseen_is_known_between_other_epochs():
    found = osdmap(90, osd1=dict(up_from=20, down_at=12, down_stamp=1012.0))
    down, up = missed_since(found, 11, 1011.0)
    assert (down.at, down.accuracy) == (1012.0, 1.1)
    assert (up.at, up.accuracy) == (1051.0, 39.0)
    assert up.causes[0].at == up.at
    # it was down before, when the former Manager looked
    (up,) = missed_since(found, 12, 1018.0)
    assert (up.at, up.accuracy) == (1054.0, 36.0)
    # others went down before and after
    other = osdmap(
        90,
        osd0=dict(down_at=15, down_stamp=1015.0, up=False),
        osd1=dict(up_from=20, down_at=12, down_stamp=1012.0),
        osd2=dict(down_at=30, down_stamp=1030.0, up=False),
    )
    _, _, up, _ = missed_since(other, 11, 1011.0)
    assert (up.at, up.accuracy) == (1022.5, 7.5)


def test_osd_that_never_went_down_came_up_by_the_newest_epoch():
    (up,) = missed_since(osdmap(90, osd1=dict(up_from=20)), 11)
    assert (up.at, up.accuracy) == (1090.0, 1.1)


def test_osds_that_are_known_to_be_alive_show_the_end_of_peering():
    events = diff(osdmap(10), osdmap(11, osd2=dict(up_thru=10)), EpochClock())
    assert len(events) == 1
    assert events[0].up_thru and not events[0].interval


def test_other_changes_of_the_map_are_causes():
    old = osdmap(10)
    for fields, kind in (
        (dict(crush=2), CauseKind.CRUSH),
        (dict(upmaps=7), CauseKind.UPMAP),
        (dict(pools={1: POOL._replace(rule=3)}), CauseKind.POOL),
    ):
        new = dataclasses.replace(osdmap(11), **fields)
        assert kinds(diff(old, new, EpochClock())) == [(kind, ())]


def test_a_new_pool_or_another_epoch_is_no_cause():
    pools = {1: POOL, 2: POOL}
    new = dataclasses.replace(osdmap(11), pools=pools)
    assert diff(osdmap(10), new, EpochClock()) == []


def test_epochs_are_known_by_their_notification():
    clock = EpochClock()
    clock.note(11)
    at, accuracy = clock.time_of(11, 0.0)
    assert accuracy == 0.1 and at > 1e9
    assert clock.time_of(12, 77.0) == (77.0, 0.2)


def test_waiting_ends_with_news():
    clock = EpochClock()
    before = clock.count
    clock.note()
    assert clock.wait(before, 5.0) == before + 1
    assert clock.wait(before + 1, 0.01) == before + 1


def walk(book, at, pgs, facts=None, pg_num=None):
    pools = {1: POOL._replace(pg_num=pg_num or len(pgs))}
    facts = dataclasses.replace(facts or osdmap(), pools=pools)
    return book.walk(at, 7.0, pgs, facts, frozenset((1,)))[0]


def test_pgs_that_nobody_reported_yet_may_be_in_any_state():
    """A mgr that has just begun hears of them one by one."""
    book = PgTracker([Scope('all')], 11, 600.0)
    assert not walk(book, 601, [], pg_num=2).conclusive
    assert not walk(book, 602, [pg(0)], pg_num=2).conclusive
    unheard = pg(1, 'unknown', osds=(), mapping_epoch=0)
    assert not walk(book, 603, [pg(0), unheard]).conclusive
    poll = walk(book, 604, [pg(0), pg(1)])
    assert poll.conclusive
    # they had no part in anything
    assert poll.affected == 0 and not poll.states


def test_pgs_that_the_map_has_elsewhere_are_not_conclusive():
    book = PgTracker([Scope('all')], 11, 600.0)
    assert walk(book, 601, [pg()]).conclusive
    assert not walk(book, 602, [pg(moved=True)]).conclusive
    # an OSD restarted: PGs must have peered since
    back = osdmap(12, osd1=dict(up_from=12))
    assert not walk(book, 603, [pg()], back).conclusive
    assert walk(book, 604, [pg(mapping_epoch=12)], back).conclusive


def test_a_scrub_after_the_end_does_not_move_it():
    book = PgTracker([Scope('all')], 11, 600.0)
    walk(book, 601, [pg()])
    clean = dict(mapping_epoch=12, became_active=605.0, last_change=605.5)
    assert walk(book, 606, [pg(**clean)]).clean_at == 605.5
    clean.update(state='active+clean+scrubbing', last_change=640.0)
    assert walk(book, 641, [pg(**clean)]).clean_at == 605.5


@pytest.mark.parametrize('began', [100.25, 100.5])
def test_begin_of_a_scrub_is_not_since_when_a_pg_is_clean(began):
    book = PgTracker([Scope('x')], 5, began)
    scrub = pg(
        0, 'active+clean+scrubbing', last_change=100.0, became_active=80.0
    )
    poll = walk(book, 106, [scrub])
    assert (poll.affected, poll.clean_at) == (1, None)


def test_young_pools_are_not_ill():
    book = PgTracker([Scope('all')], 11, 600.0)
    young = pg(pool=2, state='creating+peering')._replace(pgid='2.0')
    poll = walk(book, 601, [pg(), young])
    assert (poll.pgs, poll.inactive) == (1, 0)


def test_counters_grow_by_pg_and_never_shrink():
    book = PgTracker([Scope('all')], 11, 600.0)
    walk(book, 601, [pg(objects_recovered=50, bytes_recovered=5000)])
    grown = pg(objects_recovered=60, bytes_recovered=6000)
    assert walk(book, 603, [grown]).objects_recovered == 10
    # another primary counts from elsewhere
    poll = walk(book, 605, [pg(objects_recovered=3)])
    assert (poll.objects_recovered, poll.bytes_recovered) == (10, 1000)


@pytest.mark.parametrize(
    'state, since',
    [
        ('active+undersized+degraded', 607.0),
        # backfill ends with peering: it began before the PG is active
        ('active+clean', None),
        ('active+remapped+backfill_wait', None),
    ],
)
def test_work_that_no_look_saw_has_a_first_moment_where_it_stood(
    state, since
):
    book = PgTracker([Scope('all')], 11, 600.0)
    walk(book, 601, [pg(state=state)])
    after = pg(
        objects_recovered=5, became_active=607.0, last_change=607.2,
        mapping_epoch=12,
    )  # fmt: skip
    found = walk(book, 610, [after])
    assert found.worked_by == 607.2
    assert found.worked_from == since


def test_a_group_has_the_pgs_on_its_osds():
    scopes = [Scope('all'), Scope('b', frozenset((2,)))]
    book = PgTracker(scopes, 11, 600.0)
    pgs = [pg(0), pg(1, osds=(1, 2))]
    polls = book.walk(601, 7.0, pgs, osdmap(), frozenset((1,)))
    assert [p.pgs for p in polls] == [2, 1]


def test_ceph_times_are_read_with_their_zone():
    assert sights.unix_time('1970-01-01T00:00:10.5+0000') == 10.5
    assert sights.unix_time('1970-01-01T02:00:10+0200') == 10.0
    assert sights.unix_time('0.000000') == 0.0
    assert sights.unix_time('2026-13-41T00:00:00.000000+0000') == 0.0
    assert sights.unix_time('') == 0.0


def test_times_that_are_read_leave_nothing_in_memory():
    """The cluster log tells one each second, for as long as a mgr lives."""
    stamps = [
        f'2026-11-28T11:{i // 60:02d}:{i % 60:02d}' for i in range(3600)
    ]
    sights.unix_time(stamps[0])
    with traced(sights.__file__, __file__) as held:
        for stamp in stamps:
            sights.unix_time(stamp + '.000000+0000')
        assert held() < 5000


def test_pg_facts_are_those_of_the_report():
    stats = {
        'pgid': '1.a', 'state': 'active+remapped', 'up': [0, 2],
        'acting': [0, 0x7FFFFFFF], 'mapping_epoch': 12,
        'last_change': '1970-01-01T00:00:10+0000',
        'last_became_active': '1970-01-01T00:00:09+0000',
        'last_fresh': '1970-01-01T00:00:12+0000',
        'last_scrub_stamp': '1970-01-01T00:00:08+0000',
        'last_deep_scrub_stamp': '1970-01-01T00:00:07+0000',
        'stat_sum': {
            'num_object_copies': 8, 'num_objects_degraded': 1,
            'num_objects_misplaced': 2, 'num_objects_unfound': 0,
            'num_bytes_recovered': 70, 'num_objects_recovered': 7,
        },
    }  # fmt: skip
    found = sights.pg_facts(stats, [0, 2], [0, 2])
    assert found.remapped and found.moved and not found.clean
    assert sorted(found.osds) == [0, 2]
    assert (found.degraded, found.became_active) == (1, 9.0)
    assert (found.reported, found.scrubbed) == (12.0, 8.0)


class Watched:
    """Hold a watch on a fake cluster, with a clock of its own."""

    def __init__(self, pgs=8):
        self.now = 5000.0
        self.set_by = 0.0  # seconds, of the wall clock only
        self.cluster = FakeCluster()
        self.cluster.add_pool('data', pg_num=pgs)
        self.watch = RecoveryWatch(
            self.cluster, EpochClock(), [Scope('all')],
            now=lambda: self.now + self.set_by,
            monotonic=lambda: self.now,
        )  # fmt: skip

    def step(self, seconds=2.0):
        self.now += seconds
        self.watch.step()


def test_a_watch_settles_when_all_is_clean():
    scene = Watched()
    assert not scene.watch.settled
    for _ in range(3):
        scene.step()
    assert scene.watch.settled
    assert scene.watch.affected == 0


def test_a_watch_goes_on_when_the_clock_is_set_back():
    scene = Watched()
    scene.step()
    scene.set_by = -3600.0
    assert scene.watch.due() <= 2.0
    scene.cluster.set_osd(1, up=False)
    scene.step()
    assert scene.watch.reached(Mark.T1)
    assert scene.watch.quiet < 1.0
    scene.step()
    assert scene.watch.quiet == 2.0


def test_a_watch_sees_an_osd_go_and_come():
    scene = Watched()
    scene.cluster.set_osd(1, up=False)
    scene.step()
    assert [c.kind for c in scene.watch.causes] == [CauseKind.OSD_DOWN]
    assert scene.watch.reached(Mark.T1)
    assert not scene.watch.settled


def test_polls_are_rarer_the_dearer_they_are():
    scene = Watched()
    scene.step()
    assert scene.watch.due() >= 2.0


def test_large_clusters_are_not_walked():
    scene = Watched(pgs=WALK_PGS + 1)
    scene.step()
    assert scene.cluster.called('pg_facts') == []
    assert scene.cluster.called('pg_sums')


def test_series_have_shares_and_rates():
    book = PgTracker([Scope('all')], 11, 600.0)
    polls = [
        walk(book, 601, [pg(degraded=10)]),
        walk(book, 603, [pg(objects_recovered=4, bytes_recovered=400)]),
    ]
    found = table(polls)
    assert list(found.t) == [0.0, 2.0]
    assert found.column('degraded').optional() == [0.5, 0.0]
    assert found.column('recovery').optional() == [None, 200.0]


def test_thinning_keeps_what_tells_something():
    book = PgTracker([Scope('all')], 11, 600.0)
    same = [walk(book, 601 + i, [pg()]) for i in range(101)]
    odd = walk(book, 800, [pg(state='peering')])
    kept = thin(same[:50] + [odd] + same[50:])
    assert odd in kept and len(kept) < 70


def test_events_are_no_more_than_can_be_kept():
    scene = Watched()
    facts = scene.cluster.map_facts()
    for epoch in range(0, 2 * MAX_EVENTS, 3):
        more = [MapEvent(1.0, 0.1, epoch + i, True, False) for i in range(3)]
        scene.watch.add(more, facts)
        assert len(scene.watch.events) <= MAX_EVENTS
    assert [e.epoch for e in scene.watch.events[:3]] == [0, 1, 2]
    assert scene.watch.events[-1].epoch == epoch + 2
