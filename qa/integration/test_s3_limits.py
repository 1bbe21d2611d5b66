"""S3 workloads at the limits of a real radosgw: refusals, quota, rate."""

from typing import Any, Dict, Iterator

import pytest

from . import runs
from .live import LiveCluster
from .test_placement import cluster  # noqa: F401
from .test_s3 import (  # noqa: F401
    CLUSTER,
    assert_gone,
    s3_run,
)

pytestmark = pytest.mark.slow
ONE = ('--profile', 'smoke', '--rounds', '1', '--replicas', '2')


@pytest.fixture
def few_requests(cluster: LiveCluster) -> Iterator[None]:  # noqa: F811
    """Let gateways refuse what is beyond four requests at a time."""
    option = 'rgw_max_concurrent_requests'
    cluster.ceph('config', 'set', 'client', option, '4', fmt='')
    yield
    cluster.ceph('config', 'rm', 'client', option, fmt='')


@pytest.fixture
def any_errors(cluster: LiveCluster) -> Iterator[None]:  # noqa: F811
    """Let runs go on whatever fails."""
    option = 'mgr/perfcompare/error_budget'
    cluster.ceph('config', 'set', 'mgr', option, '1.0', fmt='')
    yield
    # a manager may keep the value of an option that is removed
    cluster.ceph('config', 'set', 'mgr', option, '0.001', fmt='')
    cluster.ceph('config', 'rm', 'mgr', option, fmt='')


def test_a_gateway_that_says_slow_down_gets_pauses(
    cluster: LiveCluster,  # noqa: F811
    few_requests: None,
    any_errors: None,
) -> None:
    """503 is counted by its name, not asked again at once, and told."""
    run = runs.start(
        cluster, ['left'], *ONE, '--workload', 's3-put', '--size', '4K',
        '--concurrency', '64', '--duration', '5',
    )  # fmt: skip
    runs.wait_end(cluster, 300)
    assert runs.reason(cluster, run) == 'completed: '
    for trial in runs.trials(cluster, run, 'ok'):
        client = trial['evidence']['client']
        refused = slow_downs(client)
        assert refused > 0 and trial['summary']['errors'] >= refused
        assert trial['summary']['ops_per_s'] > 0
        # without pauses there were 36 refusals for each operation
        assert refused < 3 * trial['summary']['ops']
    assert_gone(cluster)


def slow_downs(client: Dict[str, Any]) -> int:
    """Return how many puts were refused."""
    errors: Dict[str, int] = client['errors']
    return sum(n for name, n in errors.items() if '503' in name)


def test_refusals_beyond_the_budget_end_the_run(
    cluster: LiveCluster, few_requests: None  # noqa: F811
) -> None:
    """With the budget as it is, the run ends with that reason."""
    run = runs.start(
        cluster, ['left'], *ONE, '--workload', 's3-put', '--size', '4K',
        '--concurrency', '64', '--duration', '20',
    )  # fmt: skip
    runs.wait_end(cluster, 300)
    reason = runs.reason(cluster, run)
    assert reason.startswith('aborted: ERROR_BUDGET'), reason
    assert_gone(cluster)


def test_a_full_pool_ends_the_run(cluster: LiveCluster) -> None:  # noqa: F811
    """A quota reached in mid-trial is named, and nothing is left."""
    run = runs.start(
        cluster, ['left'], *ONE, '--workload', 's3-put', '--size', '64K',
        '--concurrency', '8', '--duration', '60',
    )  # fmt: skip
    runs.wait_state(cluster, run, ['trial'], 300)
    pool = 'perfcompare.%s.left.s3-write-data' % run
    cluster.ceph(
        'osd', 'pool', 'set-quota', pool, 'max_bytes', str(1 << 20), fmt=''
    )
    runs.wait_end(cluster, 300)
    reason = runs.reason(cluster, run)
    assert reason.startswith(('aborted: ', 'failed: ')), reason
    assert 'POOL_FULL' in reason or 'quota' in reason.lower(), reason
    assert_gone(cluster)


def test_operations_begin_at_the_rate(
    cluster: LiveCluster,  # noqa: F811
) -> None:
    """In open loop a gateway that keeps up gets the rate, no more."""
    found = s3_run(
        cluster, ['left'], '--workload', 's3-put', '--workload', 's3-get',
        '--size', '4K', '--rate', '40', '--concurrency', '16',
        '--duration', '5', '--replicas', '2', seconds=600,
    )  # fmt: skip
    trials = [t for t in found['shown']['trials'] if t['round']]
    assert len(trials) == 2
    for trial in trials:
        assert trial['summary']['errors'] == 0
        assert 20 < trial['summary']['ops_per_s'] < 48
        assert trial['evidence']['client']['rate'] == 40
    assert_gone(cluster)
