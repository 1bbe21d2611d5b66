"""Runs, the states that they go through, and how far they are."""

from typing import Optional, Tuple

import dataclasses
import enum

from .plan import RunPlan


class RunState(str, enum.Enum):
    """Name the states of a run."""

    QUEUED = 'queued'
    RESUMING = 'resuming'  # what a former mgr left of it is being undone
    PREFLIGHT = 'preflight'
    PREPARING = 'preparing'
    TRIAL = 'trial'
    COOLING = 'cooling'
    FINISHING = 'finishing'
    COMPLETED = 'completed'
    FAILED = 'failed'
    ABORTED = 'aborted'
    CANCELLED = 'cancelled'
    INTERRUPTED = 'interrupted'

    @property
    def ended(self) -> bool:
        """Say whether the run can change no more."""
        return self in (
            RunState.COMPLETED,
            RunState.FAILED,
            RunState.ABORTED,
            RunState.CANCELLED,
            RunState.INTERRUPTED,
        )


@dataclasses.dataclass(frozen=True)
class RunEvent:
    """Record one step of a run's life."""

    at: float  # Unix time
    state: RunState
    message: str


@dataclasses.dataclass(frozen=True)
class RuleValue:
    """Record the worst value that an abort rule saw during a run."""

    rule: str
    threshold: str
    worst: str
    fired: bool = False


@dataclasses.dataclass(frozen=True)
class Run:
    """Record one execution of a profile on groups."""

    id: str
    state: RunState
    plan: RunPlan
    created: float
    started: Optional[float] = None
    ended: Optional[float] = None
    reason: str = ''  # why it failed, was aborted (rule id first), …
    origin: str = ''  # 'cli', 'dashboard', 'import:<file fsid>'
    fsid: str = ''
    ceph_version: str = ''
    module_version: str = ''
    events: Tuple[RunEvent, ...] = ()
    rules: Tuple[RuleValue, ...] = ()  # the abort rules, at its end

    @property
    def foreign(self) -> bool:
        """Say whether another tool measured it."""
        return self.origin.startswith('import:') and not (
            self.fsid or self.plan.size
        )


@dataclasses.dataclass(frozen=True)
class Progress:
    """Say how far a run is, without asking any database."""

    run: str
    state: RunState
    fraction: float  # 0…1
    eta: Optional[float]  # seconds at most; None: longer than estimated
    round: int
    rounds: int
    trial: str  # '<workload> on <group>' or ''
    ops_per_s: Optional[float] = None  # live, of the trial under way
    bytes_per_s: Optional[float] = None
    message: str = ''
    scenario: str = ''  # of a recovery test; '' is a run
    eta_least: Optional[float] = None  # seconds; with eta: a range

    @property
    def ending(self) -> bool:
        """Say whether all trials were, and what is left is to clean up."""
        return self.state is RunState.FINISHING or self.fraction >= 1.0
