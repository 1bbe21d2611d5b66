"""S3 workloads through private gateways, on a real radosgw."""

from typing import Any, Dict, List, Set

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
from .waiting import wait_for

CLUSTER = WIDE.name
SECONDS = 230
LOAD = ('--profile', 'smoke', '--rounds', '1')
LIGHT = ('--concurrency', '8', '--duration', '3')
OPS = ('s3-put', 's3-get', 's3-stat', 's3-delete', 's3-mixed')
MIX = {'put': 0.35, 'get': 0.45, 'stat': 0.15, 'delete': 0.05}
Found = Dict[str, Any]


def places(cluster: LiveCluster) -> Dict[str, Set[int]]:  # noqa: F811
    """Return the OSDs of both groups."""
    return {
        'left': osds_of(cluster, {'n1', 'n2'}),
        'right': osds_of(cluster, {'o1', 'o2'}),
    }


def s3_run(
    cluster: LiveCluster,  # noqa: F811
    groups: List[str],
    *words: str,
    seconds: float = runs.LIMIT,
) -> Found:
    """Return a run that was observed from outside, and what it stored."""
    found = observed(cluster, groups, *LOAD, *words, seconds=seconds)
    found['shown'] = runs.show(cluster, found['run'])
    return found


def assert_measured(found: Found, workloads: Set[str], gateways: int) -> None:
    """Assert that trials have rates and percentiles, and no errors."""
    trials = [t for t in found['shown']['trials'] if t['round']]
    assert {t['workload'] for t in trials} == workloads
    for trial in trials:
        assert trial['state'] == 'ok', trial['reason']
        summary, client = trial['summary'], trial['evidence']['client']
        p50 = summary['percentiles'].get('p50')  # none of a few operations
        print(
            trial['group'], trial['workload'],
            f'{summary["ops_per_s"]:.1f} op/s, p50',
            'not available' if p50 is None else f'{1000 * p50:.1f} ms',
        )  # fmt: skip
        assert summary['errors'] == 0, client['errors']
        assert summary['ops_per_s'] > 0
        # what was under way at the end counts with its latency so far
        latencies = sum(
            row['ops'] + row['unfinished']
            for row in client['operations'].values()
        )
        assert p50 is None if latencies < 20 else p50 > 0
        assert trial['manifest']['gateways'] == gateways
        assert trial['manifest']['gateway_host']
        assert client['corrupt'] == 0
        assert not client['nagle']['trap']
        assert all(e['ops'] for e in client['endpoints'])


def assert_without_gateways(cluster: LiveCluster) -> None:  # noqa: F811
    """Assert that no gateway of a run is there, and no pool of one."""
    assert processes.gateways_of(cluster) == {}
    pools = cluster.look('osd pool ls')
    assert not [p for p in pools if '.rgw' in p or 'perfcompare.' in p]


def assert_gone(cluster: LiveCluster) -> None:  # noqa: F811
    """Assert that no gateway, pool or service of a run is there."""
    assert_without_gateways(cluster)
    # one that was killed is forgotten after a minute without a beacon
    wait_for(
        lambda: 'rgw' not in cluster.look('service dump', 'mgr')['services'],
        90,
        'no gateway is in the service map',
    )


@pytest.fixture(scope='module')
def mixed(cluster: LiveCluster) -> Found:  # noqa: F811
    """Return a short mix in weighted sizes, by two gateways with TLS."""
    return s3_run(
        cluster, ['left', 'right'], '--workload', 's3-mixed',
        '--read-sizes', '16K:3,4K:1', '--write-sizes', '4K',
        '--gateways', '2', '--s3-tls', '--replicas', '2', '--prefill', '100',
        # long enough for shares on a machine that does few operations
        '--concurrency', '8', '--duration', '10', seconds=600,
    )  # fmt: skip


def test_a_mix_is_measured_and_lands_on_the_groups_only(
    cluster: LiveCluster, mixed: Found  # noqa: F811
) -> None:
    """A mix through TLS has figures; its objects are on its group."""
    assert_measured(mixed, {'s3-mixed-mix13K-c8-n100'}, 2)
    trial = mixed['shown']['trials'][-1]
    assert trial['manifest']['gateway_tls'] is True
    operations = trial['evidence']['client']['operations']
    whole = sum(operation['ops'] for operation in operations.values())
    shares = {op: found['ops'] / whole for op, found in operations.items()}
    print(shares)
    assert shares == pytest.approx(MIX, abs=0.05)
    assert_only_on(mixed['witness'], places(cluster), 2)
    roles = {pool.split('.', 3)[3] for pool in mixed['witness'].pools}
    assert roles == {'s3-meta', 's3-write-index', 's3-write-data'}


def test_no_gateway_and_no_root_pool_is_left(
    cluster: LiveCluster, mixed: Found  # noqa: F811
) -> None:
    """Gateways are gone, also from the service map; `.rgw.root` never was."""
    assert_gone(cluster)


def test_s3_secrets_are_in_no_command_line(mixed: Found) -> None:
    """Neither the key of the run nor S3 keys are ever an argument."""
    witness = mixed['witness']
    assert witness.secrets
    for line in witness.commands:
        assert not [s for s in witness.secrets if s in line]
        assert '--access-key' not in line and '--secret' not in line


@pytest.mark.slow
def test_every_operation(cluster: LiveCluster) -> None:  # noqa: F811
    """All operations run without errors, on all pools that they need."""
    chosen = [word for op in OPS for word in ('--workload', op)]
    found = s3_run(
        cluster, ['left', 'right'], *chosen, '--size', '4K',
        '--replicas', '2', *LIGHT, seconds=900,
    )  # fmt: skip
    assert_measured(found, {f'{op}-4K-c8' for op in OPS}, 1)
    assert_only_on(found['witness'], places(cluster), 2)
    assert {pool.split('.', 3)[3] for pool in found['witness'].pools} == {
        's3-meta', 's3-index', 's3-data', 's3-write-index', 's3-write-data',
    }  # fmt: skip
    assert_gone(cluster)


@pytest.mark.slow
@pytest.mark.parametrize('size', ['1K', '64K', '1M', '4M'])
def test_every_operation_at_all_sizes(
    cluster: LiveCluster, size: str  # noqa: F811
) -> None:
    """Objects from 1 KB to 4 MB go through all operations."""
    chosen = [word for op in OPS for word in ('--workload', op)]
    found = s3_run(
        cluster, ['left', 'right'], *chosen, '--size', size,
        '--replicas', '2', '--concurrency', '2', '--duration', '3',
        seconds=900,
    )  # fmt: skip
    assert_measured(found, {f'{op}-{size}-c2' for op in OPS}, 1)
    assert_only_on(found['witness'], places(cluster), 2)
    assert_gone(cluster)


@pytest.mark.slow
@pytest.mark.parametrize(
    'size, prefill, ops',
    [
        ('16M', '16', ['s3-put', 's3-get', 's3-stat']),
        ('64M', '8', ['s3-put', 's3-get', 's3-stat']),
        ('64M', '8', ['s3-delete']),
        ('64M', '8', ['s3-mixed']),
        ('256M', '2', ['s3-put', 's3-get']),
    ],
)
def test_large_objects(
    cluster: LiveCluster,  # noqa: F811
    size: str,
    prefill: str,
    ops: List[str],
) -> None:
    """Objects of 16 to 256 MB, as many at once as small OSDs hold."""
    words = [word for op in ops for word in ('--workload', op)]
    read = {'s3-get', 's3-stat', 's3-mixed'} & set(ops)
    if read:
        words += ['--prefill', prefill]
    found = s3_run(
        cluster, ['left', 'right'], *words, '--size', size,
        '--replicas', '2', '--concurrency', '2', '--duration', '5',
        seconds=900,
    )  # fmt: skip
    names = {
        f'{op}-{size}-c2' + (f'-n{prefill}' if op in read else '')
        for op in ops
    }
    assert_measured(found, names, 1)
    assert_only_on(found['witness'], places(cluster), 2)
    assert_gone(cluster)


@pytest.mark.slow
def test_erasure_coded_objects_with_indexes_elsewhere(
    cluster: LiveCluster,  # noqa: F811
) -> None:
    """Objects are coded on the group; indexes are copies on the class."""
    found = s3_run(
        cluster, ['x86'], '--workload', 's3-mixed', '--size', '4K',
        '--ec-profile', 'two-one', '--rgw-index-class', 'alt', *LIGHT,
        seconds=600,
    )  # fmt: skip
    assert_measured(found, {'s3-mixed-4K-c8'}, 1)
    witness = found['witness']
    x86 = osds_of(cluster, {'n1', 'n2', 'n3'})
    alt = osds_of(cluster, {'o1', 'o2', 'o3'})
    for pool, osds in witness.osds.items():
        index = pool.endswith('-index')
        assert osds <= (alt if index else x86), pool
        coded = witness.pools[pool]['erasure_code_profile'] != ''
        assert coded is pool.endswith('-data'), pool
    assert_gone(cluster)


@pytest.mark.slow
def test_a_killed_gateway_voids_the_block_and_the_run_goes_on(
    cluster: LiveCluster,  # noqa: F811
) -> None:
    """A trial whose gateway died is void; its block is repeated."""
    run = runs.start(
        cluster, ['left', 'right'], '--workload', 's3-put', *LOAD,
        '--size', '4K', '--concurrency', '8', '--duration', '15',
        '--replicas', '2',
    )  # fmt: skip
    runs.wait_state(cluster, run, ['trial'], 300, 'round 1')
    for pid in processes.gateways_of(cluster):
        os.kill(pid, signal.SIGKILL)
    runs.wait_end(cluster, 600)
    found = runs.show(cluster, run)
    assert runs.reason(cluster, run) == 'completed: '
    void = [t for t in found['trials'] if t['state'] == 'void']
    assert void and any('gateway ended' in t['reason'] for t in void)
    assert_gone(cluster)
