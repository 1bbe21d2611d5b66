"""Tests of pools/bench_pool.py and pools/placement.py on the fake cluster."""

import collections
import contextlib
import dataclasses
import errno

import pytest

from ...common.errors import (
    AlreadyExists,
    CommandFailed,
    NotFound,
    NotPermitted,
    PerfcompareError,
    TryAgain,
)
from ...model.run import RunState
from ...model.topology import Bucket
from ...pools import placement
from ...pools.balance import spread
from ...pools.bench_pool import BenchPool
from ...undo.journal import Journal, Kind
from ...workers.control import Control, Stopped
from ..data.bench_data import RUN, group_plan, run_plan
from ..data.plans import make
from ..fakes.clock import FakeClock
from ..fakes.cluster import FakeCluster


@pytest.fixture
def cluster():
    found = FakeCluster()
    found.add_pool('rbd', objects=5)
    return found


def _bench(cluster, plan):
    return BenchPool(
        cluster, Journal(cluster, FakeClock()), plan, clock=FakeClock()
    )


def _pools(plan, per_round):
    return [
        p for g in plan.groups for p in g.pools if p.per_round is per_round
    ]


def _foreign(cluster):
    return cluster.pg_map('rbd')


@pytest.mark.parametrize('by_hosts', [False, True])
@pytest.mark.parametrize('ec_profile', [None, 'default'])
def test_a_whole_run_leaves_everything_as_before(
    cluster, by_hosts, ec_profile
):
    cluster.ec_profiles['default'].update(k='1', m='1')  # fits two hosts
    before, where = cluster.snapshot(), _foreign(cluster)
    plan = run_plan(cluster, by_hosts, ec_profile)
    bench = _bench(cluster, plan)
    bench.prepare()
    bench.create(_pools(plan, False))
    for _ in range(2):
        bench.create(_pools(plan, True))
        assert _foreign(cluster) == where
        bench.remove(_pools(plan, True))
    assert Journal(cluster, FakeClock()).undo_all(RUN).clean
    assert cluster.snapshot() == before


@pytest.mark.parametrize('fails', [False, True])
def test_a_rule_that_ceph_leaves_goes_with_its_pool(cluster, fails):
    """What cannot be removed with the pool is removed at the end."""
    cluster.ec_profiles['default'].update(k='1', m='1')
    cluster.keeps_ec_rules = True
    before = cluster.snapshot()
    plan = run_plan(cluster, False, 'default')
    bench = _bench(cluster, plan)
    bench.prepare()
    for _ in range(2):
        bench.create(_pools(plan, True))
        if fails:
            cluster.fail_on('rule_remove')
        bench.remove(_pools(plan, True))
        left = {r for r in cluster.rules if RUN in r}
        assert bool(left) is fails
    assert Journal(cluster, FakeClock()).undo_all(RUN).clean
    assert cluster.snapshot() == before


@pytest.mark.parametrize('by_hosts', [False, True])
def test_pools_use_the_osds_of_their_group_only(cluster, by_hosts):
    plan = run_plan(cluster, by_hosts)
    bench = _bench(cluster, plan)
    bench.prepare()
    bench.create(_pools(plan, True))
    for group in plan.groups:
        for mapping in cluster.pg_map(
            f'perfcompare.{RUN}.{group.name}.write'
        ):
            assert set(mapping.up) == set(group.osds)


@pytest.mark.parametrize(
    'top', [Bucket(-1, 'all', 'region', ()), Bucket(-90, 'all', 'root', ())]
)
@pytest.mark.parametrize('ec_profile', [None, 'default'])
def test_rules_by_class_take_the_root_that_is_planned(
    cluster, top, ec_profile
):
    """One of another type, or the one of two that is named default."""
    items = cluster.buckets['default'].items
    if top.id == -1:
        del cluster.buckets['default']
    cluster.buckets['all'] = dataclasses.replace(top, items=items)
    topology = cluster.topology()
    planned = 'all' if top.id == -1 else 'default'
    plan = make(topology, ['arm'])
    assert {g.class_root for g in plan.groups} == {planned}
    plan = run_plan(cluster, False, ec_profile)  # as older versions plan
    bench = _bench(cluster, plan)
    bench.prepare()
    rules = [
        values['crush-root']
        for name, values in cluster.ec_profiles.items()
        if ec_profile and RUN in name
    ] or [r.root for name, r in cluster.rules.items() if RUN in name]
    assert set(rules) == {planned}


def test_hosts_keep_their_own_root(cluster):
    bench = _bench(cluster, run_plan(cluster, by_hosts=True))
    bench.prepare()
    assert cluster.topology().parents('arm-1') == [
        'default',
        f'perfcompare-{RUN}-arm',
    ]


def test_a_pool_has_all_its_settings(cluster):
    plan = run_plan(cluster)
    bench = _bench(cluster, plan)
    bench.prepare()
    planned, _ = _pools(plan, True)
    bench.create([planned])
    pool = cluster.pool_table[planned.name]
    assert pool.application == {
        'perfcompare': {'run': RUN, 'group': 'x86', 'role': 'write'}
    }
    assert (pool.size, pool.min_size, pool.pg_num) == (2, 1, 32)
    assert set(pool.flags) == {'noscrub', 'nodeep-scrub'}
    assert pool.autoscale_mode == 'off'
    assert cluster.quotas[planned.name] == 12 << 30
    assert bench.has(planned) and bench.names() == {planned.name}


@pytest.mark.parametrize('flag', ['nosizechange', 'nopgchange'])
def test_a_pool_born_with_a_flag_is_set_all_the_same(cluster, flag):
    cluster.config[('global', f'osd_pool_default_flag_{flag}')] = 'true'
    plan = run_plan(cluster)
    bench = _bench(cluster, plan)
    bench.prepare()
    planned = [
        dataclasses.replace(p, pg_num=1100) for p in _pools(plan, True)
    ]
    bench.create(planned, balance=False)
    for pool in (cluster.pool_table[p.name] for p in planned):
        assert (pool.size, pool.min_size, pool.pg_num) == (2, 1, 1100)
        assert set(pool.flags) == {'noscrub', 'nodeep-scrub'}


def test_flags_are_taken_only_from_pools_that_have_them(cluster):
    bench = _bench(cluster, run_plan(cluster))
    bench.prepare()
    bench.create(_pools(run_plan(cluster), True), balance=False)
    assert {c.args[1] for c in cluster.called('pool_set')} == {
        'min_size',
        'noscrub',
        'nodeep-scrub',
    }


def test_the_key_can_use_marked_pools_only(cluster):
    bench = _bench(cluster, run_plan(cluster))
    bench.prepare()
    assert cluster.auth[f'client.perfcompare.{RUN}'] == {
        'mon': 'allow r',
        'osd': f'allow rwx tag perfcompare run={RUN}',
    }
    assert bench.keyring.startswith(f'[client.perfcompare.{RUN}]')


def test_an_ec_profile_copies_the_code_and_not_the_place(cluster):
    cluster.ec_profiles['fast'] = {
        'k': '4',
        'm': '2',
        'plugin': 'jerasure',
        'technique': 'cauchy_good',
        'crush-root': 'elsewhere',
        'crush-device-class': 'nvme',
        'crush-failure-domain': 'rack',
    }
    plan = run_plan(cluster, True, 'fast')
    _bench(cluster, plan).prepare()
    assert cluster.ec_profiles[f'perfcompare-{RUN}-arm'] == {
        'k': '4',
        'm': '2',
        'plugin': 'jerasure',
        'technique': 'cauchy_good',
        'crush-root': f'perfcompare-{RUN}-arm',
        'crush-failure-domain': 'host',
    }


@pytest.mark.parametrize('overwrites', [False, True])
def test_pools_allow_overwrites_where_they_are_planned(cluster, overwrites):
    # without them rados bench writes more than it was asked to
    cluster.ec_profiles['default'].update(k='1', m='1')
    plan = run_plan(cluster, True, 'default')
    plan = dataclasses.replace(
        plan,
        groups=tuple(
            dataclasses.replace(
                group,
                pools=tuple(
                    dataclasses.replace(pool, overwrites=overwrites)
                    for pool in group.pools
                ),
            )
            for group in plan.groups
        ),
    )
    bench = _bench(cluster, plan)
    bench.prepare()
    bench.create([p for g in plan.groups for p in g.pools])
    ours = [p for p in cluster.pools() if 'perfcompare' in p.name]
    assert ours
    assert all(('ec_overwrites' in p.flags) == overwrites for p in ours)


@pytest.mark.parametrize('overwrites', [False, True])
def test_stripes_that_are_not_as_planned_are_refused(cluster, overwrites):
    """Where a write of no whole stripe would be refused later."""
    cluster.ec_profiles['default'].update(k='1', m='1')
    cluster.config[('mon', 'osd_pool_erasure_code_stripe_unit')] = '16384'
    plan = run_plan(cluster, False, 'default')
    bench = _bench(cluster, plan)
    bench.prepare()
    planned, _ = _pools(plan, True)
    planned = dataclasses.replace(
        planned, data_chunks=1, stripe_width=4096, overwrites=overwrites
    )
    if overwrites:
        bench.create([planned])
        return
    with pytest.raises(PerfcompareError, match='with stripe_unit=16384$'):
        bench.create([planned])


def test_gateways_cope_with_stripes_that_are_not_as_planned(cluster):
    """They ask a pool what it takes, and write whole stripes of it."""
    cluster.ec_profiles['default'].update(k='1', m='1')
    cluster.config[('mon', 'osd_pool_erasure_code_stripe_unit')] = '16384'
    plan = run_plan(cluster, False, 'default')
    bench = _bench(cluster, plan)
    bench.prepare()
    planned, _ = _pools(plan, True)
    planned = dataclasses.replace(
        planned, data_chunks=1, stripe_width=4096, role='s3-write-data'
    )
    bench.create([planned])
    assert bench.has(planned)


def test_a_stripe_that_only_force_allows_is_said_to_be_one(cluster):
    cluster.ec_profiles['default'].update(k='1', m='1', stripe_unit='5000')
    plan = run_plan(cluster, False, 'default')
    bench = _bench(cluster, plan)
    bench.prepare()
    planned, _ = _pools(plan, True)
    planned = dataclasses.replace(planned, data_chunks=1, stripe_width=4096)
    said = r'with stripe_unit=5000 \(which needs --force\)$'
    with pytest.raises(PerfcompareError, match=said):
        bench.create([planned])


def test_an_unknown_ec_profile_is_named(cluster):
    with pytest.raises(CommandFailed, match='nope'):
        _bench(cluster, run_plan(cluster, False, 'nope')).prepare()


# placement


@pytest.mark.parametrize('hosts, each', [(2, 1), (2, 3), (4, 2)])
def test_primaries_and_pgs_become_even(hosts, each):
    cluster = FakeCluster(
        [(f'h{i}', 'ssd', 'x86_64', each) for i in range(hosts)]
    )
    names = [f'h{i}' for i in range(hosts)]
    group = group_plan(cluster, 'all', names, pg_num=128)
    plan = run_plan(cluster, groups=[group])
    bench = _bench(cluster, plan)
    bench.prepare()
    (pool,) = _pools(plan, True)
    bench.create([pool])
    found = bench.evidence(pool)
    ordered = {m.ps: m.up for m in cluster.pg_map(pool.name)}
    assert spread(ordered, group.osds).primaries == found.primaries
    for counts in (found.primaries, found.pgs):
        assert max(counts.values()) - min(counts.values()) <= 1
    assert found.even and found.upmaps == len(cluster.upmaps)


def test_dropped_upmaps_are_seen(cluster, monkeypatch):
    """The mon says 0 and drops an upmap: the evidence must not believe."""
    monkeypatch.setattr(cluster, '_valid_mapping', lambda pool, osds: False)
    plan = run_plan(cluster)
    bench = _bench(cluster, plan)
    bench.prepare()
    pool, _ = _pools(plan, True)
    bench.create([pool])
    found = bench.evidence(pool)
    raw = {m.ps: m.up for m in cluster.pg_map(pool.name)}
    assert found.primaries == spread(raw, (0, 1)).primaries
    again = collections.Counter(
        call.args[1] for call in cluster.called('pg_upmap_order')
    )
    assert max(again.values()) == placement.PASSES


def test_without_upmaps_pools_are_drawn_again(cluster):
    cluster.allows_upmap = False
    plan = run_plan(cluster)
    bench = _bench(cluster, plan)
    bench.prepare()
    pools = _pools(plan, True)
    bench.create(pools)
    assert not cluster.upmaps and not cluster.upmap_items
    assert len(cluster.called('pool_create')) > len(pools)
    for pool in pools:
        marks = cluster.pool_table[pool.name].application['perfcompare']
        assert marks['run'] == RUN
    assert Journal(cluster, FakeClock()).undo_all(RUN).clean


def test_too_few_failure_domains_are_named(cluster):
    plan = run_plan(cluster)
    bench = _bench(cluster, plan)
    bench.prepare()
    real = cluster.pg_map
    cluster.pg_map = lambda pool: [
        dataclasses.replace(pg, up=pg.up[:1]) for pg in real(pool)
    ]
    with pytest.raises(PerfcompareError, match='too few hosts'):
        bench.create(_pools(plan, True))


def test_a_lost_osd_is_no_lack_of_hosts(cluster):
    plan = run_plan(cluster)
    bench = _bench(cluster, plan)
    bench.prepare()
    cluster.set_osd(3, up=False)
    with pytest.raises(PerfcompareError, match='lost osd.3, which must'):
        bench.create(_pools(plan, True))


# waiting


def test_creation_waits_for_clean_pgs(cluster):
    cluster.creating_polls = 3
    plan = run_plan(cluster)
    bench = _bench(cluster, plan)
    bench.prepare()
    pools = _pools(plan, True)
    bench.create(pools)
    assert len(cluster.called('pg_counts')) > 3
    # states of before the last change count for nothing
    names = [c.verb for c in cluster.calls]
    last = len(names) - names[::-1].index('pg_upmap_order')
    assert 'pg_stats_now' in names[last:]


def test_creation_waits_for_osds_that_are_late_with_the_map(
    cluster, monkeypatch
):
    """What such OSDs report is clean: their PGs peer when it comes."""
    plan = run_plan(cluster)
    bench = _bench(cluster, plan)
    bench.prepare()
    asked, now = [], cluster.pg_now

    def late(pool_id, ps):
        place = now(pool_id, ps)
        asked.append((pool_id, ps))
        if asked.count((pool_id, ps)) > 1:
            return place
        if ps % 2:
            raise CommandFailed('pg query', errno.ENOENT, 'no such PG here')
        return dataclasses.replace(place, up=place.up[::-1])

    monkeypatch.setattr(cluster, 'pg_now', late)
    bench.create(_pools(plan, True))
    assert set(asked) == set(cluster.upmaps)
    assert all(asked.count(place) == 2 for place in asked)
    names = [c.verb for c in cluster.calls]
    last = len(names) - names[::-1].index('pg_now')
    assert 'pg_stats_now' in names[last:]


def test_a_map_that_never_comes_is_named(cluster, monkeypatch):
    plan = run_plan(cluster)
    bench = _bench(cluster, plan)
    bench.prepare()

    def gone(pool_id, ps):
        raise TryAgain(f'pg {pool_id}.{ps:x} did not answer within 5 s')

    monkeypatch.setattr(cluster, 'pg_now', gone)
    with pytest.raises(TryAgain, match=r'not where they were mapped to: PG'):
        bench.create(_pools(plan, True))


def test_waiting_has_an_end(cluster):
    cluster.pg_state = 'undersized+peered'
    plan = run_plan(cluster)
    bench = _bench(cluster, plan)
    bench.prepare()
    with pytest.raises(TryAgain, match='undersized'):
        bench.create(_pools(plan, True))


def test_a_wait_for_a_pool_that_somebody_removes_ends_and_says_so(
    cluster,
):
    cluster.creating_polls = 10**9
    plan = run_plan(cluster)
    names = [p.name for p in _pools(plan, True)]

    def remove(seconds):
        if names[0] in {p.name for p in cluster.pools()}:
            cluster.pool_remove(names[0])

    bench = BenchPool(
        cluster,
        Journal(cluster, FakeClock()),
        plan,
        clock=FakeClock(on_wait=remove),
    )
    bench.prepare()
    with pytest.raises(NotFound, match=f"'{names[0]}' is gone: somebody"):
        bench.create(_pools(plan, True))


def test_a_wait_ends_when_the_run_is_cancelled(cluster):
    cluster.creating_polls = 10**9
    plan, control = run_plan(cluster), Control()
    bench = BenchPool(
        cluster,
        Journal(cluster, FakeClock()),
        plan,
        control.check,
        FakeClock(
            on_wait=lambda _: control.request(RunState.CANCELLED, 'cancelled')
        ),
    )
    bench.prepare()
    with pytest.raises(Stopped):
        bench.create(_pools(plan, True))
    assert Journal(cluster, FakeClock()).undo_all(RUN).clean


def test_no_further_pg_is_mapped_once_the_run_is_cancelled(
    cluster, monkeypatch
):
    monkeypatch.setattr(placement, 'UPMAP_THREADS', 1)
    plan, control = run_plan(cluster), Control()
    bench = BenchPool(
        cluster,
        Journal(cluster, FakeClock()),
        plan,
        control.check,
        FakeClock(),
    )
    bench.prepare()
    order = cluster.pg_upmap_order

    def cancelled(*args):
        order(*args)
        control.request(RunState.CANCELLED, 'cancelled by an operator')

    cluster.pg_upmap_order = cancelled
    with pytest.raises(Stopped):
        bench.create(_pools(plan, True))
    assert len(cluster.called('pg_upmap_order')) == 1
    assert Journal(cluster, FakeClock()).undo_all(RUN).clean


# what goes wrong


@pytest.mark.parametrize(
    'verb',
    [
        'crush_add_root',
        'crush_link_host',
        'rule_create',
        'auth_create',
        'pool_create',
        'pool_set_application',
        'pool_set',
        'pool_set_quota',
        'pg_upmap_order',
        'kv_set',
    ],
)
@pytest.mark.parametrize('made', [False, True])
@pytest.mark.parametrize('when', [0, 1])
def test_any_failure_can_be_undone(cluster, verb, made, when):
    before = cluster.snapshot()
    plan = run_plan(cluster, by_hosts=True)
    bench = _bench(cluster, plan)
    cluster.fail_on(verb, made=made)
    cluster.failures[verb].skip = when
    with contextlib.suppress(TryAgain):  # not every verb is called twice
        bench.prepare()
        bench.create(_pools(plan, False))
        bench.create(_pools(plan, True))
    cluster.failures.clear()
    # another mgr, which knows nothing but the mon store
    assert Journal(cluster, FakeClock()).undo_all(RUN).clean
    assert cluster.snapshot() == before


@pytest.mark.parametrize(
    'taken',
    [
        lambda c: c.rule_create(
            f'perfcompare-{RUN}-arm', 'default', 'host', None
        ),
        lambda c: c.auth_create(f'client.perfcompare.{RUN}', {}),
        lambda c: c.crush_add_root(f'perfcompare-{RUN}-arm'),
    ],
)
def test_a_taken_name_is_neither_used_nor_removed(cluster, taken):
    taken(cluster)
    before = cluster.snapshot()
    bench = _bench(cluster, run_plan(cluster, by_hosts=True))
    with pytest.raises(AlreadyExists):
        bench.prepare()
    report = Journal(cluster, FakeClock()).undo_all(RUN)
    assert len(report.leftovers) == 1  # reported, as not ours
    assert cluster.snapshot() == before


def test_a_taken_pool_name_is_not_ours(cluster):
    plan = run_plan(cluster)
    pool, _ = _pools(plan, True)
    cluster.add_pool(pool.name)
    bench = _bench(cluster, plan)
    bench.prepare()
    with pytest.raises(AlreadyExists):
        bench.create([pool])
    assert bench.names() == frozenset()
    bench.remove([pool])
    assert pool.name in cluster.pool_table


def test_a_pool_of_the_wrong_size_is_refused(cluster):
    plan = run_plan(cluster)
    pool, _ = _pools(plan, True)
    bench = _bench(cluster, plan)
    bench.prepare()
    cluster.fail_on('pool_set')  # and the mon made nothing of it
    with pytest.raises(TryAgain):
        bench.create([dataclasses.replace(pool, min_size=2)])


def test_removal_needs_consent_where_it_is_forbidden(cluster):
    plan = run_plan(cluster)
    bench = _bench(cluster, plan)
    bench.prepare()
    bench.create(_pools(plan, True))
    cluster.config_set('mon', 'mon_allow_pool_delete', 'false')
    with pytest.raises(CommandFailed, match='mon_allow_pool_delete'):
        bench.remove(_pools(plan, True))


def test_removal_with_consent_restores_the_option(cluster):
    cluster.config_set('mon', 'mon_allow_pool_delete', 'false')
    before = cluster.snapshot()
    plan = run_plan(cluster, enable_pool_delete=True)
    bench = _bench(cluster, plan)
    bench.prepare()
    bench.create(_pools(plan, True))
    bench.remove(_pools(plan, True))
    assert cluster.config_get('mon', 'mon_allow_pool_delete') == 'false'
    assert Kind.CONFIG not in {e.kind for e in Journal(cluster).entries(RUN)}
    assert Journal(cluster, FakeClock()).undo_all(RUN).clean
    assert cluster.snapshot() == before


def test_unlinking_needs_a_root_of_a_run(cluster):
    for root in ('default', '', 'perfcompare'):
        with pytest.raises(NotPermitted):
            cluster.crush_unlink_host('arm-1', root)
