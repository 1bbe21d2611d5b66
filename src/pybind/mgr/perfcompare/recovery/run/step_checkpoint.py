"""Keep the step of a test in the mon store, should this mgr go."""

from typing import FrozenSet, Optional

import logging
import secrets

from ...common.errors import PerfcompareError
from ...ports.clock import Clock
from ...ports.keys import KeyValueStore
from ..observe.handover import STEP, Handover, Left
from .stepwatch import StepWatch

log = logging.getLogger(__name__)

LOOK = 1.0  # seconds between two looks for new moments
SAVE = 30.0  # seconds until what is known is written without any


class StepCheckpoint:
    """Keep what is seen of the step under way; used by one thread.

    A mon store that does not answer is no reason to end a test: the next
    mgr then knows less of a step that is cut.
    """

    def __init__(self, cluster: KeyValueStore, clock: Clock) -> None:
        self._clock = clock
        self._handover = Handover(cluster, STEP)
        self._watch: Optional[StepWatch] = None
        self._ident = self._note = ''
        self._marks: FrozenSet[str] = frozenset()
        self._looked = self._saved = 0.0

    def begin(self, watch: StepWatch, note: str) -> None:
        """Begin with a step; ``note`` says which one it is."""
        self._watch, self._note = watch, note
        self._ident = secrets.token_hex(4)
        self._marks = frozenset()
        self._save(watch.so_far(self._ident, note))

    def tick(self) -> None:
        """Write what is new, when it is time."""
        now = self._clock.monotonic()
        if self._watch is None or now - self._looked < LOOK:
            return
        self._looked = now
        left = self._watch.so_far(self._ident, self._note)
        if now - self._saved >= SAVE or _marks(left) != self._marks:
            self._save(left)

    def leave(self) -> None:
        """Write all that is known: the next mgr goes on with it."""
        if self._watch is not None:
            self._save(self._watch.so_far(self._ident, self._note))
            self._watch = None

    def end(self) -> None:
        """Forget the step: it was watched to its end, or given up."""
        if self._watch is None:
            return
        self._watch = None
        try:
            self._handover.forget()
        except PerfcompareError as error:
            log.warning('the step that ended: %s', error.message)

    def _save(self, left: Left) -> None:
        self._looked = self._saved = self._clock.monotonic()
        try:
            self._handover.save(left)
            self._marks = _marks(left)
        except PerfcompareError as error:
            log.warning('the step under way: %s', error.message)


def _marks(left: Left) -> FrozenSet[str]:
    return frozenset(
        name
        for timeline in left.episode.timelines
        for name, moment in timeline.marks.items()
        if moment.reached
    )
