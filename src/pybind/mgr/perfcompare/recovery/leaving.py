"""Predict what an OSD that is marked out leaves to which others."""

from typing import Dict, Iterable, Mapping

from ..faults import Departure, daemon
from ..topology import Pool


def takers(
    departures: Mapping[str, Departure], pools: Iterable[Pool]
) -> Dict[int, float]:
    """Return what share of an OSD's data each other OSD takes over.

    PGs of a pool are taken to be of one size. The shares exceed 1 in all
    where further PGs change their places.
    """
    sizes = {p.name: _copy_bytes(p) for p in pools}
    known = {n: d for n, d in departures.items() if n in sizes}
    whole = sum(sizes[n] * d.pgs for n, d in known.items())
    found: Dict[int, float] = {}
    for name, one in known.items():
        for osd, pgs in one.gains.items():
            part = sizes[name] * pgs / whole if whole else 0.0
            found[osd] = found.get(osd, 0.0) + part
    return found


def _copy_bytes(pool: Pool) -> float:
    """Return the bytes of one copy, or chunk, of a PG; 1 at the least."""
    # a code's min_size is one above its data chunks, unless somebody set it
    parts = max(1, pool.min_size - 1) if pool.erasure_code_profile else 1
    return max(1.0, pool.stored_bytes / max(1, pool.pg_num) / parts)


def problem(osd: int, departures: Mapping[str, Departure]) -> str:
    """Say that an OSD has PGs that could go nowhere; empty where none."""
    for name, one in sorted(departures.items()):
        if one.homeless:
            return (
                f'{one.homeless} of {one.pgs} PGs of pool {name!r} on '
                f'{daemon(osd)} have no other place inside their rule'
            )
    return ''
