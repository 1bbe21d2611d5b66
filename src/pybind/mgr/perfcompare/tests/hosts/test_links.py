import pytest

from ...hosts.links import link, links


def nic(rx, tx, speed=None):
    return {
        'rx_bytes_per_s': rx,
        'tx_bytes_per_s': tx,
        'speed_bytes_per_s': speed,
    }


@pytest.mark.parametrize(
    'nics, expected',
    [
        ({}, ''),
        ({'eth0': nic(1e6, 5e6, 3.125e9)}, '25 Gbit/s'),
        ({'a': nic(9e6, 0, 1.25e8), 'b': nic(0, 1e7, 3.125e8)}, '2.5 Gbit/s'),
        # what carries the load does not say: the other link is not it
        ({'lo': nic(9e9, 9e9), 'eth0': nic(1e3, 1e3, 1.25e8)}, ''),
        ({'eth0': nic(None, None, 1.25e8)}, '1 Gbit/s'),
        ({'eth0': nic(1e6, 1e6, 0.0)}, ''),
    ],
)
def test_link_of_a_host(nics, expected):
    assert link({'nics': nics}) == expected


def test_links_are_known_of_all_hosts_or_not_at_all():
    fast = {'nics': {'eth0': nic(1, 1, 3.125e9)}}
    slow = {'nics': {'eth0': nic(1, 1, 1.25e9)}}
    of_each = ['25 Gbit/s', '10 Gbit/s', '25 Gbit/s']
    assert links([fast, slow, fast]) == of_each
    assert links([fast, {}]) == []
    assert links([]) == []
