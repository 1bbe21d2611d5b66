"""Which parent of a host comes first in Ceph's CRUSH map, and why.

`ceph osd crush move` takes a host from its first parent only, and the mons
judge mon_osd_down_out_subtree_limit by it: the one whose id is nearest to 0,
shadows of device classes left out. A new bucket gets the free id that is
nearest to 0, which may be that of a bucket removed long ago.
"""

from typing import Any, Collection, Dict, Mapping

from ..model.ownership import run_of

Data = Mapping[str, Any]


def parents(crush: Data, host: int) -> Dict[str, int]:
    """Return the ids of a host's parents by name, of others and of runs."""
    return {
        str(b['name']): int(b['id'])
        for b in crush['buckets']
        if '~' not in b['name'] and any(i['id'] == host for i in b['items'])
    }


def foreign(crush: Data, host: int) -> Dict[str, int]:
    """Return the ids of a host's parents that no run made, by name."""
    return {n: i for n, i in parents(crush, host).items() if not run_of(n)}


def spare_ids(crush: Data, hosts: Collection[str]) -> int:
    """Return how many new buckets would come first of a host's parents."""
    taken = {int(b['id']) for b in crush['buckets']}
    first = [
        max(foreign(crush, b['id']).values(), default=0)
        for b in crush['buckets']
        if b['name'] in hosts
    ]
    last = min(first, default=0)
    return sum(ident not in taken for ident in range(last + 1, 0))
