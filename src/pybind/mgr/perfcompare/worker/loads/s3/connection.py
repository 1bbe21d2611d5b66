"""One keep-alive connection to a gateway: connect, send, receive.

It never waits and never decides what comes next. What goes wrong is
raised as Lost (the connection is of no use any more).
"""

from typing import List, Optional, Tuple

import errno
import os
import socket
import ssl
import time

from ...wire.s3_spec import DELETE, GET, PUT, RANGE, STAT
from . import sockets
from .keys import Key
from .payload import BLOCK
from .prefetcher import Request
from .response import BadResponse, Response
from .secured import Piece, Secured
from .site import BUFFER, Site, Wire
from .sockets import IN, OUT

# Below it one call sends head and content; above, the kernel copies from
# a file of its own, which takes a third of the CPU.
INLINE = 128 << 10
ONE_RECORD = 16000  # bytes of content that a record of TLS takes with a head


class Lost(Exception):
    """End a connection; ``why`` names the reason in a word or two.

    It is one of few; ``text`` tells more of this one.
    """

    def __init__(self, why: str, text: str = '') -> None:
        super().__init__(why)
        self.why = why
        self.text = text


# how a connection ends that its server closed while nobody used it
CLOSED = ('closed', 'ECONNRESET', 'EPIPE')


class Connection:
    """Do one request after another."""

    CONNECTING, HANDSHAKE, IDLE, SENDING, RECEIVING, WAITING = range(6)

    __slots__ = (
        'site',
        'state',
        'op',
        'key',
        'since',
        'began',
        'first',
        'response',
        'wanted',
        'used',
        'strikes',
        'fd',
        'mask',
        'checked',
        '_sock',
        '_tls',
        '_wire',
        '_out',
        '_file',
        '_low',
        'timer',
        'admitted',
    )

    def __init__(self, site: Site, wire: Wire) -> None:
        self.site = site
        self.state = self.WAITING
        self.op = -1  # none is under way
        self.key: Optional[Key] = None
        self.since = 0  # when the operation was to begin, ns
        self.began = 0  # when it did
        self.first = 0  # when its first byte came
        self.response = Response()
        self.wanted = IN  # events that it waits for
        self.mask = 0  # events that epoll was told
        self.used = False  # a response came over it
        self.strikes = 0  # failures in a row
        self.fd = -1
        self.checked = -1  # bytes compared, -1: not compared
        self._sock: Optional[socket.socket] = None
        self._tls: Optional[Secured] = None
        self._wire = wire
        self._out: List[Piece] = []
        self._file: Tuple[int, int] = (0, 0)
        self._low = 1  # bytes that epoll waits for
        self.timer = 0  # that wakes it up, 0: none
        self.admitted = False  # that one is its turn to connect

    # life

    def connect(self) -> None:
        """Begin to connect; raise Lost when that fails at once."""
        family, address = self.site.address()
        self.used, self._low = False, 1
        try:
            sock = socket.socket(family, socket.SOCK_STREAM)
        except OSError as error:  # no descriptor is left
            raise Lost(_why(error)) from None
        self._sock, self.fd = sock, sock.fileno()
        sock.setblocking(False)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.began = time.perf_counter_ns()
        code = sock.connect_ex(address)
        if code not in (0, errno.EINPROGRESS):
            raise Lost(_reason(code))
        self.state, self.wanted = self.CONNECTING, OUT

    def progress(self) -> bool:
        """Go on connecting; return whether it is ready for requests."""
        sock = self._sock
        assert sock is not None
        if self.state == self.CONNECTING:
            code = sock.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
            if code:
                raise Lost(_reason(code))
            try:
                sockets.fit(sock)
            except OSError:
                raise Lost('closed at once') from None
            if self.site.tls:
                self._tls = Secured(sock, self._wire, self.site.name)
                self.state = self.HANDSHAKE
        if self._tls is not None:
            try:
                wanted = self._tls.handshake()
            except ssl.SSLCertVerificationError as error:
                raise Lost(
                    'certificate not trusted', error.verify_message
                ) from None
            except OSError as error:
                raise Lost(_why(error)) from None
            if wanted:
                self.wanted = wanted
                return False
        self.state, self.wanted = self.IDLE, IN
        return True

    def close(self) -> None:
        """Close; what was under way is the caller's to count."""
        if self._sock is not None:
            try:
                self._sock.close()
            except OSError:
                pass
        self._sock, self._tls, self.fd, self.mask = None, None, -1, 0
        # what was not sent of a request is no part of the next one
        self._out, self._file = [], (0, 0)
        self.state = self.WAITING

    @property
    def stale(self) -> bool:
        """Say that it was kept, and that nobody answered on it since."""
        return self.used and not self.response.begun

    def idle(self) -> None:
        """Look at what came unasked: TLS tickets may; raise Lost."""
        if self._tls is not None:
            try:
                if self._tls.recv_into(self._wire.buffer):
                    raise Lost('bytes while idle')
            except BlockingIOError:
                return
            except OSError as error:
                raise Lost(_why(error)) from None
        raise Lost('closed while idle')

    # one request

    def request(self, request: Request, since: int, began: int) -> None:
        """Send as much of a request as the socket takes; raise Lost."""
        op, key, head, verify, pieces = request
        self.op, self.key, self.since = op, key, since
        self.began, self.first = began, 0
        self.response.reset(op == STAT)
        self.checked = 0 if verify and op == GET else -1
        if pieces is not None:
            self._pieces(key, verify, pieces)
            return
        if op == PUT:
            self.response.looks = verify
            self._put(key, head)
            return
        if op > DELETE:
            self._more(op, key, head, verify)
            return
        if self._tls is None:
            self._plain(head)
            return
        self._out = [head]
        self.send()

    def _plain(self, head: bytes) -> None:
        """Send what is but a head: whole, nearly always."""
        try:
            sent = self._sock.send(head)  # type: ignore[union-attr]
        except BlockingIOError:
            sent = 0
        except OSError as error:
            raise Lost(_why(error)) from None
        if sent == len(head):
            self.state, self.wanted = self.RECEIVING, IN
            return
        self._out = [memoryview(head)[sent:]]
        self.send()

    def _more(self, op: int, key: Key, head: bytes, verify: bool) -> None:
        """Send what is more than an object and its name."""
        if key.keep:
            self.response.keep(key.keep)
        self.response.looks = op == RANGE or verify
        if op == RANGE and verify:
            self.checked = 0
        if key.body is None:
            self._put(key, head)
            return
        self._out = [head + key.body]
        self.send()

    def _pieces(self, key: Key, verify: bool, pieces: List[Piece]) -> None:
        """Send a head with a content that is more than the object's."""
        if key.keep:
            self.response.keep(key.keep)
        self.response.looks = verify
        if key.size <= (INLINE if self._tls is None else ONE_RECORD):
            pieces = [b''.join(pieces)]
        self._out = pieces
        self.send()

    def _put(self, key: Key, head: bytes) -> None:
        payload = self._wire.payload
        if self._tls is not None:
            pieces = payload.pieces(key.number, key.size, key.start)
            self._out = [head, *pieces]
            if key.size <= ONE_RECORD:
                self._out = [b''.join(self._out)]
        elif key.size <= INLINE:
            content = payload.view(key.number, key.start, key.size)
            try:
                sent = self._sock.sendmsg(  # type: ignore[union-attr]
                    (head, content)
                )
            except BlockingIOError:
                sent = 0
            except OSError as error:
                raise Lost(_why(error)) from None
            rest = sent - len(head)
            if rest == key.size:
                self.state, self.wanted = self.RECEIVING, IN
                return
            if rest < 0:
                self._out = [memoryview(head)[sent:], content]
            else:
                self._out = [content[rest:]]
        else:
            at = payload.offset(key.number) + key.start
            self._out = [head]
            self._file = (at, at + key.size)
        self.send()

    def send(self) -> None:
        """Send on; afterwards `state` says whether all is sent."""
        sock = self._sock
        assert sock is not None
        out = self._out
        try:
            if self._tls is not None:
                self._tls.send(out)
            while out:
                sent = sock.send(out[0])
                if sent < len(out[0]):
                    out[0] = memoryview(out[0])[sent:]
                else:
                    del out[0]
            at, end = self._file
            while at < end:
                at += os.sendfile(
                    self.fd,
                    self._wire.payload.file(),
                    at % BLOCK,
                    min(end - at, BLOCK),
                )
                self._file = (at, end)
        except BlockingIOError:
            self.state, self.wanted = self.SENDING, IN | OUT
            return
        except OSError as error:
            raise Lost(_why(error)) from None
        self._file = (0, 0)
        self.state, self.wanted = self.RECEIVING, IN

    def receive(self) -> bool:
        """Receive what is there; return whether the response is complete.

        A response may come before all was sent (an error): then the
        connection cannot be used again.
        """
        wire, response, sock = self._wire, self.response, self._sock
        assert sock is not None
        tls = self._tls
        source = sock if tls is None else tls
        while True:
            need = response.need
            blind = need > 0 and self.checked < 0 and not response.kept
            want = min(need, BUFFER) if blind else BUFFER
            try:
                if not blind:
                    got = source.recv_into(wire.buffer)
                elif tls is not None:
                    got = tls.discard(need)
                else:
                    # the kernel drops what nobody looks at: no copy
                    got = sock.recv_into(wire.view, want, socket.MSG_TRUNC)
            except BlockingIOError:
                self._wait_for(sockets.part(need, self.site.tls))
                return False
            except OSError as error:
                raise Lost(_why(error)) from None
            if not got:
                if response.ended():
                    return True
                known = self.used or response.begun
                raise Lost('closed' if known else 'closed at once')
            try:
                if blind:
                    done = response.skip(got)
                elif self.checked < 0:
                    done = response.feed(wire.buffer, got)
                else:
                    done = self._compare(got)
            except BadResponse as error:
                raise Lost(
                    f'bad response: {error.name}', error.detail
                ) from None
            if (
                self.op == GET
                and not self.first
                and response.head is not None
            ):
                self.first = time.perf_counter_ns()
            if done:
                if self._low != 1:
                    self._wait_for(1)
                return True
            if got < want and tls is None:
                self._wait_for(sockets.part(response.need, False))
                return False

    def _wait_for(self, size: int) -> None:
        """Be woken when ``size`` bytes are there."""
        if size != self._low:
            assert self._sock is not None
            sockets.wake_at(self._sock, size)
            self._low = size

    def _compare(self, got: int) -> bool:
        """Take bytes of a read whose content is compared."""
        response, key = self.response, self.key
        assert key is not None
        # all that came of the content is in `body`
        response.keep(BUFFER + 65536)
        done = response.feed(self._wire.buffer, got)
        if response.head is None or response.head.status >= 300:
            return done
        data, response.body = response.body, b''
        if data and self.checked >= 0:
            at = key.start + self.checked
            if not self._wire.payload.same(key.number, at, data):
                raise Corrupt(
                    f'object {key.path.decode()} differs within the '
                    f'{len(data)} bytes from {at}'
                )
            self.checked += len(data)
        return done


class Corrupt(Exception):
    """Say that a read returned other bytes than were written."""


def _reason(code: int) -> str:
    return errno.errorcode.get(code, f'error {code}')


def _why(error: OSError) -> str:
    if isinstance(error, ssl.SSLError):
        return f'TLS: {error.reason or type(error).__name__}'
    return _reason(error.errno or 0)
