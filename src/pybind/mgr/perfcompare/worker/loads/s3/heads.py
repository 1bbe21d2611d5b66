"""What requests look like: their heads, and what is sent behind these."""

from typing import List, Optional, Sequence

from ...wire.s3_spec import OVERWRITE, PUT
from .checksums import ALGORITHMS
from .chunks import Form
from .extras import NOTHING, Extras, Headers
from .keys import Key
from .payload import Payload
from .prefetcher import Request
from .sigv4 import EMPTY, UNSIGNED, Signer
from .site import Site
from .tasks import Copy, Task
from .uploads import Step

METHODS = (b'PUT', b'GET', b'HEAD', b'DELETE', b'PUT')


class Heads:
    """Sign requests for each endpoint."""

    def __init__(
        self,
        sites: Sequence[Site],
        signers: Sequence[Signer],
        payload: Payload,
        signed: bool = False,
        checksum: str = '',
        extras: Extras = NOTHING,
    ) -> None:
        """Sign contents, too, if ``signed``.

        With a ``checksum`` contents go in chunks with that behind them.
        """
        self._signers = signers
        self._payload = payload
        self._signed = signed
        self._extras = extras
        # of some gateways ETags of what is encrypted are no MD5
        self.encrypted = any(b'encryption' in n for n in extras.writes)
        self._forms: Optional[List[Form]] = None
        if checksum:
            algorithm = ALGORITHMS[checksum]
            by_index = sorted(sites, key=lambda site: site.index)
            self._forms = [
                Form(algorithm, signed or not site.tls) for site in by_index
            ]
            payload.prepare(algorithm)

    def tick(self, wall: float) -> None:
        """Take Unix time ``wall`` for what is signed from here on."""
        for signer in self._signers:
            signer.tick(wall)

    @property
    def slow(self) -> bool:
        """Say whether to make a request may take as long as to hash it."""
        forms = self._forms or ()
        return self._signed or any(form.signed for form in forms)

    def request(
        self, endpoint: int, op: int, key: Key, verify: bool
    ) -> Request:
        """Return a request as it is sent now."""
        if self._forms is not None:
            sends = op == PUT or op == OVERWRITE
            # of tasks: parts of an upload
            if sends or (op > OVERWRITE and key.body is None):
                form = self._forms[endpoint]
                return self._chunked(form, endpoint, op, key, verify)
        return Request(op, key, self._head(endpoint, op, key), verify)

    def again(self, endpoint: int, request: Request) -> Request:
        """Return a request signed anew, or for another endpoint."""
        return self.request(endpoint, request.op, request.key, request.verify)

    def _chunked(
        self, form: Form, endpoint: int, op: int, key: Key, verify: bool
    ) -> Request:
        signer = self._signers[endpoint]
        headers, plain = form.headers(key.size)
        method, path, query = b'PUT', key.path, b''
        if isinstance(key, Task):
            asked = key.asked()
            method, path, query = asked.method, asked.path, asked.query
            headers.update(self._extras.parts)
        else:
            headers.update(self._extras.writes)
        head = signer.full(method, path, query, headers, plain, form.payload)
        value = self._payload.checksum(
            form.algorithm, key.number, key.size, key.start
        )
        if isinstance(key, Step):
            key.checksum = value
        pieces = form.pieces(self._payload, key, head, signer, value)
        return Request(op, key, head, verify, pieces)

    def _head(self, endpoint: int, op: int, key: Key) -> bytes:
        if op > OVERWRITE:
            return self._task_head(endpoint, key)
        if op == PUT or op == OVERWRITE:
            digest = (
                self._payload.digest(key.number, key.size)
                if self._signed
                else UNSIGNED
            )
            extra = b'Content-Length: %d\r\n' % key.size
        else:
            digest, extra = EMPTY, b''
        return self._signers[endpoint].head(
            METHODS[op], key.path, digest, extra
        )

    def _task_head(self, endpoint: int, key: Key) -> bytes:
        assert isinstance(key, Task)
        signer = self._signers[endpoint]
        content = key.body is None
        more = self._more(key) if self._extras.writes else {}
        if not more and not (self._signed and content):
            return key.head(signer)
        digest = key.digest
        if self._signed and content:
            digest = self._payload.digest(key.number, key.size, key.start)
        asked = key.asked()
        asked = asked._replace(headers={**(asked.headers or {}), **more})
        return signer.full(*asked, payload=digest)

    def _more(self, key: Task) -> Headers:
        if isinstance(key, Step):
            if key.kind == Step.INITIATE:
                return self._extras.writes
            # the end of an upload needs the key, too
            return {} if key.kind == Step.ABORT else self._extras.parts
        return self._extras.copies if isinstance(key, Copy) else {}
