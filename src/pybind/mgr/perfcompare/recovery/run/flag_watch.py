"""See which flags of the OSD map are set while a step goes on."""

from typing import Protocol, Set, Tuple

from ...ports.clock import Clock
from ...ports.osd_map import OsdMapReads
from ..judge import flags_seen
from ..plan import flags

LOOK = 5.0  # seconds; what is set and gone sooner changes little


class Needs(OsdMapReads, Protocol):
    """Name what is asked of a cluster here."""


class FlagWatch:
    """Remember flags that change a recovery; used by one thread."""

    def __init__(self, cluster: Needs, clock: Clock, auto_out: bool) -> None:
        self._cluster = cluster
        self._clock = clock
        self._auto_out = auto_out
        self._seen: Set[str] = set()
        self._next = float('-inf')

    def begin(self) -> None:
        """Forget what was before."""
        self._seen.clear()
        self._look()

    def tick(self) -> None:
        """Look if it is time to."""
        if self._clock.monotonic() >= self._next:
            self._look()

    def end(self) -> Tuple[str, ...]:
        """Return the note of what was seen since the begin, if anything."""
        self._look()
        return (flags_seen.note(self._seen),) if self._seen else ()

    def _look(self) -> None:
        self._next = self._clock.monotonic() + LOOK
        found = flags.in_the_way(self._cluster.osdmap_flags(), self._auto_out)
        self._seen.update(found)
