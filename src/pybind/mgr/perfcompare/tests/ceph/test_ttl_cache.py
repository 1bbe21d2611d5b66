"""With Ceph's TTL cache `get` is old news; what decides anything is not."""

import pytest

from ...ceph.cluster import MgrCluster
from ...guard.collect.sample import Sampler
from ...ports.faults import Upmap
from ...undo import inventory, upmaps
from ..fakes.counting_mgr import CountingMgr

UPMAP = Upmap('0.3', (), ((1, 2),))


@pytest.fixture
def mgr():
    found = CountingMgr(20, pools=2, ttl=True)
    found.upmaps = {'0.3': (1, 2)}
    found.get('osd_map')  # as any other module does
    return found


def test_an_osd_that_goes_down_is_seen_at_the_next_look(mgr):
    sampler = Sampler(MgrCluster(mgr), lambda pools: frozenset())
    assert sampler.take(0.0).down == {}
    mgr.down, mgr.epoch = {3}, 11
    sample = sampler.take(5.0)
    assert (sample.epoch, sample.down) == (11, {3: 'down'})


def test_a_pool_that_came_or_went_is_seen_at_the_next_look(mgr):
    sampler = Sampler(MgrCluster(mgr), lambda pools: frozenset())
    assert len(sampler.take(0.0).pools) == 2
    mgr.pools, mgr.epoch = 3, 11
    assert len(sampler.take(5.0).pools) == 3
    mgr.pools, mgr.epoch = 1, 12
    assert len(sampler.take(10.0).pools) == 1


def test_what_was_removed_is_no_leftover(mgr, monkeypatch):
    name = 'perfcompare.0a1b2c3d.x.write'
    answers = mgr._osd_map

    def with_pool():
        found = answers()
        if mgr.epoch == 10:
            found['pools'][0]['pool_name'] = name
        return found

    monkeypatch.setattr(mgr, '_osd_map', with_pool)
    cluster = MgrCluster(mgr)
    monkeypatch.setattr(cluster, 'auth_entities', lambda: [])
    mgr._kept.clear()
    mgr.get('osd_map')
    found = inventory.of_run(cluster, '0a1b2c3d')
    assert [thing.name for thing in found] == [name]
    mgr.epoch = 11
    assert inventory.of_run(cluster, '0a1b2c3d') == []


def test_upmaps_that_the_monitors_dropped_are_set_again(mgr, monkeypatch):
    cluster, again = MgrCluster(mgr), []
    assert cluster.foreign_upmaps() == {'0.3': UPMAP}
    mgr.upmaps, mgr.epoch = {}, 11  # as the OSD went out
    monkeypatch.setattr(cluster, 'upmap_again', again.append)
    told = upmaps.restore(
        cluster,
        [UPMAP],
        lambda calls: [call() for call in calls],
        lambda shown: None,
    )
    assert again == [UPMAP]
    assert told == ['dropped again by the Monitors: 1 PG']


def test_the_map_of_a_recovery_is_that_of_now(mgr):
    cluster = MgrCluster(mgr)
    assert cluster.map_facts().epoch == 10
    mgr.down, mgr.epoch = {3}, 11
    facts = cluster.map_facts()
    assert (facts.epoch, facts.osds[3].up) == (11, False)
