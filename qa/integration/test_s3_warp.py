"""S3 loads that warp makes, beside the same by our generator.

The program is not ours to bring: PERFCOMPARE_WARP names it.
"""

from typing import Any, Dict, Iterator, List, Set

import dataclasses
import json
import os
import pathlib
import shutil
import subprocess

import pytest

from . import processes, runs, tenant
from .live import LiveCluster
from .provision import WITH_WARP, Provider
from .state import ClusterState, wait_unchanged
from .test_placement import assert_only_on, observed, osds_of
from .test_s3 import assert_gone
from .waiting import wait_for

CLUSTER = WITH_WARP.name
WARP = os.environ.get('PERFCOMPARE_WARP', '')
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not WARP, reason='PERFCOMPARE_WARP names no program'),
]
GROUPS = ['x86', 'alt']
LOAD = (
    '--profile', 'smoke', '--rounds', '1', '--workload', 's3-get',
    '--workload', 's3-mixed', '--size', '4K', '--concurrency', '8',
    '--replicas', '2',
)  # fmt: skip
NAMES = {f's3-{op}-4K-c8' for op in ('get', 'mixed')}
# what only our generator can tell
OWN = ('attempts', 'compared', 'reconnects')


@pytest.fixture(scope='module')
def cluster(
    provider: Provider, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[LiveCluster]:
    """Yield a cluster that has warp and zstd."""
    folder = tmp_path_factory.mktemp('programs')
    zstd = shutil.which('zstd')
    assert zstd, 'needs zstd'
    for name, source in (('warp', WARP), ('zstd', zstd)):
        shutil.copy(source, folder / name)
    options = (*WITH_WARP.options, '--programs', str(folder))
    found = provider.get(dataclasses.replace(WITH_WARP, options=options))
    tenant.create(found)
    yield found
    tenant.remove(found)


def places(cluster: LiveCluster) -> Dict[str, Set[int]]:
    """Return the OSDs of both groups."""
    return {
        group: osds_of(cluster, {f'{group}-1', f'{group}-2'})
        for group in GROUPS
    }


def load(cluster: LiveCluster, *words: str) -> Dict[str, Any]:
    """Return a run on both groups, observed from outside."""
    found = observed(
        cluster, GROUPS, *LOAD, '--duration', '5', *words, seconds=900
    )
    trials = runs.trials(cluster, found['run'], 'ok')
    found['trials'] = [t for t in trials if t['round']]
    return found


def rates(found: Dict[str, Any]) -> Dict[str, str]:
    """Return op/s and p50 of all trials, to be read."""
    return {
        f'{t["group"]} {t["workload"]}': (
            f'{t["summary"]["ops_per_s"]:.0f} op/s, p50 '
            f'{1000 * t["summary"]["percentiles"]["p50"]:.1f} ms, '
            f'{t["summary"]["client_cores"]:.2f} cores'
        )
        for t in found['trials']
    }


def test_warp_makes_the_load(cluster: LiveCluster) -> None:
    """Its results have the form of ours; its keys are in no command line."""
    own = load(cluster)
    found = load(cluster, '--s3-client', 'warp')
    print('ours:', rates(own), 'warp:', rates(found), sep='\n')
    assert {t['workload'] for t in found['trials']} == NAMES
    same = own['trials'][0]['summary'].keys()
    for trial in found['trials']:
        summary, client = trial['summary'], trial['evidence']['client']
        assert summary.keys() == same
        assert client['tool'] == 'warp'
        assert summary['errors'] == 0 and client['errors'] == {}
        assert summary['ops_per_s'] > 0 and summary['latency_max'] > 0
        assert summary['percentiles']['p50'] > 0
        assert summary['client_cores'] > 0
        # what it cannot give is not made up
        assert summary['client_thread_cores'] is None
        assert not set(OWN) & set(client)
        assert sum(row['ops'] for row in client['endpoints']) == (
            summary['ops']
        )
        assert not client['nagle']['trap']
    witness = found['witness']
    assert_only_on(witness, places(cluster), 2)
    lines: List[str] = list(witness.commands)
    assert any('warp' in line and '--benchdata' in line for line in lines)
    assert witness.secrets
    for line in lines:
        assert not [s for s in witness.secrets if s in line]
        assert '--access-key' not in line and '--secret' not in line
    assert 'warp' in cluster.ceph('perfcompare', 'show', found['run'], fmt='')
    rows = cluster.ceph('perfcompare', 'compare', *GROUPS)['rows']
    assert {r['workload'] for r in rows} == NAMES
    assert_gone(cluster)


def warps() -> List[int]:
    """Return the pids of warp under load."""
    return [
        pid
        for pid, words in processes.command_lines()
        if os.path.basename(words[0]) == 'warp' and '--benchdata' in words
    ]


def test_a_cancel_ends_warp_and_leaves_nothing(cluster: LiveCluster) -> None:
    """Warp is gone in mid-load, and all that the run had made."""
    tracker = ClusterState(cluster)
    before = tracker.snapshot()
    run = runs.start(
        cluster, GROUPS, *LOAD, '--duration', '60', '--s3-client', 'warp'
    )
    wait_for(warps, 300, 'warp makes load', 0.2)
    cluster.ceph('perfcompare', 'cancel', run, fmt='')
    wait_for(lambda: not warps(), 20, 'warp is gone', 0.2)
    runs.wait_end(cluster)
    assert runs.reason(cluster, run).startswith('cancelled: ')
    wait_unchanged(tracker, before)
    assert processes.of_runs(cluster) == {}
    assert_gone(cluster)


@pytest.fixture
def recorded(
    cluster: LiveCluster, tmp_path: pathlib.Path
) -> Iterator[Dict[str, pathlib.Path]]:
    """Yield all forms of what warp tells: two of one load, then sums."""
    url = cluster.verb('rgw', 'start', 'w').split()[-1]
    done = cluster.exec(
        ['radosgw-admin', 'user', 'create', '--uid=w', '--display-name=w']
    )
    keys = json.loads(done.stdout)['keys'][0]
    env = dict(os.environ, WARP_ACCESS_KEY=keys['access_key'])
    env['WARP_SECRET_KEY'] = keys['secret_key']
    words = [
        WARP, 'mixed', '--host', url.split('/')[2], '--obj.size', '4KiB',
        '--objects', '100', '--concurrent', '8', '--duration', '30s',
        '--disable-sha256-payload', '--lookup', 'path', '--region',
        'us-east-1', '--noclear', '--no-color',
    ]  # fmt: skip
    try:
        for name, more in (('data', ['--full']), ('sums', [])):
            subprocess.run(
                [*words, *more, '--benchdata', str(tmp_path / name)],
                env=env, check=True, stdin=subprocess.DEVNULL,
                capture_output=True, timeout=180,
            )  # fmt: skip
    finally:
        cluster.verb('rgw', 'stop', 'w')
    raw = tmp_path / 'data.csv.zst'
    text = tmp_path / 'data.json'
    said = subprocess.check_output(
        [WARP, 'analyze', '--json', '--analyze.dur', '1s', str(raw)],
        stdin=subprocess.DEVNULL,
    )
    text.write_bytes(said[said.index(b'{') :])
    found = {'text': text}
    for name, path in (('rows', raw), ('sums', tmp_path / 'sums.json.zst')):
        found[name] = tmp_path / f'{name}.base64'
        with found[name].open('wb') as out:
            subprocess.run(['base64', str(path)], stdout=out, check=True)
    yield found


def test_what_warp_wrote_is_imported_and_compared(
    cluster: LiveCluster, recorded: Dict[str, pathlib.Path]
) -> None:
    """One load in two forms of its results is two groups that are alike."""
    made: Dict[str, str] = {}
    for group, path in recorded.items():
        inside = cluster.dir / 'tmp' / 'imported'
        shutil.copy(path, inside)
        done = cluster.exec(
            ['ceph', 'perfcompare', 'import', '-i', str(inside), '--group',
             group, '--format', 'json']
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        made[group] = json.loads(done.stdout)['id']
    words = ['--run', made['rows'], '--run', made['text']]
    (row,) = cluster.ceph('perfcompare', 'compare', 'rows', 'text', *words)[
        'rows'
    ]
    print(row)
    # another load, with sums only: a rate, and no percentiles
    (sums,) = runs.trials(cluster, made['sums'], 'ok')
    print(sums['summary'])
    assert sums['summary']['ops_per_s'] > 0
    assert not sums['summary'].get('percentiles')
    assert row['workload'].startswith('s3-mixed-4K-c8')
    # the rows are exact, the text is of whole seconds within the load
    assert 0.8 < row['estimate']['ratio'] < 1.25
    for run in made.values():
        cluster.ceph('perfcompare', 'rm', run, fmt='')
