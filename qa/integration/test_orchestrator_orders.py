"""Orders that an orchestrator loses or ignores, as cephadm does both.

Its answer is the same in each case; the module goes by the effect.
"""

from typing import Any, Dict, Iterator, List

import contextlib

import pytest

from cluster.api import CommandFailed

from . import runs
from .hands import Orders
from .live import LiveCluster
from .provision import SMALL, Provider, wait_answers
from .state import ClusterState, wait_unchanged
from .waiting import wait_for

pytestmark = pytest.mark.slow
CLUSTER = SMALL.name
STOP = (
    '--group', 'x86', '--scenario', 'osd-stop', '--repetitions', '1',
    '--hold', '3', '--pg-num', '8', '--size', '16K', '--concurrency', '1',
    '--limit', '240', '--data', '1M', '--workload', 'rand', '--replicas', '2',
    '--stop-by', 'orchestrator',
)  # fmt: skip
S3 = (
    '--profile', 'smoke', '--rounds', '2', '--workload', 's3-get',
    '--size', '4K', '--replicas', '2', '--gateway-source', 'orch',
)  # fmt: skip


@pytest.fixture(scope='module')
def cluster(provider: Provider) -> Iterator[LiveCluster]:
    """Yield a cluster in which failures may be provoked."""
    found = provider.get(SMALL)
    option = 'mgr/perfcompare/allow_failure_tests'
    found.ceph('config', 'set', 'mgr', option, 'true', fmt='')
    yield found
    found.ceph('config', 'rm', 'mgr', option, fmt='')


@contextlib.contextmanager
def treated(cluster: LiveCluster, how: str) -> Iterator[None]:
    """Have the orchestrator 'ignore' or 'lose' orders for a while."""
    words = ('config', 'set', 'mgr', 'mgr/test_orchestrator/orders')
    cluster.ceph(*words, how, fmt='')
    try:
        yield
    finally:
        # a running mgr is not told that an option was removed
        cluster.ceph(*words, 'obey', fmt='')
        cluster.ceph('config', 'rm', *words[2:], fmt='')


@pytest.fixture(scope='module')
def orders(cluster: LiveCluster) -> Iterator[Orders]:
    """Yield who carries out what the orchestrator passes on."""
    with Orders(cluster) as found:
        wait_answers(cluster, 180)
        yield found
    wait_answers(cluster, 180)


@pytest.fixture
def unchanged(cluster: LiveCluster, orders: Orders) -> Iterator[None]:
    """Assert that the cluster is as it was before the test."""
    key = 'mgr/test_orchestrator/services'  # its own note of services
    cluster.ceph('config-key', 'set', key, '[]', fmt='')
    tracker = ClusterState(cluster)
    before = tracker.snapshot()
    orders.done.clear()
    yield
    cluster.wait_clean(180)
    wait_unchanged(tracker, before, 60)
    cluster.ceph('config-key', 'rm', key, fmt='')


def record(cluster: LiveCluster) -> Dict[str, Any]:
    """Do a recovery test; return what is stored of it."""
    words = ('perfcompare', 'recovery', 'run', *STOP, *runs.CONSENT)
    run = cluster.ceph(*words)['run']
    runs.wait_end(cluster, 900)

    def stored() -> Any:
        found = cluster.look('perfcompare recovery show', 'mgr', recovery=run)
        return found and found['item']['ended'] and found['item']

    test: Dict[str, Any] = wait_for(stored, 60, 'it is stored as ended')
    return test


def waits_for_a_stop(cluster: LiveCluster) -> bool:
    """Say whether the test has ordered an OSD to stop."""
    found = cluster.look('perfcompare status', 'mgr')
    progress = found and found['progress']
    return bool(progress and 'to be stopped' in progress['message'])


def kept_orders(cluster: LiveCluster) -> List[str]:
    """Return the records of orders that the orchestrator keeps."""
    keys: List[str] = cluster.ceph('config-key', 'ls')
    return [k for k in keys if k.startswith('mgr/test_orchestrator/host.')]


def leftovers(cluster: LiveCluster) -> str:
    """Return what the health check says of things that are left."""
    checks = cluster.ceph('health', 'detail')['checks']
    found = checks.get('PERFCOMPARE_LEFTOVERS')
    if found is None:
        return ''
    return '; '.join(d['message'] for d in found['detail'])


def test_orders_to_osds_that_are_lost_are_repeated(
    cluster: LiveCluster, orders: Orders, unchanged: None
) -> None:
    """The test completes, and does not pretend to know when it began."""
    with treated(cluster, 'lose'):
        test = record(cluster)
    assert test['state'] == 'completed', test['reason']
    assert [word for word, _ in orders.done] == ['stop', 'start']
    for step in test['steps']:
        if step['kind'] in ('stop', 'start'):
            marks = step['timeline']['marks']
            assert marks['t0']['fate'] == 'not available', step
            assert any('had to be told' in n for n in step['notes']), step


def test_orders_to_osds_that_are_ignored_end_the_test(
    cluster: LiveCluster, orders: Orders, unchanged: None
) -> None:
    """It says that it knows no reason, and all is undone."""
    with treated(cluster, 'ignore'):
        test = record(cluster)
    assert test['state'] == 'failed'
    assert 'the orchestrator was told' in test['reason']
    assert 'see ceph orch host ls' in test['reason']
    assert orders.done == []


def test_no_order_is_given_that_would_be_kept(
    cluster: LiveCluster, orders: Orders, unchanged: None
) -> None:
    """A paused orchestrator would stop the OSD when it is resumed."""
    with treated(cluster, 'hold'):
        words = ('perfcompare', 'recovery', 'run', *STOP, *runs.CONSENT)
        with pytest.raises(CommandFailed) as info:
            cluster.ceph(*words)
    assert info.value.returncode == 22
    assert 'is paused (ceph orch resume)' in info.value.stderr
    assert orders.done == []


def test_an_order_that_is_kept_is_a_leftover_until_it_was_carried_out(
    cluster: LiveCluster, orders: Orders, unchanged: None
) -> None:
    """It was given in good faith; what comes of it is undone at last."""
    with treated(cluster, 'lose'):
        words = ('perfcompare', 'recovery', 'run', *STOP, *runs.CONSENT)
        run = cluster.ceph(*words)['run']
        wait_for(lambda: waits_for_a_stop(cluster), 300, 'an order is given')
        # from now on its repetition is kept
        option = 'mgr/test_orchestrator/orders'
        cluster.ceph('config', 'set', 'mgr', option, 'hold', fmt='')
        wait_for(lambda: kept_orders(cluster), 60, 'an order is kept')
        cluster.ceph('perfcompare', 'cancel', run, fmt='')
        left = wait_for(lambda: leftovers(cluster), 120, 'it is told')
        assert 'still has an order to stop it' in left, left
        assert 'noout' in left, left
        assert orders.done == []
    wait_for(lambda: not leftovers(cluster), 400, 'nothing is left')
    assert [word for word, _ in orders.done] == ['stop', 'start']
    assert kept_orders(cluster) == []


def test_orders_of_gateways_that_are_lost_are_repeated(
    cluster: LiveCluster, orders: Orders, unchanged: None
) -> None:
    """Gateways come, and go, with the second order."""
    with treated(cluster, 'lose'):
        run = runs.start(cluster, ['x86'], *S3)
        runs.wait_state(cluster, run, ['trial'], 400)
        cluster.ceph('perfcompare', 'cancel', run, fmt='')
        runs.wait_end(cluster, 400)
    service = 'perfcompare-%s-x86' % run
    assert orders.done == [('apply', service), ('remove', service)]
