"""What a machine must have for this, each said in one line where it is not."""

from typing import List

import errno
import os
import pathlib
import platform
import shutil
import subprocess

from cluster import cgroups, namespaces
from cluster.messages import ClusterError
from cluster.settings import need_root

from . import disks
from .state import HOSTS

TOOLS = ('apt-get', 'dpkg-deb', 'tar', 'chroot', 'nsenter', 'setpriv')


def check() -> None:
    """Raise unless the machine can run hosts of its own."""
    need_root()
    if platform.machine() != 'x86_64':
        raise ClusterError(
            'this machine is %s; this needs x86_64' % platform.machine(),
            errno.ENOTSUP,
        )
    for tool in TOOLS:
        if not shutil.which(tool, path=namespaces.PATH):
            raise ClusterError(
                "no '%s' on this machine; this needs Debian" % tool,
                errno.ENOENT,
            )
    _check_kernel()
    check_cgroups()


def _check_kernel() -> None:
    known = pathlib.Path('/proc/filesystems').read_text('utf-8').split()
    if 'overlay' not in known and not _loads('overlay'):
        raise ClusterError(
            'the kernel has no overlayfs, which hosts and containers need',
            errno.ENOTSUP,
        )
    if not os.path.exists('/dev/loop-control') and not _loads('loop'):
        raise ClusterError(
            'the kernel has no loop devices (/dev/loop-control), which '
            'OSDs need',
            errno.ENOTSUP,
        )
    check_loops()


def check_loops() -> None:
    """Raise unless each OSD can have a loop device."""
    wanted = len(HOSTS) * disks.EACH
    free = len(free_loops())
    if free < wanted and not more_loops():
        raise ClusterError(
            '%d loop devices are free, OSDs need %d; detach some (losetup)'
            % (free, wanted),
            errno.EBUSY,
        )


def _loads(module: str) -> bool:
    done = subprocess.run(
        ['modprobe', '-q', module], stderr=subprocess.DEVNULL
    )
    return done.returncode == 0


def free_loops() -> List[str]:
    """Return the names of loop devices that nobody uses."""
    blocks = pathlib.Path('/sys/block')
    return sorted(
        path.name
        for path in blocks.glob('loop[0-9]*')
        if not (path / 'loop' / 'backing_file').exists()
        and os.path.exists('/dev/' + path.name)
    )


def more_loops() -> bool:
    """Say whether /dev gets a file for each device that the kernel adds."""
    mounts = pathlib.Path('/proc/mounts').read_text('utf-8').splitlines()
    return any(line.split()[1:3] == ['/dev', 'devtmpfs'] for line in mounts)


def check_cgroups() -> None:
    """Raise unless hosts can have a cgroup2 hierarchy of their own."""
    folder = cgroups.hierarchy()
    if folder is None or not (folder / 'cgroup.controllers').exists():
        raise ClusterError(
            'no cgroup2 file system that can be written to in %s, which '
            'systemd needs' % cgroups.ROOT,
            errno.ENOTSUP,
        )
