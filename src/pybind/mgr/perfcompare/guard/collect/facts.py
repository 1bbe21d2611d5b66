"""Everything that the preflight judges, read in one place and once.

What cannot be read is noted in ``errors`` by the name of the field, and the
checks that need it say so; one silent daemon never hides the rest.
"""

from typing import (
    Any,
    Callable,
    Dict,
    List,
    Optional,
    Protocol,
    Sequence,
    Tuple,
    TypeVar,
)

import dataclasses
import logging

from ...analysis.hosts_needed import Need
from ...common.clock import SYSTEM
from ...common.errors import PerfcompareError
from ...model import load
from ...model.load_host import LoadHost
from ...model.plan import RunPlan
from ...model.topology import (
    GatewayZone,
    Health,
    MgrState,
    MonState,
    PgCounts,
    Pool,
    PoolIo,
    Topology,
)
from ...ports.auth import AuthReads
from ...ports.config import ConfigReads
from ...ports.health import HealthReads
from ...ports.identity import Identity
from ...ports.osd_map import OsdMapReads
from ...ports.pgs import PgReads
from ...ports.pools import PoolReads
from ...ports.rules import RuleReads
from . import procinfo
from .monlimits import max_pg_per_osd
from .tools import Tool, Toolbox

log = logging.getLogger(__name__)

T = TypeVar('T')

POOL_DELETE = 'mon_allow_pool_delete'
NODELETE = 'osd_pool_default_flag_nodelete'
TTL = 'mgr_ttl_cache_expire_seconds'
NEEDED_TOOLS = ('rados', 'python3', 'numpy')

# effective settings of OSDs that change what a group can do
OSD_OPTIONS = (
    'osd_op_queue',
    'osd_mclock_profile',
    'osd_mclock_scheduler_client_lim',
    'osd_mclock_max_capacity_iops_hdd',
    'osd_mclock_max_capacity_iops_ssd',
    'osd_memory_target',
    'bluestore_cache_size',
    'bluestore_compression_mode',
)
OSD_SAMPLE = 4  # OSDs asked for their settings in each group

# pools that Ceph keeps for itself: their data is no tenant's
_INTERNAL_NAMES = ('.mgr', 'device_health_metrics')
_INTERNAL_APPLICATIONS = ('mgr', 'mgr_devicehealth')
# tools that load hosts tell of, by the programs that these are of
ON_HOSTS = {
    'fio': 'fio',
    'fio-engine-rbd': 'fio',
    'warp': 'warp',
    'zstd': 'zstd',
}


class Needs(
    AuthReads,
    ConfigReads,
    HealthReads,
    Identity,
    OsdMapReads,
    PgReads,
    PoolReads,
    RuleReads,
    Protocol,
):
    """Name what is asked of a cluster here."""


@dataclasses.dataclass(frozen=True)
class Machine:
    """Describe the machine that will generate load."""

    hostname: str
    addresses: Tuple[str, ...]  # without loopback
    memory: Optional[procinfo.MemoryRoom]
    name: str = ''  # as a load host is called here


@dataclasses.dataclass(frozen=True)
class ResultDatabase:
    """Say what is known of where the results of a run are to be stored."""

    refused: str = ''  # why it takes none, '' when it may
    problems: Tuple[str, ...] = ()  # what else an operator should know


def read_machine() -> Machine:
    """Describe the machine that this process runs on."""
    return Machine(
        procinfo.hostname(),
        tuple(sorted(procinfo.local_addresses())),
        procinfo.memory_room(),
    )


def this_machine() -> Tuple[Machine, ...]:
    """Describe the machine that this process runs on, the only one."""
    return (read_machine(),)


@dataclasses.dataclass
class Facts:
    """Hold the state of cluster and client at one moment.

    A field named in ``errors`` was not readable and has no meaning.
    """

    at: float  # Unix time
    version: str = ''
    health: Health = Health('', {})
    topology: Topology = Topology(0, {}, {}, {})
    flags: Tuple[str, ...] = ()
    pools: Tuple[Pool, ...] = ()
    pool_io: Dict[int, PoolIo] = dataclasses.field(default_factory=dict)
    pgs: PgCounts = PgCounts({}, {}, {})
    # PG states on the OSDs of each group, by the name of the group
    group_pgs: Dict[str, Dict[str, int]] = dataclasses.field(
        default_factory=dict
    )
    # PGs on each OSD of the groups
    osd_pgs: Dict[int, int] = dataclasses.field(default_factory=dict)
    ratios: Dict[str, float] = dataclasses.field(default_factory=dict)
    mon: MonState = MonState(0, (), ())
    mgr: MgrState = MgrState('', (), {}, {})
    stats_kept: float = 0.0  # seconds that the mgr keeps its answers
    upgrade: Optional[str] = None
    balancer: Dict[str, Any] = dataclasses.field(default_factory=dict)
    rules: Tuple[str, ...] = ()
    ec_profiles: Tuple[str, ...] = ()
    ec_k: Optional[int] = None  # data chunks of the plan's EC profile
    entities: Tuple[str, ...] = ()
    # mon_allow_pool_delete as each mon in quorum has it
    pool_delete: Dict[str, bool] = dataclasses.field(default_factory=dict)
    # mons that deny it by their own files: the central config cannot help
    pool_delete_pinned: Tuple[str, ...] = ()
    pool_delete_sections: Dict[str, str] = dataclasses.field(
        default_factory=dict
    )  # of the central configuration, by mon
    new_pools_nodelete: bool = False
    max_pg_per_osd: int = 0
    gateway_zones: Tuple[GatewayZone, ...] = ()
    # settings of a sample of OSDs: id -> option -> value
    osd_settings: Dict[int, Dict[str, str]] = dataclasses.field(
        default_factory=dict
    )
    machines: Tuple[Machine, ...] = ()  # that make the load, each a part
    tools: Dict[str, Tool] = dataclasses.field(default_factory=dict)
    # that the plan takes load from; none: the Manager's host
    load_hosts: Tuple[LoadHost, ...] = ()
    # what earlier runs showed of the client that the plan needs
    needs: Tuple[Need, ...] = ()
    # None: not asked
    result_database: Optional[ResultDatabase] = None
    errors: Dict[str, str] = dataclasses.field(default_factory=dict)


def internal(pool: Pool) -> bool:
    """Say whether Ceph keeps this pool for itself."""
    return pool.name in _INTERNAL_NAMES or any(
        name in pool.application for name in _INTERNAL_APPLICATIONS
    )


def ours(pool: Pool) -> bool:
    """Say whether a run made this pool."""
    return 'perfcompare' in pool.application


def foreign_pools(pools: Sequence[Pool]) -> List[Pool]:
    """Return the pools of tenants: neither Ceph's own nor ours."""
    return [p for p in pools if not internal(p) and not ours(p)]


def gather(
    cluster: Needs,
    plan: RunPlan,
    toolbox: Toolbox,
    machines: Callable[[], Tuple[Machine, ...]] = this_machine,
    now: Callable[[], float] = SYSTEM.wall,
    load_hosts: Sequence[LoadHost] = (),
    needs: Sequence[Need] = (),
    result_database: Optional[ResultDatabase] = None,
) -> Facts:
    """Read all facts for ``plan``; never raises for what cannot be read.

    ``machines`` describes where load is made; ``load_hosts`` are those of
    the plan, ``needs`` what earlier runs showed of it.
    """
    facts = Facts(
        at=now(),
        load_hosts=tuple(load_hosts),
        needs=tuple(needs),
        result_database=result_database,
    )
    reader = _Reader(facts)
    read = reader.read
    read('version', cluster.ceph_version)
    read('health', cluster.health)
    read('topology', cluster.topology)
    read('flags', lambda: tuple(cluster.osdmap_flags()))
    read('pools', lambda: tuple(cluster.pools()))
    read('pool_io', cluster.pool_io)
    read('pgs', cluster.pg_counts)
    if 'pgs' in facts.errors:
        facts.errors['group_pgs'] = facts.errors['pgs']
        facts.errors['osd_pgs'] = facts.errors['pgs']
    else:
        read('group_pgs', lambda: _group_pgs(facts.pgs, plan))
        read('osd_pgs', lambda: _osd_pgs(facts.pgs, plan))
    read('ratios', cluster.full_ratios)
    read('mon', cluster.mon_state)
    read('mgr', cluster.mgr_state)
    if any(g.gateways for g in plan.groups):
        read('gateway_zones', lambda: tuple(cluster.gateway_zones()))
    if plan.recovery is not None:
        read('stats_kept', lambda: float(cluster.option(TTL) or 0))
    read('upgrade', cluster.upgrade_in_progress)
    read('balancer', cluster.balancer_status)
    read('rules', lambda: tuple(cluster.rule_names()))
    read('ec_profiles', lambda: tuple(cluster.ec_profile_names()))
    read('entities', lambda: tuple(cluster.auth_entities()))
    if plan.options.ec_profile:
        read('ec_k', lambda: _data_chunks(cluster, plan))
    if 'mon' in facts.errors:
        facts.errors['pool_delete'] = facts.errors['mon']
        facts.errors['new_pools_nodelete'] = facts.errors['mon']
    else:
        quorum = facts.mon.quorum
        read('pool_delete', lambda: _told(cluster, quorum, POOL_DELETE))
        read('pool_delete_pinned', lambda: _pinned(cluster, facts))
        read('pool_delete_sections', lambda: _sections(cluster, facts))
        read(
            'new_pools_nodelete',
            lambda: any(_told(cluster, quorum, NODELETE).values()),
        )
    read('max_pg_per_osd', lambda: max_pg_per_osd(cluster, _quorum(facts)))
    read('osd_settings', lambda: _osd_settings(cluster, plan))
    read('machines', machines)
    wanted: Tuple[str, ...] = NEEDED_TOOLS
    for tool in dict.fromkeys(w.tool for w in plan.profile.workloads):
        wanted += load.of_tool(tool).tools(plan.options.drivers)
    wanted = tuple(dict.fromkeys(wanted))
    read('tools', lambda: _on_hosts(toolbox.all(wanted), load_hosts))
    return facts


class _Reader:
    """Fill fields of Facts, each for itself."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts

    def read(self, name: str, get: Callable[[], Any]) -> None:
        """Set field ``name``, or note why it could not be read."""
        try:
            setattr(self._facts, name, get())
        except PerfcompareError as error:
            self._facts.errors[name] = str(error)
        except Exception as error:
            # a surprise in one answer must not hide the other checks
            log.exception('preflight cannot read %s', name)
            self._facts.errors[name] = f'{type(error).__name__}: {error}'


def _on_hosts(
    tools: Dict[str, Tool], hosts: Sequence[LoadHost]
) -> Dict[str, Tool]:
    """Return tools as load hosts have them, but for those of Ceph.

    These, like all else of a load host, have a check of their own.
    """
    if not hosts:
        return tools
    without = {'numpy': [h.host for h in hosts if h.numpy is False]}
    for tool, program in ON_HOSTS.items():
        without[tool] = [
            h.host
            for h in hosts
            if h.programs is not None and program not in h.programs
        ]
    return {
        name: (
            dataclasses.replace(
                tool,
                version=None,
                problem=(
                    f'not installed on {without[name][0]}'
                    if without[name]
                    else ''
                ),
            )
            if name in without
            else tool
        )
        for name, tool in tools.items()
        if name not in ('rados', 'python3', 'rbd')
    }


def _group_pgs(pgs: PgCounts, plan: RunPlan) -> Dict[str, Dict[str, int]]:
    return {g.name: pgs.osds(g.osds) for g in plan.groups}


def _osd_pgs(pgs: PgCounts, plan: RunPlan) -> Dict[int, int]:
    osds = sorted({osd for group in plan.groups for osd in group.osds})
    return {osd: sum(pgs.osds([osd]).values()) for osd in osds}


def _data_chunks(cluster: Needs, plan: RunPlan) -> int:
    profile = cluster.ec_profile(plan.options.ec_profile or '')
    return int(profile['k'])


def _quorum(facts: Facts) -> Sequence[str]:
    return () if 'mon' in facts.errors else facts.mon.quorum


def _told(
    cluster: Needs, quorum: Sequence[str], option: str
) -> Dict[str, bool]:
    """Return what is in force, by mon: each goes by its own value."""
    return {mon: _truth(cluster.mon_config(mon, option)) for mon in quorum}


def _pinned(cluster: Needs, facts: Facts) -> Tuple[str, ...]:
    return tuple(
        mon
        for mon, allowed in sorted(facts.pool_delete.items())
        if not allowed and cluster.mon_config_pinned(mon, POOL_DELETE)
    )


def _sections(cluster: Needs, facts: Facts) -> Dict[str, str]:
    denying = sorted(m for m, yes in facts.pool_delete.items() if not yes)
    if not denying:
        return {}
    found = cluster.mon_config_sections(denying, POOL_DELETE)
    return {mon: section for mon, (section, _) in found.items()}


def _truth(value: object) -> bool:
    return str(value).strip().lower() in ('true', '1', 'yes', 'on')


def _osd_settings(cluster: Needs, plan: RunPlan) -> Dict[int, Dict[str, str]]:
    found: Dict[int, Dict[str, str]] = {}
    for group in plan.groups:
        step = max(1, len(group.osds) // OSD_SAMPLE)
        for osd in group.osds[::step][:OSD_SAMPLE]:
            if osd not in found:
                found[osd] = dict(cluster.osd_config(osd, OSD_OPTIONS))
    return found
