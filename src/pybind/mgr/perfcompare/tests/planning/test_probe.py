"""How often the probe beside RADOS loads may ask."""

import dataclasses

import pytest

from ...common.errors import InvalidArgument
from ...drivers.rados.driver import RadosDriver
from ...model.outcome import Outcome
from ...model.trial import TrialSummary
from ...planning import probe
from ...report import plan as plantext
from ...worker.wire.jobs import Access
from ..data.cluster_maps import build
from ..data.plans import hosts, make


def planned(**options):
    topology = build([*hosts('x86', 4), *hosts('arm', 4)])
    return make(topology, profile='quick', **options)


def driver(plan):
    access = Access('/c', '/k', 'client.perfcompare.x', 'pool')
    return RadosDriver(plan, None, lambda pool: access)


def outcome(rate):
    summary = TrialSummary(rate, rate, 0.01, 0.1, 10.0, int(rate * 10))
    return Outcome('trial', 0.0, 10.0, summary=summary)


def test_it_is_in_the_plan_unless_it_is_switched_off():
    plan = planned(workloads=('write',))
    assert plan.probe_rate == probe.RATE
    text = ' '.join(plantext.describe(plan).split())
    assert '100 operations/s of one more client' in text
    off = planned(workloads=('write',), probe_rate=0.0)
    assert off.probe_rate == 0.0
    assert 'one more client' not in plantext.describe(off)


def test_it_is_refused_where_no_load_has_it():
    assert planned(workloads=('s3-put',), sizes=('4K',)).probe_rate == 0.0
    with pytest.raises(InvalidArgument, match='--probe-rate 50'):
        planned(workloads=('s3-put',), sizes=('4K',), probe_rate=50.0)
    with pytest.raises(InvalidArgument, match='out of range'):
        planned(workloads=('write',), probe_rate=1e6)


def test_it_takes_a_small_share_of_the_slowest_group():
    assert probe.allowed(100.0, [], 4096) == 20.0
    assert probe.allowed(100.0, [], 1 << 20) == 1.0
    assert probe.allowed(100.0, [9000.0, 50000.0], 4096) == 100.0
    assert probe.allowed(100.0, [1000.0, 50000.0], 4096) == 30.0
    assert probe.allowed(100.0, [10.0], 4096) == 0.0
    assert probe.allowed(0.5, [1000.0], 4096) == 0.5


def test_groups_of_a_block_have_the_same_probe():
    plan = planned(workloads=('write',), sizes=('4K',))
    made = driver(plan)
    workload = plan.profile.workloads[0]
    x86, arm = plan.groups
    first = made.trial(workload, x86, 'r0.b0.a1')
    assert first.probe_rate == 20.0
    made.learn(workload, x86, outcome(500.0))
    other = made.trial(workload, arm, 'r0.b0.a1')
    assert (other.probe_rate, other.probe_seed) == (20.0, first.probe_seed)
    made.learn(workload, arm, outcome(1000.0))
    later = made.trial(workload, arm, 'r1.b0.a1')
    assert later.probe_rate == 15.0
    assert later.probe_seed != first.probe_seed
    made.learn(workload, x86, outcome(2000.0))
    assert made.trial(workload, x86, 'r2.b0.a1').probe_rate == 30.0


def test_its_objects_are_within_the_planned_bound():
    with_it = planned(workloads=('write',), sizes=('4K',))
    off = dataclasses.replace(with_it, probe_rate=0.0)
    workload, group = with_it.profile.workloads[0], with_it.groups[0]
    job = driver(with_it).trial(workload, group, 'r1.b0.a1')
    alone = driver(off).trial(workload, group, 'r1.b0.a1')
    job.check()
    assert job.probe_objects > 0
    assert job.max_objects + job.probe_objects == alone.max_objects
    assert alone.probe_off == probe.SWITCHED_OFF
    made = driver(with_it)
    made.trial(workload, group, 'r1.b0.a1')
    made.learn(workload, group, outcome(100.0))
    assert made.stored(group) == job.probe_objects * workload.size
