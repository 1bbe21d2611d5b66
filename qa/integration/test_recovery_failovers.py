"""Managers fail in all phases of recovery tests: everything comes back."""

from typing import Dict, Iterator, List

import pytest

from . import runs
from .hands import Hands, Orders
from .live import LiveCluster
from .provision import PAIRS, wait_answers
from .state import ClusterState
from .test_recovery import (  # noqa: F401
    GROUPS,
    READS,
    Test,
    cluster,
    cut_step,
    finished,
    start,
    unchanged,
)
from .waiting import wait_for

CLUSTER = PAIRS.name
pytestmark = pytest.mark.slow
MODE = 'mgr/balancer/mode'
MCLOCK = 'osd_mclock_profile'
PROFILE = ('--mclock-profile', 'high_recovery_ops')
# each next manager begins again, so that all is as little as it can be
BRIEF = ('--hold', '3', '--pg-num', '4', '--size', '4K')
RADOS = (*BRIEF, *PROFILE, *READS)
S3 = (*BRIEF, '--workload', 's3-mixed', '--replicas', '2')
RBD = (*BRIEF, '--workload', 'rbd-randrw', '--replicas', '2')
FIRST, LAST = 'no failure', 'recovered'
MAKING = ('PGs moved', ' out', 'stopped')


@pytest.fixture(scope='module', autouse=True)
def lease(cluster: LiveCluster) -> Iterator[None]:  # noqa: F811
    """Have load of a cut test end as soon as may be."""
    option = 'mgr/perfcompare/worker_lease'
    cluster.ceph('config', 'set', 'mgr', option, '10', fmt='')
    yield
    cluster.ceph('config', 'rm', 'mgr', option, fmt='')


def config(cluster: LiveCluster) -> Dict[str, str]:  # noqa: F811
    """Return what is set in the central configuration."""
    found = cluster.look('config dump')
    return {entry['name']: entry['value'] for entry in found}


def fail_over(
    cluster: LiveCluster,  # noqa: F811
    kill: bool,
    by_hand: bool = True,
) -> None:
    """Take the active manager away, and have two again.

    Stopped OSDs are started by hand, unless others are told to do it.
    """
    if kill:
        killed = cluster.mgr_kill()
    else:
        cluster.mgr_fail()
    cluster.wait_active_mgr(90)
    if kill:
        cluster.mgr_start(killed)
    for osd in cluster.look('osd dump')['osds'] if by_hand else ():
        if cluster.pid('osd.%d' % osd['osd']) is None:
            # an operator's work, which the health warning asks for
            cluster.osd_start(osd['osd'])
    wait_answers(cluster, 180)

    def standby() -> bool:
        return bool((cluster.look('mgr dump') or {}).get('standbys'))

    wait_for(standby, 60, 'a manager stands by')


def reach(
    cluster: LiveCluster, run: str, scenario: str, phase: str  # noqa: F811
) -> None:
    """Wait until a test is in a phase, and has done what belongs to it."""
    runs.wait_state(cluster, run, ['trial'], 300, phase)
    if phase in MAKING:
        wait_for(lambda: made(cluster, scenario), 30, 'the map shows it')
    during = config(cluster)
    assert (during[MODE], during[MCLOCK]) == ('none', PROFILE[1])


def all_up(cluster: LiveCluster) -> bool:  # noqa: F811
    """Say whether all OSDs run."""
    return all(o['up'] for o in cluster.look('osd dump')['osds'])


def made(cluster: LiveCluster, scenario: str) -> bool:  # noqa: F811
    """Say whether the map shows what a test did."""
    osdmap = cluster.look('osd dump')
    if scenario == 'osd-out':
        return any(not o['in'] for o in osdmap['osds'])
    if scenario == 'backfill':
        return bool(osdmap['pg_upmap_items'])
    return not all_up(cluster)


def tell(test: Test) -> None:
    """Print what the managers did, one after the other."""
    events = test['settings']['events']
    for event in events:
        since = event['at'] - events[0]['at']
        print('%6.1f %-10s %s' % (since, event['state'], event['message']))


def all_back(cluster: LiveCluster, run: str) -> Test:  # noqa: F811
    """Assert that a test was done again to its end, and nothing is left.

    The map, flags, upmaps and options are compared by `unchanged`.
    """
    test = finished(cluster, run)
    tell(test)
    assert test['state'] == 'completed', test['reason']
    assert {s['group'] for s in test['steps']} == set(GROUPS)
    assert {s['kind'] for s in test['steps']} >= {'baseline', 'recovered'}
    found = cluster.look('balancer status', 'mgr')
    assert found['mode'] == 'upmap', found
    return test


@pytest.mark.parametrize(
    'scenario, phases',
    [
        ('backfill', [FIRST, 'PGs moved', 'PGs moved back', LAST]),
        ('osd-down', [FIRST, 'marked down', LAST]),
        ('osd-out', [FIRST, ' out', 'back in', LAST]),
        ('osd-stop', [FIRST, 'stopped', 'back', LAST]),
        ('host-stop', [FIRST, 'stopped', 'back', LAST]),
    ],
)
def test_failover_in_each_phase_leaves_nothing(
    cluster: LiveCluster,  # noqa: F811
    unchanged: ClusterState,  # noqa: F811
    scenario: str,
    phases: List[str],
) -> None:
    """Each next manager undoes the test, and begins it again."""
    with Hands(cluster, False):
        run = start(cluster, scenario, *RADOS)
        for number, phase in enumerate(phases):
            reach(cluster, run, scenario, phase)
            fail_over(cluster, kill=number % 2 == 0)
        all_back(cluster, run)


def test_failover_in_each_phase_of_a_host_stop_starts_its_osds(
    cluster: LiveCluster, unchanged: ClusterState  # noqa: F811
) -> None:
    """Each next manager tells the orchestrator to start them."""
    with Orders(cluster) as orders:
        wait_answers(cluster)
        run = start(cluster, 'host-stop', *RADOS)
        for number, phase in enumerate((FIRST, 'stopped', 'back', LAST)):
            reach(cluster, run, 'host-stop', phase)
            fail_over(cluster, number % 2 == 0, by_hand=False)
            wait_for(lambda: all_up(cluster), 90, 'all OSDs run again')
        all_back(cluster, run)
        words = [word for word, _ in orders.done]
        # two OSDs each: cut thrice after a stop, then both groups
        assert words.count('stop') == 10, orders.done
        assert words.count('start') >= 10, orders.done


@pytest.mark.parametrize(
    'scenario, phase', [('osd-out', ' out'), ('backfill', 'PGs moved')]
)
def test_failover_under_s3_load_leaves_nothing(
    cluster: LiveCluster,  # noqa: F811
    unchanged: ClusterState,  # noqa: F811
    scenario: str,
    phase: str,
) -> None:
    """Gateways, keys and pools of the cut test go as well."""
    run = start(cluster, scenario, *S3)
    runs.wait_state(cluster, run, ['trial'], 300, phase)
    wait_for(lambda: made(cluster, scenario), 30, 'the map shows it')
    fail_over(cluster, kill=True)
    episode = cut_step(cluster, all_back(cluster, run))
    # the pool that is moved goes when the next manager undoes the test
    assert scenario == 'backfill' or episode['state'] == 'clean'


@pytest.mark.parametrize(
    'scenario, phase, words',
    [
        ('osd-out', ' out', RADOS),
        ('backfill', 'PGs moved', RADOS),
        ('osd-out', ' out', S3),
        ('backfill', 'PGs moved', RBD),
    ],
    ids=('osd-out', 'backfill', 's3', 'rbd'),
)
def test_all_comes_back_when_a_manager_lives_again(
    cluster: LiveCluster,  # noqa: F811
    unchanged: ClusterState,  # noqa: F811
    scenario: str,
    phase: str,
    words: List[str],
) -> None:
    """Active and standby manager die at once in mid-test."""
    run = start(cluster, scenario, *words)
    runs.wait_state(cluster, run, ['trial'], 300, phase)
    names = [cluster.look('mgr dump')['active_name']]
    names += [s['name'] for s in cluster.look('mgr dump')['standbys']]
    assert len(names) == 2
    wait_for(lambda: made(cluster, scenario), 30, 'the map shows it')
    try:
        for name in reversed(names):
            cluster.mgr_kill(name)
        # nobody is there to undo anything
        assert config(cluster)[MODE] == 'none'
        assert made(cluster, scenario)
    finally:
        for name in names:
            if cluster.pid('mgr.' + name) is None:
                cluster.mgr_start(name)
    cluster.wait_active_mgr(90)
    wait_answers(cluster, 180)
    all_back(cluster, run)
