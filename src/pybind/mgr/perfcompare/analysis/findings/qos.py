"""What mClock lets clients do on an OSD, and how much of that they did.

Each operation costs an OSD the bytes that one I/O is worth (sequential
bandwidth over IOPS), a larger write its own; a limit is a share of the
bandwidth. The built-in profiles since 18.2 reserve for clients and do not
limit them: only a custom profile does. Replicas pass by the queue. Each
shard of an OSD has an equal part of the limit, and PGs fall on shards
unevenly: one may be at its limit when the OSD is at half of its own.
"""

from typing import Optional

from .facts import Figures, TrialFacts, number

LIMIT = 'osd_mclock_scheduler_client_lim'
IOPS = 'osd_mclock_max_capacity_iops_'
BANDWIDTH = 'osd_mclock_max_sequential_bandwidth_'
SHARDS = 'osd_op_num_shards_'

# of the limit; with a fixed number of operations in flight, OSDs whose
# clients wait nearly all of the time were seen at 80 to 92 %
NEAR = 0.75  # where one shard has it all
UNEVEN = 0.4  # where several have their parts of it
PAST = 1.2  # of the limit: what goes past it is not held by it


def held_share(facts: TrialFacts, figures: Figures) -> Optional[float]:
    """Return which share of its clients' limit an OSD gave them.

    0 where mClock does not hold them; None where that is not known.
    """
    if facts.setting('osd_op_queue') not in ('', 'mclock_scheduler'):
        return 0.0
    limit = _least(facts, LIMIT)
    if limit == 0.0:
        return 0.0
    rotational = facts.manifest.rotational
    seconds = number(figures, 'seconds') or facts.seconds
    if limit is None or not rotational or len(rotational) != 1 or not seconds:
        return None
    medium = 'hdd' if rotational[0] else 'ssd'
    iops = _least(facts, IOPS + medium)
    bandwidth = _least(facts, BANDWIDTH + medium)
    if not iops or not bandwidth:
        return None
    cost = _cost(figures, bandwidth / iops)
    share = cost / seconds / (limit * bandwidth)
    least = NEAR if _least(facts, SHARDS + medium) == 1.0 else UNEVEN
    return share if least <= share <= PAST else 0.0


def _cost(figures: Figures, one: float) -> float:
    """Return what an OSD's clients cost (bytes); ``one`` is an I/O's."""
    reads = number(figures, 'op_r') or 0.0
    writes = (number(figures, 'op_w') or 0.0) + (
        number(figures, 'op_rw') or 0.0
    )
    moved = number(figures, 'op_in_bytes') or 0.0
    return reads * one + max(writes * one, moved)


def _least(facts: TrialFacts, name: str) -> Optional[float]:
    """Return the least value of a setting over a group's OSDs."""
    try:
        return min(float(v) for v in facts.setting(name).split(', '))
    except ValueError:
        return None
