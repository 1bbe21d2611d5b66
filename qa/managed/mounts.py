"""The root of a host, with devices, and what of the kernel it may see."""

from typing import List

import ctypes
import os
import pathlib
import socket
import stat

from cluster import namespaces

from . import disks
from .image import STORE
from .state import Host, Managed

MNT_DETACH = 2
DEVICES = {
    'null': (1, 3), 'zero': (1, 5), 'full': (1, 7), 'random': (1, 8),
    'urandom': (1, 9), 'tty': (5, 0), 'fuse': (10, 229),
}  # fmt: skip
LINKS = {
    'ptmx': 'pts/ptmx', 'fd': '/proc/self/fd', 'stdin': '/proc/self/fd/0',
    'stdout': '/proc/self/fd/1', 'stderr': '/proc/self/fd/2',
}  # fmt: skip
# What udev would have noted of each block device; ceph-volume looks there.
UDEV = 'I:1\nE:ID_BUS=\nG:systemd\nQ:systemd\nV:1\n'


def enter_root(
    cluster: Managed, host: Host, roots: pathlib.Path, console: str
) -> None:
    """Build the host's root and change into it."""
    folder = cluster.folder(host)
    root = folder / 'root'
    loops = disks.numbers(cluster, host)
    socket.sethostname(host.name)
    private = namespaces.MS_REC | namespaces.MS_PRIVATE
    namespaces.mount('none', '/', flags=private)
    overlay(roots / 'root', folder / 'layer', folder / 'work', root)
    place = {name: str(root / name) for name in ('proc', 'sys', 'dev')}
    namespaces.mount('proc', place['proc'], 'proc')
    settings = place['proc'] + '/sys'  # are the machine's
    namespaces.bind(settings, settings, read_only=True)
    namespaces.mount('sysfs', place['sys'], 'sysfs', namespaces.MS_RDONLY)
    namespaces.mount('cgroup2', place['sys'] + '/fs/cgroup', 'cgroup2')
    _devices(root / 'dev', loops, console)
    for name, data in (
        ('run', 'mode=755,size=512m'),
        ('tmp', 'mode=1777,size=2g'),
    ):
        namespaces.mount('tmpfs', str(root / name), 'tmpfs', data=data)
    _note_disks(root / 'run/udev/data')
    # podman's own overlays cannot lie on one
    (root / 'var/lib/containers').mkdir(parents=True, exist_ok=True)
    for source, name in (
        (folder / 'containers', 'var/lib/containers'),
        (folder / 'ceph', 'var/lib/ceph'),
    ):
        namespaces.bind(str(source), str(root / name))
    namespaces.bind(str(roots / 'images'), str(root) + STORE, read_only=True)
    os.chdir(str(root))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.pivot_root(b'.', b'.') or libc.umount2(b'.', MNT_DETACH):
        raise OSError(ctypes.get_errno(), 'changing the root')
    os.chdir('/')


def overlay(
    lower: pathlib.Path,
    upper: pathlib.Path,
    work: pathlib.Path,
    place: pathlib.Path,
) -> None:
    """Mount one folder over another."""
    namespaces.mount(
        'overlay',
        str(place),
        'overlay',
        data='lowerdir=%s,upperdir=%s,workdir=%s' % (lower, upper, work),
    )


def _devices(dev: pathlib.Path, loops: List[int], console: str) -> None:
    os.umask(0)
    namespaces.mount('tmpfs', str(dev), 'tmpfs', data='mode=755,size=64m')
    for name in ('pts', 'shm', 'mqueue'):
        (dev / name).mkdir()
    terminals = 'newinstance,ptmxmode=0666,mode=620,gid=5'
    namespaces.mount('devpts', str(dev / 'pts'), 'devpts', data=terminals)
    memory = 'mode=1777,size=2g'
    namespaces.mount('tmpfs', str(dev / 'shm'), 'tmpfs', data=memory)
    namespaces.mount('mqueue', str(dev / 'mqueue'), 'mqueue')
    for name, target in LINKS.items():
        (dev / name).symlink_to(target)
    for name, (major, minor) in DEVICES.items():
        _node(dev / name, 0o666 | stat.S_IFCHR, major, minor)
    for number in loops:
        _node(dev / ('loop%d' % number), 0o660 | stat.S_IFBLK, 7, number)
    (dev / 'console').touch()
    namespaces.bind(console, str(dev / 'console'))
    os.umask(0o022)


def _node(path: pathlib.Path, mode: int, major: int, minor: int) -> None:
    os.mknod(str(path), mode, os.makedev(major, minor))


def _note_disks(folder: pathlib.Path) -> None:
    folder.mkdir(parents=True)
    for path in pathlib.Path('/sys/block').glob('*/dev'):
        number = path.read_text(encoding='utf-8').strip()
        (folder / ('b' + number)).write_text(UDEV, encoding='utf-8')
