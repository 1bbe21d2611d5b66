"""A clock in which time passes at once, when something waits for it."""

from typing import Callable, List

import threading

from ...common.clock import SystemClock


class FakeClock:
    """Be a clock whose waits take no time, and move it on."""

    def __init__(
        self,
        now: float = 1000.0,
        on_wait: Callable[[float], None] = lambda seconds: None,
        nap: float = 0.0,
    ) -> None:
        """Let other threads go on for a ``nap`` in each wait."""
        self.now = now
        self.waits: List[float] = []
        self._on_wait = on_wait
        self._nap = threading.Event()
        self._seconds = nap

    def monotonic(self) -> float:
        """Return where time is."""
        return self.now

    def wall(self) -> float:
        """Return where time is; it is never set."""
        return self.now

    def wait(self, seconds: float) -> None:
        """Let the time pass, and tell who wants to know."""
        self.wait_for(self._nap, seconds)

    def wait_for(self, event: threading.Event, seconds: float) -> bool:
        """Let the time pass, unless the event is set."""
        if event.wait(self._seconds):
            return True
        self.waits.append(seconds)
        self.now += seconds
        self._on_wait(seconds)
        return event.is_set()


class LaterClock(SystemClock):
    """Go on in real time from where another clock is."""

    def __init__(self, former: FakeClock) -> None:
        self._ahead = former.wall() - super().wall()
        self._grown = former.monotonic() - super().monotonic()

    def monotonic(self) -> float:
        """Return seconds that only grow."""
        return super().monotonic() + self._grown

    def wall(self) -> float:
        """Return seconds since 1970, as if the former ones had passed."""
        return super().wall() + self._ahead
