"""What OSDs allocate for objects over the bytes that they hold."""

from typing import Sequence

import fractions

from ..model.group import Group
from ..model.topology import Topology
from ..model.workload import WeightedSize
from .loads import Held

# Bytes that BlueStore allocates at a time, unless somebody chose others: OSDs
# on HDDs that were made before Ceph 16 have 64 KiB for as long as they live.
UNIT = 4096
_SANE = 1 << 24


def unit(topology: Topology, groups: Sequence[Group]) -> int:
    """Return the most bytes that an OSD of groups allocates at a time."""
    osds = [topology.osds.get(i) for group in groups for i in group.osds]
    told = [osd.allocation for osd in osds if osd and osd.allocation]
    return max([UNIT, *(n for n in told if n <= _SANE)])


def most(
    held: Held, unit: int = UNIT, chunks: int = 1, stripe: int = 1
) -> float:
    """Return raw bytes per byte of the smallest objects of a pool, ≥ 1.

    ``held`` are the sizes of what is written to it, ``unit`` are bytes
    that are allocated at a time. Copies and coding
    chunks come on top. An object of a coded pool fills whole stripes: of
    each of its ``chunks`` of data so many bytes as ``stripe`` says.
    """
    return max(
        (allocated(items, unit, chunks, stripe) for items in held),
        default=1.0,
    )


def allocated(
    items: Sequence[WeightedSize],
    unit: int = UNIT,
    chunks: int = 1,
    stripe: int = 1,
) -> float:
    """Return the bytes allocated for each byte of objects of these sizes."""
    weights = [fractions.Fraction(item.weight) for item in items]
    raw = sum(
        w * chunks * unit * -(-_chunk(i.size, chunks, stripe) // unit)
        for w, i in zip(weights, items)
    )
    return float(raw / sum(w * i.size for w, i in zip(weights, items)))


def _chunk(size: int, chunks: int, stripe: int) -> int:
    """Return the bytes of one chunk of an object, padding included."""
    return stripe * -(-size // (chunks * stripe))
