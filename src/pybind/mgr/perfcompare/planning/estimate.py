"""The arithmetic of a plan: PGs, objects, bytes and seconds.

All of it is derived from the plan again when it is needed (bounds of a
trial, populations), so that a run can go on in another mgr.
"""

from typing import Callable, Dict, List, Mapping, Optional, Sequence, Tuple

import dataclasses
import math

from ..common.errors import InvalidArgument
from ..common.units import format_size
from ..guard.checks.capacity import MARGIN, largest_domain, predicted
from ..model.group import GatewaySet
from ..model.plan import GroupPlan, PoolPlan, RunPlan
from ..model.topology import Topology
from ..model.workload import CacheRegime, Workload
from .options import MAX_PG_NUM
from .s3 import plan as s3plan

MIB = 1024**2

# Placement groups
PGS_PER_OSD = 32  # of one pool, over the replicas
MAX_PGS = 4096  # of all pools of a run
LEAST_PGS = 8
UNEQUAL = 1.5  # OSD counts beyond this ratio get a pg_num of their own

# More than one OSD does, so that a bound on objects is seldom met: client
# operations and bytes per second for each OSD, before replication.
FASTEST_OPS = 20000.0
FASTEST_BYTES = 1024.0 * MIB
RATE_MARGIN = 3.0  # of a bound over what an earlier trial needed
LEAST_BATCHES = 2  # a bound is never below this many × concurrency

# Populations, in objects for each OSD. Random reads need enough to fall
# evenly on the OSDs; sequential ones end when all is read.
RAND_OBJECTS = 2048
SEQ_OBJECTS = 16384
LEAST_OBJECTS = 16
# even where the cache is too small for them: less is read in a moment
LEAST_SEQ_OBJECTS = 4096
LEAST_SEQ_BYTES = 256 * MIB
ONODE_BYTES = 2048  # of cache for each object besides its data
CACHED_SHARE = 0.5  # of the cache, at most
DEVICE_FACTOR = 4  # × the cache, at least

# Seconds. Slow OSDs (emulated, HDD) do this much when they are filled.
FILL_OPS = 150.0  # objects per second for each OSD
FILL_BYTES = 40.0 * MIB
PROBE = 10.0
START = 10.0  # from preflight to the first load
FINISH = 10.0
OVERHEAD = 7.0  # between loads, pools of the round included
WORST_OVERHEAD = 30.0
WORST_REPEATS = 1.25  # a quarter of all blocks is repeated
WORST_FILL = 5.0  # × the expected time
DEADLINE_EXTRA = 30.0


@dataclasses.dataclass(frozen=True)
class PlanSettings:
    """Hold what a plan needs to know of the cluster's settings."""

    mon_max_pg_per_osd: int = 250
    nearfull_ratio: float = 0.85
    # bytes of BlueStore cache of one OSD that can hold data, by group
    # name; the modest default is for groups that are not there
    cache_bytes: Mapping[str, int] = dataclasses.field(default_factory=dict)
    default_cache_bytes: int = 128 * MIB
    # the content of the profile that --ec-profile names
    ec_profile: Optional[Mapping[str, str]] = None
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


def check_pg_num(pg_num: int) -> int:
    """Return what --pg-num gave; InvalidArgument when it cannot be."""
    if not 1 <= pg_num <= MAX_PG_NUM or pg_num & (pg_num - 1):
        raise InvalidArgument(
            f'--pg-num {pg_num} is not a power of two from 1 to '
            f'{MAX_PG_NUM}; give e.g. {nearest_power(pg_num)} (others make '
            'PGs of unequal size)'
        )
    return pg_num


def nearest_power(value: float) -> int:
    """Return the power of two nearest by ratio, within 1..65536."""
    if value <= 1:
        return 1
    return min(MAX_PG_NUM, 1 << int(round(math.log2(value))))


def pg_numbers(
    osds: Mapping[str, int],
    pools: int,
    size: int,
    existing: Mapping[str, float],
    limit: int,
    sides: int = 1,
) -> Dict[str, int]:
    """Return the pg_num of each group's pools by the rule of design 4.6.

    ``osds`` and ``existing`` are OSDs and present PGs per OSD by group,
    ``pools`` the pools that a group holds at one time, ``sides`` how many
    groups share the same OSDs. A result may still pass ``limit`` when not
    even LEAST_PGS fit; the preflight refuses that.
    """
    wanted = {
        name: nearest_power(PGS_PER_OSD * number / size)
        for name, number in osds.items()
    }
    if max(osds.values()) <= UNEQUAL * min(osds.values()):
        least = min(wanted.values())
        wanted = {name: least for name in wanted}

    def too_many() -> bool:
        if sum(wanted.values()) * pools > MAX_PGS:
            return True
        return any(
            existing.get(n, 0.0) + sides * pools * pgs * size / osds[n]
            > limit
            for n, pgs in wanted.items()
        )

    while too_many() and max(wanted.values()) > LEAST_PGS:
        # all of them, so that PGs per OSD stay alike
        wanted = {n: max(LEAST_PGS, p // 2) for n, p in wanted.items()}
    return wanted


def copies(pool: PoolPlan) -> float:
    """Return raw bytes per client byte of a pool."""
    chunks = pool.min_size - 1 if pool.ec_profile else 1
    return pool.size / max(1, chunks)


def fastest(workload: Workload, osds: int, raw_per_byte: float) -> int:
    """Return the objects that no group of ``osds`` OSDs writes in a trial."""
    rate = min(FASTEST_OPS, FASTEST_BYTES / workload.size)
    seconds = workload.warmup + workload.duration
    return math.ceil(rate * osds / raw_per_byte * seconds)


def write_bytes(
    workloads: Sequence[Workload],
    osds: int,
    raw_per_byte: float,
    scale: float,
) -> int:
    """Return the client bytes that a round's write pool is planned for."""
    total = 0
    for workload in workloads:
        least = LEAST_BATCHES * workload.concurrency.total(osds)
        bound = math.ceil(scale * fastest(workload, osds, raw_per_byte))
        total += max(least, bound) * workload.size
    return total


def write_bound(
    plan: RunPlan,
    workload: Workload,
    group: str,
    rate: Optional[float] = None,
    stored: int = 0,
) -> int:
    """Return the most objects that a write trial may create.

    Each write workload has its share of the write pool. ``rate`` (objects
    per second of an earlier trial, e.g. of the conditioning round) lowers
    the bound to three times what that rate needs. ``stored`` bytes that
    are in the pool already (a block is repeated) lower it so that the pool
    stays within its plan. A trial that reaches its bound ends early and
    must be flagged.
    """
    own = plan.group(group)
    pool = pool_of(own, workload)
    osds = len(own.osds)
    writes = [
        w for w in plan.profile.workloads if not w.reads and w.op.direct
    ]
    whole = write_bytes(writes, osds, copies(pool), 1.0)
    mine = write_bytes([workload], osds, copies(pool), 1.0)
    share = pool.max_bytes * mine // whole
    room = pool.max_bytes - stored
    bound = min(share, room) // workload.size
    if rate is not None and rate > 0:
        seconds = workload.warmup + workload.duration
        bound = min(bound, math.ceil(RATE_MARGIN * rate * seconds))
    return max(workload.concurrency.total(osds), bound)


def read_role(workload: Workload) -> str:
    """Return the role of the pool that a read workload reads."""
    suffix = '-device' if workload.cache is CacheRegime.DEVICE else ''
    return f'read-{format_size(workload.size)}{suffix}'


def pool_of(group: GroupPlan, workload: Workload) -> PoolPlan:
    """Return the pool of ``group`` that ``workload`` works on.

    Raises KeyError when the plan of the group has no such pool.
    """
    role = read_role(workload) if workload.reads else 'write'
    if not workload.op.direct:
        role = s3plan.data_role(workload, group)
    for pool in group.pools:
        if pool.role == role:
            return pool
    raise KeyError(f'{group.name}.{role}')


def objects_per_osd(
    workloads: Sequence[Workload], caches: Sequence[int], sides: int
) -> int:
    """Return the objects for each OSD of one population.

    ``workloads`` read it; ``caches`` are the cache bytes of one OSD of
    each group, so that the number is the same for all groups.
    """
    size = workloads[0].size
    if workloads[0].cache is CacheRegime.DEVICE:
        return max(
            LEAST_OBJECTS, math.ceil(DEVICE_FACTOR * max(caches) / size)
        )
    sequential = any(w.op.facts.sequential for w in workloads)
    fitting = cache_limit(size, caches, sides)
    if sequential:
        least = min(LEAST_SEQ_OBJECTS, LEAST_SEQ_BYTES // size)
        return max(LEAST_OBJECTS, least, min(SEQ_OBJECTS, fitting))
    return max(LEAST_OBJECTS, min(RAND_OBJECTS, fitting))


def cache_limit(size: int, caches: Sequence[int], sides: int) -> int:
    """Return the objects for each OSD that half its cache can hold."""
    share = CACHED_SHARE * min(caches) / sides
    return int(share // (size + ONODE_BYTES))


def population(plan: RunPlan, workload: Workload, group: str) -> List[int]:
    """Return the objects that each client of a read workload reads.

    One population per client: clients that start together would read the
    same sequence of one population.
    """
    pool = pool_of(plan.group(group), workload)
    each, rest = divmod(pool.max_bytes // workload.size, workload.clients)
    return [each + (i < rest) for i in range(workload.clients)]


def probe_seconds(plan: RunPlan) -> float:
    """Return how long the gentle start of each group takes.

    Never longer than a trial: a short run need not start more gently than
    it goes on.
    """
    longest = max(w.warmup + w.duration for w in plan.profile.workloads)
    return min(PROBE, longest)


def trial_deadline(workload: Workload) -> float:
    """Return the seconds after which a trial is killed."""
    extra = DEADLINE_EXTRA
    if not workload.op.direct:
        extra = s3plan.DEADLINE_EXTRA + s3plan.prefill_seconds(workload)
    return workload.warmup + workload.duration + extra


def fill_seconds(plan: RunPlan) -> float:
    """Return the expected seconds of writing and warming populations."""
    total = 0.0
    for group in plan.groups:
        for pool in group.pools:
            if pool.per_round or pool.role.startswith('s3-'):
                continue
            sizes = {
                w.size
                for w in plan.profile.workloads
                if w.reads and w.op.direct and read_role(w) == pool.role
            }
            objects = pool.max_bytes / max(sizes)
            osds = len(group.osds)
            total += max(
                objects / (FILL_OPS * osds),
                pool.max_bytes / (FILL_BYTES * osds),
            )
    return total + s3plan.fill_seconds(plan)


def timed(plan: RunPlan) -> RunPlan:
    """Return the plan with its bytes and its expected and worst seconds."""
    load = {w.name: w.warmup + w.duration for w in plan.profile.workloads}
    trials = [load[b.workload] for b in plan.blocks for _ in b.order]
    once = START + FINISH + len(plan.groups) * probe_seconds(plan)
    fill = fill_seconds(plan)
    rounds = plan.profile.rounds + 1
    return dataclasses.replace(
        plan,
        bytes_written=sum(
            pool.max_bytes * (rounds if pool.per_round else 1)
            for group in plan.groups
            for pool in group.pools
        )
        + s3plan.rewritten(plan),
        seconds=once + fill + sum(t + OVERHEAD for t in trials),
        seconds_max=once
        + WORST_OVERHEAD
        + WORST_FILL * fill
        + WORST_REPEATS * sum(t + WORST_OVERHEAD for t in trials),
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
    limit = nearfull - MARGIN - 0.01

    def fits(plan: RunPlan) -> bool:
        chunks = data_chunks if data_chunks > 1 else None
        losses: List[List[int]] = [[]]
        losses += [largest_domain(topology, g, plan) for g in plan.groups]
        for lost in losses:
            fills = predicted(topology, plan, chunks, lost)
            if fills and fills[0].after >= limit:
                return False
        return True

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
