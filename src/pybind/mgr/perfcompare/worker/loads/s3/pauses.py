"""How long the users of a closed loop pause between operations."""

from typing import List

import heapq
import random


class Pauses:
    """Let each user of a load pause before its next operation.

    A user waits for its operation, pauses, and begins the next one, so that
    throughput is users / (latency + pause). Where a first operation would
    begin with those of all others, it begins within one pause.
    """

    def __init__(
        self,
        users: int,
        seconds: float,
        exponential: bool,
        start: int,
        rng: random.Random,
    ) -> None:
        """Begin at ``start`` (ns); a pause has ``seconds``, or on average."""
        self._users = users
        self._mean = seconds * 1e9
        self._exponential = exponential
        self._rng = rng
        self._due = [
            start + int(rng.random() * self._mean) for _ in range(users)
        ]
        heapq.heapify(self._due)

    def over(self, now: int, active: int) -> List[int]:
        """Return the times (ns) at which pauses ended until ``now``.

        ``active`` users have an operation, or one that is to begin; those
        of the others who are not pausing begin to.
        """
        for _ in range(self._users - active - len(self._due)):
            heapq.heappush(self._due, now + self._span())
        found = []
        while self._due and self._due[0] <= now:
            found.append(heapq.heappop(self._due))
        return found

    def left(self, now: int) -> float:
        """Return the seconds until the next pause ends."""
        if not self._due:
            return float('inf')
        return max(0.0, (self._due[0] - now) / 1e9)

    def _span(self) -> int:
        if self._exponential:
            return int(self._mean * self._rng.expovariate(1.0))
        return int(self._mean)
