"""CAPACITY and PG_LIMIT: shares, imbalance, lost domains, refusals."""

from typing import Any, List, Tuple

import dataclasses
import random

import pytest

from ...guard.checks.capacity import (
    Seat,
    largest_domain,
    most_pgs,
    most_shares,
    pg_limit,
    predicted,
    raw_bytes,
    shares,
)
from ...guard.checks.finding import CheckContext, Severity
from ...model.plan import RunPlan
from ...model.topology import MonState
from ...model.workload import CacheRegime
from ...planning import inputs
from ...pools.balance import balanced, spread
from ..data.guard_data import (
    checks,
    facts_of,
    group_plan,
    judge,
    pool_plan,
    run_plan,
    two_groups,
    worst,
)
from ..fakes.cluster import FakeCluster

GIB = 1 << 30


def _hosts(number: int, osds: int = 1) -> List[Tuple[str, str, str, int]]:
    return [(f'h{i}', 'ssd', 'x86_64', osds) for i in range(number)]


# shares


def test_shares_follow_weights_where_domains_abound() -> None:
    places = {i: Seat(f'h{i}', 1.0) for i in range(4)}
    assert shares(places, 2) == {i: 0.25 for i in range(4)}


def test_no_domain_gets_more_than_one_copy() -> None:
    places = {0: Seat('big', 8.0), 1: Seat('a', 1.0), 2: Seat('b', 1.0)}
    found = shares(places, 2)
    assert found[0] == pytest.approx(0.5)
    assert found[1] == found[2] == pytest.approx(0.25)


def test_as_many_domains_as_copies_share_alike() -> None:
    places = {0: Seat('a', 5.0), 1: Seat('b', 1.0), 2: Seat('b', 1.0)}
    found = shares(places, 2)
    assert found == pytest.approx({0: 0.5, 1: 0.25, 2: 0.25})


def test_shares_always_sum_to_one() -> None:
    draw = random.Random(7)
    for _ in range(300):
        places = {
            i: Seat(f'h{draw.randrange(6)}', draw.uniform(0.1, 9.0))
            for i in range(draw.randrange(1, 20))
        }
        copies = draw.randrange(1, 6)
        found = shares(places, copies)
        assert sum(found.values()) == pytest.approx(1.0)
        domains = {s.domain for s in places.values()}
        cap = 1.0 / min(copies, len(domains))
        for domain in domains:
            held = sum(
                v for i, v in found.items() if places[i].domain == domain
            )
            assert held <= cap + 1e-9


def test_no_seat_no_share() -> None:
    assert shares({}, 3) == {}


# chance, and what is made even


def test_what_chance_deals_is_covered() -> None:
    draw = random.Random(11)
    for shards, osds in ((512, 8), (40, 30), (4000, 10)):
        worst_seen = []
        for _ in range(200):
            counts = [0] * osds
            for _ in range(shards):
                counts[draw.randrange(osds)] += 1
            worst_seen.append(max(counts))
        worst_seen.sort()
        most = most_pgs(shards / osds, osds)
        assert worst_seen[180] <= most < 1.3 * worst_seen[180]


def test_few_pgs_for_many_osds_are_very_uneven() -> None:
    assert most_pgs(0.01, 100) == 1
    # 4096 PGs of size 3 on 10,000 OSDs
    assert 6 <= most_pgs(1.23, 10_000) <= 9
    assert most_pgs(10**6, 10) < 1.02e6


def test_chance_acts_between_domains_or_within_them() -> None:
    pool = pool_plan('g')  # 32 PGs, 2 copies
    apart = {i: Seat(f'h{i}', 1.0) for i in range(2)}
    assert most_shares(pool, apart) == {0: 0.5, 1: 0.5}
    paired = {i: Seat(f'h{i // 2}', 1.0) for i in range(4)}
    assert most_shares(pool, paired)[0] == most_pgs(16, 2) / 64
    spread = {i: Seat(f'h{i}', 1.0) for i in range(4)}
    assert most_shares(pool, spread)[0] == most_pgs(16, 4) / 64
    uneven = {i: Seat('h0' if i else 'h1', 1.0) for i in range(4)}
    found = most_shares(pool, uneven)
    assert found[0] == 0.5 and found[1] == most_pgs(32 / 3, 3) / 64
    lone = {i: Seat('h0', 1.0) for i in range(4)}
    assert most_shares(pool, lone)[0] == most_pgs(8, 4) / 32
    assert most_shares(pool, {}) == {}


def test_an_osd_has_each_pg_once_at_most() -> None:
    one = dataclasses.replace(pool_plan('g', size=3), pg_num=1)
    places = {i: Seat(f'h{i}', 1.0) for i in range(30)}
    assert set(most_shares(one, places).values()) == {1 / 3}


def test_small_osds_get_as_many_pgs_as_large_ones() -> None:
    """The run makes its pools even, whatever the weights are."""
    pool = dataclasses.replace(pool_plan('g', size=3), pg_num=128)
    places = {
        4 * host + i: Seat(f'h{host}', 18.0 if i else 1.8)
        for host in range(3)
        for i in range(4)
    }
    sets = {
        ps: [4 * host + 1 + (ps + host) % 3 for host in range(3)]
        for ps in range(128)
    }
    changed = balanced(sets, {o: s.domain for o, s in places.items()})
    even = spread({**sets, **changed}, list(places))
    most = most_shares(pool, places)
    for osd, pgs in even.pgs.items():
        assert pgs <= most[osd] * 384
    assert even.pgs[0] == 32 and most[0] < 1.1 * 32 / 384


# raw bytes


def test_raw_bytes_count_replicas_or_chunks_and_the_quota() -> None:
    assert raw_bytes(pool_plan('a', size=3), None) == 1.2 * 3 * GIB
    coded = pool_plan('a', size=6, min_size=5, ec_profile='p')
    assert raw_bytes(coded, 4) == pytest.approx(1.2 * 1.5 * GIB)
    assert raw_bytes(coded, None) == pytest.approx(1.2 * 1.5 * GIB)


def test_raw_bytes_count_what_is_allocated() -> None:
    small = pool_plan('a', size=3, allocation_overhead=4.0)
    assert raw_bytes(small, None) == pytest.approx(1.2 * 12 * GIB)
    coded = pool_plan(
        'a', size=3, min_size=3, ec_profile='p', allocation_overhead=2.0
    )
    assert raw_bytes(coded, 2) == pytest.approx(1.2 * 3 * GIB)


# prediction


def _plan(cluster: FakeCluster, **fields: Any) -> RunPlan:
    group = group_plan(cluster, 'g', device_class='ssd', **fields)
    return run_plan([group])


def test_one_host_each_holds_one_copy_each() -> None:
    cluster = FakeCluster(_hosts(2), size_bytes=100 * GIB)
    plan = _plan(cluster)
    first, second = predicted(cluster.topology(), plan, None)
    # each host has a copy of every PG: chance has no part in it
    assert first.added == pytest.approx(1.2 * GIB)
    assert second.added == pytest.approx(1.2 * GIB)
    assert first.before == pytest.approx(0.01)


def test_the_fullest_osd_counts_not_the_mean() -> None:
    cluster = FakeCluster(_hosts(4), size_bytes=10 * GIB)
    cluster.set_osd(2, used_bytes=8 * GIB)
    found = worst(judge(cluster, _plan(cluster)), 'CAPACITY')
    assert found.severity is Severity.REFUSE
    assert 'osd.2, 80.0% now' in found.message
    assert 'limit is 80%' in found.message
    assert '--cache' not in found.remedy


@pytest.mark.parametrize('regime', CacheRegime)
def test_what_is_read_from_devices_can_be_left_out(
    regime: CacheRegime,
) -> None:
    cluster = FakeCluster(_hosts(4), size_bytes=10 * GIB)
    cluster.set_osd(2, used_bytes=8 * GIB)
    plan = _plan(cluster)
    workload, *rest = plan.profile.workloads
    reads = dataclasses.replace(workload, cache=regime)
    profile = dataclasses.replace(plan.profile, workloads=(reads, *rest))
    plan = dataclasses.replace(plan, profile=profile)
    found = worst(judge(cluster, plan), 'CAPACITY')
    assert found.severity is Severity.REFUSE
    advised = 'give --cache cached, ' in found.remedy
    assert advised is (regime is CacheRegime.DEVICE)


def test_the_limit_is_below_nearfull_of_the_map() -> None:
    cluster = FakeCluster(_hosts(4), size_bytes=100 * GIB)
    cluster.set_osd(0, used_bytes=70 * GIB)
    assert worst(judge(cluster, _plan(cluster)), 'CAPACITY').severity is (
        Severity.OK
    )
    cluster.ratios['nearfull'] = 0.75
    found = worst(judge(cluster, _plan(cluster)), 'CAPACITY')
    assert found.severity is Severity.REFUSE
    assert 'limit is 70%' in found.message


def test_pools_of_one_group_add_up() -> None:
    cluster = FakeCluster(_hosts(2), size_bytes=100 * GIB)
    one = predicted(cluster.topology(), _plan(cluster), None)[0]
    pools = (pool_plan('g'), pool_plan('g', role='read-4K'))
    two = predicted(cluster.topology(), _plan(cluster, pools=pools), None)[0]
    assert two.added == pytest.approx(2 * one.added)


def test_groups_that_share_osds_add_up() -> None:
    cluster = FakeCluster(_hosts(2), size_bytes=100 * GIB)
    one = group_plan(cluster, 'a', device_class='ssd')
    two = group_plan(cluster, 'b', device_class='ssd')
    alone = predicted(cluster.topology(), run_plan([one]), None)[0]
    both = predicted(cluster.topology(), run_plan([one, two]), None)[0]
    assert both.added == pytest.approx(2 * alone.added)


# losing the largest failure domain


def test_no_domain_to_spare_is_no_loss_to_plan_for() -> None:
    cluster = FakeCluster(_hosts(2), size_bytes=GIB)
    plan = _plan(cluster)
    assert largest_domain(cluster.topology(), plan.groups[0], plan) == []


def test_the_heaviest_domain_is_lost() -> None:
    cluster = FakeCluster(_hosts(3, 2), size_bytes=GIB)
    for osd in (2, 3):
        cluster.set_osd(osd, crush_weight=4.0)
    plan = _plan(cluster)
    lost = largest_domain(cluster.topology(), plan.groups[0], plan)
    assert lost == [2, 3]


def test_what_a_lost_domain_held_must_fit_elsewhere() -> None:
    cluster = FakeCluster(_hosts(3), size_bytes=100 * GIB)
    for osd in range(3):
        cluster.set_osd(osd, used_bytes=60 * GIB)
    plan = _plan(cluster)
    report = judge(cluster, plan)
    found = checks(report, 'CAPACITY')
    # 61 % is fine, but 60 % of a lost host makes 90 % of the others
    assert [c.severity for c in found] == [Severity.OK, Severity.REFUSE]
    assert 'after losing osd.2 as well' in found[1].message
    assert '91.' in found[1].message


def test_each_osd_of_a_lost_domain_leaves_its_data_to_others() -> None:
    cluster = FakeCluster(_hosts(3, 2), size_bytes=100 * GIB)
    plan = _plan(cluster)

    def added(*used: int) -> float:
        for osd, gib in enumerate(used):
            cluster.set_osd(osd, used_bytes=gib * GIB)
        fills = predicted(cluster.topology(), plan, None, [0, 1])
        assert [f.osd for f in fills if f.osd < 2] == []
        return sum(fill.added for fill in fills)

    assert added(30, 50) - added(0, 0) == pytest.approx(80 * GIB)


def test_data_of_other_classes_stays_where_it_is() -> None:
    hosts = _hosts(3) + [('big', 'hdd', 'x86_64', 1)]
    cluster = FakeCluster(hosts, size_bytes=100 * GIB)
    for osd in range(4):
        cluster.set_osd(osd, used_bytes=30 * GIB)
    plan = _plan(cluster)
    with_class = predicted(cluster.topology(), plan, None, [0])
    assert with_class[0].after == pytest.approx(0.45, abs=0.03)


def test_unknown_sizes_refuse() -> None:
    cluster = FakeCluster(_hosts(2))
    cluster.set_osd(1, size_bytes=0)
    found = worst(judge(cluster, _plan(cluster)), 'CAPACITY')
    assert found.severity is Severity.REFUSE
    assert 'osd.1 is not known' in found.message


# PG_LIMIT


def test_pg_limit_counts_what_is_there() -> None:
    cluster = FakeCluster()
    cluster.config[('mon', 'mon_max_pg_per_osd')] = '50'
    report = judge(cluster, two_groups(cluster))
    assert worst(report, 'PG_LIMIT').severity is Severity.OK
    assert '32 during the run' in worst(report, 'PG_LIMIT').message
    cluster.add_pool('rbd', pg_num=128)
    found = worst(judge(cluster, two_groups(cluster)), 'PG_LIMIT')
    assert found.severity is Severity.REFUSE
    assert '--pg-num' in found.remedy


def test_pg_limit_is_that_of_the_mons() -> None:
    cluster = FakeCluster()
    cluster.mons = MonState(4, ('a', 'b'), ('a', 'b'))
    cluster.add_pool('rbd', pg_num=512)
    report = judge(cluster, two_groups(cluster))
    assert worst(report, 'PG_LIMIT').severity is Severity.REFUSE
    cluster.config[('mon', 'mon_max_pg_per_osd')] = '500'
    report = judge(cluster, two_groups(cluster))
    assert worst(report, 'PG_LIMIT').severity is Severity.OK
    assert 'mon_max_pg_per_osd is 500' in worst(report, 'PG_LIMIT').message
    # any of them may be the leader when pools are made
    cluster.config[('mon.b', 'mon_max_pg_per_osd')] = '200'
    report = judge(cluster, two_groups(cluster))
    assert worst(report, 'PG_LIMIT').severity is Severity.REFUSE
    # one that does not answer leaves what the others tell, or the mgr has
    cluster.fail_on('mon_config', 99)
    facts = facts_of(cluster, two_groups(cluster))
    assert facts.max_pg_per_osd == 250


def test_plans_keep_the_limit_of_the_mons() -> None:
    cluster = FakeCluster()
    cluster.config[('mon', 'mon_max_pg_per_osd')] = '77'
    assert inputs.read(cluster, (), None).mon_max_pg_per_osd == 77


def test_an_uneven_osd_only_warns() -> None:
    cluster = FakeCluster(_hosts(2))
    cluster.config[('mon', 'mon_max_pg_per_osd')] = '50'
    plan = _plan(cluster)
    facts = facts_of(cluster, plan)
    facts.osd_pgs = {0: 30, 1: 2}
    (found,) = pg_limit(CheckContext(facts, plan))
    assert found.severity is Severity.WARN
    assert '62 on the OSD with most' in found.message


def test_both_sides_of_a_group_against_itself_count() -> None:
    cluster = FakeCluster(_hosts(2))
    cluster.config[('mon', 'mon_max_pg_per_osd')] = '50'
    plan = _plan(cluster)
    (group,) = plan.groups
    control = dataclasses.replace(group, name='x86_control')
    plan = dataclasses.replace(plan, groups=(group, control))
    facts = facts_of(cluster, plan)
    facts.osd_pgs = {0: 2, 1: 2}
    for found in pg_limit(CheckContext(facts, plan)):
        assert found.severity is Severity.REFUSE
        assert '66 during the run' in found.message
