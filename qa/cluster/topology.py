"""Hosts, their classes, OSDs and addresses: pure functions of options."""

from typing import List, Optional, Sequence

import dataclasses
import re

from .messages import ClusterError

DEFAULT_HOSTS = ('x86-1:x86:1', 'x86-2:x86:1', 'arm-1:arm:1', 'arm-2:arm:1')
# The same shape without emulation: up in seconds, for fast tests.
NATIVE_HOSTS = ('x86-1:x86:1', 'x86-2:x86:1', 'alt-1:alt:1', 'alt-2:alt:1')
MAX_HOSTS = 200
# In `ns` mode: addresses below are the machine's own, hosts come above.
FIRST_HOST_SLOT = 40
_NAME = re.compile(r'^[A-Za-z0-9][A-Za-z0-9-]{0,40}$')
_SPEC = 'HOST:CLASS[:OSDS[:native|emulated]]'


@dataclasses.dataclass(frozen=True)
class Host:
    """One host: a UTS namespace, an address, a cgroup, some OSDs."""

    name: str
    device_class: str
    osds: int
    emulated: bool
    index: int

    def address(self, net: 'Network') -> str:
        """Return the host's address in the cluster's network."""
        return net.host(self.index)


@dataclasses.dataclass(frozen=True)
class Network:
    """The addresses of one cluster, all derived from its number.

    mode `lo`: 127.NUMBER.0.0/16, one loopback address per host, nothing
    to set up. mode `ns`: 10.245.NUMBER.0/24, one network namespace per
    host, and a switch between them.
    """

    mode: str
    number: int

    @property
    def public(self) -> str:
        """Return the public network for ceph.conf."""
        if self.mode == 'lo':
            # Ceph looks for an interface in it, and lo is 127.0.0.1/8.
            return '127.0.0.0/8'
        return '10.245.%d.0/24' % self.number

    def service(self, slot: int) -> str:
        """Return an address of the machine itself (mon, mgrs, gateways)."""
        if self.mode == 'lo':
            return '127.%d.0.%d' % (self.number, slot)
        return '10.245.%d.%d' % (self.number, slot)

    def host(self, index: int) -> str:
        """Return the address of storage host `index`, counted from 1."""
        if self.mode == 'lo':
            return '127.%d.%d.1' % (self.number, index)
        return '10.245.%d.%d' % (self.number, FIRST_HOST_SLOT + index)


@dataclasses.dataclass(frozen=True)
class Osd:
    """One OSD and the host it runs on."""

    id: int
    host: Host


def parse_host(
    spec: str, index: int, osds: Optional[int], no_arm: bool
) -> Host:
    """Parse HOST:CLASS[:OSDS[:native|emulated]] into a host."""
    parts = spec.split(':')
    if not 2 <= len(parts) <= 4 or not all(map(_NAME.match, parts)):
        raise ClusterError("host '%s' is not %s" % (spec, _SPEC))
    count = parts[2] if len(parts) > 2 else '1'
    kind = parts[3] if len(parts) > 3 else ''
    if not count.isdigit() or not 0 <= int(count) <= 64:
        raise ClusterError(
            "host '%s': '%s' is not a number of OSDs (0 to 64)"
            % (spec, count)
        )
    if kind not in ('', 'native', 'emulated'):
        raise ClusterError(
            "host '%s': '%s' is neither native nor emulated" % (spec, kind)
        )
    emulated = kind == 'emulated' or (kind == '' and parts[1] == 'arm')
    return Host(
        parts[0],
        parts[1],
        osds if osds is not None else int(count),
        emulated and not no_arm,
        index,
    )


def parse_hosts(
    specs: Sequence[str], osds: Optional[int] = None, no_arm: bool = False
) -> List[Host]:
    """Return the hosts of a cluster; raise one line for a wrong spec."""
    if not specs:
        specs = NATIVE_HOSTS if no_arm else DEFAULT_HOSTS
    if osds is not None and not 1 <= osds <= 64:
        raise ClusterError('%d OSDs per host; use 1 to 64' % osds)
    hosts = [
        parse_host(spec, number, osds, no_arm)
        for number, spec in enumerate(specs, 1)
    ]
    names = [host.name for host in hosts]
    for name in names:
        if names.count(name) > 1:
            raise ClusterError("host '%s' is named twice" % name)
    if not any(host.osds for host in hosts):
        raise ClusterError('no host has an OSD: ' + ' '.join(specs))
    if len(hosts) > MAX_HOSTS:
        raise ClusterError('%d hosts; at most %d' % (len(hosts), MAX_HOSTS))
    return hosts


def osds_of(hosts: Sequence[Host]) -> List[Osd]:
    """Number the OSDs, host by host."""
    osds: List[Osd] = []
    for host in hosts:
        osds += [Osd(len(osds) + n, host) for n in range(host.osds)]
    return osds


def pool_size(hosts: Sequence[Host]) -> int:
    """Return the default replica count: two copies where two hosts are."""
    return min(2, sum(host.osds > 0 for host in hosts))


def parse_size(text: str) -> int:
    """Parse a size such as 10G or 512M into bytes."""
    match = re.match(r'^(\d+)([KMGT]?)(i?B)?$', text, re.IGNORECASE)
    if not match:
        raise ClusterError("'%s' is not a size; write 10G or 512M" % text)
    power = ' KMGT'.index(match.group(2).upper() or ' ')
    return int(match.group(1)) * int(1024**power)
