"""What is seen of a load on images while it runs."""

from typing import Any, Callable, Dict, Sequence, Tuple

import time

from ...runtime.context import Context
from ...runtime.readings import Readings
from ...wire.protocol import REPORT_PERIOD, Live, Slice
from ..rados.asok import ask
from ..rados.monitor import ANSWER, stuck_text
from .process import Process, counters


class Monitor:
    """Ask the admin sockets of fio processes, and report progress."""

    def __init__(
        self,
        processes: Sequence[Process],
        context: Context,
        phase: Callable[[float], str],
    ) -> None:
        # programs tell at their end when their measured time was
        self.cpu = Readings()
        self.library = ''  # version of librbd in fio, as its socket says
        self.stalled = 0.0  # seconds since an operation ended
        self._processes = processes
        self._context = context
        self._phase = phase
        now = time.monotonic()
        self._next = now + REPORT_PERIOD / 2
        self._seen = (now, 0, 0, 0.0)  # at, operations, bytes, waited
        self._moved = now

    def tick(self) -> None:
        """Do what is due, once per second; cheap when nothing is."""
        if time.monotonic() < self._next:
            return
        running = [p for p in self._processes if p.child is not None]
        sockets = {p.index: p.socket for p in running}
        folder = self._context.folder
        if not self.library:
            self._ask_version(sockets)
        replies = ask(folder, sockets, ANSWER, prefix='perf dump')
        now = time.monotonic()
        self._next = max(self._next + REPORT_PERIOD, now + REPORT_PERIOD / 2)
        heard = 0
        for process in running:
            at, reply = replies.get(process.index, (now, None))
            found = counters(reply)
            if found is not None:
                process.heard(at, found)
                heard += 1
        self.cpu.read({p.child.pid: p.index for p in running if p.child})
        self._report(now, heard)

    def _ask_version(self, sockets: Dict[int, str]) -> None:
        replies = ask(self._context.folder, sockets, ANSWER, prefix='version')
        for _, reply in replies.values():
            self.library = version(reply)

    def _report(self, now: float, heard: int) -> None:
        context = self._context
        held = [p.last for p in self._processes if p.last is not None]
        ops = sum(c.ops for c in held)
        moved = sum(c.bytes for c in held)
        waited = sum(c.waited for c in held)
        then, ops_then, moved_then, waited_then = self._seen
        seconds, done = now - then, ops - ops_then
        self._seen = (now, ops, moved, waited)
        if done > 0 or not heard:
            self._moved = now
        self.stalled = now - self._moved
        known = heard > 0 and seconds > 0 and done >= 0
        slices = self._slices()
        t = now - context.start[1]
        context.outbox.emit(
            Live(
                wall=context.wall(now),
                t=t,
                phase=self._phase(t),
                ops=ops,
                ops_per_s=done / seconds if known else None,
                bytes_per_s=(moved - moved_then) / seconds if known else None,
                latency=(waited - waited_then) / done if done > 0 else None,
                in_flight=sum(c.in_flight for c in held),
                stalled=self.stalled,
                clients=heard,
                dropped=context.outbox.dropped,
                errors=sum(p.errors for p in self._processes),
                slices=slices,
            )
        )

    def _slices(self) -> Tuple[Slice, ...]:
        return tuple(part for p in self._processes for part in p.slices())

    def stuck(self) -> str:
        """Say on which OSDs operations wait, for an error message."""
        running = {
            p.index: p.socket for p in self._processes if p.child is not None
        }
        replies = ask(
            self._context.folder,
            running,
            2 * ANSWER,
            prefix='objecter_requests',
        )
        return stuck_text([r for _, r in replies.values()], len(running))


def version(reply: Any) -> str:
    """Read an answer to `version`; '' where it is none."""
    try:
        found = f'{reply["version"]} {reply["release"]}'
    except (LookupError, TypeError):
        return ''
    return found[:80] if found.isprintable() else ''
