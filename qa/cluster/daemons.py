"""Start and end the daemons: mon, mgr, OSD."""

from typing import List

import errno
import os
import signal

from . import conf, launch, sources
from .messages import ClusterError
from .state import Cluster
from .topology import Osd


def start_mon(cluster: Cluster, name: str) -> None:
    """Start a mon whose data folder exists."""
    launch.start(
        cluster,
        'mon.' + name,
        '',
        ['ceph-mon', '-f', '-i', name, '-c', str(cluster.conf)],
    )


def find_mon(cluster: Cluster, name: str) -> str:
    """Return a mon's daemon name; raise one line when there is none such."""
    have = conf.mon_names(cluster)
    if name not in have:
        raise ClusterError(
            "no mon '%s'; this cluster has: %s" % (name, ', '.join(have)),
            errno.ENOENT,
        )
    return 'mon.' + name


def start_mgr(cluster: Cluster, name: str) -> None:
    """Start a mgr on today's sources of the module."""
    sources.refresh(cluster)
    launch.start(
        cluster,
        'mgr.' + name,
        '',
        ['ceph-mgr', '-f', '-i', name, '-c', str(cluster.conf)],
    )


def osd_command(cluster: Cluster, osd: Osd) -> List[str]:
    """Return the command line of an OSD, without what it is to do."""
    return launch.on_host(
        osd.host,
        ['/usr/bin/ceph-osd', '-i', str(osd.id), '-c', str(cluster.conf)],
    )


def start_osd(cluster: Cluster, osd: Osd) -> None:
    """Start an OSD whose store exists."""
    launch.start(
        cluster,
        'osd.%d' % osd.id,
        osd.host.name,
        osd_command(cluster, osd) + ['-f'],
    )


def find_osd(cluster: Cluster, number: int) -> Osd:
    """Return an OSD by its number; raise one line when there is none."""
    for osd in cluster.settings.osds:
        if osd.id == number:
            return osd
    raise ClusterError(
        'no osd.%d; this cluster has osd.0 to osd.%d'
        % (number, len(cluster.settings.osds) - 1),
        errno.ENOENT,
    )


def running(cluster: Cluster, name: str) -> int:
    """Return the pid of a running daemon; raise one line when it is not."""
    process = cluster.process(name)
    if process is None:
        raise ClusterError('%s is not running' % name, errno.ESRCH)
    return process.pid


def refuse_running(cluster: Cluster, name: str) -> None:
    """Raise when a daemon runs already."""
    process = cluster.process(name)
    if process:
        raise ClusterError(
            '%s runs already (pid %d)' % (name, process.pid), errno.EEXIST
        )


def end(cluster: Cluster, name: str, sig: int, patience: float = 40) -> None:
    """End a daemon by signal; raise when it stays."""
    running(cluster, name)
    if not launch.end(cluster.process(name), sig, patience):
        raise ClusterError(
            "%s did not end in %d s after %s; use 'kill'"
            % (name, patience, signal.Signals(sig).name),
            errno.ETIMEDOUT,
        )


def signal_one(cluster: Cluster, name: str, sig: int) -> None:
    """Send a signal to a running daemon."""
    os.kill(running(cluster, name), sig)
