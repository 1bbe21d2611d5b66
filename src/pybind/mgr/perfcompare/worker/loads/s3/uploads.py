"""Uploads in parts: what comes after what, over several connections."""

from typing import List, Optional, Tuple

import re
from xml.sax.saxutils import escape, unescape

from . import answers
from .checksums import ALGORITHMS
from .keys import Key, Population
from .response import Response
from .sigv4 import EMPTY, UNSIGNED, query_string
from .tasks import Asked, Task

_ID = re.compile(rb'<UploadId>([^<]{1,1024})</UploadId>')


class Upload:
    """Hold one object on its way, from its first request to its last."""

    def __init__(
        self, key: Key, part_size: int, streams: int, checksum: str = ''
    ) -> None:
        """Send parts of ``part_size`` bytes, ``streams`` at a time.

        With a ``checksum`` parts have one, and the gateway is told so.
        """
        self.key = key
        self.part_size = part_size
        self.streams = streams
        self.algorithm = ALGORITHMS.get(checksum)
        self.parts = -(-key.size // part_size)
        self.since = 0  # when it was to begin, ns
        self.site = 0  # to whose endpoint its last request went
        self.active = 0  # requests under way or about to be
        self.failed = False
        self.done = False  # the object is there
        self.id = ''
        self._next = 0
        self._etags: List[str] = [''] * self.parts
        self._sums: List[bytes] = [b''] * self.parts
        self._missing = self.parts

    def begin(self) -> 'Step':
        """Return the first request."""
        self.active = 1
        return Step(self, Step.INITIATE)

    def took(self, step: 'Step', response: Response) -> str:
        """Take a success; return why it is none, '' when it is."""
        if step.kind == Step.INITIATE:
            found = _ID.search(response.body)
            if found is None or answers.failed(response):
                return 'no upload id'
            self.id = unescape(found.group(1).decode('utf-8', 'replace'))
        elif step.kind == Step.PART:
            tag = answers.part_tag(response)
            if tag is None:
                return 'no ETag of a part'
            self._etags[step.part] = tag
            self._sums[step.part] = step.checksum
            self._missing -= 1
        elif step.kind == Step.COMPLETE:
            why = answers.not_completed(response, self.parts)
            self.done = not why
            return why
        return ''

    def ready(self, step: 'Step') -> List['Step']:
        """Return the requests that may follow ``step``, which ended."""
        self.active -= 1
        found: List[Step] = []
        if self.failed or self.done:
            if self.failed and not self.active and self.id:
                if step.kind != Step.ABORT:
                    found = [Step(self, Step.ABORT)]
        elif step.kind == Step.INITIATE:
            found = [
                self._part() for _ in range(min(self.streams, self.parts))
            ]
        elif self._next < self.parts:
            found = [self._part()]
        elif not self._missing:
            found = [Step(self, Step.COMPLETE)]
        self.active += len(found)
        return found

    @property
    def over(self) -> bool:
        """Say whether nothing of it is to come."""
        return not self.active

    def _part(self) -> 'Step':
        number = self._next
        self._next += 1
        return Step(self, Step.PART, number)

    def listed(self) -> bytes:
        """Return what completes the object."""
        return (
            '<CompleteMultipartUpload>'
            + ''.join(
                f'<Part><PartNumber>{number}</PartNumber>'
                f'<ETag>{escape(tag)}</ETag>{self._sum(number - 1)}</Part>'
                for number, tag in enumerate(self._etags, 1)
            )
            + '</CompleteMultipartUpload>'
        ).encode()

    def _sum(self, part: int) -> str:
        if self.algorithm is None:
            return ''
        name = f'Checksum{self.algorithm.name}'
        return f'<{name}>{self._sums[part].decode()}</{name}>'


class Step(Task):
    """Make one request of an upload."""

    INITIATE, PART, COMPLETE, ABORT = range(4)
    METHODS = (b'POST', b'PUT', b'POST', b'DELETE')

    __slots__ = (
        'upload', 'kind', 'part', 'start', 'body', 'successes', 'checksum',
    )  # fmt: skip
    keep = answers.ANSWER_MAX

    def __init__(self, upload: Upload, kind: int, part: int = 0) -> None:
        key = upload.key
        start = part * upload.part_size
        size = 0
        if kind == self.PART:
            size = min(upload.part_size, key.size - start)
        super().__init__(key.path, key.number, size)
        self.upload = upload
        self.kind = kind
        self.part = part
        self.start = start
        self.checksum = b''  # that was sent with it
        self.body: Optional[bytes] = b''
        self.successes = (200, 204) if kind == self.ABORT else (200,)
        if kind == self.PART:
            self.body = None  # of the payload
        elif kind == self.COMPLETE:
            self.body = upload.listed()

    def asked(self) -> Asked:
        """Return what is asked for."""
        values: List[Tuple[str, str]] = [('uploads', '')]
        if self.kind != self.INITIATE:
            values = [('uploadId', self.upload.id)]
        if self.kind == self.PART:
            values.append(('partNumber', str(self.part + 1)))
        headers = None
        algorithm = self.upload.algorithm
        if self.kind == self.INITIATE and algorithm is not None:
            headers = {b'x-amz-checksum-algorithm': algorithm.name.encode()}
        length = self.size if self.body is None else len(self.body)
        return Asked(
            self.METHODS[self.kind],
            self.path,
            query_string(values).encode(),
            headers,
            b'Content-Length: %d\r\n' % length,
        )

    @property
    def digest(self) -> bytes:  # type: ignore[override]
        """Return what is signed of the content."""
        return EMPTY if self.body == b'' else UNSIGNED

    def settle(self, population: Population, good: bool, kept: bool) -> None:
        """Say what became of the object, once for an upload."""
        population.written(self.upload.key, good)

    def take_back(self, population: Population) -> None:
        """Give back the name: it was never begun."""
        population.unmade()
