"""What watching may cost: a share of one CPU, with credit for bursts.

A look at the OSD map costs next to nothing in a small cluster and 0.2 s at
10,000 OSDs, where a map may come every second. The first looks at something
new are made at once; who goes on looking has to earn it.
"""

from typing import Callable, Iterator

import contextlib
import time

SHARE = 0.007  # of one CPU: the rest of 1 % is for being told of maps
BURST = 1.0  # seconds of CPU that can be saved up


class Budget:
    """Measure what one thread spends, and say when it may go on."""

    def __init__(
        self,
        now: Callable[[], float],
        cpu: Callable[[], float] = time.thread_time,
    ) -> None:
        self._now = now
        self._cpu = cpu
        self._credit = BURST
        self._at = now()
        self._depth = 0
        self.spent = 0.0  # seconds of CPU in all

    @contextlib.contextmanager
    def spending(self) -> Iterator[None]:
        """Take what is done meanwhile off the credit; can be nested."""
        began = self._cpu()
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1
            if not self._depth:
                self._earn()
                self._credit -= self._cpu() - began
                self.spent += self._cpu() - began

    def wait(self, reserve: float = 0.0) -> float:
        """Return the seconds until there is more credit than a reserve."""
        self._earn()
        return max(0.0, (reserve - self._credit) / SHARE)

    def _earn(self) -> None:
        now = self._now()
        gained = max(0.0, now - self._at) * SHARE  # clocks may be set back
        self._credit = min(BURST, self._credit + gained)
        self._at = now
