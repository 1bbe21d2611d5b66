"""RBD load of several hosts as one client, by what the OSDs counted."""

from typing import Iterator, List

import errno

import pytest

from cluster.api import CommandFailed

from . import agents, runs
from .agents import Agent
from .live import LiveCluster
from .load_hosts import (
    GROUPS,
    HOSTS,
    TOGETHER,
    agents_on,
    assert_clean,
    assert_parts,
    cluster_with,
    lose_one,
)
from .provision import LOAD_HOSTS, Provider
from .waiting import wait_for

CLUSTER = LOAD_HOSTS.name
SECONDS = 300
LOAD = (
    '--profile', 'smoke', '--workload', 'rbd-randrw', '--size', '4K',
    '--images', '4', '--concurrency', '8', '--rounds', '1', *TOGETHER,
)  # fmt: skip


@pytest.fixture(scope='module')
def cluster(provider: Provider) -> LiveCluster:
    """Return a cluster with two hosts for load."""
    return cluster_with(provider, HOSTS)


@pytest.fixture
def both(cluster: LiveCluster) -> Iterator[List[Agent]]:
    """Yield two agents that are ready."""
    with agents_on(cluster) as found:
        yield found


def test_images_are_loaded_by_two_hosts(
    cluster: LiveCluster, both: List[Agent]
) -> None:
    """Each loads its images; operations are those that OSDs counted."""
    run = runs.start(cluster, GROUPS[:1], *LOAD, '--duration', '10')
    runs.wait_end(cluster, 900)  # images are written in full first
    ended = runs.ended(cluster, run)
    assert (ended['state'], ended['reason']) == ('completed', '')
    trials = runs.show(cluster, run)['trials']
    assert {t['state'] for t in trials} == {'ok'}
    counted = {
        table['group']: sum(row['ops_per_s'] for row in table['rows'])
        for table in cluster.ceph('perfcompare', 'show', run, '--osds')[
            'tables'
        ]
    }
    for trial in trials:
        assert_parts(trial, 1e-6)
        client = trial['evidence']['client']
        assert client['images'] == [f'image-{n}' for n in range(4)]
        assert client['concurrency'] == [2, 2, 2, 2]
        assert trial['summary']['errors'] == 0
        operations = client['operations']
        assert sorted(operations) == ['read', 'write']
        assert all(
            row['percentiles']['p50'] > 0 for row in operations.values()
        )
        if trial['round']:
            print(trial['group'], trial['summary']['ops_per_s'], counted)
            assert counted[trial['group']] == pytest.approx(
                trial['summary']['ops_per_s'], rel=0.3
            )
    assert_clean(cluster, run, both)


@pytest.mark.slow
def test_rates_are_those_of_all_hosts(
    cluster: LiveCluster, both: List[Agent]
) -> None:
    """Each begins its part of the operations, and all together the rate."""
    load = [word.replace('randrw', 'randread') for word in LOAD]
    words = ('--curve', '20/s,40/s,60/s,80/s', '--duration', '6')
    run = runs.start(cluster, GROUPS, *load, *words, '--slo', 'p50=1s')
    runs.wait_end(cluster, 900)
    ended = runs.ended(cluster, run)
    assert (ended['state'], ended['reason']) == ('completed', '')
    trials = [t for t in runs.show(cluster, run)['trials'] if t['round']]
    assert {t['state'] for t in trials} == {'ok'} and len(trials) == 8
    for trial in trials:
        rate = float(trial['workload'].rpartition('-rate')[2])
        assert trial['summary']['ops_per_s'] == pytest.approx(rate, rel=0.05)
        for host in assert_parts(trial, 1e-6):
            assert host['ops_per_s'] == pytest.approx(rate / 2, rel=0.1)
    assert_clean(cluster, run, both)


@pytest.mark.slow
def test_a_lost_host_voids_the_trial(
    cluster: LiveCluster, both: List[Agent]
) -> None:
    """The other host's load ends with it; the block is made anew."""
    run = runs.start(cluster, GROUPS[:1], *LOAD, '--duration', '20')

    def measures() -> bool:
        found = runs.progress(cluster) or {}
        in_trial = found.get('state') == 'trial' and found.get('round') == 1
        loaded = all(agent.loads() for agent in both)
        return in_trial and bool(found.get('ops_per_s')) and loaded

    wait_for(measures, 600, 'both load hosts measure', 0.2)
    lost, kept = both
    lose_one(cluster, run, lost, kept)


@pytest.mark.parametrize(
    'words, told',
    [
        (('--image-size', '64M', '--images', '3'), 'give --images 4, or no'),
        (('--rbd-client', 'bench'), "only the Manager's host makes"),
    ],
)
def test_what_cannot_be_shared_is_refused(
    cluster: LiveCluster, words: List[str], told: str
) -> None:
    """One line says so, and nothing begins."""
    load = [word.replace('randrw', 'randread') for word in LOAD]
    with pytest.raises(CommandFailed, match=told) as refused:
        runs.start(cluster, GROUPS, *load, *words)
    assert refused.value.returncode == errno.EINVAL


def test_a_host_without_fio_is_named(cluster: LiveCluster) -> None:
    """Before anything begins, with what to install."""
    host = HOSTS[0]
    path = agents.programs(cluster, host, without=['fio'])
    agent = agents.start(cluster, host, path=path)
    try:
        with pytest.raises(CommandFailed, match=f'not installed on {host}'):
            runs.start(
                cluster, GROUPS[:1], '--profile', 'smoke', '--workload',
                'rbd-randread', '--load-hosts', host,
            )  # fmt: skip
    finally:
        agent.end()
