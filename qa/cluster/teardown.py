"""Take a cluster down, whatever state it or this program is in."""

from typing import Dict, List

import errno
import os
import pathlib
import shutil
import signal

from . import cgroups, claims, launch, namespaces
from .messages import ClusterError, say
from .state import Cluster, Process


def find_all(cluster: Cluster) -> List[Process]:
    """Return every live process of the cluster, by four marks.

    Recorded pid with start time, cgroup, the token in the root of the
    process, and for the moment before it has those, this program's own
    command line with this very folder. Nothing is found by its name alone.
    """
    token = cluster.token()
    found: Dict[int, Process] = {}
    for process in cluster.processes().values():
        if process.alive():
            found[process.pid] = process
    for pid in cgroups.pids(token):
        live = Process.of(pid)
        if live:
            found[pid] = live
    for process in namespaces.members(token):
        found[process.pid] = process
    for process in _entering(cluster):
        found[process.pid] = process
    found.pop(os.getpid(), None)
    return list(found.values())


def _entering(cluster: Cluster) -> List[Process]:
    """Return programs of this package that are about to enter."""
    found = []
    for name in os.listdir('/proc'):
        if not name.isdigit():
            continue
        try:
            with open('/proc/%s/cmdline' % name, 'rb') as file:
                words = file.read().decode('utf-8', 'replace').split('\0')
        except OSError:
            continue
        if words[1:2] == ['-m'] and words[3:4] == [str(cluster.dir)]:
            if words[2] in (cluster.entering, 'cluster.hostproc'):
                process = Process.of(int(name))
                found += [process] if process else []
    return found


def down(cluster: Cluster) -> bool:
    """Remove the cluster with all it has; tell whether there was one."""
    token = cluster.token()
    if not token:
        return _remove_empty(cluster.dir)
    with cluster.lock():
        end_all(cluster)
        stuck = cgroups.remove(token)
        if stuck:
            say('cgroup %s would not go; it is not empty' % stuck[0])
        _refuse_mounts(cluster.dir)
        claims.release(token)
        # The token goes last: without it the folder is not ours to remove.
        for path in cluster.dir.iterdir():
            if path.name != 'token':
                _remove(path)
        (cluster.dir / 'token').unlink()
        cluster.dir.rmdir()
    return True


def _remove(path: pathlib.Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(str(path))
    else:
        path.unlink()


def _remove_empty(folder: pathlib.Path) -> bool:
    """Remove what a crash right after mkdir left; refuse foreign folders."""
    if not folder.exists():
        return False
    if any(folder.iterdir()):
        raise ClusterError(
            '%s is no cluster folder (it has no token file); nothing removed'
            % folder,
            errno.ENOENT,
        )
    folder.rmdir()
    return False


def end_all(cluster: Cluster) -> None:
    """Kill until no process is found; new ones may have been on the way."""
    for _ in range(20):
        processes = find_all(cluster)
        if not processes:
            return
        for process in processes:
            try:
                os.kill(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        launch.wait_gone(processes, 5)
    raise ClusterError(
        'process %d of the cluster cannot be killed' % processes[0].pid,
        errno.EBUSY,
    )


def _refuse_mounts(folder: pathlib.Path) -> None:
    """Raise when something is mounted below a folder that is to go."""
    with open('/proc/self/mountinfo', encoding='utf-8') as file:
        for line in file:
            place = line.split()[4]
            if place.startswith(str(folder) + '/'):
                raise ClusterError(
                    '%s is mounted; unmount it and try again' % place,
                    errno.EBUSY,
                )
