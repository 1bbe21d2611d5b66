"""A pool of somebody else, with data on every OSD."""

from typing import Any, Dict, List

from .live import LiveCluster
from .state import pg_mapping
from .waiting import wait_for

NAME = 'tenant'
OBJECTS = ['thing%d' % number for number in range(1, 25)]


def create(cluster: LiveCluster, pg_num: int = 16) -> None:
    """Create the pool with its objects.

    Ceph's balancer, which would move PGs of it, is off meanwhile: what moves
    was moved by us.
    """
    cluster.ceph('balancer', 'off', fmt='')
    cluster.ceph(
        'osd', 'pool', 'create', NAME, str(pg_num), '--autoscale-mode', 'off',
        fmt='',
    )  # fmt: skip
    cluster.ceph('osd', 'pool', 'application', 'enable', NAME, 'rbd', fmt='')
    cluster.fill(NAME, OBJECTS, 65536)
    wait_for(lambda: _known(cluster, pg_num), 60, 'the pool is made')
    cluster.wait_clean()


def _known(cluster: LiveCluster, pg_num: int) -> bool:
    """Say whether Monitors and Manager know where all its PGs are."""
    (pool,) = [
        pool
        for pool in cluster.look('osd dump')['pools']
        if pool['pool_name'] == NAME
    ]
    told = pg_mapping(cluster, [pool['pool']])
    return (
        'creating' not in pool['flags_names']
        and len(told) == pg_num
        and all(up for up, _ in told.values())
    )


def remove(cluster: LiveCluster) -> None:
    """Remove the pool, if it is there."""
    cluster.pool_rm(NAME)
    cluster.ceph('balancer', 'on', fmt='')


def sums(cluster: LiveCluster) -> List[str]:
    """Return the checksums of all objects of the pool."""
    return cluster.sums(NAME, OBJECTS)


def pool_ids(cluster: LiveCluster) -> Dict[str, int]:
    """Return the ids of all pools that no run made, by name."""
    found: Any = cluster.look('osd dump')['pools']
    return {
        pool['pool_name']: pool['pool']
        for pool in found
        if not pool['pool_name'].startswith('perfcompare.')
    }
