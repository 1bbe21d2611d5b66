"""Gateways of the operator with TLS, a placement target, foreign objects."""

from typing import Any, Dict, Iterator, NamedTuple

import json
import subprocess

import pytest

from . import runs
from .live import LiveCluster
from .provision import SMALL, Provider
from .steady import steady_pools
from .test_s3_existing import buckets, journal
from .waiting import wait_for

boto3 = pytest.importorskip('boto3')

CLUSTER = SMALL.name
pytestmark = pytest.mark.slow
LOAD = (
    '--profile', 'smoke', '--rounds', '1', '--workload', 's3-mixed',
    '--workload', 's3-get', '--size', '4K', '--concurrency', '8',
    '--gateway-source', 'existing',
)  # fmt: skip
PORT = 8443


class Site(NamedTuple):
    """Hold a cluster, and a gateway of it as its operator knows it."""

    cluster: LiveCluster
    url: str
    ca: str  # path
    keys: Dict[str, str]


def admin(cluster: LiveCluster, *words: str) -> Any:
    """Run radosgw-admin; return what it says."""
    done = cluster.exec(['radosgw-admin', *words])
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout) if done.stdout.strip() else None


def placement(cluster: LiveCluster) -> None:
    """Make a placement target with pools of its own."""
    target = ['placement', 'add', '--placement-id', 'fast']
    admin(cluster, 'zonegroup', *target, '--rgw-zonegroup', 'default')
    admin(
        cluster, 'zone', *target, '--rgw-zone', 'default', '--data-pool',
        'op.fast.data', '--index-pool', 'op.fast.index', '--data-extra-pool',
        'op.fast.index', '--storage-class', 'STANDARD',
    )  # fmt: skip


@pytest.fixture(scope='module')
def site(provider: Provider) -> Iterator[Site]:
    """Yield a gateway that speaks TLS, set for the group x86."""
    cluster = provider.get(SMALL)
    # the first one makes the zone, and shows the address of the others
    with steady_pools(cluster):
        url = cluster.verb('rgw', 'start', 'p').split()[-1]
        for pool in ('op.fast.data', 'op.fast.index'):
            cluster.ceph('osd', 'pool', 'create', pool, '8', fmt='')
            cluster.ceph(
                'osd', 'pool', 'application', 'enable', pool, 'rgw', fmt=''
            )
    address = url.split('/')[2].rpartition(':')[0]
    keys = admin(
        cluster, 'user', 'create', '--uid=tls', '--display-name=tls'
    )['keys'][0]  # fmt: skip
    placement(cluster)
    cluster.verb('rgw', 'stop', 'p')
    folder = cluster.dir / 'tmp'
    crt, key = folder / 'op.crt', folder / 'op.key'
    subprocess.run(
        ['openssl', 'req', '-x509', '-newkey', 'rsa:2048', '-nodes',
         '-days', '2', '-subj', '/CN=op', '-addext',
         'subjectAltName=IP:' + address, '-keyout', str(key),
         '-out', str(crt)],
        check=True, capture_output=True,
    )  # fmt: skip
    frontend = 'ssl_port=%d ssl_certificate=%s ssl_private_key=%s'
    words = ['--frontend', frontend % (PORT, crt, key)]
    cluster.verb('rgw', 'start', 'p', *words)
    yield Site(cluster, 'https://%s:%d' % (address, PORT), str(crt), keys)
    cluster.ceph('perfcompare', 'gateways', 'rm', 'x86', fmt='')
    cluster.verb('rgw', 'stop', 'p')


def set_gateways(site: Site, **more: str) -> None:
    """Set the gateway for the group x86."""
    path = site.cluster.dir / 'tmp' / 'tls.json'
    data = {k: site.keys[k] for k in ('access_key', 'secret_key')}
    path.write_text(json.dumps({**data, **more}), encoding='utf-8')
    site.cluster.ceph(
        'perfcompare', 'gateways', 'set', 'x86', '--endpoint', site.url,
        '--placement', 'fast', '-i', str(path), fmt='',
    )  # fmt: skip


def authority(site: Site) -> str:
    """Return the CA's certificate."""
    with open(site.ca, encoding='ascii') as file:
        return file.read()


def test_a_certificate_that_nobody_vouches_for_is_refused(
    site: Site,
) -> None:
    """Without the CA the run fails by name, and leaves nothing."""
    set_gateways(site)
    site.cluster.wait_clean()
    run = runs.start(site.cluster, ['x86'], *LOAD, '--duration', '3')
    runs.wait_end(site.cluster, 300)
    reason = runs.reason(site.cluster, run)
    assert reason.startswith('failed: ') and 'certificate' in reason, reason
    assert buckets(site.cluster) == [] and journal(site.cluster) == []


def objects(cluster: LiveCluster, pool: str) -> int:
    """Return how many RADOS objects a pool has."""
    done = cluster.exec(['rados', '-p', pool, 'ls'])
    assert done.returncode == 0, done.stderr
    return len(done.stdout.splitlines())


def test_every_operation_goes_through_tls_to_the_placement(
    site: Site,
) -> None:
    """Objects are in the pools of the placement id, and leave them."""
    set_gateways(site, ca=authority(site))
    site.cluster.wait_clean()
    chosen = [
        word
        for op in ('put', 'get', 'stat', 'delete', 'mixed')
        for word in ('--workload', f's3-{op}')
    ]
    run = runs.start(
        site.cluster, ['x86'], '--profile', 'smoke', '--rounds', '1',
        *chosen, '--size', '64K', '--concurrency', '8', '--duration', '3',
        '--gateway-source', 'existing',
    )  # fmt: skip
    wait_for(
        lambda: objects(site.cluster, 'op.fast.data') > 64,
        300, 'objects are in the pool of the placement', 1.0,
    )  # fmt: skip
    runs.wait_end(site.cluster, 600)
    assert runs.reason(site.cluster, run) == 'completed: '
    found = [t for t in runs.trials(site.cluster, run, 'ok') if t['round']]
    assert len(found) == 5
    for trial in found:
        assert trial['summary']['errors'] == 0
        assert trial['summary']['percentiles']['p50'] > 0
        assert trial['manifest']['gateway_tls'] is True
        assert trial['manifest']['gateway_placement'] == 'fast'
        (endpoint,) = trial['evidence']['client']['endpoints']
        assert endpoint['url'] == site.url and endpoint['ops']
    assert buckets(site.cluster) == [] and journal(site.cluster) == []
    # objects of 64 KB leave nothing to the garbage collection
    assert objects(site.cluster, 'op.fast.data') == 0


def test_a_foreign_object_is_not_removed(site: Site) -> None:
    """A bucket that somebody put something into stays, with that."""
    set_gateways(site, ca=authority(site))
    site.cluster.wait_clean()
    run = runs.start(site.cluster, ['x86'], *LOAD, '--duration', '5')
    bucket = wait_for(
        lambda: next(
            (b for b in buckets(site.cluster) if b.endswith('-reads')), ''
        ),
        300, 'the bucket of reads is there', 1.0,
    )  # fmt: skip
    s3 = boto3.client(
        's3', endpoint_url=site.url, verify=site.ca, region_name='us-east-1',
        aws_access_key_id=site.keys['access_key'],
        aws_secret_access_key=site.keys['secret_key'],
    )  # fmt: skip
    s3.put_object(Bucket=bucket, Key='precious', Body=b'mine')
    runs.wait_end(site.cluster, 600)
    assert runs.reason(site.cluster, run) == 'completed: '
    assert buckets(site.cluster) == [bucket]
    listed = s3.list_objects_v2(Bucket=bucket)['Contents']
    names = [item['Key'] for item in listed]
    for name in names:
        s3.delete_object(Bucket=bucket, Key=name)
    s3.delete_bucket(Bucket=bucket)
    # the marker says for good whose bucket it was
    assert names == ['perfcompare-owner', 'precious']
