"""Connections whose time is bounded as a whole, not for each read.

A timeout of a socket begins anew with every byte that comes.
"""

from typing import Any, BinaryIO, Optional, Tuple, Union, cast

import http.client
import io
import socket
import ssl
import time

Socket = Union[socket.socket, ssl.SSLSocket]


def left(end: float) -> float:
    """Return the seconds until monotonic time ``end``, or time out."""
    seconds = end - time.monotonic()
    if seconds <= 0:
        raise socket.timeout
    return seconds


def connected(
    address: Tuple[str, int],
    context: Optional[ssl.SSLContext],
    name: str,
    end: float,
) -> Socket:
    """Return a connection, by TLS where there is a ``context``.

    ``name`` is that of the certificate.
    """
    sock = socket.create_connection(address, left(end))
    if context is None:
        return sock
    try:
        sock.settimeout(left(end))
        return context.wrap_socket(sock, server_hostname=name)
    except BaseException:
        sock.close()
        raise


class TimedConnection(http.client.HTTPConnection):
    """Speak HTTP, or HTTPS with a ``context``, until ``end`` at most."""

    def __init__(
        self, host: str, port: int, context: Optional[ssl.SSLContext] = None
    ) -> None:
        super().__init__(host, port)
        if context is not None:
            self.default_port = http.client.HTTPS_PORT
        self._context = context
        self.end = 0.0  # monotonic, set before each request

    def connect(self) -> None:
        """Connect; `request` does it where that is needed."""
        address = self.host, self.port
        sock = connected(address, self._context, self.host, self.end)
        self.sock = _Timed(sock, self)


class _Timed:
    """Be what `http.client` needs of a socket."""

    def __init__(self, sock: Socket, owner: TimedConnection) -> None:
        self._sock = sock
        self._owner = owner
        self.close = sock.close

    def timed(self) -> Socket:
        self._sock.settimeout(left(self._owner.end))
        return self._sock

    def sendall(self, data: bytes) -> None:
        self.timed().sendall(data)

    def makefile(self, mode: str) -> BinaryIO:
        raw = self._sock.makefile('rb', buffering=0)
        return cast(BinaryIO, io.BufferedReader(_Reader(raw, self)))


class _Reader(io.RawIOBase):
    """Set the time that is left before each read."""

    def __init__(self, raw: Any, timed: _Timed) -> None:
        self._raw = raw
        self._timed = timed

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> Optional[int]:
        self._timed.timed()
        found: Optional[int] = self._raw.readinto(buffer)
        return found

    def close(self) -> None:
        self._raw.close()
        super().close()
