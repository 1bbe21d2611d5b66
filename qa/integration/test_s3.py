"""S3 workloads through private gateways, on a real radosgw."""

from typing import Any, Dict, List

import os
import signal

import pytest

from . import processes, runs
from .live import LiveCluster
from .provision import WIDE
from .test_placement import (  # noqa: F401
    assert_only_on,
    cluster,
    observed,
    osds_of,
)

CLUSTER = WIDE.name
pytestmark = pytest.mark.slow
LOAD = (
    '--profile', 'smoke', '--size', '4K', '--concurrency', '8',
    '--duration', '3', '--rounds', '1', '--replicas', '2',
)  # fmt: skip
OPS = ('s3-put', 's3-get', 's3-stat', 's3-delete', 's3-mixed')
Found = Dict[str, Any]


def gateways() -> Dict[int, List[str]]:
    """Return the private gateways on this machine, by pid."""
    return {
        pid: words
        for pid, words in processes.command_lines()
        if words[0].endswith('radosgw')
        and any(w.startswith('client.perfcompare.') for w in words)
    }


@pytest.fixture(scope='module')
def all_ops(cluster: LiveCluster) -> Found:  # noqa: F811
    """Return a run of every S3 workload, observed from outside."""
    chosen = [word for op in OPS for word in ('--workload', op)]
    found = observed(cluster, ['left', 'right'], *chosen, *LOAD)
    found['shown'] = runs.show(cluster, found['run'])
    return found


def test_objects_land_on_the_groups_only(
    cluster: LiveCluster, all_ops: Found  # noqa: F811
) -> None:
    """Data, index and metadata of S3 are on the OSDs of their group."""
    left = osds_of(cluster, {'n1', 'n2'})
    right = osds_of(cluster, {'o1', 'o2'})
    assert_only_on(all_ops['witness'], {'left': left, 'right': right}, 2)
    roles = {pool.split('.', 3)[3] for pool in all_ops['witness'].pools}
    assert roles == {
        's3-meta',
        's3-index',
        's3-data',
        's3-write-index',
        's3-write-data',
    }


def test_every_operation_is_measured_without_errors(all_ops: Found) -> None:
    """Trials have rates, percentiles, and reads with the right content."""
    trials = [t for t in all_ops['shown']['trials'] if t['round']]
    assert {t['workload'] for t in trials} == {f'{op}-4K-c8' for op in OPS}
    for trial in trials:
        summary = trial['summary']
        assert trial['state'] == 'ok'
        assert summary['errors'] == 0, trial['evidence']['client']['errors']
        assert summary['ops_per_s'] > 0
        assert summary['percentiles']['p50'] > 0
        assert trial['manifest']['gateways'] == 1
        assert trial['manifest']['gateway_host']
        assert trial['evidence']['client']['corrupt'] == 0


def test_no_gateway_and_no_root_pool_is_left(
    cluster: LiveCluster, all_ops: Found  # noqa: F811
) -> None:
    """Gateways are gone, also from the service map; `.rgw.root` never was."""
    assert gateways() == {}
    pools = cluster.ceph('osd', 'pool', 'ls')
    assert not [p for p in pools if '.rgw' in p or 'perfcompare.' in p]
    services = cluster.ceph('service', 'dump')['services']
    assert 'rgw' not in services


def test_secrets_are_in_no_command_line(all_ops: Found) -> None:
    """Neither the key of the run nor S3 keys are ever an argument."""
    witness = all_ops['witness']
    assert witness.secrets
    for line in witness.commands:
        assert not [s for s in witness.secrets if s in line]
        assert '--access-key' not in line and '--secret' not in line


def test_a_killed_gateway_voids_the_block_and_the_run_goes_on(
    cluster: LiveCluster,  # noqa: F811
) -> None:
    """A trial whose gateway died is void; its block is repeated."""
    run = runs.start(
        cluster, ['left', 'right'], '--workload', 's3-put', *LOAD
    )
    runs.wait_state(cluster, run, ['trial'], 200, 'round 1')
    for pid in gateways():
        os.kill(pid, signal.SIGKILL)
    runs.wait_end(cluster)
    found = runs.show(cluster, run)
    assert runs.reason(cluster, run) == 'completed: '
    void = [t for t in found['trials'] if t['state'] == 'void']
    assert void and all(t['reason'] for t in void)
    assert gateways() == {}
