"""S3 runs through gateways that the real cephadm places."""

from typing import Any, Iterator, List, Tuple

import errno

import pytest

from . import installed, recipes, runs
from .orchestrated import NAMES, CephadmCluster
from .provision import CEPHADM, Provider
from .state import ClusterState, wait_unchanged
from .waiting import wait_for

pytestmark = pytest.mark.slow
CLUSTER = CEPHADM.name
SECONDS = 900
GROUPS = ('x86', 'alt')
WORDS = (
    '--profile', 'smoke', '--rounds', '2', '--workload', 's3-mixed',
    '--size', '4K', '--concurrency', '8', '--duration', '3',
)  # fmt: skip
OPTION = 'mgr/cephadm/config_dashboard'


@pytest.fixture(scope='module')
def cluster(provider: Provider) -> Iterator[CephadmCluster]:
    """Yield a cluster with the module, as it is installed."""
    found = installed.with_module(provider)
    found.ceph('config', 'rm', 'mgr', OPTION, fmt='')
    yield found
    found.ceph('config', 'rm', 'mgr', OPTION, fmt='')


@pytest.fixture
def unchanged(cluster: CephadmCluster) -> Iterator[None]:
    """Set what the manual says; assert that all else is as before."""
    (order,) = recipes.inline('s3', OPTION)
    cluster.give(order)
    tracker = ClusterState(cluster)
    before = tracker.snapshot()
    yield
    assert gateways(cluster) == []
    cluster.wait_clean()
    wait_unchanged(tracker, before, 60)
    assert cluster.look('health')['status'] == 'HEALTH_OK'


def gateways(cluster: CephadmCluster) -> List[Tuple[str, str]]:
    """Return service and host of each gateway that runs."""
    return sorted(
        (one['service_name'], one['hostname'])
        for one in cluster.daemons('rgw')
        if one['status_desc'] == 'running'
    )


def wait_load(cluster: CephadmCluster, run: str) -> None:
    """Wait for the load, and see who serves it."""
    runs.wait_state(cluster, run, ['trial'], 400)
    expected = sorted(
        ('rgw.perfcompare-%s-%s' % (run, group), host)
        for group in GROUPS
        for host in NAMES
    )
    wait_for(
        lambda: gateways(cluster) == expected, 120, 'cephadm shows gateways'
    )


def assert_measured(cluster: CephadmCluster, run: str) -> None:
    """Assert that each trial was served by two gateways, without errors."""
    assert runs.reason(cluster, run) == 'completed: '
    found = [t for t in runs.trials(cluster, run, 'ok') if t['round']]
    assert len(runs.judged(found)) == 4
    for trial in found:
        assert trial['manifest']['gateways'] == 2
        assert trial['summary']['errors'] == 0
        endpoints: Any = trial['evidence']['client']['endpoints']
        assert all(one['ops'] for one in endpoints)


def test_what_would_make_a_pool_is_refused_first(
    cluster: CephadmCluster,
) -> None:
    """One line names the option that the manual names."""
    groups = [word for name in GROUPS for word in ('--group', name)]
    done = cluster.exec(
        ['ceph', 'perfcompare', 'run', *groups, *WORDS, *runs.CONSENT,
         '--gateway-source', 'orch']
    )  # fmt: skip
    print(done.stdout, done.stderr)
    assert done.returncode in (errno.EBUSY, errno.EINVAL)
    assert OPTION + ' false' in done.stdout + done.stderr


def test_cephadm_places_the_gateways_of_a_run(
    cluster: CephadmCluster, unchanged: None
) -> None:
    """It does without being asked, on each host of each group."""
    run = runs.start(cluster, GROUPS, *WORDS)
    wait_load(cluster, run)
    runs.wait_end(cluster, 600)
    assert_measured(cluster, run)


def test_a_failover_in_mid_run_completes_it(
    cluster: CephadmCluster, unchanged: None
) -> None:
    """The next Manager removes the gateways, and has new ones placed."""
    run = runs.start(cluster, GROUPS, *WORDS)
    wait_load(cluster, run)
    installed.fail_over(cluster)
    runs.wait_end(cluster, 900)
    assert_measured(cluster, run)
