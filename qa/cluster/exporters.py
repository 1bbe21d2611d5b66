"""One node_exporter per host, which shows that host's daemons alone.

A plain exporter would show the one machine's CPU and memory on each host.
So each reads a small `proc` folder that `hostproc` keeps up to date from
the host's cgroup: `node_cpu_seconds_total` is the CPU of that host's
daemons. With `--net ns` the network counters are the host's own, too.
"""

from typing import List

import pathlib
import subprocess
import sys

from . import launch
from .state import Cluster
from .topology import Host

PORT = 9100
PROGRAM = '/usr/bin/prometheus-node-exporter'
COLLECTORS = ['uname', 'cpu', 'loadavg', 'meminfo', 'stat']


def proc_folder(cluster: Cluster, host: Host) -> pathlib.Path:
    """Return the folder that stands for a host's /proc."""
    return cluster.dir / 'hosts' / host.name / 'proc'


def start(cluster: Cluster) -> None:
    """Start the exporters and the program that feeds them."""
    settings = cluster.settings
    for host in settings.hosts:
        proc_folder(cluster, host).mkdir(parents=True, exist_ok=True)
    _start_feeder(cluster)
    for host in settings.hosts:
        argv = [PROGRAM] + _options(cluster, host)
        launch.start(
            cluster,
            'exporter.' + host.name,
            host.name,
            launch.on_host(host, argv, preload=''),
            group=host.name + '.exporter',
        )


def _options(cluster: Cluster, host: Host) -> List[str]:
    collectors = list(COLLECTORS)
    if cluster.settings.net == 'ns':
        collectors.append('netdev')
    return [
        '--web.listen-address=%s:%d'
        % (host.address(cluster.settings.network), PORT),
        '--path.procfs=%s' % proc_folder(cluster, host),
        '--collector.disable-defaults',
    ] + ['--collector.' + name for name in collectors]


def _start_feeder(cluster: Cluster) -> None:
    with open(cluster.dir / 'log' / 'hostproc.out', 'ab') as out:
        child = subprocess.Popen(
            [sys.executable, '-m', 'cluster.hostproc', str(cluster.dir)],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
            start_new_session=True,
            env=launch.outer_environment(),
            cwd='/',
        )
    cluster.record('hostproc', child.pid)


def urls(cluster: Cluster) -> List[str]:
    """Return the addresses of the exporters that run."""
    return [
        'http://%s:%d/metrics'
        % (host.address(cluster.settings.network), PORT)
        for host in cluster.settings.hosts
        if cluster.process('exporter.' + host.name)
    ]
