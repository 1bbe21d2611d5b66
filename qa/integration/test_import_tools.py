"""Results of elbencho, vdbench and CBT, by standard input of the real CLI.

What CBT keeps is what programs of Ceph print: here, on this cluster.
"""

from typing import Any, Dict, Iterator, List, Tuple

import base64
import io
import json
import pathlib
import subprocess
import sys
import tarfile

import pytest

from .live import LiveCluster
from .provision import SMALL, Provider

SOURCES = pathlib.Path(__file__).parents[2] / 'src' / 'pybind' / 'mgr'
sys.path.insert(0, str(SOURCES))

from perfcompare.tests.data import elbencho_data, vdbench_data  # noqa: E402

CLUSTER = SMALL.name
SECONDS = 25
POOL = 'cbt-bench'
FOLDER = './results/0000000{round}/id-1234abcd/write/output.{n}.client-1'


@pytest.fixture(scope='module')
def cluster(provider: Provider) -> LiveCluster:
    """Return a cluster with the module enabled."""
    return provider.get(SMALL)


def take(
    cluster: LiveCluster, text: str, *words: str
) -> 'subprocess.CompletedProcess[str]':
    """Import what comes by standard input."""
    return cluster.exec(
        ['ceph', 'perfcompare', 'import', '-i', '-', *words], stdin=text
    )


def taken(cluster: LiveCluster, text: str, group: str) -> str:
    """Return the id of the run that a text became."""
    done = take(cluster, text, '--group', group, '--format', 'json')
    assert done.returncode == 0, done.stderr
    return str(json.loads(done.stdout)['id'])


@pytest.fixture
def two(
    cluster: LiveCluster, request: Any
) -> Iterator[Tuple[Dict[str, Any], List[Any], str]]:
    """Yield a run of a first text, rows beside a second, as text too."""
    ids = [
        taken(cluster, text, group)
        for text, group in zip(request.param, ('before', 'after'))
    ]
    words = [w for run in ids for w in ('--run', run)]
    ask = ('perfcompare', 'compare', 'before', 'after', *words)
    try:
        yield (
            cluster.ceph('perfcompare', 'show', ids[0]),
            cluster.ceph(*ask)['rows'],
            cluster.ceph(*ask, fmt=''),
        )
    finally:
        for run in ids:
            cluster.ceph('perfcompare', 'rm', run, fmt='')
    listed = {run['id'] for run in cluster.ceph('perfcompare', 'ls')['runs']}
    assert not listed & set(ids)


def phases(rate: float) -> str:
    """Return what elbencho keeps of writing and reading objects."""
    return elbencho_data.csv_of(
        {'entries/s [first]': f'{rate:g}'},
        {'operation': 'READ', 'entries/s [first]': f'{2 * rate:g}'},
        {'operation': 'SYNC'},
    )


@pytest.mark.parametrize('two', [(phases(120), phases(240))], indirect=True)
def test_phases_of_elbencho_are_workloads(two: Any) -> None:
    """Puts and reads have the operations of our own loads."""
    run, rows, text = two
    found = {t['workload']: t['summary'] for t in run['trials']}
    assert set(found) == {'s3-put-4M-c16', 's3-get-4M-c16'}
    assert found['s3-put-4M-c16']['ops_per_s'] == 120.0
    assert not found['s3-put-4M-c16']['percentiles']  # its bins are coarse
    assert {row['workload'] for row in rows} == set(found)
    for row in rows:
        assert row['estimate']['ratio'] == pytest.approx(2.0)
        # one round says nothing of how it varies
        assert row['estimate']['verdict'] == 'inconclusive'
    assert 'measured by elbencho 3.1-9, imported' in text


RUNS = tuple(
    vdbench_data.flatfile(*vdbench_data.intervals(**{'rate': rate}))
    for rate in ('2000.00', '1000.00')
)


@pytest.mark.parametrize('two', [RUNS], indirect=True)
def test_runs_of_vdbench_are_workloads(two: Any) -> None:
    """The average counts; intervals are its series."""
    run, rows, text = two
    (trial,) = run['trials']
    assert trial['workload'] == 'rd1-4K-t8'
    assert trial['summary']['ops_per_s'] == 2000.0
    assert trial['summary']['latency_avg'] == pytest.approx(0.0015)
    assert rows[0]['estimate']['ratio'] == pytest.approx(0.5)
    assert 'measured by vdbench, imported' in text


def archive(outputs: Dict[str, str]) -> str:
    """Return files as `tar -cz | base64` passes them on."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode='w:gz') as tar:
        for name, text in outputs.items():
            info = tarfile.TarInfo(name)
            info.size = len(text.encode())
            tar.addfile(info, io.BytesIO(text.encode()))
    return base64.encodebytes(out.getvalue()).decode()


@pytest.fixture(scope='module')
def outputs(cluster: LiveCluster) -> Iterator[Dict[str, str]]:
    """Yield what `rados bench` prints in two iterations."""
    cluster.ceph('osd', 'pool', 'create', POOL, '8', '8', fmt='')
    found = {}
    try:
        for i in range(2):
            done = cluster.exec(
                ['rados', '-p', POOL, '-b', '4096', '-t', '4', 'bench', '3',
                 'write', '--no-cleanup', '--run-name', f'cbt-{i}']
            )  # fmt: skip
            assert done.returncode == 0, done.stderr
            found[FOLDER.format(round=i, n=0)] = done.stdout
        yield found
    finally:
        cluster.pool_rm(POOL)


def test_an_archive_of_cbt_is_what_programs_of_ceph_printed(
    cluster: LiveCluster, outputs: Dict[str, str]
) -> None:
    """Iterations are rounds, with the rates that were printed."""
    run = taken(cluster, archive(outputs), 'here')
    try:
        trials = cluster.ceph('perfcompare', 'show', run)['trials']
        assert [t['workload'] for t in trials] == ['write-4K-c4'] * 2
        assert sorted(t['round'] for t in trials) == [1, 2]
        for trial, text in zip(
            sorted(trials, key=lambda t: t['round']), outputs.values()
        ):
            made = float(text.split('Total writes made:')[1].split()[0])
            took = float(text.split('Total time run:')[1].split()[0])
            rate = trial['summary']['ops_per_s']
            assert rate == pytest.approx(made / took)
        shown = cluster.ceph('perfcompare', 'show', run, fmt='')
        assert 'cbt' in shown
    finally:
        cluster.ceph('perfcompare', 'rm', run, fmt='')


@pytest.mark.parametrize(
    'text, words, message',
    [
        (phases(1)[:-60], (), 'truncated'),
        (RUNS[0][:-20], (), 'truncated'),
        (RUNS[0], ('--tool', 'elbencho'), 'not of elbencho'),
        (archive({'readme': 'x'}), (), 'no results of CBT'),
        ('', (), 'no file is given'),
    ],
)
def test_what_is_wrong_is_told_in_one_line(
    cluster: LiveCluster, text: str, words: Any, message: str
) -> None:
    """Nothing is stored."""
    before = cluster.ceph('perfcompare', 'ls')
    done = take(cluster, text, '--group', 'x', *words)
    assert done.returncode == 22, done.stderr
    assert len(done.stderr.strip().split('\n')) == 1
    assert message in done.stderr
    assert cluster.ceph('perfcompare', 'ls') == before
