"""Execute single trials: pools and populations, load, evidence, cooling."""

from typing import (
    Any,
    Callable,
    Dict,
    List,
    Mapping,
    Optional,
    Protocol,
    Sequence,
    Tuple,
)

import dataclasses
import platform

from ..common.errors import PerfcompareError
from ..drivers.driver import Driver, driver_of
from ..guard.collect.facts import Machine, this_machine
from ..model import load
from ..model.manifest import added
from ..model.outcome import Outcome
from ..model.plan import Block, GroupPlan, PoolPlan, RunPlan
from ..model.series import Table
from ..model.trial import Trial, TrialState
from ..model.workload import Workload
from ..planning.estimate import pool_of, probe_seconds
from ..pools.bench_pool import BenchPool
from ..ports.config import ConfigReads
from ..ports.health import HealthReads
from ..ports.osd_map import OsdMapReads
from ..ports.osds import OsdReads
from ..ports.pgs import PgReads
from ..ports.pools import PoolReads
from ..ports.rules import RuleReads
from ..ports.trial_watch import Evidence, TrialContext
from ..store.results import TrialRecord
from ..worker.wire.jobs import Job
from ..worker.wire.protocol import REPORT_PERIOD, Live
from ..workers.control import Control
from ..workers.load_run import LoadRun
from ..workers.outcomes import WorkerFailed
from .cooling import Cooling
from .observer import Observer
from .watches import Watches

LiveListener = Callable[[Live], None]
# what is concluded from all evidence of a trial; added to it by name
Conclude = Callable[[Trial, Mapping[str, Table]], Dict[str, Any]]
UpSets = Dict[int, Tuple[int, ...]]  # ps -> up set


class Needs(
    ConfigReads,
    HealthReads,
    OsdMapReads,
    OsdReads,
    PgReads,
    PoolReads,
    RuleReads,
    Protocol,
):
    """Name what is asked of a cluster here."""


class Cut(Exception):
    """Say that a trial was cut short; its block must be repeated.

    Unless it is known that no repetition gets further.
    """

    def __init__(
        self, reason: str, record: TrialRecord, further: bool = True
    ) -> None:
        super().__init__(reason)
        self.record = record
        self.further = further


class _Told:
    """Keep what a load told last, of what it does each second."""

    def __init__(self, pass_on: LiveListener) -> None:
        self._pass_on = pass_on
        self.most = 0  # operations that it can have done

    def take(self, live: Live) -> None:
        """Take what is told and pass it on."""
        if live.most is not None:
            self.most = live.most
        elif live.phase != 'prefill':
            soon = REPORT_PERIOD * (live.ops_per_s or 0.0)
            self.most = live.ops + live.in_flight + int(soon)
        self._pass_on(live)


class TrialRunner:
    """Do the work of one run's trials; the caller decides their order."""

    def __init__(
        self,
        cluster: Needs,
        plan: RunPlan,
        loads: LoadRun,
        pools: BenchPool,
        control: Control,
        drivers: Mapping[str, Driver],
        on_live: LiveListener,
        watches: Watches,
        conclude: Conclude = lambda trial, series: {},
        alive: Callable[[], None] = lambda: None,
        machines: Callable[[], Sequence[Machine]] = this_machine,
        arch: Callable[[], str] = platform.machine,
    ) -> None:
        """``alive`` is told often that the run is being driven."""
        self._cluster = cluster
        self._plan = plan
        self._loads = loads
        self._pools = pools
        self._control = control
        self._drivers = drivers
        self._on_live = on_live
        self._watches = watches
        self._conclude = conclude
        self._observer = Observer(cluster, plan, machines(), arch())
        self._alive = alive
        self.cooling = Cooling(cluster, plan, control, self._look)
        self._serial = 0

    # pools and populations

    def open_round(self) -> None:
        """Create the write pools of all groups, checked and balanced."""
        for driver in self._drivers.values():
            driver.new_round()
        self._pools.create(
            [p for g in self._plan.groups for p in g.pools if p.per_round]
        )

    def empty_round(self) -> None:
        """Remove what the last round left in gateways of others.

        Before OSDs are waited for: millions of objects are work for them.
        """
        for driver in self._drivers.values():
            driver.new_round()
        self.cooling.notice()

    def close_round(self) -> None:
        """Remove the write pools of all groups."""
        self.cooling.remove(
            lambda: self._pools.remove(
                [p for g in self._plan.groups for p in g.pools if p.per_round]
            )
        )

    def probe(self, workload: Workload, group: GroupPlan) -> None:
        """Start gently: a short trial at low concurrency."""
        self._warm_up(workload, group)
        job = self._driver(workload).probe(
            workload, group, probe_seconds(self._plan)
        )
        self._run('probe', job, pool_of(group, workload))

    def populate(self, workload: Workload, group: GroupPlan) -> None:
        """Create the read pool of a workload with its populations.

        It lives as long as the run: where OSDs lead more or less of its
        objects, each trial has the same error, and no interval shows it.
        """
        pool = pool_of(group, workload)
        job = self._driver(workload).fill(workload, group)
        self._run('fill', job, pool)
        if not pool.per_round:
            images = load.spec_of(workload.op).imaged
            self._pools.level(pool, images)

    def _warm_up(self, workload: Workload, group: GroupPlan) -> None:
        """Do what must come before a measured load."""
        driver = self._driver(workload)
        job = driver.warm(workload, group)
        while job is not None:
            try:
                self._run('warm', job, pool_of(group, workload))
            except WorkerFailed:
                driver.unready(workload, group)
                raise
            job = driver.warm(workload, group)

    # trials

    def trial(
        self, block: Block, attempt: int, position: int, group: GroupPlan
    ) -> TrialRecord:
        """Execute one trial; raise Cut with its void record."""
        workload = self._plan.workload(block.workload)
        driver = self._driver(workload)
        pool = pool_of(group, workload)
        try:
            self._warm_up(workload, group)
        except WorkerFailed as error:
            void = self._begun(block, attempt, position, group)
            void = dataclasses.replace(void, reason=error.message)
            raise Cut(error.message, TrialRecord(void)) from error
        left = self.cooling.left(group)
        tag = f'r{block.round}.b{block.index}.a{attempt}'
        job = driver.trial(workload, group, tag)
        up_sets = self._up_sets(pool)
        self._pools.look_again(pool, up_sets)
        trial = self._begun(block, attempt, position, group)
        self._watches.begin(
            TrialContext(self._plan, workload, group, pool, tag)
        )
        outcome: Optional[Outcome] = None
        told = _Told(self._on_live)
        try:
            outcome = self._run(
                'trial',
                job,
                pool,
                told.take,
                lambda: _cut_by(driver.problem(group)),
            )
        except WorkerFailed as error:
            further = driver.cut(
                workload, group, told.most, error.kind == 'bound'
            )
            void = dataclasses.replace(
                trial, ended=self._control.wall(), reason=error.message
            )
            raise Cut(error.message, TrialRecord(void), further) from error
        finally:
            seen = self._watches.end(outcome)
        driver.learn(workload, group, outcome)
        trial = dataclasses.replace(
            trial,
            started=outcome.started,
            ended=outcome.ended,
            summary=outcome.summary,
            manifest={
                **added(trial.manifest, seen.manifest),
                'load_tools': _versions(outcome.tools),
            },
            evidence=_evidence(
                outcome, seen, left, self.cooling.note(group, left)
            ),
        )
        trial.evidence.update(self._conclude(trial, seen.series))
        why = driver.problem(group) or self._moved(up_sets, pool)
        if why:
            trial = dataclasses.replace(trial, reason=why)
        else:
            trial = dataclasses.replace(trial, state=TrialState.OK)
        record = TrialRecord.of(trial, outcome.series, seen.series)
        if why:
            raise Cut(why, record)
        return record

    def _begun(
        self, block: Block, attempt: int, position: int, group: GroupPlan
    ) -> Trial:
        """Return a trial as it is when it begins, void until it is done."""
        workload = self._plan.workload(block.workload)
        pool, began = pool_of(group, workload), self._control.wall()
        return Trial(
            run=self._plan.run,
            round=block.round,
            block=block.index,
            attempt=attempt,
            position=position,
            workload=workload.name,
            group=group.name,
            started=began,
            ended=began,
            state=TrialState.VOID,
            manifest={
                **self._observer.manifest(
                    group,
                    pool,
                    self._pools.evidence(pool),
                    self._observer.tenant_ops(),
                    block.round,
                ).to_dict(),
                **self._driver(workload).manifest(group),
            },
        )

    # inside

    def _look(self) -> None:
        """Look at the brakes while nothing but time is needed."""
        self._loads.vigil()
        self._alive()

    def _driver(self, workload: Workload) -> Driver:
        return driver_of(self._drivers, workload)

    def _run(
        self,
        name: str,
        job: Job,
        pool: PoolPlan,
        on_live: Optional[LiveListener] = None,
        guard: Callable[[], None] = lambda: None,
    ) -> Outcome:
        def tick() -> None:
            self._alive()
            self._watches.tick()
            guard()

        self._serial += 1
        return self._loads.run(
            f'{self._serial:04d}-{name}',
            job,
            (pool.name,),
            on_live,
            tick,
        )

    def _up_sets(self, pool: PoolPlan) -> UpSets:
        return {pg.ps: pg.up for pg in self._cluster.pg_map(pool.name)}

    def _moved(self, before: UpSets, pool: PoolPlan) -> str:
        """Say which PGs have other OSDs than at the start of the trial."""
        try:
            after = self._up_sets(pool)
        except PerfcompareError as error:
            return f'the mapping of its PGs is not known: {error.message}'
        changed = [ps for ps in sorted(before) if after.get(ps) != before[ps]]
        if not changed:
            return ''
        return f'the up set of {len(changed)} of its PGs changed'


def _versions(tools: Mapping[str, str]) -> List[str]:
    """Return programs with their versions; some say their name in these."""
    return sorted(
        f'{name} {version.removeprefix(name + "-")}'
        for name, version in tools.items()
    )


def _cut_by(problem: str) -> None:
    if problem:
        raise WorkerFailed('driver', problem)


def _evidence(
    outcome: Outcome, seen: Evidence, left: List[str], why: str
) -> Dict[str, Any]:
    evidence: Dict[str, Any] = {'client': outcome.evidence, **seen.figures}
    notes = list(outcome.notes) + seen.notes
    if left:
        evidence['unsettled'] = left
        notes.append(why)
    if notes:
        evidence['notes'] = notes
    return evidence
