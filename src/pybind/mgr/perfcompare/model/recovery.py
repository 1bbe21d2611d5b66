"""What is said of a recovery: moments, phases, sizes, tests, episodes.

Plain data that codec.py turns into JSON and back. Times are Unix seconds,
accuracies and lengths seconds, sizes bytes; None is "not available".
"""

from typing import Any, Dict, Optional, Tuple

import dataclasses
import enum

# series of a step: what its clients felt, and what the cluster did
CLIENT = 'client'
CLUSTER = 'cluster'


class Scenario(str, enum.Enum):
    """Name what starts a recovery, by growing blast radius."""

    BACKFILL = 'backfill'
    OSD_DOWN = 'osd-down'
    OSD_OUT = 'osd-out'
    OSD_STOP = 'osd-stop'
    HOST_STOP = 'host-stop'


class StepKind(str, enum.Enum):
    """Name the steps that a test is made of."""

    BASELINE = 'baseline'  # load, and no failure
    MOVE = 'move'  # PGs of the benchmark pool to other OSDs
    MOVE_BACK = 'move-back'
    DOWN = 'down'  # marked down while it lives
    OUT = 'out'
    IN = 'in'
    STOP = 'stop'
    START = 'start'
    RECOVERED = 'recovered'  # load, after all is clean again


class Mark(str, enum.Enum):
    """Name the moments of a recovery."""

    T0 = 't0'  # the fault happened, or the step was ordered
    T1 = 't1'  # the OSD map says so: down, out, in, upmap, …
    T2 = 't2'  # peered: all PGs active again
    T3 = 't3'  # first recovery or backfill at work
    T4 = 't4'  # nothing degraded any more
    T5 = 't5'  # all active+clean, and up is acting everywhere


class Phase(str, enum.Enum):
    """Name the time between two moments."""

    DETECTION = 'detection'  # t0 to t1
    PEERING = 'peering'  # t1 to t2
    WAITING = 'waiting'  # t2 to t3: reservations and delays
    RECOVERY = 'recovery'  # t3 to t4: redundancy comes back
    MOVING = 'moving'  # t4 to t5: data goes where it belongs


class Fate(str, enum.Enum):
    """Say what became of a moment."""

    REACHED = 'reached'
    CENSORED = 'censored'  # not reached when the observation ended
    SKIPPED = 'skipped'  # this recovery had no such moment
    UNKNOWN = 'not available'


class CauseKind(str, enum.Enum):
    """Name what the OSD map showed at the start of a recovery."""

    OSD_DOWN = 'osd down'
    OSD_UP = 'osd up'
    OSD_OUT = 'osd out'
    OSD_IN = 'osd in'
    WEIGHT = 'weight'  # reweight of an OSD
    CRUSH = 'crush'  # weights, hosts or rules in the CRUSH map
    POOL = 'pool'  # a pool's rule, size or number of PGs
    UPMAP = 'upmap'
    UNKNOWN = 'unknown'  # e.g. a repair, or a change no mgr saw


class DownKind(str, enum.Enum):
    """Name how the monitors found an OSD down."""

    ITSELF = 'marked itself down'  # a clean stop
    REFUSED = 'connection refused'  # its process is gone, its host lives
    SILENT = 'heartbeats missing'  # its host is dead, or it hangs
    NO_BEACON = 'no beacon'  # it told the monitors nothing for long
    LIVING = 'marked down while it ran'  # a command, or a false report
    UNKNOWN = 'not available'


class State(str, enum.Enum):
    """Say how far the observation of a recovery is."""

    OPEN = 'open'
    CLEAN = 'clean'  # t5 was reached
    STOPPED = 'stopped'  # given up, or its rest was not seen


@dataclasses.dataclass(frozen=True)
class Moment:
    """Hold when something happened, and how well that is known.

    The truth is within ``at`` ± ``accuracy``. Of a censored moment ``at``
    is when the observation ended.
    """

    fate: Fate = Fate.UNKNOWN
    at: Optional[float] = None
    accuracy: Optional[float] = None
    source: str = ''  # 'order', 'osd map', 'pg stats', 'counters', …

    @property
    def reached(self) -> bool:
        """Say whether it happened, at a time that is known."""
        return self.fate is Fate.REACHED and self.at is not None


@dataclasses.dataclass(frozen=True)
class Span:
    """Hold a length of time; a censored one is "longer than"."""

    seconds: float
    accuracy: float
    censored: bool = False


@dataclasses.dataclass(frozen=True)
class PhaseFigures:
    """Hold what happened during one phase.

    Rates are deltas of counters over the phase; shares are of the object
    copies in sight, at their highest. ``client`` is filled by tests:
    figures of the load by name.
    """

    phase: Phase
    began: float
    span: Span
    bytes_recovered: Optional[float] = None
    objects_recovered: Optional[float] = None
    bytes_per_s: Optional[float] = None
    objects_per_s: Optional[float] = None
    degraded_share: Optional[float] = None
    misplaced_share: Optional[float] = None
    client: Dict[str, Optional[float]] = dataclasses.field(
        default_factory=dict
    )


@dataclasses.dataclass(frozen=True)
class Size:
    """Hold how much a recovery concerned, at most at one time."""

    pgs: int = 0  # that were not clean
    copies: int = 0  # objects times their copies in sight
    degraded: int = 0  # object copies that were missing
    misplaced: int = 0  # object copies in the wrong place
    unfound: int = 0
    bytes_recovered: Optional[float] = None
    objects_recovered: Optional[float] = None


@dataclasses.dataclass(frozen=True)
class Event:
    """Hold one thing that an operator wants to see in the chart."""

    at: float
    text: str


@dataclasses.dataclass(frozen=True)
class Detection:
    """Hold how one OSD was found down, and how long that took.

    ``after`` is the time since our order to stop it; None where the order
    was not ours. ``silence`` is for how long its peers had had no answer
    to heartbeats, as the monitors say, or them no beacon.
    """

    osd: int
    at: float  # marked down in the OSD map
    accuracy: float
    kind: DownKind = DownKind.UNKNOWN
    after: Optional[float] = None
    silence: Optional[float] = None
    grace: Optional[float] = None
    reporters: Optional[int] = None  # failure domains that reported it


@dataclasses.dataclass(frozen=True)
class Timeline:
    """Hold the course of one recovery in one scope (group or pool).

    ``marks`` is by Mark value; ``states`` is the highest number of PGs
    seen at one time with each word of a PG state ('peering',
    'recovering', 'backfilling', …). A state that came and went between
    two reports of an OSD is not in it; ``backfilled`` counts those too.
    """

    scope: str
    began: float
    ended: float
    marks: Dict[str, Moment]
    phases: Tuple[PhaseFigures, ...] = ()
    size: Size = Size()
    states: Dict[str, int] = dataclasses.field(default_factory=dict)
    events: Tuple[Event, ...] = ()
    notes: Tuple[str, ...] = ()
    detections: Tuple[Detection, ...] = ()
    backfilled: int = 0  # PGs, as the OSD map showed it

    def mark(self, mark: Mark) -> Moment:
        """Return a moment; one of fate UNKNOWN where there is none."""
        return self.marks.get(mark.value, Moment())

    def span(self, first: Mark, last: Mark) -> Optional[Span]:
        """Return the time between two moments; None where not known."""
        start, end = self.mark(first), self.mark(last)
        if not start.reached or end.at is None or start.at is None:
            return None
        if end.fate not in (Fate.REACHED, Fate.CENSORED):
            return None
        return Span(
            max(0.0, end.at - start.at),
            (start.accuracy or 0.0) + (end.accuracy or 0.0),
            end.fate is Fate.CENSORED,
        )

    @property
    def way(self) -> str:
        """Say how data came back: by the PG log, by backfill, or both."""
        log = bool(self.states.get('recovering'))
        backfill = bool(self.states.get('backfilling') or self.backfilled)
        if log and backfill:
            return 'log and backfill'
        if backfill:
            return 'backfill'
        if not log and self.mark(Mark.T3).reached:
            return 'recovery between two reports'
        if self.mark(Mark.T5).reached and not log:
            if self.mark(Mark.T3).fate is Fate.UNKNOWN:
                return 'not available'
        return 'log' if log else 'peering only'


@dataclasses.dataclass(frozen=True)
class Cause:
    """Hold one change of the OSD map that a recovery follows."""

    kind: CauseKind
    at: float
    osds: Tuple[int, ...] = ()
    detail: str = ''


@dataclasses.dataclass(frozen=True)
class Episode:
    """Hold a recovery that happened by itself, group by group.

    A group without a timeline had no part in it.
    """

    id: str
    state: State
    began: float
    ended: Optional[float] = None
    causes: Tuple[Cause, ...] = ()
    timelines: Tuple[Timeline, ...] = ()
    handovers: Tuple[float, ...] = ()  # times at which a mgr took over
    fsid: str = ''
    ceph_version: str = ''
    module_version: str = ''
    origin: str = ''  # 'import:…' when it came from a file
    notes: Tuple[str, ...] = ()

    @property
    def groups(self) -> Tuple[str, ...]:
        """Return the groups that took part."""
        return tuple(t.scope for t in self.timelines)


class TestState(str, enum.Enum):
    """Say how far a recovery test is."""

    __test__ = False  # pytest: this is no test

    RUNNING = 'running'
    RESUMING = 'resuming'  # never stored: what a former mgr left is undone
    COMPLETED = 'completed'
    STOPPED = 'stopped'  # by a limit or an operator; restored
    FAILED = 'failed'

    @property
    def ended(self) -> bool:
        """Say whether the test can change no more."""
        return self not in (TestState.RUNNING, TestState.RESUMING)


@dataclasses.dataclass(frozen=True)
class StepResult:
    """Hold one step of a test on one group.

    ``index`` counts the steps of a sequence, ``title`` is what an
    operator reads, e.g. 'first node stopped'.
    """

    group: str
    repetition: int
    index: int
    kind: StepKind
    title: str
    target: str = ''  # what it was done to: 'osd.3', 'x86-1', …
    timeline: Optional[Timeline] = None
    client: Dict[str, Optional[float]] = dataclasses.field(
        default_factory=dict
    )
    notes: Tuple[str, ...] = ()
    # of the first step: what limits recovery on the group's OSDs
    settings: Dict[str, str] = dataclasses.field(default_factory=dict)
    # shares 0 … 1, means over the hosts of the group's OSDs
    hosts: Dict[str, Optional[float]] = dataclasses.field(
        default_factory=dict
    )

    @property
    def series(self) -> str:
        """Return the name under which the step's series is stored."""
        return f'{self.group}/{self.repetition}/{self.index}'


@dataclasses.dataclass(frozen=True)
class RecoveryTest:
    """Hold a recovery that was provoked on purpose, on all its groups."""

    id: str
    state: TestState
    scenario: Scenario
    groups: Tuple[str, ...]
    created: float
    ended: Optional[float] = None
    reason: str = ''
    plan: Dict[str, Any] = dataclasses.field(default_factory=dict)
    settings: Dict[str, Any] = dataclasses.field(default_factory=dict)
    steps: Tuple[StepResult, ...] = ()
    fsid: str = ''
    ceph_version: str = ''
    module_version: str = ''
    origin: str = 'cli'
    notes: Tuple[str, ...] = ()

    @property
    def repetitions(self) -> int:
        """Return how many were planned; of an unknown plan, those made."""
        recovery = self.plan.get('recovery')
        planned = None
        if isinstance(recovery, dict):
            planned = recovery.get('repetitions')
        if isinstance(planned, int):
            return planned
        return max((s.repetition for s in self.steps), default=0)
