"""What OSDs allocate for objects over the bytes that they hold."""

from typing import Sequence

import fractions
import math

from ..model.workload import WeightedSize
from .loads import Held

# Bytes that BlueStore allocates at a time, unless somebody chose others.
UNIT = 4096


def most(held: Held, chunks: int = 1, unit: int = UNIT) -> float:
    """Return raw bytes per byte of the smallest objects of a pool, ≥ 1.

    ``held`` are the sizes of what is written to it. Copies and coding
    chunks come on top. An object of a coded pool fills whole stripes: of
    each of its ``chunks`` of data so many bytes as are a ``unit``.
    """
    return max(
        (allocated(items, chunks, unit) for items in held), default=1.0
    )


def allocated(
    items: Sequence[WeightedSize], chunks: int = 1, unit: int = UNIT
) -> float:
    """Return the bytes allocated for each byte of objects of these sizes."""
    weights = [fractions.Fraction(item.weight) for item in items]
    raw = sum(
        w
        * chunks
        * UNIT
        * math.ceil(unit * _stripes(i.size, chunks, unit) / UNIT)
        for w, i in zip(weights, items)
    )
    return float(raw / sum(w * i.size for w, i in zip(weights, items)))


def _stripes(size: int, chunks: int, unit: int) -> int:
    return -(-size // (chunks * unit))
