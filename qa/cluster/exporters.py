"""One node_exporter per host, which shows that host's daemons alone.

A plain exporter would show the one machine's CPU and memory on each host.
So each reads a small `proc` folder that `hostproc` keeps up to date from
the host's cgroup: `node_cpu_seconds_total` is the CPU of that host's
daemons, and so are pressure, and with `--disks loop` disks. With `--net ns`
the network counters are the host's own, too. One more stands for the
machine on which mons, mgrs and load run.
"""

from typing import List, Optional, Sequence

import dataclasses
import pathlib
import subprocess
import sys

from . import conf, launch, network
from .state import Cluster, Settings
from .topology import Host

PORT = 9100
PROGRAM = '/usr/bin/prometheus-node-exporter'
COLLECTORS = [
    'uname',
    'cpu',
    'loadavg',
    'meminfo',
    'stat',
    'pressure',
    'diskstats',
]
CLIENT_HOST = 'client'
CLIENT_GROUP = 'clients'


@dataclasses.dataclass(frozen=True)
class Exporter:
    """One exporter: of a host, or (without one) of the machine itself."""

    name: str
    group: str  # cgroup whose CPU it shows
    address: str
    host: Optional[Host]

    def proc_folder(self, cluster: Cluster) -> pathlib.Path:
        """Return the folder that stands for the host's /proc."""
        return cluster.dir / 'hosts' / self.name / 'proc'

    @property
    def url(self) -> str:
        """Return where it answers."""
        return 'http://%s:%d/metrics' % (self.address, PORT)


def exporters_of(settings: Settings) -> List[Exporter]:
    """Return the exporters of a cluster: all hosts', then the machine's."""
    net = settings.network
    found = [
        Exporter(host.name, host.name, host.address(net), host)
        for host in settings.hosts
    ]
    address = net.service(conf.FIRST_MGR_SLOT)
    return found + [Exporter(CLIENT_HOST, CLIENT_GROUP, address, None)]


def start(cluster: Cluster) -> None:
    """Start the exporters and the program that feeds them."""
    found = exporters_of(cluster.settings)
    for exporter in found:
        exporter.proc_folder(cluster).mkdir(parents=True, exist_ok=True)
    _start_feeder(cluster)
    for exporter in found:
        start_one(cluster, exporter)


def start_one(
    cluster: Cluster,
    exporter: Exporter,
    port: int = PORT,
    kind: str = 'exporter',
    more: Sequence[str] = (),
) -> None:
    """Start one, with `more` options, as the process `kind`.NAME."""
    argv = [PROGRAM] + _options(cluster, exporter, port) + list(more)
    host = exporter.host
    launch.start(
        cluster,
        '%s.%s' % (kind, exporter.name),
        host.name if host else '',
        launch.on_host(host, argv, preload='') if host else argv,
        group=exporter.name + '.exporter',
    )


def _options(cluster: Cluster, exporter: Exporter, port: int) -> List[str]:
    collectors = list(COLLECTORS)
    if cluster.settings.net == 'ns':
        collectors += ['netdev', 'netclass']
    options = []
    if exporter.host is None:
        # the machine has interfaces of other clusters, too
        uplink = network.uplink_name(cluster.settings.number)
        options = ['--collector.netdev.device-include=^%s$' % uplink]
    return (
        options
        + [
            '--web.listen-address=%s:%d' % (exporter.address, port),
            '--path.procfs=%s' % exporter.proc_folder(cluster),
            # the default leaves out loop devices
            '--collector.diskstats.device-exclude=^(ram|zram|fd|sr)[0-9]+$',
            '--collector.disable-defaults',
        ]
        + ['--collector.' + name for name in collectors]
    )


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
        exporter.url
        for exporter in exporters_of(cluster.settings)
        if cluster.process('exporter.' + exporter.name)
    ]
