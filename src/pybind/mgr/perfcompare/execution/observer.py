"""Record what was so while a trial ran: its manifest."""

from typing import (
    Dict,
    List,
    Mapping,
    Optional,
    Protocol,
    Sequence,
    Tuple,
)

import dataclasses

from ..common.errors import PerfcompareError
from ..guard.checks.client_host import Neighbors
from ..guard.collect.facts import Machine
from ..metrics.osd_settings import answers, joined
from ..model.manifest import Manifest, varied
from ..model.plan import GroupPlan, PoolPlan, RunPlan
from ..model.topology import Osd
from ..planning.redundancy import STRIPE_UNIT, chunk_of
from ..pools.bench_pool import PlacementEvidence
from ..ports.config import ConfigReads
from ..ports.health import HealthReads
from ..ports.osd_map import OsdMapReads
from ..ports.pgs import PgReads
from ..ports.pools import PoolReads
from ..ports.rules import RuleReads
from .emulation import is_emulated

_Answers = Optional[Sequence[Mapping[str, str]]]  # of OSDs; None: no answer
COMPRESSION = 'bluestore_compression_mode'
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

    What cannot change during a run is read once, the options of OSDs once
    a round, and what each trial needs anew is cheap.
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
        self._options: Dict[str, Tuple[int, _Answers]] = {}
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
        round_: int = 0,
    ) -> Manifest:
        """Return the manifest of a trial of ``group`` on ``pool``."""
        if group.name not in self._static:
            self._static[group.name] = self._group(group)
        static = self._static[group.name]
        found = placement or PlacementEvidence()
        told = self._asked(group, round_)
        texts = [_compression(options) for options in told or ()]
        return dataclasses.replace(
            static,
            settings=None if told is None else joined(told),
            compression=_together(texts),
            mixed={
                **(static.mixed or {}),
                **varied({'compression': texts}),
                **varied(_by_option(told or ())),
            },
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

    def _asked(self, group: GroupPlan, round_: int) -> _Answers:
        """Return what OSDs said in this round: somebody may change it."""
        asked, found = self._options.get(group.name, (-1, None))
        if asked != round_:
            found = answers(self._cluster, group.osds, OSD_OPTIONS)
            self._options[group.name] = round_, found
        return found

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
        neighbors = Neighbors(self._topology, group.osds)
        near = {
            machine.name or machine.hostname: found.same_host + found.hidden
            for machine in self._machines
            for found in [neighbors.of(machine)]
        }
        # also under other host names: they share the client's CPUs
        local = tuple(sorted({osd for osds in near.values() for osd in osds}))
        size = sum(o.size_bytes for o in osds)
        return Manifest(
            client_host=self._plan.client_host,
            client_arch=self._arch,
            client_local_osds=local,
            client_local_hosts=tuple(sorted(h for h in near if near[h])),
            osds=len(osds),
            hosts=tuple(sorted({o.host for o in osds if o.host})),
            ceph_version=_distinct([o.ceph_version for o in osds]),
            arch=_distinct([o.arch for o in osds]),
            cpu=_distinct([o.cpu for o in osds]),
            kernel=_distinct([o.kernel for o in osds]),
            mem_total_kb=_numbers([o.mem_total_kb for o in osds]),
            rotational=_flags([o.rotational for o in osds]),
            drives=_distinct([o.bdev_type for o in osds]),
            separate_db=_flags([o.separate_db for o in osds]),
            size_bytes=size or None,
            fill=sum(o.used_bytes for o in osds) / size if size else None,
            emulated=is_emulated(group.note, osds, set(local), self._arch),
            mixed=varied(_values(osds)),
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
            made = [p for p in self._cluster.pools() if p.name == pool.name]
            width = made[0].stripe_width if made else 0
            return _ec_text(
                pool.ec_profile,
                profile,
                pool.data_chunks,
                width or pool.stripe_width,
            )
        except PerfcompareError:
            return pool.ec_profile

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


def _ec_text(
    name: str, profile: Mapping[str, str], chunks: int, width: int
) -> str:
    """Return what of a profile decides about its load: 'k=2 m=1 …'.

    The stripe unit, of the profile or the mons, only where it makes other
    chunks than the usual one: the pool has stripes of ``width`` bytes and
    so many ``chunks``, of which older plans do not tell (0).
    """
    wanted = ('k', 'm', 'c', 'd', 'plugin', 'technique')
    parts = [f'{key}={profile[key]}' for key in wanted if key in profile]
    chunk = chunk_of(name, profile)
    if chunks:
        chunk = width // chunks
    if chunk != chunk_of(name, {**profile, 'stripe_unit': str(STRIPE_UNIT)}):
        parts.append(f'stripe_unit={chunk}')
    return ' '.join(parts)


def _compression(options: Mapping[str, str]) -> Optional[str]:
    """Return how an OSD compresses pools of a run: they set no mode."""
    mode = options.get(COMPRESSION)
    if mode is None or mode == 'none':
        return mode
    algorithm = options.get('bluestore_compression_algorithm')
    return f'{mode} ({algorithm})' if algorithm else mode


def _together(texts: Sequence[Optional[str]]) -> Optional[str]:
    """Return 'a', or 'a, b' where OSDs differ; None if none told."""
    return ', '.join(_distinct(texts) or ()) or None


def _by_option(
    found: Sequence[Mapping[str, str]],
) -> Dict[str, List[Optional[str]]]:
    return {
        f'settings.{name}': [options.get(name) for options in found]
        for name in OSD_OPTIONS
    }


def _values(osds: Sequence[Osd]) -> Dict[str, Sequence[object]]:
    """Return what each OSD has, by the manifest's name for it."""
    return {
        'ceph_version': [o.ceph_version for o in osds],
        'arch': [o.arch for o in osds],
        'cpu': [o.cpu for o in osds],
        'kernel': [o.kernel for o in osds],
        'mem_total_kb': [o.mem_total_kb for o in osds],
        'rotational': [o.rotational for o in osds],
        'drives': [o.bdev_type for o in osds],
        'separate_db': [o.separate_db for o in osds],
    }


def _distinct(values: Sequence[Optional[str]]) -> Optional[Tuple[str, ...]]:
    found = sorted({v for v in values if v is not None})
    return tuple(found) or None


def _numbers(values: Sequence[Optional[int]]) -> Optional[Tuple[int, ...]]:
    return tuple(sorted({v for v in values if v is not None})) or None


def _flags(values: Sequence[Optional[bool]]) -> Optional[Tuple[bool, ...]]:
    return tuple(sorted({v for v in values if v is not None})) or None
