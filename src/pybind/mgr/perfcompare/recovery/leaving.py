"""Predict what an OSD that is marked out leaves to which others."""

from typing import Dict, Iterable, Mapping, Sequence

from ..cluster import Cluster
from ..faults import Departure
from ..topology import Pool

NO_OSD = 0x7FFFFFFF  # CRUSH_ITEM_NONE


def departure(
    osd: int,
    now: Mapping[str, Sequence[int]],
    then: Mapping[str, Sequence[int]],
) -> Departure:
    """Compare where a pool's PGs are with where they will be."""
    gains: Dict[int, int] = {}
    for pgid, before in now.items():
        for taker in set(then.get(pgid, ())) - set(before) - {NO_OSD}:
            gains[taker] = gains.get(taker, 0) + 1
    return Departure(sum(osd in before for before in now.values()), gains)


def takers(
    departures: Mapping[str, Departure], pools: Iterable[Pool]
) -> Dict[int, float]:
    """Return what share of an OSD's data each other OSD takes over.

    PGs of a pool are taken to be of one size. The shares exceed 1 in all
    where further PGs change their places.
    """
    sizes = {
        p.name: max(1.0, p.stored_bytes / max(1, p.pg_num)) for p in pools
    }
    known = {n: d for n, d in departures.items() if n in sizes}
    whole = sum(sizes[n] * d.pgs for n, d in known.items())
    found: Dict[int, float] = {}
    for name, one in known.items():
        for osd, pgs in one.gains.items():
            part = sizes[name] * pgs / whole if whole else 0.0
            found[osd] = found.get(osd, 0.0) + part
    return found


def left_by(cluster: Cluster, osd: int) -> Dict[int, float]:
    """Return the shares of ``takers`` as the OSD map has it now."""
    return takers(cluster.pgs_without(osd), cluster.pools())
