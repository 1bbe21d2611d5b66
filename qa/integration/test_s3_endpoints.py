"""Gateways by IPv6 and by name, plain and with TLS; signed payload."""

from typing import Any, Dict, Iterator, List, NamedTuple, Tuple

import collections
import json
import pathlib
import re
import socket
import socketserver
import subprocess
import sys
import threading

import pytest

from . import runs
from .live import LiveCluster
from .provision import SMALL, Provider
from .steady import steady_pools
from .test_s3_content import (  # noqa: F401
    S3Fill,
    common,
    gateway,
    work,
)
from .test_s3_existing import buckets, journal

QA = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(QA.parent / 'src' / 'pybind' / 'mgr'))

from perfcompare.worker.wire.s3_spec import Endpoint, Weighted  # noqa: E402
from perfcompare.workers.outcomes import WorkerFailed  # noqa: E402

CLUSTER = SMALL.name
pytestmark = pytest.mark.slow
NAME = 'ends'
OPTION = 'mgr/perfcompare/s3_sign_payload'
# as radosgw logs it: method, path, query, headers, their names, payload
REQUEST = re.compile(
    r'canonical request = (PUT|GET|HEAD|DELETE)\n(/\S*)\n(.*)\n'
    r'(?:[\w-]+:.*\n)+\n[\w;-]+\n(\S+)'
)
EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'


class Site(NamedTuple):
    """Hold a cluster and where a gateway of it listens."""

    cluster: LiveCluster
    plain: str  # by IPv6
    tls: str  # by name


def free_port(host: str) -> int:
    """Return a port that nobody uses."""
    with socket.socket(
        socket.AF_INET6 if ':' in host else socket.AF_INET
    ) as found:
        found.bind((host, 0))
        port: int = found.getsockname()[1]
    return port


@pytest.fixture(scope='module')
def site(provider: Provider) -> Iterator[Site]:
    """Yield a gateway on ::1 and, with TLS, on localhost, for group x86."""
    cluster = provider.get(SMALL)
    folder = cluster.dir / 'tmp'
    crt, key = folder / 'ends.crt', folder / 'ends.key'
    subprocess.run(
        ['openssl', 'req', '-x509', '-newkey', 'rsa:2048', '-nodes',
         '-days', '2', '-subj', '/CN=ends', '-addext',
         'subjectAltName=DNS:localhost', '-keyout', str(key),
         '-out', str(crt)],
        check=True, capture_output=True,
    )  # fmt: skip
    six, four = free_port('::1'), free_port('127.0.0.1')
    cluster.ceph(
        'config', 'set', f'client.rgw.{NAME}', 'debug_rgw', '10', fmt=''
    )
    frontend = (
        f'endpoint=[::1]:{six} ssl_endpoint=127.0.0.1:{four} '
        f'ssl_certificate={crt} ssl_private_key={key}'
    )
    with steady_pools(cluster):
        cluster.verb('rgw', 'start', NAME, '--frontend', frontend)
    done = cluster.exec(
        ['radosgw-admin', 'user', 'create', '--uid=ends',
         '--display-name=ends']
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    keys = json.loads(done.stdout)['keys'][0]
    file = folder / 'ends.json'
    file.write_text(
        json.dumps(
            {
                'access_key': keys['access_key'],
                'secret_key': keys['secret_key'],
                'ca': crt.read_text(encoding='ascii'),
            }
        ),
        encoding='utf-8',
    )
    found = Site(cluster, f'http://[::1]:{six}', f'https://localhost:{four}')
    cluster.ceph(
        'perfcompare', 'gateways', 'set', 'x86', '--endpoint', found.plain,
        '--endpoint', found.tls, '-i', str(file), fmt='',
    )  # fmt: skip
    yield found
    cluster.ceph('perfcompare', 'gateways', 'rm', 'x86', fmt='')
    cluster.verb('rgw', 'stop', NAME)


@pytest.fixture(params=['unsigned', 'signed'])
def signed(site: Site, request: pytest.FixtureRequest) -> Iterator[bool]:
    """Yield whether the content of writes is signed."""
    value = request.param == 'signed'
    site.cluster.ceph('config', 'set', 'mgr', OPTION, str(value), fmt='')
    yield value
    # a manager may keep the value of an option that is removed
    site.cluster.ceph('config', 'set', 'mgr', OPTION, 'false', fmt='')
    site.cluster.ceph('config', 'rm', 'mgr', OPTION, fmt='')


def requests(text: str) -> List[Tuple[str, str, str]]:
    """Return method, path and payload hash of what a gateway's log tells."""
    # each line of a log begins with its time where a request has no line
    return [(m[1], m[2], m[4]) for m in REQUEST.finditer(text)]


def test_an_address_of_ipv6_and_a_name_are_gateways(
    site: Site, signed: bool
) -> None:
    """Both have figures; the gateway saw the hashes that it should."""
    site.cluster.wait_clean()
    log = site.cluster.dir / 'log' / f'client.rgw.{NAME}.log'
    before = log.stat().st_size
    run = runs.start(
        site.cluster, ['x86'], '--profile', 'smoke', '--rounds', '1',
        '--workload', 's3-mixed', '--workload', 's3-get', '--size', '4K',
        '--concurrency', '8', '--duration', '3', '--gateway-source',
        'existing',
    )  # fmt: skip
    runs.wait_end(site.cluster, 600)
    assert runs.reason(site.cluster, run) == 'completed: '
    found = [t for t in runs.trials(site.cluster, run, 'ok') if t['round']]
    assert len(found) == 2
    for trial in found:
        summary, client = trial['summary'], trial['evidence']['client']
        assert summary['errors'] == 0 and summary['percentiles']['p50'] > 0
        assert trial['manifest']['gateway_urls'] == [site.plain, site.tls]
        ends = {e['url']: e['ops'] for e in client['endpoints']}
        print(trial['workload'], f'{summary["ops_per_s"]:.0f} op/s', ends)
        assert set(ends) == {site.plain, site.tls} and all(ends.values())
    with open(log, encoding='utf-8', errors='replace') as file:
        file.seek(before)
        seen = requests(file.read())
    objects = [s for s in seen if re.search(r'/(own|new)-', s[1])]
    puts = collections.Counter(
        'unsigned' if h == 'UNSIGNED-PAYLOAD' else
        'empty' if h == EMPTY else 'hash' if re.match(r'[0-9a-f]{64}\Z', h)
        else h
        for method, _, h in objects if method == 'PUT'
    )  # fmt: skip
    print(len(seen), 'requests', puts)
    assert set(puts) == {'hash' if signed else 'unsigned'}
    if signed:
        hashes = {h for method, _, h in objects if method == 'PUT'}
        # contents differ, and so do their hashes
        assert len(hashes) > 100
    assert buckets(site.cluster) == [] and journal(site.cluster) == []


class Spoiler(socketserver.ThreadingTCPServer):
    """Pass requests on to a gateway; change a byte of what is written."""

    daemon_threads = True

    def __init__(self, to: Tuple[str, int]) -> None:
        """Listen on an address of its own."""
        super().__init__(('127.0.0.1', 0), Between)
        self.to = to


class Between(socketserver.BaseRequestHandler):
    """Carry one connection."""

    server: Spoiler

    def handle(self) -> None:
        """Copy both ways until the client leaves."""
        with socket.create_connection(self.server.to) as far:
            back = threading.Thread(target=self._back, args=(far,))
            back.start()
            while True:
                piece = bytearray(self.request.recv(1 << 16))
                if not piece:
                    break
                if len(piece) >= 4096:  # heads are shorter
                    piece[-1] ^= 1
                far.sendall(piece)
            far.shutdown(socket.SHUT_WR)
            back.join()

    def _back(self, far: socket.socket) -> None:
        while True:
            piece = far.recv(1 << 16)
            if not piece:
                break
            self.request.sendall(piece)


@pytest.fixture
def spoiler(
    common: Tuple[Dict[str, Any], pathlib.Path],  # noqa: F811
) -> Iterator[Endpoint]:
    """Yield what stands between our generator and a gateway."""
    end = common[0]['endpoints'][0]
    with Spoiler((end.host, end.port)) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield Endpoint('127.0.0.1', server.server_address[1])
        server.shutdown()
        thread.join()


def test_a_gateway_refuses_content_that_was_not_signed(
    common: Tuple[Dict[str, Any], pathlib.Path],  # noqa: F811
    spoiler: Endpoint,
) -> None:
    """What changed on its way is stored unsigned, and refused signed."""
    values, folder = common
    values = {
        **values,
        'endpoints': (spoiler,),
        'sizes': (Weighted(4096),),
        'objects': 20,
    }
    (done,) = work(S3Fill(**values, prefix='plain-'), folder).populations
    assert done.objects == 20 and not done.kept
    with pytest.raises(WorkerFailed, match='20 errors.*400') as caught:
        work(S3Fill(**values, prefix='signed-', sign_payload=True), folder)
    print(caught.value)
