"""Bodies in chunks with a checksum behind them, as AWS's clients send them.

Source: AWS, "Signature calculations for the Authorization header: including
trailing headers", in the Amazon S3 API Reference. Over TLS chunks are not
signed, as there; who signs contents has them signed there, too.
"""

from typing import Dict, List, NamedTuple, Tuple, Union

from .checksums import Algorithm
from .keys import Key
from .payload import PIECE, Payload
from .sigv4 import SIGNATURE, Signer

UNSIGNED = b'STREAMING-UNSIGNED-PAYLOAD-TRAILER'
SIGNED = b'STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER'
CHUNK = PIECE  # what botocore takes, too
_BY = b';chunk-signature='
_TRAILER = b'x-amz-trailer-signature:'

Piece = Union[bytes, memoryview]


class Form(NamedTuple):
    """Say how the contents of requests are sent."""

    algorithm: Algorithm
    signed: bool

    @property
    def payload(self) -> bytes:
        """Return what the head says of the content's signature."""
        return SIGNED if self.signed else UNSIGNED

    def headers(self, size: int) -> Tuple[Dict[bytes, bytes], bytes]:
        """Return headers to be signed, and lines that are not."""
        signed = {
            b'content-encoding': b'aws-chunked',
            b'x-amz-decoded-content-length': b'%d' % size,
            b'x-amz-sdk-checksum-algorithm': self.algorithm.name.encode(),
            b'x-amz-trailer': self.algorithm.header.encode(),
        }
        return signed, b'Content-Length: %d\r\n' % self.length(size)

    def length(self, size: int) -> int:
        """Return the bytes of ``size`` bytes of content, with all around."""
        by = len(_BY) + SIGNATURE if self.signed else 0
        whole, rest = divmod(size, CHUNK)
        found = size + whole * (len(b'%x' % CHUNK) + by + 4)
        if rest:
            found += len(b'%x' % rest) + by + 4
        found += 1 + by + 2  # the last chunk, which is empty
        found += len(self.algorithm.header) + 1 + self.algorithm.length + 2
        if self.signed:
            found += len(_TRAILER) + SIGNATURE + 2
        return found + 2

    def pieces(
        self,
        payload: Payload,
        key: Key,
        head: bytes,
        signer: Signer,
        value: bytes,
    ) -> List[Piece]:
        """Return head and content, which has checksum ``value``, in pieces."""
        if self.signed:
            return self._signed(payload, key, head, signer, value)
        found: List[Piece] = []
        before = head
        for content in payload.pieces(key.number, key.size, key.start):
            found.append(b'%b%x\r\n' % (before, len(content)))
            found.append(content)
            before = b'\r\n'
        last = b'0\r\n%b:%b\r\n\r\n'
        name = self.algorithm.header.encode()
        found.append(before + last % (name, value))
        return found

    def _signed(
        self,
        payload: Payload,
        key: Key,
        head: bytes,
        signer: Signer,
        value: bytes,
    ) -> List[Piece]:
        signature = Signer.of(head)
        found: List[Piece] = []
        before, at = head, key.start
        for content in payload.pieces(key.number, key.size, key.start):
            size = len(content)
            digest = payload.digest(key.number, size, at)
            signature = signer.chunk(signature, digest)
            found.append(b'%b%x%b%b\r\n' % (before, size, _BY, signature))
            found.append(content)
            before = b'\r\n'
            at += size
        signature = signer.chunk(signature)
        line = b'%b:%b' % (self.algorithm.header.encode(), value)
        found.append(
            b'%b0%b%b\r\n%b\r\n%b%b\r\n\r\n'
            % (
                before,
                _BY,
                signature,
                line,
                _TRAILER,
                signer.trailer(signature, line),
            )
        )
        return found
