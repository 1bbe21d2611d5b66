"""What `exporter ls` finds out: where exporters are, and who answers."""

import socket

import pytest

from perfcompare.common.settings import Settings
from perfcompare.hosts.exporters import answers, exporters
from perfcompare.hosts.finding import CLIENT, Machine

from ..fakes.cluster import FakeCluster

pytestmark = pytest.mark.process


@pytest.fixture
def port():
    with socket.create_server(('127.0.0.1', 0)) as server:
        yield server.getsockname()[1]


def test_a_second_exporter_is_tried_as_well(port):
    found = exporters(
        FakeCluster(),
        Settings(
            node_exporter_url=f'http://127.0.0.1:{port}/metrics',
            ipmi_exporter_url='http://127.0.0.1:9/ipmi?target={host}',
        ),
        lambda near: [Machine('client-1', '', CLIENT)],
    )
    assert found.exporters
    for one in found.exporters:
        assert one.reachable and not one.problem
        (power,) = one.more
        assert power.url == f'http://127.0.0.1:9/ipmi?target={one.host}'
        assert (power.reachable, power.problem) == (
            False, 'Connection refused',
        )  # fmt: skip


def test_a_name_is_not_looked_up(port):
    here = f'http://127.0.0.1:{port}/a'
    assert answers([here, 'http://exporter.example.com/']) == {here: ''}
