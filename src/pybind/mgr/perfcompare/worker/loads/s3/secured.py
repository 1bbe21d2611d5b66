"""TLS over a socket that never waits, many records to a system call.

An SSLSocket of Python writes a record of 16 KiB at a time. Where OpenSSL
has AVX-512 (3.1 and newer) those calls cost more than the cipher: without
them puts of 4 MiB take 0.6 times the CPU. The figures are of
qa/bench/s3_vs_warp.py, under BBR.
"""

from typing import Callable, List, Union

import contextlib
import errno
import socket
import ssl

from .site import BUFFER, Wire
from .sockets import IN, OUT

Piece = Union[bytes, memoryview]

# What is encrypted and sent at once. With what TLS adds it fills two segments
# of the loopback and begins no third, which would cost as much as a full one.
CHUNK = 130_000


class Secured:
    """Encrypt what a connection sends and decrypt what it receives.

    Its calls raise BlockingIOError when the socket has to be waited for,
    and another OSError, which an SSLError is, when the connection is lost.
    """

    __slots__ = ('_sock', '_wire', '_in', '_object', '_rest')

    def __init__(self, sock: socket.socket, wire: Wire, name: str) -> None:
        """Prepare for the server of that name, which is verified."""
        assert wire.context is not None
        self._sock = sock
        self._wire = wire
        self._in = ssl.MemoryBIO()
        self._object = wire.context.wrap_bio(
            self._in, wire.sealed, server_hostname=name
        )
        self._rest: Piece = b''  # encrypted, and not yet sent

    def handshake(self) -> int:
        """Go on with it; return the events to wait for, 0: it is done."""
        while True:
            done = True
            try:
                self._object.do_handshake()
            except ssl.SSLWantReadError:
                done = False
            except ssl.SSLError:
                self._collect()
                with contextlib.suppress(OSError):
                    self._flush()  # the server is told why
                raise
            self._collect()
            try:
                self._flush()
            except BlockingIOError:
                return OUT
            if done:
                return 0
            try:
                if not self._fill():
                    raise ConnectionResetError(errno.ECONNRESET, 'closed')
            except BlockingIOError:
                return IN

    def send(self, pieces: List[Piece]) -> None:
        """Send pieces, and take from the list what needs no more care."""
        self._flush()
        while pieces:
            try:
                self._encrypt(pieces)
            finally:
                self._collect()
            self._flush()

    def _encrypt(self, pieces: List[Piece]) -> None:
        room = CHUNK
        while pieces and room > 0:
            piece = pieces[0]
            taken = self._object.write(piece[:room])
            room -= taken
            if taken < len(piece):
                pieces[0] = memoryview(piece)[taken:]
            else:
                del pieces[0]

    def recv_into(self, buffer: bytearray) -> int:
        """Read up to a record; return its size, 0 at the end."""
        read = self._reader()
        if not self._in.pending and not self._fill():
            return 0
        while True:
            try:
                return read(len(buffer), buffer)
            except ssl.SSLWantReadError:
                pass
            finally:
                self._collect()
            if not self._fill():
                return 0

    def discard(self, need: int) -> int:
        """Read up to ``need`` bytes that nobody looks at, or a record more.

        Returns how many there were, 0 at the end.
        """
        read, buffer = self._reader(), self._wire.buffer
        total = 0
        try:
            while total < need:
                try:
                    while total < need:
                        got = read(BUFFER, buffer)
                        if not got:
                            return total
                        total += got
                except ssl.SSLWantReadError:
                    if not self._fill():
                        return total
        except BlockingIOError:
            if not total:
                raise
        finally:
            self._collect()
        return total

    def _reader(self) -> Callable[[int, bytearray], int]:
        # given a buffer, it returns a size
        return self._object.read  # type: ignore[return-value]

    def _fill(self) -> int:
        """Take in what the socket has; return how much, 0 at its end."""
        got = self._sock.recv_into(self._wire.raw)
        if got:
            self._in.write(self._wire.raw_view[:got])
        return got

    def _collect(self) -> None:
        """Take what OpenSSL wrote: all connections have it write there."""
        if self._wire.sealed.pending:
            data = self._wire.sealed.read()
            self._rest = bytes(self._rest) + data if self._rest else data

    def _flush(self) -> None:
        while self._rest:
            sent = self._sock.send(self._rest)
            self._rest = (
                memoryview(self._rest)[sent:]
                if sent < len(self._rest)
                else b''
            )
