"""Recovery tests that are kept from hosts, aborted, idle or forgotten."""

from typing import Iterator

import pytest

from cluster.api import CommandFailed

from . import recoveries, runs
from .live import LiveCluster
from .provision import HERE, SHARED, Provider
from .state import ClusterState
from .test_recovery import (  # noqa: F401
    GROUPS,
    LIGHT,
    LITTLE,
    READS,
    completed,
    finished,
    start,
    unchanged,
)
from .waiting import wait_for

CLUSTER = SHARED.name
OPTION = 'mgr/perfcompare/'
pytestmark = pytest.mark.slow


@pytest.fixture(scope='module')
def cluster(provider: Provider) -> Iterator[LiveCluster]:
    """Yield a cluster with a manager and a mon on a host of OSDs."""
    found = provider.get(SHARED)
    option = OPTION + 'allow_failure_tests'
    found.ceph('config', 'set', 'mgr', option, 'true', fmt='')
    yield found
    found.ceph('config', 'rm', 'mgr', option, fmt='')


def test_host_of_the_manager_and_the_mon_does_not_stop(
    cluster: LiveCluster, unchanged: ClusterState  # noqa: F811
) -> None:
    """They run on this machine, after which a host of OSDs is named."""
    words = [
        'perfcompare', 'recovery', 'run', '--group', 'x86', '--scenario',
        'host-stop', *LIGHT, *LITTLE, *READS, '--dry-run', *runs.CONSENT,
    ]  # fmt: skip
    (own,) = cluster.ceph(*words)['plan']['recovery']['groups']
    assert own['steps'][0]['target'] == 'p2'
    with pytest.raises(CommandFailed) as info:
        cluster.ceph(*words, '--nodes', '2')
    text = str(info.value.stderr)
    print(text)
    assert f"host '{HERE}' carries the active Manager" in text


def test_osd_that_is_not_ours_to_take_ends_the_test(
    cluster: LiveCluster, unchanged: ClusterState  # noqa: F811
) -> None:
    """An abort rule brings everything back, and names itself."""
    run = start(cluster, 'osd-out', *READS)
    runs.wait_state(cluster, run, ['trial'], 240, ' out')

    def out() -> int:
        found = cluster.look('osd dump')
        return sum(not o['in'] for o in (found or {}).get('osds', ()))

    wait_for(out, 30, 'the map shows it', 0.1)
    message = (runs.progress(cluster) or {})['message']
    other = 'alt' if 'x86' in message else 'x86'
    osd = cluster.look('osd crush class ls-osd', **{'class': other})[0]
    cluster.osd_kill(osd)
    try:
        test = finished(cluster, run)
    finally:
        cluster.osd_start(osd)
    print(test['reason'])
    assert test['state'] == 'stopped'
    assert 'OSD_DOWN: ' in test['reason']
    assert 'osd.%d' % osd in test['reason']
    assert not out()


def test_recoveries_can_go_without_load_and_are_forgotten(
    cluster: LiveCluster, unchanged: ClusterState  # noqa: F811
) -> None:
    option = OPTION + 'retention_recoveries'
    cluster.ceph('config', 'set', 'mgr', option, '1', fmt='')
    try:
        first = completed(cluster, 'osd-down', '--workload', 'none')
        assert {s['group'] for s in first['steps']} == set(GROUPS)
        assert not any(s['client'] for s in first['steps'])
        second = completed(cluster, 'osd-down', '--workload', 'none')

        def kept() -> bool:
            found = cluster.look(
                'perfcompare recovery ls', to='mgr', kind='test'
            )
            ids = [item['id'] for item in (found or {}).get('items', ())]
            return ids == [second['id']]

        wait_for(kept, 30, 'one test is kept, the last one')
        assert len(recoveries.episodes(cluster)) <= 1
    finally:
        cluster.ceph('config', 'set', 'mgr', option, '500', fmt='')
        cluster.ceph('config', 'rm', 'mgr', option, fmt='')
