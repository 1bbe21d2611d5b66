"""When the operations of a load begin that do not wait for one another."""

from typing import Deque, Optional

import collections
import random

from .pauses import Pauses


class Arrivals:
    """Keep what is due and has no connection yet, in order of time (ns).

    With a rate operations begin 1/rate s apart, or that far apart on average,
    each at its own random time. With pauses they begin when a user's pause
    ends. Else nothing is due: a closed loop begins one where one ended.
    """

    def __init__(
        self,
        rng: random.Random,
        start: int = 0,
        end: int = 0,
        rate: float = 0.0,
        phase: float = 0.0,
        poisson: bool = False,
        pauses: Optional[Pauses] = None,
        begin: int = 0,
        steps: int = 1,
    ) -> None:
        """Begin at ``start``, with the first at ``phase`` of a gap.

        In ``steps`` of equal length from ``begin`` on the rate grows by
        equal amounts, to ``rate`` in the last one; before, it is as in the
        first one.
        """
        self._rng = rng
        self._begin = begin or start
        self._end = end
        self._steps = steps
        self._gap = 1e9 / rate if rate else 0.0
        self._due = start + phase * self._gap * steps
        self._poisson = poisson
        self._pauses = None if rate else pauses
        self.paced = bool(rate or self._pauses)
        self.queue: Deque[int] = collections.deque()
        self.late = 0  # operations that found no connection free
        self.lag = 0  # ns, the most that an operation began too late

    def come(self, now: int, busy: int, idle: bool) -> None:
        """Queue what is due, with ``busy`` operations under way."""
        if self._gap:
            self._arrive(now, idle)
        elif self._pauses is not None and now < self._end:
            active = busy + len(self.queue)
            self.queue.extend(self._pauses.over(now, active))
        else:
            self.queue.clear()  # these users would begin after the load

    def _arrive(self, now: int, idle: bool) -> None:
        while self._due <= now and self._due < self._end:
            self.lag = max(self.lag, int(now - self._due))
            self.queue.append(int(self._due))
            if not idle:
                self.late += 1
            gap = self._gap if self._steps == 1 else self._wide()
            if self._poisson:
                self._due += gap * self._rng.expovariate(1.0)
            else:
                self._due += gap

    def _wide(self) -> float:
        """Return the gap of the step in which the next one is due."""
        whole = self._end - self._begin
        step = int((self._due - self._begin) * self._steps // whole)
        return self._gap * self._steps / (max(0, step) + 1)

    def left(self, now: int, most: float) -> float:
        """Return the seconds until the next is due, ``most`` at most."""
        if self._gap and self._due < self._end:
            return min(most, max(0.0, (self._due - now) / 1e9))
        if self._pauses is not None and now < self._end:
            return min(most, self._pauses.left(now))
        return most
