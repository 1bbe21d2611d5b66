"""Execute single trials: pools and populations, load, evidence, cooling."""

from typing import Any, Callable, Dict, Optional, Set, Tuple

import dataclasses
import time

from . import sampling
from .benchpool import BenchPool
from .cluster import Cluster
from .control import Control
from .errors import PerfcompareError
from .estimate import (
    pool_of,
    population,
    probe_seconds,
    trial_deadline,
    write_bound,
)
from .loadrun import LoadRun
from .models import (
    Block,
    CacheRegime,
    GroupPlan,
    PoolPlan,
    RunPlan,
    Trial,
    TrialState,
    Workload,
)
from .observe import Observer
from .outcomes import Outcome, WorkerFailed
from .s3driver import S3Driver
from .store import TrialRecord
from .worker import jobs
from .worker.protocol import Live

COOLING_LIMIT = 60.0  # seconds that a trial waits for its forerunner
FILL_LIMIT = 7200.0  # seconds that a population may take
FILL_PER_OSD = 4  # operations in flight when objects are prepared

Access = Callable[[str], jobs.Access]
LiveListener = Callable[[Live], None]
Mapping = Dict[int, Tuple[int, ...]]  # ps -> up set


class Cut(Exception):
    """Say that a trial was cut short; its block must be repeated."""

    def __init__(self, reason: str, record: TrialRecord) -> None:
        super().__init__(reason)
        self.record = record


class TrialRunner:
    """Do the work of one run's trials; the caller decides their order."""

    def __init__(
        self,
        cluster: Cluster,
        plan: RunPlan,
        loads: LoadRun,
        pools: BenchPool,
        control: Control,
        access: Access,
        on_live: LiveListener,
        s3: Optional[S3Driver] = None,
    ) -> None:
        self._cluster = cluster
        self._plan = plan
        self._loads = loads
        self._pools = pools
        self._control = control
        self._access = access
        self._on_live = on_live
        self._s3_driver = s3
        self._observer = Observer(cluster, plan)
        self._settled = {
            g.name: sampling.sample(cluster, g.osds) for g in plan.groups
        }
        self._warm: Set[Tuple[str, str]] = set()  # group, pool
        self._rates: Dict[Tuple[str, str], float] = {}  # group, workload
        self._stored: Dict[str, int] = {}  # bytes in write pools, by group
        self._serial = 0

    # pools and populations

    def open_round(self) -> None:
        """Create the write pools of all groups, checked and balanced."""
        self._stored.clear()
        if self._s3_driver is not None:
            self._s3_driver.new_round()
        self._pools.create(
            [p for g in self._plan.groups for p in g.pools if p.per_round]
        )

    def close_round(self) -> None:
        """Remove the write pools and wait until the OSDs forgot them."""
        self._pools.remove(
            [p for g in self._plan.groups for p in g.pools if p.per_round]
        )
        for group in self._plan.groups:
            self.cool(group)

    def probe(self, workload: Workload, group: GroupPlan) -> None:
        """Start gently: a short trial at low concurrency."""
        pool = pool_of(group, workload)
        if workload.op.s3:
            gentle = self._s3.probe(
                workload, group, probe_seconds(self._plan)
            )
            self._run('probe', gentle, pool)
            return
        job = jobs.probe_of(
            self._job(workload, group, pool, f'probe.{group.name}'),
            probe_seconds(self._plan),
        )
        self._run('probe', job, pool)

    def populate(self, workload: Workload, group: GroupPlan) -> None:
        """Create the read pool of a workload with its populations."""
        pool = pool_of(group, workload)
        if workload.op.s3:
            self._run('fill', self._s3.fill(workload, group), pool)
            return
        if not self._pools.has(pool):
            self._pools.create([pool])
        job = jobs.Prefill(
            access=self._access(pool.name),
            concurrency=FILL_PER_OSD * len(group.osds),
            deadline=FILL_LIMIT,
            populations=self._populations(workload, group, pool),
        )
        self._run('fill', job, pool)

    def _warm_up(
        self, workload: Workload, group: GroupPlan, pool: PoolPlan
    ) -> None:
        """Read a population once before its first measured reads."""
        key = (group.name, pool.name)
        if workload.cache is not CacheRegime.CACHED or key in self._warm:
            return
        job = jobs.Warm(
            access=self._access(pool.name),
            concurrency=FILL_PER_OSD * len(group.osds),
            deadline=FILL_LIMIT,
            populations=self._populations(workload, group, pool),
        )
        self._run('warm', job, pool)
        self._warm.add(key)

    # trials

    def trial(
        self, block: Block, attempt: int, position: int, group: GroupPlan
    ) -> TrialRecord:
        """Execute one trial; raise Cut with its void record."""
        workload = self._plan.workload(block.workload)
        pool = pool_of(group, workload)
        if workload.reads and not workload.op.s3:
            self._warm_up(workload, group, pool)
        tag = f'r{block.round}.b{block.index}.a{attempt}'
        job: jobs.Job
        if workload.op.s3:
            job = self._s3.trial(workload, group, tag)
        else:
            job = self._job(workload, group, pool, tag)
        before = sampling.sample(self._cluster, group.osds)
        mapping = self._mapping(pool)
        began = time.time()
        trial = Trial(
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
            manifest=self._observer.manifest(
                group,
                pool,
                self._pools.evidence(pool),
                self._observer.tenant_ops(),
                workload.cache.value if workload.cache else None,
            ).to_dict(),
        )
        if workload.op.s3:
            trial = dataclasses.replace(
                trial,
                manifest={**trial.manifest, **self._s3.manifest(group)},
            )
        try:
            outcome = self._run('trial', job, pool, self._on_live)
        except WorkerFailed as error:
            void = dataclasses.replace(
                trial, ended=time.time(), reason=error.message
            )
            raise Cut(error.message, TrialRecord(void)) from error
        after = sampling.sample(self._cluster, group.osds)
        self._learn(workload, group, outcome)
        osds = sampling.trial_evidence(before, after)
        regime = sampling.cache_regime(osds) if workload.reads else None
        manifest = dict(trial.manifest)
        if regime:
            manifest['cache_regime'] = regime
        trial = dataclasses.replace(
            trial,
            started=outcome.started,
            ended=outcome.ended,
            summary=outcome.summary,
            manifest=manifest,
            evidence=_evidence(outcome, osds),
        )
        moved = self._moved(mapping, pool)
        if workload.op.s3:
            moved = self._s3.problem(group) or moved
        if moved:
            void = dataclasses.replace(trial, reason=moved)
            raise Cut(moved, TrialRecord.of(void, outcome.series))
        return TrialRecord.of(
            dataclasses.replace(trial, state=TrialState.OK), outcome.series
        )

    def cool(self, group: GroupPlan) -> None:
        """Wait until what a trial left on the group's OSDs is done."""

        def settled() -> bool:
            self._loads.vigil()
            left = sampling.unsettled(
                sampling.sample(self._cluster, group.osds),
                self._settled[group.name],
            )
            return not left

        self._control.wait_until(settled, COOLING_LIMIT)

    # inside

    @property
    def _s3(self) -> S3Driver:
        if self._s3_driver is None:
            raise PerfcompareError('S3 workloads cannot run here')
        return self._s3_driver

    def _run(
        self,
        name: str,
        job: jobs.Job,
        pool: PoolPlan,
        on_live: Optional[LiveListener] = None,
    ) -> Outcome:
        self._serial += 1
        return self._loads.run(
            f'{self._serial:04d}-{name}', job, (pool.name,), on_live
        )

    def _job(
        self,
        workload: Workload,
        group: GroupPlan,
        pool: PoolPlan,
        tag: str,
    ) -> jobs.Trial:
        concurrency = workload.concurrency.total(len(group.osds))
        return jobs.Trial(
            access=self._access(pool.name),
            concurrency=concurrency,
            deadline=trial_deadline(workload),
            populations=(
                self._populations(workload, group, pool)[: workload.clients]
                if workload.reads
                else ()
            ),
            op=workload.op.value,
            size=workload.size,
            duration=workload.duration,
            warmup=workload.warmup,
            clients=workload.clients,
            run_name=f'{self._plan.run}.{tag}' if not workload.reads else '',
            max_objects=0 if workload.reads else self._bound(workload, group),
        )

    def _bound(self, workload: Workload, group: GroupPlan) -> int:
        """Return the most objects of a write trial, by what was seen."""
        key = (group.name, workload.name)
        return write_bound(
            self._plan,
            workload,
            group.name,
            self._rates.get(key),
            self._stored.get(group.name, 0),
        )

    def _learn(
        self, workload: Workload, group: GroupPlan, outcome: Outcome
    ) -> None:
        """Note how fast a group writes, and what its pool holds now."""
        if workload.op.s3:
            self._s3.learn(workload, group, outcome)
            return
        if workload.reads or outcome.summary is None:
            return
        rate = outcome.summary.ops_per_s or 0.0
        key = (group.name, workload.name)
        self._rates[key] = max(rate, self._rates.get(key, 0.0))
        # the cluster's own figure comes seconds later
        written = sum(s.finished[-1] for s in outcome.raw if s.finished)
        self._stored[group.name] = (
            self._stored.get(group.name, 0) + written * workload.size
        )

    def _populations(
        self, workload: Workload, group: GroupPlan, pool: PoolPlan
    ) -> Tuple[jobs.Population, ...]:
        objects_of = population(self._plan, workload, group.name)
        # clients of workloads with other numbers of clients have their own
        prefix = f'{self._plan.run}.p{workload.clients}'
        return tuple(
            jobs.Population(f'{prefix}.{client}', objects, workload.size)
            for client, objects in enumerate(objects_of)
        )  # fmt: skip

    def _mapping(self, pool: PoolPlan) -> Mapping:
        return {pg.ps: pg.up for pg in self._cluster.pg_map(pool.name)}

    def _moved(self, before: Mapping, pool: PoolPlan) -> str:
        """Say which PGs have other OSDs than at the start of the trial."""
        try:
            after = self._mapping(pool)
        except PerfcompareError as error:
            return f'the mapping of its PGs is not known: {error.message}'
        changed = [ps for ps in sorted(before) if after.get(ps) != before[ps]]
        if not changed:
            return ''
        return f'the up set of {len(changed)} of its PGs changed'


def _evidence(outcome: Outcome, osds: Dict[str, Any]) -> Dict[str, Any]:
    evidence: Dict[str, Any] = {'client': outcome.evidence, 'osds': osds}
    if outcome.notes:
        evidence['notes'] = list(outcome.notes)
    return evidence
