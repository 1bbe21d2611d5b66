"""What watches a trial from beside, and gives evidence of it.

A watch is never in the way: a source that is missing or fails becomes a
note, and the trial counts all the same.
"""

from typing import Any, Dict, List, Optional, Protocol, Tuple

import dataclasses

from ..model.outcome import Outcome
from ..model.plan import GroupPlan, PoolPlan, RunPlan
from ..model.series import Table
from ..model.workload import Workload


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


def window_of(outcome: Outcome) -> Tuple[float, float]:
    """Return the measured window as Unix times, gaps inside included."""
    pieces = outcome.evidence.get('window') or []
    if not pieces:
        return outcome.started, outcome.ended
    return float(pieces[0][0]), float(pieces[-1][1])
