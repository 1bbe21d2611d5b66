"""Operations that are more than one object and its name.

Each is a key that says how it is asked for, what an answer must be, and
what became of the objects in it.
"""

from typing import Dict, List, NamedTuple, Optional, Sequence, Tuple

import base64
import hashlib
from xml.sax.saxutils import escape

from . import answers
from .keys import Key, Namer, Population, bucket_of
from .response import Response
from .sigv4 import EMPTY, Signer, encode_path, query_string

ROW_MAX = 1024  # bytes of an answer for each object, with its figures
FRAME_MAX = 8192  # of what is around them


class Asked(NamedTuple):
    """Hold the parts of a request that are not of every request."""

    method: bytes
    path: bytes
    query: bytes = b''
    headers: Optional[Dict[bytes, bytes]] = None  # that are signed
    plain: bytes = b''  # lines that are not


class Task(Key):
    """Ask for something; ``size`` are the bytes that it moves."""

    __slots__ = ()
    body: Optional[bytes] = b''
    digest = EMPTY  # of what is sent
    successes: Tuple[int, ...] = (200,)  # statuses

    def asked(self) -> Asked:
        """Return what is asked for."""
        raise NotImplementedError

    def head(self, signer: Signer) -> bytes:
        """Return the head of the request."""
        return signer.full(*self.asked(), payload=self.digest)

    def wrong(self, response: Response) -> str:
        """Return why an answer is none to this, '' when it is."""
        return ''

    def moved(self, response: Response) -> int:
        """Return the bytes of objects that the answer stands for."""
        return self.size

    def settle(self, population: Population, good: bool, kept: bool) -> None:
        """Say what became of its objects."""

    def take_back(self, population: Population) -> None:
        """Give back its objects: it was never begun."""
        self.settle(population, False, True)


class Span(Task):
    """Read a part of an object."""

    __slots__ = ('start', 'whole')
    successes = (200, 206)

    def __init__(self, whole: Key, start: int, size: int) -> None:
        super().__init__(whole.path, whole.number, size)
        self.whole = whole
        self.start = start

    def head(self, signer: Signer) -> bytes:
        """Return the head; a range need not be signed."""
        return signer.head(
            b'GET',
            self.path,
            EMPTY,
            b'Range: bytes=%d-%d\r\n'
            % (self.start, self.start + self.size - 1),
        )

    def wrong(self, response: Response) -> str:
        """Refuse another number of bytes, and all of the object."""
        assert response.head is not None
        if response.head.status != 206 and self.size < self.whole.size:
            return 'range ignored'
        if response.length != self.size:
            return 'wrong size'
        if response.head.status == 200:
            return ''
        return answers.another_range(response, self.start, self.size)

    def settle(self, population: Population, good: bool, kept: bool) -> None:
        """Note the end of a read."""
        population.was_read(self.whole)


class Listing(Task):
    """Read a page of names, of a bucket's objects with one beginning."""

    __slots__ = ('least', 'most', 'prefix', 'query', 'keep')

    def __init__(
        self, bucket: bytes, prefix: str, after: str, most: int, least: int
    ) -> None:
        """List up to ``most`` names; fewer than ``least`` are an error."""
        super().__init__(bucket, 0, 0)
        self.least, self.most = least, most
        self.keep = FRAME_MAX + most * ROW_MAX
        self.prefix = escape(prefix).encode()
        values = [
            ('list-type', '2'),
            ('max-keys', str(most)),
            ('prefix', prefix),
        ]
        if after:
            values.append(('start-after', after))
        self.query = query_string(values).encode()

    def asked(self) -> Asked:
        """Return what is asked for."""
        return Asked(b'GET', self.path, self.query)

    def wrong(self, response: Response) -> str:
        """Refuse what is no listing, or lacks names."""
        return answers.not_listed(
            response, self.prefix, self.least, self.most
        )

    def moved(self, response: Response) -> int:
        """Return the bytes of the listing."""
        return response.length


class Batch(Task):
    """Delete several objects by one request."""

    __slots__ = ('keys', 'names', 'body', 'digest', 'md5', 'partly', 'keep')

    def __init__(self, bucket: bytes, keys: Sequence[Key]) -> None:
        super().__init__(bucket, 0, 0)
        self.keys = list(keys)
        self.keep = FRAME_MAX + len(self.keys) * ROW_MAX
        self.partly = False  # nobody knows which of them are there
        at = len(bucket) + 1
        self.names = [escape(key.path[at:].decode()).encode() for key in keys]
        # not quiet: who says nothing may have deleted nothing
        body = b'<Delete>%b</Delete>' % b''.join(
            b'<Object><Key>%b</Key></Object>' % name for name in self.names
        )
        self.body: bytes = body
        self.digest = hashlib.sha256(body).hexdigest().encode()
        digest = hashlib.md5(body, usedforsecurity=False).digest()
        self.md5 = base64.b64encode(digest)

    def asked(self) -> Asked:
        """Return what is asked for."""
        return Asked(
            b'POST',
            self.path,
            b'delete=',
            {b'content-md5': self.md5},
            b'Content-Length: %d\r\n' % len(self.body),
        )

    def wrong(self, response: Response) -> str:
        """Refuse an answer that does not say that all are gone."""
        why = answers.not_deleted(response, self.names)
        self.partly = bool(why)
        return why

    def settle(self, population: Population, good: bool, kept: bool) -> None:
        """Note the end of all deletes."""
        for key in self.keys:
            population.deleted(key, good, kept and not self.partly)


class Copy(Task):
    """Have the gateway copy an object to a new one."""

    __slots__ = ('source', 'made_key')
    keep = answers.ANSWER_MAX

    def __init__(self, source: Key, new: Key) -> None:
        super().__init__(new.path, source.number, source.size)
        self.source = source
        new.holds(source)
        self.made_key = new

    def asked(self) -> Asked:
        """Return what is asked for."""
        return Asked(
            b'PUT',
            self.path,
            b'',
            {b'x-amz-copy-source': self.source.path},
            b'Content-Length: 0\r\n',
        )

    def wrong(self, response: Response) -> str:
        """Refuse an error that came after a success had been said."""
        return answers.not_copied(response)

    def settle(self, population: Population, good: bool, kept: bool) -> None:
        """Note the end of a read and of a write."""
        population.was_read(self.source)
        population.written(self.made_key, good)

    def take_back(self, population: Population) -> None:
        """Give back source and name."""
        population.was_read(self.source)
        population.unmade()


def listing(
    namer: Namer, cell: int, at: float, most: int, sure: bool
) -> Listing:
    """List ``most`` objects of a cell, from a place ``at`` of 0 … 1 on.

    Where there are as many, it is a whole page. ``sure`` says that none of
    them goes meanwhile.
    """
    bucket, prefix = namer.cells[cell]
    numbers = range(cell, namer.count, len(namer.cells))
    count = len(numbers)
    first = int(at * (max(0, count - most) + 1))
    after = f'{prefix}{numbers[first - 1]:08d}' if first else ''
    least = min(most, count) if sure else 0
    return Listing(
        encode_path(f'/{bucket}').encode(), prefix, after, most, least
    )


def batch(keys: List[Key]) -> Batch:
    """Delete objects of one bucket."""
    return Batch(bucket_of(keys[0].path), keys)
