"""Pools of others that the autoscaler leaves alone."""

from typing import Iterator

import contextlib

from .live import LiveCluster
from .waiting import wait_for


@contextlib.contextmanager
def steady_pools(cluster: LiveCluster) -> Iterator[None]:
    """Make pools that the autoscaler leaves alone: it refuses runs."""
    cluster.ceph('osd', 'pool', 'set', 'noautoscale', fmt='')
    yield
    wait_for(
        lambda: all(
            p['pg_num'] == p['pg_num_target']
            and p['pg_placement_num'] == p['pg_placement_num_target']
            for p in cluster.look('osd dump')['pools']
        ),
        180, 'pools have the PGs that they should', 2.0,
    )  # fmt: skip
    cluster.wait_clean()


def wait_balanced(cluster: LiveCluster) -> None:
    """Wait until the balancer has looked at all pools and leaves them."""
    before = cluster.ceph('balancer', 'status')

    def content() -> bool:
        found = cluster.ceph('balancer', 'status')
        looked = found['last_optimize_started']
        return not found['active'] or (
            looked != before['last_optimize_started']
            and found['no_optimization_needed']
        )

    wait_for(content, 300, 'the balancer moves nothing', 2.0)
    cluster.wait_clean()
