"""Checksums behind contents, against a server that verifies them."""

from typing import Iterator

import pathlib
import ssl

import pytest

from perfcompare.tests.data import certificates
from perfcompare.tests.fakes.s3_server import S3Server
from perfcompare.tests.worker.test_s3_operations import Many, mix
from perfcompare.worker.loads.s3 import probes
from perfcompare.worker.runtime.failure import Failure
from perfcompare.worker.wire.s3_spec import Details, Endpoint, Target

pytestmark = pytest.mark.process

SHARES = mix(put=4, overwrite=2, get=3, copy=1, stat=1, delete=1)


@pytest.fixture
def server() -> Iterator[S3Server]:
    found = S3Server()
    yield found
    found.close()


@pytest.mark.parametrize('name', ['crc32', 'crc64nvme'])
@pytest.mark.parametrize('size', [1, 700, 5000])
def test_writes_have_checksums(
    server: S3Server, name: str, size: int
) -> None:
    bench = Many(server, size, checksum=name)
    bench.fill(8)
    window = bench.load(SHARES, Details(checksum=name), 20.0, limit=300)
    assert window.judged.errors == {} and bench.loop.corrupt == 0
    for op in ('put', 'overwrite', 'get', 'copy'):
        assert window.judged.ops(op) > 0
    (found,) = server.sums
    assert found == b'x-amz-checksum-' + name.encode()
    written = window.judged.ops('put') + window.judged.ops('overwrite')
    assert server.sums[found] >= written + 8
    assert len(server.objects) == len(bench.population)


@pytest.mark.parametrize('size', [200_000, (2 << 20) + 5])
def test_large_contents_go_in_chunks(server: S3Server, size: int) -> None:
    bench = Many(server, size, checksum='crc32')
    bench.fill(4)
    window = bench.load(mix(overwrite=1, get=1), Details(), 20.0, limit=20)
    assert window.judged.errors == {} and bench.loop.corrupt == 0
    assert window.judged.ops('get') > 0 < window.judged.ops('overwrite')


def test_over_tls_chunks_are_not_signed(tmp_path: pathlib.Path) -> None:
    cert, key = certificates.make(tmp_path, 'DNS:localhost')
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(cert, key)
    trust = ssl.create_default_context(cafile=cert)
    for size in (4096, 200_000):
        server = S3Server(tls=context)
        bench = Many(server, size, checksum='crc32', context=trust)
        bench.fill(4)
        window = bench.load(
            mix(overwrite=1, get=1), Details(), 20.0, limit=20
        )
        server.close()
        assert window.judged.errors == {} and bench.loop.corrupt == 0
        assert server.sums[b'x-amz-checksum-crc32'] >= 4
        assert server.kinds == {b'STREAMING-UNSIGNED-PAYLOAD-TRAILER'}


def test_parts_have_checksums(server: S3Server) -> None:
    size = (11 << 20) + 3
    bench = Many(server, size, connections=4, checksum='crc32')
    details = Details(part_size=5 << 20, part_streams=2, checksum='crc32')
    window = bench.load(mix(multipart=1), details, 30.0, limit=5)
    assert window.judged.errors == {} and window.judged.ops('multipart') == 5
    assert server.sums[b'x-amz-checksum-crc32'] == 15
    for path, content in server.objects.items():
        assert content == bench.payload.content(int(path[-8:]), size)


def test_a_refused_checksum_has_a_name(server: S3Server) -> None:
    bench = Many(server, 4096, checksum='crc32')
    bench.payload.checksum = (  # type: ignore[method-assign]
        lambda algorithm, number, size, start=0: b'AAAAAA=='
    )
    window = bench.load(mix(put=1), Details(checksum='crc32'), 20.0, limit=4)
    assert set(window.judged.errors) == {'put 400 BadDigest'}


def probe(server: S3Server) -> None:
    endpoint = Endpoint(server.host, server.port)
    target = Target((endpoint,), 'A', 'S', 'b')
    probes.checksums(target, endpoint, '/b/p', 'crc32', False, lambda: 9.0)


def test_a_gateway_that_verifies_is_fit(server: S3Server) -> None:
    probe(server)
    assert server.objects == {}


def test_a_gateway_that_takes_wrong_ones_is_refused(server: S3Server) -> None:
    server.verifies = False
    with pytest.raises(Failure, match='does not verify CRC32: it took'):
        probe(server)
    assert server.objects == {}


def test_a_gateway_that_does_not_know_them_is_refused(
    server: S3Server,
) -> None:
    server.fault = lambda method, path, serial: (
        b'HTTP/1.1 501 X\r\nContent-Length: 35\r\n\r\n'
        b'<Error><Code>NotImplemented</Code>'
        b' '
    )
    with pytest.raises(Failure, match='takes no CRC32.*501 NotImplemented'):
        probe(server)
