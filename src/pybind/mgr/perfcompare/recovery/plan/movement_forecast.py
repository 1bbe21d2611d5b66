"""Predict what OSDs that are marked out leave to which others."""

from typing import Dict, Iterable, Mapping

from ...model.topology import Pool
from ...ports.faults import Departure, daemon
from ...ports.rules import RuleReads


def data_chunks(cluster: RuleReads, pools: Iterable[Pool]) -> Dict[str, int]:
    """Return into how many data chunks pools split objects, by name."""
    found = {}
    for pool in pools:
        if pool.erasure_code_profile:
            profile = cluster.ec_profile(pool.erasure_code_profile)
            # what a plugin calls otherwise: one below min_size, unless
            # somebody set it
            found[pool.name] = int(profile.get('k', pool.min_size - 1))
    return found


def takers(
    departures: Mapping[str, Departure],
    pools: Iterable[Pool],
    chunks: Mapping[str, int],
) -> Dict[int, float]:
    """Return what share of the OSDs' data each other OSD takes over.

    PGs of a pool are taken to be of one size; ``chunks`` are data_chunks.
    The shares exceed 1 in all where further PGs change their places.
    """
    sizes = {p.name: _copy_bytes(p, chunks.get(p.name, 1)) for p in pools}
    known = {n: d for n, d in departures.items() if n in sizes}
    whole = sum(sizes[n] * d.pgs for n, d in known.items())
    found: Dict[int, float] = {}
    for name, one in known.items():
        for osd, pgs in one.gains.items():
            part = sizes[name] * pgs / whole if whole else 0.0
            found[osd] = found.get(osd, 0.0) + part
    return found


def _copy_bytes(pool: Pool, parts: int) -> float:
    """Return the bytes of one copy, or chunk, of a PG; 1 at the least."""
    each = pool.stored_bytes / max(1, pool.pg_num)
    return max(1.0, each / max(1, parts))


def problem(osd: int, departures: Mapping[str, Departure]) -> str:
    """Say that an OSD has PGs that could go nowhere; empty where none."""
    for name, one in sorted(departures.items()):
        if one.homeless:
            return (
                f'{one.homeless} of {one.pgs} PGs of pool {name!r} on '
                f'{daemon(osd)} have no other place inside their rule'
            )
    return ''
