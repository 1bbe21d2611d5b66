"""The network of the hosts: a bridge in a namespace of its own.

Nothing of the machine's own network is touched, nor reached.
"""

from typing import List

import errno
import os
import pathlib
import subprocess

from cluster import namespaces
from cluster.messages import ClusterError, last_line

from .state import HOSTS, SWITCH, SWITCH_ADDRESS, Managed


def start_switch(cluster: Managed) -> None:
    """Start the process whose namespace has the bridge."""

    def prepare() -> None:
        namespaces.unshare(namespaces.CLONE_NEWNET)

    namespaces.hold(cluster, SWITCH, prepare)


def connect(cluster: Managed, root: pathlib.Path) -> None:
    """Connect the hosts, which are running, by the bridge."""
    switch = cluster.process(SWITCH)
    assert switch
    inside = [
        'link add br0 type bridge',
        'addr add %s/24 dev br0' % SWITCH_ADDRESS,
        'link set br0 up',
    ]
    for host in HOSTS:
        process = cluster.first_process(host.name)
        port = 'to-' + host.name
        inside += [
            'link add %s type veth peer name eth0 netns %d'
            % (port, process.pid),
            'link set %s master br0' % port,
            'link set %s up' % port,
        ]
    _ip(root, switch.pid, inside)
    for host in HOSTS:
        lines = [
            'link set lo up',
            'addr add %s/24 dev eth0' % host.address,
            'link set eth0 up',
            'route add default via %s' % SWITCH_ADDRESS,
        ]
        _ip(root, cluster.first_process(host.name).pid, lines)


def _ip(root: pathlib.Path, pid: int, lines: List[str]) -> None:
    """Run a batch of `ip` commands in the network of a process."""

    def enter() -> None:
        namespaces.join(pid, 'net')
        namespaces.unshare_mounts()
        namespaces.mount('proc', str(root / 'proc'), 'proc')
        os.chroot(str(root))
        os.chdir('/')

    done = subprocess.run(
        ['ip', '-batch', '-'],
        input='\n'.join(lines) + '\n',
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        universal_newlines=True,
        env=dict(os.environ, PATH=namespaces.PATH),
        preexec_fn=enter,
    )
    if done.returncode:
        raise ClusterError(
            'connecting the hosts: %s' % last_line(done.stderr), errno.EIO
        )
