"""The sequence of the Reef study: one node stops, a second one, all back."""

from typing import Any, Callable, Iterator, List

import json
import re

import pytest

from cluster.api import CommandFailed

from . import runs
from .hands import Hands, Orders
from .live import LiveCluster
from .provision import QUADS, Provider, wait_answers
from .state import ClusterState
from .test_recovery import (  # noqa: F401
    READS,
    SHORT_LOGS,
    Test,
    check_client,
    check_marks,
    completed,
    steps,
    unchanged,
)

CLUSTER = QUADS.name
pytestmark = pytest.mark.slow
ALLOWED = 'mgr/perfcompare/allow_failure_tests'
TITLES = [
    'no failure', 'first node stopped', 'second node stopped', 'nodes back',
    'recovered',
]  # fmt: skip
REPORTED = ('--hold', '10')  # OSDs tell of their PGs every five seconds
LOADS = {'read': 'rand', 'write': 'write'}
RATE = re.compile(r'([\d,.]+) op/s')


@pytest.fixture(scope='module')
def cluster(provider: Provider) -> Iterator[LiveCluster]:
    """Yield a cluster whose groups have four hosts each."""
    found = provider.get(QUADS)
    for name, value in SHORT_LOGS.items():
        found.ceph('config', 'set', 'osd', name, value, fmt='')
    found.ceph('config', 'set', 'mgr', ALLOWED, 'true', fmt='')
    wait_answers(found)
    yield found


@pytest.fixture
def code(cluster: LiveCluster) -> Iterator[Callable[[int, int], str]]:
    """Yield what makes erasure codes of one chunk for each host."""
    words = ('osd', 'erasure-code-profile')
    made: List[str] = []

    def make(k: int, m: int) -> str:
        name = f'hosts-{k}-{m}'
        cluster.ceph(
            *words, 'set', name, f'k={k}', f'm={m}', 'plugin=jerasure',
            'crush-failure-domain=host', fmt='',
        )  # fmt: skip
        made.append(name)
        return name

    yield make
    for name in made:
        cluster.ceph(*words, 'rm', name, fmt='')


def test_two_nodes_stop_one_after_the_other(
    cluster: LiveCluster, unchanged: ClusterState  # noqa: F811
) -> None:
    """Four copies serve I/O without two hosts; all phases are timed."""
    with Orders(cluster) as orders:
        wait_answers(cluster)
        test = completed(
            cluster, 'host-stop', '--nodes', '2', '--replicas', '4'
        )
        assert [word for word, _ in orders.done] == (
            ['stop', 'stop', 'start', 'start'] * 2
        )
    for group in test['groups']:
        titles = [s['title'] for s in test['steps'] if s['group'] == group]
        assert titles == TITLES
    check_client(test, *LOADS.values())
    for step in steps(test, 'stop'):
        check_marks(step, 't0', 't1', 't2')
    for step in steps(test, 'start'):
        check_marks(step, 't0', 't1', 't2', 't5')
    for figure, load in LOADS.items():
        check_table(cluster, test, figure, load + '_ops_per_s')


def check_table(
    cluster: LiveCluster, test: Test, figure: str, key: str
) -> None:
    """Assert that the phase table has what was measured of one load."""
    words = ('perfcompare', 'recovery')
    exported = json.loads(cluster.ceph(*words, 'export', test['id'], fmt=''))
    rows: List[Any] = [
        row
        for row in exported['comparison']['client']
        if row['figure'] == figure
    ]
    assert [row['title'] for row in rows] == TITLES
    text = cluster.ceph(*words, 'compare', test['id'], fmt='')
    lines = text[text.index('CLIENTS') :].splitlines()
    first = [line.startswith(figure + '  ') for line in lines].index(True)
    for row, line in zip(rows, lines[first:]):
        raw = [
            step['client'][key]
            for group in test['groups']
            for step in test['steps']
            if (step['group'], step['title']) == (group, row['title'])
        ]
        assert [side['median'] for side in row['sides']] == raw
        assert row['difference'] == pytest.approx(raw[1] / raw[0] - 1)
        printed = [float(n.replace(',', '')) for n in RATE.findall(line)]
        assert row['title'] in line
        assert printed == pytest.approx(raw, rel=0.01), line
        assert format(row['difference'], '+.0%') in line


def test_two_nodes_of_three_copies_are_refused(cluster: LiveCluster) -> None:
    """Three copies serve no I/O without two hosts: the plan says so."""
    with pytest.raises(CommandFailed) as info:
        cluster.ceph(
            'perfcompare', 'recovery', 'run', '--group', 'x86', '--scenario',
            'host-stop', '--nodes', '2', '--replicas', '3', *runs.CONSENT,
        )  # fmt: skip
    assert info.value.returncode == 22
    assert 'can lose 1' in info.value.stderr


@pytest.mark.parametrize('kill', (True, False), ids=('kill', 'stop'))
def test_erasure_coded_pool_survives_a_stopped_host(
    cluster: LiveCluster,
    unchanged: ClusterState,  # noqa: F811
    code: Callable[[int, int], str],
    kill: bool,
) -> None:
    """Four chunks on four hosts serve I/O while one of them is away."""
    with Hands(cluster, kill) as hands:
        test = completed(
            cluster, 'host-stop', '--stop-by', 'operator', '--ec-profile',
            code(2, 2), *READS, *REPORTED,
        )  # fmt: skip
    assert [word for word, _ in hands.done] == ['stopped', 'started'] * 2
    check_client(test, 'rand')
    how = 'connection refused' if kill else 'marked itself down'
    for step in steps(test, 'stop'):
        check_marks(step, 't1', 't2')
        (found,) = step['timeline']['detections']
        assert found['kind'] == how
        assert step['timeline']['size']['degraded'] > 0
    for step in steps(test, 'start'):
        check_marks(step, 't1', 't2', 't5')


def test_code_of_one_coding_chunk_loses_no_second_host(
    cluster: LiveCluster, code: Callable[[int, int], str]
) -> None:
    """A code 2+1 serves I/O with two of three: its min_size is k."""
    with pytest.raises(CommandFailed) as info:
        cluster.ceph(
            'perfcompare', 'recovery', 'run', '--group', 'x86', '--scenario',
            'host-stop', '--nodes', '2', '--ec-profile', code(2, 1),
            *runs.CONSENT,
        )  # fmt: skip
    assert info.value.returncode == 22
    assert 'can lose 1' in info.value.stderr
