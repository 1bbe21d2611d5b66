"""Which network interfaces of a host are no links of it.

What tunnels, and virtual machines and containers have, leaves the host by a
port, if at all, and is that one's traffic as well. The speed that these
state is none: of tun and tap, Linux before 6.2 states 10 Mbit/s.
"""

import os
import re

SYSFS = '/sys/class/net'

# by their usual names
_NONE = re.compile(
    r'lo|veth.*|docker\d*|br-.*|virbr.*|vnet.*|tap.*|tun.*|wg.*'
    r'|tailscale\d*|fw(br|ln|pr)\d.*|qv[bo].*|qbr.*|cali.*|cni.*|flannel.*'
    r'|lxc.*|lxdbr.*|ifb.*|dummy.*|podman\d*|kube-.*|ovs-system'
)


def is_link(name: str) -> bool:
    """Say whether an interface may be a link, as far as its name tells."""
    return _NONE.fullmatch(name) is None


def is_tun(name: str) -> bool:
    """Say whether an interface of this host is a tun or tap by any name."""
    return os.path.exists(os.path.join(SYSFS, name, 'tun_flags'))
