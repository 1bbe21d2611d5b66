"""Each abort rule: when it fires, when it does not, and what recovers."""

from typing import Any, Dict, List, Optional, Set

import dataclasses

import pytest

from ..errors import CommandFailed, TryAgain
from ..guard import abort as module
from ..guard.abort import Abort, AbortWatch, rules
from ..guard.rules import RULES
from ..settings import Settings
from ..topology import HealthCheck, MonState, PoolLatency
from .fake_cluster import FakeCluster

OURS = 'perfcompare.0a1b2c3d.arm.write'


class Bench:
    """Drive a watch over a fake cluster on a clock of its own."""

    def __init__(self, cluster: Optional[FakeCluster] = None) -> None:
        self.cluster = cluster or FakeCluster()
        self.now = 1000.0
        self.settings: Dict[str, Any] = {}
        self.journal: Set[str] = set()
        self.lease = ''
        self.data = self.cluster.add_pool('data', objects=5)
        self.watch = self.new_watch()

    def new_watch(self) -> AbortWatch:
        return AbortWatch(
            self.cluster,
            lambda: Settings(**self.settings),
            lambda: self.journal,
            self.now,
            lambda: self.lease,
        )

    def check(self, times: int = 1) -> Optional[Abort]:
        found = None
        for _ in range(times):
            self.now += 5.0
            found = self.watch.check(self.now)
            if found:
                break
        return found

    def own_pool(self) -> int:
        self.journal.add(OURS)
        application: Dict[str, Dict[str, str]] = {'perfcompare': {}}
        pool = self.cluster.add_pool(OURS, application=application)
        self.cluster.epoch += 1
        return pool.id

    def load(self, deadline: float = 600.0) -> None:
        self.watch.load_started(
            'write-4K-c16 on arm', self.now + deadline, [OURS]
        )

    def fired(self, times: int = 1) -> str:
        found = self.check(times)
        return found.rule if found else ''


@pytest.fixture
def bench() -> Bench:
    return Bench()


def test_a_quiet_cluster_goes_on(bench: Bench) -> None:
    bench.own_pool()
    bench.load()
    assert bench.check(20) is None


def test_the_rules_are_complete_and_described() -> None:
    found = dict(rules(Settings(max_tenant_impact=3.0)))
    assert set(found) == {
        *'EMERGENCY_STOP LEASE DEADLINE ERROR_BUDGET OSD_DOWN'.split(),
        *'NEARFULL POOL_FULL MON_DOWN SLOW_OPS'.split(),
        *'BLUESTORE_SLOW_OP_ALERT PG_AVAILABILITY PG_DEGRADED'.split(),
        *'PGS_INACTIVE HEALTH_ERR MON_ELECTION UPGRADE'.split(),
        *'PG_NUM NEW_POOL TENANT_IMPACT BLIND'.split(),
    }
    assert all(found.values())
    assert '3 x their baseline for 15 s' in found['TENANT_IMPACT']
    assert '0.10%' in found['ERROR_BUDGET']


def test_an_abort_says_rule_message_value_and_threshold(
    bench: Bench,
) -> None:
    bench.cluster.set_osd(3, up=False)
    abort = bench.check()
    assert abort is not None
    assert str(abort) == 'OSD_DOWN: osd.3 is down'
    assert abort.value == 'osd.3 is down'
    assert abort.threshold == 'any further OSD down or out'


def test_an_abort_stays(bench: Bench) -> None:
    bench.cluster.set_osd(3, up=False)
    assert bench.fired() == 'OSD_DOWN'
    bench.cluster.set_osd(3, up=True)
    assert bench.fired() == 'OSD_DOWN'


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
    abort = bench.check()
    assert abort and abort.rule == 'PG_AVAILABILITY'
    assert '8 PGs (peering) of other pools' in abort.message


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


def test_one_look_at_peering_does_not_fire_two_do(bench: Bench) -> None:
    states = bench.cluster.pg_states_of
    states[bench.data.id] = {'active+clean': 7, 'peering': 1}
    assert bench.check() is None
    del states[bench.data.id]
    assert bench.check() is None
    states[bench.data.id] = {'active+clean': 7, 'peering': 1}
    assert bench.check() is None
    abort = bench.check()
    assert abort and abort.rule == 'PGS_INACTIVE'
    assert '1 PG (peering) of other pools' in abort.message


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


def test_ours_are_taken_off_without_a_race(bench: Bench) -> None:
    own = bench.own_pool()
    states: List[Dict[str, int]] = [
        {'creating+peering': 8},  # ours, before
        {'active+clean': 8},  # ours, after: they moved meanwhile
    ]
    original = bench.cluster.pool_pg_states

    def moving(pool: int) -> Dict[str, int]:
        if pool == own and states:
            bench.cluster.pg_states_of[own] = states.pop(0)
        return original(pool)

    bench.cluster.pool_pg_states = moving  # type: ignore[method-assign]
    assert bench.check() is None
    assert bench.watch.values()[12].worst == 'none'


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


# rules on the load


def test_the_deadline_of_a_trial(bench: Bench) -> None:
    bench.load(deadline=22.0)
    assert bench.check(4) is None
    abort = bench.check()
    assert abort and abort.rule == 'DEADLINE'
    assert 'write-4K-c16 on arm is 3 s over' in abort.message


def test_no_deadline_without_load(bench: Bench) -> None:
    bench.load(deadline=7.0)
    assert bench.check() is None
    bench.watch.load_ended()
    assert bench.check(10) is None


@pytest.mark.parametrize(
    'ops, errors, fires',
    [
        (100000, 0, False),
        (100000, 99, False),
        (100000, 150, True),
        (0, 1, True),
        (0, 0, False),
    ],
)
def test_error_budget(
    bench: Bench, ops: int, errors: int, fires: bool
) -> None:
    bench.load()
    bench.watch.load_progress(ops, errors)
    assert (bench.fired() == 'ERROR_BUDGET') is fires


def test_a_lost_lease(bench: Bench) -> None:
    bench.lease = 'no mon answered for 15 s'
    assert bench.check() is None
    bench.load()
    abort = bench.check()
    assert abort and abort.rule == 'LEASE'
    assert abort.message == 'no mon answered for 15 s'


def test_emergency_stop(bench: Bench) -> None:
    assert bench.check() is None
    bench.settings['emergency_stop'] = True
    assert bench.fired() == 'EMERGENCY_STOP'


# tenants


class Tenants(Bench):
    """Serve another pool at latencies that a test sets."""

    def learn(self, latency: float = 0.002, times: int = 3) -> None:
        self.serve(latency)
        for _ in range(times):
            assert self.check() is None
        self.own_pool()
        self.load()

    def serve(self, latency: float, ops: int = 50) -> None:
        self.cluster.latency = {
            self.data.id: PoolLatency(ops, ops * latency, 0, 0.0)
        }


@pytest.fixture
def tenants() -> Tenants:
    return Tenants()


def test_impact_must_last(tenants: Tenants) -> None:
    tenants.learn()
    tenants.serve(0.005)
    assert tenants.check(2) is None
    abort = tenants.check()
    assert abort and abort.rule == 'TENANT_IMPACT'
    assert 'reads of pool data: 5.00 ms, 2.5 x its baseline' in abort.message
    assert 'for 15 s' in abort.message


def test_impact_that_recovers_starts_anew(tenants: Tenants) -> None:
    tenants.learn()
    for _ in range(4):
        tenants.serve(0.005)
        assert tenants.check(2) is None
        tenants.serve(0.002)
        assert tenants.check() is None


def test_impact_below_the_limit_is_borne(tenants: Tenants) -> None:
    tenants.learn()
    tenants.serve(0.0039)
    assert tenants.check(10) is None
    tenants.settings['max_tenant_impact'] = 5.0


def test_the_limit_is_an_option() -> None:
    tenants = Tenants()
    tenants.settings['max_tenant_impact'] = 5.0
    tenants.watch = tenants.new_watch()
    tenants.learn()
    tenants.serve(0.009)
    assert tenants.check(10) is None
    tenants.serve(0.011)
    assert tenants.fired(3) == 'TENANT_IMPACT'


def test_without_a_baseline_nothing_is_judged(tenants: Tenants) -> None:
    tenants.own_pool()
    tenants.load()
    tenants.serve(5.0)
    assert tenants.check(10) is None
    values = {v.rule: v.worst for v in tenants.watch.values()}
    assert values['TENANT_IMPACT'].startswith('no baseline')


def test_a_mgr_without_the_query_says_so(tenants: Tenants) -> None:
    tenants.cluster.latency = None
    tenants.load()
    assert tenants.check(3) is None
    values = {v.rule: v.worst for v in tenants.watch.values()}
    assert values['TENANT_IMPACT'] == 'not available'


def test_our_own_pools_are_no_tenants(tenants: Tenants) -> None:
    own = tenants.own_pool()
    tenants.learn()
    tenants.cluster.latency = {own: PoolLatency(50, 90.0, 50, 90.0)}
    assert tenants.check(10) is None


def test_nobody_to_disturb_costs_the_osds_nothing() -> None:
    bench = Bench()
    bench.cluster.pool_table.clear()
    bench.cluster.epoch += 1
    bench.watch = bench.new_watch()
    before = len(bench.cluster.called('pool_latency'))
    assert bench.check(3) is None
    assert len(bench.cluster.called('pool_latency')) == before
    bench.watch.close()


def test_closing_ends_the_query_once(bench: Bench) -> None:
    bench.check()
    bench.watch.close()
    bench.watch.close()
    assert len(bench.cluster.called('pool_latency_end')) == 1


def test_closing_never_raises(bench: Bench) -> None:
    bench.cluster.fail_on('pool_latency_end')
    bench.check()
    bench.watch.close()


# reads that fail


def test_short_blindness_is_borne(bench: Bench) -> None:
    bench.cluster.fail_on('health', 3, TryAgain('slow'))
    assert bench.check(6) is None


def test_lasting_blindness_aborts(bench: Bench) -> None:
    bench.cluster.fail_on('health', 99, TryAgain('no answer in 5 s'))
    assert bench.check(3) is None
    abort = bench.check()
    assert abort and abort.rule == 'BLIND'
    assert 'health for 15 s: no answer in 5 s' in abort.message


def test_a_silent_orchestrator_is_borne(bench: Bench) -> None:
    bench.cluster.fail_on('upgrade_in_progress', 99, TryAgain('hangs'))
    before = len(bench.cluster.called('upgrade_in_progress'))
    assert bench.check(12) is None
    assert len(bench.cluster.called('upgrade_in_progress')) == before + 2


def test_blind_rules_do_not_stop_the_others(bench: Bench) -> None:
    bench.cluster.fail_on('pg_states', 99, CommandFailed('pg stat', 5, ''))
    bench.cluster.set_osd(0, up=False)
    assert bench.fired() == 'OSD_DOWN'


def test_no_watch_without_a_baseline() -> None:
    cluster = FakeCluster()
    cluster.fail_on('mon_state', 1)
    with pytest.raises(TryAgain, match='mon'):
        Bench(cluster)


def test_a_broken_rule_does_not_stop_the_others(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(view: Any) -> Any:
        raise KeyError('x')

    broken_first = (RULES[0]._replace(read=broken),) + RULES[1:]
    monkeypatch.setattr(module, 'RULES', broken_first)
    bench.cluster.set_osd(0, up=False)
    assert bench.fired() == 'OSD_DOWN'


# the result


def test_values_keep_the_worst_of_each_rule(bench: Bench) -> None:
    bench.load()
    bench.watch.load_progress(100000, 50)
    assert bench.check() is None
    bench.watch.load_progress(200000, 50)
    assert bench.check() is None
    values = {v.rule: v for v in bench.watch.values()}
    assert list(values) == [rule.id for rule in RULES]
    assert values['ERROR_BUDGET'].worst == '50 of 100050 (0.05%)'
    assert values['OSD_DOWN'].worst == 'none'
    assert not any(v.fired for v in values.values())
    bench.cluster.set_osd(0, up=False)
    bench.check()
    values = {v.rule: v for v in bench.watch.values()}
    assert values['OSD_DOWN'].fired
    assert values['OSD_DOWN'].worst == 'osd.0 is down'
