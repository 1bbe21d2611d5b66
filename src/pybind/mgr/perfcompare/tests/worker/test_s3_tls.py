"""The event loop over TLS."""

from typing import Iterator, Tuple

import pathlib
import ssl
import time

import pytest

from perfcompare.tests.data import certificates
from perfcompare.tests.fakes.s3_loop import READ, Bench
from perfcompare.tests.fakes.s3_server import S3Server
from perfcompare.worker.wire.s3_spec import Weighted

pytestmark = pytest.mark.process


@pytest.fixture
def tls(tmp_path: pathlib.Path) -> Iterator[Tuple[S3Server, str]]:
    cert, key = certificates.make(tmp_path, 'DNS:localhost')
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(cert, key)
    found = S3Server(tls=context)
    yield found, cert
    found.close()


@pytest.mark.parametrize(
    'size', [1000, 4096, 16000, 16001, 65536, 130000, 300000, 5 << 20]
)
def test_content_over_tls(tls: Tuple[S3Server, str], size: int) -> None:
    server, cert = tls
    context = ssl.create_default_context(cafile=cert)
    bench = Bench(server, (Weighted(size),), verify=1.0, context=context)
    bench.fill(4)
    for number in range(4):
        stored = server.objects[b'/b/r-%08d' % number]
        assert stored == bench.payload.content(number, size)
    window, _ = bench.run(READ, 0.5 if size < 1 << 20 else 3.0)
    assert window.judged.ops('get') > 0
    assert window.judged.errors == {}


@pytest.mark.parametrize('drip', [0, 5000])
@pytest.mark.parametrize('size', [131072, 700000, (4 << 20) + 7])
def test_large_reads_end_over_tls(
    tls: Tuple[S3Server, str], size: int, drip: int
) -> None:
    server, cert = tls
    context = ssl.create_default_context(cafile=cert)
    bench = Bench(server, (Weighted(size),), connections=3, context=context)
    bench.fill(4)
    server.drip = drip
    window, _ = bench.run(READ, 1.0 if size < 1 << 20 else 3.0)
    assert window.judged.ops('get') > 5
    assert window.judged.errors == {}


def test_connections_that_wait_stay_over_tls(
    tls: Tuple[S3Server, str],
) -> None:
    # a server sends tickets after the handshake, unasked
    server, cert = tls
    context = ssl.create_default_context(cafile=cert)
    bench = Bench(server, connections=8, context=context)
    server.objects.update({b'/b/r-%08d' % i: b'x' * 4096 for i in range(8)})
    bench.population.adopt(8)
    window, _ = bench.run(READ, 2.0, rate=30.0)
    assert window.judged.errors == {}
    assert window.judged.ops() == pytest.approx(60, abs=1)
    assert bench.loop.reconnects == 0 and bench.loop.refused == ''


def test_a_connection_closed_while_it_waits_is_no_error(
    tls: Tuple[S3Server, str],
) -> None:
    server, cert = tls
    context = ssl.create_default_context(cafile=cert)
    bench = Bench(server, connections=4, context=context)
    bench.fill(4)
    server.last = server.serial + 5
    window, recorder = bench.run(READ, 1.0, rate=20.0)
    assert recorder.failed == 0 and window.judged.ops() == 20
    assert bench.loop.reconnects == 1


@pytest.mark.parametrize('trusted, name', [(False, 'localhost'), (True, 'y')])
def test_certificates_are_verified(
    tls: Tuple[S3Server, str], trusted: bool, name: str
) -> None:
    server, cert = tls
    context = ssl.create_default_context(cafile=cert if trusted else None)
    bench = Bench(server, context=context, name=name)
    assert bench.loop.connect(time.perf_counter_ns() + 10**9) == 0
    assert bench.loop.refused.startswith('certificate not trusted: ')
    assert server.objects == {}
