"""What recovery needs to see of a cluster: the protocol and its data.

A part of the one door to Ceph (cluster.py); all of it is answered from the
mgr's own copies, and nothing is asked of mons or OSDs.
"""

from typing import (
    Any,
    Dict,
    FrozenSet,
    List,
    Mapping,
    NamedTuple,
    Protocol,
    Tuple,
)

import dataclasses
import datetime
import functools

from ..model.topology import NO_OSD

Data = Mapping[str, Any]

HINDERING = frozenset(
    'norecover nobackfill norebalance noup nodown noin noout pauserd '
    'pausewr full'.split()
)


class OsdFacts(NamedTuple):
    """Hold what the OSD map says of one OSD; epochs are 0 for never."""

    up: bool
    in_: bool
    weight: float
    up_from: int  # the epoch since which it is up
    up_thru: int  # the epoch through which it is known to have been up
    down_at: int
    down_stamp: float = 0.0  # when it last went down, by the mon's clock


class PoolFacts(NamedTuple):
    """Hold what decides where a pool's PGs are."""

    rule: int
    size: int
    min_size: int
    pg_num: int
    pgp_num: int


@dataclasses.dataclass(frozen=True)
class MapFacts:
    """Hold what matters to PGs in one epoch of the OSD map."""

    epoch: int
    modified: float
    osds: Dict[int, OsdFacts]
    pools: Dict[int, PoolFacts]
    crush: int  # its version
    upmaps: int  # a digest
    temporary: int  # number of PGs served by others than meant
    temporaries: int  # a digest of which and by whom
    # of those that hinder recovery or what begins it, the ones that are set
    flags: FrozenSet[str] = frozenset()
    # by how many OSDs each of these PGs is served, and which were told to be
    # elsewhere than CRUSH says
    temps: Mapping[str, int] = dataclasses.field(default_factory=dict)
    upmapped: Mapping[str, str] = dataclasses.field(default_factory=dict)

    @property
    def pgs(self) -> int:
        """Return the number of PGs of all pools."""
        return sum(p.pg_num for p in self.pools.values())


class PgFacts(NamedTuple):
    """Hold what a PG last reported of itself, and where it should be."""

    pgid: str
    pool: int
    words: Tuple[str, ...]  # of its state
    osds: Tuple[int, ...]  # in up or acting
    remapped: bool  # up is not acting
    moved: bool  # the map has other up or acting sets by now
    copies: int
    degraded: int
    misplaced: int
    unfound: int
    bytes_recovered: int
    objects_recovered: int
    last_change: float  # of its state, by its primary's clock
    became_active: float
    mapping_epoch: int  # since which it is where it is
    reported: float = 0.0  # when it last was as it says; 0 is not known
    scrubbed: float = 0.0  # when its last scrub ended

    @property
    def clean(self) -> bool:
        """Say whether it is active+clean, scrubbing or not."""
        return 'clean' in self.words and 'active' in self.words


class PgSums(NamedTuple):
    """Hold sums over all PGs, and counts of their states."""

    copies: int
    degraded: int
    misplaced: int
    unfound: int
    bytes_recovered: int
    objects_recovered: int
    states: Dict[str, int]
    by_osd: Dict[int, Dict[str, int]]  # a PG counts on each of its OSDs
    by_pool: Dict[int, Dict[str, int]]


class Signs(NamedTuple):
    """Hold what hints at changes and costs the same in any cluster."""

    epoch: int
    crush: int  # its version
    unclean: int  # PGs, as they last reported


class RecoveryReads(Protocol):
    """See what recovery is about; nothing here changes anything."""

    def signs(self) -> Signs:
        """Return what hints at changes (0.5 ms at 10,000 OSDs)."""

    def map_facts(self) -> MapFacts:
        """Return the present OSD map (some 10 us per OSD)."""

    def pg_facts(self) -> List[PgFacts]:
        """Return all PGs as they last reported (some 30 us each)."""

    def pg_sums(self) -> PgSums:
        """Return the mgr's own sums over PGs (cheap)."""


def unclean(status: Data) -> int:
    """Return the PGs of ``MgrModule.get('pg_status')`` that lack something.

    Young ones do not count.
    """
    return sum(
        int(entry['count'])
        for entry in status['pgs_by_state']
        if 'creating' not in entry['state_name'].split('+')
        and not {'active', 'clean'} <= set(entry['state_name'].split('+'))
    )


def map_facts(osd_map: Data) -> MapFacts:
    """Build the facts of a dump of the OSD map."""
    upmapped = _upmapped(osd_map)
    stamps = {
        int(x['osd']): unix_time(x['down_stamp'])
        for x in osd_map.get('osd_xinfo', [])
    }
    return MapFacts(
        epoch=int(osd_map['epoch']),
        modified=unix_time(osd_map['modified']),
        osds={
            int(o['osd']): OsdFacts(
                bool(o['up']),
                bool(o['in']),
                float(o['weight']),
                int(o['up_from']),
                int(o['up_thru']),
                int(o['down_at']),
                stamps.get(int(o['osd']), 0.0),
            )
            for o in osd_map['osds']
        },
        pools={
            int(p['pool']): PoolFacts(
                int(p['crush_rule']),
                int(p['size']),
                int(p['min_size']),
                int(p['pg_num']),
                int(p['pg_placement_num']),
            )
            for p in osd_map['pools']
        },
        crush=int(osd_map.get('crush_version', 0)),
        upmaps=hash(
            (
                frozenset(upmapped.items()),
                _digest(osd_map, ('pg_upmap_primaries',)),
            )
        ),
        temporary=len(osd_map.get('pg_temp', [])),
        temporaries=_digest(osd_map, ('pg_temp', 'primary_temp')),
        temps={
            t['pgid']: sum(o != NO_OSD for o in t['osds'])
            for t in osd_map.get('pg_temp', [])
        },
        upmapped=upmapped,
        flags=HINDERING.intersection(osd_map.get('flags_set', ())),
    )


def _upmapped(osd_map: Data) -> Dict[str, str]:
    found: Dict[str, str] = {}
    for name in ('pg_upmap', 'pg_upmap_items'):
        for entry in osd_map.get(name, []):
            pgid = entry['pgid']
            found[pgid] = found.get(pgid, '') + repr(entry)
    return found


def _digest(osd_map: Data, names: Tuple[str, ...]) -> int:
    return hash(tuple(repr(osd_map.get(n, [])) for n in names))


def pg_facts(stats: Data, up: List[int], acting: List[int]) -> PgFacts:
    """Build the facts of one entry of ``MgrModule.get('pg_stats')``.

    ``up`` and ``acting`` are where the present map has the PG.
    """
    sums = stats['stat_sum']
    own_up, own_acting = stats['up'], stats['acting']
    return PgFacts(
        pgid=stats['pgid'],
        pool=int(stats['pgid'].partition('.')[0]),
        words=_words(stats['state']),
        osds=tuple({o for o in own_up + own_acting if o != NO_OSD}),
        remapped=own_up != own_acting,
        moved=own_up != up or own_acting != acting,
        copies=sums['num_object_copies'],
        degraded=sums['num_objects_degraded'],
        misplaced=sums['num_objects_misplaced'],
        unfound=sums['num_objects_unfound'],
        bytes_recovered=sums['num_bytes_recovered'],
        objects_recovered=sums['num_objects_recovered'],
        last_change=unix_time(stats['last_change']),
        became_active=unix_time(stats['last_became_active']),
        mapping_epoch=int(stats['mapping_epoch']),
        reported=unix_time(stats['last_fresh']),
        scrubbed=unix_time(
            max(stats['last_scrub_stamp'], stats['last_deep_scrub_stamp'])
        ),
    )


@functools.lru_cache(maxsize=256)
def _words(state: str) -> Tuple[str, ...]:
    return tuple(state.split('+'))


def pg_sums(summary: Data) -> PgSums:
    """Build the sums of ``MgrModule.get('pg_summary')``."""
    sums = summary['pg_stats_sum']['stat_sum']
    return PgSums(
        copies=int(sums['num_object_copies']),
        degraded=int(sums['num_objects_degraded']),
        misplaced=int(sums['num_objects_misplaced']),
        unfound=int(sums['num_objects_unfound']),
        bytes_recovered=int(sums['num_bytes_recovered']),
        objects_recovered=int(sums['num_objects_recovered']),
        states=dict(summary['all']),
        by_osd={int(o): dict(s) for o, s in summary['by_osd'].items()},
        by_pool={int(p): dict(s) for p, s in summary['by_pool'].items()},
    )


def unix_time(text: str) -> float:
    """Return Ceph's '2026-11-20T21:18:44.990479+0000' as Unix time."""
    seconds = _whole_seconds(text[:19])
    fraction, offset = text[19:], 0
    for sign in '+-':
        head, found, zone = fraction.partition(sign)
        if found:
            offset = int(zone[:2]) * 3600 + int(zone[-2:]) * 60
            offset = offset if sign == '+' else -offset
            fraction = head
            break
    return seconds - offset + (float(fraction) if fraction else 0.0)


def _whole_seconds(text: str) -> float:
    # a PG that never was has zeros: '0.000000'
    try:
        named = datetime.datetime.fromisoformat(text)
    except ValueError:
        return 0.0
    return named.replace(tzinfo=datetime.timezone.utc).timestamp()
