"""Read contents in chunks as a server does, with all that is to be verified.

Written from AWS's description, apart from what writes them.
"""

from typing import Any, Callable, Dict, List, Tuple

import base64
import hashlib
import hmac
import re
import zlib

SECRET = b'S'
_SEED = re.compile(
    rb'Credential=[^/]+/([0-9]{8})/([^/]+)/s3/aws4_request,.*'
    rb'Signature=([0-9a-f]{64})'
)
EMPTY = hashlib.sha256(b'').hexdigest().encode()


def crc64nvme(data: bytes) -> int:
    """Return it by the book, a bit at a time."""
    value = (1 << 64) - 1
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = value >> 1 ^ (0x9A6C9329AC4BC9B5 if value & 1 else 0)
    return value ^ (1 << 64) - 1


SUMS: Dict[bytes, Callable[[bytes], bytes]] = {
    b'x-amz-checksum-crc32': lambda data: zlib.crc32(data).to_bytes(4, 'big'),
    b'x-amz-checksum-crc64nvme': lambda data: crc64nvme(data).to_bytes(
        8, 'big'
    ),
}


class Chain:
    """Make the signatures that have to be there, one after the other."""

    def __init__(self, headers: Dict[bytes, bytes], secret: bytes) -> None:
        found = _SEED.search(headers[b'authorization'])
        assert found is not None
        day, region, self._last = found.groups()
        key = b'AWS4' + secret
        for part in (day, region, b's3', b'aws4_request'):
            key = hmac.new(key, part, 'sha256').digest()
        self._key = key
        scope = b'%b/%b/s3/aws4_request' % (day, region)
        self._about = headers[b'x-amz-date'] + b'\n' + scope

    def next(self, kind: bytes, *rest: bytes) -> bytes:
        """Return the signature of what follows."""
        text = b'\n'.join(
            (b'AWS4-HMAC-SHA256-' + kind, self._about, self._last, *rest)
        )
        self._last = hmac.new(self._key, text, 'sha256').hexdigest().encode()
        return self._last


def decode(
    body: bytes, headers: Dict[bytes, bytes], secret: bytes = SECRET
) -> Tuple[bytes, bytes]:
    """Return the content and its checksum's name; ValueError says why not."""
    kind = headers[b'x-amz-content-sha256']
    signed = kind == b'STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER'
    if not signed and kind != b'STREAMING-UNSIGNED-PAYLOAD-TRAILER':
        raise ValueError(f'{kind!r}')
    chain: Any = Chain(headers, secret) if signed else None
    content: List[bytes] = []
    while True:
        line, _, body = body.partition(b'\r\n')
        size, _, signature = line.partition(b';chunk-signature=')
        data, body = body[: int(size, 16)], body[int(size, 16) :]
        if signed:
            digest = hashlib.sha256(data).hexdigest().encode()
            if signature != chain.next(b'PAYLOAD', EMPTY, digest):
                raise ValueError('chunk-signature')
        if not data:
            break
        content.append(data)
        if body[:2] != b'\r\n':
            raise ValueError('no end of a chunk')
        body = body[2:]
    *lines, one, two = body.split(b'\r\n')
    name, _, value = lines[0].partition(b':')
    if one or two or name != headers[b'x-amz-trailer']:
        raise ValueError(f'{body!r}')
    if signed:
        digest = hashlib.sha256(lines[0] + b'\n').hexdigest().encode()
        wanted = b'x-amz-trailer-signature:' + chain.next(b'TRAILER', digest)
        if lines[1:] != [wanted]:
            raise ValueError('trailer-signature')
    whole = b''.join(content)
    if len(whole) != int(headers[b'x-amz-decoded-content-length']):
        raise ValueError('decoded-content-length')
    if base64.b64encode(SUMS[name](whole)) != value:
        raise ValueError('BadDigest')
    return whole, name
