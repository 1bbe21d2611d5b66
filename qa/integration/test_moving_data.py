"""Data of somebody else that moves on tested OSDs leaves no verdict.

Its cluster is healthy meanwhile: all copies are there, one is misplaced.
"""

from typing import Any, Dict, Iterator, Set

import itertools

import pytest

from . import runs
from .live import LiveCluster
from .provision import SMALL, Provider
from .state import pg_mapping

CLUSTER = SMALL.name
GROUPS = ('x86', 'alt')
POOL = 'moved'
OBJECTS = ['thing%d' % number for number in range(3000)]
# a copy that the log cannot make up for is filled while the old one serves
SHORT_LOGS = {
    'osd_min_pg_log_entries': '10',
    'osd_max_pg_log_entries': '10',
    'osd_pg_log_trim_min': '10',
}


@pytest.fixture()
def cluster(provider: Provider) -> Iterator[LiveCluster]:
    """Yield a cluster with a pool of PGs that are longer than their logs."""
    found = provider.get(SMALL)
    found.ceph('balancer', 'off', fmt='')
    for name, value in SHORT_LOGS.items():
        found.ceph('config', 'set', 'osd', name, value, fmt='')
    found.ceph(
        'osd', 'pool', 'create', POOL, '4', '--autoscale-mode', 'off', fmt=''
    )
    found.ceph('osd', 'pool', 'application', 'enable', POOL, 'rbd', fmt='')
    found.fill(POOL, OBJECTS, 4096)
    found.wait_clean()
    yield found
    found.pool_rm(POOL)
    for name in SHORT_LOGS:
        found.ceph('config', 'rm', 'osd', name, fmt='')
    found.ceph('balancer', 'on', fmt='')


def mapped(cluster: LiveCluster) -> Dict[str, Any]:
    """Return where the pool's PGs are to be and where they are."""
    (pool,) = [
        pool['pool']
        for pool in cluster.look('osd dump')['pools']
        if pool['pool_name'] == POOL
    ]
    return pg_mapping(cluster, [pool])


class Mover:
    """Move the second copy of one PG after the other, to and fro."""

    def __init__(self, cluster: LiveCluster) -> None:
        self._cluster = cluster
        self._pgs = itertools.cycle(sorted(mapped(cluster)))
        self._pg = ''
        self._away: Set[str] = set()
        self.orders = 0

    def step(self, status: Any) -> None:
        """Give the next order, if the last one is carried out."""
        found = mapped(self._cluster)
        if self._pg:
            up, acting = found[self._pg]
            if up != acting or up == self._before:
                return
        self._pg = pg = next(self._pgs)
        self._before = up = found[pg][0]
        self.orders += 1
        if pg in self._away:
            self._away.remove(pg)
            self._cluster.ceph('osd', 'rm-pg-upmap-items', pg, fmt='')
            return
        self._away.add(pg)
        osds = [o['osd'] for o in self._cluster.look('osd dump')['osds']]
        to = next(osd for osd in osds if osd not in up)
        self._cluster.ceph(
            'osd', 'pg-upmap-items', pg, str(up[-1]), str(to), fmt=''
        )


def test_data_that_moves_is_told_and_leaves_no_verdict(
    cluster: LiveCluster,
) -> None:
    """The run completes; its row says why it is not judged."""
    run = runs.start(cluster, GROUPS, *runs.SHORT, '--rounds', '1')
    mover = Mover(cluster)
    runs.wait_end(cluster, while_running=mover.step)
    print(mover.orders, 'moves')
    ended = runs.ended(cluster, run)
    assert ended['state'] == 'completed', ended['reason']
    found = cluster.ceph(
        'perfcompare', 'compare', *GROUPS, '--run', run
    )  # fmt: skip
    (row,) = found['rows']
    reasons = {r['id']: r for r in row['reasons']}
    print(row['estimate']['verdict_text'], reasons)
    assert reasons['moving data']['holds']
    assert 'objects/s during x86' in reasons['moving data']['evidence']
    assert row['estimate']['verdict'] == 'inconclusive'
