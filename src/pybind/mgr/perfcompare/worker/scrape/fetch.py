"""Fetch a page over HTTP or HTTPS, within a time limit for the whole."""

from typing import Dict, List, Optional

import base64
import http.client
import json
import os
import socket
import ssl
import stat
import time
import urllib.parse

from ..wire.timed import TimedConnection
from ..wire.urls import check_url

BODY_MAX = 8 << 20  # bytes; many are held at the same time
USER_AGENT = 'perfcompare'


class FetchError(Exception):
    """Say in a few words why a page could not be had."""


class NoAnswer(FetchError):
    """Say that it was given up: whoever was asked may still be at work."""


def read_credentials(path: str) -> Dict[str, str]:
    """Return the user and password in a JSON file that is ours alone.

    Raises FetchError when others can read it, or it cannot be used.
    """
    if not path:
        return {}
    try:
        with open(path, encoding='utf-8') as file:
            mode = os.fstat(file.fileno()).st_mode
            data = json.load(file)
    except (OSError, ValueError) as error:
        raise FetchError(f'credentials file: {_reason(error)}') from None
    if stat.S_IMODE(mode) & 0o077:
        raise FetchError('credentials file: others can read it')
    if not isinstance(data, dict) or not all(
        isinstance(data.get(key), str) for key in ('username', 'password')
    ):
        raise FetchError('credentials file: no username and password')
    return {key: data[key] for key in ('username', 'password')}


def tls_context(ca_file: str) -> ssl.SSLContext:
    """Return a context that trusts ``ca_file``, or the host's own CAs."""
    try:
        return ssl.create_default_context(cafile=ca_file or None)
    except (OSError, ssl.SSLError) as error:
        raise FetchError(f'CA file: {_reason(error)}') from None


class Page:
    """Fetch one URL again and again, over one connection while it lasts.

    Credentials go over TLS only. Redirects and proxies are not followed.
    """

    def __init__(
        self,
        url: str,
        tls: Optional[ssl.SSLContext] = None,
        credentials: Optional[Dict[str, str]] = None,
        most: int = BODY_MAX,
    ) -> None:
        """Take answers of ``most`` bytes."""
        problem = check_url(url)
        if problem:
            raise FetchError(f'URL {url!r}: {problem}')
        self.url = url
        parts = urllib.parse.urlsplit(url)
        self._host = parts.hostname or ''
        self._secure = parts.scheme == 'https'
        self._port = parts.port or (443 if self._secure else 80)
        self._path = parts.path or '/'
        self._query = parts.query
        self._tls = tls
        self._most = most
        self._headers = {
            'User-Agent': USER_AGENT,
            'Accept': 'text/plain;version=0.0.4',
            'Accept-Encoding': 'identity',
        }
        if credentials and self._secure:
            pair = f'{credentials["username"]}:{credentials["password"]}'
            token = base64.b64encode(pair.encode()).decode('ascii')
            self._headers['Authorization'] = f'Basic {token}'
        self._connection: Optional[TimedConnection] = None

    def get(self, timeout: float, query: str = '') -> bytes:
        """Return the body; raise FetchError after ``timeout`` s at most."""
        end = time.monotonic() + timeout
        reused = self._connection is not None
        try:
            return self._get(end, query)
        except (OSError, http.client.HTTPException) as error:
            self.close()
            # the exporter may have closed a connection that was idle
            if not reused or time.monotonic() >= end:
                raise _failure(error, timeout) from None
        except BaseException:
            self.close()
            raise
        try:
            return self._get(end, query)
        except (OSError, http.client.HTTPException) as error:
            self.close()
            raise _failure(error, timeout) from None

    def _get(self, end: float, query: str) -> bytes:
        connection = self._connection
        if connection is None:
            connection = self._connection = self._connect()
        connection.end = end
        both = '&'.join(q for q in (self._query, query) if q)
        path = self._path + (f'?{both}' if both else '')
        connection.request('GET', path, headers=self._headers)
        response = connection.getresponse()
        parts: List[bytes] = []
        size = 0
        while True:
            data = response.read1(1 << 18)
            if not data:
                break
            size += len(data)
            if size > self._most:
                raise FetchError(f'more than {self._most >> 20} MiB')
            parts.append(data)
        if response.length:
            raise FetchError('the answer is cut')
        will_close = response.will_close
        # read1() leaves it open at its end, and the next request would fail
        response.close()
        if response.status != 200:
            raise FetchError(
                f'HTTP status {response.status} {response.reason}'.strip()
            )
        if will_close:
            self.close()
        return b''.join(parts)

    def _connect(self) -> TimedConnection:
        context: Optional[ssl.SSLContext] = None
        if self._secure:
            context = self._tls or ssl.create_default_context()
        return TimedConnection(self._host, self._port, context)

    def close(self) -> None:
        """Close the connection; the next `get` opens another."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _failure(error: Exception, timeout: float) -> FetchError:
    if isinstance(error, socket.timeout):
        return NoAnswer(f'no answer within {timeout:.1f} s')
    return FetchError(_reason(error))


def _reason(error: Exception) -> str:
    """Return a few words without addresses of memory or secrets."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return f'certificate refused: {error.verify_message}'
    if isinstance(error, ssl.SSLError):
        return f'TLS failed: {error.reason or "unknown reason"}'
    if isinstance(error, http.client.RemoteDisconnected):
        return 'the connection was closed without an answer'
    if isinstance(error, http.client.HTTPException):
        return f'no HTTP answer ({type(error).__name__})'
    if isinstance(error, OSError):
        return error.strerror or str(error)
    return str(error)
