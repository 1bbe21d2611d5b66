"""Time, as rooms above ask for it: what reads it or waits is given a clock."""

from typing import Protocol

import threading


class Clock(Protocol):
    """Tell the time, and let it pass."""

    def monotonic(self) -> float:
        """Return seconds of a clock that nobody sets, from any beginning."""

    def wall(self) -> float:
        """Return seconds since 1970, as they are stored and shown."""

    def wait(self, seconds: float) -> None:
        """Return after ``seconds``; may raise where the wait is cut short."""


class EventClock(Clock, Protocol):
    """Wait for what another thread says, too."""

    def wait_for(self, event: threading.Event, seconds: float) -> bool:
        """Wait at most ``seconds``; return whether the event is set."""
