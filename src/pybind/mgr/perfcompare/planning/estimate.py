"""The arithmetic of a plan: objects, bytes and seconds.

All of it is derived from the plan again when it is needed (bounds of a
trial, populations), so that a run can go on in another mgr.
"""

from typing import Callable, Mapping, Optional, Tuple

import dataclasses

from ..guard.checks import capacity
from ..model.group import GatewaySet
from ..model.plan import GroupPlan, PoolPlan, RunPlan
from ..model.topology import Topology
from ..model.workload import Workload
from . import pgs, waiting
from .loads import planner_of, planners_of
from .redundancy import STRIPE_UNIT

MIB = 1024**2

# Seconds
PROBE = 10.0
START = 10.0  # from preflight to the first load
FINISH = 10.0
OVERHEAD = 7.0  # between loads, pools of the round included
WORST_OVERHEAD = 30.0  # without the wait for OSDs to settle
WORST_REPEATS = 1.25  # a quarter of all blocks is repeated
WORST_FILL = 5.0  # × the expected time
WORST_GROWTH = 2.0


@dataclasses.dataclass(frozen=True)
class PlanSettings:
    """Hold what a plan needs to know of the cluster's settings."""

    mon_max_pg_per_osd: int = 250
    initial_pgs: int = pgs.INITIAL_PGS
    nearfull_ratio: float = 0.85
    # bytes of BlueStore cache of one OSD that can hold data, by group
    # name; the modest default is for groups that are not there
    cache_bytes: Mapping[str, int] = dataclasses.field(default_factory=dict)
    default_cache_bytes: int = 128 * MIB
    # the content of the profile that --ec-profile names
    ec_profile: Optional[Mapping[str, str]] = None
    # bytes of a chunk in a stripe, of profiles that have none of their own
    stripe_unit: int = STRIPE_UNIT
    # gateways of the operator that serve a group, by its name
    gateways: Mapping[str, GatewaySet] = dataclasses.field(
        default_factory=dict
    )

    # where the orchestrator places gateways, by group, and from which port
    gateway_hosts: Mapping[str, Tuple[str, ...]] = dataclasses.field(
        default_factory=dict
    )
    gateway_port: int = 17480
    # of the host of the active manager, where private gateways run
    client_arch: str = ''

    def cache(self, group: str) -> int:
        """Return the cache of one OSD of ``group`` in bytes."""
        return self.cache_bytes.get(group, self.default_cache_bytes)


def copies(pool: PoolPlan) -> float:
    """Return raw bytes per client byte of a pool."""
    return pool.copies


def pool_of(group: GroupPlan, workload: Workload) -> PoolPlan:
    """Return the pool of ``group`` that ``workload`` works on.

    Raises KeyError when the plan of the group has no such pool.
    """
    role = planner_of(workload.op).role(workload, group)
    for pool in group.pools:
        if pool.role == role:
            return pool
    raise KeyError(f'{group.name}.{role}')


def probe_seconds(plan: RunPlan) -> float:
    """Return how long the gentle start of each group takes.

    Never longer than a trial: a short run need not start more gently than
    it goes on.
    """
    longest = max(w.warmup + w.duration for w in plan.profile.workloads)
    return min(PROBE, longest)


def trial_deadline(workload: Workload) -> float:
    """Return the seconds after which a trial is killed."""
    extra = planner_of(workload.op).deadline_extra(workload)
    return workload.warmup + workload.duration + extra


def timed(
    plan: RunPlan, tight: bool = False, initial: int = pgs.INITIAL_PGS
) -> RunPlan:
    """Return the plan with its bytes and its expected and worst seconds.

    The rounds of a ``tight`` one need the room of those before. Pools begin
    with ``initial`` PGs.
    """
    growth = waiting.growth(plan, initial)
    load = {w.name: w.warmup + w.duration for w in plan.profile.workloads}
    trials = [load[b.workload] for b in plan.blocks for _ in b.order]
    once = START + FINISH + len(plan.groups) * probe_seconds(plan)
    worst = WORST_OVERHEAD + waiting.COOLING
    loads = planners_of(plan.profile)
    fill = sum(planner.fill_seconds(plan) for planner in loads)
    rounds = plan.profile.rounds + 1
    return dataclasses.replace(
        plan,
        bytes_written=sum(
            pool.max_bytes * (rounds if pool.per_round else 1)
            for group in plan.groups
            for pool in group.pools
        )
        + sum(planner.rewritten(plan) for planner in loads),
        seconds=once
        + waiting.expected(plan)
        + growth
        + fill
        + sum(t + OVERHEAD for t in trials),
        seconds_max=once
        + WORST_OVERHEAD
        + waiting.longest(plan, tight)
        + sum(planner.removal_seconds(plan) for planner in loads)
        + WORST_GROWTH * growth
        + WORST_FILL * fill
        + WORST_REPEATS * sum(t + worst for t in trials),
    )


def fit(
    make: Callable[[float], RunPlan],
    topology: Topology,
    nearfull: float,
    data_chunks: int,
) -> RunPlan:
    """Return the plan with the largest write bounds that CAPACITY accepts.

    ``make`` builds a plan whose bounds are scaled by its argument, 0…1.
    Where not even the least bounds fit, those are planned, and the
    preflight refuses them with the OSD and its fill.
    """
    # a point below the preflight's limit, for what is written meanwhile
    limit = nearfull - capacity.MARGIN - 0.01

    chunks = data_chunks if data_chunks > 1 else None

    def fits(plan: RunPlan) -> bool:
        return capacity.fits(topology, plan, chunks, limit)

    plan = make(1.0)
    if fits(plan):
        return plan
    low, high = 0.0, 1.0
    for _ in range(12):
        middle = (low + high) / 2
        if fits(make(middle)):
            low = middle
        else:
            high = middle
    return make(low)
