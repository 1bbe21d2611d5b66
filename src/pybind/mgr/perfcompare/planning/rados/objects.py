"""The arithmetic of RADOS loads: populations that are read, bounds of writes.

Derived from the plan again when it is needed, so that a run can go on in
another mgr.
"""

from typing import List, Optional, Sequence

import math

from ...common.units import format_size
from ...model.plan import CacheBounds, RunPlan
from ...model.workload import CacheRegime, Workload
from ..estimate import MIB, copies, pool_of
from ..loads import fastest, planner_of, workloads_of

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
    alike = workloads_of(planner_of(workload.op), plan.profile)
    writes = [w for w in alike if not w.reads]
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


def objects_per_osd(
    workloads: Sequence[Workload], bounds: CacheBounds
) -> int:
    """Return the objects for each OSD of one population.

    ``workloads`` read it; bounds and so the number are the same for all
    groups.
    """
    size = workloads[0].size
    if workloads[0].cache is CacheRegime.DEVICE:
        return max(LEAST_OBJECTS, math.ceil(bounds.device / size))
    sequential = any(w.op.facts.sequential for w in workloads)
    fitting = cache_limit(size, bounds)
    if sequential:
        least = min(LEAST_SEQ_OBJECTS, LEAST_SEQ_BYTES // size)
        return max(LEAST_OBJECTS, least, min(SEQ_OBJECTS, fitting))
    return max(LEAST_OBJECTS, min(RAND_OBJECTS, fitting))


def cache_limit(size: int, bounds: CacheBounds) -> int:
    """Return the objects for each OSD that half its cache can hold."""
    return bounds.cached // (size + ONODE_BYTES)


def population(plan: RunPlan, workload: Workload, group: str) -> List[int]:
    """Return the objects that each client of a read workload reads.

    One population per client: clients that start together would read the
    same sequence of one population.
    """
    pool = pool_of(plan.group(group), workload)
    each, rest = divmod(pool.max_bytes // workload.size, workload.clients)
    return [each + (i < rest) for i in range(workload.clients)]
