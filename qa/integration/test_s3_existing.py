"""S3 workloads through gateways of the operator: buckets come and go."""

from typing import Any, Iterator, List

import json
import re

import pytest

from cluster.api import CommandFailed

from . import runs
from .live import LiveCluster
from .provision import SMALL, Provider, wait_answers
from .steady import steady_pools
from .waiting import wait_for

CLUSTER = SMALL.name
pytestmark = pytest.mark.slow
LOAD = (
    '--profile', 'smoke', '--rounds', '1', '--workload', 's3-mixed',
    '--workload', 's3-get', '--size', '4K', '--concurrency', '8',
    '--gateway-source', 'existing',
)  # fmt: skip

DOMAIN = 's3.test'  # which nobody resolves


@pytest.fixture(scope='module')
def cluster(provider: Provider) -> Iterator[LiveCluster]:
    """Yield a cluster with a gateway of somebody else, set for a group."""
    found = provider.get(SMALL)
    found.ceph('config', 'set', 'client.rgw', 'rgw_dns_name', DOMAIN, fmt='')
    with steady_pools(found):
        url = found.verb('rgw', 'start').split()[-1]
    words = ['radosgw-admin', 'user', 'create', '--uid=op']
    done = found.exec([*words, '--display-name=op'])
    keys = found.dir / 'tmp' / 'keys.json'
    keys.write_text(done.stdout, encoding='utf-8')
    found.ceph(
        'perfcompare', 'gateways', 'set', 'x86', '--endpoint', url,
        '-i', str(keys), fmt='',
    )  # fmt: skip
    yield found
    found.ceph('perfcompare', 'gateways', 'rm', 'x86', fmt='')
    found.verb('rgw', 'stop')
    found.ceph('config', 'rm', 'client.rgw', 'rgw_dns_name', fmt='')


def buckets(cluster: LiveCluster) -> List[str]:
    """Return the buckets of runs in the gateway's zone."""
    done = cluster.exec(['radosgw-admin', 'bucket', 'list'])
    names: List[str] = json.loads(done.stdout)
    return [n for n in names if re.match(r'perfcompare-\w+-g\d', n)]


def journal(cluster: LiveCluster) -> List[str]:
    """Return the journal's keys."""
    keys: Any = cluster.look('config-key ls')
    return [k for k in keys if k.startswith('mgr/perfcompare/journal/')]


def test_buckets_of_a_run_are_removed(cluster: LiveCluster) -> None:
    """A run uses buckets of its own, and leaves none."""
    run = runs.start(
        cluster, ['x86'], *LOAD, '--prefill', '300', '--duration', '3'
    )
    wait_for(lambda: buckets(cluster), 120, 'a bucket is there')
    assert all(b.startswith(f'perfcompare-{run}-') for b in buckets(cluster))
    runs.wait_end(cluster, 600)
    assert runs.reason(cluster, run) == 'completed: '
    for trial in runs.trials(cluster, run, 'ok'):
        assert trial['summary']['errors'] == 0
        assert trial['manifest']['gateway_urls']
        assert 'primaries_max_mean' not in trial['manifest'] or (
            trial['manifest']['primaries_max_mean'] is None
        )
    assert buckets(cluster) == [] and journal(cluster) == []


def test_buckets_can_be_hosts(cluster: LiveCluster) -> None:
    """A name that the gateway does not have ends the run before any is."""
    (found,) = cluster.ceph('perfcompare', 'gateways', 'ls')
    keys = (cluster.dir / 'tmp' / 'keys.json').read_text(encoding='utf-8')

    def name(*words: str) -> None:
        cluster.ceph(
            'perfcompare', 'gateways', 'set', 'x86', '--endpoint',
            *found['endpoints'], *words, '-i', '-', fmt='', stdin=keys,
        )  # fmt: skip

    def ended(*words: str) -> str:
        run = runs.start(cluster, ['x86'], *LOAD, '--duration', '3', *words)
        runs.wait_end(cluster, 600)
        assert buckets(cluster) == [] and journal(cluster) == []
        return run

    words = ('--s3-addressing', 'virtual', '--prefill', '100')
    with pytest.raises(CommandFailed, match='set them again with --dns-name'):
        ended(*words)
    try:
        name('--dns-name', 's3.wrong')
        reason = runs.reason(cluster, ended(*words))
        assert "is 's3.wrong' its rgw_dns_name?" in reason
        name('--dns-name', DOMAIN)
        run = ended(*words)
    finally:
        name()
    assert runs.reason(cluster, run) == 'completed: '
    for trial in runs.trials(cluster, run, 'ok'):
        assert trial['summary']['errors'] == 0
    text = cluster.ceph('perfcompare', 'show', run, fmt='')
    assert 'S3 buckets are named in hosts' in text


def test_the_next_manager_removes_them(cluster: LiveCluster) -> None:
    """Buckets of a run whose manager was killed go by the kept keys."""
    cluster.ceph(
        'config', 'set', 'mgr', 'mgr/perfcompare/resume_within', '0', fmt=''
    )
    runs.start(cluster, ['x86'], *LOAD, '--duration', '30')
    wait_for(lambda: len(buckets(cluster)) > 1, 300, 'buckets are there')
    cluster.mgr_kill()
    cluster.mgr_start('x')
    wait_answers(cluster, 300)
    wait_for(lambda: buckets(cluster) == [], 120, 'no bucket is left')
    wait_for(lambda: journal(cluster) == [], 60, 'the journal is empty')
    cluster.ceph('config', 'rm', 'mgr', 'mgr/perfcompare/resume_within',
                 fmt='')  # fmt: skip
