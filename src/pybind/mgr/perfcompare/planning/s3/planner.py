"""How S3 loads are planned: pools of gateways, buckets, their objects."""

from typing import List

from ...common.units import format_bytes
from ...model.group import Group
from ...model.plan import GroupPlan, PoolPlan, RunOptions, RunPlan
from ...model.workload import Profile, Workload
from ..loads import Draft, Held, LoadPlanner, PoolNeed, workloads_of
from ..sizes import read_sizes, write_sizes
from . import labels, lingering, options, plan, refusals, regimes, removal


class S3Planner(LoadPlanner):
    """Plan loads through gateways."""

    def check(self, profile: Profile, given: RunOptions) -> None:
        """Raise InvalidArgument for options that its loads cannot have."""
        options.check(profile, given)

    def check_workload(self, workload: Workload, where: str) -> None:
        """Raise InvalidArgument where one of its workloads cannot be."""
        refusals.check(workload, where)

    def most_in_flight(self, workload: Workload, hosts: int) -> int:
        """Return the operations that the connections of hosts are for."""
        return hosts * refusals.most_of_host(workload)

    def role(self, workload: Workload, group: GroupPlan) -> str:
        """Return the role of the pool that holds a workload's objects."""
        return plan.data_role(workload, group)

    def full_pools(self, profile: Profile, given: RunOptions) -> int:
        """Return how many full pools the PGs of its pools are worth."""
        return plan.pg_weight(profile, given)

    def pools(
        self, draft: Draft, group: Group, scale: float
    ) -> List[PoolNeed]:
        """Return pools for what gateways keep, for reads, and for writes."""
        osds = len(group.osds)
        for workload in workloads_of(self, draft.profile):
            regimes.check(workload, osds, draft.bounds)
        return [
            PoolNeed(
                role,
                plan.max_bytes(
                    draft.profile, role, osds, scale, draft.bounds
                ),
                per_round=role in plan.WRITE,
                held=self._held(role, draft.profile),
                replicated=plan.replicated(role),
                small=role not in (plan.READ[1], plan.WRITE[1]),
                on_index=role in plan.INDEX,
                lingering=(
                    lingering.most(draft.profile, osds, scale)
                    if role == plan.SENTINEL_POOL
                    else 0
                ),
                raw=draft.theirs if role == plan.SENTINEL_POOL else 0.0,
            )
            for role in plan.roles(draft.profile, draft.options)
        ]

    def labels(self, draft: Draft) -> List[str]:
        """Return what every reader of S3 results has to know."""
        found = labels.labels(
            draft.profile, draft.options, draft.client_host, draft.client_arch
        )
        return found + regimes.labels(draft)

    def holds(self, run: RunPlan, group: GroupPlan, pool: PoolPlan) -> str:
        """Say what a pool that stays empty stands for."""
        if pool.role != plan.SENTINEL_POOL:
            return ''
        text = (
            f'stays empty; at most {format_bytes(pool.max_bytes)} at one '
            'time through the gateways'
        )
        if pool.lingering:
            text += (
                f', and {format_bytes(pool.lingering)} that they free hours '
                'after they are deleted'
            )
        return text

    def fill_seconds(self, run: RunPlan) -> float:
        """Return the expected seconds of all that is not measured."""
        return plan.fill_seconds(run)

    def removal_seconds(self, run: RunPlan) -> float:
        """Return the most seconds to empty buckets between rounds."""
        return removal.seconds(run)

    def rewritten(self, run: RunPlan) -> int:
        """Return the bytes that no pool of ours is planned for."""
        return plan.rewritten(run)

    def deadline_extra(self, workload: Workload) -> float:
        """Return the seconds that a trial may take beside its load."""
        return plan.DEADLINE_EXTRA + plan.prefill_seconds(workload)

    def _held(self, role: str, profile: Profile) -> Held:
        """Return the sizes of what is written to a pool."""
        found = []
        for workload in workloads_of(self, profile):
            if role == plan.READ[1] and not workload.reads:
                continue
            if role == plan.WRITE[1] and workload.reads:
                continue
            if role not in (plan.READ[1], plan.WRITE[1], plan.SENTINEL_POOL):
                continue
            if workload.reads or workload.op.facts.both:
                found.append(read_sizes(workload))
            if not workload.reads:
                found.append(write_sizes(workload))
        return tuple(found)


PLANNER = S3Planner()
