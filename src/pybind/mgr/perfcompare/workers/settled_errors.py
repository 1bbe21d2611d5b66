"""Count failed operations of a load, but not those of the last moments."""

from typing import List, Tuple

from ..ports.clock import Clock

SETTLING = 3.0  # seconds until an operation's error counts


class SettledErrors:
    """Count failed operations, but not those of the last moments.

    Whatever a load needs (a gateway) may have just ended: that is noticed a
    moment later, and cuts one trial, where too many errors abort the run.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._seen: List[Tuple[float, int]] = [(clock.monotonic(), 0)]

    def add(self, total: int) -> None:
        """Take the number of errors so far, of this part of the load."""
        now = self._clock.monotonic()
        if total < self._seen[-1][1]:
            # another part began, e.g. after objects were written
            self._seen = [(now, 0)]
        self._seen.append((now, total))
        while len(self._seen) > 1 and self._seen[1][0] <= now - SETTLING:
            del self._seen[0]

    def settled(self) -> int:
        """Return the errors that are older than SETTLING seconds."""
        return self._seen[0][1]
