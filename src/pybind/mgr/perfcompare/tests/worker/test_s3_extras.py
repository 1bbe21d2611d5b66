"""Objects that gateways encrypt and tag, against a server that does."""

from typing import Iterator

import pytest

from perfcompare.tests.fakes.s3_server import S3Server
from perfcompare.tests.worker.test_s3_operations import Many, mix
from perfcompare.worker.loads.s3 import probes, removal
from perfcompare.worker.loads.s3.extras import extras
from perfcompare.worker.runtime.failure import Failure
from perfcompare.worker.wire.s3_spec import Details, Endpoint, Target

pytestmark = pytest.mark.process

SHARES = mix(
    put=4, overwrite=2, get=3, copy=2, stat=1, delete=1, range=2, list=1
)


@pytest.fixture
def server() -> Iterator[S3Server]:
    found = S3Server()
    yield found
    found.close()


@pytest.mark.parametrize('checksum', ['', 'crc32'])
def test_every_operation_has_its_key(server: S3Server, checksum: str) -> None:
    more = extras('sse-c', 3, 1)
    bench = Many(server, 5000, checksum=checksum, more=more)
    bench.fill(8)
    details = Details(checksum=checksum, range_size=100)
    window = bench.load(SHARES, details, 20.0, limit=320)
    assert window.judged.errors == {} and bench.loop.corrupt == 0
    for op in ('put', 'overwrite', 'get', 'copy', 'stat', 'range', 'delete'):
        assert window.judged.ops(op) > 0
    keys = {server.locks[path] for path in server.objects}
    assert keys == {more.reads[b'x-amz-server-side-encryption-customer-key']}
    tags = {server.tags.get(p, b'').count(b'&') for p in server.objects}
    assert tags == {2, 0}  # copies have those of their sources


def test_uploads_are_encrypted_and_tagged(server: S3Server) -> None:
    more = extras('sse-c', 10, 1)
    bench = Many(server, 11 << 20, more=more)
    details = Details(part_size=5 << 20, part_streams=2)
    window = bench.load(mix(multipart=1), details, 30.0, limit=3)
    assert window.judged.errors == {} and window.judged.ops('multipart') == 3
    for path in server.objects:
        assert server.locks[path] and server.tags[path].count(b'&') == 9


def test_without_the_key_nothing_is_read(server: S3Server) -> None:
    Many(server, 5000, more=extras('sse-c', 0, 1)).fill(2)
    bench = Many(server, 5000, more=extras('sse-c', 0, 2))
    bench.existing.count = 2
    bench.population.adopt(2)
    window = bench.load(mix(get=1), Details(), 20.0, limit=3)
    assert set(window.judged.errors) == {'get 400 InvalidArgument'}


def probe(server: S3Server, encryption: str, tags: int) -> None:
    endpoint = Endpoint(server.host, server.port)
    probes.stores(
        Target((endpoint,), 'A', 'S', 'b'), endpoint, '/b/p', encryption,
        tags, extras(encryption, tags, 1), lambda: 9.0,
    )  # fmt: skip


def test_a_gateway_that_does_it_is_fit(server: S3Server) -> None:
    probe(server, 'sse-c', 4)
    probe(server, '', 1)
    assert server.objects == {}


def test_a_gateway_that_stores_it_as_it_is_is_refused(
    server: S3Server,
) -> None:
    server.encrypts = False
    for encryption in ('sse-c', 'sse-s3'):
        with pytest.raises(Failure, match='does not say that it encrypted'):
            probe(server, encryption, 0)
    assert server.objects == {}


def test_a_gateway_that_cannot_is_refused(server: S3Server) -> None:
    server.fault = lambda method, path, serial: (
        b'HTTP/1.1 400 X\r\nContent-Length: 35\r\n\r\n'
        b'<Error><Code>InvalidRequest</Code> '
    )
    with pytest.raises(
        Failure, match='takes no object with SSE-C and 2 tags: 400 InvalidR'
    ):
        probe(server, 'sse-c', 2)


@pytest.mark.parametrize(
    'name', ['4K-sse-c-00000001', '4K-n100-p4-sse-s3-00000001']
)
def test_names_of_encrypted_populations_are_removed(name: str) -> None:
    assert removal.ours(name)
