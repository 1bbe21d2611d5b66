"""Say again and again that a run is being driven."""

from typing import Callable

import logging

from ..common.aside import Aside
from ..common.errors import PerfcompareError
from ..ports.clock import Clock

log = logging.getLogger(__name__)

PERIOD = 30.0  # seconds between two signs of life
PATIENCE = 0.5  # seconds that load waits for one to be stored


class Heartbeat:
    """Note it in the mon store, not more often than it is worth.

    Whether a run is taken up again depends on how long ago it was cut. A mon
    may need as long for a change as the lease of the load lasts: whoever
    renews that does not wait for it.
    """

    def __init__(self, touch: Callable[[], None], clock: Clock) -> None:
        self._touch = touch
        self._clock = clock
        self._due = 0.0
        self._aside: Aside[None] = Aside()

    def beat(self) -> None:
        """Note that the run is alive, when it is time; never raises."""
        now, patience = self._clock.monotonic(), 0.0
        if now >= self._due:
            self._due, patience = now + PERIOD, PATIENCE
            self._aside.begin(self._touch)
        if not self._aside.ended(patience):
            return
        try:
            self._aside.take()
        except PerfcompareError as error:  # its lease ends load without mons
            log.warning('no sign of life: %s', error.message)
