"""What others use of a run stays, and it is said why."""

import dataclasses

import pytest

from ...common.errors import PerfcompareError
from ...model.ownership import APPLICATION
from ...ports.orchestration import GatewayOrder
from ...undo.journal import Journal, Kind
from ..data.bench_data import RUN
from ..fakes.clock import FakeClock
from ..fakes.cluster import FakeCluster

NAME = f'perfcompare-{RUN}-arm'
POOL = f'perfcompare.{RUN}.arm.write'
SERVICE = f'perfcompare-{RUN}-arm'
WHO = f'client.rgw.{SERVICE}'
OWN_KEY = f'client.perfcompare.{RUN}'


@pytest.fixture
def cluster():
    return FakeCluster()


@pytest.fixture
def journal(cluster):
    return Journal(cluster, FakeClock())


@pytest.fixture
def placed(cluster, journal):
    """Make root, link and rule of a run."""
    journal.intend(RUN, Kind.ROOT, NAME)
    cluster.crush_add_root(NAME)
    for host in ('arm-1', 'arm-2'):
        journal.intend(RUN, Kind.LINK, host, {'root': NAME})
        cluster.crush_link_host(host, NAME)
    journal.intend(RUN, Kind.RULE, NAME)
    cluster.rule_create(NAME, NAME, 'host', None)


def test_a_host_that_was_renamed_meanwhile_is_unlinked(
    cluster, journal, placed
):
    bucket = cluster.buckets.pop('arm-1')
    cluster.buckets['arm-9'] = dataclasses.replace(bucket, name='arm-9')
    report = journal.undo_all(RUN)
    assert report.clean and NAME not in cluster.buckets
    assert cluster.topology().parents('arm-9') == ['default']
    assert not journal.entries(RUN)


def test_a_host_without_another_parent_keeps_the_root(
    cluster, journal, placed
):
    bucket = cluster.buckets.pop('arm-1')
    cluster.buckets['arm-9'] = dataclasses.replace(bucket, name='arm-9')
    default = cluster.buckets['default']
    items = tuple(i for i in default.items if i != bucket.id)
    cluster.buckets['default'] = dataclasses.replace(default, items=items)
    (left,) = journal.undo_all(RUN).leftovers
    assert (
        left.what == f'root {NAME}' and "'arm-9' has no parent" in left.reason
    )
    assert cluster.topology().parents('arm-9') == [NAME]


def _by_name(report):
    return {item.what: item for item in report.leftovers}


def _linked(cluster):
    parents = cluster.topology().parents
    return all(NAME in parents(host) for host in ('arm-1', 'arm-2'))


def _operator_pool(cluster, rule):
    cluster.add_pool('theirs', crush_rule=cluster.rules[rule].id)


def test_data_of_others_on_a_rule_of_the_run_is_not_moved(
    cluster, journal, placed
):
    _operator_pool(cluster, NAME)
    report = journal.undo_all(RUN)
    assert NAME in cluster.rules and _linked(cluster)
    told = _by_name(report)
    assert set(told) == {
        f'rule {NAME}', f'root {NAME}',
        f'link arm-1 ({NAME})', f'link arm-2 ({NAME})',
    }  # fmt: skip
    assert 'theirs' in told[f'rule {NAME}'].reason
    assert 'crush_rule' in told[f'rule {NAME}'].reason
    for what in set(told) - {f'rule {NAME}'}:
        assert 'rules still take' in told[what].reason
        assert NAME in told[what].reason
    # by hand it would move their data
    assert not any('unlink' in item.remedy for item in told.values())
    del cluster.pool_table['theirs']
    assert journal.undo_all(RUN).clean
    assert NAME not in cluster.buckets and not journal.entries(RUN)


def test_data_of_others_by_a_rule_of_theirs_on_the_root_is_not_moved(
    cluster, journal, placed
):
    rule = cluster.rules[NAME]
    cluster.rules['mine'] = type(rule)(
        9, 'mine', NAME, rule.device_class, rule.failure_domain
    )
    _operator_pool(cluster, 'mine')
    told = _by_name(journal.undo_all(RUN))
    assert _linked(cluster) and 'mine' in cluster.rules
    assert NAME not in cluster.rules
    assert set(told) == {
        f'root {NAME}', f'link arm-1 ({NAME})', f'link arm-2 ({NAME})',
    }  # fmt: skip
    assert all('mine' in item.reason for item in told.values())
    del cluster.pool_table['theirs'], cluster.rules['mine']
    assert journal.undo_all(RUN).clean


def test_the_rule_of_an_erasure_coded_pool_that_others_use_is_told(
    cluster, journal, placed
):
    journal.intend(RUN, Kind.EC_PROFILE, NAME)
    cluster.ec_profile_set(NAME, {'k': '1', 'm': '1', 'crush-root': NAME})
    journal.intend(RUN, Kind.POOL, POOL, {'erasure': NAME})
    cluster.pool_create(POOL, 8, NAME, 2, 1, NAME)
    cluster.pool_set_application(POOL, APPLICATION, 'run', RUN)
    _operator_pool(cluster, POOL)
    told = _by_name(journal.undo_all(RUN))
    assert _linked(cluster) and POOL in cluster.rules
    assert POOL not in cluster.pool_table
    assert 'theirs' in told[f'pool {POOL}'].reason
    assert 'its rule' in told[f'pool {POOL}'].reason
    assert 'no journal entry' not in told[f'rule {POOL}'].reason
    del cluster.pool_table['theirs']
    assert journal.undo_all(RUN).clean


@pytest.fixture
def served(cluster, journal):
    """Make gateways that do not go, with their option and their key."""
    cluster.backend = 'cephadm'
    journal.intend(RUN, Kind.CONFIG, 'rgw_zone', {'who': WHO}, value='z')
    journal.intend(
        RUN, Kind.CONFIG, 'mgr_stats_period', {'who': 'global'}, value='2'
    )
    journal.intend(RUN, Kind.SERVICE, SERVICE)
    cluster.config_set(WHO, 'rgw_zone', 'z')
    cluster.config_set('global', 'mgr_stats_period', '2')
    cluster.orchestrator_places = {'arm-1': '10.0.0.1'}
    cluster.gateways_apply(GatewayOrder(SERVICE, ('arm-1',), 1, 80, 'z'))
    cluster.lets_go = False


def test_gateways_that_stay_keep_their_options(cluster, journal, served):
    told = _by_name(journal.undo_all(RUN))
    assert cluster.config_get(WHO, 'rgw_zone') == 'z'
    assert cluster.config_get('global', 'mgr_stats_period') is None
    left = told[f'config rgw_zone ({WHO})']
    assert f'rgw.{SERVICE}' in left.reason
    assert f'ceph orch rm rgw.{SERVICE}' in left.remedy
    assert 'config rm' not in left.remedy
    cluster.lets_go = True
    assert journal.undo_all(RUN).clean
    assert cluster.config_get(WHO, 'rgw_zone') is None


def test_keys_of_gateways_that_stay_are_told_with_their_service(
    cluster, journal, served
):
    told = _by_name(journal.undo_all(RUN))
    key = f'key client.rgw.{SERVICE}.arm-1.0'
    assert f'rgw.{SERVICE}' in told[key].reason
    assert 'no journal entry' not in told[key].reason
    assert f'ceph orch rm rgw.{SERVICE}' in told[key].remedy
    assert 'auth rm' not in told[key].remedy


@pytest.mark.parametrize('told_by', ['options', 'keys', 'silence'])
def test_gateways_whose_entry_cannot_be_read_keep_what_they_use(
    cluster, journal, served, monkeypatch, told_by
):
    """They would make pools anew that they miss."""
    pool = f'perfcompare.{RUN}.arm.data'
    journal.intend(RUN, Kind.POOL, pool)
    cluster.pool_create(pool, 8, 'replicated_rule', 2, 1, None)
    cluster.pool_set_application(pool, APPLICATION, 'run', RUN)
    (entry,) = [e for e in journal.entries(RUN) if e.kind is Kind.SERVICE]
    cluster.kv_set(entry.key, '{"kind": "serv')
    (option,) = [e for e in journal.entries(RUN) if e.name == 'rgw_zone']
    if told_by == 'keys':
        journal.forget(option)
    if told_by == 'silence':
        cluster.fail_on('gateways_known', 9, PerfcompareError('no answer'))
    told = _by_name(journal.undo_all(RUN))
    assert pool in cluster.pool_table
    assert 'gateways of the run' in told[f'pool {pool}'].reason
    left = told[f'service {SERVICE}']
    assert 'cannot be read' in left.reason
    assert f'ceph orch rm rgw.{SERVICE}' in left.remedy
    if told_by != 'keys':
        assert cluster.config_get(WHO, 'rgw_zone') == 'z'
    assert cluster.config_get('global', 'mgr_stats_period') is None
    # an operator does as told, and all else goes
    cluster.failures.clear()
    cluster.lets_go = True
    cluster.gateways_remove(SERVICE)
    cluster.kv_remove(entry.key)
    journal.undo_all(RUN)
    assert pool not in cluster.pool_table


@pytest.mark.parametrize(
    'kind, name, detail',
    [
        (Kind.POOL, 'rbd', {}),
        (Kind.KEY, 'client.admin', {}),
        (Kind.LINK, 'arm-1', {'root': 'default'}),
    ],
)
def test_nobody_is_told_to_remove_what_is_not_of_the_run(
    journal, kind, name, detail
):
    entry = journal.intend(RUN, kind, name, detail)
    (item,) = journal.undo_all(RUN).leftovers
    assert 'has not the name of this run' in item.reason
    assert f'ceph config-key rm mgr/perfcompare/{entry.key}' in item.remedy
    assert ' rm rbd' not in item.remedy and 'unlink' not in item.remedy
    assert 'auth rm' not in item.remedy
