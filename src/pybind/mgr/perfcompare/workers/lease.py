"""The lease of a run's load: renewed by the mgr while a mon answers."""

from typing import List, Optional

import logging

from ..common.errors import PerfcompareError
from ..ports.clock import Clock
from ..ports.health import Mons
from .worker import Worker

log = logging.getLogger(__name__)


class Lease:
    """Know whether the mgr may keep load going: a mon must answer."""

    def __init__(self, mons: Mons, seconds: float, clock: Clock) -> None:
        self._mons = mons
        self._seconds = seconds
        self._clock = clock
        self._renewed = clock.monotonic()
        self._due = 0.0
        self._error = ''
        self._others: List[Worker] = []

    def problem(self) -> str:
        """Return why the lease is lost, empty while it is not."""
        silent = self._clock.monotonic() - self._renewed
        if silent <= self._seconds:
            return ''
        return f'no Monitor answered for {silent:.0f} s ({self._error})'

    def hold(self, worker: Optional[Worker] = None) -> None:
        """Renew, when it is due, for the mgr and the worker's load.

        A mgr that cannot reach the mons renews nothing: the worker then
        ends its load by itself.
        """
        now = self._clock.monotonic()
        if now < self._due:
            return
        try:
            self._mons.mon_round_trip()
        except PerfcompareError as error:
            self._error = error.message
            # from now: to ask a silent mon took seconds by itself
            self._due = self._clock.monotonic() + 1.0
            log.warning('lease not renewed: %s', error.message)
            return
        self._renewed = self._clock.monotonic()
        self._due = now + self._seconds / 3
        for held in ([worker] if worker else []) + self._others:
            if not held.ended:
                held.renew(self._seconds)

    def join(self, worker: Worker) -> None:
        """Renew a further worker's lease too, whenever one is renewed."""
        self._others.append(worker)

    def leave(self, worker: Worker) -> None:
        """Renew that worker's lease no more; fine when it was not."""
        if worker in self._others:
            self._others.remove(worker)

    def fresh(self) -> None:
        """Make the next ``hold`` renew at once: there is a new worker."""
        self._due = 0.0
