"""Several watches of a trial as one; a watch that is asked for or not."""

from typing import Callable, List, Optional, Sequence

import logging

from ..model.outcome import Outcome
from ..ports.trial_watch import Evidence, TrialContext, TrialWatch

log = logging.getLogger(__name__)


class ConditionalProbe:
    """Pass on the trials before which a watch is wanted; a TrialWatch."""

    def __init__(self, watch: TrialWatch, wanted: Callable[[], bool]) -> None:
        self._watch = watch
        self._wanted = wanted
        self._on = False

    def begin(self, context: TrialContext) -> None:
        """Ask whether the watch is wanted, and begin if it is."""
        self._on = self._wanted()
        if self._on:
            self._watch.begin(context)

    def tick(self) -> None:
        """Do what is due, if anything."""
        if self._on:
            self._watch.tick()

    def end(self, outcome: Optional[Outcome]) -> Evidence:
        """Return what was seen, if anything."""
        return self._watch.end(outcome) if self._on else Evidence()

    def close(self) -> None:
        """Give back what the watch holds."""
        self._watch.close()


class Watches:
    """Call several watches as one; their faults become notes."""

    def __init__(self, watches: Sequence[TrialWatch] = ()) -> None:
        self._watches = list(watches)
        self._begun: List[TrialWatch] = []
        self._notes: List[str] = []

    def begin(self, context: TrialContext) -> None:
        """Begin all."""
        self._begun, self._notes = [], []
        for watch in self._watches:
            self._begun.append(watch)
            try:
                watch.begin(context)
            except Exception as error:
                self._failed(watch, error)

    def tick(self) -> None:
        """Let all do what is due; one that fails is not called again."""
        for watch in list(self._begun):
            try:
                watch.tick()
            except Exception as error:
                self._failed(watch, error)
                self._begun.remove(watch)

    def end(self, outcome: Optional[Outcome]) -> Evidence:
        """End all and return what they saw together."""
        found = Evidence()
        # what began last is nearest to the load, at both of its ends
        for watch in reversed(self._watches):
            try:
                found.add(watch.end(outcome))
            except Exception as error:
                self._failed(watch, error)
        found.add(Evidence(notes=self._notes))
        self._begun = []
        return found

    def close(self) -> None:
        """Close all."""
        for watch in self._watches:
            try:
                watch.close()
            except Exception:
                log.exception('%s cannot be closed', type(watch).__name__)

    def _failed(self, watch: TrialWatch, error: Exception) -> None:
        name = type(watch).__name__
        log.warning('%s failed', name, exc_info=error)
        note = f'{name} failed: {type(error).__name__}: {error}'
        if note not in self._notes:
            self._notes.append(note.splitlines()[0])
