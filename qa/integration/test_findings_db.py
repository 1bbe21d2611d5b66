"""A metadata device that is the limit is told apart from the data drives."""

from typing import Any, Dict, List

import contextlib
import os

import pytest

from . import holding, runs
from .live import LiveCluster
from .provision import WITH_DB, Provider

CLUSTER = WITH_DB.name
GROUP = 'x86'

pytestmark = pytest.mark.skipif(
    bool(holding.missing('blkio')),
    reason='needs the controller blkio of cgroup version 1',
)


@pytest.fixture(scope='module')
def cluster(provider: Provider) -> LiveCluster:
    """Return a cluster whose OSDs have a DB device each."""
    return provider.get(WITH_DB)


def held(cluster: LiveCluster, link: str, size: str) -> Dict[str, Any]:
    """Run writes with one device of each OSD held; return the cell."""
    with contextlib.ExitStack() as stack:
        for osd in (0, 1):
            path = os.readlink(str(cluster.dir / 'osd' / str(osd) / link))
            pids: List[int] = [cluster.pid('osd.%d' % osd)]
            stack.enter_context(holding.device(pids, path, 60))
        run = runs.start(
            cluster, [GROUP], '--profile', 'smoke', '--workload', 'write',
            '--size', size, '--duration', '8', '--rounds', '1',
            '--concurrency', '8',
        )  # fmt: skip
        assert runs.ended(cluster, run)['state'] == 'completed'
    [cell] = cluster.ceph('perfcompare', 'show', run, '--findings')['cells']
    found: Dict[str, Any] = cell['limited']
    print('%s held: %s' % (link, found['findings']))
    return found


@pytest.mark.slow
def test_a_slow_metadata_device_is_the_limit(cluster: LiveCluster) -> None:
    """Commits wait for the DB device; data drives have room."""
    found = held(cluster, 'block.db', '4K')
    assert found['limit'] == 'metadata device', found
    assert 'disk' not in [one['limit'] for one in found['findings']]


@pytest.mark.slow
def test_slow_data_drives_are_told_as_such(cluster: LiveCluster) -> None:
    """Writes too large to be deferred wait; the DB device does not."""
    found = held(cluster, 'block', '256K')
    assert found['limit'] == 'disk', found
