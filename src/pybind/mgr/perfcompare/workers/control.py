"""The brakes of a run: cancel, stop at once, shutdown; and waiting."""

from typing import Callable, Optional

import logging
import threading

from ..common.clock import SYSTEM
from ..common.errors import PerfcompareError
from ..model.run import RunState
from ..ports.clock import EventClock

log = logging.getLogger(__name__)

RETRY = 1.0  # seconds until the mons are asked again; doubled, up to 30


class Stopped(Exception):
    """Leave the run's work at once, towards an end state."""

    def __init__(self, state: RunState, reason: str) -> None:
        super().__init__(reason)
        self.state = state
        self.reason = reason


class Control:
    """Carry a stop request from any thread to the thread that runs.

    The killer of the load under way is called in the requesting thread, so
    that load ends within moments whatever the run's thread waits for. It is
    the clock of the run, too: its waits end with the run.
    """

    def __init__(self, clock: EventClock = SYSTEM) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._event = threading.Event()
        self._stop: Optional[Stopped] = None
        self._kill: Optional[Callable[[], None]] = None

    def request(
        self, state: RunState, reason: str, kill: bool = False
    ) -> None:
        """Ask the run to end in ``state``; the first request stands.

        With ``kill`` the load is killed before this returns.
        """
        with self._lock:
            if self._stop is None:
                self._stop = Stopped(state, reason)
            killer = self._kill if kill else None
        self._event.set()
        if killer:
            killer()

    @property
    def requested(self) -> bool:
        """Say whether the run was asked to end."""
        return self._event.is_set()

    @property
    def stop(self) -> Optional[Stopped]:
        """Return how the run was asked to end, None when it was not."""
        return self._stop

    def check(self) -> None:
        """Raise Stopped when the run was asked to end."""
        if self._event.is_set():
            assert self._stop is not None
            raise self._stop

    def attach(self, kill: Callable[[], None]) -> None:
        """Name what kills the load under way."""
        with self._lock:
            self._kill = kill
        # a request may have come between the start of load and this call
        self.check()

    def detach(self) -> None:
        """Say that no load is under way."""
        with self._lock:
            self._kill = None

    def monotonic(self) -> float:
        """Return seconds that only grow."""
        return self._clock.monotonic()

    def wall(self) -> float:
        """Return seconds since 1970."""
        return self._clock.wall()

    def wait(self, seconds: float) -> None:
        """Wait; raise Stopped as soon as the run is asked to end."""
        self._clock.wait_for(self._event, max(0.0, seconds))
        self.check()

    def wait_until(
        self,
        done: Callable[[], bool],
        timeout: float,
        interval: float = 0.5,
    ) -> bool:
        """Poll ``done`` until it holds; return False after ``timeout``."""
        deadline = self.monotonic() + timeout
        while not done():
            if self.monotonic() >= deadline:
                return False
            self.wait(interval)
        return True


def retry_until_stopped(
    what: str,
    work: Callable[[], None],
    stopping: threading.Event,
    clock: EventClock = SYSTEM,
) -> None:
    """Repeat ``work`` until the mons answer, or the module stops."""
    delay = RETRY
    while True:
        try:
            return work()
        except PerfcompareError as error:
            log.warning('%s waits: %s', what, error.message)
        if clock.wait_for(stopping, delay):
            return None
        delay = min(30.0, delay * 2)
