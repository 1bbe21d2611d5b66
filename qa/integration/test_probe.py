"""Percentiles of RADOS loads by a probe, and what is left of it: nothing."""

from typing import Iterator, List

import pytest

from . import processes, runs
from .live import LiveCluster
from .provision import FIGURES, Provider
from .state import ClusterState, wait_unchanged
from .waiting import wait_for

CLUSTER = FIGURES.name
# of a run that is cut as soon as there is a probe
CUT = (*runs.SHORT, '--rounds', '1')
# long enough for ten operations beyond p95
LOAD = (
    '--profile', 'smoke', '--workload', 'write,rand', '--size', '4K',
    '--concurrency', '16', '--duration', '8', '--rounds', '1',
)  # fmt: skip
BASIS = 'as one more client sees it: probe'


@pytest.fixture(scope='module')
def cluster(provider: Provider) -> Iterator[LiveCluster]:
    """Yield a cluster with groups by hosts."""
    found = provider.get(FIGURES)
    for side in ('x86', 'alt'):
        hosts = '%s-1,%s-2' % (side, side)
        found.ceph('perfcompare', 'group', 'set', side, '--hosts', hosts)
    yield found
    for side in ('x86', 'alt'):
        found.ceph('perfcompare', 'group', 'rm', side)


def probes(cluster: LiveCluster) -> List[int]:
    """Return the processes of probes that live."""
    ours = processes.of_runs(cluster)
    return [
        pid
        for pid, argv in processes.command_lines()
        if pid in ours and any('probe_client.py' in word for word in argv)
    ]


def test_rows_have_percentiles(cluster: LiveCluster) -> None:
    """`compare` and `show` state what the probe saw, and whose it is."""
    run = runs.start(cluster, ['x86', 'alt'], *LOAD)
    runs.ended(cluster, run)
    found = runs.show(cluster, run)
    judged = runs.judged(found['trials'])
    assert judged
    for trial in judged:
        probe = trial['evidence']['client']['probe']
        assert not probe['reason'], probe
        assert probe['ops'] > 0 and probe['errors'] == {}
        # the load may have become slower than it was a round before
        assert 0 < probe['share'] < 0.15
        stated = trial['summary']['percentiles']
        # a busy machine has none, and says so
        for name in ('p50', 'p95', 'p99'):
            assert name in stated or name in probe['missing'], probe
        assert sorted(stated.values()) == [
            stated[k] for k in sorted(stated, key=lambda n: float(n[1:]))
        ]
    for row in cluster.ceph('perfcompare', 'compare', 'x86', 'alt')['rows']:
        for side in (row['baseline'], row['candidate']):
            assert (
                BASIS in side['percentiles_basis']
                or side['percentiles_reason']
            )
    for words in (('compare', 'x86', 'alt'), ('show', run)):
        text = cluster.ceph('perfcompare', *words, fmt='')
        assert BASIS in text or 'too busy' in text, text


def test_it_can_be_switched_off(cluster: LiveCluster) -> None:
    """`--probe-rate 0` has no percentiles, says why, and starts nothing."""
    run = runs.start(cluster, ['x86'], *CUT, '--probe-rate', '0')
    runs.wait_state(cluster, run, ['trial'])
    wait_for(lambda: processes.load_of(cluster), 60, 'there is load')
    assert not probes(cluster)
    runs.ended(cluster, run)
    found = runs.show(cluster, run)
    for trial in runs.judged(found['trials']):
        assert trial['summary']['percentiles'] == {}
    text = cluster.ceph('perfcompare', 'show', run, fmt='')
    assert 'not available: switched off: --probe-rate 0' in text


def test_nothing_is_left_of_a_run_that_is_cut(cluster: LiveCluster) -> None:
    """Neither a cancelled run nor a killed worker leaves a probe."""
    cluster.wait_clean()
    tracker = ClusterState(cluster)
    before = tracker.snapshot()
    run = runs.start(cluster, ['x86'], *CUT)
    wait_for(lambda: probes(cluster), 120, 'a probe is there')
    cluster.ceph('perfcompare', 'cancel', run, fmt='')
    runs.wait_end(cluster)
    assert not probes(cluster)
    wait_unchanged(tracker, before)

    run = runs.start(cluster, ['x86'], *CUT)
    found = wait_for(lambda: probes(cluster), 120, 'a probe is there')
    name = cluster.mgr_kill()  # the worker's lease is not renewed
    wait_for(lambda: not set(found) & set(probes(cluster)), 60, 'it is gone')
    cluster.mgr_start(name)
    runs.wait_end(cluster)
    assert not probes(cluster)
    wait_unchanged(tracker, before)
