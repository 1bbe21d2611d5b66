"""Watch one step of a test on one group, and keep its series."""

from typing import Dict, List, Optional, Protocol, Sequence, Tuple

from ...common.errors import NotFound
from ...model.plan import GroupPlan, PoolPlan
from ...model.recovery import (
    CauseKind,
    Episode,
    Mark,
    Moment,
    Scenario,
    State,
    StepKind,
    Timeline,
)
from ...model.recovery_plan import PlannedStep
from ...model.series import Table, column
from ...ports.config import ConfigReads
from ...ports.osd_map import OsdMapReads
from ...ports.pools import PoolReads
from ...ports.recovery_reads import RecoveryReads
from ..judge.impact import Sample
from ..judge.records import Change
from ..observe.episodes import period
from ..observe.handover import Left
from ..observe.mapwatch import EpochClock
from ..observe.pgbook import Scope
from ..observe.watch import RecoveryWatch

LOOK = 1.0  # seconds between two computations of what was reached
SILENT = 2.0  # seconds without a report of a load that makes one a second
THINNED = 1.2  # seconds between samples where not all were kept


# what the OSD map shows of each step
CHANGES = {
    StepKind.MOVE: CauseKind.UPMAP,
    StepKind.MOVE_BACK: CauseKind.UPMAP,
    StepKind.DOWN: CauseKind.OSD_DOWN,
    StepKind.OUT: CauseKind.OSD_OUT,
    StepKind.IN: CauseKind.OSD_IN,
    StepKind.STOP: CauseKind.OSD_DOWN,
    StepKind.START: CauseKind.OSD_UP,
}


class Needs(ConfigReads, OsdMapReads, PoolReads, RecoveryReads, Protocol):
    """Name what is asked of a cluster here."""


class StepWatch:
    """Time one step on one group; used by one thread."""

    def __init__(
        self,
        cluster: Needs,
        clock: EpochClock,
        scope: Scope,
        ordered: Moment,
        step: PlannedStep,
    ) -> None:
        """Begin now; ``ordered`` is t0 where somebody orders the step."""
        self._watch = RecoveryWatch(
            cluster,
            clock,
            [scope],
            period(cluster),
            ordered=ordered if ordered.reached else None,
            change=Change(CHANGES[step.kind], frozenset(step.osds)),
        )
        self._monotonic = clock.monotonic
        self._scope = scope
        self._first = self._watch.osdmap.epoch + 1
        self._peered = False
        self._next_look = 0.0

    def tick(self) -> None:
        """Do what is due; cheap when nothing is."""
        self._watch.step()

    def forget_order(self) -> None:
        """Give up t0: it took more than one order."""
        self._watch.forget_order()

    @property
    def peered(self) -> bool:
        """Say whether all PGs are active again after the change."""
        # later reports may still tell of PGs that were not
        now = self._monotonic()
        if now >= self._next_look:
            self._next_look = now + LOOK
            self._peered = self._watch.reached(Mark.T2)
        return self._peered

    @property
    def settled(self) -> bool:
        """Say whether all PGs are clean again after the change."""
        return self.peered and self._watch.settled

    def so_far(self, ident: str, note: str) -> Left:
        """Return what the next mgr has to know to go on watching."""
        watch = self._watch
        episode = Episode(
            ident,
            State.OPEN,
            watch.began,
            causes=tuple(watch.causes),
            timelines=watch.lasting(watch.timelines()),
            notes=(note,),
        )
        return Left(episode, self._first, watch.osdmap.epoch, self._scope)

    def end(self) -> Timeline:
        """End the watch; return what it saw."""
        self._watch.step()
        return self._watch.timelines(over=True)[0]

    def table(self) -> Optional[Table]:
        """Return shares and rates of recovery by time."""
        return next(iter(self._watch.tables().values()), None)


def scope_of(
    cluster: Needs, group: GroupPlan, pool: PoolPlan, scenario: Scenario
) -> Scope:
    """Return the PGs that a test of a group is about.

    With backfill those of the benchmark pool; else all on the group's
    OSDs, because all of them lose a copy or have to move.
    """
    if scenario is not Scenario.BACKFILL:
        return Scope(group.name, osds=frozenset(group.osds))
    for found in cluster.pools():
        if found.name == pool.name:
            return Scope(group.name, pools=frozenset((found.id,)))
    raise NotFound(f'pool {pool.name!r} is not there any more')


def client_table(
    samples: Dict[str, List[Sample]], begin: float, end: float
) -> Optional[Table]:
    """Return the client's samples of a step as a series.

    One row per second, or per sample where a step takes hours: operations
    per second and mean latency of each load since its sample before; None
    where a load reported nothing.
    """
    times = _seconds(samples, begin, end)
    if len(times) < 2:
        return None
    columns = []
    for name, own in sorted(samples.items()):
        rates, latencies = _by_second(own, times)
        columns.append(column(f'{name}_ops', '1/s', rates))
        columns.append(column(f'{name}_latency', 's', latencies))
    return Table(
        begin,
        column('t', 's', [t - begin for t in times]).values,
        tuple(columns),
    )


def _seconds(
    samples: Dict[str, List[Sample]], begin: float, end: float
) -> List[float]:
    found = [s.at for own in samples.values() for s in own]
    inside = sorted(t for t in found if begin <= t <= end)
    kept: List[float] = []
    for at in inside:
        if not kept or at - kept[-1] > 0.5:
            kept.append(at)
    return kept


def _by_second(
    samples: Sequence[Sample], times: Sequence[float]
) -> Tuple[List[Optional[float]], List[Optional[float]]]:
    rates: List[Optional[float]] = []
    latencies: List[Optional[float]] = []
    index, silence = 0, _silence(samples, times)
    for at in times:
        while index < len(samples) and samples[index].at <= at + 0.25:
            index += 1
        if index < 2 or at - samples[index - 1].at > silence:
            rates.append(None)
            latencies.append(None)
            continue
        first, last = samples[index - 2], samples[index - 1]
        done = last.ops - first.ops
        rates.append(done / (last.at - first.at))
        latencies.append(
            (last.waited - first.waited) / done if done else None
        )
    return rates, latencies


def _silence(samples: Sequence[Sample], times: Sequence[float]) -> float:
    """Return the seconds after which a load is one that does not report."""
    own = [s.at for s in samples if times[0] <= s.at <= times[-1]]
    if len(own) < 2:
        return SILENT
    mean = (own[-1] - own[0]) / (len(own) - 1)
    return SILENT if mean < THINNED else max(SILENT, 4.0 * mean)
