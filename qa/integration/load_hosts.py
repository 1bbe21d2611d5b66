"""A cluster with hosts for load: agents on them, and what two of them do."""

from typing import Any, Callable, Dict, Iterator, List, Sequence

import contextlib
import time

import pytest

from . import agents, processes, runs
from .agents import Agent
from .live import LiveCluster
from .provision import LOAD_HOSTS, Provider
from .waiting import wait_for

HOSTS = ('load-1', 'load-2')
GROUPS = ('x86', 'alt')
TOGETHER = ('--load-hosts', ','.join(HOSTS))
LEASE = 15.0  # seconds
LATE = 10.0  # seconds, in which a load program is there on a busy machine


def cluster_with(provider: Provider, hosts: Sequence[str]) -> LiveCluster:
    """Return a cluster with both groups and these hosts for load."""
    found = provider.get(LOAD_HOSTS)
    for group in GROUPS:
        members = f'{group}-1,{group}-2'
        found.ceph('perfcompare', 'group', 'set', group, '--hosts', members)
    agents.install(found)
    known = [h['host'] for h in found.ceph('perfcompare', 'load-host', 'ls')]
    for host in hosts:
        if host not in known:
            agents.add(found, host)
    return found


@contextlib.contextmanager
def agents_on(
    cluster: LiveCluster,
    hosts: Sequence[str] = HOSTS,
    more: Sequence[str] = (),
) -> Iterator[List[Agent]]:
    """Have an agent that is ready on each host, with ``more`` programs."""
    found: List[Agent] = []
    try:
        for host in hosts:
            path = agents.programs(cluster, host, more=more) if more else ''
            found.append(agents.start(cluster, host, path=path))
        yield found
    finally:
        for agent in found:
            agent.end()


@contextlib.contextmanager
def agents_kept(
    cluster: LiveCluster, hosts: Sequence[str] = HOSTS
) -> Iterator[Callable[[], List[Agent]]]:
    """Yield what returns an agent that is ready on each host.

    They are kept from test to test; one that a test has ended starts anew.
    """
    found: Dict[str, Agent] = {}

    def ready() -> List[Agent]:
        for host in hosts:
            if host not in found or not found[host].lives():
                found[host] = agents.start(cluster, host)
        return list(found.values())

    try:
        yield ready
    finally:
        for agent in found.values():
            agent.end()


def assert_parts(trial: Dict[str, Any], near: float) -> List[Dict[str, Any]]:
    """Say that a trial is of both hosts; return what each did of it."""
    assert trial['manifest']['client_host'] == ', '.join(HOSTS)
    summary = trial['summary']
    told: List[Dict[str, Any]] = trial['evidence']['client']['hosts']
    assert sorted(h['host'] for h in told) == list(HOSTS)
    rates = [h['ops_per_s'] for h in told]
    assert sum(rates) == pytest.approx(summary['ops_per_s'], rel=near)
    assert sum(h['share'] for h in told) == pytest.approx(1.0)
    print(trial['workload'], trial['group'], summary['ops'], told)
    # it took this long until the load program was there
    assert all(-0.1 < h['late'] < LATE for h in told)
    return told


def lose_one(
    cluster: LiveCluster, run: str, lost: Agent, kept: Agent
) -> None:
    """End an agent in a trial, start it again, and see the run complete.

    The load of the other host ends with it, and the block is made anew.
    """
    lost.end()
    print('load gone after %.2f s' % agents.gone(LEASE + 15, lost))
    began = time.monotonic()
    wait_for(lambda: not kept.loads(), LEASE + 15, 'no load is left')
    print('load of the other after %.2f s' % (time.monotonic() - began))
    again = agents.start(cluster, lost.host)
    try:
        ended = runs.ended(cluster, run)
        assert (ended['state'], ended['reason']) == ('completed', '')
        trials = runs.show(cluster, run)['trials']
        (void,) = {t['reason'] for t in trials if t['state'] == 'void'}
        assert lost.host in void
        assert [t['state'] for t in trials].count('ok') >= 2
        assert_clean(cluster, run, [again, kept])
    finally:
        again.end()


def assert_clean(
    cluster: LiveCluster, run: str, both: Sequence[Agent]
) -> None:
    """Say that nothing of a run is left."""
    entities = [e['entity'] for e in cluster.ceph('auth', 'ls')['auth_dump']]
    assert not [e for e in entities if run in e]
    pools = cluster.ceph('osd', 'pool', 'ls')
    assert not [p for p in pools if 'perfcompare' in p]
    assert not processes.of_runs(cluster)
    for agent in both:
        assert not agent.loads()
        folder = agents.folder(cluster, agent.host)
        files = cluster.exec(['find', folder, '-type', 'f'])
        assert files.stdout.split() == []
