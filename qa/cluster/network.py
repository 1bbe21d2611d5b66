"""Network namespaces for `--net ns`: one per host, and a switch.

The bridge is in a namespace of its own, so the machine itself sees only
one end of one veth pair; the kernel removes that with the namespace, also
when nobody is left to tidy up.
"""

from typing import List

import errno
import socket

from . import launch, namespaces
from .messages import ClusterError
from .state import Cluster
from .topology import FIRST_HOST_SLOT

SWITCH = 'net.switch'


def uplink_name(number: int) -> str:
    """Return the machine's interface to cluster `number`."""
    return 'pcmc%d' % number


def free_port(address: str, first: int) -> int:
    """Return the first port from `first` that nobody uses there.

    Some other program may listen on all addresses of the machine.
    """
    for port in range(first, first + 200, 2):
        with socket.socket() as probe, socket.socket() as second:
            # As Ceph does: a connection in TIME_WAIT is no hindrance.
            for item in (probe, second):
                item.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((address, port))
                second.bind((address, port + 1))
                return port
            except OSError:
                continue
    raise ClusterError(
        'no free port from %d on at %s' % (first, address), errno.EADDRINUSE
    )


def build(cluster: Cluster) -> None:
    """Make the namespaces and connect them; nothing for `--net lo`."""
    settings = cluster.settings
    if settings.net != 'ns':
        return
    switch = namespaces.start_net_holder(cluster, SWITCH)
    name = uplink_name(settings.number)
    lines = [
        'link add %s type veth peer name uplink netns %d' % (name, switch)
    ]
    for slot in range(1, FIRST_HOST_SLOT):
        address = settings.network.service(slot)
        lines.append('addr add %s/24 dev %s' % (address, name))
    lines.append('link set %s up' % name)
    _ip(cluster, '', lines)
    inside = ['link add br0 type bridge', 'link set br0 up']
    inside += ['link set uplink master br0', 'link set uplink up']
    for host in settings.hosts:
        holder = namespaces.start_net_holder(cluster, 'net.' + host.name)
        port = 'h%d' % host.index
        inside += [
            'link add %s type veth peer name eth0 netns %d' % (port, holder),
            'link set %s master br0' % port,
            'link set %s up' % port,
        ]
    _ip(cluster, 'switch', inside)
    for host in settings.hosts:
        address = host.address(settings.network)
        lines = ['link set lo up', 'addr add %s/24 dev eth0' % address]
        _ip(cluster, host.name, lines + ['link set eth0 up'])


def _ip(cluster: Cluster, host: str, lines: List[str]) -> None:
    """Run a batch of `ip` commands in a namespace."""
    launch.run(cluster, ['ip', '-batch', '-'], host, '\n'.join(lines) + '\n')
