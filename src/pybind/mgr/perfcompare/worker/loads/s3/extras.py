"""Headers by which a gateway encrypts and tags what it stores."""

from typing import Dict, List, NamedTuple, Tuple

import base64
import hashlib

SSE = 'x-amz-server-side-encryption'
_COPY = 'x-amz-copy-source-server-side-encryption'

Headers = Dict[bytes, bytes]


class Extras(NamedTuple):
    """Hold headers by what they go with; all of them are signed."""

    reads: Headers = {}  # of objects, also by HEAD
    writes: Headers = {}  # that make objects, or begin an upload
    parts: Headers = {}  # of uploads
    copies: Headers = {}  # of the source, and of the new object

    def client(self, which: str) -> Dict[str, str]:
        """Return one of them as a client of single requests takes it."""
        headers: Headers = getattr(self, which)
        return {k.decode(): v.decode() for k, v in headers.items()}


NOTHING = Extras()


def extras(encryption: str, tags: int, seed: int) -> Extras:
    """Return the headers for 'sse-c' or 'sse-s3', and a number of tags.

    The key of a customer follows from ``seed``, so that every job of a run
    has it; it protects random bytes that are deleted.
    """
    reads: List[Tuple[str, str]] = []
    writes: List[Tuple[str, str]] = []
    copies: List[Tuple[str, str]] = []
    if encryption == 'sse-c':
        key = hashlib.sha256(b'perfcompare %d' % seed).digest()
        values = (
            ('algorithm', 'AES256'),
            ('key', _text(key)),
            ('key-md5', _text(_md5(key))),
        )
        reads = [(f'{SSE}-customer-{name}', v) for name, v in values]
        writes = list(reads)
        copies = [(f'{_COPY}-customer-{name}', v) for name, v in values]
    elif encryption == 'sse-s3':
        writes = [(SSE, 'AES256')]
    copies += writes  # tags go with the source's
    if tags:
        pairs = '&'.join(f'tag{i}=value{i}' for i in range(tags))
        writes.append(('x-amz-tagging', pairs))
    return Extras(
        _bytes(reads), _bytes(writes), _bytes(reads), _bytes(copies)
    )


def _md5(data: bytes) -> bytes:
    return hashlib.md5(data, usedforsecurity=False).digest()


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _bytes(pairs: List[Tuple[str, str]]) -> Headers:
    return {name.encode(): value.encode() for name, value in pairs}
