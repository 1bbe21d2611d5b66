"""Trials on RBD images: which jobs they are, and on what."""

from typing import Any, Callable, Dict, Optional, Set, Tuple

import zlib

from ...model.outcome import Outcome
from ...model.plan import GroupPlan, PoolPlan, RunPlan
from ...model.workload import CacheRegime, Workload
from ...planning.estimate import WORST_FILL, pool_of, trial_deadline
from ...planning.loads import FILL_BYTES
from ...planning.rbd import shape
from ...planning.rbd.planner import META, image_bytes
from ...worker.wire import jobs
from ...worker.wire.rbd_jobs import (
    Image,
    RbdJob,
    RbdPrefill,
    RbdProbe,
    RbdTrial,
    RbdWarm,
    probe_of,
)
from ..driver import Pools

FILL_LIMIT = 7200.0  # seconds
FILL_PER_IMAGE = 4  # operations in flight when images are prepared
FILL_PER_OSD = 4

Access = Callable[[str], jobs.Access]
Place = Tuple[str, str]  # group and pool


class RbdDriver:
    """Make the jobs of RBD workloads; a Driver."""

    def __init__(self, plan: RunPlan, pools: Pools, access: Access) -> None:
        self._plan = plan
        self._pools = pools
        self._access = access
        self._written: Set[Place] = set()
        self._warm: Set[Place] = set()

    def new_round(self) -> None:
        """Note that the pools of images that are written are new."""
        lasting = {
            (group.name, pool.name)
            for group in self._plan.groups
            for pool in group.pools
            if not pool.per_round
        }
        self._written &= lasting
        self._warm &= lasting

    def fill(self, workload: Workload, group: GroupPlan) -> RbdPrefill:
        """Return the job that writes the images of a read workload."""
        own = self._own(workload, group)
        new = [pool for pool in own if not self._pools.has(pool)]
        if new:
            self._pools.create(new)
        return self._prefill(workload, group)

    def _prefill(self, workload: Workload, group: GroupPlan) -> RbdPrefill:
        self._written.add(self._place(workload, group))
        return RbdPrefill(
            **self._passing(workload, group),
            # as what overwrites it: else an image would be both
            compress=shape.of(workload).compress,
        )

    def warm(self, workload: Workload, group: GroupPlan) -> Optional[RbdJob]:
        """Return what must be done before a trial, None when all is.

        What is written has a pool that is new in each round, so its images
        are first written in full. A cache that is to have what is read is
        warmed: for mixes before each trial, as their writes cool it.
        """
        place = self._place(workload, group)
        if not workload.reads and place not in self._written:
            return self._prefill(workload, group)
        reads = workload.reads or workload.op.facts.both
        if workload.cache is not CacheRegime.CACHED or not reads:
            return None
        if place in self._warm:
            return None
        self._warm.add(place)
        return RbdWarm(**self._passing(workload, group))

    def unready(self, workload: Workload, group: GroupPlan) -> None:
        """Have the images looked at again: those written in full are kept."""
        place = self._place(workload, group)
        self._warm.discard(place)
        if not workload.reads:
            self._written.discard(place)

    def probe(
        self, workload: Workload, group: GroupPlan, seconds: float
    ) -> RbdProbe:
        """Return a short trial at low concurrency."""
        job = self.trial(workload, group, f'probe.{group.name}')
        return probe_of(job, seconds)

    def trial(
        self, workload: Workload, group: GroupPlan, tag: str
    ) -> RbdTrial:
        """Return the job of one trial."""
        how = shape.of(workload)
        mixed = workload.op.facts.both
        if not workload.reads:
            self._warm.discard(self._place(workload, group))
        return RbdTrial(
            **self._common(workload, group),
            concurrency=workload.concurrency.total(len(group.osds)),
            deadline=trial_deadline(workload),
            op=workload.op.value,
            read_size=shape.read_size(workload),
            write_size=shape.write_size(workload),
            read_share=(how.read_share or shape.READ_SHARE) if mixed else 0,
            duration=workload.duration,
            warmup=workload.warmup,
            rate=how.rate,
            random_share=how.random_share or 100,
            distribution=how.distribution or shape.UNIFORM,
            compress=0 if workload.reads else how.compress,
            # the groups of a block go to the same places
            seed=zlib.crc32(
                f'{self._plan.seed} {workload.name} {tag}'.encode()
            ),
        )

    def learn(
        self, workload: Workload, group: GroupPlan, outcome: Outcome
    ) -> None:
        """Note nothing: images neither grow nor shrink."""

    def cut(
        self, workload: Workload, group: GroupPlan, ops: int, bound: bool
    ) -> bool:
        """Note nothing: images neither grow nor shrink."""
        return True

    def manifest(self, group: GroupPlan) -> Dict[str, Any]:
        """Return nothing: the trials' evidence says it."""
        return {}

    def problem(self, group: GroupPlan) -> str:
        """Return nothing: images need no service of their own."""
        return ''

    # inside

    def _place(self, workload: Workload, group: GroupPlan) -> Place:
        return group.name, pool_of(group, workload).name

    def _own(
        self, workload: Workload, group: GroupPlan
    ) -> Tuple[PoolPlan, ...]:
        """Return the pools of a workload's images, that of data first."""
        data = pool_of(group, workload)
        return (
            data,
            *(p for p in group.pools if p.role == data.role + META),
        )

    def _common(self, workload: Workload, group: GroupPlan) -> Dict[str, Any]:
        data, *meta = self._own(workload, group)
        size = image_bytes(data, workload)
        return {
            'access': self._access(meta[0].name if meta else data.name),
            'data_pool': data.name if meta else '',
            'images': tuple(
                Image(f'image-{number}', size)
                for number in range(workload.clients)
            ),
            'object_size': shape.object_size(workload),
            'encryption': shape.of(workload).encryption,
            'tool': 'fio' if workload.tool == shape.NAME else workload.tool,
        }

    def _passing(
        self, workload: Workload, group: GroupPlan
    ) -> Dict[str, Any]:
        """Return what a job has that goes over whole images."""
        osds = len(group.osds)
        data = pool_of(group, workload)
        most = FILL_PER_OSD * osds
        return {
            **self._common(workload, group),
            'concurrency': max(
                workload.clients,
                min(most, FILL_PER_IMAGE * workload.clients),
            ),
            'deadline': max(
                FILL_LIMIT, WORST_FILL * data.max_bytes / (FILL_BYTES * osds)
            ),
        }
