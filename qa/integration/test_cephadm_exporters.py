"""Exporters of hosts that the real cephadm deployed are found."""

from typing import Iterator

import pytest

from . import installed
from .orchestrated import NAMES, CephadmCluster
from .provision import CEPHADM, Provider
from .waiting import wait_for

pytestmark = pytest.mark.slow
CLUSTER = CEPHADM.name
SECONDS = 120
OPTION = 'mgr/cephadm/container_image_node_exporter'
IMAGE = 'localhost/node-exporter:test'
SERVICE = 'node-exporter'
# there is no registry to have the usual one from
PROGRAM = '["/usr/bin/prometheus-node-exporter"]'
BUILD = """printf 'FROM %s\\nENTRYPOINT %s\\n' | podman build --tag %s -"""


@pytest.fixture(scope='module')
def cluster(provider: Provider) -> Iterator[CephadmCluster]:
    """Yield a cluster with exporters; they are gone after it."""
    found = installed.with_module(provider)
    base = found.ceph('config', 'get', 'mgr', 'container_image', fmt='')
    for host in NAMES:
        found.give(BUILD % (base.strip(), PROGRAM, IMAGE), host)
    found.ceph('config', 'set', 'mgr', OPTION, IMAGE, fmt='')
    found.ceph('orch', 'apply', SERVICE, fmt='')
    wait_for(
        lambda: [one['status_desc'] for one in found.daemons(SERVICE)]
        == ['running'] * len(NAMES),
        180,
        'exporters run',
        3.0,
    )
    yield found
    found.ceph('orch', 'rm', SERVICE, fmt='')
    wait_for(
        lambda: not found.daemons(SERVICE), 120, 'exporters are gone', 3.0
    )
    found.ceph('config', 'rm', 'mgr', OPTION, fmt='')


def test_they_are_listed_as_the_orchestrators(
    cluster: CephadmCluster,
) -> None:
    """Both accept connections, and the doctor counts them."""

    def listed() -> bool:
        answer = cluster.ceph('perfcompare', 'exporter', 'ls')
        found = answer['exporters']
        print(found)
        return len(found) == len(NAMES) and all(
            one['reachable'] and one['origin'] == 'orchestrator'
            for one in found
        )

    wait_for(listed, 60, 'exporters are listed', 3.0)
    print(cluster.give('ceph perfcompare exporter ls'))
    assert '2 of 2 hosts' in cluster.give('ceph perfcompare doctor')
