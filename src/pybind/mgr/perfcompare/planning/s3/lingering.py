"""What gateways of others still hold of objects that were deleted."""

import math

from ...model.workload import Profile, Workload
from ..sizes import write_sizes
from .plan import MIB, prefill_bytes, workloads, write_bytes

HEAD = 4 * MIB  # of an object, freed with its name (rgw_max_chunk_size)


def most(profile: Profile, osds: int, scale: float = 1.0) -> int:
    """Return bytes of former rounds that gateways of others still hold.

    Of what is deleted they free all but the first part hours later, when
    the run is over; so each round, also the first one, adds to the last.
    """
    total = 0.0
    for workload in workloads(profile):
        if not workload.reads:
            total += _kept(workload) * (
                write_bytes([workload], osds, scale)
                + prefill_bytes([workload])
            )
    return math.ceil(total * profile.rounds)


def _kept(workload: Workload) -> float:
    """Return the share of its bytes that is not freed with an object."""
    if workload.op == 's3-multipart':
        return 1.0
    items = write_sizes(workload)
    kept = sum(i.weight * max(0, i.size - HEAD) for i in items)
    return kept / sum(i.weight * i.size for i in items)
