"""Stored results: shown, compared, exported and imported."""

from typing import Any, Dict, List

import json

import pytest

from . import processes, runs
from .live import LiveCluster
from .provision import WIDE, Provider
from .state import ClusterState, wait_unchanged
from .waiting import wait_for

CLUSTER = WIDE.name
SECONDS = 80
LABEL = 'for results'


@pytest.fixture(scope='module')
def cluster(provider: Provider) -> LiveCluster:
    """Return a cluster with two groups by hosts."""
    found = provider.get(WIDE)
    found.ceph('perfcompare', 'group', 'set', 'left', '--hosts', 'n1,n2',
               '--note', 'the left side', '--watts', '120')  # fmt: skip
    found.ceph('perfcompare', 'group', 'set', 'right', '--hosts', 'o1,o2')
    return found


@pytest.fixture(scope='module')
def run(cluster: LiveCluster) -> str:
    """Return a completed run of both groups, an existing one if possible."""
    for one in cluster.ceph('perfcompare', 'ls')['runs']:
        if one['groups'] == ['left', 'right'] and one['state'] == 'completed':
            found: str = one['id']
            break
    else:
        found = runs.start(cluster, ['left', 'right'], *runs.SHORT,
                           '--rounds', '1')  # fmt: skip
        runs.ended(cluster, found)
    return found


def export(cluster: LiveCluster, run: str) -> str:
    """Return the export of a run."""
    return runs.export(cluster, run)


def test_run_is_listed_and_shown(cluster: LiveCluster, run: str) -> None:
    """`ls` and `show` tell what was measured, in all formats."""
    assert run in cluster.ceph('perfcompare', 'ls', fmt='')
    text = cluster.ceph('perfcompare', 'show', run, fmt='')
    for word in (run, 'left (the left side)', 'op/s', 'MB/s', '0 (cond'):
        assert word in text, word
    assert run in cluster.ceph('perfcompare', 'show', run, fmt='yaml')
    found = runs.show(cluster, run)
    workloads = found['run']['plan']['profile']['workloads']
    trials = runs.judged(found['trials'])
    assert len(trials) == 2 * 2 * len(workloads)
    for trial in trials:
        assert trial['state'] == 'ok'
        assert trial['summary']['ops_per_s'] > 0
        assert trial['summary']['latency_avg'] > 0
        probe = trial['evidence']['client']['probe']
        assert trial['summary']['percentiles'] == probe['percentiles']
        assert trial['evidence']['client'] and trial['evidence']['osds']
        assert trial['manifest']['ceph_version']


def test_compare_judges_each_workload(cluster: LiveCluster, run: str) -> None:
    """`compare` has one row per workload with a verdict and its reason."""
    found = cluster.ceph('perfcompare', 'compare', 'left', 'right')
    workloads = runs.show(cluster, run)['run']['plan']['profile']['workloads']
    rows = {row['workload']: row for row in found['rows']}
    assert set(rows) == {w['name'] for w in workloads}
    for row in rows.values():
        # one round decides nothing
        assert row['estimate']['verdict'] == 'inconclusive', row
    text = cluster.ceph('perfcompare', 'compare', 'left', 'right', fmt='')
    for word in ('left', 'right', 'ratio', 'inconclusive', 'per OSD',
                 'not available', 'the left side'):  # fmt: skip
        assert word in text, word
    assert max(map(len, text.split('\n'))) <= 120


def test_sides_can_be_swapped(cluster: LiveCluster, run: str) -> None:
    """The ratio of the candidate is inverted with the sides."""
    there = cluster.ceph('perfcompare', 'compare', 'left', 'right')
    back = cluster.ceph('perfcompare', 'compare', 'right', 'left')
    for one, other in zip(there['rows'], back['rows']):
        ratios = [row['estimate']['ratio'] for row in (one, other)]
        assert ratios[0] * ratios[1] == pytest.approx(1.0)


def rows_of(cluster: LiveCluster, *words: str) -> List[Dict[str, Any]]:
    """Return the rows of a comparison."""
    found = cluster.ceph('perfcompare', 'compare', 'left', 'right', *words)
    rows: List[Dict[str, Any]] = found['rows']
    return rows


def test_export_and_import_are_a_round_trip(
    cluster: LiveCluster, run: str
) -> None:
    """An export that is removed and imported again compares alike."""
    rows = rows_of(cluster, '--run', run)
    text = export(cluster, run)
    data = json.loads(text)
    assert data['format'].startswith('perfcompare')
    trials = runs.judged(data['content']['trials'])
    series = [t['series'] for t in trials]
    assert series and all(series), 'raw samples are in the export'
    cluster.ceph('perfcompare', 'rm', run)
    assert run not in cluster.ceph('perfcompare', 'ls', fmt='')
    path = cluster.dir / 'tmp' / 'export.json'
    path.write_text(text, encoding='utf-8')
    cluster.ceph('perfcompare', 'import', '-i', str(path))
    assert rows_of(cluster, '--run', run) == rows
    again = cluster.exec(['ceph', 'perfcompare', 'import', '-i', str(path)])
    path.unlink()
    assert again.returncode == 17 and run in again.stderr  # EEXIST


def test_changed_export_is_refused(cluster: LiveCluster, run: str) -> None:
    """An export with one changed digit is no evidence."""
    text = export(cluster, run).replace('"round":1', '"round":2', 1)
    path = cluster.dir / 'tmp' / 'changed.json'
    path.write_text(text, encoding='utf-8')
    done = cluster.exec(['ceph', 'perfcompare', 'import', '-i', str(path)])
    path.unlink()
    assert done.returncode == 22
    assert 'changed or damaged' in done.stderr


def test_control_run_measures_a_group_against_itself(
    cluster: LiveCluster,
) -> None:
    """--control makes two groups of the same OSDs, and compares them.

    `--probe-rate 0` has no percentiles, says why, and starts nothing.
    """
    tracker = ClusterState(cluster)
    before = tracker.snapshot()
    words = ('--rounds', '1', '--control', '--probe-rate', '0')
    run = runs.start(cluster, ['left'], *runs.SHORT, *words)
    runs.wait_state(cluster, run, ['trial'])
    wait_for(lambda: processes.load_of(cluster), 60, 'there is load')
    assert not processes.probes_of(cluster)
    found = runs.ended(cluster, run)
    assert (found['state'], found['reason']) == ('completed', '')
    one, other = found['plan']['groups']
    assert one['osds'] == other['osds']
    names = (one['name'], other['name'])
    rows = cluster.ceph('perfcompare', 'compare', *names)['rows']
    assert [row['workload'] for row in rows] == ['write-4K-c4']
    for trial in runs.judged(runs.show(cluster, run)['trials']):
        assert trial['summary']['percentiles'] == {}
    text = cluster.ceph('perfcompare', 'show', run, fmt='')
    assert 'not available: switched off: --probe-rate 0' in text
    wait_unchanged(tracker, before)


def test_groups_and_profiles_are_told(cluster: LiveCluster) -> None:
    """Groups, classes and profiles are listed with what they hold."""
    shown = cluster.ceph('perfcompare', 'group', 'show', 'left')
    assert shown['spec']['watts'] == 120
    assert shown['group']['hosts'] == ['n1', 'n2']
    listed = cluster.ceph('perfcompare', 'group', 'ls', fmt='')
    for word in ('left', 'right', 'x86', 'alt', 'device class'):
        assert word in listed, word
    detected = cluster.ceph('perfcompare', 'group', 'detect')
    assert [p['arch'] for p in detected['proposals']] == ['x86_64']
    assert detected['left_out'] == []
    profiles = cluster.ceph('perfcompare', 'profile', 'ls')
    assert {p['name'] for p in profiles} >= {'quick', 'smoke', 'standard'}
    text = cluster.ceph('perfcompare', 'profile', 'show', 'quick', fmt='')
    assert 'rand' in text and 'write' in text


def test_doctor_names_the_tools(cluster: LiveCluster) -> None:
    """`doctor` finds what an installation brings, numpy too."""
    text = cluster.ceph('perfcompare', 'doctor', fmt='')
    tools = {
        line.split()[0]: line.split()[1]
        for line in text.split('\n')
        if len(line.split()) > 1
    }
    assert tools['rados'] == 'ok' and tools['python3'] == 'ok'
    assert tools['numpy'] == 'ok', text
