"""How loads of RADOS objects are planned: by populations and bounds."""

from typing import Dict, List, Sequence

from ...common.errors import InvalidArgument
from ...common.units import count, format_bytes, format_size
from ...model.group import Group
from ...model.plan import GroupPlan, PoolPlan, RunOptions, RunPlan
from ...model.workload import CacheRegime, Profile, WeightedSize, Workload
from ..loads import (
    FILL_BYTES,
    FILL_OPS,
    Draft,
    LoadPlanner,
    PoolNeed,
    workloads_of,
)
from . import objects

WRITE = 'write'  # role of the pool that takes what is written
# `rados bench` rounds its operations up to whole stripes of an EC pool
# unless the pool allows overwrites.
EC_OVERWRITES = 'allow_ec_overwrites: objects are not whole stripes'


class RadosPlanner(LoadPlanner):
    """Plan loads of objects: reads by size and regime, writes together."""

    def check_together(
        self, workloads: Sequence[Workload], where: str
    ) -> None:
        """Raise InvalidArgument where objects would be divided unlike.

        Reads of one size and cache regime share a population of objects.
        """
        shared: Dict[str, Workload] = {}
        for workload in workloads:
            if not workload.reads:
                continue
            first = shared.setdefault(objects.read_role(workload), workload)
            if first.clients != workload.clients:
                raise InvalidArgument(
                    f'{where}: {first.name} and {workload.name} read the '
                    f'same objects with {first.clients} and '
                    f'{workload.clients} clients; give both the same number'
                )

    def role(self, workload: Workload, group: GroupPlan) -> str:
        """Return the role of the pool that a workload works on."""
        return objects.read_role(workload) if workload.reads else WRITE

    def full_pools(self, profile: Profile, options: RunOptions) -> int:
        """Return how many full pools the PGs of its pools are worth."""
        return len(self._reads(profile)) + bool(self._writes(profile))

    def pools(
        self, draft: Draft, group: Group, scale: float
    ) -> List[PoolNeed]:
        """Return one pool for all writes, and one for each population."""
        osds = len(group.osds)
        found = []
        writes = self._writes(draft.profile)
        if writes:
            total = objects.write_bytes(
                writes, osds, draft.raw_per_byte, scale
            )
            found.append((WRITE, total, True, writes))
        for role, workloads in self._reads(draft.profile).items():
            each = self._per_osd(draft, workloads)
            # every client needs at least as many as it has in flight
            least = max(w.concurrency.total(osds) for w in workloads)
            total = max(each * osds, least) * workloads[0].size
            found.append((role, total, False, workloads))
        return [
            PoolNeed(
                role,
                total,
                per_round,
                held=tuple((WeightedSize(w.size),) for w in workloads),
                overwrites=self._overwrites(draft),
            )
            for role, total, per_round, workloads in found
        ]

    def labels(self, draft: Draft) -> List[str]:
        """Say what reads may miss, and how coded objects are written."""
        labels = [EC_OVERWRITES] if self._overwrites(draft) else []
        for workloads in self._reads(draft.profile).values():
            size = workloads[0].size
            fits = objects.cache_limit(size, draft.bounds)
            each = self._per_osd(draft, workloads)
            if workloads[0].cache is CacheRegime.CACHED and each > fits:
                labels.append(
                    f'reads of {format_size(size)} may miss the cache: '
                    f'{count(each, "object")} per OSD are more than half of '
                    'it'
                )
        return labels

    def holds(self, plan: RunPlan, group: GroupPlan, pool: PoolPlan) -> str:
        """Say how many objects are read."""
        for workload in self._reads(plan.profile).get(pool.role, ()):
            number = sum(objects.population(plan, workload, group.name))
            return (
                f'{count(number, "object")} of {format_size(workload.size)} '
                f'({format_bytes(pool.max_bytes)})'
            )
        return ''

    def fill_seconds(self, plan: RunPlan) -> float:
        """Return the expected seconds of writing and warming populations."""
        total = 0.0
        reads = self._reads(plan.profile)
        for group in plan.groups:
            osds = len(group.osds)
            for pool in group.pools:
                if pool.role not in reads:
                    continue
                number = pool.max_bytes / reads[pool.role][0].size
                total += max(
                    number / (FILL_OPS * osds),
                    pool.max_bytes / (FILL_BYTES * osds),
                )
        return total

    def _reads(self, profile: Profile) -> Dict[str, List[Workload]]:
        """Return the read workloads by the role of the pool they read."""
        found: Dict[str, List[Workload]] = {}
        for workload in workloads_of(self, profile):
            if workload.reads:
                role = objects.read_role(workload)
                found.setdefault(role, []).append(workload)
        return found

    def _writes(self, profile: Profile) -> List[Workload]:
        return [w for w in workloads_of(self, profile) if not w.reads]

    def _per_osd(self, draft: Draft, workloads: List[Workload]) -> int:
        return objects.objects_per_osd(workloads, draft.bounds)

    def _overwrites(self, draft: Draft) -> bool:
        width = draft.redundancy.stripe_width
        own = workloads_of(self, draft.profile)
        return bool(width) and any(w.size % width for w in own)


PLANNER = RadosPlanner()
