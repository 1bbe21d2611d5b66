"""What watches a trial from beside, and gives evidence of it.

A watch is never in the way: a source that is missing or fails becomes a
note, and the trial counts all the same.
"""

from typing import (
    Any,
    Callable,
    Dict,
    List,
    Optional,
    Protocol,
    Sequence,
    Tuple,
)

import dataclasses
import logging

from .models.plan import GroupPlan, PoolPlan, RunPlan
from .models.workload import Workload
from .outcomes import Outcome
from .series_codec import Table

log = logging.getLogger(__name__)


@dataclasses.dataclass(frozen=True)
class TrialContext:
    """Say which trial is about to start."""

    plan: RunPlan
    workload: Workload
    group: GroupPlan
    pool: PoolPlan  # that its objects are in
    tag: str  # unique within the run


@dataclasses.dataclass
class Evidence:
    """Hold what one watch, or all of them, saw of a trial."""

    # name -> figures; becomes `Trial.evidence[name]`
    figures: Dict[str, Any] = dataclasses.field(default_factory=dict)
    # what is added to the manifest
    manifest: Dict[str, Any] = dataclasses.field(default_factory=dict)
    # 'osd.N' or 'host.NAME' -> raw samples, stored beside the client's
    series: Dict[str, Table] = dataclasses.field(default_factory=dict)
    notes: List[str] = dataclasses.field(default_factory=list)

    def add(self, other: 'Evidence') -> None:
        """Take in what another watch saw."""
        self.figures.update(other.figures)
        self.manifest.update(other.manifest)
        self.series.update(other.series)
        self.notes += [n for n in other.notes if n not in self.notes]


class TrialWatch(Protocol):
    """Watch the trials of one run, one after the other."""

    def begin(self, context: TrialContext) -> None:
        """Prepare for a trial; load starts when all watches are ready."""

    def tick(self) -> None:
        """Do what is due, during load; called about five times a second.

        It runs in the thread that guards the run, so it must return within
        milliseconds.
        """

    def end(self, outcome: Optional[Outcome]) -> Evidence:
        """Return what was seen; ``outcome`` is None for a cut trial.

        Called once for each ``begin``, right after load has ended. The
        measured window is `window_of(outcome)`.
        """

    def close(self) -> None:
        """Give back what the watch holds; called once, with the run."""


class Switched:
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


def window_of(outcome: Outcome) -> Tuple[float, float]:
    """Return the measured window as Unix times, gaps inside included."""
    pieces = outcome.evidence.get('window') or []
    if not pieces:
        return outcome.started, outcome.ended
    return float(pieces[0][0]), float(pieces[-1][1])
