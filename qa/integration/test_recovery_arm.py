"""Recovery tests of real arm64 OSDs beside x86-64 ones.

They are emulated here: their figures say that it works, not how fast.
"""

from typing import Any, Dict, Iterator

import pytest

from . import runs
from .hands import Hands
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


def completed(
    cluster: LiveCluster, scenario: str, *words: str
) -> Dict[str, Any]:
    """Do a test of both groups under reads; return what is stored of it."""
    ticket = cluster.ceph(
        'perfcompare', 'recovery', 'run', '--group', 'x86', '--group', 'arm',
        '--scenario', scenario, '--repetitions', '1', '--hold', '4',
        '--pg-num', '8', '--size', '16K', '--concurrency', '1',
        '--limit', '240', '--data', '4M', *READS, *words, *runs.CONSENT,
    )  # fmt: skip
    test: Dict[str, Any] = finished(cluster, ticket['run'])
    assert (test['state'], test['reason']) == ('completed', '')
    print(
        cluster.ceph('perfcompare', 'recovery', 'compare', test['id'], fmt='')
    )
    return test


@pytest.mark.parametrize(
    'scenario, kinds',
    [
        ('osd-down', ('down',)),
        ('backfill', ('move', 'move-back')),
        ('osd-out', ('out', 'in')),
    ],
)
def test_both_architectures_recover(
    cluster: LiveCluster,
    unchanged: ClusterState,  # noqa: F811
    scenario: str,
    kinds: Any,
) -> None:
    """All moments of both groups are there, side by side."""
    test = completed(cluster, scenario)
    made: Dict[str, int] = {}
    for step in steps(test, *kinds):
        check_marks(step, 't0', 't1', 't2', 't5')
        made[step['group']] = made.get(step['group'], 0) + 1
    assert made == {'x86': len(kinds), 'arm': len(kinds)}


@pytest.mark.parametrize('scenario', ('osd-stop', 'host-stop'))
@pytest.mark.parametrize('kill', (True, False), ids=('kill', 'stop'))
def test_both_architectures_are_stopped(
    cluster: LiveCluster,
    unchanged: ClusterState,  # noqa: F811
    scenario: str,
    kill: bool,
) -> None:
    """An operator ends OSDs of both, and starts them again."""
    with Hands(cluster, kill):
        test = completed(cluster, scenario, '--stop-by', 'operator')
    how = 'connection refused' if kill else 'marked itself down'
    groups = []
    for step in steps(test, 'stop'):
        check_marks(step, 't1', 't2')
        kinds = {found['kind'] for found in step['timeline']['detections']}
        assert kinds == {how}
        groups.append(step['group'])
    assert sorted(groups) == ['arm', 'x86']
    for step in steps(test, 'start'):
        check_marks(step, 't1', 't2', 't5')
