"""The table of checks, its report, and the checks of the cluster's state."""

from typing import Any

import dataclasses

import pytest

from ...common.codec import to_data
from ...common.errors import TryAgain
from ...common.settings import Settings
from ...guard.checks import health
from ...guard.checks import preflight as table
from ...guard.checks.cluster_state import pgs
from ...guard.checks.finding import CheckContext, Severity
from ...guard.checks.preflight import CHECKS, preflight, text
from ...model.topology import HealthCheck, MonState, PgCounts, PoolIo
from ..data.guard_data import (
    checks,
    facts_of,
    group_plan,
    judge,
    run_plan,
    two_groups,
    with_options,
    worst,
)
from ..fakes.cluster import FakeCluster

# the ids of the documentation, in its order
IDS = (
    'HEALTH PGS FLAGS UPGRADE STRETCH CAPACITY LOAD GROUPS AUTOSCALER '
    'POOL_DELETE PG_LIMIT OWNERSHIP CLIENT STANDBYS BALANCER SCRUB MCLOCK '
    'CLOCK SINGLETON MAXTIME CONSENT'
).split()


@pytest.fixture
def cluster() -> FakeCluster:
    return FakeCluster()


def test_an_empty_healthy_cluster_may_run_without_consent(
    cluster: FakeCluster,
) -> None:
    report = judge(cluster)
    bad = [c for c in report.checks if c.severity is Severity.REFUSE]
    assert not bad
    assert report.may_run
    assert not report.refused
    assert not report.needs_consent
    assert report.reason == ''


def test_each_id_says_something(cluster: FakeCluster) -> None:
    found = [c.id for c in judge(cluster).checks]
    assert list(dict.fromkeys(found)) == IDS


def test_each_refusal_has_a_remedy(cluster: FakeCluster) -> None:
    cluster.set_health('OSD_DOWN', '1 osds down')
    cluster.flags = ['pauserd', 'norecover']
    cluster.mons = MonState(4, ('a',), ('a',), stretch_mode=True)
    cluster.mon_runtime['mon_allow_pool_delete'] = 'false'
    report = judge(cluster, active_run='11112222')
    refusals = report.of(Severity.REFUSE)
    assert len(refusals) >= 5
    assert all(c.remedy for c in refusals)


@pytest.mark.parametrize('name', sorted({n for r in CHECKS for n in r.needs}))
def test_facts_that_cannot_be_read_are_said(
    cluster: FakeCluster, name: str
) -> None:
    plan = two_groups(cluster)
    facts = facts_of(cluster, plan)
    facts.errors[name] = 'no answer in 5 s'
    report = preflight(facts, plan, Settings())
    said = [c for c in report.checks if 'could not be read' in c.message]
    wanted = [r for r in CHECKS if name in r.needs]
    assert [c.id for c in said] == [r.id for r in wanted]
    assert all('no answer in 5 s' in c.message for c in said)
    assert all(c.severity in (Severity.REFUSE, Severity.WARN) for c in said)


def test_one_silent_daemon_does_not_hide_the_rest(
    cluster: FakeCluster,
) -> None:
    cluster.fail_on('mon_config', 9, TryAgain('mon.a does not answer'))
    cluster.set_health('OSD_DOWN', '1 osds down')
    report = judge(cluster)
    assert worst(report, 'POOL_DELETE').severity is Severity.REFUSE
    assert 'mon.a does not answer' in worst(report, 'POOL_DELETE').message
    assert worst(report, 'HEALTH').severity is Severity.REFUSE
    assert worst(report, 'GROUPS').severity is Severity.OK


def test_a_surprise_refuses(cluster: FakeCluster) -> None:
    plan = two_groups(cluster)
    cluster.ratios = {}
    report = judge(cluster, plan)
    assert worst(report, 'CAPACITY').severity is Severity.REFUSE
    assert 'KeyError' in worst(report, 'CAPACITY').message
    assert report.refused


# HEALTH


def test_every_allowed_warning_has_a_reason() -> None:
    assert all(len(reason) > 10 for reason in health.ALLOWED.values())
    assert all(
        len(reason) > 10 for reason in health.ALLOWED_PREFIXES.values()
    )


@pytest.mark.parametrize(
    'code',
    [
        'MGR_MODULE_DEPENDENCY',
        'POOL_APP_NOT_ENABLED',
        'POOL_SCRUB_FLAGS',
        'RECENT_CRASH',
        'AUTH_INSECURE_GLOBAL_ID_RECLAIM_ALLOWED',
        'CEPHADM_STRAY_DAEMON',
    ],
)
def test_harmless_warnings_warn(cluster: FakeCluster, code: str) -> None:
    cluster.set_health(code, 'something')
    report = judge(cluster)
    assert worst(report, 'HEALTH').severity is Severity.WARN
    assert code in worst(report, 'HEALTH').message
    assert report.may_run


@pytest.mark.parametrize(
    'code',
    [
        'OSD_DOWN',
        'OSD_NEARFULL',
        'SLOW_OPS',
        'MON_DOWN',
        'PG_DEGRADED',
        'BLUESTORE_SLOW_OP_ALERT',
        'DEVICE_HEALTH',
        'SOMETHING_OF_THE_FUTURE',
    ],
)
def test_other_warnings_refuse(cluster: FakeCluster, code: str) -> None:
    cluster.set_health(code, 'something')
    report = judge(cluster)
    assert worst(report, 'HEALTH').severity is Severity.REFUSE
    assert f'ceph health mute {code}' in worst(report, 'HEALTH').remedy


def test_muted_warnings_warn_and_muted_errors_refuse(
    cluster: FakeCluster,
) -> None:
    cluster.checks['SLOW_OPS'] = HealthCheck('HEALTH_WARN', 'x', True)
    assert worst(judge(cluster), 'HEALTH').severity is Severity.WARN
    cluster.checks['SLOW_OPS'] = HealthCheck('HEALTH_ERR', 'x', True)
    assert worst(judge(cluster), 'HEALTH').severity is Severity.REFUSE


def test_an_allowed_code_as_an_error_refuses(cluster: FakeCluster) -> None:
    cluster.set_health('MON_DISK_BIG', 'x', 'HEALTH_ERR')
    assert worst(judge(cluster), 'HEALTH').severity is Severity.REFUSE


def test_old_keys_after_an_upgrade_are_no_error_of_io(
    cluster: FakeCluster,
) -> None:
    # as Ceph 20.2.4 has them after an upgrade from 18.2
    cluster.set_health('AUTH_INSECURE_SERVICE_TICKETS', 'x', 'HEALTH_ERR')
    found = worst(judge(cluster), 'HEALTH')
    assert found.severity is Severity.WARN
    assert 'I/O is not affected' in found.message
    assert judge(cluster).may_run


def test_leftovers_name_cleanup(cluster: FakeCluster) -> None:
    cluster.set_health('PERFCOMPARE_LEFTOVERS', 'run 1 left 2 pools')
    found = worst(judge(cluster), 'HEALTH')
    assert found.severity is Severity.REFUSE
    assert 'ceph perfcompare cleanup' in found.remedy


# PGS


@pytest.mark.parametrize(
    'states, severity',
    [
        ({'active+clean': 8}, Severity.OK),
        ({'active+clean+scrubbing+deep': 8}, Severity.OK),
        ({'unknown': 8}, Severity.REFUSE),
        ({'active+clean': 7, 'peering': 1}, Severity.REFUSE),
        ({'stale+active+clean': 8}, Severity.REFUSE),
        ({'active+recovering+degraded': 8}, Severity.REFUSE),
        ({'active+remapped+backfill_wait': 8}, Severity.REFUSE),
    ],
)
def test_pgs(cluster: FakeCluster, states: Any, severity: Severity) -> None:
    pool = cluster.add_pool('data')
    cluster.pg_states_of[pool.id] = states
    assert worst(judge(cluster), 'PGS').severity is severity


def test_what_the_balancer_moves_is_said_where_pgs_are_not_clean(
    cluster: FakeCluster,
) -> None:
    pool = cluster.add_pool('data')
    cluster.pg_states_of[pool.id] = {'active+remapped+backfill_wait': 8}
    assert '`ceph balancer off`' in worst(judge(cluster), 'PGS').remedy
    cluster.balancer = {'active': False, 'mode': 'none'}
    assert 'balancer' not in worst(judge(cluster), 'PGS').remedy


def test_recovery_elsewhere_warns(cluster: FakeCluster) -> None:
    cluster.add_pool('data')
    plan = two_groups(cluster)
    facts = facts_of(cluster, plan)
    facts.pgs = PgCounts({'active+clean': 8, 'active+recovering': 1}, {}, {})
    (found,) = pgs(CheckContext(facts, plan))
    assert found.severity is Severity.WARN
    assert '1 PG elsewhere' in found.message


# FLAGS, UPGRADE, STRETCH


@pytest.mark.parametrize(
    'flag, severity',
    [
        ('sortbitwise', Severity.OK),
        ('noscrub', Severity.WARN),
        ('noout', Severity.WARN),
        ('norebalance', Severity.REFUSE),
        ('nobackfill', Severity.REFUSE),
        ('norecover', Severity.REFUSE),
        ('pauserd', Severity.REFUSE),
        ('noup', Severity.REFUSE),
        ('noin', Severity.REFUSE),
        ('nodown', Severity.REFUSE),
    ],
)
def test_flags(cluster: FakeCluster, flag: str, severity: Severity) -> None:
    cluster.flags = ['recovery_deletes', flag]
    found = worst(judge(cluster), 'FLAGS')
    assert found.severity is severity


def test_pause_is_unset_by_its_own_name(cluster: FakeCluster) -> None:
    cluster.flags = ['pausewr']
    assert 'ceph osd unset pause`' in worst(judge(cluster), 'FLAGS').remedy


def test_an_upgrade_refuses(cluster: FakeCluster) -> None:
    cluster.upgrade = 'to 20.2.5, 3/7 daemons'
    assert '3/7' in worst(judge(cluster), 'UPGRADE').message
    assert worst(judge(cluster), 'UPGRADE').severity is Severity.REFUSE


def test_an_orchestrator_that_does_not_answer_warns(
    cluster: FakeCluster,
) -> None:
    cluster.fail_on('upgrade_in_progress', 1)
    assert worst(judge(cluster), 'UPGRADE').severity is Severity.WARN


def test_mixed_versions_inside_a_group_refuse(cluster: FakeCluster) -> None:
    cluster.set_osd(3, ceph_version='20.2.1')
    found = worst(judge(cluster), 'UPGRADE')
    assert found.severity is Severity.REFUSE
    assert "'arm'" in found.message
    assert '20.2.1, 20.2.4' in found.message


def test_versions_between_groups_warn(cluster: FakeCluster) -> None:
    for osd in (2, 3):
        cluster.set_osd(osd, ceph_version='20.2.1')
    found = worst(judge(cluster), 'UPGRADE')
    assert found.severity is Severity.WARN
    assert 'hardware and version together' in found.remedy


def test_stretch_mode_refuses(cluster: FakeCluster) -> None:
    cluster.mons = MonState(4, ('a',), ('a',), stretch_mode=True)
    assert worst(judge(cluster), 'STRETCH').severity is Severity.REFUSE


# LOAD and CONSENT


def test_load_above_the_limit_needs_consent(cluster: FakeCluster) -> None:
    pool = cluster.add_pool('rbd')
    cluster.io[pool.id] = PoolIo(40.0, 30.0, 1e6, 2e6)
    report = judge(cluster)
    assert worst(report, 'LOAD').severity is Severity.REFUSE
    assert '70.0 op/s' in worst(report, 'LOAD').message
    assert 'rbd' in worst(report, 'LOAD').message
    assert 'no verdict (`busy`) unless' in worst(report, 'LOAD').remedy
    assert report.needs_consent
    assert not report.refused
    plan = with_options(two_groups(cluster), consent=True)
    report = judge(cluster, plan)
    assert worst(report, 'LOAD').severity is Severity.WARN
    assert report.may_run
    assert report.asks == ('CONSENT', 'LOAD')


def test_a_check_that_fails_asks_for_no_consent(
    cluster: FakeCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(situation: CheckContext) -> Any:
        raise ValueError('nobody thought of it')

    rules = [
        rule._replace(function=broken) if rule.id == 'LOAD' else rule
        for rule in CHECKS
    ]
    monkeypatch.setattr(table, 'CHECKS', rules)
    plan = with_options(two_groups(cluster), consent=True)
    report = judge(cluster, plan)
    assert worst(report, 'LOAD').severity is Severity.REFUSE
    assert report.refused and not report.needs_consent


def test_load_below_the_limit_is_ok(cluster: FakeCluster) -> None:
    pool = cluster.add_pool('rbd')
    cluster.io[pool.id] = PoolIo(20.0, 20.0)
    assert worst(judge(cluster), 'LOAD').severity is Severity.OK
    report = judge(cluster, load_limit_ops=10.0)
    assert worst(report, 'LOAD').severity is Severity.REFUSE


def test_data_of_others_needs_consent(cluster: FakeCluster) -> None:
    cluster.add_pool('rbd', objects=3, stored_bytes=4096)
    report = judge(cluster)
    assert report.needs_consent
    assert not report.refused
    assert 'rbd (3 objects)' in report.reason
    assert '--yes-i-really-mean-it' in report.reason
    plan = with_options(two_groups(cluster), consent=True)
    assert judge(cluster, plan).may_run


def test_consent_does_not_lift_a_refusal(cluster: FakeCluster) -> None:
    cluster.flags = ['pausewr']
    plan = with_options(two_groups(cluster), consent=True)
    report = judge(cluster, plan)
    assert report.refused
    assert report.reason.startswith('FLAGS: pausewr')


@pytest.mark.parametrize(
    'name, fields',
    [
        ('.mgr', {'objects': 9}),
        ('other', {'objects': 9, 'application': {'mgr': {}}}),
        ('empty', {}),
    ],
)
def test_ceph_s_own_and_empty_pools_need_no_consent(
    cluster: FakeCluster, name: str, fields: Any
) -> None:
    cluster.add_pool(name, **fields)
    assert judge(cluster).may_run


# AUTOSCALER


def test_a_pool_on_its_way_refuses(cluster: FakeCluster) -> None:
    cluster.add_pool('rbd', pg_num=8, pg_num_target=32)
    found = worst(judge(cluster), 'AUTOSCALER')
    assert found.severity is Severity.REFUSE
    assert 'from pg_num 8 to 32' in found.message


def test_pools_that_pause_are_listed(cluster: FakeCluster) -> None:
    plan = two_groups(cluster, pauses_autoscaler=('rbd', '.mgr'))
    found = worst(judge(cluster, plan), 'AUTOSCALER')
    assert found.severity is Severity.INFO
    assert 'rbd and .mgr' in found.message


# SINGLETON, MAXTIME


def test_a_second_run_is_refused(cluster: FakeCluster) -> None:
    found = worst(judge(cluster, active_run='11112222'), 'SINGLETON')
    assert found.severity is Severity.REFUSE
    assert 'ceph perfcompare cancel 11112222' in found.remedy


def test_too_long_a_run_is_refused(cluster: FakeCluster) -> None:
    plan = two_groups(cluster, seconds_max=4000.0)
    found = worst(judge(cluster, plan, max_duration=3600), 'MAXTIME')
    assert found.severity is Severity.REFUSE
    assert '1 h 7 min' in found.message
    assert worst(judge(cluster, plan), 'MAXTIME').severity is Severity.OK


# the report


def test_the_text_is_aligned_and_judges(cluster: FakeCluster) -> None:
    cluster.flags = ['pauserd']
    lines = text(judge(cluster), width=90).splitlines()
    assert lines[0].startswith('CHECK')
    column = lines[0].index('FOUND')
    flags = next(line for line in lines if line.startswith('FLAGS'))
    assert flags[column:].startswith('pauserd is set')
    assert any(
        line.strip().startswith('-> `ceph osd unset') for line in lines
    )
    assert max(map(len, lines)) <= 90
    assert lines[-1].startswith('A run is refused: 1 refused')


def test_the_text_asks_for_consent(cluster: FakeCluster) -> None:
    cluster.add_pool('rbd', objects=1)
    last = text(judge(cluster)).splitlines()[-1]
    assert last.startswith('A run needs --yes-i-really-mean-it')
    cluster.pool_table.clear()
    last = text(judge(cluster)).splitlines()[-1]
    assert last.startswith('A run may start: 0 refused')


def test_a_report_becomes_data(cluster: FakeCluster) -> None:
    data = to_data(judge(cluster))
    assert {'checks', 'refused', 'needs_consent'} <= set(data)
    assert data['checks'][0]['severity'] == 'ok'


def test_gather_reads_each_thing_once(cluster: FakeCluster) -> None:
    plan = run_plan([group_plan(cluster, 'arm')])
    facts = facts_of(cluster, plan)
    assert facts.errors == {}
    for once in ('topology', 'pools', 'health', 'mon_state'):
        assert len(cluster.called(once)) == 1
    assert dataclasses.asdict(facts)['version'] == '20.2.4'
    assert checks(judge(cluster), 'HEALTH')[0].message == 'HEALTH_OK'
