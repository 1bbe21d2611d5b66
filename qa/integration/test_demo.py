"""What qa/demo prints to paste, given as it stands there."""

from typing import Dict, Iterator, List, Tuple

import os
import pathlib
import re
import subprocess

import pytest

from .live import LiveCluster
from .provision import MIXED, Provider
from .state import ClusterState, wait_unchanged

CLUSTER = MIXED.name
SECONDS = 240
TOP = pathlib.Path(__file__).resolve().parents[2]
DEMO = (TOP / 'qa/demo').read_text(encoding='utf-8')
OPTION = ('mgr', 'mgr/perfcompare/allow_failure_tests')


def commands() -> List[str]:
    """Return the commands that the demo ends with, in its order."""
    text = DEMO.split('<<END\n')[-1].split('\nEND\n')[0]
    return [line.strip() for line in text.replace('\\\\\n', '').split('\n')]


def pasted(command: str, cluster: LiveCluster) -> str:
    """Give one in a shell; return what it prints."""
    environment: Dict[str, str] = {
        **os.environ,
        'PERFCOMPARE_DEMO_DIR': str(cluster.dir),
        'PERFCOMPARE_RELEASE': cluster.release,
    }
    done = subprocess.run(
        ['bash', '-c', command],
        cwd=TOP, env=environment, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, timeout=500,
    )  # fmt: skip
    print(f'$ {command}\n{done.stdout}{done.stderr}')
    assert done.returncode == 0, f'{command}: {done.stderr}'
    return done.stdout


def test_its_cluster_is_brought_up_with_the_same_options() -> None:
    """But for the dashboard, which these commands do not need."""
    words = re.findall(r'^ *mini up (.*)$', DEMO, re.M)[0].split()
    assert [w for w in words if w != '--dashboard'] == list(MIXED.options)


@pytest.fixture(scope='module')
def cluster(provider: Provider) -> Iterator[LiveCluster]:
    """Yield the demo's cluster, with its groups."""
    found = provider.get(MIXED)
    for name in ('x86', 'arm'):
        found.ceph(
            'perfcompare', 'group', 'set', name, '--device-class', name
        )
    yield found


@pytest.fixture(scope='module')
def s3(cluster: LiveCluster) -> Tuple[str, str]:
    """Do the S3 run; return its id and what was printed."""
    (command,) = (c for c in commands() if ' perfcompare run ' in c)
    text = pasted(command, cluster)
    page = cluster.ceph('perfcompare', 'ls', '--limit', '1')
    return page['runs'][0]['id'], text


def test_an_s3_run_works_as_printed(s3: Tuple[str, str]) -> None:
    """It ends with the comparison of the groups."""
    assert 's3-put-64K-c16' in s3[1] and 'percentiles' in s3[1]


def test_findings_are_shown_as_printed(
    cluster: LiveCluster, s3: Tuple[str, str]
) -> None:
    """Of any run."""
    (command,) = (c for c in commands() if '--findings' in c)
    assert 's3-put-64K' in pasted(command.replace('$run', s3[0]), cluster)


def test_a_recovery_test_works_as_printed(cluster: LiveCluster) -> None:
    """After an administrator has allowed it, with the line before it."""
    tracker = ClusterState(cluster)
    before = tracker.snapshot()
    first, second = (c for c in commands() if OPTION[1] in c or ' rec' in c)
    try:
        pasted(first, cluster)
        assert 'OSD marked down' in pasted(second, cluster)
    finally:
        cluster.ceph('config', 'rm', *OPTION, fmt='')
    wait_unchanged(tracker, before)


def test_that_is_all_that_it_prints() -> None:
    """Each line is given by a test of this file."""
    assert len(commands()) == 4
    assert all(c.startswith('qa/demo ceph ') for c in commands())
