"""Disks of OSDs: files, or loop devices that have counters of their own.

With `--db-size` the metadata of each OSD has a loop device of its own, too.

A loop device is a block device of the kernel's: utilization, waiting and
queue are counted for each, OSDs name it in their metadata, and a cgroup can
hold it. One process keeps them open; they go when the last user does.
"""

from typing import Dict, List

import ctypes
import errno
import fcntl
import os
import pathlib
import re

from . import namespaces
from .messages import ClusterError
from .state import Cluster

HOLDER = 'disks'
LOOP_CTL_GET_FREE = 0x4C82
LOOP_CONFIGURE = 0x4C0A
LO_FLAGS_AUTOCLEAR = 4
LO_FLAGS_DIRECT_IO = 16
BLOCK = 4096
TRIES = 50  # of taking a device that another cluster takes at this moment


class _LoopInfo(ctypes.Structure):
    _fields_ = [
        ('device', ctypes.c_uint64),
        ('inode', ctypes.c_uint64),
        ('rdevice', ctypes.c_uint64),
        ('offset', ctypes.c_uint64),
        ('sizelimit', ctypes.c_uint64),
        ('number', ctypes.c_uint32),
        ('encrypt_type', ctypes.c_uint32),
        ('encrypt_key_size', ctypes.c_uint32),
        ('flags', ctypes.c_uint32),
        ('names', ctypes.c_uint8 * 160),
        ('init', ctypes.c_uint64 * 2),
    ]


class _LoopConfig(ctypes.Structure):
    _fields_ = [
        ('fd', ctypes.c_uint32),
        ('block_size', ctypes.c_uint32),
        ('info', _LoopInfo),
        ('reserved', ctypes.c_uint64 * 8),
    ]


def build(cluster: Cluster) -> None:
    """Give each OSD its loop device; nothing for `--disks file`."""
    if cluster.settings.disks != 'loop':
        return

    def prepare() -> None:
        for osd in cluster.settings.osds:
            folder = cluster.dir / 'osd' / str(osd.id)
            folder.mkdir(parents=True, exist_ok=True)
            for link, size in _wanted(cluster).items():
                _attach(folder, link, size)

    namespaces.hold(cluster, HOLDER, prepare)


def _wanted(cluster: Cluster) -> Dict[str, int]:
    """Return the devices of each OSD by BlueStore's name, with their size."""
    found = {'block': cluster.settings.osd_size}
    if cluster.settings.db_size:
        found['block.db'] = cluster.settings.db_size
    return found


def _attach(folder: pathlib.Path, link: str, size: int) -> None:
    """Make a sparse file a device, and `link` a link to it."""
    image = folder / link.replace('block', 'disk')
    with open(image, 'wb') as file:
        file.truncate(size)
    backing = os.open(str(image), os.O_RDWR | os.O_CLOEXEC)
    try:
        device = configure(backing)
    finally:
        os.close(backing)
    (folder / link).symlink_to(device)


def configure(backing: int) -> str:
    """Return the path of a new loop device, which this process keeps open."""
    with open('/dev/loop-control', 'rb') as control:
        for _ in range(TRIES):
            name = '/dev/loop%d' % fcntl.ioctl(control, LOOP_CTL_GET_FREE)
            device = os.open(name, os.O_RDWR)
            config = _LoopConfig(fd=backing, block_size=BLOCK)
            config.info.flags = LO_FLAGS_AUTOCLEAR | LO_FLAGS_DIRECT_IO
            try:
                fcntl.ioctl(device, LOOP_CONFIGURE, config)
            except OSError as error:
                os.close(device)
                if error.errno != errno.EBUSY:
                    raise
                continue
            # open beyond the exec of the process that holds it
            os.set_inheritable(device, True)
            return name
    raise ClusterError('no free loop device', errno.EBUSY)


def names(cluster: Cluster, host: str) -> List[str]:
    """Return the names of the disks of a host, as the kernel has them."""
    if cluster.settings.disks != 'loop':
        return [_disk_below(cluster.dir)]
    return [
        os.path.basename(os.readlink(str(cluster.dir / 'osd' / n / link)))
        for n in (
            str(o.id) for o in cluster.settings.osds if o.host.name == host
        )
        for link in _wanted(cluster)
    ]


def _disk_below(path: pathlib.Path) -> str:
    """Return the disk that a folder is on, whole disks for partitions."""
    device = os.stat(str(path)).st_dev
    link = '/sys/dev/block/%d:%d' % (os.major(device), os.minor(device))
    try:
        target = os.path.realpath(link)
    except OSError:
        return ''
    if os.path.exists(os.path.join(target, 'partition')):
        target = os.path.dirname(target)
    name = os.path.basename(target)
    return '' if re.match(r'\d+:\d+$', name) else name
