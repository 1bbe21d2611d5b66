"""Abort rules on health, PGs and maps: what fires and what does not."""

from typing import Any

import dataclasses

import pytest

from ...guard.abort.readings import lacking
from ...guard.checks.cluster_state import inactive
from ...guard.collect.sample import Sampler
from ...model.topology import HealthCheck, MonState, PgCounts
from ..fakes.abort_bench import OURS, Bench
from ..fakes.cluster import FakeCluster


@pytest.fixture
def bench() -> Bench:
    return Bench()


# rules on health codes

NEWS = {
    'SLOW_OPS': 'SLOW_OPS',
    'BLUESTORE_SLOW_OP_ALERT': 'BLUESTORE_SLOW_OP_ALERT',
    'MON_DOWN': 'MON_DOWN',
    'OSD_NEARFULL': 'NEARFULL',
    'OSD_BACKFILLFULL': 'NEARFULL',
    'POOL_NEARFULL': 'NEARFULL',
    'POOL_FULL': 'POOL_FULL',
}


@pytest.mark.parametrize('code, rule', sorted(NEWS.items()))
def test_a_new_code_fires(bench: Bench, code: str, rule: str) -> None:
    bench.cluster.set_health(code, 'it happened')
    abort = bench.check()
    assert abort is not None
    assert abort.rule == rule
    assert 'it happened' in abort.message


@pytest.mark.parametrize('code', sorted(NEWS))
def test_a_known_code_does_not_fire_until_it_returns(code: str) -> None:
    cluster = FakeCluster()
    cluster.set_health(code, 'known')
    bench = Bench(cluster)
    assert bench.check(3) is None
    del cluster.checks[code]
    assert bench.check(2) is None
    cluster.set_health(code, 'again')
    assert bench.fired() == NEWS[code]


def test_a_muted_warning_does_not_fire(bench: Bench) -> None:
    bench.cluster.checks['SLOW_OPS'] = HealthCheck('HEALTH_WARN', 'x', True)
    assert bench.check(2) is None


@pytest.mark.parametrize('code', ['OSD_NEARFULL', 'POOL_NEARFULL'])
@pytest.mark.parametrize('muted', [False, True])
def test_one_more_that_is_full_fires_beside_those_before(
    code: str, muted: bool
) -> None:
    """Muting one is how an operator has a run at all where one is."""
    cluster = FakeCluster()

    def count(number: int) -> None:
        cluster.checks[code] = HealthCheck(
            'HEALTH_WARN', f'{number} are', muted, number
        )

    count(3)
    bench = Bench(cluster)
    assert bench.check(2) is None
    count(2)
    assert bench.check(2) is None
    count(3)
    abort = bench.check()
    assert abort and abort.rule == 'NEARFULL' and '3 are' in abort.message


def test_other_warnings_do_not_fire(bench: Bench) -> None:
    bench.cluster.set_health('RECENT_CRASH', '1 daemon crashed')
    bench.cluster.set_health('POOL_APP_NOT_ENABLED', '1 pool')
    assert bench.check(2) is None


def test_any_new_error_fires(bench: Bench) -> None:
    bench.cluster.set_health('OSD_SCRUB_ERRORS', '3', 'HEALTH_ERR')
    abort = bench.check()
    assert abort and abort.rule == 'HEALTH_ERR'
    assert 'OSD_SCRUB_ERRORS' in abort.message


def test_a_warning_that_turns_into_an_error_fires() -> None:
    cluster = FakeCluster()
    cluster.set_health('MON_DISK_LOW', 'x')
    bench = Bench(cluster)
    assert bench.check() is None
    cluster.set_health('MON_DISK_LOW', 'x', 'HEALTH_ERR')
    assert bench.fired() == 'HEALTH_ERR'


def test_our_own_error_does_not_fire(bench: Bench) -> None:
    bench.cluster.set_health('PERFCOMPARE_LEFTOVERS', 'x', 'HEALTH_ERR')
    assert bench.check() is None


# rules on PGs

DEGRADED = {'active+undersized+degraded': 8}
PEERING = {'creating+peering': 8}


def test_our_new_pools_may_peer(bench: Bench) -> None:
    own = bench.own_pool()
    bench.cluster.pg_states_of[own] = PEERING
    bench.cluster.set_health('PG_AVAILABILITY', '8 pgs inactive')
    assert bench.check(4) is None
    del bench.cluster.checks['PG_AVAILABILITY']
    del bench.cluster.pg_states_of[own]
    bench.load()
    assert bench.check(4) is None


def test_our_new_pools_may_lack_copies_for_a_moment(bench: Bench) -> None:
    own = bench.own_pool()
    bench.cluster.pg_states_of[own] = DEGRADED
    bench.cluster.set_health('PG_DEGRADED', 'Degraded data redundancy')
    assert bench.check(3) is None


def test_pools_of_others_may_not(bench: Bench) -> None:
    bench.own_pool()
    bench.cluster.pg_states_of[bench.data.id] = {'peering': 8}
    bench.cluster.set_health('PG_AVAILABILITY', '8 pgs inactive')
    assert bench.check(2) is None
    abort = bench.check()
    assert abort and abort.rule == 'PG_AVAILABILITY'
    assert '8 PGs (peering) of other pools' in abort.message


def test_the_warning_of_one_that_moves_waits_as_its_pgs_do(
    bench: Bench,
) -> None:
    bench.cluster.pg_states_of[bench.data.id] = {'remapped+peering': 1}
    bench.cluster.set_health('PG_AVAILABILITY', '1 pg peering')
    for _ in range(7):
        assert bench.check() is None
        bench.cluster.epoch += 1
    assert bench.fired() == 'PG_AVAILABILITY'


def test_degraded_pgs_of_others_fire(bench: Bench) -> None:
    bench.cluster.pg_states_of[bench.data.id] = DEGRADED
    bench.cluster.set_health('PG_DEGRADED', 'Degraded data redundancy')
    assert bench.fired() == 'PG_DEGRADED'


def test_under_load_our_pools_may_not(bench: Bench) -> None:
    own = bench.own_pool()
    bench.load()
    bench.cluster.pg_states_of[own] = DEGRADED
    bench.cluster.set_health('PG_DEGRADED', 'Degraded data redundancy')
    abort = bench.check()
    assert abort and abort.rule == 'PG_DEGRADED'
    assert 'of the pools under load' in abort.message


def test_other_pools_of_ours_may_be_made_under_load(bench: Bench) -> None:
    bench.own_pool()
    bench.load()
    bench.journal.add('perfcompare.0a1b2c3d.x86.write')
    other = bench.cluster.add_pool('perfcompare.0a1b2c3d.x86.write')
    bench.cluster.epoch += 1
    bench.cluster.pg_states_of[other.id] = PEERING
    assert bench.check(4) is None


def test_one_report_of_peering_does_not_fire_two_do(bench: Bench) -> None:
    states = bench.cluster.pg_states_of
    states[bench.data.id] = {'active+clean': 7, 'peering': 1}
    # reports come every 5 s, and are taken in every 2 s: one is seen twice
    assert bench.check(2) is None
    del states[bench.data.id]
    assert bench.check() is None
    states[bench.data.id] = {'active+clean': 7, 'peering': 1}
    assert bench.check(2) is None
    abort = bench.check()
    assert abort and abort.rule == 'PGS_INACTIVE'
    assert '1 PG (peering) of other pools inactive for 10 s' in abort.message


def test_pgs_that_move_one_after_the_other_peer_each_for_itself(
    bench: Bench,
) -> None:
    states = bench.cluster.pg_states_of
    states[bench.data.id] = {'active+clean': 7, 'remapped+peering': 1}
    # a change of the map between two reports: another PG peers
    for _ in range(7):
        assert bench.check() is None
        bench.cluster.epoch += 1
    # not one report without any: it is as if the same did
    abort = bench.check()
    assert abort and abort.rule == 'PGS_INACTIVE'
    assert 'of other pools inactive for 35 s' in abort.message


def test_a_pg_that_does_not_peer_after_a_move_fires(bench: Bench) -> None:
    states = bench.cluster.pg_states_of
    states[bench.data.id] = {'active+clean': 7, 'remapped+peering': 1}
    assert bench.check() is None
    bench.cluster.epoch += 1
    assert bench.check(2) is None
    assert bench.fired() == 'PGS_INACTIVE'


def test_a_moved_pg_under_load_must_not_be_inactive(bench: Bench) -> None:
    own = bench.own_pool()
    bench.load()
    bench.cluster.pg_states_of[own] = {'active+clean': 7, 'peering': 1}
    assert bench.check(2) is None
    bench.cluster.epoch += 1
    assert bench.fired() == 'PGS_INACTIVE'


def test_a_pool_that_we_removed_is_still_ours(
    bench: Bench,
) -> None:
    own = bench.own_pool()
    bench.load()
    assert bench.check() is None
    bench.watch.load_ended()
    bench.journal.clear()
    bench.cluster.pg_states_of[own] = {'unknown': 8}
    assert bench.check(3) is None


def test_a_sample_takes_one_look_at_pgs_however_many_pools_there_were(
    bench: Bench,
) -> None:
    bench.load()
    for _ in range(20):
        bench.own_pool()
        assert bench.check() is None
        bench.cluster.pool_table.pop(OURS)
        bench.journal.clear()
        bench.cluster.epoch += 1
    assert bench.check() is None
    bench.cluster.calls.clear()
    assert bench.check(3) is None
    assert len(bench.cluster.called('pg_totals')) == 3
    assert not bench.cluster.called('pg_counts')
    # the map is the one that was looked at
    assert not bench.cluster.called('osds_down_or_out')
    assert not bench.cluster.called('pools')


def test_a_removed_pool_is_forgotten_once_nothing_shows_it(
    bench: Bench,
) -> None:
    own = bench.own_pool()
    sampler = Sampler(bench.cluster, lambda pools: bench.journal)
    assert sampler.take(0.0).own_ids == {own}
    pool = bench.cluster.pool_table.pop(OURS)
    bench.journal.clear()
    bench.cluster.epoch += 1
    counts = bench.cluster.pg_counts()
    late = PgCounts(counts.total, {**counts.by_pool, str(own): {}}, {})
    bench.cluster.pg_counts = lambda: late  # type: ignore[method-assign]
    assert sampler.take(1.0).own_ids == {own}  # statistics show it
    assert sampler.take(2.0).is_ours(pool)
    bench.cluster.pg_counts = lambda: counts  # type: ignore[method-assign]
    sampler.take(3.0)
    assert not sampler.take(4.0).own_ids


@pytest.mark.parametrize(
    'state, asked',
    [
        ('active+clean', 0),
        ('active+clean+scrubbing+deep', 0),
        ('active+remapped+backfilling', 0),
        ('active+undersized+degraded', 1),
        ('active+recovering+degraded', 1),
        ('stale+active+clean', 1),
        ('peering', 1),
        ('unknown', 1),
    ],
)
def test_whose_pgs_they_are_is_asked_where_a_rule_needs_it(
    bench: Bench, state: str, asked: int
) -> None:
    sampler = Sampler(bench.cluster, lambda pools: bench.journal)
    bench.cluster.pg_states_of[bench.data.id] = {state: 8}
    bench.cluster.calls.clear()
    sample = sampler.take(0.0)
    assert len(bench.cluster.called('pg_counts')) == asked
    assert sample.foreign_pgs == {state: 8}
    bad = {**inactive(sample.foreign_pgs), **lacking(sample.foreign_pgs)}
    assert bool(bad) is bool(asked)


# rules on maps


@pytest.mark.parametrize('change', [{'up': False}, {'in_': False}])
def test_any_osd_that_leaves_fires(bench: Bench, change: Any) -> None:
    bench.cluster.set_osd(0, **change)
    assert bench.fired() == 'OSD_DOWN'


def test_an_osd_that_was_down_before_may_stay_so() -> None:
    cluster = FakeCluster()
    cluster.set_osd(3, up=False)
    bench = Bench(cluster)
    assert bench.check(2) is None
    cluster.set_osd(3, up=True)
    assert bench.check(2) is None
    cluster.set_osd(3, up=False)
    assert bench.fired() == 'OSD_DOWN'


def test_an_osd_that_is_ours_to_stop_may_leave(bench: Bench) -> None:
    bench.watch.expect_down([3])
    bench.cluster.set_osd(3, up=False)
    assert bench.check(2) is None
    bench.cluster.set_osd(2, up=False)
    assert bench.fired() == 'OSD_DOWN'


def test_an_election_fires(bench: Bench) -> None:
    bench.cluster.mons = MonState(6, ('a', 'c'), ('a', 'b', 'c'))
    abort = bench.check()
    assert abort and abort.rule == 'MON_ELECTION'
    assert 'epoch 4 -> 6' in abort.message
    assert 'quorum a and c' in abort.message


def test_an_upgrade_fires_within_half_a_minute(bench: Bench) -> None:
    bench.cluster.upgrade = 'to 20.2.5'
    assert bench.fired(6) == 'UPGRADE'


def test_the_orchestrator_is_asked_seldom(bench: Bench) -> None:
    before = len(bench.cluster.called('upgrade_in_progress'))
    bench.check(12)
    asked = len(bench.cluster.called('upgrade_in_progress')) - before
    assert asked == 2


def test_an_upgrade_that_ran_before_may_go_on() -> None:
    cluster = FakeCluster()
    cluster.upgrade = 'to 20.2.5'
    assert Bench(cluster).check(12) is None


def test_the_autoscaler_on_a_pool_of_others_fires(bench: Bench) -> None:
    bench.cluster.pool_table['data'] = dataclasses.replace(
        bench.data, pg_num_target=32
    )
    bench.cluster.epoch += 1
    abort = bench.check()
    assert abort and abort.rule == 'PG_NUM'
    assert "pool 'data': pg_num target 8 -> 32" in abort.message


def test_a_new_pool_of_others_fires(bench: Bench) -> None:
    bench.cluster.add_pool('theirs')
    bench.cluster.epoch += 1
    abort = bench.check()
    assert abort and abort.rule == 'NEW_POOL'
    assert 'theirs was created by somebody else' in abort.message


def test_pools_of_the_journal_and_of_ceph_may_come_and_go(
    bench: Bench,
) -> None:
    bench.own_pool()
    assert bench.check() is None
    bench.cluster.add_pool('.mgr')
    del bench.cluster.pool_table[OURS]
    bench.cluster.epoch += 1
    assert bench.check(2) is None


def test_pools_are_read_only_when_the_map_changed(bench: Bench) -> None:
    before = len(bench.cluster.called('pools'))
    bench.check(10)
    assert len(bench.cluster.called('pools')) == before
    bench.cluster.epoch += 1
    bench.check()
    assert len(bench.cluster.called('pools')) == before + 1
