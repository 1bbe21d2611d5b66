"""The clock of this machine: the one that is not a test's."""

from typing import Callable

import time


class SystemClock:
    """Tell the time of the machine, and wait in it.

    ``wait`` takes seconds; where a run can be asked to end, it is what ends
    with it.
    """

    def __init__(self, wait: Callable[[float], None] = time.sleep) -> None:
        self._wait = wait

    def monotonic(self) -> float:
        """Return seconds that only grow."""
        return time.monotonic()

    def wall(self) -> float:
        """Return seconds since 1970."""
        return time.time()

    def wait(self, seconds: float) -> None:
        """Let ``seconds`` pass."""
        self._wait(seconds)


SYSTEM = SystemClock()
