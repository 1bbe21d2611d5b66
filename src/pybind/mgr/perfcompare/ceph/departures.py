"""Whither PGs go when OSDs are marked out, by the mgr's OSD map.

ceph-mgr maps a whole pool without letting another thread have the
interpreter. So PGs are mapped one by one, once for all candidates of a plan,
and only where the rule of their pool reaches an OSD in question.
"""

from typing import (
    Any,
    Dict,
    FrozenSet,
    Iterable,
    List,
    Mapping,
    Sequence,
    Set,
)

import functools

from ..ports.faults import Departure
from . import osdmap as osdmap_data

Data = Mapping[str, Any]


class MgrDepartures:
    """Implement ``ports.faults.Departures``; of the moment of the first
    question, and used by one thread."""

    def __init__(self, mgr: Any) -> None:
        self._mgr = mgr
        self._seated: Dict[int, Dict[int, List[int]]] = {}

    def without(self, osds: Sequence[int]) -> Dict[str, Departure]:
        """Return, by pool, whither PGs go when OSDs are marked out."""
        change = self._now.new_incremental()
        change.set_osd_reweights({osd: 0.0 for osd in osds})
        then = self._now.apply_incremental(change)
        gone = frozenset(osds)
        found = {}
        for pool in self._whole['pools']:
            ident = int(pool['pool'])
            near = self._near(pool, gone)
            left = osdmap_data.departure(
                osds,
                {
                    osdmap_data.pgid(ident, ps): self._up(ident, ps)
                    for ps in near
                },
                {
                    osdmap_data.pgid(ident, ps): _up(then, ident, ps)
                    for ps in near
                },
            )
            if left.pgs:
                found[str(pool['pool_name'])] = left
        return found

    def _near(self, pool: Data, gone: FrozenSet[int]) -> Set[int]:
        """Return the seeds of PGs that may change their places.

        These are PGs on one of the OSDs, or with an upmap that names one:
        CRUSH may have chosen it for them.
        """
        ident = int(pool['pool'])
        near = {
            ps
            for ps, named in self._named.get(ident, {}).items()
            if not gone.isdisjoint(named)
        }
        reached = self._reached.get(int(pool['crush_rule']))
        if reached is not None and gone.isdisjoint(reached):
            return near
        if gone & self._down:  # they are in no up set
            return set(range(int(pool['pg_num'])))
        seated = self._seats(pool)
        return near.union(*(seated.get(osd, ()) for osd in gone))

    def _seats(self, pool: Data) -> Dict[int, List[int]]:
        """Return the seeds of a pool's PGs by the OSDs that have them."""
        ident = int(pool['pool'])
        if ident not in self._seated:
            found: Dict[int, List[int]] = {}
            for ps in range(int(pool['pg_num'])):
                for osd in self._up(ident, ps):
                    found.setdefault(osd, []).append(ps)
            self._seated[ident] = found
        return self._seated[ident]

    def _up(self, pool: int, ps: int) -> Sequence[int]:
        return _up(self._now, pool, ps)

    @functools.cached_property
    def _now(self) -> Any:
        return self._mgr.get_osdmap()

    @functools.cached_property
    def _whole(self) -> Data:
        found: Data = self._now.dump()
        return found

    @functools.cached_property
    def _down(self) -> FrozenSet[int]:
        return frozenset(
            int(o['osd']) for o in self._whole['osds'] if not o['up']
        )

    @functools.cached_property
    def _named(self) -> Dict[int, Dict[int, Set[int]]]:
        """Return which OSDs upmaps name, by pool and seed."""
        found: Dict[int, Dict[int, Set[int]]] = {}
        for entry in self._whole.get('pg_upmap', ()):
            _note(found, entry['pgid'], entry['osds'])
        for entry in self._whole.get('pg_upmap_items', ()):
            for pair in entry['mappings']:
                _note(found, entry['pgid'], pair.values())
        return found

    @functools.cached_property
    def _reached(self) -> Dict[int, FrozenSet[int]]:
        """Return the OSDs below all that a rule takes, by its id."""
        crush = self._mgr.get('osd_map_crush')
        items = {
            int(b['id']): [int(i['id']) for i in b['items']]
            for b in crush['buckets']
        }
        return {
            int(rule['rule_id']): _below(
                items,
                [int(s['item']) for s in rule['steps'] if s['op'] == 'take'],
            )
            for rule in crush['rules']
        }


def _up(osdmap: Any, pool: int, ps: int) -> Sequence[int]:
    found: Sequence[int] = osdmap.pg_to_up_acting_osds(pool, ps)['up']
    return found


def _note(
    found: Dict[int, Dict[int, Set[int]]], pgid: str, osds: Iterable[int]
) -> None:
    pool, _, seed = str(pgid).partition('.')
    seeds = found.setdefault(int(pool), {})
    seeds.setdefault(int(seed, 16), set()).update(int(o) for o in osds)


def _below(
    items: Mapping[int, Sequence[int]], tops: Sequence[int]
) -> FrozenSet[int]:
    """Return the OSDs in buckets; shadows of a class have those of it."""
    found: Set[int] = set()
    stack = list(tops)
    while stack:
        item = stack.pop()
        if item >= 0:
            found.add(item)
        else:
            stack += items.get(item, ())
    return frozenset(found)
