"""Our S3 generator at extremes of a real radosgw: hangs, numbers, sizes."""

from typing import Any, Dict, Iterator, NamedTuple

import contextlib
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess

import pytest

from . import runs
from .live import LiveCluster
from .provision import SMALL, Provider
from .steady import steady_pools
from .test_s3_content import work

from perfcompare.model.outcome import Outcome  # isort:skip
from perfcompare.worker.wire.jobs import Access  # isort:skip
from perfcompare.worker.wire.s3_jobs import S3Fill, S3Trial  # isort:skip
from perfcompare.worker.wire.s3_spec import Endpoint, Weighted  # isort:skip

CLUSTER = SMALL.name
pytestmark = pytest.mark.slow
READ, WRITE = (0.0, 1.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)
MIB = 1 << 20


class Place(NamedTuple):
    """Hold a cluster, where its gateway listens, and a folder for work."""

    cluster: LiveCluster
    port: int
    tls: int  # another port
    folder: pathlib.Path

    def job(self, *hosts: str, **more: Any) -> Dict[str, Any]:
        """Return what jobs have in common."""
        return {
            'access': Access('/dev/null', '/dev/null', 'client.x', 'x'),
            'endpoints': tuple(Endpoint(h, self.port) for h in hosts),
            'credentials': str(self.folder / 'keys'),
            'bucket': 'perfcompare-endpoints',
            'sizes': (Weighted(4096),),
            'concurrency': 8,
            'deadline': 110.0,
            'prefix': 'r-',
            **more,
        }

    def write(self, *hosts: str, **more: Any) -> Outcome:
        """Have objects written for some seconds."""
        values: Dict[str, Any] = {
            'mix': WRITE,
            'duration': 3.0,
            'write_prefix': 'w-',
            'max_objects': 100_000,
            **more,
        }
        return work(S3Trial(**self.job(*hosts, **values)), self.folder)


def free_port() -> int:
    """Return a port that nobody has now."""
    with socket.socket() as probe:
        probe.bind(('127.0.0.1', 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def gateway(cluster: LiveCluster, name: str, frontend: str) -> Iterator[None]:
    """Have a production gateway with further options of its frontend."""
    cluster.verb('rgw', 'start', name, '--frontend', frontend)
    try:
        yield
    finally:
        cluster.verb('rgw', 'stop', name)


@pytest.fixture(scope='module')
def place(
    provider: Provider, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Place]:
    """Yield a gateway that listens on the loopback, by both protocols."""
    cluster = provider.get(SMALL)
    folder = tmp_path_factory.mktemp('endpoints')
    port, tls = free_port(), free_port()
    crt, key = folder / 'crt', cluster.dir / 'tmp' / 'e.key'
    subprocess.run(
        ['openssl', 'req', '-x509', '-newkey', 'rsa:2048', '-nodes',
         '-days', '2', '-subj', '/CN=e', '-addext',
         'subjectAltName=IP:::1', '-keyout', str(key), '-out', str(crt)],
        check=True, capture_output=True,
    )  # fmt: skip
    shutil.copy(crt, key.with_suffix('.crt'))
    frontend = (
        f'endpoint=127.0.0.1:{port} endpoint=[::1]:{port} '
        f'ssl_endpoint=[::1]:{tls} ssl_private_key={key} '
        f'ssl_certificate={key.with_suffix(".crt")}'
    )
    with contextlib.ExitStack() as stack:
        with steady_pools(cluster):
            stack.enter_context(gateway(cluster, 'e', frontend))
        made = cluster.exec(
            ['radosgw-admin', 'user', 'create', '--uid', 'endpoints',
             '--display-name', 'endpoints']
        )  # fmt: skip
        assert made.returncode == 0, made.stderr
        keys = json.loads(made.stdout)['keys'][0]
        path = folder / 'keys'
        path.touch(0o600)
        path.write_text(
            json.dumps({k: keys[k] for k in ('access_key', 'secret_key')})
        )
        yield Place(cluster, port, tls, folder)


def test_connections_wait_for_their_turn_through_tls(place: Place) -> None:
    """At a rate most connections wait, which TLS tickets must not end."""
    outcome = place.write(
        endpoints=(Endpoint('::1', place.tls, True),),
        ca_file=str(place.folder / 'crt'),
        rate=20.0,
    )
    assert outcome.summary is not None
    assert outcome.summary.errors == 0
    assert 58 <= outcome.summary.ops <= 61
    assert outcome.evidence['reconnects'] == 0
    assert outcome.evidence['refused'] == ''


def test_a_gateway_that_waits_for_acks_is_told(place: Place) -> None:
    """Without tcp_nodelay small reads wait 40 ms, which is found."""
    port = free_port()
    frontend = 'tcp_nodelay=0 endpoint=127.0.0.1:%d' % port
    with gateway(place.cluster, 'slow', frontend):
        outcome = place._replace(port=port).write('127.0.0.1')
    probe = outcome.evidence['nagle']
    assert probe['trap'] and probe['get'] > probe['head'] + 0.03
    assert any('tcp_nodelay=1' in note for note in outcome.notes)


@pytest.mark.parametrize('rate', [0.0, 20.0])
def test_a_gateway_that_hangs_leaves_errors(
    place: Place, rate: float
) -> None:
    """What one of two gateways never answered is not left out."""
    port = free_port()
    with gateway(place.cluster, 'hung', 'endpoint=127.0.0.1:%d' % port):
        values = place.job('127.0.0.1')
        values['endpoints'] += (Endpoint('127.0.0.1', port),)
        work(S3Fill(**values, objects=64), place.folder)
        pid = place.cluster.pid('rgw.hung')
        assert pid is not None
        os.kill(pid, signal.SIGSTOP)
        try:
            outcome = work(
                S3Trial(
                    **values, objects=64, mix=READ, duration=3.0, rate=rate
                ),
                place.folder,
            )
        finally:
            os.kill(pid, signal.SIGCONT)
    assert outcome.summary is not None
    errors = outcome.evidence['errors']
    print(errors)
    assert errors['get unfinished'] == 4


def root(cluster: LiveCluster) -> str:
    """Return what production gateways read first: names, times, sizes."""
    each = 'for o in $(rados -p .rgw.root ls | sort); do rados -p .rgw.root'
    done = cluster.exec(['sh', '-ec', each + ' stat $o; done'])
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_two_thousand_operations_in_flight(place: Place) -> None:
    """The most that a profile may ask for, through one private gateway.

    Those of production beside it are not touched.
    """
    before = root(place.cluster)
    assert 'zonegroup' in before
    run = runs.start(
        place.cluster, ['x86'], '--profile', 'smoke', '--rounds', '1',
        '--workload', 's3-put', '--workload', 's3-get', '--size', '4K',
        '--concurrency', '2000', '--duration', '5', '--replicas', '2',
    )  # fmt: skip
    runs.wait_end(place.cluster, 500)
    assert runs.reason(place.cluster, run) == 'completed: '
    found = [t for t in runs.trials(place.cluster, run, 'ok') if t['round']]
    assert len(found) == 2
    for trial in found:
        summary, client = trial['summary'], trial['evidence']['client']
        print(trial['workload'], summary)
        assert client['connections'] == 2000
        assert summary['errors'] == 0 and summary['ops'] > 1000
    assert root(place.cluster) == before


def test_the_largest_objects(place: Place) -> None:
    """Objects of 256 MiB are written, read and compared."""
    sizes = (Weighted(256 * MIB),)
    values = place.job(
        '127.0.0.1', sizes=sizes, concurrency=2, prefix='big-', objects=2
    )
    work(S3Fill(**values), place.folder)
    outcome = work(
        S3Trial(**values, mix=READ, duration=6.0, verify=0.5), place.folder
    )
    assert outcome.summary is not None
    print(outcome.summary, outcome.evidence['errors'])
    assert outcome.summary.errors == 0 and outcome.summary.ops
    assert outcome.evidence['corrupt'] == 0
