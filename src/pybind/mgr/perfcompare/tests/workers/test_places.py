"""Where load hosts are reached by whoever scrapes their exporters."""

from typing import List, Sequence

import pytest

from ...worker.agent.conversation import Conversation
from ...worker.wire.agents import HostFacts, program_digest
from ...workers import launchers
from ...workers.host_link import HostLink
from ..fakes.clock import FakeClock

BRIDGE = '172.17.0.1'


def link(name: str, *addresses: str) -> HostLink:
    found = HostLink(name, 'e' * 16, FakeClock(), program_digest())
    facts = HostFacts(name, 'x', '6', 'cpu', 8.0, addresses=addresses)
    talk = Conversation('b' * 16, program_digest())
    found.sync(talk.message(facts, None))
    return found


def told(links: Sequence[HostLink], *own: str) -> List[str]:
    return [address for _, address in launchers.places(links, set(own))]


@pytest.mark.parametrize(
    'addresses, own, found',
    [
        (['10.0.0.9', BRIDGE], [], '10.0.0.9'),
        # a bridge of this name is on the Manager's host, too
        ([BRIDGE, '192.168.1.9'], ['192.168.1.4', BRIDGE], '192.168.1.9'),
        ([BRIDGE], [BRIDGE], ''),
        (['192.168.1.4'], ['192.168.1.4'], ''),
        ([], [BRIDGE], ''),
        (['fe80::1', 'fd00::9'], [], 'fd00::9'),
    ],
)
def test_no_address_of_the_managers_host_is_a_load_hosts(
    addresses: List[str], own: List[str], found: str
) -> None:
    assert told([link('h1', *addresses)], *own) == [found]


@pytest.mark.parametrize('node', ['h1', 'h1.example.com', 'h2', ''])
def test_a_load_host_that_is_the_managers_has_an_address(node: str) -> None:
    links = [link('h1.site', '192.168.1.4')]
    found = launchers.places(links, {'192.168.1.4'}, node)
    own = node.startswith('h1')
    assert found == [('h1.site', '192.168.1.4' if own else '')]


@pytest.mark.parametrize(
    'addresses, osds, found',
    [
        ([BRIDGE, '192.168.1.5'], ['192.168.1.9', '10.9.0.1'], '192.168.1.5'),
        (['10.0.0.9', '192.168.9.5'], ['192.168.1.9'], '192.168.9.5'),
        # that of its own OSDs, of several
        (['10.0.0.4', '10.0.0.5'], ['10.0.0.3', '10.0.0.5'], '10.0.0.5'),
        (['10.0.0.9', 'fd00::9'], ['fd00::1'], 'fd00::9'),
        (['10.0.0.9', 'nonsense'], ['', '10.0.0.1'], '10.0.0.9'),
        # nothing is known of OSDs, or none is near: the first one
        ([BRIDGE, '192.168.1.5'], [], BRIDGE),
        ([BRIDGE, '192.168.1.5'], ['fd00::1'], BRIDGE),
    ],
)
def test_a_load_host_is_reached_where_the_osds_are(
    addresses: List[str], osds: List[str], found: str
) -> None:
    links = [link('h1', *addresses)]
    assert launchers.places(links, set(), near=osds) == [('h1', found)]


def test_what_several_load_hosts_have_is_of_none() -> None:
    links = [
        link('h1', BRIDGE, '192.168.1.8'),
        link('h2', BRIDGE, '192.168.1.9'),
    ]
    assert launchers.places(links, set()) == [
        ('h1', '192.168.1.8'),
        ('h2', '192.168.1.9'),
    ]
