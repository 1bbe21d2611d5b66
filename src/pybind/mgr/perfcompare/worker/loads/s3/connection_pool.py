"""Keep the connections of a loop alive: open, close, retry, give up."""

from typing import Deque, Dict, List, Optional, Set, Tuple

import abc
import collections
import heapq
import random
import select
import time

from ...runtime.failure import printable
from ...wire.s3_spec import DELETE, MULTIPART, OVERWRITE, PUT
from .connection import CLOSED, Connection, Lost
from .keys import Key, Population
from .mix import Source
from .recorder import Recorder
from .site import Site, Wire
from .tasks import Task
from .uploads import Step, Upload

BACKOFF_LEAST, BACKOFF_MOST = 0.02, 2.0  # seconds
ASKED_MOST = 5.0  # seconds for which a gateway is left alone if it asks
# Connections/s that are opened after failures, by all processes of a load. A
# client that opens as many as it can is an attack.
OPENS = 80.0
NEVER = 1 << 62
BUSY = (429, 500, 502, 503, 504)  # statuses of who needs a rest
CONNECT = 10_000_000_000  # ns that an attempt to connect may take


class ConnectionPool(abc.ABC):
    """Hold the connections of a process and count what goes wrong."""

    # with the loop's there are more than Python keeps in an object itself
    __slots__ = (
        '_population',
        '_rng',
        '_timeout',
        '_poll',
        'all',
        '_by_fd',
        '_timers',
        '_serial',
        '_gap_of_opens',
        '_expire_at',
        '_open_at',
        '_mark_at',
        '_marked',
        '_idle',
        '_busy',
        '_uploads',
        '_steps',
        '_source',
        '_recorders',
        'refused',
        'reconnects',
        'retried',
        'backed_off',
    )

    def __init__(
        self,
        sites: List[Site],
        wire: Wire,
        population: Population,
        connections: int,
        rng: random.Random,
        timeout: float,
        opens: float = OPENS,
    ) -> None:
        self._population = population
        self._rng = rng
        self._timeout = int(timeout * 1e9)
        self._poll = select.epoll()
        self.all = [
            Connection(sites[i % len(sites)], wire)
            for i in range(connections)
        ]
        self._by_fd: Dict[int, Connection] = {}
        self._timers: List[Tuple[int, int, Connection]] = []
        self._serial = 0
        self._gap_of_opens = int(1e9 / opens)
        self._expire_at = 0  # before it nothing takes too long
        self._open_at = 0  # when the next one may be opened after a failure
        self._mark_at = NEVER  # when a closed loop ends
        self._marked = False  # it did, and it is noted what was under way
        self._idle: Deque[Connection] = collections.deque()
        self._busy = 0
        self._uploads: Set[Upload] = set()
        self._steps: Deque[Step] = collections.deque()  # of uploads, to do
        self._source: Optional[Source] = None
        self._recorders: List[Recorder] = []
        self.refused = ''  # why connecting failed last
        self.reconnects = 0  # connections that were opened once more
        self.retried = 0  # operations sent again: the server had closed
        self.backed_off = 0.0  # seconds, of all connections

    @abc.abstractmethod
    def _ready(self, connection: Connection) -> None:
        """Use a connection that can take a request."""

    def _open(self, connection: Connection) -> None:
        self.reconnects += 1
        connection.timer, connection.admitted = 0, False
        try:
            connection.connect()
        except Lost as lost:
            self._drop(connection, lost.why, lost.text)
            return
        self._by_fd[connection.fd] = connection
        connection.mask = connection.wanted
        self._poll.register(connection.fd, connection.mask)

    def _settle(self, connection: Connection, good: bool, kept: bool) -> None:
        """Say what became of the object of an operation that ended."""
        op, key = connection.op, connection.key
        connection.op, connection.key = -1, None
        if key is None:
            return
        if op == MULTIPART:
            self._part_ended(key, good)
            return
        self._busy -= 1
        if op == PUT:
            self._population.written(key, good)
        elif op == DELETE:
            self._population.deleted(key, good, kept)
        elif op > OVERWRITE:
            assert isinstance(key, Task)
            key.settle(self._population, good, kept)
        else:
            self._population.was_read(key)

    def _stays(
        self, connection: Connection, good: bool, early: bool, now: int
    ) -> bool:
        """Settle an operation; say whether its connection stays in use."""
        op, head = connection.op, connection.response.head
        assert head is not None
        status = head.status
        absent = op == DELETE and status == 404
        self._settle(connection, good, not good and not absent)
        if good:
            connection.strikes = 0
        elif not (absent or head.close or early or status in BUSY):
            connection.strikes = min(connection.strikes + 1, 16)
        if head.close or early:
            self._close(connection)
            if good:
                self._open(connection)
            else:
                self._delay(connection, now, head.retry_after, status in BUSY)
            return False
        if status in BUSY:
            self._delay(connection, now, head.retry_after, True)
            return False
        return True

    def _part_ended(self, key: Key, good: bool) -> None:
        """Note that a request of an upload ended."""
        assert isinstance(key, Step)
        upload = key.upload
        if not good:
            upload.failed = True
        self._steps.extend(upload.ready(key))
        if upload.over:
            self._busy -= 1
            self._uploads.discard(upload)
            self._population.written(upload.key, upload.done)

    def _fail(
        self, connection: Connection, why: str, now: int, text: str = ''
    ) -> None:
        if now >= self._mark_at:
            self._mark()
        key = connection.key
        if isinstance(key, Step) and key.upload.failed:
            return  # one error for an upload, however many parts it has
        self._recorders[connection.site.index].error(
            connection.op, now, why, text
        )

    def _mark(self) -> None:
        """Note what is under way when a closed loop ends, for how long."""
        end, self._mark_at = self._mark_at, NEVER
        self._marked = True
        for connection in self.all:
            if connection.op >= 0 and connection.op != MULTIPART:
                recorder = self._recorders[connection.site.index]
                recorder.under_way(connection.op, end - connection.since)
        for upload in self._uploads:
            if not upload.failed:
                recorder = self._recorders[upload.site]
                recorder.under_way(MULTIPART, end - upload.since)

    def _drop(self, connection: Connection, why: str, text: str = '') -> None:
        """Count what failed, and connect again, after a while if need be."""
        now = time.perf_counter_ns()
        if connection.op >= 0:
            if connection.stale and why in CLOSED:
                # whoever asks on a kept connection may have been too late
                self.retried += 1
                self._close(connection)
                self._delay(connection, now)
                return
            self._fail(connection, why, now, text)
            self._settle(connection, False, False)
        elif connection.used:
            self._close(connection)
            if connection.strikes:
                self._delay(connection, now)
            else:
                self._open(connection)
            return
        else:
            self.refused = printable(f'{why}: {text}' if text else why)
            if self._source is not None:
                # no operation was lost by it, but load is missing
                recorder = self._recorders[connection.site.index]
                recorder.attempt(why, now)
        self._close(connection)
        self._delay(connection, now)

    def _close(self, connection: Connection) -> None:
        if connection.fd >= 0:
            self._by_fd.pop(connection.fd, None)
            if connection.mask:
                self._poll.unregister(connection.fd)
        if connection.state == Connection.IDLE:
            try:
                self._idle.remove(connection)
            except ValueError:
                pass
        connection.close()

    def _delay(
        self,
        connection: Connection,
        now: int,
        asked: Optional[float] = None,
        busy: bool = False,
    ) -> None:
        """Let a connection that failed wait, longer with each failure.

        One that failed after good answers need not, unless the gateway is
        ``busy`` or asked for some seconds; but all take turns to connect.
        """
        connection.state = Connection.WAITING
        seconds = 0.0
        if connection.strikes or busy:
            most = min(BACKOFF_MOST, BACKOFF_LEAST * 2**connection.strikes)
            # jitter: else all come back at once
            seconds = most * (0.5 + 0.5 * self._rng.random())
        connection.strikes = min(connection.strikes + 1, 16)
        if asked is not None:
            seconds = max(seconds, min(asked, ASKED_MOST))
        self._sleep(connection, now, int(seconds * 1e9))

    def _sleep(self, connection: Connection, now: int, span: int) -> None:
        self.backed_off += span / 1e9
        self._serial += 1
        connection.timer = self._serial
        heapq.heappush(self._timers, (now + span, self._serial, connection))

    def _wake(self, serial: int, connection: Connection, now: int) -> None:
        if connection.timer != serial:
            return  # something else became of it
        if connection.fd >= 0:
            connection.timer = 0
            connection.state = Connection.IDLE
            self._ready(connection)
        elif connection.admitted or now >= self._open_at:
            if not connection.admitted:
                self._open_at = now + self._gap_of_opens
            self._open(connection)
        else:
            connection.admitted = True
            self._sleep(connection, now, self._open_at - now)
            self._open_at += self._gap_of_opens

    def _expire(self, now: int) -> None:
        """End operations and attempts to connect that take too long."""
        if now < self._expire_at:
            return
        at = now + min(self._timeout, CONNECT)  # of what begins from here on
        for connection in self.all:
            if connection.op >= 0:
                limit = connection.began + self._timeout
            elif connection.state in (
                Connection.CONNECTING,
                Connection.HANDSHAKE,
            ):
                limit = connection.began + CONNECT
            else:
                continue
            if limit < now:
                self._drop(connection, 'timeout')
            else:
                at = min(at, limit)
        self._expire_at = at

    def close(self) -> None:
        """Close all connections."""
        for connection in self.all:
            self._close(connection)
        self._poll.close()
