"""What S3 workloads add to a plan: pools, objects, bounds.

A group gets three kinds of pools: one for all that is no object
(`s3-meta`), and index and data pools for what is read (for the run) and
for what is written (new in each round).
"""

from typing import Dict, List, Sequence, Tuple

import dataclasses
import math

from ...model import load
from ...model.plan import (
    CacheBounds,
    GroupPlan,
    PoolPlan,
    RunOptions,
    RunPlan,
)
from ...model.workload import CacheRegime, Profile, WeightedSize, Workload
from ...worker.wire.s3_spec import OPS
from ..sizes import mean, read_sizes, write_sizes
from . import shape

META = 's3-meta'
READ = ('s3-index', 's3-data')
WRITE = ('s3-write-index', 's3-write-data')
INDEX = (READ[0], WRITE[0])
# With gateways of the operator objects are in pools of the operator. A pool
# of ours on the group, which stays empty, shows whether its PGs move; its
# planned bytes are those that the gateways are asked to store.
SENTINEL_POOL = 's3-witness'

MIB = 1024**2
META_BYTES = 64 * MIB
INDEX_BYTES = 256 * MIB  # omap, which a pool's quota does not count

# Objects that are read, for each OSD: few enough to be written in minutes,
# enough to fall on all PGs.
READ_OBJECTS = 512
READ_BYTES = 256 * MIB
LEAST_OBJECTS = 64
ONODE_BYTES = 2048  # of cache for each object besides its data
UNBOUND = CacheBounds()  # of mixes and deletes, which have no regime
# More than gateways get out of an OSD, per second; where there is no room for
# it, less is planned.
FASTEST_OPS = 2000.0
FASTEST_BYTES = 512.0 * MIB  # of clients, so twice or thrice that on disk
LEAST_BYTES = 4096 * MIB  # of a trial with large objects
OWN_SHARE = 4  # a mix begins with at most this part of its bound
# The gentle start: operations in flight, and the most that it writes.
PROBE_CONCURRENCY = 2
PROBE_OBJECTS = 8192
PROBE_BYTES = 512 * MIB
MAX_PUT = 256 * MIB  # of one request
# Seconds: writing objects through a gateway.
FILL_OPS = 100.0  # for each OSD
FILL_BYTES = 30.0 * MIB
START = 10.0  # of a gateway
STOP = 35.0
DEADLINE_EXTRA = 240.0  # objects of a mix or of deletes are written first

# weights of OPS
PUTS = tuple(float(op == 'put') for op in OPS)


def workloads(profile: Profile) -> List[Workload]:
    """Return the S3 workloads of a profile."""
    return [w for w in profile.workloads if load.spec_of(w.op).name == 's3']


def roles(profile: Profile, options: RunOptions) -> List[str]:
    """Return the roles of the pools that a group needs for S3."""
    found = workloads(profile)
    if not found:
        return []
    if options.existing_gateways:
        return [SENTINEL_POOL]
    names = [META]
    if any(w.reads for w in found):
        names += READ
    if any(not w.reads for w in found):
        names += WRITE
    return names


def replicated(role: str) -> bool:
    """Say whether a pool has copies even where others are erasure-coded.

    An erasure-coded pool has no omap, which indexes and users need.
    """
    return role in (META, SENTINEL_POOL) or role in INDEX


def pg_weight(profile: Profile, options: RunOptions) -> int:
    """Return how many full pools the PGs of the S3 pools are worth."""
    names = roles(profile, options)
    return sum(r in (READ[1], WRITE[1]) for r in names) + bool(names)


def read_objects(workload: Workload, osds: int, bounds: CacheBounds) -> int:
    """Return how many objects a workload reads."""
    size = mean(read_sizes(workload))
    if workload.prefill is not None:
        return workload.prefill.count(size)
    each = min(READ_OBJECTS, max(1, READ_BYTES // workload.size))
    if workload.cache is CacheRegime.DEVICE:
        each = math.ceil(bounds.device / size)
    elif workload.cache is CacheRegime.CACHED:
        each = min(each, max(1, bounds.cached // (size + ONODE_BYTES)))
    return max(
        LEAST_OBJECTS, each * osds, 2 * workload.concurrency.total(osds)
    )


def fastest(workload: Workload, osds: int) -> int:
    """Return the objects that no group of ``osds`` OSDs takes in."""
    rate = min(FASTEST_OPS, FASTEST_BYTES / workload.size) * osds
    if workload.rate:
        rate = min(rate, 2.0 * workload.rate)
    think = shape.details(workload).think
    if think:  # by users who wait for nothing else
        rate = min(rate, 2.0 * workload.concurrency.total(osds) / think)
    return math.ceil(rate * (workload.warmup + workload.duration))


def prefill_bytes(written: Sequence[Workload]) -> int:
    """Return the bytes of what mixes are told to write before they begin."""
    return sum(
        w.prefill.count(size) * size
        for w, size in ((w, mean(read_sizes(w))) for w in written)
        if w.prefill is not None
    )


def probe_sizes(workload: Workload) -> Tuple[WeightedSize, ...]:
    """Return the sizes of what a gentle start writes, each by one request."""
    if workload.op == 's3-multipart':
        part = shape.details(workload).part_size
        return (WeightedSize(min(part, MAX_PUT, workload.size)),)
    return write_sizes(workload)


def probe_size(workload: Workload) -> int:
    """Return the mean bytes of what a gentle start writes."""
    if workload.op == 's3-multipart':
        return mean(probe_sizes(workload))
    return workload.size


def probe_objects(workload: Workload) -> int:
    """Return the most objects that a gentle start with a workload writes."""
    most = min(PROBE_OBJECTS, PROBE_BYTES // probe_size(workload))
    return max(2 * PROBE_CONCURRENCY, most)


def probe_bytes(written: Sequence[Workload]) -> int:
    """Return the bytes of the gentle start, with whichever workload."""
    return max((probe_objects(w) * probe_size(w) for w in written), default=0)


def write_bytes(
    written: Sequence[Workload], osds: int, scale: float = 1.0
) -> int:
    """Return the bytes that a round's data pool is planned for."""
    total = 0
    for workload in written:
        flying = workload.concurrency.total(osds)
        least = max(
            4 * flying, min(64 * flying, LEAST_BYTES // workload.size)
        )
        total += workload.size * max(
            least, math.ceil(scale * fastest(workload, osds))
        )
    return total


def max_bytes(
    profile: Profile,
    role: str,
    osds: int,
    scale: float = 1.0,
    bounds: CacheBounds = CacheBounds(),
) -> int:
    """Return the client bytes that a pool is planned for."""
    found = workloads(profile)
    if role == META:
        return META_BYTES
    if role in (READ[0], WRITE[0]):
        return INDEX_BYTES
    if role in (WRITE[1], SENTINEL_POOL):
        written = [w for w in found if not w.reads]
        total = write_bytes(written, osds, scale) + _beside(written)
        return total + (
            _read_bytes(found, osds, bounds) if role == SENTINEL_POOL else 0
        )
    return _read_bytes(found, osds, bounds)


def _beside(written: Sequence[Workload]) -> int:
    """Return the bytes in a round's data pool beside those of the bounds."""
    return prefill_bytes(written) + probe_bytes(written)


def _read_bytes(
    found: Sequence[Workload], osds: int, bounds: CacheBounds
) -> int:
    """Return the bytes of the objects that are written to be read."""
    by_name: Dict[Tuple[int, bool, str], int] = {}
    for workload in found:
        if workload.reads:
            name = shape.place(workload)
            held = read_objects(workload, osds, bounds) * workload.size
            by_name[name] = max(by_name.get(name, 0), held)
    return sum(by_name.values())


def population(plan: RunPlan, workload: Workload, group: str) -> int:
    """Return how many objects of its sizes a group has to be read."""
    osds = len(plan.group(group).osds)
    others = [
        read_objects(w, osds, plan.caches)
        for w in workloads(plan.profile)
        if w.reads and shape.place(w) == shape.place(workload)
    ]
    return max([read_objects(workload, osds, plan.caches), *others])


def populations(plan: RunPlan, group: str) -> int:
    """Return how many objects a group has to be read, of all workloads."""
    found = {
        shape.place(w): population(plan, w, group)
        for w in workloads(plan.profile)
        if w.reads
    }
    return sum(found.values())


def bound(
    plan: RunPlan, workload: Workload, group: str, stored: int = 0
) -> int:
    """Return the most objects that a trial may write.

    ``stored`` bytes that are in the pool already (a block is repeated)
    lower it, so that the pool stays within its plan.
    """
    own = plan.group(group)
    osds = len(own.osds)
    written = [w for w in workloads(plan.profile) if not w.reads]
    whole = write_bytes(written, osds)
    mine = write_bytes([workload], osds)
    if own.gateways:
        everything = workloads(plan.profile)
        held = pool(own, SENTINEL_POOL).max_bytes
        planned = max(0, held - _read_bytes(everything, osds, plan.caches))
    else:
        planned = pool(own, WRITE[1]).max_bytes
    shared = max(0, planned - _beside(written))
    left = planned - probe_bytes(written) - stored - prefill_bytes([workload])
    most = min(shared * mine // whole, left) // workload.size
    return max(4 * workload.concurrency.total(osds), most)


def own_objects(workload: Workload, osds: int, most: int) -> int:
    """Return how many objects a mix or deletes write before they begin."""
    if workload.reads or not shape.needs_objects(workload):
        return 0
    if workload.prefill is not None:
        return read_objects(workload, osds, UNBOUND)
    room = most * workload.size // mean(read_sizes(workload))
    wanted = min(read_objects(workload, osds, UNBOUND), room // OWN_SHARE)
    return max(workload.concurrency.total(osds), wanted)


def own_bytes(workload: Workload, own: int) -> int:
    """Return what ``own`` objects hold after the load that began with them.

    Deletes take theirs.
    """
    if workload.op.takes:
        return 0
    return own * mean(read_sizes(workload))


def written(workload: Workload, ops: int) -> int:
    """Return how many objects ``ops`` operations of a load wrote.

    Deletes take what was written for them, unless there are versions.
    """
    if workload.op.takes:
        return ops * shape.taken(workload) if shape.versioned(workload) else 0
    return math.ceil(ops * shape.writing(workload))


def new_objects(workload: Workload, own: int, most: int) -> int:
    """Return how many of ``most`` objects a load may write itself.

    A mix begins with ``own`` of them; those that were asked for come on
    top, and bursts of deletes write all that they take.
    """
    if workload.op.takes or workload.prefill is not None:
        return most
    return most - math.ceil(own_bytes(workload, own) / workload.size)


def pool(group: GroupPlan, role: str) -> PoolPlan:
    """Return the pool of a role; KeyError when the plan has none."""
    for found in group.pools:
        if found.role == role:
            return found
    raise KeyError(f'{group.name}.{role}')


def rewritten(plan: RunPlan) -> int:
    """Return the bytes of writes through the operator's gateways that are
    not in the plan of a pool: those of the second round and the later ones.
    """
    written = [w for w in workloads(plan.profile) if not w.reads]
    return sum(
        (bound(plan, w, group.name) * w.size + prefill_bytes([w]))
        * plan.profile.rounds
        for group in plan.groups
        if group.gateways
        for w in written
    )


def data_role(workload: Workload, group: GroupPlan) -> str:
    """Return the role of the pool that holds a workload's objects."""
    if group.gateways:
        return SENTINEL_POOL
    return READ[1] if workload.reads else WRITE[1]


def ordered(group: GroupPlan, hosts: Tuple[str, ...], port: int) -> GroupPlan:
    """Add what the orchestrator is asked for: nothing without hosts."""
    if not hosts:
        return group
    return dataclasses.replace(
        group,
        gateway_service=group.rule,
        gateway_hosts=hosts,
        gateway_port=port,
    )


def fill_seconds(plan: RunPlan) -> float:
    """Return the expected seconds of all that is not measured."""
    found = workloads(plan.profile)
    if not found:
        return 0.0
    total = len(plan.groups) * START + STOP
    for group in plan.groups:
        osds = len(group.osds)
        by_name = {
            shape.place(w): (w.size, population(plan, w, group.name))
            for w in found
            if w.reads
        }
        for size, objects in by_name.values():
            total += written_seconds(objects, size, osds)
        # those that are cached are read once, too, hardly faster
        total += sum(
            written_seconds(population(plan, w, group.name), w.size, osds)
            for w in _warmed(found)
        )
        for workload in found:
            objects = own_objects(workload, osds, 1 << 40)
            if objects:
                blocks = plan.profile.rounds + 1
                total += blocks * written_seconds(
                    objects, workload.size, osds
                )
    return total


def _warmed(found: Sequence[Workload]) -> List[Workload]:
    """Return one workload of each population that caches hold."""
    warm = {shape.place(w): w for w in found if w.cache is CacheRegime.CACHED}
    return list(warm.values())


def prefill_seconds(workload: Workload) -> float:
    """Return how long a mix may write objects before it begins: of one OSD."""
    if workload.reads or workload.prefill is None:
        return 0.0
    objects = read_objects(workload, 1, UNBOUND)
    return written_seconds(objects, workload.size, 1)


def written_seconds(objects: int, size: int, osds: int) -> float:
    """Return the seconds expected for writing objects to ``osds`` OSDs."""
    return max(
        objects / (FILL_OPS * osds), objects * size / (FILL_BYTES * osds)
    )
