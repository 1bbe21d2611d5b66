"""Rows as compact columns, ready to be stored as they are."""

from typing import Any, Collection, Dict, List, Sequence

import math
import struct

from ..wire.columns import encode
from .rates import unit
from .summary import Interval

TICK = 64.0  # times are told in parts of a second that are exact
_HALF = 0x800
_KEPT = 0xFFFFF000  # sign, exponent and 11 bits: 1 part in 4,096

Packed = Dict[str, Any]


def round_float(value: float) -> float:
    """Return ``value`` with 12 significant bits, which compress well."""
    if not math.isfinite(value) or abs(value) > 3e38:
        return float('nan')
    (bits,) = struct.unpack('<I', struct.pack('<f', value))
    (near,) = struct.unpack('<f', struct.pack('<I', (bits + _HALF) & _KEPT))
    return float(near)


def pack(
    rows: Sequence[Interval], wall_start: float, only: Collection[str] = ()
) -> Packed:
    """Return rows as columns: base64 of little-endian floats.

    ``t`` is the end of each interval in seconds since ``wall_start``;
    NaN is "not available". Columns that are zero throughout stay out, but
    for those of the whole host.
    """
    columns: List[List[str]] = []
    for name in dict.fromkeys(n for i in rows for n in i.row):
        if only and name not in only:
            continue
        values = [
            round_float(i.row[name]) if name in i.row else float('nan')
            for i in rows
        ]
        if '.' in name and not any(v == v and v != 0.0 for v in values):
            continue
        columns.append([name, unit(name), encode(values)])
    times = [round((i.end - wall_start) * TICK) / TICK for i in rows]
    return {
        'wall_start': wall_start,
        't': encode(times),
        'columns': columns,
    }
