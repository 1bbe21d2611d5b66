"""Recovery tests of real arm64 OSDs beside x86-64 ones.

They are emulated here: their figures say that it works, not how fast.
"""

from typing import Any, Dict, Iterator

import pytest

from . import runs
from .live import LiveCluster
from .provision import ARM_PAIRS, Provider, wait_answers
from .state import ClusterState
from .test_recovery import (  # noqa: F401
    READS,
    check_marks,
    finished,
    steps,
    unchanged,
)

CLUSTER = ARM_PAIRS.name
pytestmark = pytest.mark.slow
SHORT_LOGS = {
    'osd_target_pg_log_entries_per_osd': '1000',
    'osd_min_pg_log_entries': '50',
    'osd_max_pg_log_entries': '100',
}


@pytest.fixture(scope='module')
def cluster(provider: Provider) -> Iterator[LiveCluster]:
    """Yield a cluster with OSDs of both architectures."""
    found = provider.get(ARM_PAIRS)
    for name, value in SHORT_LOGS.items():
        found.ceph('config', 'set', 'osd', name, value, fmt='')
    option = 'mgr/perfcompare/allow_failure_tests'
    found.ceph('config', 'set', 'mgr', option, 'true', fmt='')
    wait_answers(found)
    yield found


@pytest.mark.parametrize(
    'scenario, kinds',
    [('osd-down', ('down',)), ('backfill', ('move', 'move-back'))],
)
def test_both_architectures_recover(
    cluster: LiveCluster,
    unchanged: ClusterState,  # noqa: F811
    scenario: str,
    kinds: Any,
) -> None:
    """All moments of both groups are there, side by side."""
    ticket = cluster.ceph(
        'perfcompare', 'recovery', 'run', '--group', 'x86', '--group', 'arm',
        '--scenario', scenario, '--repetitions', '1', '--hold', '4',
        '--pg-num', '8', '--size', '16K', '--concurrency', '1',
        '--limit', '240', '--data', '4M', *READS, *runs.CONSENT,
    )  # fmt: skip
    test = finished(cluster, ticket['run'])
    assert (test['state'], test['reason']) == ('completed', '')
    made: Dict[str, int] = {}
    for step in steps(test, *kinds):
        check_marks(step, 't0', 't1', 't2', 't5')
        made[step['group']] = made.get(step['group'], 0) + 1
    assert made == {'x86': len(kinds), 'arm': len(kinds)}
    print(
        cluster.ceph('perfcompare', 'recovery', 'compare', test['id'], fmt='')
    )
