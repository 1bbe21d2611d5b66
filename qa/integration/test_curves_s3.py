"""Curves of S3: over what is in flight, and over what is offered."""

import pytest

from . import runs
from .live import LiveCluster
from .provision import FIGURES, Provider
from .state import ClusterState, wait_unchanged

CLUSTER = FIGURES.name
SECONDS = 240
GROUPS = ['x86', 'alt']
LOAD = (
    '--profile', 'smoke', '--size', '4K', '--replicas', '2',
    '--workload', 's3-get', '--rounds', '1',
)  # fmt: skip
FLYING = ['1', '2', '4', '8']
# with one connection nothing does the last one, of which most never begins;
# the others leave a busy machine 30 ms for each operation, and p95 its 200
RATES = [20, 25, 30, 10000]
SIDES = ('baseline', 'candidate')


@pytest.fixture(scope='module')
def cluster(provider: Provider) -> LiveCluster:
    """Return a cluster with two groups of native OSDs."""
    return provider.get(FIGURES)


@pytest.mark.slow
def test_a_curve_of_s3_is_measured_and_read_at_its_limit(
    cluster: LiveCluster,
) -> None:
    """Each point once, with percentiles of all operations."""
    run = runs.start(
        cluster, GROUPS, *LOAD, '--duration', '3',
        '--curve', ','.join(FLYING), '--slo', 'p95=1s',
    )  # fmt: skip
    found = runs.ended(cluster, run)
    assert found['state'] == 'completed', found['reason']
    told = cluster.ceph('perfcompare', 'compare', *GROUPS, '--run', run)
    (curve,) = told['curves']
    assert (curve['name'], curve['metric']) == ('s3-get-4K', 'slo')
    assert [p['concurrency'] for p in curve['points']] == FLYING
    for point in curve['points']:
        assert point['offered'] is None
        for side in SIDES:
            figures = point[side]
            assert figures['behind'] is None
            latencies = figures['latencies']
            assert latencies['p50']['median'] <= latencies['p95']['median']
            assert figures['client_cpu_per_op'] > 0.0
    # a second is more than any of it takes
    for side in SIDES:
        assert (curve[side]['above'], curve[side]['below']) == (1, 0)
    assert curve['estimate']['reason'] == 'outside the ladder'


def test_equal_load_is_offered_and_who_falls_behind_is_told(
    cluster: LiveCluster,
) -> None:
    """Rates are kept up with, but for one that cannot be."""
    tracker = ClusterState(cluster)
    before = tracker.clean_snapshot()
    run = runs.start(
        cluster, GROUPS, *LOAD, '--slo', 'p95=1s', '--concurrency', '1',
        '--curve', ','.join(f'{rate}/s' for rate in RATES),
        # a moment without a core at a window's end is little of it
        '--duration', '12',
    )  # fmt: skip
    found = runs.ended(cluster, run, 2 * runs.LIMIT)
    assert found['state'] == 'completed', found['reason']
    assert (
        'curves of 4 points of offered load, judged at p95 ≤ 1 s'
        in found['plan']['labels']
    )
    told = cluster.ceph('perfcompare', 'compare', *GROUPS, '--run', run)
    (curve,) = told['curves']
    assert (curve['name'], curve['metric']) == ('s3-get-4K-c1', 'offered')
    assert curve['loop'] == 'open'
    assert [p['offered'] for p in curve['points']] == RATES
    for side in SIDES:
        points = [point[side] for point in curve['points']]
        assert [p['behind'] for p in points] == [0, 0, 0, 1], curve['lacks']
        for rate, point in zip(RATES[:-1], points):
            assert point['ops_per_s']['median'] == pytest.approx(
                rate, rel=0.05
            )
        # between the last that was kept up with and the one that was not
        assert curve[side]['figure']['median'] == pytest.approx(RATES[-2])
        assert curve[side]['above'] == 1
    assert curve['estimate']['reason'] == 'outside the ladder'
    assert 'points between these tell' in curve['estimate']['detail']
    text = cluster.ceph('perfcompare', 'compare', *GROUPS, fmt='')
    assert 'at equal offered load, in an open loop' in text
    assert (
        ' of 10,000/s offered, and fell behind in 1 of 1 trial'
        in ' '.join(text.split())
    )
    # nobody measured the hosts of this cluster
    assert 'not available' in text
    runs.export(cluster, run)
    wait_unchanged(tracker, before)
