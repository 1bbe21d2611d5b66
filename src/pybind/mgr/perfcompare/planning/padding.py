"""What OSDs allocate for objects over the bytes that they hold."""

from typing import List, Sequence

import fractions
import math

from ..model.workload import Profile, WeightedSize, Workload
from .labels import reads_of
from .s3 import plan as s3plan
from .sizes import read_sizes, write_sizes

# Bytes that BlueStore allocates at a time, and that an erasure-coded
# object is divided in, unless somebody chose others.
UNIT = 4096


def of_pool(role: str, profile: Profile, data_chunks: int = 1) -> float:
    """Return raw bytes per byte of the smallest objects of a pool, ≥ 1.

    Copies and coding chunks come on top.
    """
    return max(
        (allocated(items, data_chunks) for items in _held(role, profile)),
        default=1.0,
    )


def allocated(items: Sequence[WeightedSize], data_chunks: int = 1) -> float:
    """Return the bytes allocated for each byte of objects of these sizes."""
    unit = UNIT * data_chunks
    weights = [fractions.Fraction(item.weight) for item in items]
    raw = sum(
        w * unit * math.ceil(item.size / unit)
        for w, item in zip(weights, items)
    )
    return float(raw / sum(w * i.size for w, i in zip(weights, items)))


def _held(role: str, profile: Profile) -> List[Sequence[WeightedSize]]:
    """Return the sizes of what is written to a pool."""
    found: List[Sequence[WeightedSize]] = []
    for workload in _of_role(role, profile):
        if workload.reads or workload.op.facts.both:
            found.append(read_sizes(workload))
        if not workload.reads:
            found.append(write_sizes(workload))
    return found


def _of_role(role: str, profile: Profile) -> List[Workload]:
    if role == s3plan.READ[1]:
        return [w for w in s3plan.workloads(profile) if w.reads]
    if role == s3plan.WRITE[1]:
        return [w for w in s3plan.workloads(profile) if not w.reads]
    if role == s3plan.WITNESS:
        return s3plan.workloads(profile)
    if role == 'write':
        return [w for w in profile.workloads if not w.reads and w.op.direct]
    return reads_of(profile).get(role, [])
