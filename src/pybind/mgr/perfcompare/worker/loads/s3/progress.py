"""What a job says of itself while its processes make load."""

from typing import Callable, List, Tuple

import time

from ...runtime import procstat
from ...runtime.context import Context
from ...wire.protocol import REPORT_PERIOD, Live
from .fleet import Fleet
from .shared_state import State


class Progress:
    """Emit reports, and read the CPU while it is measured."""

    def __init__(self, context: Context, fleet: Callable[[], Fleet]) -> None:
        self.meter = procstat.Meter()
        self.phase = ''
        self.span = (0.0, 0.0)  # of the measured window, monotonic
        self._context = context
        self._fleet = fleet
        self._next = 0.0
        self._seen: Tuple[float, int, int, int] = (0.0, 0, 0, 0)
        self._moved = 0.0

    def watch(self, states: List[State]) -> None:
        """Report what the processes say, once a period."""
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + REPORT_PERIOD
        fleet = self._fleet()
        phase = self.phase
        if self.span[0]:
            if now < self.span[0]:
                phase = 'warm-up'
            else:
                phase = 'measure' if now < self.span[1] else 'drain'
        if phase == 'measure':
            self.meter.read(fleet.pids)
        ops = sum(s.finished for s in states)
        moved = sum(s.moved for s in states)
        waited = sum(s.waited for s in states)
        then, ops_then, moved_then, waited_then = self._seen
        done, seconds = ops - ops_then, now - then
        fresh = then > 0 and done >= 0 and seconds > 0
        if done or not then:
            self._moved = now
        self._seen = (now, ops, moved, waited)
        context = self._context
        context.outbox.emit(
            Live(
                wall=context.wall(now),
                t=now - context.start[1],
                phase=phase,
                ops=ops,
                ops_per_s=done / seconds if fresh else None,
                bytes_per_s=(moved - moved_then) / seconds if fresh else None,
                latency=(
                    (waited - waited_then) / done / 1e9
                    if fresh and done
                    else None
                ),
                in_flight=sum(s.in_flight for s in states),
                stalled=now - self._moved,
                clients=len(states),
                dropped=context.outbox.dropped,
                errors=sum(s.failed for s in states),
                slices=fleet.slices(),
            )
        )
