"""Sign S3 requests (AWS Signature Version 4).

Source: AWS, "Authenticating Requests: Using the Authorization Header", in
the Amazon S3 API Reference. ``authorization`` is the method as published;
``Signer`` is the same for the requests of a load, with all that does not
change per request computed once.
"""

from typing import Dict, Iterable, Mapping, NamedTuple, Optional, Tuple

import hashlib
import hmac
import time
import urllib.parse

from .extras import NOTHING, Extras, Headers

ALGORITHM = b'AWS4-HMAC-SHA256'
UNSIGNED = b'UNSIGNED-PAYLOAD'
BLOCK = 64  # bytes of SHA-256 (RFC 2104)
_INNER = bytes(x ^ 0x36 for x in range(256))
_OUTER = bytes(x ^ 0x5C for x in range(256))
SIGNATURE = 64  # characters
EMPTY = hashlib.sha256(b'').hexdigest().encode()


def encode_path(key: str) -> str:
    """Percent-encode an object's name; slashes stay."""
    return urllib.parse.quote(key, safe='-_.~/')


def query_string(values: Iterable[Tuple[str, str]]) -> str:
    """Return values as a canonical query string, sorted and encoded."""
    pairs = sorted(
        (
            urllib.parse.quote(name, safe='-_.~'),
            urllib.parse.quote(value, safe='-_.~'),
        )
        for name, value in values
    )
    return '&'.join(f'{name}={value}' for name, value in pairs)


def signing_key(secret: str, day: str, region: str, service: str) -> bytes:
    """Derive the key that signs the requests of one day."""
    key = b'AWS4' + secret.encode()
    for part in (day, region, service, 'aws4_request'):
        key = hmac.digest(key, part.encode(), 'sha256')
    return key


def authorization(
    access: str,
    secret: str,
    region: str,
    service: str,
    method: str,
    path: str,
    query: str,
    headers: Mapping[str, str],
    payload_hash: str,
) -> str:
    """Return the Authorization header of one request.

    ``path`` and ``query`` are encoded already; all ``headers`` are signed
    and have to include `host` and `x-amz-date`.
    """
    low = {k.lower(): ' '.join(v.split()) for k, v in headers.items()}
    names = ';'.join(sorted(low))
    canonical = '\n'.join(
        [method, path, query]
        + [f'{name}:{low[name]}' for name in sorted(low)]
        + ['', names, payload_hash]
    )
    stamp = low['x-amz-date']
    scope = f'{stamp[:8]}/{region}/{service}/aws4_request'
    text = '\n'.join(
        [
            ALGORITHM.decode(),
            stamp,
            scope,
            hashlib.sha256(canonical.encode()).hexdigest(),
        ]
    )
    key = signing_key(secret, stamp[:8], region, service)
    signature = hmac.digest(key, text.encode(), 'sha256').hex()
    return (
        f'{ALGORITHM.decode()} Credential={access}/{scope}, '
        f'SignedHeaders={names}, Signature={signature}'
    )


class _More(NamedTuple):
    names: bytes
    canonical: bytes
    lines: bytes


def _after_date(headers: Headers) -> _More:
    """Return headers whose names come after x-amz-date."""
    names = sorted(headers)
    return _More(
        b''.join(b';' + name for name in names),
        b''.join(b'%b:%b\n' % (name, headers[name]) for name in names),
        b''.join(b'%b: %b\r\n' % (name, headers[name]) for name in names),
    )


class Signer:
    """Build signed request heads for one endpoint; ``tick`` every second."""

    NAMES = b'host;x-amz-content-sha256;x-amz-date'

    def __init__(
        self,
        access: str,
        secret: str,
        region: str,
        host: str,
        extras: Extras = NOTHING,
    ) -> None:
        """Sign for one endpoint, with headers more where there are extras."""
        self._reads = _after_date(extras.reads)
        self._writes = _after_date(extras.writes)
        self._access = access.encode()
        self._secret = secret
        self._region = region
        self._host = host.encode()
        self._day = ''
        # HMAC with the key of the day, in its two parts: half the time of
        # hmac.digest(), which begins anew each time
        self._inner = self._outer = hashlib.sha256()
        self._to_sign = b''
        self._parts: Dict[bytes, Tuple[bytes, bytes]] = {}
        self._second = -1
        self._stamp = b''
        self._scope = b''

    def tick(self, now: float) -> None:
        """Take Unix time ``now`` for what is signed from here on."""
        if int(now) == self._second:
            return
        self._second = int(now)
        stamp = time.strftime('%Y%m%dT%H%M%SZ', time.gmtime(now))
        if stamp[:8] != self._day:
            self._day = stamp[:8]
            key = signing_key(self._secret, self._day, self._region, 's3')
            self._inner, self._outer = (
                hashlib.sha256(key.ljust(BLOCK, b'\0').translate(pad))
                for pad in (_INNER, _OUTER)
            )
            self._scope = (
                f'{self._day}/{self._region}/s3/aws4_request'.encode()
            )
        self._stamp = stamp.encode()
        self._to_sign = b'\n'.join((ALGORITHM, self._stamp, self._scope, b''))
        self._parts.clear()

    def _part(self, payload: bytes) -> Tuple[bytes, bytes]:
        # contents are of writes
        more = self._reads if payload == EMPTY else self._writes
        names = self.NAMES + more.names
        canonical = (
            b'\n\nhost:%b\nx-amz-content-sha256:%b\nx-amz-date:%b\n%b\n%b\n%b'
            % (
                self._host,
                payload,
                self._stamp,
                more.canonical,
                names,
                payload,
            )
        )
        head = (
            b' HTTP/1.1\r\nHost: %b\r\nx-amz-content-sha256: %b\r\n'
            b'x-amz-date: %b\r\n%bAuthorization: %b Credential=%b/%b, '
            b'SignedHeaders=%b, Signature='
            % (
                self._host,
                payload,
                self._stamp,
                more.lines,
                ALGORITHM,
                self._access,
                self._scope,
                names,
            )
        )
        found = self._parts[payload] = (canonical, head)
        return found

    def head(
        self,
        method: bytes,
        path: bytes,
        payload: bytes = EMPTY,
        extra: bytes = b'',
    ) -> bytes:
        """Return a whole request head; ``extra`` lines end with CR LF.

        ``extra`` must not hold a Content-Type: it would have to be signed.
        """
        part = self._parts.get(payload)
        if part is None:
            part = self._part(payload)
        digest = hashlib.sha256(
            b'%b\n%b%b' % (method, path, part[0])
        ).hexdigest()
        inner, outer = self._inner.copy(), self._outer.copy()
        inner.update(self._to_sign + digest.encode())
        outer.update(inner.digest())
        signature = outer.hexdigest()
        return b'%b %b%b%b\r\n%b\r\n' % (
            method,
            path,
            part[1],
            signature.encode(),
            extra,
        )

    def full(
        self,
        method: bytes,
        path: bytes,
        query: bytes = b'',
        headers: Optional[Mapping[bytes, bytes]] = None,
        plain: bytes = b'',
        payload: bytes = EMPTY,
    ) -> bytes:
        """Return the head of a request with a query, or more to be signed.

        ``headers`` have names in lower case; ``plain`` lines are not signed.
        """
        signed = {
            b'host': self._host,
            b'x-amz-content-sha256': payload,
            b'x-amz-date': self._stamp,
            **(headers or {}),
        }
        names = sorted(signed)
        listed = b';'.join(names)
        lines = [b'%b:%b' % (name, signed[name]) for name in names]
        canonical = b'\n'.join(
            (method, path, query, *lines, b'', listed, payload)
        )
        digest = hashlib.sha256(canonical).hexdigest()
        return b'%b %b%b HTTP/1.1\r\n%b\r\n%b%b\r\n' % (
            method,
            path,
            b'?' + query if query else b'',
            b'\r\n'.join(b'%b: %b' % (name, signed[name]) for name in names),
            b'Authorization: %b Credential=%b/%b, SignedHeaders=%b, '
            b'Signature=%b\r\n'
            % (
                ALGORITHM,
                self._access,
                self._scope,
                listed,
                self._signature(self._to_sign + digest.encode()),
            ),
            plain,
        )

    def _signature(self, text: bytes) -> bytes:
        inner, outer = self._inner.copy(), self._outer.copy()
        inner.update(text)
        outer.update(inner.digest())
        return outer.hexdigest().encode()

    # what follows a head in chunks

    @staticmethod
    def of(head: bytes) -> bytes:
        """Return the signature of a head."""
        at = head.index(b'Signature=') + len(b'Signature=')
        return head[at : at + SIGNATURE]

    def chunk(self, before: bytes, digest: bytes = EMPTY) -> bytes:
        """Sign a chunk, which follows what has the signature ``before``."""
        return self._follows(b'PAYLOAD', before, EMPTY + b'\n' + digest)

    def trailer(self, before: bytes, line: bytes) -> bytes:
        """Sign a trailer, a name and its value, after the last chunk."""
        digest = hashlib.sha256(line + b'\n').hexdigest().encode()
        return self._follows(b'TRAILER', before, digest)

    def _follows(self, what: bytes, before: bytes, rest: bytes) -> bytes:
        return self._signature(
            b'AWS4-HMAC-SHA256-%b\n%b\n%b\n%b\n%b'
            % (what, self._stamp, self._scope, before, rest)
        )
