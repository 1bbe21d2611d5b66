"""Whether the monitors would mark stopped OSDs out, as OSDMonitor does it."""

from typing import Collection, FrozenSet, Optional, Protocol, Sequence

import dataclasses

from ...common.errors import PerfcompareError, TryAgain
from ...common.units import count
from ...model.topology import Bucket, Topology
from ...ports.config import ConfigReads
from ...ports.faults import named
from ...ports.health import HealthReads
from ...ports.osd_map import OsdMapReads
from .options import HOLD

INTERVAL = 'mon_osd_down_out_interval'
SUBTREE = 'mon_osd_down_out_subtree_limit'
RATIO = 'mon_osd_min_in_ratio'
SPARE = 60.0  # seconds of a step that are left to see data move
SET = 'ceph config set mon'


class Needs(ConfigReads, HealthReads, OsdMapReads, Protocol):
    """Name what is asked of a cluster here."""


@dataclasses.dataclass(frozen=True)
class Limits:
    """Hold what keeps the monitors from marking OSDs out."""

    interval: float  # seconds that they are down; 0 is never
    subtree: str  # a type; one that is down as a whole stays in
    ratio: float  # share of OSDs that stays in


def read(cluster: Needs) -> Limits:
    """Return the limits of the first monitor whose settings are known.

    Raises TryAgain where those of none are: the mgr has not heard of them.
    """
    why = 'there is no quorum'
    for mon in cluster.mon_state().quorum:
        try:
            values = [
                cluster.mon_config(mon, option)
                for option in (INTERVAL, SUBTREE, RATIO)
            ]
            interval, subtree, ratio = values
            return Limits(float(interval), subtree, float(ratio))
        except PerfcompareError as error:
            why = error.message
        except ValueError:
            why = f'mon.{mon} has {INTERVAL} {interval!r}, {RATIO} {ratio!r}'
    raise TryAgain(
        f'whether the Monitors mark stopped OSDs out is not known yet: {why}'
    )


def problem(
    cluster: Needs, osds: Sequence[int], before: Collection[int], hold: float
) -> str:
    """Say why ``osds`` would not all be marked out; empty where they would.

    ``before`` are those that the test stops before them, ``hold`` is for
    how long (seconds) they stay stopped.
    """
    if 'noout' in cluster.osdmap_flags():
        return 'the Monitors mark no OSD out: ceph osd unset noout'
    limits, topology = read(cluster), cluster.topology()
    down = {o.id for o in topology.osds.values() if not o.up}
    gone = frozenset({*down, *before, *osds})
    return (
        _too_late(limits.interval, hold)
        or _too_large(limits.subtree, osds, gone, topology)
        or _too_many(limits.ratio, gone, topology)
    )


def _too_late(interval: float, hold: float) -> str:
    if interval <= 0.0:
        return (
            f'the Monitors mark no OSD out, as {INTERVAL} is '
            f'{interval:g}: {SET} {INTERVAL} 600'
        )
    if interval < hold:
        return ''
    text = (
        f'the Monitors mark OSDs out that are down for {interval:g} s '
        f'({INTERVAL}), and they are stopped for {hold:g} s: '
    )
    if HOLD.most is None or interval + SPARE <= HOLD.most:
        text += f'give --hold {interval + SPARE:g}, or '
    return text + f'{SET} {INTERVAL} {max(1, int(hold // 2))}'


def _too_large(
    subtree: str,
    osds: Sequence[int],
    gone: FrozenSet[int],
    topology: Topology,
) -> str:
    """Say which bucket would be down as a whole, of the type or above."""
    limit = topology.types.get(subtree, 0)
    if limit <= 0:
        return ''
    for osd in osds:
        bucket = _whole(osd, limit, gone, topology)
        if bucket is None:
            continue
        text = (
            f'all of {bucket.type} {bucket.name!r} would be down, and the '
            f'Monitors mark nothing of it out ({SUBTREE} is {subtree!r})'
        )
        place = topology.types.get(bucket.type, 0)
        above = [(n, t) for t, n in topology.types.items() if n > place]
        return text + (f': {SET} {SUBTREE} {min(above)[1]}' if above else '')
    return ''


def _whole(
    osd: int, limit: int, gone: FrozenSet[int], topology: Topology
) -> Optional[Bucket]:
    """Return the bucket with an OSD that is large enough, and all down."""
    ident, buckets = osd, topology.buckets.values()
    for _ in range(len(topology.buckets)):
        parents = [b for b in buckets if ident in b.items]
        if not parents:
            return None
        bucket = max(parents, key=lambda b: b.id)  # the map's first
        if not gone.issuperset(topology.osds_under(bucket.name)):
            return None
        if topology.types.get(bucket.type, 0) >= limit:
            return bucket
        ident = bucket.id
    return None


def _too_many(ratio: float, gone: FrozenSet[int], topology: Topology) -> str:
    """Say that too few OSDs would stay in for the last one to go."""
    inside = [o.id for o in topology.osds.values() if o.in_]
    going = sorted(gone.intersection(inside))
    every = len(topology.osds)
    left = len(inside) - len(going) + 1  # when the last one is looked at
    if not going or left >= ratio * every:
        return ''
    share = int(100 * left / every) / 100
    return (
        f'the Monitors mark none out where less than {ratio:.0%} of the '
        f'OSDs are in ({RATIO}), and {named(going)} are too many of '
        f'{count(every, "OSD")}: {SET} {RATIO} {share:g}'
    )
