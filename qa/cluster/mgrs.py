"""Managers: add, kill, start again, fail over."""

from typing import List

import errno
import signal

from . import bringup, conf, daemons, dashboard, sources
from .admin import Admin
from .messages import ClusterError
from .state import Cluster


def names(cluster: Cluster) -> List[str]:
    """Return the names of all mgrs, running or not."""
    folder = cluster.dir / 'mgr'
    return sorted(path.name for path in folder.iterdir())


def check_name(cluster: Cluster, name: str) -> str:
    """Return a mgr's name; raise one line when there is none such."""
    have = names(cluster)
    if name.startswith('mgr.'):
        name = name[4:]
    if name not in have:
        raise ClusterError(
            "no mgr '%s'; this cluster has: %s" % (name, ', '.join(have)),
            errno.ENOENT,
        )
    return name


def active(admin: Admin) -> str:
    """Return the name of the active mgr; raise when there is none."""
    name: str = admin.json('mgr dump')['active_name']
    if not name:
        raise ClusterError('no mgr is active', errno.EAGAIN)
    return name


def add(cluster: Cluster, name: str = '') -> str:
    """Add a mgr; return its name."""
    have = names(cluster)
    if name in have:
        raise ClusterError(
            "mgr '%s' is there already; this cluster has: %s"
            % (name, ', '.join(have)),
            errno.EEXIST,
        )
    free = [letter for letter in conf.MGR_NAMES if letter not in have]
    if not free or (name and name not in free):
        raise ClusterError(
            "'%s' is no name for another mgr; free are: %s"
            % (name, ', '.join(free) or 'none')
        )
    name = name or free[0]
    (cluster.dir / 'mgr' / name).mkdir()
    conf.write(cluster, names(cluster))
    with Admin(cluster) as admin:
        if cluster.settings.dashboard:
            admin.must(dashboard.option_requests(cluster, [name]))
        bringup.create_mgr(cluster, admin, name)
    return name


def kill(cluster: Cluster, name: str) -> str:
    """Kill a mgr; return its name."""
    name = check_name(cluster, name)
    daemons.end(cluster, 'mgr.' + name, signal.SIGKILL)
    return name


def start(cluster: Cluster, name: str) -> None:
    """Start a mgr that was killed."""
    name = check_name(cluster, name)
    daemons.refuse_running(cluster, 'mgr.' + name)
    daemons.start_mgr(cluster, name)


def fail(cluster: Cluster, admin: Admin, name: str = '') -> str:
    """Make the active mgr stand down; alone, it comes back by itself."""
    sources.refresh(cluster)
    name = check_name(cluster, name) if name else active(admin)
    admin.mon('mgr fail', who=name)
    return name
