"""Several load hosts as one client: the whole way, and what is done to it."""

from typing import Callable, Iterator, List

import errno
import time

import pytest

from cluster.api import CommandFailed

from . import agents, runs
from .agents import Agent
from .hands import Orders
from .live import LiveCluster
from .load_hosts import (
    GROUPS,
    HOSTS,
    TOGETHER,
    agents_kept,
    assert_clean,
    assert_parts,
    cluster_with,
    lose_one,
)
from .provision import LOAD_HOSTS, Provider, wait_answers
from .runs import Trial
from .waiting import wait_for

CLUSTER = LOAD_HOSTS.name
SECONDS = 260
READS = (
    '--profile', 'smoke', '--workload', 'rand', '--size', '4K',
    '--concurrency', '4', '--rounds', '1', '--duration', '6',
)  # fmt: skip


@pytest.fixture(scope='module')
def cluster(provider: Provider) -> LiveCluster:
    """Return a cluster with two hosts for load."""
    return cluster_with(provider, HOSTS)


@pytest.fixture(scope='module')
def ready(cluster: LiveCluster) -> Iterator[Callable[[], List[Agent]]]:
    """Yield what starts the agents that are not there."""
    with agents_kept(cluster) as found:
        yield found


@pytest.fixture
def both(ready: Callable[[], List[Agent]]) -> List[Agent]:
    """Return two agents that are ready."""
    return ready()


def begin(cluster: LiveCluster, both: List[Agent], seconds: int) -> str:
    """Start a run on both; return when it measures on each."""
    words = list(runs.SHORT)
    words[words.index('--duration') + 1] = str(seconds)
    run = runs.start(cluster, GROUPS[:1], *words, '--rounds', '1', *TOGETHER)
    runs.wait_state(cluster, run, ['trial'], 120)
    wait_for(
        lambda: all(agent.benches() for agent in both),
        60,
        'there is load on both load hosts',
    )
    return run


def assert_one_client(trials: List[Trial], flight: int) -> None:
    """Say that trials are those of two hosts which are one client."""
    assert {t['state'] for t in trials} == {'ok'}
    for trial in trials:
        assert trial['manifest']['client_local_osds'] == []
        assert sum(trial['evidence']['client']['concurrency']) == flight
        assert_parts(trial, 1e-6)


def test_two_hosts_are_one_client(
    cluster: LiveCluster, both: List[Agent]
) -> None:
    """What is in flight is divided, operations are added up."""
    run = begin(cluster, both, 5)
    assert agents.elsewhere(both[0]) == []
    ended = runs.ended(cluster, run)
    assert (ended['state'], ended['reason']) == ('completed', '')
    (workload,) = ended['plan']['profile']['workloads']
    assert workload['clients'] == 2
    trials = runs.show(cluster, run)['trials']
    assert_one_client(trials, 4)
    assert_clean(cluster, run, both)


def test_two_hosts_read_what_they_wrote(
    cluster: LiveCluster, both: List[Agent]
) -> None:
    """Populations are dealt out, and read where they are known."""
    run = runs.start(cluster, GROUPS[:1], *READS, *TOGETHER)
    ended = runs.ended(cluster, run)
    assert (ended['state'], ended['reason']) == ('completed', '')
    trials = runs.show(cluster, run)['trials']
    assert_one_client(trials, 4)
    shown = cluster.ceph('perfcompare', 'show', run, '--hosts', fmt='')
    assert 'LOAD HOST' in shown
    for host in HOSTS:
        assert f' {host} ' in shown
    assert_clean(cluster, run, both)


def test_a_lost_host_voids_the_trial(
    cluster: LiveCluster, both: List[Agent]
) -> None:
    """The other host's load is ended with it; the block is made anew."""
    run = begin(cluster, both, 20)
    lost, kept = both
    lose_one(cluster, run, lost, kept)


@pytest.mark.slow
def test_stop_now_reaches_both(
    cluster: LiveCluster, both: List[Agent]
) -> None:
    """Load of both is gone a moment later."""
    run = begin(cluster, both, 60)
    began = time.monotonic()
    cluster.ceph('perfcompare', 'stop', '--now')
    for agent in both:
        wait_for(lambda: not agent.loads(), 30, 'no load is left', step=0.05)
    print('load gone after %.2f s' % (time.monotonic() - began))
    assert runs.ended(cluster, run)['state'] == 'cancelled'
    assert_clean(cluster, run, both)


@pytest.mark.parametrize(
    'words, told',
    [
        (('--workload', 's3-delete'), 'comes from one load host at a time'),
        (('--concurrency', '1'), 'fewer than 2 clients on 2 load hosts'),
    ],
)
def test_what_cannot_be_divided_is_refused(
    cluster: LiveCluster, words: List[str], told: str
) -> None:
    """One line says so, and nothing begins."""
    with pytest.raises(CommandFailed, match=told) as refused:
        runs.start(cluster, GROUPS, *runs.SHORT, *words, *TOGETHER)
    assert refused.value.returncode == errno.EINVAL


@pytest.mark.slow
def test_hosts_are_chosen_by_a_label(
    cluster: LiveCluster, both: List[Agent]
) -> None:
    """Of the orchestrator's labels, as it has them at that moment."""
    words = ('perfcompare', 'run', '--group', GROUPS[0], *runs.SHORT)
    by_label = (*words, '--load-hosts', 'label:loadgen', '--dry-run')
    with pytest.raises(CommandFailed, match='which cannot be asked'):
        cluster.ceph(*by_label)
    option = 'mgr/test_orchestrator/labels'
    with Orders(cluster):
        wait_answers(cluster)
        given = ' '.join(f'{host}=loadgen' for host in HOSTS)
        cluster.ceph('config', 'set', 'mgr', option, given, fmt='')
        plan = cluster.ceph(*by_label)['plan']
        with pytest.raises(CommandFailed, match='has this label'):
            cluster.ceph(*words, '--load-hosts', 'label:other', '--dry-run')
        cluster.ceph('config', 'rm', 'mgr', option, fmt='')
    wait_answers(cluster)
    assert plan['options']['load_hosts'] == list(HOSTS)
    assert plan['client_host'] == ', '.join(HOSTS)
