"""The clock of this machine: the one that is not a test's."""

import threading
import time


class SystemClock:
    """Tell the time of the machine, and wait in it."""

    def monotonic(self) -> float:
        """Return seconds that only grow."""
        return time.monotonic()

    def wall(self) -> float:
        """Return seconds since 1970."""
        return time.time()

    def wait(self, seconds: float) -> None:
        """Let ``seconds`` pass."""
        time.sleep(seconds)

    def wait_for(self, event: threading.Event, seconds: float) -> bool:
        """Wait at most ``seconds``; return whether the event is set."""
        return event.wait(seconds)


SYSTEM = SystemClock()
