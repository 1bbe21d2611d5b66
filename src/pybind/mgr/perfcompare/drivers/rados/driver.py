"""Trials through `rados bench`: which jobs they are, and on what."""

from typing import Any, Callable, Dict, Optional, Set, Tuple

import zlib

from ...model.outcome import Outcome
from ...model.plan import GroupPlan, PoolPlan, RunPlan
from ...model.workload import CacheRegime, Workload
from ...planning import probe
from ...planning.estimate import pool_of, trial_deadline
from ...planning.rados.objects import population, write_bound
from ...worker.wire import jobs
from ..driver import Pools

FILL_LIMIT = 7200.0  # seconds that a population may take
FILL_PER_OSD = 4  # operations in flight when objects are prepared

Access = Callable[[str], jobs.Access]


class RadosDriver:
    """Make the jobs of `rados` workloads; a Driver."""

    def __init__(self, plan: RunPlan, pools: Pools, access: Access) -> None:
        self._plan = plan
        self._pools = pools
        self._access = access
        self._warm: Set[Tuple[str, str]] = set()  # group, pool
        self._rates: Dict[Tuple[str, str], float] = {}  # group, workload
        self._unbound: Set[Tuple[str, str]] = set()  # faster than they were
        self._stored: Dict[str, int] = {}  # bytes in write pools, by group
        self._seen: Dict[Tuple[str, str], float] = {}  # the last trials'
        self._probes: Dict[Tuple[str, str], float] = {}  # workload, block
        self._asked: Dict[str, int] = {}  # objects of the last probe

    def new_round(self) -> None:
        """Note that the write pools are new."""
        self._stored.clear()

    def fill(self, workload: Workload, group: GroupPlan) -> jobs.Prefill:
        """Return the job that writes the populations of a read workload."""
        pool = pool_of(group, workload)
        if not self._pools.has(pool):
            self._pools.create([pool])
        return jobs.Prefill(
            access=self._access(pool.name),
            concurrency=_passing(workload, group),
            deadline=FILL_LIMIT,
            populations=self._populations(workload, group),
        )

    def warm(
        self, workload: Workload, group: GroupPlan
    ) -> Optional[jobs.Warm]:
        """Return a pass over a population that was never read."""
        pool = pool_of(group, workload)
        key = (group.name, pool.name)
        if workload.cache is not CacheRegime.CACHED or key in self._warm:
            return None
        self._warm.add(key)
        return jobs.Warm(
            access=self._access(pool.name),
            concurrency=_passing(workload, group),
            deadline=FILL_LIMIT,
            populations=self._populations(workload, group),
        )

    def unready(self, workload: Workload, group: GroupPlan) -> None:
        """Have the population read again."""
        self._warm.discard((group.name, pool_of(group, workload).name))

    def probe(
        self, workload: Workload, group: GroupPlan, seconds: float
    ) -> jobs.Probe:
        """Return a short trial at low concurrency."""
        return jobs.probe_of(
            self.trial(workload, group, f'probe.{group.name}'), seconds
        )

    def trial(
        self, workload: Workload, group: GroupPlan, tag: str
    ) -> jobs.Trial:
        """Return the job of one trial."""
        pool: PoolPlan = pool_of(group, workload)
        reads = workload.reads
        populations: Tuple[jobs.Population, ...] = ()
        if reads:
            populations = self._populations(workload, group)
        bound = 0 if reads else self._bound(workload, group)
        rate = self._probe_rate(workload, tag)
        objects = 0
        if rate and not reads:
            objects = probe.objects(rate, workload, bound)
            least = workload.concurrency.total(len(group.osds))
            bound = max(least, bound - objects)
        self._asked[group.name] = objects
        return jobs.Trial(
            access=self._access(pool.name),
            concurrency=workload.concurrency.total(len(group.osds)),
            deadline=trial_deadline(workload),
            populations=populations[: workload.clients],
            op=workload.op.value,
            size=workload.size,
            duration=workload.duration,
            warmup=workload.warmup,
            clients=workload.clients,
            run_name='' if reads else f'{self._plan.run}.{tag}',
            max_objects=bound,
            probe_rate=rate,
            # the groups of a block have the same arrivals
            probe_seed=zlib.crc32(
                f'{self._plan.seed} {workload.name} {tag}'.encode()
            ),
            probe_objects=objects,
            probe_off=self._no_probe(rate),
        )

    def learn(
        self, workload: Workload, group: GroupPlan, outcome: Outcome
    ) -> None:
        """Note how fast a group writes, and what its pool holds now."""
        if outcome.summary is None:
            return
        rate = outcome.summary.ops_per_s or 0.0
        key = (group.name, workload.name)
        self._seen[key] = rate
        if workload.reads:
            return
        self._rates[key] = max(rate, self._rates.get(key, 0.0))
        # the cluster's own figure comes seconds later
        written = sum(s.finished[-1] for s in outcome.raw if s.finished)
        self._add(workload, group, written + self._asked[group.name])

    def _add(
        self, workload: Workload, group: GroupPlan, objects: int
    ) -> None:
        self._stored[group.name] = (
            self.stored(group) + objects * workload.size
        )

    def stored(self, group: GroupPlan) -> int:
        """Return the bytes that trials of this round left, at most."""
        return self._stored.get(group.name, 0)

    def cut(
        self, workload: Workload, group: GroupPlan, ops: int, bound: bool
    ) -> bool:
        """Count what a trial left; mind a bound that was too low.

        A disturbed trial may have been many times slower than the next: from
        then on its share of the pool bounds it, not what was seen. That is
        the most that it gets.
        """
        if not workload.reads:
            self._add(workload, group, ops + self._asked.get(group.name, 0))
        if not bound:
            return True
        key = (group.name, workload.name)
        by_rate = key in self._rates and key not in self._unbound
        self._unbound.add(key)
        return by_rate

    def manifest(self, group: GroupPlan) -> Dict[str, Any]:
        """Return nothing: the manifest of all trials says it."""
        return {}

    def problem(self, group: GroupPlan) -> str:
        """Return nothing: `rados bench` needs no service of its own."""
        return ''

    def _probe_rate(self, workload: Workload, tag: str) -> float:
        """Return the rate of a block's probe, the same for its groups."""
        if not self._plan.probe_rate:
            return 0.0
        key = (workload.name, tag)
        if key not in self._probes:
            names = [(g.name, workload.name) for g in self._plan.groups]
            self._probes[key] = probe.allowed(
                self._plan.probe_rate,
                [self._seen[name] for name in names if name in self._seen],
                workload.size,
            )
        return self._probes[key]

    def _no_probe(self, rate: float) -> str:
        if rate:
            return ''
        return probe.TOO_SLOW if self._plan.probe_rate else probe.SWITCHED_OFF

    def _bound(self, workload: Workload, group: GroupPlan) -> int:
        """Return the most objects of a write trial, by what was seen."""
        key = (group.name, workload.name)
        return write_bound(
            self._plan,
            workload,
            group.name,
            None if key in self._unbound else self._rates.get(key),
            self.stored(group),
        )

    def _populations(
        self, workload: Workload, group: GroupPlan
    ) -> Tuple[jobs.Population, ...]:
        objects_of = population(self._plan, workload, group.name)
        # clients of workloads with other numbers of clients have their own
        prefix = f'{self._plan.run}.p{workload.clients}'
        return tuple(
            jobs.Population(f'{prefix}.{client}', objects, workload.size)
            for client, objects in enumerate(objects_of)
        )  # fmt: skip


def _passing(workload: Workload, group: GroupPlan) -> int:
    """Return the operations in flight where populations are gone over.

    One for each client at least: so they are dealt out to load hosts as
    their readers are, who can read only what they wrote.
    """
    return max(FILL_PER_OSD * len(group.osds), workload.clients)
