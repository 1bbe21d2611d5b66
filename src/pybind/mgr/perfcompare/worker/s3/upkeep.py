"""Keep the connections of a loop alive: open, close, retry, give up."""

from typing import Deque, Dict, List, Optional, Tuple

import collections
import heapq
import random
import select
import time

from .connection import Connection, Lost
from .keys import Population
from .mix import Source
from .recorder import Recorder
from .site import Site, Wire
from .spec import DELETE, PUT

BACKOFF_LEAST, BACKOFF_MOST = 0.02, 2.0  # seconds
CONNECT = 10.0  # seconds that an attempt to connect may take


class Upkeep:
    """Hold the connections of a process and count what goes wrong."""

    def __init__(
        self,
        sites: List[Site],
        wire: Wire,
        population: Population,
        connections: int,
        rng: random.Random,
        timeout: float,
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
        self._idle: Deque[Connection] = collections.deque()
        self._busy = 0
        self._source: Optional[Source] = None
        self._recorders: List[Recorder] = []
        self.refused = ''  # why connecting failed last
        self.reconnects = 0
        self.backed_off = 0.0  # seconds, of all connections

    def _ready(self, connection: Connection) -> None:
        raise NotImplementedError

    def _open(self, connection: Connection) -> None:
        try:
            connection.connect()
        except Lost as lost:
            self._drop(connection, str(lost))
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
        self._busy -= 1
        if op == PUT:
            self._population.written(key, good)
        elif op == DELETE:
            self._population.deleted(key, good, kept)
        else:
            self._population.was_read(key)

    def _fail(
        self, connection: Connection, why: str, now: int, text: str = ''
    ) -> None:
        self._recorders[connection.site.index].error(
            connection.op, now, why, text
        )

    def _drop(self, connection: Connection, why: str, text: str = '') -> None:
        """Count what failed, and connect again after a while."""
        now = time.perf_counter_ns()
        failed = connection.op >= 0
        fresh = not connection.used
        if failed:
            self._fail(connection, why, now, text)
            self._settle(connection, False, False)
        elif fresh:
            self.refused = why
            if self._source is not None:
                # no operation was lost by it, but load is missing
                recorder = self._recorders[connection.site.index]
                recorder.trouble(f'connect {why}', now)
        self._close(connection)
        self.reconnects += 1
        if fresh or failed:
            self._delay(connection, now, None)
        else:
            self._open(connection)

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

    def _reopen(self, connection: Connection) -> None:
        self._close(connection)
        self._open(connection)

    def _back_off(
        self, connection: Connection, now: int, asked: Optional[float]
    ) -> None:
        """Keep an overloaded gateway's connection quiet for a while."""
        connection.state = Connection.WAITING
        self._delay(connection, now, asked)

    def _delay(
        self, connection: Connection, now: int, asked: Optional[float]
    ) -> None:
        most = min(BACKOFF_MOST, BACKOFF_LEAST * 2**connection.strikes)
        connection.strikes = min(connection.strikes + 1, 16)
        # jitter: else all come back at once
        seconds = most * (0.5 + 0.5 * self._rng.random())
        if asked is not None:
            seconds = max(seconds, min(asked, 5.0))
        self.backed_off += seconds
        self._serial += 1
        heapq.heappush(
            self._timers, (now + int(seconds * 1e9), self._serial, connection)
        )

    def _wake(self, connection: Connection, now: int) -> None:
        if connection.state != Connection.WAITING:
            return
        if connection.fd < 0:
            self._open(connection)
            return
        connection.state = Connection.IDLE
        self._ready(connection)

    def _expire(self, now: int) -> None:
        """End operations and attempts to connect that take too long."""
        oldest = now - self._timeout
        for connection in self.all:
            if connection.op >= 0:
                if connection.began < oldest:
                    self._drop(connection, 'timeout')
            elif connection.state in (
                Connection.CONNECTING,
                Connection.HANDSHAKE,
            ):
                if connection.began < now - int(CONNECT * 1e9):
                    self._drop(connection, 'timeout')

    def close(self) -> None:
        """Close all connections."""
        for connection in self.all:
            self._close(connection)
        self._poll.close()
