"""Who takes what OSDs hold at present when they are lost.

Data stays where the rules of its pools have it: below the same root.
"""

from typing import Dict, FrozenSet, List, Optional, Sequence, Set, Tuple

from ...model.ownership import looks_ours
from ...model.topology import Bucket, Osd, Topology

Tops = FrozenSet[int]  # ids of buckets that no bucket holds


def spread(topology: Topology, lost: Sequence[int]) -> Dict[int, float]:
    """Return the bytes that ``lost`` OSDs leave to others, by heir.

    They are spread by weight over OSDs of the same device class that have a
    root in common, those of runs left out; over all of the class where
    there is none.
    """
    found: Dict[int, float] = {}
    gone = set(lost)
    tops = _tops(topology) if lost else {}
    staying = [
        o
        for o in topology.osds.values()
        if o.id not in gone and o.up and o.in_
    ]
    # the OSDs of a host are alike
    known: Dict[Tuple[Optional[str], Tops], List[Osd]] = {}
    for ident in lost:
        source = topology.osds.get(ident)
        if not source:
            continue
        kind = source.device_class, tops.get(ident, frozenset())
        if kind not in known:
            mates = [o for o in staying if o.device_class == kind[0]]
            near = [o for o in mates if kind[1] & tops.get(o.id, frozenset())]
            known[kind] = near or mates
        total = sum(o.crush_weight for o in known[kind])
        for heir in known[kind]:
            if total > 0:
                part = source.used_bytes * heir.crush_weight / total
                found[heir.id] = found.get(heir.id, 0.0) + part
    return found


def _tops(topology: Topology) -> Dict[int, Tops]:
    """Return the top buckets of each OSD, but for those of runs."""
    buckets = {
        b.id: b for b in topology.buckets.values() if not looks_ours(b.name)
    }
    held = {item for b in buckets.values() for item in b.items}
    found: Dict[int, Set[int]] = {}
    for top in buckets.keys() - held:
        for osd in _below(buckets, top):
            found.setdefault(osd, set()).add(top)
    return {osd: frozenset(tops) for osd, tops in found.items()}


def _below(buckets: Dict[int, Bucket], top: int) -> Set[int]:
    found: Set[int] = set()
    stack: List[int] = [top]
    while stack:
        bucket = buckets.get(stack.pop())
        for item in bucket.items if bucket else ():
            if item >= 0:
                found.add(item)
            else:
                stack.append(item)
    return found
