"""PG_STATS: a cache of the mgr makes recovery tests see PGs late."""

import dataclasses

import pytest

from ...guard.checks.finding import Severity
from ...model.recovery import Scenario
from ...model.recovery_plan import TestPlan as Plan
from ..data.guard_data import checks, judge, two_groups, worst
from ..fakes.cluster import FakeCluster

TTL = 'mgr_ttl_cache_expire_seconds'


@pytest.fixture
def cluster():
    return FakeCluster()


def plan_of(cluster, scenario=Scenario.BACKFILL):
    test = Plan(scenario, 1, (), (), 4096, 1, 10.0, 600.0)
    return dataclasses.replace(two_groups(cluster), recovery=test)


def test_a_cache_is_warned_of(cluster):
    cluster.options[TTL] = '10'
    found = worst(judge(cluster, plan_of(cluster)), 'PG_STATS')
    assert found.severity is Severity.WARN
    assert 'up to 12.5 s late' in found.message
    assert f'ceph config set mgr {TTL} 0' in found.remedy
    asked = [call for call in cluster.called('option') if TTL in call.args]
    assert len(asked) == 1


@pytest.mark.parametrize('value', ['0', ''])
def test_without_a_cache_there_is_nothing_to_say(cluster, value):
    cluster.options[TTL] = value
    assert checks(judge(cluster, plan_of(cluster)), 'PG_STATS') == []


def test_runs_read_no_statistics_of_single_pgs(cluster):
    cluster.options[TTL] = '10'
    assert checks(judge(cluster, two_groups(cluster)), 'PG_STATS') == []
