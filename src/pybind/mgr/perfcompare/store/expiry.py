"""When results beyond the retention are removed."""

from typing import Callable

import logging

from .retention import DAY

log = logging.getLogger(__name__)

JUMP = 3600.0  # seconds by which a clock is not set right, but wrong


class Expiry:
    """Remove them when less is to be kept, and each day where age counts.

    Whatever else removes results goes by their number and bytes alone.

    Never before something else has used the database: opening it makes a
    pool and tables, and a module that is only enabled changes nothing. A
    wall clock that jumped is not believed for a day: all results would be
    old by one that is a year ahead.
    """

    def __init__(
        self,
        remove: Callable[[], None],
        used: Callable[[], bool],
        aging: Callable[[], bool],
        wall: Callable[[], float],
        monotonic: Callable[[], float],
    ) -> None:
        """``used`` asks for the database, ``aging`` whether age counts."""
        self._remove = remove
        self._used = used
        self._aging = aging
        self._wall = wall
        self._monotonic = monotonic
        self._owed = False  # what is kept has changed
        self._due = float('-inf')  # monotonic; results are old again
        self._ahead = self._offset()
        self._trusted = float('-inf')  # monotonic, from when on

    def changed(self) -> None:
        """Remove what is not to be kept any more, as soon as may be."""
        self._owed = True
        self.look()

    def look(self) -> None:
        """Remove what is due; called again and again."""
        now = self._monotonic()
        ahead = self._offset()
        if abs(ahead - self._ahead) > JUMP:
            log.warning(
                'the clock was set by %.0f s: no results are removed today',
                ahead - self._ahead,
            )
            self._trusted = now + DAY
        self._ahead = ahead
        aged = self._aging() and now >= self._due
        if (self._owed or aged) and now >= self._trusted and self._used():
            self._owed = False
            self._due = now + DAY
            self._remove()

    def _offset(self) -> float:
        return self._wall() - self._monotonic()
