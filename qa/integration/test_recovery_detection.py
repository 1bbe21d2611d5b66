"""A process that died is found at once, one that hangs after the grace."""

from typing import Any, Dict, Iterator, Tuple

import os
import signal
import time

import pytest

from . import recoveries
from .live import LiveCluster
from .provision import PAIRS
from .state import ClusterState
from .test_recovery import cluster, unchanged  # noqa: F401
from .waiting import wait_for

CLUSTER = PAIRS.name
pytestmark = pytest.mark.slow
POOL = 'detected'
OSD = 1


@pytest.fixture
def pool(
    cluster: LiveCluster, unchanged: ClusterState  # noqa: F811
) -> Iterator[str]:
    """Yield a pool on the group of the OSD."""
    recoveries.make_pool(cluster, POOL, 'x86', 200)
    recoveries.wait_watching(cluster)
    yield POOL
    recoveries.remove_pool(cluster, POOL)


def is_up(cluster: LiveCluster) -> bool:  # noqa: F811
    """Say whether the OSD map has the OSD up."""
    found = cluster.look('osd dump')
    return bool([o for o in found['osds'] if o['osd'] == OSD][0]['up'])


def found_down(
    cluster: LiveCluster, number: signal.Signals  # noqa: F811
) -> Tuple[float, Dict[str, Any]]:
    """Send an OSD a signal; return how long that was before its end."""
    known = [item['id'] for item in recoveries.episodes(cluster)]
    pid = cluster.pid('osd.%d' % OSD)
    assert pid is not None
    sent = time.time()
    os.kill(pid, number)
    try:
        wait_for(lambda: not is_up(cluster), 90, 'the OSD is down')
    finally:
        if number == signal.SIGSTOP:
            cluster.osd_thaw(OSD)
        else:
            cluster.osd_start(OSD)
    episode = recoveries.wait_episode(cluster, known, 120)
    text = cluster.ceph(
        'perfcompare', 'recovery', 'show', episode['id'], fmt=''
    )
    print(text)
    for timeline in episode['timelines']:
        if timeline['scope'] == 'x86':
            (found,) = timeline['detections']
            assert found['osd'] == OSD and found['kind'] in text
            print('%s: %.2f s' % (found['kind'], found['at'] - sent))
            return found['at'] - sent, found
    raise AssertionError(text)


def test_dead_process_is_told_from_one_that_is_silent(
    cluster: LiveCluster, pool: str  # noqa: F811
) -> None:
    """A frozen OSD is to its peers what a dead host is."""
    dead, killed = found_down(cluster, signal.SIGKILL)
    assert killed['kind'] == 'connection refused'
    assert (killed['after'], killed['silence']) == (None, None)
    hung, frozen = found_down(cluster, signal.SIGSTOP)
    assert frozen['kind'] == 'heartbeats missing'
    assert frozen['reporters'] >= 2
    assert frozen['silence'] >= frozen['grace'] >= 20
    assert hung > 10 > dead
