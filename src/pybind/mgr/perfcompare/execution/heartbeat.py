"""Say again and again that a run is being driven."""

from typing import Callable

import logging

from ..common.errors import PerfcompareError
from ..ports.clock import Clock

log = logging.getLogger(__name__)

PERIOD = 30.0  # seconds between two signs of life


class Heartbeat:
    """Note it in the mon store, not more often than it is worth.

    Whether a run is taken up again depends on how long ago it was cut.
    """

    def __init__(self, touch: Callable[[], None], clock: Clock) -> None:
        self._touch = touch
        self._clock = clock
        self._due = 0.0

    def beat(self) -> None:
        """Note that the run is alive, when it is time; never raises."""
        now = self._clock.monotonic()
        if now < self._due:
            return
        self._due = now + PERIOD
        try:
            self._touch()
        except PerfcompareError as error:  # its lease ends load without mons
            log.warning('no sign of life: %s', error.message)
