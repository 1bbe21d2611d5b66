"""The rules that find what limited a trial: one table of data.

The order is the order of precedence: who is limited by an earlier one
says nothing about the later ones. Thresholds are of what is usual for
saturation; each says where it comes from.
"""

from typing import Tuple

import dataclasses
import enum

from ..evidence import Limits
from . import qos

VERSION = 6  # of the rules; findings of another version are made anew

_LIMITS = Limits()
_MIB = 1024.0 * 1024.0


class Limit(str, enum.Enum):
    """Name what can limit a trial; the order is that of precedence."""

    CLIENT = 'client'
    TENANTS = 'tenants'
    NETWORK = 'network'
    MEMORY = 'memory'
    CPU = 'CPU'
    METADATA = 'metadata device'
    DISK = 'disk'
    QOS = 'QoS'
    OSD = 'OSD queue'


NONE_FOUND = 'none found'
NOT_AVAILABLE = 'not available'

# without figures of all of these, "none found" cannot be said
REQUIRED: Tuple[Limit, ...] = (Limit.CLIENT, Limit.CPU, Limit.DISK)


@dataclasses.dataclass(frozen=True)
class Rule:
    """Define one rule: it holds where its figure passes its threshold.

    ``quorum`` is the share of all places that must pass for the group to
    be limited; fewer are outliers.
    """

    id: str
    limit: Limit
    figure: str  # of figures.FIGURES
    threshold: float
    unit: str  # '%' (a share), 's', 'B/s', 'op/s', 'cores', '/s'
    text: str  # what it means when it holds
    direction: str  # where to look
    sources: Tuple[str, ...]  # of sources.SOURCES
    above: bool = True
    quorum: float = 0.5


_CLIENT_WAY = (
    'run with more --clients or (more) load hosts (--load-hosts), without '
    'these with the active Manager on a host with more CPU (`ceph mgr '
    'fail`), or give the client its CPU back'
)
_CPU_WAY = (
    'more or faster cores for each OSD, or fewer OSDs on a host; look for a '
    'CPU quota of the OSD containers and at the frequency governor'
)
_DISK_WAY = (
    'drives are at their limit: metadata (DB/WAL) on flash, more or faster '
    'drives; for small writes look at deferred writes and the cache'
)
_DB_WAY = (
    'the DB/WAL device is at its limit: a faster one, fewer OSDs for each, '
    'or bluestore_rocksdb_options'
)
_MEMORY_WAY = (
    'lower osd_memory_target (or raise it, where caches are too small), or '
    'give the hosts more memory for each OSD'
)

RULES: Tuple[Rule, ...] = (
    Rule(
        'client-thread', Limit.CLIENT, 'client.thread_cores',
        _LIMITS.thread_cores, 'cores',
        'the submitting thread of the client used nearly a whole core',
        _CLIENT_WAY, ('talk-2018', 'intel-mixed'),
    ),
    Rule(
        'client-cpu', Limit.CLIENT, 'client.cpu_busy', _LIMITS.host_busy,
        '%', "the client's CPUs were busy", _CLIENT_WAY, ('intel-mixed',),
    ),
    Rule(
        'client-quota', Limit.CLIENT, 'client.quota_throttled',
        _LIMITS.client_throttled, '%',
        "periods in which the client's CPU quota stopped it",
        _CLIENT_WAY, ('intel-mixed',),
    ),
    Rule(
        'client-network', Limit.CLIENT, 'client.nic_busy', _LIMITS.nic_busy,
        '%', "the client's network was near its link speed",
        '(more) load hosts by --load-hosts, or a faster link for the host '
        'that makes the load', ('network',),
    ),
    Rule(
        'tenants', Limit.TENANTS, 'tenants.ops_per_s',
        _LIMITS.tenant_ops_per_s, 'op/s',
        'other pools did I/O on these OSDs',
        'repeat when the other clients are quiet; see who they are with '
        '`ceph osd pool stats`', ('slow-osds',),
    ),
    Rule(
        'gateway-acks', Limit.NETWORK, 'client.ack_wait', 0.03, 's',
        'small reads waited for delayed ACKs: the gateway sends head and '
        'content apart',
        'tcp_nodelay=1 in rgw_frontends of the gateways', ('rgw',),
    ),
    Rule(
        'network-link', Limit.NETWORK, 'host.nic_busy', _LIMITS.nic_busy,
        '%', 'interfaces of the OSD hosts were near their link speed',
        'faster or bonded links, a cluster network of its own for replicas',
        ('network', 'aarch64-hdd'),
    ),
    Rule(
        'memory-swap', Limit.MEMORY, 'host.swap_in', _MIB, 'B/s',
        'the hosts read back memory that was swapped out',
        _MEMORY_WAY, ('hardware', 'talk-2018'),
    ),
    Rule(
        'memory-available', Limit.MEMORY, 'host.mem_available', 0.05, '%',
        'little memory was available on the hosts',
        _MEMORY_WAY, ('hardware', 'talk-2018'), above=False,
    ),
    Rule(
        'memory-pressure', Limit.MEMORY, 'host.psi_memory', 0.10, '%',
        'tasks stalled for lack of memory', _MEMORY_WAY,
        ('psi', 'hardware'),
    ),
    Rule(
        'memory-target', Limit.MEMORY, 'osd.memory_of_target', 1.25, '%',
        'OSDs held far more memory than osd_memory_target',
        _MEMORY_WAY, ('bluestore',),
    ),
    Rule(
        'cpu-busy', Limit.CPU, 'host.cpu_busy', 0.85, '%',
        'the CPUs of the OSD hosts were busy', _CPU_WAY,
        ('hardware', 'talk-2018'),
    ),
    Rule(
        'cpu-quota', Limit.CPU, 'host.cpu_wait', 0.70, '%',
        'tasks of the OSD hosts waited for a CPU while half of all were '
        'idle, as under a CPU quota', _CPU_WAY, ('psi', 'hardware'),
    ),
    Rule(
        'cpu-steal', Limit.CPU, 'host.cpu_steal', 0.10, '%',
        'the hypervisor took CPU time from the OSD hosts',
        'pin the virtual machines, or move their neighbors', ('hardware',),
    ),
    Rule(
        'cpu-throttled', Limit.CPU, 'host.throttled', 1.0, '/s',
        'the CPUs throttled themselves for heat or power',
        'cooling and power limits of the hosts', ('hardware',),
    ),
    Rule(
        'db-busy', Limit.METADATA, 'db.util', 0.90, '%',
        'the DB/WAL devices were busy', _DB_WAY,
        ('aarch64-hdd', 'bluestore'),
    ),
    Rule(
        'db-await', Limit.METADATA, 'db.await', 0.020, 's',
        'requests waited on the DB/WAL devices', _DB_WAY,
        ('aarch64-hdd', 'bluestore'),
    ),
    Rule(
        'db-commit', Limit.METADATA, 'osd.kv_commit_db', 0.020, 's',
        'commits of metadata to the DB/WAL device took long', _DB_WAY,
        ('aarch64-hdd', 'bluestore'),
    ),
    # a healthy drive answers within 20 ms: an HDD seeks and turns in 12
    Rule(
        'disk-busy', Limit.DISK, 'disk.util', 0.90, '%',
        'the data drives were busy (of NVMe drives this overstates)',
        _DISK_WAY, ('aarch64-hdd', 'hardware'),
    ),
    Rule(
        'disk-await', Limit.DISK, 'disk.await', 0.020, 's',
        'requests waited on the data drives', _DISK_WAY,
        ('aarch64-hdd', 'hardware'),
    ),
    Rule(
        'disk-write', Limit.DISK, 'osd.aio_wait', 0.020, 's',
        'BlueStore waited for writes of data', _DISK_WAY,
        ('aarch64-hdd', 'bluestore'),
    ),
    Rule(
        'disk-read', Limit.DISK, 'osd.read_aio', 0.020, 's',
        'BlueStore waited for reads of data', _DISK_WAY,
        ('aarch64-hdd', 'bluestore'),
    ),
    Rule(
        'disk-commit', Limit.DISK, 'osd.kv_commit', 0.020, 's',
        'commits of metadata, which share the data drive, took long',
        _DISK_WAY, ('aarch64-hdd', 'bluestore'),
    ),
    Rule(
        'disk-commit-any', Limit.DISK, 'osd.kv_commit_any', 0.020, 's',
        'commits of metadata took long; whether on the data drives or on '
        'DB/WAL devices is not known',
        'see by `ceph osd metadata <id>` (bluefs_db_devices) where the '
        'metadata is: that device is at its limit, or its drive is slow',
        ('aarch64-hdd', 'bluestore'),
    ),
    Rule(
        'qos-capacity', Limit.QOS, 'osd.mclock_share', qos.UNEVEN, '%',
        'operations waited in the mClock queue, near the limit that its '
        'profile sets for clients',
        'look at osd_mclock_scheduler_client_lim, or choose a built-in '
        'osd_mclock_profile; measure osd_mclock_max_capacity_iops_* again',
        ('mclock',),
    ),
    Rule(
        'osd-throttle', Limit.OSD, 'osd.throttle_share', 0.25, '%',
        "share of a write's time before BlueStore's throttle",
        'bluestore_throttle_bytes and _deferred_bytes, once the drives have '
        'room', ('bluestore', 'mclock'),
    ),
    Rule(
        'osd-queue', Limit.OSD, 'osd.queue_share', 0.50, '%',
        "share of operations' time in the OSDs' queues",
        'osd_op_num_shards and threads for each, or PGs too few to lock in '
        'parallel', ('osd', 'mclock'),
    ),
)  # fmt: skip


@dataclasses.dataclass(frozen=True)
class OutlierRule:
    """Define a figure by which OSDs of a group are held together."""

    id: str
    column: str  # of evidence['osds']
    work: Tuple[str, ...]  # counts; too few make no mean
    text: str


# only what an OSD does by itself: a primary's latency has its replicas' in
OUTLIERS: Tuple[OutlierRule, ...] = (
    OutlierRule(
        'slow-commit', 'commit_lat', ('op_w', 'subop_w'),
        'commits transactions slower than the others',
    ),
    OutlierRule(
        'slow-metadata', 'kv_commit_lat', ('op_w', 'subop_w'),
        'commits metadata slower than the others',
    ),
    OutlierRule(
        'slow-replica', 'subop_w_latency', ('subop_w',),
        'writes replicas slower than the others',
    ),
    OutlierRule(
        'slow-device', 'aio_wait_lat', ('op_w', 'subop_w'),
        'waits longer for its drive than the others',
    ),
    OutlierRule(
        'slow-read', 'op_r_latency', ('op_r',),
        'reads slower than the others',
    ),
)  # fmt: skip
OUTLIER_DIRECTION = (
    'look at that drive and host first: SMART data, `ceph device ls`, '
    '`ceph tell osd.N dump_historic_ops`; until then the group is measured '
    'with it'
)
OUTLIER_SOURCES: Tuple[str, ...] = ('slow-osds', 'z-score')
