"""A cluster without numpy, where nobody consented to remove pools."""

from typing import Any, Dict, Iterator, List, Optional

import json
import os
import pathlib
import signal
import sys

import pytest

from . import runs
from .live import LiveCluster
from .provision import BARE, Provider, consent, wait_answers
from .state import ClusterState, differences, wait_unchanged
from .waiting import wait_for

SOURCES = pathlib.Path(__file__).parents[2] / 'src' / 'pybind' / 'mgr'
sys.path.insert(0, str(SOURCES))

from perfcompare.drivers import registry  # noqa: E402,F401  (loads)
from perfcompare.store import archive  # noqa: E402
from perfcompare.tests.data import run_data  # noqa: E402

CLUSTER = BARE.name
OTHER = '0a1b2c3d'  # a run of another cluster
OPTION = 'mgr/perfcompare/enable_pool_delete'
DELETE = 'mon_allow_pool_delete'
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
    assert OPTION + ' true' in done.stderr
    plan = cluster.exec(
        ['ceph', 'perfcompare', 'run', *PAIR, *runs.SHORT, '--dry-run']
    )
    assert plan.returncode == 0, plan.stderr
    (line,) = [
        text
        for text in plan.stdout.split('\n')
        if text.startswith('POOL_DELETE')
    ]
    assert 'REFUSE' in line and 'mon_allow_pool_delete is false' in line


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


@pytest.fixture
def consented(cluster: LiveCluster) -> Iterator[None]:
    """Consent once, for all runs."""
    consent(cluster)
    yield
    # a manager does not tell its modules of options that were removed
    cluster.ceph('config', 'set', 'mgr', OPTION, 'false', fmt='')
    cluster.ceph('config', 'rm', 'mgr', OPTION, fmt='')


def changed(cluster: LiveCluster) -> Optional[Dict[str, Any]]:
    """Return the entry of the changed option, None while it is not."""
    dump, keys = cluster.looks(
        [
            ('config dump', {}),
            ('config-key dump', {'key': 'mgr/perfcompare/journal/'}),
        ]
    )
    if not any((o['section'], o['name']) == ('mon', DELETE) for o in dump):
        return None
    entries: List[Dict[str, Any]] = [json.loads(v) for v in keys.values()]
    return next((e for e in entries if e['name'] == DELETE), None)


def test_manager_killed_while_pools_may_be_removed(
    cluster: LiveCluster, consented: None
) -> None:
    """kill -9 between change and restore: the next Manager restores it."""
    tracker = ClusterState(cluster)
    before = tracker.snapshot()
    plan = cluster.exec(
        ['ceph', 'perfcompare', 'run', *PAIR, *runs.SHORT, '--dry-run']
    )
    assert DELETE + ' is set to true for the moments' in plan.stdout
    run = runs.start(cluster, ['x86'], *runs.SHORT, '--rounds', '9')
    name = cluster.wait_active_mgr()
    pid = cluster.pid('mgr.' + name)
    assert pid is not None

    def held() -> bool:
        if changed(cluster) is None:
            return False
        os.kill(pid, signal.SIGSTOP)
        if changed(cluster) is not None:
            return True
        # restored in between: each round has such a moment
        os.kill(pid, signal.SIGCONT)
        return False

    wait_for(held, runs.LIMIT, 'the option is changed', step=0.05)
    entry = changed(cluster)
    assert entry is not None and entry['value'] == 'true'
    assert (entry['was_set'], entry['previous']) == (False, None)
    cluster.mgr_kill(name)
    assert changed(cluster) is not None
    cluster.mgr_start(name)
    wait_answers(cluster, 120)
    wait_for(lambda: changed(cluster) is None, 60, 'the option is restored')
    if runs.progress(cluster):  # it went on
        cluster.ceph('perfcompare', 'cancel', run)
    runs.ended(cluster, run)
    wait_unchanged(tracker, before)


def test_import_of_another_clusters_run(cluster: LiveCluster) -> None:
    """A run of another cluster is stored, marked and compared."""
    run = run_data.make_run(OTHER)
    records = run_data.make_records(OTHER)
    path = cluster.dir / 'tmp' / 'other.json'
    path.write_text(archive.export(run, records), encoding='utf-8')
    cluster.ceph('perfcompare', 'import', '-i', str(path))
    path.unlink()
    groups = [group.name for group in run.plan.groups]
    words = ('perfcompare', 'compare', *groups, '--run', OTHER)
    rows = cluster.ceph(*words)['rows']
    assert len(rows) == len(run.plan.profile.workloads)
    listed = cluster.ceph('perfcompare', 'ls')['runs']
    (other,) = [r for r in listed if r['id'] == OTHER]
    assert other['groups'] == groups
    assert other['origin'].startswith('import')
    assert other['fsid'] == run.fsid != cluster.ceph('fsid')['fsid']
