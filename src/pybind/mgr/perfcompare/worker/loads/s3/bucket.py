"""Single S3 requests, outside of any measurement."""

from typing import Any, Callable, Dict, List, Optional, Tuple

import base64
import hashlib
import json
import re
import ssl
import statistics
import time

from ...runtime.failure import Failure
from ...wire.s3_spec import Endpoint, Target
from . import addressing
from .exchange import Exchange, NoAnswer, Untrusted
from .process import tls_context
from .response import Response
from .sigv4 import authorization, encode_path

TIMEOUT = 60.0  # seconds of one request, in all
_CODE = re.compile(rb'<Code>([A-Za-z]{1,40})</Code>')
# Without TCP_NODELAY in the gateway the second segment of a response waits
# for our delayed ACK, which takes about 40 ms.
NAGLE = 0.03
PROBES = 7
BUSY = (429, 500, 502, 503, 504)  # what passes


def read_keys(path: str) -> Tuple[str, str]:
    """Return access and secret key of a credentials file."""
    try:
        with open(path, encoding='utf-8') as file:
            data = json.load(file)
        return str(data['access_key']), str(data['secret_key'])
    except OSError as error:
        raise Failure(
            'access', f'cannot read {path!r}: {error.strerror}'
        ) from None
    except (ValueError, KeyError, TypeError):
        # the text itself must not be shown
        raise Failure('access', f'{path!r} holds no S3 keys') from None


class Client:
    """Make one request after another to one endpoint."""

    def __init__(
        self,
        target: Target,
        endpoint: Optional[Endpoint] = None,
        left: Callable[[], float] = lambda: TIMEOUT,
    ) -> None:
        """Reach an endpoint, the first one if none is named.

        ``left`` returns the seconds to a deadline, and raises Failure when
        it passed.
        """
        self._target = target
        self._endpoint = endpoint or target.endpoints[0]
        self._left = left
        # bytes of the last content, as its head has it
        self._announced: Optional[int] = None
        self.raw = b''  # the last head
        context = None
        if self._endpoint.tls:
            context = tls_context(target) or ssl.create_default_context()
        self._exchange = Exchange(
            self._endpoint.host,
            self._endpoint.port,
            context,
            self._endpoint.named(target.bucket),
        )

    def close(self) -> None:
        """Close the connection."""
        self._exchange.close()

    def request(
        self,
        method: str,
        path: str,
        body: bytes = b'',
        query: str = '',
        extra: Optional[Dict[str, str]] = None,
    ) -> Tuple[int, bytes]:
        """Return status and content; Failure when nothing answers.

        ``extra`` headers are signed, too.
        """
        digest = hashlib.sha256(body).hexdigest()
        host, path = addressing.place(self._endpoint, path)
        headers: Dict[str, str] = {
            'Host': host,
            'x-amz-content-sha256': digest,
            'x-amz-date': time.strftime('%Y%m%dT%H%M%SZ', time.gmtime()),
            **(extra or {}),
        }
        path = encode_path(path)
        headers['Authorization'] = authorization(
            self._target.access_key,
            self._target.secret_key,
            self._target.region,
            's3',
            method,
            path,
            query,
            headers,
            digest,
        )
        where = path + (f'?{query}' if query else '')
        return self._answer(
            lambda seconds: self._exchange.request(
                method, where, headers, body, seconds
            )
        )

    def send(self, data: bytes) -> Tuple[int, bytes]:
        """Send a whole request; return what ``request`` does."""
        return self._answer(
            lambda seconds: self._exchange.send(data, False, seconds)
        )

    def _answer(self, ask: Callable[[float], Response]) -> Tuple[int, bytes]:
        try:
            response = ask(min(TIMEOUT, self._left()))
        except Untrusted as error:
            raise Failure(
                'access',
                f'the certificate of {self._endpoint.url()} is not trusted: '
                f'{error}: {self._needed()}',
            ) from None
        except NoAnswer as error:
            self._left()
            raise Failure(
                'access', f'{self._endpoint.url()} does not answer: {error}'
            ) from None
        head = response.head
        assert head is not None
        self._announced = head.length
        self.raw = response.raw
        return head.status, response.body

    def _needed(self) -> str:
        domain = self._endpoint.domain
        name = f'the name *.{domain}' if domain else 'that name'
        return (
            f'it needs {name}, and an authority that is known or was given '
            'with the keys'
        )

    def has_bucket(self, bucket: str) -> bool:
        """Say whether a bucket is there; Failure when that is refused."""
        status, text = self.request('HEAD', f'/{bucket}')
        if status not in (200, 404):
            what = 'refuses the keys' if status == 403 else 'answers'
            raise Failure(
                'access',
                f'{self._endpoint.url()} {what}: {described(status, text)}',
            )
        return status == 200

    def make_bucket(self, bucket: str, location: str = '') -> bool:
        """Make a bucket; return False when it was there already."""
        path = f'/{bucket}'
        status, _ = self.request('HEAD', path)
        if status == 200:
            return False
        body = b''
        if location:
            body = (
                '<CreateBucketConfiguration xmlns="http://s3.amazonaws.com/'
                f'doc/2006-03-01/"><LocationConstraint>{location}'
                '</LocationConstraint></CreateBucketConfiguration>'
            ).encode()
        status, text = self.request('PUT', path, body)
        if status != 200:
            raise Failure(
                'access',
                f'bucket {bucket!r} cannot be made: '
                + described(status, text),
            )
        return True

    def keep_versions(self, bucket: str) -> None:
        """Have a bucket keep versions; Failure where it does not."""
        path, what = f'/{bucket}', 'versioning='
        body = (
            '<VersioningConfiguration xmlns="http://s3.amazonaws.com/doc/'
            '2006-03-01/"><Status>Enabled</Status></VersioningConfiguration>'
        ).encode()
        digest = hashlib.md5(body, usedforsecurity=False).digest()
        extra = {'Content-MD5': base64.b64encode(digest).decode()}
        status, text = self.request('PUT', path, body, what, extra)
        if status == 200 and not self.has_versions(bucket):
            text = b'it says so, and does not'
        elif status == 200:
            return
        raise Failure(
            'access',
            f'bucket {bucket!r} cannot keep versions: '
            + described(status, text),
        )

    def has_versions(self, bucket: str) -> bool:
        """Say whether a bucket keeps versions, or did.

        A gateway that does not know versions, or does not tell, has none;
        one that is busy fails.
        """
        status, text = self.request('GET', f'/{bucket}', query='versioning=')
        if status in BUSY:
            raise Failure(
                'access',
                f'versions of bucket {bucket!r}: {described(status, text)}',
            )
        return status == 200 and b'<Status>' in text

    def size(
        self, path: str, extra: Optional[Dict[str, str]] = None
    ) -> Optional[int]:
        """Return the bytes of an object; None when it is not there.

        ``path`` is that of its bucket, and its name.
        """
        status, text = self.request('HEAD', path, extra=extra)
        if status == 404:
            return None
        if status != 200:
            raise Failure(
                'access', f'object {path[1:]!r}: {described(status, text)}'
            )
        return self._announced


def described(status: int, text: bytes) -> str:
    """Name an error response by its status and S3 code."""
    found = _CODE.search(text)
    return f'{status} {found.group(1).decode() if found else ""}'.strip()


def nagle(client: Client, bucket: str, name: str) -> Dict[str, Any]:
    """Look whether small reads wait for delayed ACKs.

    Returns the median latencies (s) of HEAD and GET of one small object,
    and whether their difference is that wait.
    """
    path = f'/{bucket}/{name}'
    status, text = client.request('PUT', path, b'x' * 4096)
    if status != 200:
        raise Failure(
            'access',
            f'an object cannot be written: {described(status, text)}',
        )
    took: Dict[str, List[float]] = {'HEAD': [], 'GET': []}
    for _ in range(PROBES):
        for method, times in took.items():
            began = time.monotonic()
            client.request(method, path)
            times.append(time.monotonic() - began)
    client.request('DELETE', path)
    head = statistics.median(took['HEAD'])
    get = statistics.median(took['GET'])
    return {
        'head': head,
        'get': get,
        # the least of them: a busy gateway is now and then slow as well
        'trap': min(took['GET']) - min(took['HEAD']) > NAGLE,
    }
