"""A cluster without numpy, whose monitors forbid to delete pools."""

from typing import Any

import time

import pytest

from . import runs
from .live import LiveCluster
from .provision import BARE, Provider
from .state import ClusterState, differences, wait_unchanged
from .waiting import wait_for

CLUSTER = BARE.name
PAIR = ('--group', 'x86', '--group', 'alt')


@pytest.fixture(scope='module')
def cluster(provider: Provider) -> LiveCluster:
    """Return the bare cluster."""
    return provider.get(BARE)


def refusal(cluster: LiveCluster, *words: str) -> Any:
    """Ask for a run that must not start; nothing may change by asking."""
    tracker = ClusterState(cluster)
    before = tracker.snapshot()
    done = cluster.exec(
        ['ceph', 'perfcompare', 'run', *PAIR, *runs.SHORT, *runs.CONSENT]
        + list(words)
    )
    assert differences(before, tracker.snapshot()) == []
    assert len(done.stderr.strip().split('\n')) == 1, done.stderr
    return done


def test_doctor_says_what_is_missing(cluster: LiveCluster) -> None:
    """Without numpy, doctor says what does not work and what to install."""
    text = cluster.ceph('perfcompare', 'doctor', fmt='')
    flat = ' '.join(text.split())
    assert 'numpy' in flat and 'install the package python3-numpy' in flat
    assert 'Runs can start.' in flat


def test_pools_that_cannot_go_are_refused(cluster: LiveCluster) -> None:
    """Without consent to allow it, no pool is made that would stay."""
    done = refusal(cluster)
    assert done.returncode == 16  # EBUSY
    assert 'POOL_DELETE' in done.stderr
    assert '--enable-pool-delete' in done.stderr


def test_flags_are_refused(cluster: LiveCluster) -> None:
    """A cluster under maintenance is left alone."""
    cluster.ceph('osd', 'set', 'norebalance', fmt='')
    try:
        done = refusal(cluster, '--enable-pool-delete')
        text = cluster.ceph('perfcompare', 'preflight', *PAIR, fmt='')
    finally:
        cluster.ceph('osd', 'unset', 'norebalance', fmt='')
    assert done.returncode == 16 and 'norebalance' in done.stderr
    lines = [line for line in text.split('\n') if line.startswith('FLAGS')]
    assert len(lines) == 1 and 'REFUSE' in lines[0]


def passes(cluster: LiveCluster) -> bool:
    """Say whether the preflight still lets a run start after a while."""
    words = ['--enable-pool-delete', '--dry-run', *runs.CONSENT]
    for _ in range(2):
        time.sleep(5)
        done = cluster.exec(
            ['ceph', 'perfcompare', 'run', *PAIR, *runs.SHORT, *words]
        )
        if done.returncode or 'REFUSE' in done.stdout:
            return False
    return True


def test_unhealthy_cluster_is_refused(cluster: LiveCluster) -> None:
    """An OSD that is down refuses a run by HEALTH."""
    cluster.osd_stop(0)
    try:
        wait_for(
            lambda: cluster.look('health')['checks'].get('OSD_DOWN'),
            60, 'the OSD is seen down',
        )  # fmt: skip
        done = cluster.exec(
            ['ceph', 'perfcompare', 'run', *PAIR, *runs.SHORT, *runs.CONSENT]
        )
    finally:
        cluster.osd_start(0)
    assert done.returncode in (16, 22), done.stderr
    assert 'OSD_DOWN' in done.stderr or 'host' in done.stderr
    cluster.wait_clean()
    # what PGs report lags behind: they may be told clean of before
    wait_for(lambda: passes(cluster), 60, 'the preflight lets runs start')


def test_run_without_numpy_and_with_pool_delete(
    cluster: LiveCluster,
) -> None:
    """All but long series works; the option is restored as it was."""
    tracker = ClusterState(cluster)
    before = tracker.snapshot()
    run = runs.start(cluster, ['x86', 'alt'], *runs.SHORT, '--rounds', '1',
                     '--enable-pool-delete')  # fmt: skip
    found = runs.ended(cluster, run)
    assert (found['state'], found['reason']) == ('completed', '')
    wait_unchanged(tracker, before)
    notes = str([t['evidence'] for t in runs.trials(cluster, run, 'ok')])
    assert 'numpy' in notes
    rows = cluster.ceph('perfcompare', 'compare', 'x86', 'alt')['rows']
    assert [row['workload'] for row in rows] == ['write-4K-c4']


def test_import_of_another_clusters_run(
    cluster: LiveCluster, provider: Provider
) -> None:
    """A run of another cluster is stored, marked and compared."""
    text = provider.exports.get('wide')
    if not text:
        pytest.skip('no other cluster was up in this session')
    path = cluster.dir / 'tmp' / 'other.json'
    path.write_text(text, encoding='utf-8')
    cluster.ceph('perfcompare', 'import', '-i', str(path))
    path.unlink()
    rows = cluster.ceph('perfcompare', 'compare', 'left', 'right')['rows']
    assert rows
    listed = cluster.ceph('perfcompare', 'ls')['runs']
    (other,) = [r for r in listed if r['groups'] == ['left', 'right']]
    assert other['origin'].startswith('import')
    fsid = cluster.ceph('fsid')['fsid']
    assert other['fsid'] != fsid
