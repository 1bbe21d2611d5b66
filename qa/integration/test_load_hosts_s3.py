"""S3 load of several hosts as one client, by what their gateways served."""

from typing import Any, Dict, Iterator, List, NamedTuple, Sequence

import contextlib
import datetime
import json
import re
import time

import pytest

from . import agents, runs
from .agents import Agent
from .live import LiveCluster
from .provision import LOAD_HOSTS, Provider
from .steady import steady_pools
from .test_load_hosts_together import GROUPS, HOSTS, TOGETHER, clean
from .waiting import wait_for

CLUSTER = LOAD_HOSTS.name
pytestmark = pytest.mark.slow
LOAD = (
    '--profile', 'smoke', '--rounds', '1', '--size', '4K',
    '--concurrency', '8', '--gateway-source', 'existing', *TOGETHER,
)  # fmt: skip
# of the log of a gateway: begin, method, bucket and name, status, seconds
LINE = re.compile(
    r'\[([\w/:.]+) \+0000\] "(\w+) /(perfcompare-[\w.-]+)/?(\S*) HTTP/1\.1" '
    r'(\d+) .*latency=([\d.]+)s'
)


class Request(NamedTuple):
    """Hold what a gateway says of a request that it served."""

    method: str
    bucket: str
    name: str
    ended: float  # Unix time


def served(cluster: LiveCluster) -> List[Request]:
    """Return what the gateways served of all runs."""
    found = []
    for path in cluster.dir.glob('log/*rgw*.log'):
        for line in LINE.finditer(path.read_text('utf-8', 'replace')):
            begin, method, bucket, name, status, seconds = line.groups()
            at = datetime.datetime.strptime(begin, '%d/%b/%Y:%H:%M:%S.%f')
            since = at.replace(tzinfo=datetime.timezone.utc).timestamp()
            if status.startswith('2'):
                ended = since + float(seconds)
                found.append(Request(method, bucket, name, ended))
    return found


@pytest.fixture(scope='module')
def cluster(provider: Provider) -> Iterator[LiveCluster]:
    """Yield a cluster with two hosts for load, and two gateways."""
    found = provider.get(LOAD_HOSTS)
    for group in GROUPS:
        hosts = f'{group}-1,{group}-2'
        found.ceph('perfcompare', 'group', 'set', group, '--hosts', hosts)
    agents.install(found)
    known = [h['host'] for h in found.ceph('perfcompare', 'load-host', 'ls')]
    for host in HOSTS:
        if host not in known:
            agents.add(found, host)
    with steady_pools(found):
        urls = [found.verb('rgw', 'start', n).split()[-1] for n in 'ab']
    words = ['radosgw-admin', 'user', 'create', '--uid=two']
    keys = found.exec([*words, '--display-name=two']).stdout
    for group, endpoints in zip(GROUPS, (urls, urls[::-1])):
        found.ceph(
            'perfcompare', 'gateways', 'set', group, '--endpoint',
            ','.join(endpoints), '-i', '-', fmt='', stdin=keys,
        )  # fmt: skip
    yield found
    for group in GROUPS:
        found.ceph('perfcompare', 'gateways', 'rm', group, fmt='')
    for name in 'ab':
        found.verb('rgw', 'stop', name)


@contextlib.contextmanager
def agents_on(cluster: LiveCluster) -> Iterator[List[Agent]]:
    """Have an agent on each host."""
    found: List[Agent] = []
    try:
        for host in HOSTS:
            found.append(agents.start(cluster, host))
        yield found
    finally:
        for agent in found:
            agent.end()


def needed(cluster: LiveCluster, words: Sequence[str]) -> List[str]:
    """Return what the next plan says of its client."""
    chosen = [word for group in GROUPS for word in ('--group', group)]
    draft = cluster.ceph(
        'perfcompare', 'run', *chosen, *LOAD, *words, '--duration', '5',
        '--dry-run',
    )  # fmt: skip
    found = draft['preflight']['checks']
    return [c['message'] for c in found if c['id'] == 'CLIENT']


def assert_one_client(trial: Dict[str, Any]) -> None:
    """Say that a trial is of two hosts, whose figures are those of it."""
    assert trial['manifest']['client_host'] == ', '.join(HOSTS)
    client, summary = trial['evidence']['client'], trial['summary']
    assert summary['errors'] == 0 and client['corrupt'] == 0
    assert client['connections'] == 8
    told = {h['host']: h for h in client['hosts']}
    assert sorted(told) == list(HOSTS)
    rates = [h['ops_per_s'] for h in told.values()]
    assert min(rates) > 0
    assert sum(rates) == pytest.approx(summary['ops_per_s'], rel=1e-9)
    assert sum(h['share'] for h in told.values()) == pytest.approx(1.0)
    assert all(-0.1 < h['late'] < 3.0 for h in told.values())
    assert {h['errors'] for h in told.values()} == {0}
    counted = [sum(c.values()) for c in client['histograms'].values()]
    assert sum(counted) >= summary['ops']
    urls = [e['url'] for e in client['endpoints']]
    assert len(set(urls)) == 2
    print(trial['workload'], trial['group'], summary['ops'], rates)


def test_hosts_together_did_what_the_gateways_served(
    cluster: LiveCluster,
) -> None:
    """Writes, reads and a mix, on both groups, by the gateways' own logs."""
    words = ('--workload', 's3-put', '--workload', 's3-get')
    mixed = ('--workload', 's3-mixed', '--prefill', '100', '--duration', '5')
    with agents_on(cluster) as both:
        run = runs.start(cluster, GROUPS, *LOAD, *words, *mixed)
        ended = runs.ended(cluster, run)
        assert (ended['state'], ended['reason']) == ('completed', '')
        trials = runs.show(cluster, run)['trials']
        clean(cluster, run, both)
        shown = cluster.ceph('perfcompare', 'show', run, '--hosts', fmt='')
        assert 'LOAD HOST' in shown
        print(needed(cluster, words))
        assert agents.state(cluster, HOSTS[0])['refused'] == 0
    assert {t['state'] for t in trials} == {'ok'} and len(trials) >= 6
    log = [r for r in served(cluster) if run in r.bucket]
    written = [
        r
        for r in log
        if r.method == 'PUT'
        and 'new-' in r.name
        and not r.bucket.endswith('-probe')
    ]
    # no object was written by two
    assert len({(r.bucket, r.name) for r in written}) == len(written)
    created = sum(t['evidence']['client'].get('created', 0) for t in trials)
    print('new objects', created, 'and by the logs', len(written))
    assert len(written) == pytest.approx(created, rel=0.01)
    for trial in trials:
        assert_one_client(trial)
        compare(trial, log)


def compare(trial: Dict[str, Any], log: List[Request]) -> None:
    """Say that gateways served what a trial says, in its window."""
    summary, client = trial['summary'], trial['evidence']['client']
    ((begin, end),) = client['window']
    names = [r for r in log if r.name and begin <= r.ended < end]
    ops = len(names)
    print(trial['workload'], summary['ops'], 'and by the logs', ops)
    assert ops == pytest.approx(summary['ops'], rel=0.03, abs=16)


def test_a_lost_host_voids_the_trial(cluster: LiveCluster) -> None:
    """The load of the other one ends, and the block is made anew."""
    with agents_on(cluster) as (lost, kept):
        words = ('--workload', 's3-put', '--duration', '20')
        run = runs.start(cluster, GROUPS[:1], *LOAD, *words)
        runs.wait_state(cluster, run, ['trial'], 120)
        wait_for(
            lambda: len(lost.loads()) > 1 and len(kept.loads()) > 1,
            60,
            'there is load on both load hosts',
        )
        lost.end()
        print('load gone after %.2f s' % agents.gone(30, lost))
        began = time.monotonic()
        wait_for(lambda: not kept.loads(), 30, 'no load is left')
        print('load of the other after %.2f s' % (time.monotonic() - began))
        again = agents.start(cluster, lost.host)
        try:
            ended = runs.ended(cluster, run)
            assert (ended['state'], ended['reason']) == ('completed', '')
            trials = runs.show(cluster, run)['trials']
            (void,) = {t['reason'] for t in trials if t['state'] == 'void'}
            assert lost.host in void
            assert 'ok' in {t['state'] for t in trials}
            clean(cluster, run, [again, kept])
        finally:
            again.end()
    buckets = cluster.exec(['radosgw-admin', 'bucket', 'list'])
    assert run not in json.dumps(buckets.stdout)
