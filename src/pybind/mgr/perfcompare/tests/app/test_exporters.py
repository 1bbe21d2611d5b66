"""`exporter ls` and `doctor` know hosts of loads and of gateways, too."""

import socket

import pytest

from perfcompare.app.exporters import ExporterService
from perfcompare.common.settings import Settings
from perfcompare.drivers.s3.gateways.repository import PREFIX as GATEWAYS
from perfcompare.drivers.s3.gateways.repository import GatewayRepository
from perfcompare.worker.agent.conversation import Conversation
from perfcompare.worker.wire.agents import HostFacts, program_digest
from perfcompare.workers.load_hosts import LoadHosts

from ..fakes.clock import FakeClock
from ..fakes.cluster import FakeCluster

pytestmark = pytest.mark.process

KEYS = '{"access_key": "A", "secret_key": "S"}'


@pytest.fixture
def port():
    with socket.create_server(('127.0.0.1', 0), backlog=64) as server:
        yield server.getsockname()[1]


class Scene:
    """A cluster all of whose exporters are at one port of this host."""

    def __init__(self, port):
        self.cluster = FakeCluster()
        self.hosts = LoadHosts(self.cluster, FakeClock())
        self.gateways = GatewayRepository(self.cluster)
        # what is in the path is not asked for
        url = f'http://127.0.0.1:{port}/{{addr}}'
        self.service = ExporterService(
            self.cluster,
            lambda: Settings(node_exporter_url=url),
            lambda: 'manager-1',
            self.hosts,
            self.gateways,
        )

    def heard(self, host, *addresses):
        """Add a load host whose agent told of its addresses."""
        self.hosts.add(host)
        facts = HostFacts(host, 'x', '6', 'cpu', 8.0, addresses=addresses)
        talk = Conversation('b' * 16, program_digest())
        self.hosts.link(host).sync(talk.message(facts, None))

    def list(self):
        """Return roles and address of each host; all answer."""
        found = self.service.list().exporters
        assert all(one.reachable for one in found)
        assert len({one.host for one in found}) == len(found)
        return {
            one.host: (one.roles, one.url.rpartition('/')[2]) for one in found
        }


@pytest.fixture
def scene(port):
    return Scene(port)


def test_load_hosts_that_are_enabled_are_listed(scene):
    before = scene.list()
    assert before['manager-1'][0] == ('client',)
    scene.heard('load-1', '172.17.0.1', '192.0.2.9')
    scene.heard('load-2', '172.17.0.1', '192.0.2.10')
    scene.heard('shut-out', '192.0.2.11')
    scene.hosts.enable('shut-out', False)
    scene.hosts.add('unheard')
    assert scene.list() == {
        **before,
        'load-1': (('client',), '192.0.2.9'),
        'load-2': (('client',), '192.0.2.10'),
        'unheard': (('client',), 'unheard'),
    }


def test_a_host_with_several_roles_is_listed_once(scene):
    osds = scene.cluster.topology().osds
    number = min(osds)
    scene.cluster.set_osd(number, addresses=('192.0.2.9',))
    scene.heard('manager-1', '192.0.2.8')
    scene.heard('other-name', '192.0.2.9')
    scene.heard(osds[number].host)
    found = scene.list()
    assert 'other-name' not in found
    assert found['manager-1'][0] == ('client',)
    assert found[osds[number].host] == (('osd', 'client'), '192.0.2.9')


def test_gateways_that_are_set_are_listed(scene):
    before = scene.list()
    for group, urls in (
        ('arm', ('http://192.0.2.20:8000', 'http://gw-1:8000')),
        ('x86', ('http://gw-1:8001', f'http://{next(iter(before))}')),
    ):
        scene.gateways.set(group, urls, None, None, KEYS)
    # what another version kept, and what is damaged
    scene.cluster.kv_set(
        GATEWAYS + 'old', '{"group": "old", "endpoints": ["nonsense"]}'
    )
    scene.cluster.kv_set(GATEWAYS + 'bad', '{')
    found = scene.list()
    host = next(iter(before))
    assert found.pop(host)[0] == ('osd', 'gateway')
    del before[host]
    assert found == {
        **before,
        '192.0.2.20': (('gateway',), '192.0.2.20'),
        'gw-1': (('gateway',), 'gw-1'),
    }
