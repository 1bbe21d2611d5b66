"""Response curves: measured point by point, judged once, nothing left."""

import errno

import pytest

from cluster.api import CommandFailed

from . import runs
from .live import LiveCluster
from .provision import FIGURES, Provider
from .state import ClusterState, wait_unchanged

CLUSTER = FIGURES.name
SECONDS = 240
GROUPS = ['x86', 'alt']
RBD = 'rbd-randread'
SHORT = (
    '--profile', 'smoke', '--size', '4K', '--replicas', '2', '--duration', '3',
)  # fmt: skip
LADDER = ['1', '2', '4', '8']


@pytest.fixture(scope='module')
def cluster(provider: Provider) -> LiveCluster:
    """Return a cluster with two groups of native OSDs."""
    return provider.get(FIGURES)


def test_a_curve_is_measured_and_judged_at_a_limit(
    cluster: LiveCluster,
) -> None:
    """Each point in each round; one verdict, by the command line."""
    tracker = ClusterState(cluster)
    before = tracker.clean_snapshot()
    run = runs.start(
        cluster, GROUPS, *SHORT, '--workload', RBD, '--rounds', '2',
        '--curve', ','.join(LADDER), '--slo', 'p95=5ms',
    )  # fmt: skip
    found = runs.ended(cluster, run)
    assert found['state'] == 'completed', found['reason']
    assert (
        'curves of 4 points in flight, judged at p95 ≤ 5 ms'
        in found['plan']['labels']
    )
    done = [t for t in runs.trials(cluster, run, 'ok') if t['round']]
    points = {f'rbd-randread-4K-c{flying}' for flying in LADDER}
    assert len(done) == 2 * len(GROUPS) * len(points)
    assert {trial['workload'] for trial in done} == points
    # what is read is served evenly: a few objects beside images of nothing
    for trial in done:
        assert 'objects_max_mean' not in trial['manifest']
        assert 1.0 <= trial['manifest']['bytes_max_mean'] <= 1.1, trial
    told = cluster.ceph('perfcompare', 'compare', *GROUPS, '--run', run)
    (curve,) = told['curves']
    assert [p['concurrency'] for p in curve['points']] == LADDER
    assert (curve['name'], curve['slo']) == ('rbd-randread-4K', 'p95 ≤ 5 ms')
    # a round at a time, whatever it is: two of six decide nothing
    assert curve['rounds_complete'] == 2
    assert curve['estimate']['verdict'] == 'inconclusive'
    for point in curve['points']:
        for side in ('baseline', 'candidate'):
            figures = point[side]
            assert figures['ops_per_s']['median'] > 0
            assert (
                figures['latencies']['p50']['median']
                <= figures['latencies']['p95']['median']
            )
    for side in ('baseline', 'candidate'):
        peak = curve[side]['peak']['median']
        assert peak > 0
        assert set(curve[side]['peak_at']) <= set(LADDER)
    assert all(row['estimate']['verdict'] is None for row in told['rows'])
    text = cluster.ceph('perfcompare', 'compare', *GROUPS, fmt='')
    assert 'Points have no verdicts.' in ' '.join(text.split())
    lines = [line.split()[:1] for line in text.splitlines()]
    assert all([flying] in lines for flying in LADDER), text
    wait_unchanged(tracker, before)


@pytest.mark.parametrize(
    'workload, words, reason',
    [
        (RBD, '--curve 1..64 --concurrency 4', 'exclude each other'),
        (RBD, '--curve 3..1', '--curve'),
        (RBD, '--slo p99=10ms', 'give --curve as well'),
        (RBD, '--curve 1..64 --slo p99', 'is not a limit of latency'),
        (
            RBD,
            '--curve 1..64 --slo p99=9ms --rbd-client bench',
            'records no percentiles',
        ),
        ('s3-get', '--curve 100..800/s', 'e.g. --slo p99=10ms'),
        ('s3-get', '--curve 800..100/s --slo p95=1s', '--curve'),
        ('s3-get', '--curve 100..800/s --slo p99=1s', 'give --duration 11'),
        (
            's3-get',
            '--curve 100..800/s --slo p95=1s --rate 9',
            'exclude each other',
        ),
    ],
)
def test_what_is_no_curve_is_refused(
    cluster: LiveCluster, workload: str, words: str, reason: str
) -> None:
    """One line, the fitting errno, and nothing is queued."""
    with pytest.raises(CommandFailed) as caught:
        cluster.ceph(
            'perfcompare', 'run', '--group', 'x86', *SHORT,
            '--workload', workload, *words.split(), fmt='',
        )  # fmt: skip
    assert caught.value.returncode == errno.EINVAL
    assert reason in str(caught.value)
