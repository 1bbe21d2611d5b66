"""MULTISITE: what is written through gateways may go to other sites."""

import dataclasses

import pytest

from ...ceph import gateway_zones
from ...common.errors import TryAgain
from ...guard.checks.finding import Severity
from ...model.topology import GatewayZone
from ..data.guard_data import checks, judge, two_groups, with_options, worst
from ..fakes.cluster import FakeCluster


def plan_of(cluster):
    plan = with_options(two_groups(cluster), gateway_source='existing')
    return dataclasses.replace(
        plan,
        groups=tuple(
            dataclasses.replace(g, gateways=g.name) for g in plan.groups
        ),
    )


@pytest.fixture
def cluster():
    return FakeCluster()


def test_runs_without_gateways_of_operators_are_not_told(cluster):
    cluster.zones = [GatewayZone('gold', 'us', 'east')]
    assert checks(judge(cluster), 'MULTISITE') == []
    assert not cluster.called('gateway_zones')


def test_gateways_in_a_realm_warn(cluster):
    cluster.zones = [
        GatewayZone('', 'default', 'default'),
        GatewayZone('gold', 'us', 'east'),
    ]
    found = worst(judge(cluster, plan_of(cluster)), 'MULTISITE')
    assert found.severity is Severity.WARN
    assert 'zone east of zone group us in realm gold' in found.message
    assert 'synced to the others' in found.message
    assert 'radosgw-admin sync status' in found.remedy


def test_gateways_without_a_realm_do_not(cluster):
    cluster.zones = [GatewayZone('', 'default', 'default')]
    found = worst(judge(cluster, plan_of(cluster)), 'MULTISITE')
    assert found.severity is Severity.INFO


@pytest.mark.parametrize('silent', [False, True])
def test_what_is_not_known_warns(cluster, silent):
    if silent:
        cluster.fail_on('gateway_zones', 9, TryAgain('no map'))
    found = worst(judge(cluster, plan_of(cluster)), 'MULTISITE')
    assert found.severity is Severity.WARN


def test_zones_are_what_gateways_registered():
    told = {
        'realm_name': 'gold',
        'zonegroup_name': 'us',
        'zone_name': 'east',
    }
    daemons = {'summary': '', '4711': {'metadata': told}}
    daemons['4712'] = {'metadata': dict(told)}
    daemons['4713'] = {'metadata': {'zone_name': 'default'}}
    found = gateway_zones.read({'services': {'rgw': {'daemons': daemons}}})
    assert found == [
        GatewayZone('', '', 'default'),
        GatewayZone('gold', 'us', 'east'),
    ]
    assert gateway_zones.read({'services': {}}) == []
