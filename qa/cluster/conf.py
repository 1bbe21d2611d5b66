"""The text of ceph.conf, with the reason for everything that is not stock.

Settings stand in the file and not in the mon's database, so that
`ceph config dump` of a fresh cluster is empty.
"""

from typing import List

from .settings import ARM_ROOT, CAPACITY
from .state import Cluster
from .topology import pool_size

ARM_CLASSES = ARM_ROOT + '/usr/lib/aarch64-linux-gnu/rados-classes'
FIRST_MON_SLOT = 1
FIRST_MGR_SLOT = 11
FIRST_RGW_SLOT = 31
OBJECT = 4 << 20  # bytes: what gateways and images have at most
# parts of Ceph and what they log by default, where more is kept in memory
LOGGED = (
    ('auth', 1), ('bdev', 1), ('bluefs', 1), ('bluestore', 1), ('client', 0),
    ('heartbeatmap', 1), ('mgrc', 1), ('mon', 1), ('monc', 0), ('objclass', 0),
    ('objecter', 0), ('optracker', 0), ('osd', 1), ('paxos', 1),
    ('perfcounter', 1), ('prioritycache', 1), ('rbd', 0), ('rgw', 1),
    ('tp', 0),
)  # fmt: skip
MON_NAMES = 'abcde'
MGR_NAMES = 'xyzuvw'


def mon_names(cluster: Cluster) -> List[str]:
    """Return the names of all mons."""
    return list(MON_NAMES[: cluster.settings.mons])


def mon_hosts(cluster: Cluster) -> str:
    """Return the address vectors of all mons, as clients take them."""
    return ','.join(mon_address(cluster, n) for n in mon_names(cluster))


def mon_address(cluster: Cluster, name: str) -> str:
    """Return the address vector of a mon."""
    settings = cluster.settings
    slot = FIRST_MON_SLOT + MON_NAMES.index(name)
    address = settings.network.service(slot)
    port = settings.mon_port
    return '[v2:%s:%d,v1:%s:%d]' % (address, port, address, port + 1)


def mgr_address(cluster: Cluster, name: str) -> str:
    """Return a mgr's own address."""
    slot = FIRST_MGR_SLOT + MGR_NAMES.index(name)
    return cluster.settings.network.service(slot)


def render(cluster: Cluster, mgrs: List[str]) -> str:
    """Return ceph.conf for a cluster with these mgrs."""
    settings = cluster.settings
    network = settings.network
    folder = cluster.dir
    modules = 'iostat' + (' dashboard' if settings.dashboard else '')
    modules += ' perfcompare' if settings.enabled else ''
    logged = '\n'.join(f'debug {part} = {n}/{n}' for part, n in LOGGED)
    text = f'''\
[global]
fsid = {settings.fsid}
mon host = {mon_hosts(cluster)}
public network = {network.public}
ms bind ipv6 = false
keyring = {folder}/keyring
run dir = {folder}/run
log file = {folder}/log/$name.log
# Two hosts of a class must be enough for a clean pool.
osd pool default size = {pool_size(settings.hosts)}
{'osd crush chooseleaf type = 0' if pool_size(settings.hosts) < 2 else ''}

# Text that only the dump of a crash would have costs OSDs a sixth of the CPU
# of an operation, emulated ones more: what is no line of a log is not made.
{logged}

[mon]
mon data = {folder}/mon/$id
admin socket = {folder}/run/$name.asok
# Only this program's own, current clients connect; saves a warning.
auth allow insecure global id reclaim = false
# The machine's disk may well be nearly full; it is not what is tested.
mon data avail warn = 1
mon data avail crit = 1
mgr initial modules = {modules}

[mgr]
mgr data = {folder}/mgr/$id
keyring = {folder}/mgr/$id/keyring
admin socket = {folder}/run/$name.asok

[client]
log file = {folder}/log/$name.log

[osd]
osd data = {folder}/osd/$id
keyring = {folder}/osd/$id/keyring
admin socket = {folder}/run/$name.asok
bluestore block size = {settings.osd_size}
# The kernel's aio slots (fs.aio-max-nr) are shared by all clusters of a
# machine; at the default of 1024 some sixty OSDs use them up.
bdev aio max queue depth = 128
# Disks are files of a shared machine. Where it is busy, a single operation of
# 5 s would raise BLUESTORE_SLOW_OP_ALERT for a day, and its rule end the run.
bluestore slow ops warn threshold = 1000
# A store that was made a moment ago need not be checked: it takes longer than
# to make it. RocksDB logs more than a thousand lines whenever it is opened.
bluestore fsck on mkfs = false
debug rocksdb = 1/1
# CRUSH places are made before the first start, by host and class.
osd crush update on start = false
osd class update on start = false
# A small cache: many OSDs share one machine, and emulated ones have an
# allocator that the automatic tuning cannot see.
bluestore cache autotune = false
bluestore cache size = 134217728
osd memory target = 939524096
# The benchmark at start would load a shared machine, and its result is
# thrown away as out of bounds. Recovery would then crawl at the default.
osd mclock skip benchmark = true
osd mclock max capacity iops hdd = {CAPACITY}
osd mclock max capacity iops ssd = {CAPACITY}
'''
    if settings.client_iops:
        # Load at full speed keeps a machine busy that others share. Of the
        # profiles only the custom one limits clients; it limits nothing else.
        limit = settings.client_iops / CAPACITY
        # An operation costs what one of them is worth of the bandwidth, or its
        # bytes: with so much of it each costs the same.
        bandwidth = CAPACITY * OBJECT
        for medium in ('hdd', 'ssd'):
            text += f'osd mclock max sequential bandwidth {medium} = '
            text += f'{bandwidth}\n'
        text += 'osd mclock profile = custom\n'
        text += f'osd mclock scheduler client lim = {limit:g}\n'
    else:
        text += 'osd mclock profile = high_recovery_ops\n'
    for name in mgrs:
        address = mgr_address(cluster, name)
        text += f'\n[mgr.{name}]\npublic addr = {address}\n'
    for osd in settings.osds:
        text += f'\n[osd.{osd.id}]\n'
        text += f'public addr = {osd.host.address(network)}\n'
        if osd.host.emulated:
            # The default is a relative path, which qemu cannot map.
            text += f'osd class dir = {ARM_CLASSES}\n'
    return text


def write(cluster: Cluster, mgrs: List[str]) -> None:
    """Write ceph.conf."""
    cluster.conf.write_text(render(cluster, mgrs), encoding='utf-8')
