"""Traffic is counted once, whatever is built upon the ports of a host."""

import pytest

from perfcompare.hosts.interfaces import carriers


@pytest.mark.parametrize(
    'names, ports',
    [
        ('eth0 bond0 eth1 bond0.100 br0', 'eth0 eth1'),
        ('enp1s0f0 enp1s0f1 team0 vmbr0 vmbr0.5', 'enp1s0f0 enp1s0f1'),
        ('ib0 ib0.8001 ens3 vlan7', 'ib0 ens3'),
        ('bridge0 vxlan.calico p4p1 wg0', 'p4p1'),
        ('bond0 bond0.100 br0', 'bond0'),  # ports are not told
        ('br0 br0.7', 'br0'),
        ('eth0.7 eth0.8', 'eth0.7 eth0.8'),
        ('', ''),
    ],
)
def test_only_what_no_other_carries_counts(names, ports):
    assert carriers(names.split()) == set(ports.split())
