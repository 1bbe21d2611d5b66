"""Checksums of windows without looking at them; contents in chunks."""

from typing import Tuple

import hashlib
import itertools
import random
import zlib

import pytest

from perfcompare.tests.fakes import aws_chunked
from perfcompare.worker.loads.s3 import checksums
from perfcompare.worker.loads.s3.checksums import ALGORITHMS, Windows
from perfcompare.worker.loads.s3.chunks import CHUNK, Form
from perfcompare.worker.loads.s3.keys import Key
from perfcompare.worker.loads.s3.payload import BLOCK, STEPS, Payload
from perfcompare.worker.loads.s3.sigv4 import EMPTY, Signer

PAYLOAD = Payload(7)


def test_the_check_value_of_the_catalogue() -> None:
    assert checksums.crc64nvme(b'123456789') == 0xAE8B14860A799888
    assert checksums.crc64nvme(b'') == 0
    rest = checksums.crc64nvme(b'6789', checksums.crc64nvme(b'12345'))
    assert rest == 0xAE8B14860A799888


@pytest.mark.parametrize('name', sorted(ALGORITHMS))
def test_windows_have_the_checksum_of_their_bytes(name: str) -> None:
    block = random.Random(3).getrandbits(8 * 65536).to_bytes(65536, 'little')
    windows = Windows(ALGORITHMS[name], block)
    spans = [
        (0, 1), (0, 65536), (4096, 8192), (5, 3), (61440, 8192), (0, 0),
        (100, 200_000), (40960, 65536 * 3 + 7), (12288, 4095),
    ]  # fmt: skip
    for start, size in spans:
        data = (block * 6)[start : start + size]
        assert windows.of(start, size) == ALGORITHMS[name].update(data, 0)


def test_objects_larger_than_the_block_and_parts_of_them() -> None:
    algorithm = ALGORITHMS['crc32']
    for number, size, start in itertools.product(
        (0, 3, STEPS + 5), (1, 4096, BLOCK, 9_000_001), (0, 5 << 20)
    ):
        value = 0
        for piece in PAYLOAD.pieces(number, size, start):
            value = zlib.crc32(piece, value)
        found = PAYLOAD.checksum(algorithm, number, size, start)
        assert found == algorithm.text(value)


def sent(form: Form, size: int) -> Tuple[bytes, bytes]:
    """Return head and body of a request."""
    signer = Signer('A', 'S', 'us-east-1', 'x')
    signer.tick(1700000000.0)
    key = Key(b'/b/o', 3, size)
    headers, plain = form.headers(size)
    head = signer.full(b'PUT', b'/b/o', b'', headers, plain, form.payload)
    value = PAYLOAD.checksum(form.algorithm, 3, size)
    pieces = form.pieces(PAYLOAD, key, head, signer, value)
    found, _, body = b''.join(pieces).partition(b'\r\n\r\n')
    return found, body


@pytest.mark.parametrize('signed', [False, True])
@pytest.mark.parametrize('size', [1, 4096, CHUNK - 1, CHUNK, 2 * CHUNK + 9])
def test_chunks_are_what_a_server_expects(size: int, signed: bool) -> None:
    form = Form(ALGORITHMS['crc32'], signed)
    head, body = sent(form, size)
    headers = {
        name.lower(): value
        for name, _, value in (
            line.partition(b': ') for line in head.split(b'\r\n')[1:]
        )
    }
    assert int(headers[b'content-length']) == len(body) == form.length(size)
    assert headers[b'content-encoding'] == b'aws-chunked'
    names = headers[b'authorization'].split(b'SignedHeaders=')[1]
    assert b';x-amz-trailer,' in names and b'content-encoding' in names
    content, name = aws_chunked.decode(body, headers)
    assert content == PAYLOAD.content(3, size)
    assert name == b'x-amz-checksum-crc32'


def test_signatures_of_the_s3_manual() -> None:
    """The example of an upload in chunks with a trailing header."""
    signer = Signer(
        'AKIAIOSFODNN7EXAMPLE',
        'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
        'us-east-1',
        's3.amazonaws.com',
    )
    signer.tick(1369353600.0)  # 20130524T000000Z
    found = [
        b'106e2a8a18243abcf37539882f36619c00e2dfc72633413f02d3b74544bfeb8e'
    ]
    for size in (65536, 1024):
        digest = hashlib.sha256(b'a' * size).hexdigest().encode()
        found.append(signer.chunk(found[-1], digest))
    found.append(signer.chunk(found[-1], EMPTY))
    line = b'x-amz-checksum-crc32c:sOO8/Q=='
    found.append(signer.trailer(found[-1], line))
    assert found[1:] == [
        b'b474d8862b1487a5145d686f57f013e54db672cee1c953b3010fb58501ef5aa2',
        b'1c1344b170168f8e65b41376b44b20fe354e373826ccbbe2c1d40a8cae51e5c7',
        b'2ca2aba2005185cf7159c6277faf83795951dd77a3a99e6e65d5c9f85863f992',
        b'd81f82fc3505edab99d459891051a732e8730629a2e4a59689829ca17fe2e435',
    ]
