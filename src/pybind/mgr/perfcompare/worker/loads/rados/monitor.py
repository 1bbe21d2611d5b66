"""What is seen of a job while it runs, without being in its way."""

from typing import Any, Callable, Dict, List, Optional, Tuple

import time

from ...runtime.procstat import Meter
from ...wire.protocol import REPORT_PERIOD, Event, Live
from .asok import ask
from .clients import Client, to_poll

PERIOD = 1.0
ANSWER = 0.4  # seconds that admin sockets get to answer, all together


class Monitor:
    """Poll the clients' admin sockets and CPU, and report progress."""

    def __init__(
        self,
        clients: List[Client],
        folder: str,
        emit: Callable[[Event], None],
        dropped: Callable[[], int],
        size: int,
        start: Tuple[float, float],
        phase: Callable[[float], str],
        period: float = PERIOD,
    ) -> None:
        self.clients = clients
        self.meter = Meter()
        self._folder = folder
        self._emit = emit
        self._dropped = dropped
        self._size = size
        self._wall, self._mono = start
        self._phase = phase
        self._period = period
        self._report_at = start[1] + REPORT_PERIOD / 2
        self._next = start[1] + period / 2
        self._seen = (start[1], 0, 0.0)  # at, operations, seconds waited
        self._moved = start[1]
        self.stalled = 0.0  # seconds since an operation finished

    def tick(self) -> None:
        """Do what is due; cheap when nothing is.

        Sockets are asked every ``period`` s, all else is done every second.
        """
        if time.monotonic() < self._next:
            return
        running = {c: c.socket for c in self.clients if c.child is not None}
        replies = ask(
            self._folder,
            running,
            ANSWER,
            prefix='perf dump',
            logger='objecter',
        )
        now = time.monotonic()
        self._next = max(self._next + self._period, now + self._period / 2)
        for client, (at, reply) in replies.items():
            poll = to_poll(at, reply)
            if poll is not None:
                client.add(poll)
        if now < self._report_at:
            return
        self._report_at = max(
            self._report_at + REPORT_PERIOD, now + REPORT_PERIOD / 2
        )
        if self._phase(now - self._mono) == 'measure':
            self.meter.read(
                {c.child.pid: c.index for c in running if c.child}
            )
        self._report(now, len(replies))

    def _report(self, now: float, answered: int) -> None:
        totals = [c.totals() for c in self.clients]
        ops = sum(t[0] for t in totals)
        waited = sum(t[1] for t in totals)
        then, ops_then, waited_then = self._seen
        seconds, done = now - then, ops - ops_then
        if done > 0 or not answered:
            self._moved = now
        self.stalled = now - self._moved
        rate: Optional[float] = None
        if seconds > 0 and done >= 0 and answered:
            rate = done / seconds
        self._seen = (now, ops, waited)
        latency = (waited - waited_then) / done if done > 0 else None
        t = now - self._mono
        self._emit(
            Live(
                wall=self._wall + t,
                t=t,
                phase=self._phase(t),
                ops=ops,
                ops_per_s=rate,
                bytes_per_s=None if rate is None else rate * self._size,
                latency=latency,
                in_flight=sum(
                    c.last.in_flight for c in self.clients if c.last
                ),
                stalled=self.stalled,
                clients=answered,
                dropped=self._dropped(),
            )
        )

    def stuck(self) -> str:
        """Say on which OSDs operations wait, for an error message."""
        running = {c: c.socket for c in self.clients if c.child is not None}
        replies = ask(
            self._folder, running, 2 * ANSWER, prefix='objecter_requests'
        )
        return stuck_text([r for _, r in replies.values()], len(running))


def stuck_text(replies: List[Any], clients: int) -> str:
    """Sum up answers to `objecter_requests` of ``clients`` clients."""
    by_osd: Dict[int, int] = {}
    paused, oldest = 0, 0.0
    for reply in replies:
        try:
            for op in reply['ops']:
                osd = int(op['osd'])
                by_osd[osd] = by_osd.get(osd, 0) + 1
                paused += bool(int(op.get('paused', 0)))
                if int(op.get('attempts', 1)) > 0:  # else it has no age
                    oldest = max(oldest, float(op.get('age', 0.0)))
        except (KeyError, TypeError, ValueError):
            continue
    if not by_osd:
        if len(replies) < clients:
            return 'a load process does not answer'
        return 'no operation is waiting'
    count = sum(by_osd.values())
    text = '1 operation waits' if count == 1 else f'{count} operations wait'
    if oldest > 0:
        text += f', the oldest for {oldest:.0f} s'
    if paused:
        return f'{text}; {paused} are paused: the pool or cluster is full'
    places = [
        f'osd.{osd} ({n})' if osd >= 0 else f'no OSD ({n})'
        for osd, n in sorted(by_osd.items(), key=lambda i: -i[1])[:5]
    ]
    return f'{text}, on ' + ', '.join(places)
