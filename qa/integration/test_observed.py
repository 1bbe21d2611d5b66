"""Recoveries that happen are recorded as an independent witness saw them."""

from typing import Any, Callable, Dict, List, Tuple

import time

import pytest

from . import recoveries
from .live import LiveCluster
from .provision import SMALL, Provider, wait_answers
from .state import ClusterState, differences
from .waiting import wait_for

CLUSTER = SMALL.name
POOL = 'observed'
GROUP = 'x86'
APART = 1.0  # seconds between the witness's account and ours


@pytest.fixture(scope='module')
def cluster(provider: Provider) -> LiveCluster:
    """Return a cluster with data on the OSDs of one group."""
    found = provider.get(SMALL)
    names = [p['pool_name'] for p in found.look('osd dump')['pools']]
    if POOL not in names:
        recoveries.make_pool(found, POOL, GROUP, 1000)
    recoveries.wait_watching(found)
    return found


def osd_of(cluster: LiveCluster) -> int:
    """Return an OSD of the group."""
    found = cluster.look('osd crush class ls-osd', **{'class': GROUP})
    return int(found[0])


def agree(seen: Dict[str, Any], episode: Dict[str, Any]) -> None:
    """Assert that both accounts are within a second, or our own bounds.

    On a busy machine the witness itself is late, and says by how much.
    """
    rows = recoveries.compare(seen, recoveries.marks_of(episode, GROUP))
    text = recoveries.table(rows)
    apart = APART + seen['lag']
    print('the witness was late by %.2f s\n%s' % (seen['lag'], text))
    for row in rows:
        if row['apart'] is not None:
            allowed = max(apart, (row['accuracy'] or 0.0) + 0.3)
            assert abs(row['apart']) <= allowed, text
    by_mark = {row['mark']: row for row in rows}
    for mark in ('t1', 't2', 't5'):
        assert by_mark[mark]['apart'] is not None, text
    # t2 may be one of two, where the map changed again in mid peering
    for mark in ('t1', 't5'):
        assert abs(by_mark[mark]['apart']) <= apart, text


def test_osd_that_was_marked_down_is_timed_as_seen_from_outside(cluster):
    tracker = ClusterState(cluster)
    before = tracker.snapshot()
    osd = osd_of(cluster)
    seen, episode = recoveries.timed(
        cluster, POOL, 10.0,
        lambda: cluster.ceph('osd', 'down', str(osd), fmt=''),
    )  # fmt: skip
    kinds = [cause['kind'] for cause in episode['causes']]
    assert kinds == ['osd down', 'osd up']
    assert all(cause['osds'] == [osd] for cause in episode['causes'])
    assert episode['state'] == 'clean'
    agree(seen, episode)
    # observation changed nothing: not the map, not the configuration
    assert differences(before, tracker.snapshot()) == []


def test_failover_in_mid_episode_loses_nothing(cluster):
    known = [item['id'] for item in recoveries.episodes(cluster)]
    osd = osd_of(cluster)
    start = time.time()
    cluster.osd_kill(osd)

    def kept() -> str:
        key = 'mgr/perfcompare/recovery/open'
        found = cluster.look('config-key dump', key=key)
        return str((found or {}).get(key, ''))

    text = wait_for(kept, 60, 'the episode is kept for the next manager')
    assert len(text.encode()) < 4096
    cluster.mgr_fail()
    try:
        wait_answers(cluster)
    finally:
        cluster.osd_start(osd)
    episode = recoveries.wait_episode(cluster, known, 120)
    assert episode['state'] == 'clean'
    assert len(episode['handovers']) == 1
    marks = recoveries.marks_of(episode, GROUP)
    times = [marks[m]['at'] for m in ('t1', 't2', 't5')]
    assert start - 1 < times[0] < times[1] < times[2] < time.time()
    fresh = [i for i in recoveries.episodes(cluster) if i['id'] not in known]
    assert [item['id'] for item in fresh] == [episode['id']]


# OSDs recover in many ways; each is one episode, none is missed


def kill(cluster: LiveCluster, osd: int) -> None:
    """Kill an OSD, write without it, and start it."""
    cluster.osd_kill(osd)
    time.sleep(4)
    recoveries.fill(cluster, POOL, 200)
    cluster.osd_start(osd)


def stop(cluster: LiveCluster, osd: int) -> None:
    """Stop an OSD in order, write without it, and start it."""
    cluster.osd_stop(osd)
    time.sleep(4)
    recoveries.fill(cluster, POOL, 200)
    cluster.osd_start(osd)


def down(cluster: LiveCluster, osd: int) -> None:
    """Mark an OSD down that lives."""
    cluster.ceph('osd', 'down', str(osd), fmt='')


def out_and_in(cluster: LiveCluster, osd: int) -> None:
    """Take an OSD out, and in again."""
    cluster.ceph('osd', 'out', str(osd), fmt='')
    time.sleep(4)
    cluster.ceph('osd', 'in', str(osd), fmt='')


WAYS: List[Tuple[Callable[[LiveCluster, int], None], str]] = [
    (down, 'osd down'),
    (kill, 'osd down'),
    (out_and_in, 'osd out'),
    (stop, 'osd down'),
    (down, 'osd down'),
]


@pytest.mark.slow
def test_twenty_recoveries_are_recorded_without_a_miss(cluster):
    osds = cluster.look('osd crush class ls-osd', **{'class': GROUP})
    before = recoveries.observer(cluster)
    for number in range(20):
        provoke, cause = WAYS[number % len(WAYS)]
        osd = osds[number // len(WAYS) % len(osds)]
        known = [item['id'] for item in recoveries.episodes(cluster)]
        provoke(cluster, osd)
        episode = recoveries.wait_episode(cluster, known, 120)
        print(number, provoke.__name__, osd, recoveries.spans(episode, GROUP))
        assert episode['causes'][0]['kind'] == cause
        assert episode['causes'][0]['osds'] == [osd]
        assert episode['state'] == 'clean'
        fresh = [
            item['id']
            for item in recoveries.episodes(cluster)
            if item['id'] not in known
        ]
        assert fresh == [episode['id']]
        recoveries.wait_watching(cluster)
    after = recoveries.observer(cluster)
    assert after['episodes'] - before['episodes'] == 20
    cpu = after['cpu_seconds'] - before['cpu_seconds']
    wall = after['running_seconds'] - before['running_seconds']
    print('observer: %.2f s of CPU in %.0f s' % (cpu, wall))
    assert cpu / wall < 0.02


@pytest.mark.slow
def test_kills_and_stops_are_timed_as_seen_from_outside(cluster):
    osd = osd_of(cluster)
    for provoke in (kill, stop):
        seen, episode = recoveries.timed(
            cluster, POOL, 45.0, lambda: provoke(cluster, osd)
        )
        agree(seen, episode)
