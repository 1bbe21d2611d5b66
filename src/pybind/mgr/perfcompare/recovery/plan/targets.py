"""Choose what a test is done to: PG moves, OSDs, hosts. Pure functions."""

from typing import (
    Collection,
    Dict,
    List,
    Mapping,
    Optional,
    Sequence,
    Tuple,
)

from ...model.topology import Topology

Moves = Dict[int, Tuple[int, int]]  # ps -> from OSD, to OSD


def domains(
    topology: Topology, osds: Sequence[int], kind: str
) -> Dict[int, str]:
    """Return the failure domain of each OSD that CRUSH can choose."""
    found = {}
    for ident in osds:
        osd = topology.osds.get(ident)
        if osd and osd.crush_weight > 0:
            found[ident] = f'osd.{ident}' if kind == 'osd' else osd.host
    return {ident: domain for ident, domain in found.items() if domain}


def can_move(places: Mapping[int, str], size: int) -> bool:
    """Say whether any PG of ``size`` copies could move inside the rule.

    It can where a failure domain is spare, or holds two OSDs.
    """
    distinct = set(places.values())
    return len(distinct) >= size and len(places) > size


def moves(
    sets: Mapping[int, Sequence[int]], places: Mapping[int, str]
) -> Moves:
    """Return one move for each PG that can move one of its copies.

    A move keeps one OSD per failure domain. OSDs give and take as evenly
    as a greedy choice in order of the PGs allows. PGs with holes stay.
    """
    gives = {osd: 0 for osd in places}
    takes = {osd: 0 for osd in places}
    found: Moves = {}
    for ps in sorted(sets):
        members = list(sets[ps])
        if any(osd not in places for osd in members):
            continue
        best: Optional[Tuple[Tuple[int, int, int, int], int, int]] = None
        for source in members:
            used = {places[o] for o in members if o != source}
            for target in sorted(places):
                if target in members or places[target] in used:
                    continue
                rank = (
                    max(gives[source], takes[target]),
                    gives[source] + takes[target],
                    source,
                    target,
                )
                if best is None or rank < best[0]:
                    best = (rank, source, target)
        if best is not None:
            _, source, target = best
            found[ps] = (source, target)
            gives[source] += 1
            takes[target] += 1
    return found


def order_osds(
    topology: Topology,
    osds: Sequence[int],
    avoid: Collection[int],
) -> List[int]:
    """Return OSDs in the order of preference for a fault.

    Those in ``avoid`` (they hold `.mgr`) come last: their loss slows down
    the manager's own database. OSDs below no host are none of them: noout
    is set by host.
    """
    return sorted(
        (o for o in osds if o in topology.osds and topology.osds[o].host),
        key=lambda o: (o in avoid, o),
    )


def order_hosts(
    topology: Topology,
    osds: Sequence[int],
    avoid: Collection[int],
) -> List[Tuple[str, Tuple[int, ...]]]:
    """Return hosts with their running OSDs, in the order of preference.

    A host that stops takes all its OSDs, also those of other groups. One
    that is down already is none of ours to start.
    """
    names = sorted({topology.osds[o].host for o in osds} - {''})
    found = []
    for name in names:
        all_of = tuple(
            sorted(
                o.id
                for o in topology.osds.values()
                if o.host == name and o.up
            )
        )
        found.append((name, all_of))
    return sorted(found, key=lambda h: (bool(set(h[1]) & set(avoid)), h[0]))
