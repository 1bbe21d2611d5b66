"""What a job says of itself while its processes make load."""

from typing import Callable, List, Optional, Tuple

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
        # operations that can have been done in all, where those of the
        # phase under way are a part of them
        self.most: Optional[int] = None
        self._phase = ''
        self._span: Optional[Tuple[float, float]] = None
        self._context = context
        self._fleet = fleet
        self._metered = False  # since the begin of what is measured
        self._next = 0.0
        self._seen: Tuple[float, int, int, int] = (0.0, 0, 0, 0)
        self._moved = 0.0

    def begin(self, phase: str) -> None:
        """Say what begins, which is not measured."""
        self._phase, self._span = phase, None

    def measure(self, begin: float, end: float = float('inf')) -> None:
        """Say from when to when (monotonic) is measured what begins now."""
        self._phase, self._span = 'warm-up', (begin, end)
        self._metered = False

    def measured(self) -> None:
        """Read the CPU at the end of what is measured: it is over."""
        self.meter.read(self._fleet().pids)
        self.meter.close()

    def watch(self, states: List[State]) -> None:
        """Report what the processes say, once a period."""
        now = time.monotonic()
        phase = self._phase_at(now)
        fleet = self._fleet()
        due = now >= self._next
        # what is measured may be over before the next report
        if phase == 'measure' and (due or not self._metered):
            self._metered = True
            self.meter.read(fleet.pids)
        if not due:
            return
        self._next = now + REPORT_PERIOD
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
                most=self.most,
            )
        )

    def _phase_at(self, now: float) -> str:
        if self._span is None or now < self._span[0]:
            return self._phase
        return 'measure' if now < self._span[1] else 'drain'
