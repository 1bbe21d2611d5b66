"""When results beyond the retention are removed."""

from typing import Callable

from .retention import DAY


class Expiry:
    """Remove them when less is to be kept, and each day where age counts.

    Never before something else has used the database: opening it makes a
    pool and tables, and a module that is only enabled changes nothing.
    """

    def __init__(
        self,
        remove: Callable[[], None],
        used: Callable[[], bool],
        aging: Callable[[], bool],
        wall: Callable[[], float],
    ) -> None:
        """``used`` asks for the database, ``aging`` whether age counts."""
        self._remove = remove
        self._used = used
        self._aging = aging
        self._wall = wall
        self._owed = False  # what is kept has changed
        self._due = 0.0  # Unix time at which results are old again

    def changed(self) -> None:
        """Remove what is not to be kept any more, as soon as may be."""
        self._owed = True
        self.look()

    def look(self) -> None:
        """Remove what is due; called again and again."""
        now = self._wall()
        aged = self._aging() and now >= self._due
        if (self._owed or aged) and self._used():
            self._owed = False
            self._due = now + DAY
            self._remove()
