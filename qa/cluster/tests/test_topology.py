"""Hosts, numbers and addresses."""

import ipaddress

import pytest

from ..messages import ClusterError
from ..topology import (
    MAX_HOSTS,
    Network,
    osds_of,
    parse_hosts,
    parse_size,
    pool_size,
)


def test_default_has_two_native_and_two_emulated_hosts() -> None:
    hosts = parse_hosts([])
    assert [h.name for h in hosts] == ['x86-1', 'x86-2', 'arm-1', 'arm-2']
    assert [h.emulated for h in hosts] == [False, False, True, True]
    assert [h.device_class for h in hosts] == ['x86', 'x86', 'arm', 'arm']


def test_no_arm_leaves_nothing_to_emulate() -> None:
    assert not any(h.emulated for h in parse_hosts([], no_arm=True))
    named = parse_hosts(['a:arm:1', 'b:x:1:emulated'], no_arm=True)
    assert not any(h.emulated for h in named)


def test_class_arm_is_emulated_unless_said_otherwise() -> None:
    hosts = parse_hosts(['a:arm', 'b:arm:2:native', 'c:ssd:1:emulated'])
    assert [h.emulated for h in hosts] == [True, False, True]


def test_osds_are_numbered_host_by_host() -> None:
    osds = osds_of(parse_hosts(['a:x:2', 'b:x:3']))
    assert [(o.id, o.host.name) for o in osds] == [
        (0, 'a'),
        (1, 'a'),
        (2, 'b'),
        (3, 'b'),
        (4, 'b'),
    ]


def test_osds_per_host_overrules_the_spec() -> None:
    assert len(osds_of(parse_hosts(['a:x:2', 'b:x'], osds=4))) == 8


@pytest.mark.parametrize(
    'spec, word',
    [
        ('a', 'HOST:CLASS'),
        ('a:', 'HOST:CLASS'),
        ('a:x:y', "'y'"),
        ('a:x:0', 'no host has an OSD'),
        ('a:x:65', "'65'"),
        ('a:x:1:fast', "'fast'"),
        ('a:x:1:native:more', 'HOST:CLASS'),
        ('a b:x', 'HOST:CLASS'),
        ('../etc:x', 'HOST:CLASS'),
        ('-a:x', 'HOST:CLASS'),
    ],
)
def test_wrong_host_is_one_line_with_the_value(spec: str, word: str) -> None:
    with pytest.raises(ClusterError) as caught:
        parse_hosts([spec])
    text = str(caught.value)
    assert spec in text and word in text and '\n' not in text


def test_host_named_twice_is_refused() -> None:
    with pytest.raises(ClusterError, match='twice'):
        parse_hosts(['a:x', 'a:y'])


def test_too_many_hosts_are_refused() -> None:
    with pytest.raises(ClusterError, match='at most'):
        parse_hosts(['h%d:x' % n for n in range(MAX_HOSTS + 1)])


@pytest.mark.parametrize('mode', ['lo', 'ns'])
def test_all_addresses_are_valid_and_differ(mode: str) -> None:
    seen = set()
    for number in (10, 249):
        network = Network(mode, number)
        public = ipaddress.ip_network(network.public)
        found = [network.service(slot) for slot in range(1, 40)]
        found += [network.host(n) for n in range(1, MAX_HOSTS + 1)]
        for text in found:
            assert ipaddress.ip_address(text) in public
            assert text not in seen
            seen.add(text)


@pytest.mark.parametrize(
    'text, size',
    [('10G', 10 << 30), ('512m', 512 << 20), ('1TiB', 1 << 40), ('7', 7)],
)
def test_sizes(text: str, size: int) -> None:
    assert parse_size(text) == size


@pytest.mark.parametrize('text', ['', 'ten', '-1G', '1.5G', '10X'])
def test_wrong_size_is_refused(text: str) -> None:
    with pytest.raises(ClusterError):
        parse_size(text)


def test_pool_size_fits_the_number_of_hosts() -> None:
    assert pool_size(parse_hosts([])) == 2
    assert pool_size(parse_hosts(['a:x:3'])) == 1
    assert pool_size(parse_hosts(['a:x:3', 'load:x:0'])) == 1
