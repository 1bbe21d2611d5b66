"""RBD images by fio: mixes are measured, runs leave nothing, also cut ones."""

from typing import Iterator

import json

import pytest

from . import runs, tenant
from .live import LiveCluster
from .provision import FIGURES, Provider
from .state import ClusterState, wait_unchanged

CLUSTER = FIGURES.name
SECONDS = 200
GROUPS = ['x86', 'alt']
LOAD = (
    '--profile', 'smoke', '--rounds', '1', '--size', '4K', '--concurrency',
    '4', '--images', '2', '--replicas', '2',
)  # fmt: skip


@pytest.fixture(scope='module')
def cluster(provider: Provider) -> Iterator[LiveCluster]:
    """Yield a cluster in which somebody else has data."""
    found = provider.get(FIGURES)
    tenant.create(found)
    yield found
    tenant.remove(found)


def test_a_mix_has_both_directions(cluster: LiveCluster) -> None:
    """Reads and writes have rates and percentiles; nothing is left."""
    tracker = ClusterState(cluster)
    before = tracker.clean_snapshot()
    run = runs.start(
        cluster, GROUPS, *LOAD, '--workload', 'rbd-randrw',
        '--read-share', '60', '--duration', '3',
    )  # fmt: skip
    found = runs.ended(cluster, run)
    assert found['state'] == 'completed', found['reason']
    done = runs.judged(runs.trials(cluster, run, 'ok'))
    assert {t['group'] for t in done} == set(GROUPS)
    for trial in done:
        assert trial['workload'] == 'rbd-randrw-4K-c4-rd60'
        client = trial['evidence']['client']
        read, write = (client['operations'][n] for n in ('read', 'write'))
        share = read['ops'] / (read['ops'] + write['ops'])
        assert 0.5 < share < 0.7, (trial['round'], share)
        for side in (read, write):
            assert side['bytes_per_s'] == pytest.approx(
                4096 * side['ops_per_s']
            )
            assert 0 < side['percentiles']['p50'] < 5
        tools = ' '.join(trial['manifest']['load_tools'])
        assert 'fio' in tools and 'librbd' in tools, tools
        assert trial['summary']['errors'] == 0
    text = cluster.ceph('perfcompare', 'compare', *GROUPS, fmt='')
    assert 'rbd-randrw-4K-c4-rd60: percentiles of latency' in text
    lines = [line.split()[:2] for line in text.splitlines()]
    for name in ('read', 'write'):
        for group in GROUPS:
            assert [name, group] in lines, text
    wait_unchanged(tracker, before)


def test_a_run_that_is_cancelled_leaves_no_image(
    cluster: LiveCluster,
) -> None:
    """Pools, key and processes go while fio is under way."""
    tracker = ClusterState(cluster)
    before = tracker.clean_snapshot()
    run = runs.start(
        cluster, ['x86'], *LOAD, '--workload', 'rbd-write',
        '--duration', '60',
    )  # fmt: skip
    runs.wait_state(cluster, run, ['trial'], 150)
    pools = cluster.ceph('osd', 'pool', 'ls', 'detail')
    ours = [p for p in pools if run in p['pool_name']]
    assert ours
    for pool in ours:
        assert set(pool['application_metadata']) == {'perfcompare', 'rbd'}
    (key,) = cluster.ceph('auth', 'get', f'client.perfcompare.{run}')
    assert key['caps']['mon'] == 'allow r, profile rbd'
    assert run in key['caps']['osd']
    cluster.ceph('perfcompare', 'cancel', run, fmt='')
    found = runs.ended(cluster, run)
    assert found['state'] == 'cancelled', json.dumps(found['reason'])
    wait_unchanged(tracker, before)
