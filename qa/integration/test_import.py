"""Files that come with -i, through the real CLI: results and profiles."""

from typing import Any, Iterator

import base64
import json
import pathlib
import subprocess

import pytest

from .live import LiveCluster
from .provision import SMALL, Provider

CLUSTER = SMALL.name
SECONDS = 15
ROUNDS = 7
ZSTD = b'\x28\xb5\x2f\xfd' + bytes(40)


@pytest.fixture(scope='module')
def cluster(provider: Provider) -> LiveCluster:
    """Return a cluster with the module enabled."""
    return provider.get(SMALL)


@pytest.fixture
def file(cluster: LiveCluster) -> Iterator[pathlib.Path]:
    """Yield the path of a file that the CLI can read."""
    path = cluster.dir / 'tmp' / 'imported'
    yield path
    path.unlink()


def rows(other: float) -> str:
    """Return rounds of an OLTP load on two products."""
    lines = ['group,round,workload,concurrency,ops_per_s,p99_ms,tool']
    for i in range(1, ROUNDS + 1):
        lines.append(f'ours,{i},oltp,64,{1000 + i},30,sysbench')
        lines.append(f'theirs,{i},oltp,64,{other + i},60,sysbench')
    return '\n'.join(lines) + '\n'


def take(
    cluster: LiveCluster, path: pathlib.Path, *words: str
) -> 'subprocess.CompletedProcess[str]':
    """Import a file."""
    return cluster.exec(
        ['ceph', 'perfcompare', 'import', '-i', str(path), *words]
    )


def test_products_of_one_file_are_compared(
    cluster: LiveCluster, file: pathlib.Path
) -> None:
    """Rounds of one file are paired, and judged; what is missing is said."""
    file.write_text(rows(500))
    done = take(cluster, file, '--label', 'oltp', '--format', 'json')
    assert done.returncode == 0, done.stderr
    run = json.loads(done.stdout)['id']
    assert take(cluster, file).returncode == 17  # it is stored already
    found: Any = cluster.ceph('perfcompare', 'compare', 'ours', 'theirs')
    assert found['paired'] and found['runs'] == [run]
    assert found['rows'][0]['estimate']['verdict'] == 'slower'
    assert any('settings' in lack for lack in found['missing'])
    text = cluster.ceph('perfcompare', 'compare', 'ours', 'theirs', fmt='')
    assert 'measured by sysbench, imported' in text
    cluster.ceph('perfcompare', 'rm', run, fmt='')


@pytest.mark.parametrize(
    'content, words, message',
    [
        (rows(500), ('--group', 'x'), 'leave out --group'),
        (rows(500), ('--tool', 'warp'), 'not of warp'),
        (rows(500), ('--tool', 'sysbench'), 'is not one of auto'),
        (
            rows(500).replace(',64,', ',many,', 1),
            (),
            "'many' is not a number",
        ),
        (base64.b64encode(ZSTD).decode(), ('--group', 'x'), 'zstd'),
    ],
)
def test_what_is_wrong_is_told_in_one_line(
    cluster: LiveCluster,
    file: pathlib.Path,
    content: str,
    words: Any,
    message: str,
) -> None:
    """Nothing is stored, and the line says what to do."""
    file.write_text(content)
    done = take(cluster, file, *words)
    assert done.returncode == 22, done.stderr
    assert len(done.stderr.strip().split('\n')) == 1
    assert message in done.stderr


OWN = '''# what the nightly backup does
rounds: 8
workloads:
- {op: write, size: 4M, concurrency: 8, duration: 20}
'''


def test_own_profile_is_set_planned_exported_and_removed(
    cluster: LiveCluster, file: pathlib.Path
) -> None:
    """A profile of a file is used by its name; a wrong one changes nothing."""

    def set_it(text: str) -> 'subprocess.CompletedProcess[str]':
        file.write_text(text)
        words = ['profile', 'set', 'backup', '-i', str(file)]
        return cluster.exec(['ceph', 'perfcompare', *words])

    done = set_it(OWN.replace('duration', 'durration'))
    assert done.returncode == 22, done.stderr
    assert len(done.stderr.strip().split('\n')) == 1
    assert "workload 1: unknown key 'durration'" in done.stderr
    words = ['ceph', 'perfcompare', 'run', '--group', 'x86,alt']
    words += ['--profile', 'backup', '--dry-run']
    assert cluster.exec(words).returncode == 2
    done = set_it(OWN)
    assert done.returncode == 0, done.stderr
    try:
        listed = cluster.ceph('perfcompare', 'profile', 'ls')
        (found,) = [p for p in listed if not p['builtin']]
        assert (found['name'], found['problem']) == ('backup', '')
        plan = cluster.ceph(*words[1:], fmt='')
        assert f'profile backup (version {found["version"]})' in plan
        assert 'write-4M-c8: 20 s' in plan
        checks = cluster.ceph('perfcompare', 'preflight', *words[3:-1])
        assert checks['checks']
        text = cluster.ceph('perfcompare', 'profile', 'export', 'backup',
                            fmt='')  # fmt: skip
        assert text.strip() == OWN.strip()
    finally:
        cluster.ceph('perfcompare', 'profile', 'rm', 'backup', fmt='')
    assert cluster.exec(words).returncode == 2
    keys = cluster.ceph('config-key', 'ls')
    assert not [key for key in keys if 'perfcompare/profile' in key]
