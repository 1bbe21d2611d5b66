"""GROUPS, OWNERSHIP and POOL_DELETE."""

from typing import Any

import pytest

from ...guard.checks.finding import Severity
from ...model.topology import Bucket, MonState
from ..data.guard_data import (
    RUN,
    checks,
    group_plan,
    judge,
    pool_plan,
    run_plan,
    two_groups,
    with_options,
    worst,
)
from ..fakes.cluster import FakeCluster


@pytest.fixture
def cluster() -> FakeCluster:
    return FakeCluster()


# GROUPS


def test_good_groups_are_listed(cluster: FakeCluster) -> None:
    found = worst(judge(cluster), 'GROUPS')
    assert found.severity is Severity.OK
    assert 'arm (2 OSDs) and x86 (2 OSDs)' in found.message


def test_overlap_refuses_but_not_in_a_control_run(
    cluster: FakeCluster,
) -> None:
    plan = run_plan(
        [
            group_plan(cluster, 'a', device_class='arm'),
            group_plan(cluster, 'b', device_class='arm'),
        ]
    )
    found = worst(judge(cluster, plan), 'GROUPS')
    assert found.severity is Severity.REFUSE
    assert 'osd.2 and osd.3' in found.message
    report = judge(cluster, with_options(plan, control=True))
    assert worst(report, 'GROUPS').severity is Severity.INFO


def test_mixed_media_without_a_class_refuse(cluster: FakeCluster) -> None:
    cluster.set_osd(3, rotational=True)
    hosts = group_plan(cluster, 'a', hosts=('arm-1', 'arm-2'))
    found = worst(judge(cluster, run_plan([hosts])), 'GROUPS')
    assert found.severity is Severity.REFUSE
    assert 'rotating (osd.3) and solid-state (osd.2)' in found.message
    by_class = run_plan([group_plan(cluster, 'arm')])
    assert worst(judge(cluster, by_class), 'GROUPS').severity is (
        Severity.WARN
    )


def test_mixed_classes_without_a_class_refuse(cluster: FakeCluster) -> None:
    hosts = group_plan(cluster, 'a', hosts=('arm-1', 'x86-1'))
    found = worst(judge(cluster, run_plan([hosts])), 'GROUPS')
    assert found.severity is Severity.REFUSE
    assert 'device classes arm and x86' in found.message


def test_too_few_failure_domains_refuse(cluster: FakeCluster) -> None:
    plan = two_groups(cluster, size=3)
    found = worst(judge(cluster, plan), 'GROUPS')
    assert found.severity is Severity.REFUSE
    assert '2 hosts for 3 replicas' in found.message
    plan = two_groups(cluster, size=2, failure_domain='osd')
    assert worst(judge(cluster, plan), 'GROUPS').severity is Severity.OK


def test_racks_count_as_failure_domains(cluster: FakeCluster) -> None:
    arm = tuple(cluster.buckets[h].id for h in ('arm-1', 'arm-2'))
    cluster.buckets['r1'] = Bucket(-50, 'r1', 'rack', arm)
    plan = run_plan([group_plan(cluster, 'arm')], failure_domain='rack')
    found = worst(judge(cluster, plan), 'GROUPS')
    assert found.severity is Severity.REFUSE
    assert '1 rack for 2 replicas' in found.message


@pytest.mark.parametrize(
    'device_class, rotational, severity',
    [
        ('hdd', False, Severity.WARN),
        ('ssd', True, Severity.WARN),
        ('nvme', True, Severity.WARN),
        ('hdd', True, Severity.OK),
        ('arm', True, Severity.OK),
        ('ssd', None, Severity.OK),
    ],
)
def test_class_against_rotation(
    cluster: FakeCluster, device_class: str, rotational: Any, severity: Any
) -> None:
    for osd in (2, 3):
        cluster.set_osd(osd, device_class=device_class, rotational=rotational)
    plan = run_plan([group_plan(cluster, 'g', device_class=device_class)])
    assert worst(judge(cluster, plan), 'GROUPS').severity is severity


def test_hosts_need_a_parent_to_stay_in(cluster: FakeCluster) -> None:
    plan = run_plan([group_plan(cluster, 'a', hosts=('arm-1', 'arm-2'))])
    assert worst(judge(cluster, plan), 'GROUPS').severity is Severity.OK
    default = cluster.buckets['default']
    left = tuple(i for i in default.items if i != cluster.buckets['arm-2'].id)
    cluster.buckets['default'] = Bucket(-1, 'default', 'root', left)
    found = worst(judge(cluster, plan), 'GROUPS')
    assert found.severity is Severity.REFUSE
    assert found.message.startswith('arm-2 of group')


def test_unknown_hosts_refuse(cluster: FakeCluster) -> None:
    group = group_plan(cluster, 'a', hosts=('arm-1', 'arm-2'))
    del cluster.buckets['arm-2']
    found = worst(judge(cluster, run_plan([group])), 'GROUPS')
    assert found.severity is Severity.REFUSE
    assert 'no bucket arm-2' in found.message


def test_osds_that_went_away_refuse(cluster: FakeCluster) -> None:
    plan = two_groups(cluster)
    cluster.set_osd(3, up=False)
    found = worst(judge(cluster, plan), 'GROUPS')
    assert found.severity is Severity.REFUSE
    assert 'osd.3' in found.message


def test_absent_osds_of_a_group_warn() -> None:
    cluster = FakeCluster([(f'h{i}', 'ssd', 'x86_64', 2) for i in range(2)])
    cluster.set_osd(1, in_=False)
    for group in (
        group_plan(cluster, 'a', device_class='ssd'),
        group_plan(cluster, 'a', hosts=('h0', 'h1')),
    ):
        found = worst(judge(cluster, run_plan([group])), 'GROUPS')
        assert found.severity is Severity.WARN
        assert 'osd.1' in found.message


def test_weightless_osds_refuse(cluster: FakeCluster) -> None:
    cluster.set_osd(3, crush_weight=0.0)
    found = worst(judge(cluster), 'GROUPS')
    assert found.severity is Severity.REFUSE
    assert 'CRUSH weight 0' in found.message


def test_osds_that_hardly_lead_are_named(cluster: FakeCluster) -> None:
    """What upmaps say of primaries, their affinity overrules."""
    cluster.set_osd(1, primary_affinity=0.5)
    found = worst(judge(cluster, two_groups(cluster)), 'GROUPS')
    assert found.severity is Severity.WARN
    assert 'osd.1 of group' in found.message
    assert 'reason placement' in found.message
    assert 'osd primary-affinity <osd> 1' in found.remedy


def test_an_empty_group_refuses(cluster: FakeCluster) -> None:
    plan = run_plan([group_plan(cluster, 'arm', osds=())])
    assert worst(judge(cluster, plan), 'GROUPS').severity is Severity.REFUSE


# OWNERSHIP


def test_free_names_are_fine(cluster: FakeCluster) -> None:
    assert worst(judge(cluster), 'OWNERSHIP').severity is Severity.OK


def test_each_taken_name_refuses(cluster: FakeCluster) -> None:
    group = group_plan(
        cluster,
        'a',
        hosts=('arm-1', 'arm-2'),
        pools=(pool_plan('a', ec_profile=f'perfcompare-{RUN}'),),
    )
    plan = run_plan([group])
    name = f'perfcompare-{RUN}-a'

    def refused() -> str:
        found = worst(judge(cluster, plan), 'OWNERSHIP')
        assert found.severity is Severity.REFUSE
        return found.message

    cluster.add_pool(f'perfcompare.{RUN}.a.write')
    assert f'pool perfcompare.{RUN}.a.write' in refused()
    cluster.pool_table.clear()
    cluster.rules[name] = cluster.rules['replicated_rule']
    assert f'rule {name}' in refused()
    del cluster.rules[name]
    cluster.buckets[name] = Bucket(-60, name, 'root', ())
    assert f'bucket {name}' in refused()
    del cluster.buckets[name]
    cluster.ec_profiles[f'perfcompare-{RUN}'] = {'k': '1'}
    assert f'erasure-code profile perfcompare-{RUN}' in refused()
    del cluster.ec_profiles[f'perfcompare-{RUN}']
    cluster.auth[f'client.perfcompare.{RUN}'] = {}
    assert f'key client.perfcompare.{RUN}' in refused()


def test_an_operator_s_ec_profile_may_exist(cluster: FakeCluster) -> None:
    cluster.ec_profiles['mine'] = {'k': '2', 'm': '1'}
    group = group_plan(
        cluster, 'arm', pools=(pool_plan('arm', ec_profile='mine'),)
    )
    found = worst(judge(cluster, run_plan([group])), 'OWNERSHIP')
    assert found.severity is Severity.OK


# POOL_DELETE


def test_pools_must_be_removable(cluster: FakeCluster) -> None:
    assert worst(judge(cluster), 'POOL_DELETE').severity is Severity.OK
    cluster.mon_runtime['mon_allow_pool_delete'] = 'false'
    found = worst(judge(cluster), 'POOL_DELETE')
    assert found.severity is Severity.REFUSE
    assert 'mon.a' in found.message
    assert '--enable-pool-delete' in found.remedy


def test_enable_pool_delete_is_the_consent(cluster: FakeCluster) -> None:
    cluster.mon_runtime['mon_allow_pool_delete'] = 'false'
    plan = with_options(two_groups(cluster), enable_pool_delete=True)
    report = judge(cluster, plan)
    assert worst(report, 'POOL_DELETE').severity is Severity.WARN
    assert report.may_run


def test_one_denying_mon_is_enough(cluster: FakeCluster) -> None:
    cluster.mons = MonState(4, ('a', 'b', 'c'), ('a', 'b', 'c'))
    cluster.config[('mon.b', 'mon_allow_pool_delete')] = 'false'
    found = worst(judge(cluster), 'POOL_DELETE')
    assert found.message.startswith('mon_allow_pool_delete is false in mon.b')


def test_consent_does_not_reach_a_mon_with_its_own_value(
    cluster: FakeCluster,
) -> None:
    cluster.mons = MonState(4, ('a', 'b', 'c'), ('a', 'b', 'c'))
    cluster.config[('mon.b', 'mon_allow_pool_delete')] = 'false'
    plan = with_options(two_groups(cluster), enable_pool_delete=True)
    found = worst(judge(cluster, plan), 'POOL_DELETE')
    assert found.severity is Severity.REFUSE
    assert 'mon.b has it from section mon.b' in found.message
    assert '`ceph config rm mon.b mon_allow_pool_delete`' in found.remedy
    cluster.config[('mon.b', 'mon_allow_pool_delete')] = 'true'
    assert worst(judge(cluster, plan), 'POOL_DELETE').severity is Severity.OK


def test_pools_born_with_nodelete_refuse(cluster: FakeCluster) -> None:
    # the mons make pools: what the Manager has of it says nothing
    cluster.config[('mon', 'osd_pool_default_flag_nodelete')] = 'true'
    plan = with_options(two_groups(cluster), enable_pool_delete=True)
    found = worst(judge(cluster, plan), 'POOL_DELETE')
    assert found.severity is Severity.REFUSE
    assert len(checks(judge(cluster, plan), 'POOL_DELETE')) == 1
