"""Which network interfaces of a host carry traffic of their own.

What a bridge, a bond or a VLAN carries goes through a port as well; a host's
traffic is that of its ports. They are told by their usual names.
"""

from typing import Collection, Sequence, Set

import re

_BOND = re.compile(r'bond.*|team.*')
_BRIDGE = re.compile(r'(vm)?br\d+|bridge\d*|br_.*')
# VLANs (eth0.100), and tunnels
_UPPER = re.compile(r'.*\..*|vlan.*|macvlan.*|vxlan.*|tun\d+|wg\d+')


def _layer(name: str) -> int:
    """Return how far a kind of interface is from the wire: 0 is a port."""
    if _UPPER.fullmatch(name):
        return 3
    if _BRIDGE.fullmatch(name):
        return 2
    return 1 if _BOND.fullmatch(name) else 0


def carriers(names: Collection[str]) -> Set[str]:
    """Return those of ``names`` whose traffic no other one carries.

    Where a host tells none of its ports, it is the layer next to them.
    """
    layers: Sequence[int] = [_layer(name) for name in names]
    lowest = min(layers, default=0)
    return {n for n, layer in zip(names, layers) if layer == lowest}
