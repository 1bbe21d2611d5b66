"""Hosts: a systemd as first process, in namespaces of its own.

Its root is an overlay over the cached one. Nothing that it mounts is visible
outside, and all of it is gone with the first process.
"""

from typing import Dict

import errno
import os
import pathlib
import time

from cluster import cgroups, forks, launch, namespaces
from cluster.messages import ClusterError, say

from . import files, mounts
from .state import HOSTS, Host, Managed

ALL = (
    namespaces.CLONE_NEWNS
    | namespaces.CLONE_NEWUTS
    | namespaces.CLONE_NEWNET
    | 0x02000000  # cgroup
    | 0x08000000  # ipc
    | 0x20000000  # pid
)
PATIENCE = 90.0


def prepare(cluster: Managed, host: Host) -> None:
    """Make the folders of a host with its files."""
    folder = cluster.folder(host)
    for name in ('root', 'layer', 'work', 'containers', 'ceph'):
        (folder / name).mkdir(parents=True)
    files.write(folder / 'layer', host, cluster.token())


def boot(cluster: Managed, host: Host, roots: pathlib.Path) -> None:
    """Start a host; return when its first process is systemd."""
    middle, pipe = forks.fork(
        lambda writer: _start_first(cluster, host, roots, writer)
    )
    with pipe:
        # closed by the exec of systemd
        pid, _, problem = pipe.read().partition('\n')
    os.waitpid(middle, 0)
    if problem or not pid.isdigit():
        raise ClusterError(
            '%s does not start: %s' % (host.name, problem or pid), errno.EIO
        )
    cluster.record(host.name, int(pid))


def _start_first(
    cluster: Managed, host: Host, roots: pathlib.Path, writer: int
) -> None:
    """Be the process between: enter the namespaces, fork the first one."""
    cgroups.enter(cluster.token(), host.name)
    console = str(cluster.dir / 'log' / host.name)
    out = os.open(console, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    null = os.open('/dev/null', os.O_RDONLY)
    for handle, target in ((null, 0), (out, 1), (out, 2)):
        os.dup2(handle, target)
    forks.close_others(writer)
    namespaces.unshare(ALL)
    first = os.fork()
    if first:
        os.write(writer, b'%d\n' % first)
        os._exit(0)
    mounts.enter_root(cluster, host, roots, console)
    os.execve(
        '/usr/lib/systemd/systemd',
        ['systemd', '--log-target=console', '--show-status=1'],
        {
            'container': 'perfcompare',
            'PATH': namespaces.PATH,
            'TERM': 'dumb',
            'LANG': 'C.UTF-8',
        },
    )


def wait_booted(cluster: Managed) -> None:
    """Wait until all hosts have started what they are to start."""
    deadline = time.monotonic() + PATIENCE
    states: Dict[str, str] = {}
    while True:
        for host in HOSTS:
            argv = ['sh', '-c', 'systemctl is-system-running || true']
            states[host.name] = launch.run(cluster, argv, host.name).strip()
        # a unit of no use that fails makes it "degraded"
        if all(one in ('running', 'degraded') for one in states.values()):
            say('the hosts are up: %s' % states)
            return
        if time.monotonic() > deadline:
            raise ClusterError(
                'hosts are not up after %d s: %s; see %s'
                % (PATIENCE, states, cluster.dir / 'log'),
                errno.ETIMEDOUT,
            )
        time.sleep(0.5)
