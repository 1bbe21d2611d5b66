"""What runs where: for people, for programs, and the logs."""

from typing import Any, Dict, List

import errno
import json

from . import cgroups, conf, dashboard, exporters, gateways
from .messages import ClusterError
from .state import Cluster


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
