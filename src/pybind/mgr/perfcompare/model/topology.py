"""What a cluster looks like to perfcompare: plain data, read from Ceph.

Nothing here talks to Ceph; ``Cluster.topology()`` and its siblings fill it.
"""

from typing import Dict, Iterable, List, Mapping, NamedTuple, Optional, Tuple

import dataclasses

NO_OSD = 0x7FFFFFFF  # CRUSH_ITEM_NONE: a hole in an erasure-coded set


@dataclasses.dataclass(frozen=True)
class Osd:
    """Describe one OSD by OSD map, CRUSH map, metadata and statistics."""

    id: int
    # the CRUSH bucket of type host above it, '' without one; never the
    # metadata's hostname
    host: str
    device_class: Optional[str]
    up: bool
    in_: bool
    crush_weight: float
    arch: Optional[str] = None  # e.g. 'aarch64', as `ceph osd metadata`
    hostname: Optional[str] = None
    cpu: Optional[str] = None
    mem_total_kb: Optional[int] = None
    kernel: Optional[str] = None
    ceph_version: Optional[str] = None  # short: '20.2.4'
    rotational: Optional[bool] = None
    bdev_type: Optional[str] = None
    devices: Optional[str] = None
    # block devices by use, as the kernel names them ('sda', 'nvme0n1')
    data_devices: Tuple[str, ...] = ()
    db_devices: Tuple[str, ...] = ()
    wal_devices: Tuple[str, ...] = ()
    size_bytes: int = 0  # 0 when not known
    used_bytes: int = 0
    addresses: Tuple[str, ...] = ()  # public IPs, without port
    # bytes that BlueStore allocates at a time; None when not known
    allocation: Optional[int] = None
    # below 1 it leads fewer PGs than its place in their sets says
    primary_affinity: float = 1.0

    @property
    def separate_db(self) -> Optional[bool]:
        """Say whether its metadata has another drive; None: not known."""
        if not self.data_devices:
            return None
        return not {*self.db_devices, *self.wal_devices}.issubset(
            self.data_devices
        )


@dataclasses.dataclass(frozen=True)
class Bucket:
    """Describe one CRUSH bucket (shadow buckets are left out)."""

    id: int
    name: str
    type: str  # 'host', 'rack', 'root', …
    items: Tuple[int, ...]  # ids of child buckets (< 0) and OSDs (>= 0)


# levels of a CRUSH map as Ceph makes it
TYPES = {
    name: number
    for number, name in enumerate(
        ('osd', 'host', 'chassis', 'rack', 'row', 'pdu', 'pod', 'room',
         'datacenter', 'zone', 'region', 'root')
    )
}  # fmt: skip


@dataclasses.dataclass(frozen=True)
class Rule:
    """Describe one CRUSH rule by the root it takes."""

    id: int
    name: str
    root: str  # bucket name without '~class'
    device_class: Optional[str]
    failure_domain: Optional[str]


@dataclasses.dataclass(frozen=True)
class Topology:
    """Hold the OSDs and the CRUSH hierarchy at one OSD map epoch."""

    epoch: int
    osds: Dict[int, Osd]
    buckets: Dict[str, Bucket]
    rules: Dict[str, Rule]
    types: Mapping[str, int] = dataclasses.field(  # levels, OSDs at 0
        default_factory=lambda: dict(TYPES)
    )

    def parents(self, name: str) -> List[str]:
        """Return the names of the buckets that hold bucket ``name``."""
        ident = self.buckets[name].id
        return sorted(
            b.name for b in self.buckets.values() if ident in b.items
        )

    def osds_under(self, name: str) -> List[int]:
        """Return the sorted ids of all OSDs below bucket ``name``."""
        by_id = {b.id: b for b in self.buckets.values()}
        found = set()
        stack = [self.buckets[name].id]
        while stack:
            bucket = by_id.get(stack.pop())
            for item in bucket.items if bucket else ():
                if item >= 0:
                    found.add(item)
                else:
                    stack.append(item)
        return sorted(found)

    def device_classes(self) -> Dict[str, List[int]]:
        """Return the sorted OSD ids of each device class."""
        found: Dict[str, List[int]] = {}
        for osd in self.osds.values():
            if osd.device_class:
                found.setdefault(osd.device_class, []).append(osd.id)
        return {name: sorted(ids) for name, ids in sorted(found.items())}


@dataclasses.dataclass(frozen=True)
class Pool:
    """Describe one pool by the OSD map and its statistics."""

    id: int
    name: str
    size: int
    min_size: int
    pg_num: int
    pg_num_target: int
    pgp_num: int
    pgp_num_target: int
    crush_rule: int
    erasure_code_profile: str = ''  # empty for replicated pools
    autoscale_mode: str = 'on'
    application: Dict[str, Dict[str, str]] = dataclasses.field(
        default_factory=dict
    )
    flags: Tuple[str, ...] = ()
    stored_bytes: int = 0
    objects: int = 0
    stripe_width: int = 0  # bytes, of erasure-coded pools


class GatewayZone(NamedTuple):
    """Name a place of the cluster's S3 gateways."""

    realm: str  # empty where there is none
    zonegroup: str
    zone: str


@dataclasses.dataclass(frozen=True)
class PoolIo:
    """Hold one pool's client I/O as the mgr sees it (per second)."""

    read_ops: float = 0.0
    write_ops: float = 0.0
    read_bytes: float = 0.0
    write_bytes: float = 0.0


@dataclasses.dataclass(frozen=True)
class PoolLatency:
    """Hold what one pool's client operations took since the last look.

    Sums over all OSDs, as primaries see them (no network of the client).
    """

    reads: int = 0
    read_seconds: float = 0.0
    writes: int = 0
    write_seconds: float = 0.0


@dataclasses.dataclass(frozen=True)
class Traffic:
    """Count client operations and bytes, as primaries serve them."""

    reads: int = 0
    read_bytes: int = 0
    writes: int = 0
    write_bytes: int = 0

    def __add__(self, other: 'Traffic') -> 'Traffic':
        return Traffic(
            self.reads + other.reads,
            self.read_bytes + other.read_bytes,
            self.writes + other.writes,
            self.write_bytes + other.write_bytes,
        )

    @property
    def ops(self) -> int:
        """Return all operations."""
        return self.reads + self.writes

    @property
    def bytes(self) -> int:
        """Return all bytes."""
        return self.read_bytes + self.write_bytes


@dataclasses.dataclass(frozen=True)
class HealthCheck:
    """Describe one entry of `ceph health detail`."""

    severity: str  # HEALTH_WARN or HEALTH_ERR
    message: str
    muted: bool = False
    count: int = 0  # of what it is about, such as OSDs


@dataclasses.dataclass(frozen=True)
class Health:
    """Hold the health status and its checks by code."""

    status: str  # HEALTH_OK, HEALTH_WARN, HEALTH_ERR
    checks: Dict[str, HealthCheck]


class PgContents(NamedTuple):
    """Count what one PG holds."""

    objects: int
    bytes: int


@dataclasses.dataclass(frozen=True)
class PgMapping:
    """Hold where one PG of a pool is: OSD ids, primary first."""

    ps: int  # placement seed: the part of the PG id after the dot
    up: Tuple[int, ...]
    acting: Tuple[int, ...]


@dataclasses.dataclass(frozen=True)
class PgCounts:
    """Hold the numbers of PGs in each state at one moment.

    A PG counts once in ``total`` and in its pool, and on each of its OSDs.
    Pools and OSDs are keyed by their ids as text, as ceph-mgr has them.
    """

    total: Mapping[str, int]
    by_pool: Mapping[str, Mapping[str, int]]
    by_osd: Mapping[str, Mapping[str, int]]

    def pools(self, pools: Iterable[int]) -> Dict[str, int]:
        """Return the number of PGs in each state of these pools."""
        return _added(self.by_pool, pools)

    def osds(self, osds: Iterable[int]) -> Dict[str, int]:
        """Return the PG states on these OSDs; a PG counts on each OSD."""
        return _added(self.by_osd, osds)


def _added(
    counts: Mapping[str, Mapping[str, int]], idents: Iterable[int]
) -> Dict[str, int]:
    found: Dict[str, int] = {}
    for ident in idents:
        for state, count in counts.get(str(ident), {}).items():
            found[state] = found.get(state, 0) + count
    return found


@dataclasses.dataclass(frozen=True)
class MgrState:
    """Describe the mgr map as far as a run cares."""

    active: str
    standbys: Tuple[str, ...]
    # standby name -> whether it can load our module
    standby_has_module: Dict[str, bool]
    versions: Dict[str, str]  # mgr name -> Ceph version, where known
    active_hostname: Optional[str] = None


@dataclasses.dataclass(frozen=True)
class ExporterPlace:
    """Say where the orchestrator runs a node_exporter."""

    host: str  # as the orchestrator names it
    address: str  # IP, or a name
    port: int


@dataclasses.dataclass(frozen=True)
class MonState:
    """Describe the mon quorum."""

    election_epoch: int
    quorum: Tuple[str, ...]
    monitors: Tuple[str, ...]
    stretch_mode: bool = False
