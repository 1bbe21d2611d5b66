"""What is asked of ceph-mgr does not grow with the cluster."""

from typing import Any, Dict

import pytest

from ...ceph.cluster import MgrCluster
from ...guard.collect.facts import Machine, gather
from ...guard.collect.sample import Sampler
from ..data.guard_data import FakeToolbox, group_plan, run_plan
from ..fakes.clock import FakeClock
from ..fakes.cluster import FakeCluster
from ..fakes.counting_mgr import CountingMgr

NAMES = frozenset(('pool-0',))


def plan_of(osds: int) -> Any:
    hosts = [('one', 'ssd', 'x86_64', osds // 2)] * 2
    fake = FakeCluster(
        [(f'{name}-{i}', *rest) for i, (name, *rest) in enumerate(hosts)]
    )
    return run_plan([group_plan(fake, 'ssd')])


def asked_by_preflight(osds: int, pools: int) -> Dict[str, int]:
    mgr = CountingMgr(osds, pools)
    facts = gather(
        MgrCluster(mgr),
        plan_of(osds),
        FakeToolbox(),
        lambda: (Machine('', (), None),),
    )
    assert facts.osd_pgs == dict.fromkeys(range(osds), 8)
    return dict(mgr.calls)


def test_a_preflight_asks_as_much_for_1_000_osds_as_for_20() -> None:
    few, many = asked_by_preflight(20, 1), asked_by_preflight(1000, 50)
    assert few == many
    for name in ('osdmap.dump', 'pg_summary', 'osd_metadata', 'osd_stats'):
        assert many[name] == 1, name


def asked_by_samples(osds: int, pools: int, epochs: int) -> Dict[str, int]:
    mgr = CountingMgr(osds, pools)
    own = frozenset(f'pool-{i}' for i in range(pools))
    sampler = Sampler(MgrCluster(mgr), lambda pools: own)
    for i in range(20):
        mgr.epoch += i < epochs
        assert not {'pools', 'down', 'own_pgs'} & set(sampler.take(i).errors)
    return dict(mgr.calls)


def test_samples_ask_as_much_for_1_000_osds_and_50_pools() -> None:
    few, many = asked_by_samples(20, 1, 1), asked_by_samples(1000, 50, 1)
    assert few == many
    assert many['pg_status'] == 20  # and pg_summary never
    assert 'pg_summary' not in many
    assert many['osdmap.dump'] == 1  # one per epoch


def test_statistics_of_osds_are_awaited_by_the_second(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each look at them is one at all of all OSDs."""
    mgr, clock = CountingMgr(20), FakeClock()
    cluster = MgrCluster(mgr, clock)
    monkeypatch.setattr(cluster._commands, 'osd_json', lambda *args: 7)
    stats = mgr._osd_stats()
    began = clock.monotonic()

    def in_time() -> Any:
        late = clock.monotonic() - began < 2.0
        return {
            'osd_stats': [
                dict(entry, seq=6 if late else 7)
                for entry in stats['osd_stats']
            ]
        }

    monkeypatch.setattr(mgr, '_osd_stats', in_time)
    cluster.pg_stats_now([3, 4])
    assert mgr.calls['osd_stats'] == 3
    assert clock.monotonic() - began == 2.0


def test_each_epoch_is_looked_at_once_whoever_asks() -> None:
    assert asked_by_samples(20, 1, 7)['osdmap.dump'] == 7
    mgr = CountingMgr(20)
    cluster = MgrCluster(mgr)
    for _ in range(5):
        cluster.topology()
        cluster.pools()
        cluster.osdmap_flags()
        cluster.osd_flagged()
    assert mgr.calls['osdmap.dump'] == 1
    assert mgr.calls['osd_metadata'] == 1
    mgr.epoch += 1
    mgr.osds = 10
    assert len(cluster.topology().osds) == 10
