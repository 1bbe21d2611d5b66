"""Recovery tests whose OSDs the real cephadm stops and starts."""

from typing import Iterator

import json

import pytest

from cluster.api import CommandFailed

from . import installed
from .orchestrated import CephadmCluster
from .provision import CEPHADM, Provider, wait_answers
from .state import ClusterState, wait_unchanged
from .test_recovery import READS, check_marks, completed, start, steps
from .waiting import wait_for

pytestmark = pytest.mark.slow
CLUSTER = CEPHADM.name
SECONDS = 1100
RUN = '0badf00d'
ALLOWED = 'mgr/perfcompare/allow_failure_tests'
ORDERED = ('--stop-by', 'orchestrator', *READS)


@pytest.fixture(scope='module')
def cluster(provider: Provider) -> Iterator[CephadmCluster]:
    """Yield a cluster in which failures may be provoked."""
    found = installed.with_module(provider)
    found.ceph('config', 'set', 'mgr', ALLOWED, 'true', fmt='')
    yield found
    found.ceph('config', 'rm', 'mgr', ALLOWED, fmt='')


@pytest.fixture(autouse=True)
def unchanged(cluster: CephadmCluster) -> Iterator[None]:
    """Assert that the cluster is as it was before the test."""
    tracker = ClusterState(cluster)
    before = tracker.snapshot()
    yield
    cluster.wait_clean(180)
    wait_unchanged(tracker, before, 60)

    def running() -> bool:
        return {d['status_desc'] for d in cluster.daemons('osd')} == {
            'running'
        }

    # its own look at the hosts comes late
    wait_for(running, 120, 'cephadm sees all OSDs running', 5.0)


def test_cephadm_stops_and_starts_an_osd(cluster: CephadmCluster) -> None:
    """Each group's OSD is seen down, and is back, by the OSD map."""
    test = completed(cluster, 'osd-stop', *ORDERED)
    for step in steps(test, 'stop'):
        check_marks(step, 't1')  # t0 only where one order was enough
    for step in steps(test, 'start'):
        check_marks(step, 't4', 't5')


def test_cephadm_stops_and_starts_a_host(cluster: CephadmCluster) -> None:
    """All OSDs of the host without Monitor and active Manager."""
    active_on(cluster, 'host1')
    test = completed(cluster, 'host-stop', *ORDERED)
    for step in steps(test, 'stop'):
        check_marks(step, 't1')
    for step in steps(test, 'start'):
        check_marks(step, 't4', 't5')


def test_no_osd_is_ordered_to_stop_that_cephadm_would_stop_later(
    cluster: CephadmCluster,
) -> None:
    """It keeps orders to OSDs of a service that is unmanaged."""
    service = cluster.daemons('osd')[0]['service_name']
    cluster.ceph('orch', 'set-unmanaged', service, fmt='')
    try:
        with pytest.raises(CommandFailed) as info:
            start(cluster, 'osd-stop', *ORDERED)
    finally:
        cluster.ceph('orch', 'set-managed', service, fmt='')
    assert info.value.returncode == 22
    assert 'is unmanaged (ceph orch set-managed' in info.value.stderr


def test_a_stop_that_cephadm_keeps_is_undone_when_it_was_carried_out(
    cluster: CephadmCluster,
) -> None:
    """Given before it was paused: it stands on its record, and comes."""
    entry = {
        'run': RUN, 'seq': 1, 'kind': 'osd_stop', 'name': '1',
        'detail': {'by': 'orchestrator', 'weight': '1.0'},
    }  # fmt: skip
    key = f'mgr/perfcompare/journal/{RUN}/000001-0badf00d'
    cluster.ceph('orch', 'pause', fmt='')
    try:
        cluster.ceph('orch', 'daemon', 'stop', 'osd.1', fmt='')
        cluster.ceph('config-key', 'set', key, json.dumps(entry), fmt='')
        told = str(cluster.ceph('perfcompare', 'cleanup')['leftovers'])
        assert 'osd.1 is up, and the orchestrator still has' in told, told
        assert 'cephadm is paused' in told, told
    finally:
        cluster.ceph('orch', 'resume', fmt='')

    def gone() -> bool:
        return key not in cluster.ceph('config-key', 'ls')

    wait_for(gone, 600, 'the order was carried out and undone', 2.0)
    assert cluster.ceph('osd', 'dump')['osds'][1]['up']


def active_on(cluster: CephadmCluster, host: str) -> None:
    """Have the Manager of a host be the active one."""

    def there() -> bool:
        name: str = cluster.ceph('mgr', 'dump')['active_name']
        if name and not name.startswith(host + '.'):
            cluster.ceph('mgr', 'fail', name, fmt='')
            return False
        return bool(name)

    wait_for(there, 120, 'the Manager of %s is active' % host, 5.0)
    wait_answers(cluster, 120)
