"""Other pools' traffic, told apart from ours."""

import dataclasses
import re

import pytest

from perfcompare.ceph import tenant_query as tenantquery
from perfcompare.metrics.tenant_watch import TenantWatch
from perfcompare.model.outcome import Outcome
from perfcompare.model.topology import Pool, Traffic
from perfcompare.ports.trial_watch import TrialContext

from ..data.bench_data import run_plan
from ..data.run_data import make_summary, make_workload
from ..fakes.cluster import FakeCluster

WRITE_4K = make_workload('write-4K-c16')


class Clock:
    """Be a clock that tests set."""

    now = 100.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def cluster():
    found = FakeCluster()
    for name, applications in (
        ('tenant', {'rbd': {}}),
        ('ours', {'perfcompare': {'run': 'x'}}),
    ):
        found.last_pool_id += 1
        found.pool_table[name] = dataclasses.replace(
            Pool(1, name, 3, 2, 1, 1, 1, 1, 0),
            id=found.last_pool_id,
            application=applications,
        )
    return found


@pytest.fixture
def watch(cluster, clock):
    found = TenantWatch(cluster, clock)
    yield found
    found.close()


def context(cluster):
    plan = run_plan(cluster)
    group = plan.group('x86')
    workload = dataclasses.replace(WRITE_4K, warmup=5.0)
    return TrialContext(plan, workload, group, group.pools[0], 'r1')


def see(cluster, osd, ops, pool='tenant'):
    key = (cluster.pool_table[pool].id, osd)
    cluster.traffic_seen[key] = Traffic(ops, ops * 10, ops, ops * 20)


def test_query_is_the_same_for_each_run_and_counts_all_pools():
    pools, osds = tenantquery.QUERY['key_descriptor']
    assert re.search(pools['regex'], '2') and re.search(osds['regex'], '7')


def test_answer_is_read_by_pool_and_osd():
    answer = {
        'counters': [
            {'k': [['3'], ['0']], 'c': [[4, 0], [40, 0], [5, 0], [50, 0]]},
            {'k': [['3'], ['1']], 'c': [[1, 0], [10, 0], [0, 0], [0, 0]]},
        ]
    }
    found = tenantquery.traffic(answer)
    assert found[(3, 0)] == Traffic(4, 40, 5, 50)
    assert found[(3, 0)].ops == 9 and found[(3, 0)].bytes == 90
    assert tenantquery.traffic({}) == {}


def test_traffic_in_the_window_on_the_group_counts(cluster, clock, watch):
    trial = context(cluster)
    inside = trial.group.osds[0]
    outside = next(o for o in cluster.osds if o not in trial.group.osds)
    see(cluster, inside, 5000)  # before the trial
    watch.begin(trial)
    assert watch._aside.settle(5)
    see(cluster, inside, 7000)  # during warm-up
    clock.now += 6.0
    watch.tick()
    assert watch._aside.settle(5)
    see(cluster, inside, 100)
    see(cluster, outside, 9999)
    clock.now += 10.0
    found = watch.end(Outcome('trial', 101.0, 116.0))
    tenant = found.figures['tenants']
    assert tenant['ops_per_s'] == 20.0
    assert tenant['bytes_per_s'] == 300.0
    assert tenant['pools'][0]['pool'] == 'tenant'
    assert tenant['share'] == 1.0  # nothing of ours is known here
    assert found.manifest == {'tenant_ops_per_s': 20.0}


def test_one_query_serves_all_trials(cluster, watch):
    watch.begin(context(cluster))
    watch.end(None)
    del cluster.pool_table['ours']
    watch.begin(context(cluster))
    assert cluster.traffic_queries == 1
    assert not cluster.called('traffic_end')
    watch.close()
    assert len(cluster.called('traffic_end')) == 1


def test_traffic_of_our_own_pools_is_not_a_tenants(cluster, clock, watch):
    trial = context(cluster)
    watch.begin(trial)
    assert watch._aside.settle(5)
    see(cluster, trial.group.osds[0], 100, 'ours')
    see(cluster, trial.group.osds[0], 30)
    clock.now += 10.0
    found = watch.end(Outcome('trial', 101.0, 111.0)).figures['tenants']
    assert [row['pool'] for row in found['pools']] == ['tenant']
    assert found['ops_per_s'] == 6.0


def test_the_share_is_of_what_osds_count_not_of_what_clients_asked_for(
    cluster, clock, watch
):
    """A PUT is several operations of OSDs."""
    trial = context(cluster)
    outside = next(o for o in cluster.osds if o not in trial.group.osds)
    watch.begin(trial)
    assert watch._aside.settle(5)
    see(cluster, trial.group.osds[0], 980, 'ours')
    see(cluster, trial.group.osds[1], 20)
    see(cluster, outside, 5000, 'ours')
    clock.now += 10.0
    summary = dataclasses.replace(make_summary(), ops_per_s=20.0)
    outcome = Outcome('trial', 101.0, 111.0, summary=summary)
    assert watch.end(outcome).figures['tenants']['share'] == 0.02


def test_without_tenants_no_osd_counts(cluster, clock, watch):
    del cluster.pool_table['tenant']
    watch.begin(context(cluster))
    clock.now += 10.0
    found = watch.end(Outcome('trial', 101.0, 110.0))
    assert not cluster.traffic_queries
    assert found.figures['tenants']['ops_per_s'] == 0.0


def test_cut_trial_says_nothing_of_tenants(cluster, watch):
    watch.begin(context(cluster))
    assert watch.end(None).figures == {}
