"""A clock in which time passes at once, when something waits for it."""

from typing import Callable, List


class FakeClock:
    """Be a clock whose waits take no time, and move it on."""

    def __init__(
        self,
        now: float = 1000.0,
        on_wait: Callable[[float], None] = lambda seconds: None,
    ) -> None:
        self.now = now
        self.waits: List[float] = []
        self._on_wait = on_wait

    def monotonic(self) -> float:
        """Return where time is."""
        return self.now

    def wall(self) -> float:
        """Return where time is; it is never set."""
        return self.now

    def wait(self, seconds: float) -> None:
        """Let the time pass, and tell who wants to know."""
        self.waits.append(seconds)
        self.now += seconds
        self._on_wait(seconds)
