"""A curve whose Manager dies half way is measured to its end."""

import pytest

from . import processes, runs
from .live import LiveCluster
from .provision import PAIRS, Provider, wait_answers
from .state import ClusterState, wait_unchanged
from .waiting import wait_for

CLUSTER = PAIRS.name
GROUPS = ['x86', 'alt']
LADDER = ['1', '2', '4', '8']
CURVE = (
    '--profile', 'smoke', '--size', '4K', '--workload', 'rbd-randread',
    '--duration', '3', '--rounds', '2', '--curve', ','.join(LADDER),
    '--slo', 'p95=5ms',
)  # fmt: skip


@pytest.mark.slow
def test_a_curve_goes_on_after_a_failover(provider: Provider) -> None:
    """Each point of each round is there once, and nothing is left."""
    cluster: LiveCluster = provider.get(PAIRS)
    tracker = ClusterState(cluster)
    before = tracker.clean_snapshot()
    run = runs.start(cluster, GROUPS, *CURVE)

    def half() -> bool:
        done = runs.trials(cluster, run, 'ok')
        return len([t for t in done if t['round']]) >= len(LADDER)

    wait_for(half, 600, 'half of the first round is measured')
    name = cluster.mgr_kill()
    wait_answers(cluster, 180)
    cluster.mgr_start(name)
    found = runs.ended(cluster, run)
    assert (found['state'], found['reason']) == ('completed', '')
    done = [t for t in runs.trials(cluster, run, 'ok') if t['round']]
    assert len(done) == 2 * len(GROUPS) * len(LADDER)
    told = cluster.ceph('perfcompare', 'compare', *GROUPS, '--run', run)
    (curve,) = told['curves']
    assert curve['rounds_complete'] == 2
    assert [p['concurrency'] for p in curve['points']] == LADDER
    assert not processes.of_runs(cluster)
    wait_unchanged(tracker, before)
