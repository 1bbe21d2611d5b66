"""Linux namespaces: the cluster's root, and entering it.

One process, the *cell*, lives in a private mount namespace in which the
cached root lies under a layer in memory, with the cluster's folder, the
module's sources and the arm64 files mounted in. Everything else joins it.
No mount is visible outside, and all are gone with the last process.
"""

from typing import Callable, Dict, List, Optional

import ctypes
import errno
import os
import pathlib
import signal
import socket
import stat

from . import cgroups, forks
from .messages import ClusterError
from .settings import ARM_ROOT, TOKEN_FILE
from .state import Cluster, Process

CLONE_NEWNS = 0x00020000
CLONE_NEWUTS = 0x04000000
CLONE_NEWNET = 0x40000000
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_REMOUNT = 1, 2, 4, 32
MS_BIND, MS_REC, MS_PRIVATE, MS_SLAVE = 4096, 16384, 1 << 18, 1 << 19

CGROUPS = '/run/cgroups'  # where those of the machine are mounted as well
PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

_libc = ctypes.CDLL(None, use_errno=True)


def _check(result: int, what: str) -> None:
    if result:
        code = ctypes.get_errno()
        raise ClusterError('%s: %s' % (what, os.strerror(code)), code)


def unshare(flags: int) -> None:
    """Move this process into new namespaces."""
    _check(_libc.unshare(flags), 'unshare')


def unshare_mounts() -> None:
    """Have mounts of this process's own, which nobody else sees."""
    unshare(CLONE_NEWNS)
    mount('none', '/', flags=MS_REC | MS_PRIVATE)


def mount(
    source: str, target: str, kind: str = '', flags: int = 0, data: str = ''
) -> None:
    """Mount; raise one line with both paths."""
    _check(
        _libc.mount(
            source.encode(),
            target.encode(),
            kind.encode() or None,
            ctypes.c_ulong(flags),
            data.encode() or None,
        ),
        'mounting %s on %s' % (source, target),
    )


def bind(source: str, target: str, read_only: bool = False) -> None:
    """Bind a folder or file, which must exist, to a place in the root."""
    mount(source, target, flags=MS_BIND)
    if read_only:
        seal(target)


def seal(target: str) -> None:
    """Make what is bound to a place read-only there."""
    mount('none', target, flags=MS_BIND | MS_REMOUNT | MS_RDONLY)


def unmount(target: str) -> None:
    """Unmount; raise one line with the path while it is in use."""
    _check(_libc.umount2(target.encode(), 0), 'unmounting %s' % target)


def join(pid: int, name: str) -> None:
    """Join one namespace (`mnt`, `net`, `uts`) of another process."""
    handle = os.open('/proc/%d/ns/%s' % (pid, name), os.O_RDONLY)
    try:
        _check(_libc.setns(handle, 0), 'joining %s of %d' % (name, pid))
    finally:
        os.close(handle)


def within(pid: int, work: Callable[[], None]) -> None:
    """Do something in the mount namespace of another process."""
    child = os.fork()
    if child == 0:
        try:
            join(pid, 'mnt')
            work()
            os._exit(0)
        except BaseException:  # nothing may return from a fork
            os._exit(1)
    if os.waitpid(child, 0)[1]:
        raise OSError('not done in the mounts of process %d' % pid)


def start_cell(cluster: Cluster) -> None:
    """Start the process that holds the cluster's mounts."""
    hold(cluster, 'cell', lambda: _build_root(cluster))


def start_net_holder(cluster: Cluster, name: str) -> int:
    """Start a process that holds a network namespace; return its pid."""

    def enter_and_unshare() -> None:
        _join_cell(cluster)
        unshare(CLONE_NEWNET | CLONE_NEWNS)
        os.chroot(str(cluster.root))
        os.chdir('/')
        # /sys/class/net shows the namespace of whoever mounted it; CPU
        # quotas are below /sys, too, and those of the machine.
        os.makedirs(CGROUPS, exist_ok=True)
        mount('/sys/fs/cgroup', CGROUPS, flags=MS_BIND | MS_REC)
        mount('sysfs', '/sys', 'sysfs', MS_RDONLY | MS_NOSUID | MS_NODEV)
        mount(CGROUPS, '/sys/fs/cgroup', flags=MS_BIND | MS_REC)

    return hold(cluster, name, enter_and_unshare)


def hold(cluster: Cluster, name: str, prepare: Callable[[], None]) -> int:
    """Fork a process that prepares its namespaces and then sleeps."""

    def work(writer: int) -> None:
        cgroups.enter(cluster.token(), 'cell')
        null = os.open('/dev/null', os.O_RDWR)
        for handle in (0, 1, 2):
            os.dup2(null, handle)
        forks.close_others(writer)
        prepare()
        os.write(writer, b'ok')
        os.execve(
            '/usr/bin/sleep',
            ['sleep', 'infinity'],
            {'PERFCOMPARE_MINICLUSTER': name},
        )

    pid, pipe = forks.fork(work)
    cluster.record(name, pid)
    with pipe:
        answer = pipe.read()
    if answer != 'ok':
        os.waitpid(pid, 0)
        raise ClusterError(
            'cannot make the namespaces of the cluster: %s' % answer,
            errno.EIO,
        )
    return pid


def _build_root(cluster: Cluster) -> None:
    """Mount the cluster's root and change into it."""
    settings = cluster.settings
    unshare_mounts()
    layer = cluster.dir / 'ns' / 'layer'
    root = str(cluster.root)
    mount('tmpfs', str(layer), 'tmpfs', data='mode=755,size=1g')
    (layer / 'upper').mkdir()
    (layer / 'work').mkdir()
    if not settings.numpy:
        hide_numpy(pathlib.Path(settings.roots, 'root'), layer / 'upper')
    mount(
        'overlay',
        root,
        'overlay',
        data='lowerdir=%s/root,upperdir=%s/upper,workdir=%s/work'
        % (settings.roots, layer, layer),
    )
    for name in ('/proc', '/sys', '/dev'):
        mount(name, root + name, flags=MS_BIND | MS_REC)
        mount('none', root + name, flags=MS_REC | MS_SLAVE)
    os.makedirs(root + ARM_ROOT, exist_ok=True)
    bind(settings.roots + '/arm64', root + ARM_ROOT, read_only=True)
    bind('/tmp', root + '/tmp')
    os.makedirs(root + str(cluster.dir), exist_ok=True)
    bind(str(cluster.dir), root + str(cluster.dir))
    _write_files(cluster, pathlib.Path(root))
    os.chroot(root)
    os.chdir('/')


def hide_numpy(lower: pathlib.Path, upper: pathlib.Path) -> None:
    """Put overlay whiteouts where the cached root has numpy."""
    for path in lower.glob('usr/lib/python3/dist-packages/numpy*'):
        target = upper / path.relative_to(lower)
        target.parent.mkdir(parents=True, exist_ok=True)
        os.mknod(str(target), stat.S_IFCHR, os.makedev(0, 0))


def _write_files(cluster: Cluster, root: pathlib.Path) -> None:
    settings = cluster.settings
    (root / TOKEN_FILE).write_text(settings.token, encoding='utf-8')
    (root / 'etc/ceph').mkdir(parents=True, exist_ok=True)
    (root / 'etc/ceph/ceph.conf').symlink_to(str(cluster.conf))
    hosts = ['127.0.0.1 localhost']
    hosts += [
        '%s %s' % (host.address(settings.network), host.name)
        for host in settings.hosts
    ]
    (root / 'etc/hosts').write_text('\n'.join(hosts) + '\n', 'utf-8')
    resolver = pathlib.Path('/etc/resolv.conf')
    if resolver.exists():
        text = resolver.read_text(encoding='utf-8')
        (root / 'etc/resolv.conf').write_text(text, encoding='utf-8')


def _join_cell(cluster: Cluster) -> None:
    cell = cluster.process('cell')
    if cell is None:
        raise ClusterError(
            "the cluster in %s is not running; run 'minicluster --dir %s "
            "down', then 'up'" % (cluster.dir, cluster.dir),
            errno.ENOENT,
        )
    join(cell.pid, 'mnt')


def enter(cluster: Cluster, host: str = '', group: str = '') -> None:
    """Move this process into the cluster, as one of a host if named.

    Afterwards it is in the host's cgroup (or another group if named), host
    name, network and root.
    """
    holder = cluster.process('net.' + host) if host else None
    settings = cluster.settings
    known = [item.name for item in settings.hosts]
    if host and settings.net == 'ns':
        known.append('switch')
    if host and host not in known:
        raise ClusterError(
            "no host '%s'; this cluster has: %s" % (host, ', '.join(known)),
            errno.ENOENT,
        )
    cgroups.enter(settings.token, group or host or 'clients')
    if host and settings.net == 'ns':
        if holder is None:
            raise ClusterError(
                "host '%s' has no network namespace any more" % host,
                errno.ENOENT,
            )
        join(holder.pid, 'net')
        join(holder.pid, 'mnt')
    else:
        _join_cell(cluster)
    if host:
        unshare(CLONE_NEWUTS)
        socket.sethostname(host)
    os.chroot(str(cluster.root))
    os.chdir('/')


def root_of(cluster: Cluster) -> Optional[pathlib.Path]:
    """Return the root as seen from outside, None when it is not there."""
    cell = cluster.process('cell')
    return pathlib.Path('/proc/%d/root' % cell.pid) if cell else None


def clean_environment(cluster: Cluster) -> Dict[str, str]:
    """Return the environment of everything in the cluster.

    Ceph copies some of the caller's variables into OSD metadata, so none
    of the caller's gets through but the terminal's.
    """
    kept = {'TERM': os.environ.get('TERM', 'dumb')}
    kept.update(
        PATH=PATH,
        HOME='/root',
        LC_ALL='C.UTF-8',
        CEPH_CONF=str(cluster.conf),
        TMPDIR=str(cluster.dir / 'tmp'),
    )
    return kept


def members(token: str) -> List[Process]:
    """Return every process whose root is the cluster's, by its token."""
    found = []
    for name in os.listdir('/proc'):
        if not name.isdigit():
            continue
        try:
            path = '/proc/%s/root/%s' % (name, TOKEN_FILE)
            with open(path, encoding='utf-8') as file:
                same = file.read() == token
        except (OSError, UnicodeDecodeError):
            continue
        process = Process.of(int(name)) if same else None
        if process:
            found.append(process)
    return found


def reset_signals() -> None:
    """Undo what Python ignores, for the program that is executed next."""
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
