"""STANDBYS, BALANCER, SCRUB, MCLOCK and CLOCK."""

from typing import Tuple

import pytest

from ...guard.checks.finding import CheckContext, Severity
from ...guard.checks.surroundings import scrub
from ...model.topology import MgrState
from ..data.guard_data import facts_of, judge, two_groups, worst
from ..fakes.cluster import FakeCluster


@pytest.fixture
def cluster() -> FakeCluster:
    return FakeCluster()


# STANDBYS, BALANCER, SCRUB, MCLOCK, CLOCK


def _mgr(standby: Tuple[str, bool, str]) -> MgrState:
    name, has, version = standby
    return MgrState(
        'x', (name,), {name: has}, {'x': '20.2.4', name: version}, 'h'
    )


@pytest.mark.parametrize(
    'standby, severity',
    [
        (('y', True, '20.2.4'), Severity.OK),
        (('y', False, '20.2.4'), Severity.REFUSE),
        (('y', True, '20.2.1'), Severity.WARN),
    ],
)
def test_standbys(
    cluster: FakeCluster,
    standby: Tuple[str, bool, str],
    severity: Severity,
) -> None:
    cluster.mgrs = _mgr(standby)
    assert worst(judge(cluster), 'STANDBYS').severity is severity


def test_the_balancer_is_recorded(cluster: FakeCluster) -> None:
    found = worst(judge(cluster), 'BALANCER')
    assert found.severity is Severity.INFO
    assert 'block was cut three times ends' in found.message
    assert '`ceph balancer off`' in found.remedy
    cluster.balancer = {'active': True, 'mode': 'upmap-read'}
    found = worst(judge(cluster), 'BALANCER')
    assert found.severity is Severity.INFO
    assert 'it has the mode none until the end' in found.message
    cluster.balancer = {'active': False, 'mode': 'none'}
    assert worst(judge(cluster), 'BALANCER').severity is Severity.OK


def test_scrubs_on_one_group_only_warn(cluster: FakeCluster) -> None:
    plan = two_groups(cluster)
    facts = facts_of(cluster, plan)
    facts.group_pgs = {
        'arm': {'active+clean+scrubbing': 2},
        'x86': {'active+clean': 2},
    }
    (found,) = scrub(CheckContext(facts, plan))
    assert found.severity is Severity.WARN
    assert 'arm: 2 and x86: 0' in found.message
    facts.group_pgs['x86'] = {'active+clean+scrubbing+deep': 2}
    (found,) = scrub(CheckContext(facts, plan))
    assert found.severity is Severity.INFO


def test_different_mclock_profiles_warn(cluster: FakeCluster) -> None:
    cluster.osd_runtime[2] = {'osd_mclock_profile': 'high_client_ops'}
    found = worst(judge(cluster), 'MCLOCK')
    assert found.severity is Severity.WARN
    assert 'osd_mclock_profile' in found.message
    assert 'balanced…high_client_ops' in found.message


def test_a_limit_of_clients_in_one_group_warns(cluster: FakeCluster) -> None:
    name = 'osd_mclock_scheduler_client_lim'
    cluster.osd_runtime[2] = {name: '0.500000'}
    found = worst(judge(cluster), 'MCLOCK')
    assert found.severity is Severity.WARN
    assert name in found.message


def test_different_iops_capacities_are_recorded(
    cluster: FakeCluster,
) -> None:
    name = 'osd_mclock_max_capacity_iops_ssd'
    cluster.osd_runtime[2] = {name: '9000'}
    assert worst(judge(cluster), 'MCLOCK').severity is Severity.INFO


def test_clock_skew_warns(cluster: FakeCluster) -> None:
    cluster.set_health('MON_CLOCK_SKEW', 'clock skew on mon.b')
    assert worst(judge(cluster), 'CLOCK').severity is Severity.WARN
    assert judge(cluster).may_run
