"""S3 load of several hosts as one client, by what their gateways served."""

from typing import Any, Dict, Iterator, List, NamedTuple, Sequence

import datetime
import json
import os
import re
import shutil

import pytest

from . import agents, runs
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
from .steady import steady_pools
from .waiting import wait_for

CLUSTER = LOAD_HOSTS.name
pytestmark = pytest.mark.slow
WARP = os.environ.get('PERFCOMPARE_WARP', '')
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
    found = cluster_with(provider, HOSTS)
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
    client, summary = trial['evidence']['client'], trial['summary']
    assert summary['errors'] == 0 and client['corrupt'] == 0
    assert client['connections'] == 8
    told = assert_parts(trial, 1e-9)
    assert min(h['ops_per_s'] for h in told) > 0
    assert {h['errors'] for h in told} == {0}
    counted = [sum(c.values()) for c in client['histograms'].values()]
    assert sum(counted) >= summary['ops']
    urls = [e['url'] for e in client['endpoints']]
    assert len(set(urls)) == 2


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
        assert_clean(cluster, run, both)
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


def test_a_rate_is_of_all_hosts(cluster: LiveCluster) -> None:
    """Each begins its part of the operations, and all together the rate."""
    words = ('--workload', 's3-put', '--rate', '60', '--duration', '12')
    with agents_on(cluster) as both:
        run = runs.start(cluster, GROUPS, *LOAD, *words)
        ended = runs.ended(cluster, run)
        assert (ended['state'], ended['reason']) == ('completed', '')
        trials = runs.show(cluster, run)['trials']
        assert_clean(cluster, run, both)
    assert {t['state'] for t in trials} == {'ok'}
    for trial in trials:
        told = assert_parts(trial, 1e-9)
        assert trial['evidence']['client']['rate'] == 60
        assert trial['summary']['ops_per_s'] == pytest.approx(60, rel=0.05)
        for host in told:
            assert host['ops_per_s'] == pytest.approx(30, rel=0.1)


@pytest.mark.skipif(not WARP, reason='PERFCOMPARE_WARP names no program')
def test_warp_on_two_hosts_is_one_client(cluster: LiveCluster) -> None:
    """Each has its part; the sum is what the gateways served meanwhile."""
    zstd = shutil.which('zstd')
    assert zstd, 'needs zstd'
    words = ('--s3-client', 'warp', '--duration', '12', '--prefill', '100')
    for op in ('s3-put', 's3-get', 's3-mixed'):
        words += ('--workload', op)
    with agents_on(cluster, more=(WARP, zstd)) as both:
        run = runs.start(cluster, GROUPS, *LOAD, *words)
        ended = runs.ended(cluster, run, 900)
        assert (ended['state'], ended['reason']) == ('completed', '')
        trials = runs.show(cluster, run)['trials']
        assert_clean(cluster, run, both)
    assert {t['state'] for t in trials} == {'ok'} and len(trials) == 12
    log = [r for r in served(cluster) if run in r.bucket]
    for trial in trials:
        summary, client = trial['summary'], trial['evidence']['client']
        assert client['tool'] == 'warp' and client['connections'] == 8
        assert summary['errors'] == 0 and summary['percentiles']['p50'] > 0
        # of several threads, which warp does not tell apart
        assert summary['client_thread_cores'] is None
        assert summary['client_cores'] > 0
        # it has to start, and to write the objects of a mix
        told = assert_parts(trial, 1e-9)
        assert min(h['ops_per_s'] for h in told) > 0
        compare(trial, log)


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
        lose_one(cluster, run, lost, kept)
    buckets = cluster.exec(['radosgw-admin', 'bucket', 'list'])
    assert run not in json.dumps(buckets.stdout)
