"""Record what was so while a trial ran: its manifest."""

from typing import Dict, Optional, Protocol, Sequence, Set, Tuple

import dataclasses
import re

from ..common.errors import PerfcompareError
from ..guard.checks.client_host import locality_of
from ..guard.collect.facts import Machine
from ..metrics.osd_settings import settings
from ..model.manifest import Manifest
from ..model.plan import GroupPlan, PoolPlan, RunPlan
from ..model.topology import Osd
from ..pools.bench_pool import PlacementEvidence
from ..ports.config import ConfigReads
from ..ports.health import HealthReads
from ..ports.osd_map import OsdMapReads
from ..ports.pgs import PgReads
from ..ports.pools import PoolReads
from ..ports.rules import RuleReads

COMPRESSION = 'bluestore_compression_mode'
_EMULATED = re.compile(r'(?<!not )(?<!non-)(?<!no )\bemulated\b', re.I)
# effective settings that explain differences between groups
OSD_OPTIONS: Sequence[str] = (
    'osd_mclock_profile',
    'osd_mclock_scheduler_client_lim',
    'osd_mclock_max_capacity_iops_hdd',
    'osd_mclock_max_capacity_iops_ssd',
    'osd_mclock_max_sequential_bandwidth_hdd',
    'osd_mclock_max_sequential_bandwidth_ssd',
    'osd_op_queue',
    'osd_op_num_shards_hdd',
    'osd_op_num_shards_ssd',
    'osd_op_num_threads_per_shard_hdd',
    'osd_op_num_threads_per_shard_ssd',
    'osd_memory_target',
    'osd_max_scrubs',
    'osd_scrub_begin_hour',
    'osd_scrub_end_hour',
    'bluestore_cache_autotune',
    'bluestore_cache_size',
    'bluestore_cache_size_hdd',
    'bluestore_cache_size_ssd',
    COMPRESSION,
    'bluestore_compression_algorithm',
    'bluestore_min_alloc_size',
)


class Needs(
    ConfigReads,
    HealthReads,
    OsdMapReads,
    PgReads,
    PoolReads,
    RuleReads,
    Protocol,
):
    """Name what is asked of a cluster here."""


class Observer:
    """Fill the manifests of one run's trials.

    What cannot change during a run is read once, and what each trial needs
    anew is cheap.
    """

    def __init__(
        self,
        cluster: Needs,
        plan: RunPlan,
        machines: Sequence[Machine],
        arch: str,
    ) -> None:
        """Take ``machines`` and their architecture: load is made there."""
        self._cluster = cluster
        self._plan = plan
        self._static: Dict[str, Manifest] = {}
        self._balancer = self._read_balancer()
        self._mgr_pool = self._read_mgr_pool()
        self._topology = cluster.topology()
        self._machines = machines
        self._arch = arch

    def manifest(
        self,
        group: GroupPlan,
        pool: PoolPlan,
        placement: Optional[PlacementEvidence],
        tenants: Optional[float],
    ) -> Manifest:
        """Return the manifest of a trial of ``group`` on ``pool``."""
        if group.name not in self._static:
            self._static[group.name] = self._group(group)
        found = placement or PlacementEvidence()
        return dataclasses.replace(
            self._static[group.name],
            size=pool.size,
            min_size=pool.min_size,
            ec_profile=self._ec_text(pool),
            pg_num=pool.pg_num,
            pgs_per_osd=pool.pg_num * pool.size / len(group.osds),
            primaries_max_mean=found.primaries_max_mean,
            pgs_max_mean=found.pgs_max_mean,
            objects_max_mean=found.objects_max_mean or None,
            bytes_max_mean=found.bytes_max_mean or None,
            tenant_ops_per_s=tenants,
        )

    def tenant_ops(self) -> Optional[float]:
        """Return operations per second of pools that are not ours."""
        ours = {p.name for g in self._plan.groups for p in g.pools}
        try:
            foreign = {
                p.id for p in self._cluster.pools() if p.name not in ours
            }
            return sum(
                io.read_ops + io.write_ops
                for pool, io in self._cluster.pool_io().items()
                if pool in foreign
            )
        except PerfcompareError:
            return None

    def _group(self, group: GroupPlan) -> Manifest:
        osds = [self._topology.osds[i] for i in group.osds]
        near = [
            locality_of(machine, self._topology, group.osds)
            for machine in self._machines
        ]
        # also under other host names: they share the client's CPUs
        local = tuple(
            sorted({osd for n in near for osd in n.same_host + n.hidden})
        )
        size = sum(o.size_bytes for o in osds)
        found = settings(self._cluster, group.osds, OSD_OPTIONS)
        return Manifest(
            client_host=self._plan.client_host,
            client_arch=self._arch,
            client_local_osds=local,
            osds=len(osds),
            hosts=tuple(sorted({o.host for o in osds if o.host})),
            ceph_version=_distinct([o.ceph_version for o in osds]),
            arch=_distinct([o.arch for o in osds]),
            cpu=_distinct([o.cpu for o in osds]),
            kernel=_distinct([o.kernel for o in osds]),
            mem_total_kb=_numbers([o.mem_total_kb for o in osds]),
            rotational=_flags([o.rotational for o in osds]),
            drives=_distinct([o.bdev_type for o in osds]),
            size_bytes=size or None,
            fill=sum(o.used_bytes for o in osds) / size if size else None,
            emulated=is_emulated(group.note, osds, set(local), self._arch),
            settings=found,
            compression=_compression(found),
            balancer=self._balancer,
            mgr_pool_osds=tuple(
                sorted(set(group.osds) & set(self._mgr_pool))
            ),
        )

    def _ec_text(self, pool: PoolPlan) -> str:
        if not pool.ec_profile:
            return ''
        try:
            profile = self._cluster.ec_profile(pool.ec_profile)
        except PerfcompareError:
            return pool.ec_profile
        wanted = ('k', 'm', 'plugin', 'technique')
        return ' '.join(f'{k}={profile[k]}' for k in wanted if k in profile)

    def _read_balancer(self) -> Optional[str]:
        try:
            status = self._cluster.balancer_status()
        except PerfcompareError:
            return None
        return str(status.get('mode')) if status.get('active') else 'off'

    def _read_mgr_pool(self) -> Tuple[int, ...]:
        try:
            found = self._cluster.pg_map('.mgr')
        except PerfcompareError:
            return ()
        return tuple(sorted({osd for pg in found for osd in pg.acting}))


def _compression(found: Optional[Dict[str, str]]) -> Optional[str]:
    """Return how pools of a run are compressed: as their OSDs say.

    They set no mode of their own. None when the OSDs were not asked.
    """
    mode = (found or {}).get(COMPRESSION)
    if mode is None or mode == 'none':
        return mode
    algorithm = (found or {}).get('bluestore_compression_algorithm')
    return f'{mode} ({algorithm})' if algorithm else mode


def is_emulated(
    note: str, osds: Sequence[Osd], local: Set[int], own: str
) -> Optional[bool]:
    """Say whether OSDs run under an emulator; None when nobody can tell.

    An OSD on the very machine that makes the load, of architecture ``own``,
    that reports another one does; of others the group's note may say so.
    """
    if _EMULATED.search(note):
        return True
    if any(o.id in local and o.arch not in (None, own) for o in osds):
        return True
    return False if all(o.id in local for o in osds) else None


def _distinct(values: Sequence[Optional[str]]) -> Optional[Tuple[str, ...]]:
    found = sorted({v for v in values if v is not None})
    return tuple(found) or None


def _numbers(values: Sequence[Optional[int]]) -> Optional[Tuple[int, ...]]:
    return tuple(sorted({v for v in values if v is not None})) or None


def _flags(values: Sequence[Optional[bool]]) -> Optional[Tuple[bool, ...]]:
    return tuple(sorted({v for v in values if v is not None})) or None
