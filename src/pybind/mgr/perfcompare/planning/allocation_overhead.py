"""What OSDs allocate for objects over the bytes that they hold."""

from typing import Sequence

import fractions
import math

from ..model.workload import WeightedSize
from .loads import Held

# Bytes that BlueStore allocates at a time, and that an erasure-coded
# object is divided in, unless somebody chose others.
UNIT = 4096


def most(held: Held, data_chunks: int = 1) -> float:
    """Return raw bytes per byte of the smallest objects of a pool, ≥ 1.

    ``held`` are the sizes of what is written to it. Copies and coding
    chunks come on top.
    """
    return max((allocated(items, data_chunks) for items in held), default=1.0)


def allocated(items: Sequence[WeightedSize], data_chunks: int = 1) -> float:
    """Return the bytes allocated for each byte of objects of these sizes."""
    unit = UNIT * data_chunks
    weights = [fractions.Fraction(item.weight) for item in items]
    raw = sum(
        w * unit * math.ceil(item.size / unit)
        for w, item in zip(weights, items)
    )
    return float(raw / sum(w * i.size for w, i in zip(weights, items)))
