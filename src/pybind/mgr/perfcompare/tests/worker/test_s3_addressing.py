"""Buckets that are hosts: what is sent, and what is signed."""

from typing import Iterator

import time

import pytest

from perfcompare.tests.fakes.s3_server import S3Server
from perfcompare.tests.worker.test_s3_operations import Many, mix
from perfcompare.worker.loads.s3 import addressing, probes
from perfcompare.worker.loads.s3.bucket import Client
from perfcompare.worker.loads.s3.sigv4 import EMPTY, Signer, authorization
from perfcompare.worker.runtime.failure import Failure
from perfcompare.worker.wire.s3_spec import Details, Endpoint, Target

DOMAIN = 's3.test'
HOSTED = Endpoint('10.0.0.1', 8000, domain=DOMAIN)
NOW = 1_790_000_000.0


def target(endpoint: Endpoint) -> Target:
    return Target((endpoint,), 'AK', 'SK', 'b')


@pytest.mark.parametrize(
    'endpoint, path, host, sent',
    [
        (HOSTED, '/b/own-1', 'b.s3.test:8000', '/own-1'),
        (HOSTED, '/b', 'b.s3.test:8000', '/'),
        (HOSTED, '/', '10.0.0.1:8000', '/'),
        (Endpoint('gw', 443, True, DOMAIN), '/b/x/1', 'b.s3.test', '/x/1'),
        (Endpoint('gw', 80), '/b/own-1', 'gw', '/b/own-1'),
        (Endpoint('::1', 81), '/b', '[::1]:81', '/b'),
    ],
)
def test_the_bucket_is_in_the_host_or_in_the_path(
    endpoint: Endpoint, path: str, host: str, sent: str
) -> None:
    assert addressing.place(endpoint, path) == (host, sent)


def test_without_a_domain_nothing_is_added() -> None:
    plain = Endpoint('gw', 80)
    assert type(addressing.signer(target(plain), plain)) is Signer
    assert plain.named('b') == 'gw' and HOSTED.named('b') == 'b.s3.test'


def test_what_is_sent_is_what_is_signed() -> None:
    signer = addressing.signer(target(HOSTED), HOSTED)
    signer.tick(NOW)
    for bucket in ('b', 'b-b1'):
        host = f'{bucket}.s3.test:8000'
        head = signer.head(b'GET', f'/{bucket}/own-1'.encode()).decode()
        assert head.startswith('GET /own-1 HTTP/1.1\r\n')
        assert f'\r\nHost: {host}\r\n' in head
        stamp = time.strftime('%Y%m%dT%H%M%SZ', time.gmtime(NOW))
        wanted = authorization(
            'AK',
            'SK',
            'us-east-1',
            's3',
            'GET',
            '/own-1',
            '',
            {
                'host': host,
                'x-amz-content-sha256': EMPTY.decode(),
                'x-amz-date': stamp,
            },
            EMPTY.decode(),
        )
        assert wanted in head


def test_signatures_follow_the_clock() -> None:
    signer = addressing.signer(target(HOSTED), HOSTED)
    signer.tick(NOW)
    first = signer.head(b'GET', b'/b/own-1')
    signer.tick(NOW + 86400)
    assert signer.head(b'GET', b'/b/own-1') != first


@pytest.fixture
def server() -> Iterator[S3Server]:
    found = S3Server()
    found.domain = DOMAIN.encode()
    yield found
    found.close()


@pytest.mark.process
def test_every_operation_finds_its_objects(server: S3Server) -> None:
    endpoint = Endpoint(server.host, server.port, domain=DOMAIN)
    bench = Many(
        server,
        8192,
        spread=(3, 1),
        signer=addressing.signer(target(endpoint), endpoint),
    )
    bench.fill(30)
    shares = mix(
        put=2, get=1, stat=1, delete=1, range=1, overwrite=1, list=1, copy=1
    )
    window = bench.load(shares, Details(range_size=1000, list_keys=5))
    assert not window.judged.errors and window.inside.ops()
    buckets = {path.split(b'/')[1] for path in server.objects}
    assert buckets == {b'b', b'b-b1', b'b-b2'}


@pytest.mark.process
def test_a_gateway_without_that_name_is_told(server: S3Server) -> None:
    endpoint = Endpoint(server.host, server.port, domain=DOMAIN)
    client = Client(target(endpoint), endpoint)
    server.fault = lambda method, path, serial: (
        _said(b'404 X', b'<BucketName>b</BucketName>')
        if path == b'/b?location='
        else None
    )
    probes.hosted(client, endpoint, 'b')  # it means the same bucket
    for status, text in (
        (b'404 X', b'<BucketName>b.s3.test</BucketName>'),
        (b'200 OK', b'<ListAllMyBucketsResult/>'),
        (b'403 X', b'<Code>SignatureDoesNotMatch</Code>'),
    ):
        server.fault = lambda method, path, serial, s=status, t=text: _said(  # type: ignore[misc]
            s, t
        )
        with pytest.raises(Failure, match='rgw_dns_name'):
            probes.hosted(client, endpoint, 'b')
    client.close()


def _said(status: bytes, text: bytes) -> bytes:
    return b'HTTP/1.1 %b\r\nContent-Length: %d\r\n\r\n%b' % (
        status,
        len(text),
        text,
    )
