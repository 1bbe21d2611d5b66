"""The event loop of one generator process: who does what when."""

from typing import Callable, List, Optional

import heapq
import random
import select
import time

from ...wire.s3_spec import DELETE, MULTIPART
from .arrivals import Arrivals
from .connection import Connection, Corrupt, Lost
from .connection_pool import NEVER, OPENS
from .extras import NOTHING, Extras
from .heads import Heads
from .keys import Population
from .mix import Source
from .pauses import Pauses
from .prefetcher import Request, RequestPrefetcher
from .recorder import Recorder
from .sigv4 import Signer
from .site import Site, Wire
from .sockets import IN, OUT
from .uploads import Step
from .verdicts import Verdicts

TICK = 200_000_000  # ns between looks at timeouts and reports
GRACE = 10.0  # seconds beyond the end for what is under way
# Of one look. Room for all that Python allows is 12 KiB, which is not from the
# small pieces that the C library has at hand.
EVENTS = 64


class Loop(Verdicts):
    """Keep connections busy, in closed loop or at a rate."""

    __slots__ = (
        '_lanes',
        '_spare',
        '_verify',
        '_slow',
        '_stock',
        '_end',
        'arrivals',
        '_paced',
        'on_tick',
        '_tick_at',
        'corrupt',
    )

    def __init__(
        self,
        sites: List[Site],
        signers: List[Signer],
        wire: Wire,
        population: Population,
        connections: int,
        rng: random.Random,
        timeout: float,
        verify: float = 0.0,
        signed: bool = False,
        opens: float = OPENS,
        lanes: int = 0,
        checksum: str = '',
        extras: Extras = NOTHING,
    ) -> None:
        """Keep ``lanes`` operations under way, by default as many as there
        are connections; the others help with parts of uploads.
        """
        super().__init__(
            sites, wire, population, connections, rng, timeout, opens
        )
        self._lanes = lanes or connections
        self._spare = self._lanes < connections
        self._wire = wire
        self._verify = verify
        self._heads = Heads(
            sites, signers, wire.payload, signed, checksum, extras
        )
        self._slow = self._heads.slow
        self._stock = RequestPrefetcher(
            len(sites), self._make, self._heads.again
        )
        self._end = 0
        self.arrivals = Arrivals(rng)
        self._paced = False  # operations begin when they are due
        self.on_tick: Callable[[int], bool] = lambda now: True
        self._tick_at = 0
        self._heads.tick(time.time())
        # evidence, of the load under way
        self.corrupt = 0
        self.compared = 0
        self.cut = 0

    # before the load

    def connect(self, until: int) -> int:
        """Connect all; return how many are ready at ``until`` at last."""
        for connection in self.all:
            # what failed before has its turn
            if connection.fd < 0 and not connection.timer:
                self._open(connection)
        while len(self._idle) < len(self.all):
            now = time.perf_counter_ns()
            if now >= until or not self._turn(now, 0.05):
                break
        return len(self._idle)

    # the load

    def run(
        self,
        source: Source,
        recorders: List[Recorder],
        start: int,
        end: int,
        rate: float = 0.0,
        phase: float = 0.0,
        poisson: bool = False,
        think: float = 0.0,
        exponential: bool = False,
        steps: int = 1,
    ) -> None:
        """Do what ``source`` says from ``start`` to ``end`` (ns).

        ``recorders`` are by endpoint. With a ``rate`` operations begin
        1/rate s apart, the first at ``phase`` of a gap, and their latency
        counts from when they were to begin; ``poisson``: that far apart on
        average, each at its own random time. Without one, each of the
        operations under way is a user's, who pauses for ``think`` seconds
        before the next, or ``exponential``: so long on average. In
        ``steps`` of the measured window the rate grows to ``rate``.
        """
        self.reconnects = self.retried = self.corrupt = self.compared = 0
        self.cut = 0
        self.backed_off = 0.0
        self._recorders, self._end = recorders, end
        pauses = None
        if think and not rate:
            pauses = Pauses(self._lanes, think, exponential, start, self._rng)
        self.arrivals = Arrivals(
            self._rng,
            start,
            end,
            rate,
            phase,
            poisson,
            pauses,
            recorders[0].begin,
            steps,
        )
        self._paced = self.arrivals.paced
        self._mark_at = NEVER if rate else end
        self._marked = False
        while True:
            now = time.perf_counter_ns()
            if now >= start:
                break
            if not self._turn(now, min(0.05, (start - now) / 1e9)):
                return
        self._source = source
        self._spare = source.uploads or self._lanes < len(self.all)
        if not self._paced:
            for _ in range(min(len(self._idle), self._lanes)):
                self._next(self._idle.popleft(), now)
        self._drive(now)
        self._source = None
        self.arrivals.queue.clear()
        for upload in self._uploads:  # not ended, or to be aborted
            self._busy -= 1
            self._population.written(upload.key, False)
        self._uploads.clear()
        self._steps.clear()
        self._stock.give_back(source)

    def _drive(self, now: int) -> None:
        last = self._end + int(GRACE * 1e9)
        while True:
            if now >= self._mark_at:
                self._mark()
            if self._paced:
                self._dispatch(now)
            if self._steps:
                self._pump(now)
            if not self._busy and self._over(now):
                return
            if now >= last:
                self._cut(now)
                return
            wait = self.arrivals.left(now, 0.05) if self._paced else 0.05
            if not self._turn(now, wait):
                self._cut(now)
                return
            now = time.perf_counter_ns()

    def _over(self, now: int) -> bool:
        """Say whether nothing is to come where nothing is under way."""
        if self.arrivals.queue:
            return False
        return now >= self._end or self._source is None

    def _dispatch(self, now: int) -> None:
        """Begin what is due; queue it where no connection is free."""
        self.arrivals.come(now, self._busy, bool(self._idle))
        queue = self.arrivals.queue
        while queue and self._idle:
            if self._spare and self._busy >= self._lanes:
                return
            since = queue.popleft()
            self._begin(self._idle.popleft(), since, now)

    def _cut(self, now: int) -> None:
        """Give up what is under way or queued when the load is over."""
        self._judge_unfinished(len(self.arrivals.queue), now)
        self.arrivals.queue.clear()

    def _turn(self, now: int, wait: float) -> bool:
        """Handle what happens within ``wait`` s; False to stop."""
        if self._timers:
            wait = min(wait, max(0.0, (self._timers[0][0] - now) / 1e9))
        if 0 < wait < 0.002:
            # epoll counts in milliseconds, which at a rate is too coarse
            select.select([self._poll], [], [], wait)
            wait = 0.0
        for fd, events in self._poll.poll(wait, EVENTS):
            connection = self._by_fd.get(fd)
            if connection is not None:
                self._event(connection, events)
        now = time.perf_counter_ns()
        while self._timers and self._timers[0][0] <= now:
            _, serial, connection = heapq.heappop(self._timers)
            self._wake(serial, connection, now)
        if now >= self._tick_at:
            self._tick_at = now + TICK
            wall = time.time()
            self._heads.tick(wall)
            self._stock.tick(wall)
            self._expire(now)
            return self.on_tick(now)
        if self._stock.low:
            self._draw_ahead(now)
        return True

    def _draw_ahead(self, now: int) -> None:
        # contents that are signed are hashed: that would keep others waiting
        if self._source is not None and not self._slow and now < self._end:
            self._stock.fill(self._source)

    def _event(self, connection: Connection, events: int) -> None:
        state = connection.state
        try:
            if state == Connection.RECEIVING:
                if connection.receive():
                    self._done(connection)
                    return
            elif state == Connection.SENDING:
                if events & ~OUT and connection.receive():
                    self._done(connection)
                    return
                connection.send()
            elif state == Connection.IDLE:
                connection.idle()
            elif state == Connection.WAITING:
                self._close(connection)  # its timer opens it again
                return
            elif connection.progress():
                self._ready(connection)
                return  # what it began may be lost already
        except Lost as lost:
            self._drop(connection, lost.why, lost.text)
            return
        except Corrupt as corrupt:
            self.corrupt += 1
            self._drop(connection, 'corrupt', str(corrupt))
            return
        if connection.mask != connection.wanted:
            connection.mask = connection.wanted
            self._poll.modify(connection.fd, connection.mask)

    def _ready(self, connection: Connection) -> None:
        if connection.mask != IN:
            connection.wanted = connection.mask = IN
            self._poll.modify(connection.fd, IN)
        if connection.op >= 0:
            self._resend(connection)
        elif self._spare:
            self._free(connection, time.perf_counter_ns())
        elif self._source is not None and not self._paced:
            self._next(connection, time.perf_counter_ns())
        else:
            self._idle.append(connection)

    def _next(self, connection: Connection, now: int) -> None:
        if now >= self._end:
            self._idle.append(connection)
            return
        self._begin(connection, now, now)

    def _begin(self, connection: Connection, since: int, now: int) -> None:
        request = None
        if self._source is not None:
            request = self._stock.take(connection.site.index)
        if request is None:
            self._source = None
            self.arrivals.queue.clear()
            self._idle.append(connection)
            return
        self._busy += 1
        # where there are uploads there is room for their parts
        if self._spare and request.op == MULTIPART:
            assert isinstance(request.key, Step)
            upload = request.key.upload
            upload.since, upload.site = since, connection.site.index
            self._uploads.add(upload)
        self._request(connection, request, since, now)

    def _free(self, connection: Connection, now: int) -> None:
        """Use a connection: for a part, for an operation, or for none."""
        if self._steps:
            self._step(connection, self._steps.popleft(), now)
        elif self._source is None or self._paced or self._busy >= self._lanes:
            self._idle.append(connection)
        else:
            self._next(connection, now)

    def _pump(self, now: int) -> None:
        """Send what uploads have to send, as far as connections are idle."""
        while self._steps and self._idle:
            self._step(self._idle.popleft(), self._steps.popleft(), now)

    def _step(self, connection: Connection, step: Step, now: int) -> None:
        site = step.upload.site = connection.site.index
        request = self._heads.request(site, MULTIPART, step, False)
        self._request(connection, request, now, now)

    def _resend(self, connection: Connection) -> None:
        """Ask once more on a new connection; it counts from the first."""
        op, key = connection.op, connection.key
        assert key is not None
        request = self._heads.request(
            connection.site.index, op, key, connection.checked >= 0
        )
        now = time.perf_counter_ns()
        self._request(connection, request, connection.since, now)

    def _request(
        self, connection: Connection, request: Request, since: int, now: int
    ) -> None:
        try:
            connection.request(request, since, now)
        except Lost as lost:
            self._drop(connection, lost.why, lost.text)
            return
        if connection.mask != connection.wanted:
            connection.mask = connection.wanted
            self._poll.modify(connection.fd, connection.mask)

    def _make(self, endpoint: int) -> Optional[Request]:
        """Draw and sign a request; None when the source has ended."""
        choice = self._source.next() if self._source is not None else None
        if choice is None:
            return None
        op, key = choice
        verify = self._verify > 0 and self._rng.random() < self._verify
        return self._heads.request(endpoint, op, key, verify)

    def _done(self, connection: Connection) -> None:
        now = time.perf_counter_ns()
        if now >= self._mark_at:
            self._mark()
        op, head = connection.op, connection.response.head
        assert head is not None
        # a response before the whole request: the rest cannot be sent
        early = connection.state == Connection.SENDING
        connection.used = True
        if op > DELETE:
            good = self._judge(connection, early, now)
        else:
            good = self._judge_object(connection, early, now)
        if good and not (head.close or early):
            connection.strikes = 0
            self._settle(connection, True, False)
        elif not self._stays(connection, good, early, now):
            return
        connection.state = Connection.IDLE
        if self._spare:
            self._free(connection, now)
        elif self._paced or self._source is None or now >= self._end:
            self._idle.append(connection)
        else:
            self._begin(connection, now, now)

    @property
    def in_flight(self) -> int:
        """Return how many operations are under way."""
        return self._busy
