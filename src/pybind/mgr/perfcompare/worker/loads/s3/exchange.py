"""One HTTP request after another, outside of any load, within bounds.

Python's own client reads as much as a server sends, for as long as it goes
on sending, and takes an interim response for the final one.
"""

from typing import Mapping, Optional

import socket
import ssl
import time

from ...wire.timed import Socket, connected, left
from .response import BadResponse, Response

BODY_MAX = 16 << 20  # bytes; 1,000 names of a listing take 2 MiB
PIECE = 65536


class NoAnswer(Exception):
    """Say why a request was not answered."""


class Untrusted(NoAnswer):
    """Say why the certificate of a server is not trusted."""


class Exchange:
    """Keep one connection; it is opened anew when it was closed."""

    def __init__(
        self,
        host: str,
        port: int,
        context: Optional[ssl.SSLContext],
        name: str = '',
    ) -> None:
        """Reach a server, by TLS where there is a ``context``.

        ``name`` is that of its certificate, where it is not ``host``.
        """
        self._address = host, port
        self._name = name or host
        self._context = context
        self._sock: Optional[Socket] = None

    def close(self) -> None:
        """Close the connection."""
        if self._sock is not None:
            self._sock.close()
            self._sock = None

    def request(
        self,
        method: str,
        target: str,
        headers: Mapping[str, str],
        body: bytes,
        seconds: float,
    ) -> Response:
        """Return a whole response, of which ``body`` is the content.

        Raises NoAnswer, also when it takes longer than ``seconds`` in all.
        """
        lines = [f'{method} {target} HTTP/1.1']
        lines += [f'{name}: {value}' for name, value in headers.items()]
        if body or method in ('PUT', 'POST'):
            lines.append(f'Content-Length: {len(body)}')
        data = '\r\n'.join([*lines, '', '']).encode() + body
        return self.send(data, method == 'HEAD', seconds)

    def send(self, data: bytes, bodiless: bool, seconds: float) -> Response:
        """Return the response to a whole request, as ``request`` does."""
        end = time.monotonic() + seconds
        kept = self._sock is not None
        response = Response()
        response.reset(bodiless, BODY_MAX)
        try:
            try:
                self._exchange(data, response, end)
            except (ConnectionError, ssl.SSLError):
                self.close()
                if not kept or response.begun:
                    raise
                self._exchange(data, response, end)
        except socket.timeout:
            self.close()
            raise NoAnswer(f'nothing within {seconds:.0f} s') from None
        except BadResponse as error:
            self.close()
            raise NoAnswer(f'bad response: {error}') from None
        except ssl.SSLCertVerificationError as error:
            self.close()
            raise Untrusted(error.verify_message.rstrip('.')) from None
        except OSError as error:
            self.close()
            raise NoAnswer(error.strerror or str(error)) from None
        assert response.head is not None
        if response.head.close:
            self.close()
        return response

    def _exchange(self, data: bytes, response: Response, end: float) -> None:
        if self._sock is None:
            self._sock = connected(
                self._address, self._context, self._name, end
            )
        sock = self._sock
        sock.settimeout(left(end))
        sock.sendall(data)
        while True:
            sock.settimeout(left(end))
            piece = sock.recv(PIECE)
            if not piece:
                if response.ended():
                    self.close()
                    return
                raise ConnectionResetError('it closed the connection')
            done = response.feed(piece, len(piece))
            if response.length > BODY_MAX and response.body:
                raise BadResponse('too long', f'beyond {BODY_MAX} bytes')
            if done:
                return
