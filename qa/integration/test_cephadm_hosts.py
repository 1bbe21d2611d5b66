"""Hosts that are put into maintenance, or drained, in the middle of a run."""

from typing import Iterator

import errno
import re

import pytest

from cluster.api import CommandFailed

from . import installed, recoveries, runs
from .orchestrated import NAMES, CephadmCluster
from .provision import CEPHADM, Provider
from .state import ClusterState, State, wait_unchanged
from .test_cephadm_recovery import active_on
from .waiting import wait_for

pytestmark = pytest.mark.slow
CLUSTER = CEPHADM.name
SECONDS = 900
HOST = NAMES[1]  # without Monitor
GROUPS = ('x86', 'alt')
LONG = tuple('30' if word == '3' else word for word in runs.SHORT)
TENANT = 'tenant'
# the second between two rounds, when pools are made
DRAINED = '(aborted: PG_DEGRADED: |failed: PG .* has too few hosts$)'


class OfOthers(ClusterState):
    """Leave out what cephadm itself makes anew or notes of a drained host."""

    def snapshot(self) -> State:
        """Return everything else."""
        found = super().snapshot()
        for name in list(found['auth']):
            if name.startswith(('mgr.' + HOST, 'client.crash.' + HOST)):
                del found['auth'][name]
        found['keys'].pop('mgr/cephadm/osd_remove_queue', None)
        return found


@pytest.fixture(scope='module')
def cluster(provider: Provider) -> Iterator[CephadmCluster]:
    """Yield a cluster with data of others, active on the other host."""
    found = installed.with_module(provider)
    active_on(found, NAMES[0])
    for group in GROUPS:
        recoveries.make_pool(found, TENANT + '-' + group, group, 200)
    yield found
    for group in GROUPS:
        recoveries.remove_pool(found, TENANT + '-' + group)


@pytest.fixture(autouse=True)
def unchanged(cluster: CephadmCluster) -> Iterator[None]:
    """Assert that all is as before, once the host is as before."""
    tracker = OfOthers(cluster)
    before = tracker.snapshot()
    yield
    cluster.wait_clean(300)
    wait_for(lambda: well(cluster), 300, 'both hosts have a Manager', 5.0)
    wait_unchanged(tracker, before, 60)


def well(cluster: CephadmCluster) -> bool:
    """Say whether a Manager runs on each host, and all is well."""
    found = installed.managers(cluster)
    standbys = cluster.look('status')['mgrmap']['num_standbys']
    return (
        [one['status_desc'] for one in found] == ['running'] * len(NAMES)
        and standbys == len(NAMES) - 1
        and cluster.look('health')['status'] == 'HEALTH_OK'
    )


def started(cluster: CephadmCluster) -> str:
    """Return a run that makes load."""
    run = runs.start(cluster, GROUPS, *LONG)
    runs.wait_state(cluster, run, ['trial'], 200)
    return run


def aborted(cluster: CephadmCluster, run: str) -> str:
    """Wait for the end of a run; return why it ended, with nothing left."""
    runs.wait_end(cluster, 300)
    reason = runs.reason(cluster, run)
    print(reason)
    entities = [e['entity'] for e in cluster.ceph('auth', 'ls')['auth_dump']]
    assert not [e for e in entities if run in e]
    pools = cluster.ceph('osd', 'pool', 'ls')
    assert not [pool for pool in pools if 'perfcompare' in pool]
    return reason


def assert_refused(cluster: CephadmCluster) -> None:
    """Assert that no run starts on what is left of the groups."""
    groups = [word for name in GROUPS for word in ('--group', name)]
    with pytest.raises(CommandFailed) as found:
        cluster.ceph('perfcompare', 'run', *groups, *LONG, *runs.CONSENT)
    print(found.value)
    assert found.value.returncode == errno.EINVAL
    assert 'has 1 host (%s)' % NAMES[0] in str(found.value)


def test_maintenance_ends_the_run(cluster: CephadmCluster) -> None:
    """OSDs of the groups go down; all is undone while they are."""
    run = started(cluster)
    cluster.give('ceph orch host maintenance enter %s --force' % HOST)
    try:
        reason = aborted(cluster, run)
        assert_refused(cluster)
    finally:
        cluster.give('ceph orch host maintenance exit %s' % HOST)
    assert reason.startswith('aborted: OSD_DOWN: ')


def test_draining_ends_the_run(cluster: CephadmCluster) -> None:
    """OSDs lose their weight: PGs lack copies, and new ones find no OSDs."""
    run = started(cluster)
    cluster.give('ceph orch host drain %s --force' % HOST)
    try:
        reason = aborted(cluster, run)
        assert_refused(cluster)
    finally:
        undrain(cluster)
    assert re.match(DRAINED, reason)


def undrain(cluster: CephadmCluster) -> None:
    """Have a host keep its OSDs, and be given daemons again."""
    for one in cluster.ceph('osd', 'metadata'):
        if one['hostname'] == HOST:
            osd = str(one['id'])
            cluster.ceph('orch', 'osd', 'rm', 'stop', osd, fmt='')
    for label in ('_no_schedule', '_no_conf_keyring'):
        cluster.ceph('orch', 'host', 'label', 'rm', HOST, label, fmt='')
