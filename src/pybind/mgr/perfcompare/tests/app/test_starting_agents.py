"""What is told of an agent that was never heard of leads to one."""

import pytest

from ...app.load_hosts import LoadHostService
from ...common.errors import AlreadyExists
from ...guard.checks.load_host import findings
from ...workers.load_hosts import LoadHosts
from ..fakes.clock import FakeClock
from ..fakes.cluster import FakeCluster

KEY = 'client.perfcompare.agent.h1'
WAYS = (
    '`systemctl restart perfcompare-load-agent@h1`',
    f'`ceph orch client-keyring set {KEY} h1`',
)


@pytest.fixture
def service():
    cluster = FakeCluster()
    found = LoadHostService(cluster, LoadHosts(cluster, FakeClock()))
    found.add('h1')
    return found


def test_the_remedy_names_both_ways_to_start_an_agent(service):
    (host,) = service.list()
    (found,) = findings(host, '20.2.4', [KEY])
    assert all(way in found.remedy for way in WAYS)


def test_a_host_that_is_added_again_is_told_how_its_agent_is_started(service):
    with pytest.raises(AlreadyExists) as caught:
        service.add('h1')
    message = caught.value.message
    assert f'`ceph auth get {KEY}` shows its key' in message
    assert all(way in message for way in WAYS)
    assert '\n' not in message and len(message) < 300
