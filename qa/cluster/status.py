"""What runs where: for people, for programs, and the logs."""

from typing import Any, Dict, List

import errno
import json

from . import cgroups, conf, dashboard, exporters, gateways
from .messages import ClusterError
from .state import Cluster

# what Ceph's daemons log first of a signal, and of an assertion
CRASHED = ('*** Caught signal', 'FAILED ceph_assert')


def as_data(cluster: Cluster) -> Dict[str, Any]:
    """Return the cluster's daemons, addresses and hosts as data."""
    settings = cluster.settings
    network = settings.network
    daemons = {}
    for name, process in cluster.processes().items():
        alive = process.alive()
        daemons[name] = {'pid': process.pid if alive else None}
    hosts = [
        {
            'name': host.name,
            'class': host.device_class,
            'emulated': host.emulated,
            'address': host.address(network),
            'osds': [o.id for o in settings.osds if o.host == host],
            'cpu_seconds': cgroups.cpu_seconds(settings.token, host.name),
        }
        for host in settings.hosts
    ]
    return {
        'dir': str(cluster.dir),
        'release': settings.release,
        'number': settings.number,
        'net': settings.net,
        'mon': conf.mon_hosts(cluster),
        'fsid': settings.fsid,
        'hosts': hosts,
        'daemons': daemons,
        'dashboard': dashboard.login(cluster),
        'gateways': gateways.endpoints(cluster),
        'exporters': exporters.urls(cluster),
    }


def as_json(cluster: Cluster) -> str:
    """Return the status as JSON."""
    return json.dumps(as_data(cluster), indent=1)


def text(cluster: Cluster) -> str:
    """Return the status for a terminal."""
    data = as_data(cluster)
    lines = [
        'cluster   %s (Ceph %s, number %d)'
        % (data['dir'], data['release'], data['number']),
        'mon       %s' % data['mon'],
    ]
    for host in data['hosts']:
        lines.append(
            'host      %-8s %-15s class %-5s %-8s osds %s'
            % (
                host['name'],
                host['address'],
                host['class'],
                'emulated' if host['emulated'] else 'native',
                ','.join(map(str, host['osds'])),
            )
        )
    for name, daemon in data['daemons'].items():
        where = 'pid %s' % daemon['pid'] if daemon['pid'] else 'not running'
        lines.append('process   %-20s %s' % (name, where))
    for kind in ('gateways', 'exporters'):
        for url in data[kind]:
            lines.append('%-9s %s' % (kind[:-1], url))
    login = data['dashboard']
    if login:
        for name, url in login['urls'].items():
            lines.append('dashboard %s (mgr.%s)' % (url, name))
        lines.append('login     %s / %s' % (login['user'], login['password']))
    return '\n'.join(lines)


def logs(cluster: Cluster, daemon: str, count: int) -> str:
    """Return the last lines of one daemon's log, or the list of logs."""
    folder = cluster.dir / 'log'
    cluster.settings  # raises when there is no cluster
    if not daemon:
        files = sorted(folder.iterdir())
        return '\n'.join('%9d %s' % (p.stat().st_size, p) for p in files)
    lines: List[str] = []
    for suffix in ('.out', '.log'):
        path = folder / (daemon + suffix)
        if path.exists():
            content = path.read_text('utf-8', errors='replace').splitlines()
            lines += ['==> %s' % path] + content[-count:]
    if not lines:
        raise ClusterError(
            "no log of '%s'; 'logs' without a name lists them" % daemon,
            errno.ENOENT,
        )
    return '\n'.join(lines)


def last_words(cluster: Cluster, count: int = 40) -> str:
    """Return the ends of the logs of daemons that are gone, '' for none.

    One that crashed tells where before it dumps all that it did. One that was
    stopped on purpose is told, too: nobody knows here why.
    """
    told = []
    for name, process in cluster.processes().items():
        if not process.alive():
            told += _crash(cluster, name, count)
            try:
                told.append(logs(cluster, name, count))
            except ClusterError as error:
                told.append(str(error))
    return '\n'.join(told)


def _crash(cluster: Cluster, name: str, count: int) -> List[str]:
    """Return the last trace of a crash in a daemon's log."""
    path = cluster.dir / 'log' / (name + '.log')
    if not path.exists():
        return []
    lines = path.read_text('utf-8', errors='replace').splitlines()
    for at in range(len(lines) - 1, -1, -1):
        if any(word in lines[at] for word in CRASHED):
            return ['==> a crash in %s' % path, *lines[at : at + count]]
    return []
