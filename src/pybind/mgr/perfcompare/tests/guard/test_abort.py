"""The watch itself: what it says, keeps, and bears."""

from typing import Any

import pytest

from ...common.errors import CommandFailed, TryAgain
from ...common.settings import Settings
from ...guard.abort import watch as module
from ...guard.abort.rules import RULES
from ...guard.abort.watch import rules
from ..fakes.abort_bench import Bench
from ..fakes.cluster import FakeCluster


@pytest.fixture
def bench() -> Bench:
    return Bench()


def test_a_quiet_cluster_goes_on(bench: Bench) -> None:
    bench.own_pool()
    bench.load()
    assert bench.check(20) is None


def test_the_rules_are_complete_and_described() -> None:
    found = dict(rules(Settings(max_tenant_impact=3.0)))
    assert set(found) == {
        *'EMERGENCY_STOP LEASE DEADLINE ERROR_BUDGET OSD_DOWN'.split(),
        *'NEARFULL POOL_FULL MON_DOWN SLOW_OPS'.split(),
        *'BLUESTORE_SLOW_OP_ALERT PG_AVAILABILITY PG_DEGRADED'.split(),
        *'PGS_INACTIVE HEALTH_ERR MON_ELECTION UPGRADE'.split(),
        *'PG_NUM NEW_POOL TENANT_IMPACT BLIND'.split(),
    }
    assert all(found.values())
    assert '3 x their baseline for 15 s' in found['TENANT_IMPACT']
    assert '0.10%' in found['ERROR_BUDGET']


def test_an_abort_says_rule_message_value_and_threshold(
    bench: Bench,
) -> None:
    bench.cluster.set_osd(3, up=False)
    abort = bench.check()
    assert abort is not None
    assert str(abort) == 'OSD_DOWN: osd.3 is down'
    assert abort.value == 'osd.3 is down'
    assert abort.threshold == 'any further OSD down or out'


def test_an_abort_stays(bench: Bench) -> None:
    bench.cluster.set_osd(3, up=False)
    assert bench.fired() == 'OSD_DOWN'
    bench.cluster.set_osd(3, up=True)
    assert bench.fired() == 'OSD_DOWN'


# rules on the load


def test_the_deadline_of_a_trial(bench: Bench) -> None:
    bench.load(deadline=22.0)
    assert bench.check(4) is None
    abort = bench.check()
    assert abort and abort.rule == 'DEADLINE'
    assert 'write-4K-c16 on arm is 3 s over' in abort.message


def test_no_deadline_without_load(bench: Bench) -> None:
    bench.load(deadline=7.0)
    assert bench.check() is None
    bench.watch.load_ended()
    assert bench.check(10) is None


@pytest.mark.parametrize(
    'ops, errors, fires',
    [
        (100000, 0, False),
        (100000, 99, False),
        (100000, 150, True),
        (0, 1, True),
        (0, 0, False),
    ],
)
def test_error_budget(
    bench: Bench, ops: int, errors: int, fires: bool
) -> None:
    bench.load()
    bench.watch.load_progress(ops, errors)
    assert (bench.fired() == 'ERROR_BUDGET') is fires


def test_the_load_host_that_fails_is_named(bench: Bench) -> None:
    bench.load()
    bench.watch.load_progress(100, 50, 'load-2')
    abort = bench.check()
    assert abort and abort.message.endswith(
        'failed, most of them on load host load-2'
    )


def test_a_lost_lease(bench: Bench) -> None:
    bench.lease = 'no Monitor answered for 15 s'
    assert bench.check() is None
    bench.load()
    abort = bench.check()
    assert abort and abort.rule == 'LEASE'
    assert abort.message == 'no Monitor answered for 15 s'


def test_emergency_stop(bench: Bench) -> None:
    assert bench.check() is None
    bench.settings['emergency_stop'] = True
    assert bench.fired() == 'EMERGENCY_STOP'


# reads that fail


def test_short_blindness_is_borne(bench: Bench) -> None:
    bench.cluster.fail_on('health', 3, TryAgain('slow'))
    assert bench.check(6) is None


def test_lasting_blindness_aborts(bench: Bench) -> None:
    bench.cluster.fail_on('health', 99, TryAgain('no answer in 5 s'))
    assert bench.check(3) is None
    abort = bench.check()
    assert abort and abort.rule == 'BLIND'
    assert 'health for 15 s: no answer in 5 s' in abort.message


def test_a_silent_orchestrator_is_borne(bench: Bench) -> None:
    bench.cluster.fail_on('upgrade_in_progress', 99, TryAgain('hangs'))
    before = len(bench.cluster.called('upgrade_in_progress'))
    assert bench.check(12) is None
    assert len(bench.cluster.called('upgrade_in_progress')) == before + 2


def test_blind_rules_do_not_stop_the_others(bench: Bench) -> None:
    bench.cluster.fail_on('pg_totals', 99, CommandFailed('pg stat', 5, ''))
    bench.cluster.set_osd(0, up=False)
    assert bench.fired() == 'OSD_DOWN'


def test_no_watch_without_a_baseline() -> None:
    cluster = FakeCluster()
    cluster.fail_on('mon_state', 1)
    with pytest.raises(TryAgain, match='mon'):
        Bench(cluster)
    # its look had OSDs count, and nobody else knows of it
    assert len(cluster.called('pool_latency')) == 1
    assert len(cluster.called('pool_latency_end')) == 1


def test_a_broken_rule_does_not_stop_the_others(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(view: Any) -> Any:
        raise KeyError('x')

    broken_first = (RULES[0]._replace(read=broken),) + RULES[1:]
    monkeypatch.setattr(module, 'RULES', broken_first)
    bench.cluster.set_osd(0, up=False)
    assert bench.fired() == 'OSD_DOWN'


# the result


def test_values_keep_the_worst_of_each_rule(bench: Bench) -> None:
    bench.load()
    bench.watch.load_progress(100000, 50)
    assert bench.check() is None
    bench.watch.load_progress(200000, 50)
    assert bench.check() is None
    values = {v.rule: v for v in bench.watch.values()}
    assert list(values) == [rule.id for rule in RULES]
    assert values['ERROR_BUDGET'].worst == '50 of 100050 (0.05%)'
    assert values['OSD_DOWN'].worst == 'none'
    assert not any(v.fired for v in values.values())
    bench.cluster.set_osd(0, up=False)
    bench.check()
    values = {v.rule: v for v in bench.watch.values()}
    assert values['OSD_DOWN'].fired
    assert values['OSD_DOWN'].worst == 'osd.0 is down'
