"""The abort rule on the latency of pools of others."""

import pytest

from ...model.topology import PoolLatency
from ..fakes.abort_bench import Bench


@pytest.fixture
def bench() -> Bench:
    return Bench()


class Tenants(Bench):
    """Serve another pool at latencies that a test sets."""

    def learn(self, latency: float = 0.002, times: int = 3) -> None:
        self.serve(latency)
        for _ in range(times):
            assert self.check() is None
        self.own_pool()
        self.load()

    def serve(self, latency: float, ops: int = 50) -> None:
        self.cluster.latency = {
            self.data.id: PoolLatency(ops, ops * latency, 0, 0.0)
        }


@pytest.fixture
def tenants() -> Tenants:
    return Tenants()


def test_impact_must_last(tenants: Tenants) -> None:
    tenants.learn()
    tenants.serve(0.005)
    assert tenants.check(2) is None
    abort = tenants.check()
    assert abort and abort.rule == 'TENANT_IMPACT'
    assert 'reads of pool data: 5.00 ms, 2.5 x its baseline' in abort.message
    assert 'for 15 s' in abort.message


def test_the_limit_is_that_of_now(tenants: Tenants) -> None:
    tenants.learn()
    tenants.serve(0.0035)  # 1.75 x
    assert tenants.check(6) is None
    tenants.settings['max_tenant_impact'] = 1.3
    assert tenants.check(2) is None
    assert tenants.fired() == 'TENANT_IMPACT'


def test_impact_that_recovers_starts_anew(tenants: Tenants) -> None:
    tenants.learn()
    for _ in range(4):
        tenants.serve(0.005)
        assert tenants.check(2) is None
        tenants.serve(0.002)
        assert tenants.check() is None


@pytest.mark.parametrize(
    'latency, within',
    [(0.02, 40), (1.2, 60), (1.7, 60), (2.0, 60), (5.0, 60), (20.0, 80)],
)
@pytest.mark.parametrize('flying', [1, 4])
def test_a_client_that_waits_for_each_answer_is_seen(
    tenants: Tenants, latency: float, within: float, flying: int
) -> None:
    """However few of its operations end, because each takes so long."""
    tenants.learn(0.005)
    began, done = tenants.now, 0
    while tenants.now - began < within:
        ended = int((tenants.now + 5.0 - began) / latency)
        tenants.serve(latency, flying * (ended - done))
        done = ended
        abort = tenants.check()
        if abort:
            assert abort.rule == 'TENANT_IMPACT'
            return
    raise AssertionError('nothing was seen')


def test_single_slow_operations_are_borne(tenants: Tenants) -> None:
    tenants.learn(0.005)
    for i in range(60):
        # one in a minute, of a client that does one in five seconds
        tenants.serve(0.2 if i % 12 == 5 else 0.004, 1)
        assert tenants.check() is None


def test_impact_below_the_limit_is_borne(tenants: Tenants) -> None:
    tenants.learn()
    tenants.serve(0.0039)
    assert tenants.check(10) is None
    tenants.settings['max_tenant_impact'] = 5.0


def test_the_limit_is_an_option() -> None:
    tenants = Tenants()
    tenants.settings['max_tenant_impact'] = 5.0
    tenants.watch = tenants.new_watch()
    tenants.learn()
    tenants.serve(0.009)
    assert tenants.check(10) is None
    tenants.serve(0.011)
    assert tenants.fired(3) == 'TENANT_IMPACT'


def test_without_a_baseline_nothing_is_judged(tenants: Tenants) -> None:
    tenants.own_pool()
    tenants.load()
    tenants.serve(5.0)
    assert tenants.check(10) is None
    values = {v.rule: v.worst for v in tenants.watch.values()}
    assert values['TENANT_IMPACT'].startswith('no baseline')


def test_a_mgr_without_the_query_says_so(tenants: Tenants) -> None:
    tenants.cluster.latency = None
    tenants.load()
    assert tenants.check(3) is None
    values = {v.rule: v.worst for v in tenants.watch.values()}
    assert values['TENANT_IMPACT'] == 'not available'


def test_our_own_pools_are_no_tenants(tenants: Tenants) -> None:
    own = tenants.own_pool()
    tenants.learn()
    tenants.cluster.latency = {own: PoolLatency(50, 90.0, 50, 90.0)}
    assert tenants.check(10) is None


def test_nobody_to_disturb_costs_the_osds_nothing() -> None:
    bench = Bench()
    bench.cluster.pool_table.clear()
    bench.cluster.epoch += 1
    bench.watch = bench.new_watch()
    before = len(bench.cluster.called('pool_latency'))
    assert bench.check(3) is None
    assert len(bench.cluster.called('pool_latency')) == before
    bench.watch.close()


def test_closing_ends_the_query_once(bench: Bench) -> None:
    bench.check()
    bench.watch.close()
    bench.watch.close()
    assert len(bench.cluster.called('pool_latency_end')) == 1


def test_closing_never_raises(bench: Bench) -> None:
    bench.cluster.fail_on('pool_latency_end')
    bench.check()
    bench.watch.close()
    assert len(bench.cluster.called('pool_latency_end')) == 1
    bench.watch = bench.new_watch()
    assert bench.check(3) is None  # and the next run is guarded
