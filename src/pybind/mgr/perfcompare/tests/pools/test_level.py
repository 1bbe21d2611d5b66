"""Tests that a pool which was filled is served evenly, on the fake cluster."""

import errno
import random

import pytest

from ...common.errors import CommandFailed
from ...model.topology import PgContents
from ...pools.bench_pool import BenchPool
from ...pools.leading import led_max_mean
from ...undo.journal import Journal
from ..data.bench_data import run_plan
from ..fakes.clock import FakeClock
from ..fakes.cluster import FakeCluster


@pytest.fixture
def cluster():
    return FakeCluster()


def filled(cluster, plan):
    """Return pools of a run, and one of them with few objects in its PGs."""
    bench = BenchPool(
        cluster, Journal(cluster, FakeClock()), plan, clock=FakeClock()
    )
    bench.prepare()
    pool = next(p for g in plan.groups for p in g.pools if not p.per_round)
    bench.create([pool])
    rng = random.Random(1)
    ident = cluster.pool_table[pool.name].id
    for place in cluster.pg_map(pool.name):
        # objects that hold nothing are beside those that are read
        number = rng.randrange(5, 25)
        held = PgContents(number, rng.choice((0, 1, 1, 3)) << 22)
        cluster.pg_held[(ident, place.ps)] = held
    return bench, pool


def served(cluster, plan, pool, by='objects'):
    """Return how evenly the pool's contents are led, seen from outside."""
    ident = cluster.pool_table[pool.name].id
    return led_max_mean(
        {place.ps: place.up for place in cluster.pg_map(pool.name)},
        {
            ps: getattr(held, by)
            for (of, ps), held in cluster.pg_held.items()
            if of == ident
        },
        plan.group(pool.group).osds,
    )


def test_osds_lead_as_many_objects_of_a_filled_pool(cluster):
    plan = run_plan(cluster)
    bench, pool = filled(cluster, plan)
    before = served(cluster, plan, pool)
    sets = {place.ps: set(place.up) for place in cluster.pg_map(pool.name)}
    bench.level(pool)
    after = served(cluster, plan, pool)
    assert after < 1.01 < before
    assert bench.evidence(pool).objects_max_mean == pytest.approx(after, 1e-3)
    # no data move, and its PGs were waited for
    assert sets == {
        place.ps: set(place.up) for place in cluster.pg_map(pool.name)
    }
    names = [c.verb for c in cluster.calls]
    last = len(names) - names[::-1].index('pg_upmap_order')
    assert 'pg_now' in names[last:] and 'pg_stats_now' in names[last:]


def test_images_are_evened_by_their_bytes(cluster):
    plan = run_plan(cluster)
    bench, pool = filled(cluster, plan)
    before = served(cluster, plan, pool, 'bytes')
    bench.level(pool, images=True)
    after = served(cluster, plan, pool, 'bytes')
    assert after < 1.03 < before
    found = bench.evidence(pool)
    assert found.bytes_max_mean == pytest.approx(after, 1e-3)
    assert found.objects_max_mean == 0.0


@pytest.mark.parametrize('ec_profile', [None, 'default'])
def test_where_primaries_stay_it_is_only_looked_at(cluster, ec_profile):
    cluster.ec_profiles['default'].update(k='1', m='1')  # fits two hosts
    cluster.allows_upmap = ec_profile is not None
    plan = run_plan(cluster, False, ec_profile)
    bench, pool = filled(cluster, plan)
    where = cluster.pg_map(pool.name)
    bench.level(pool)
    assert cluster.pg_map(pool.name) == where
    found = bench.evidence(pool).objects_max_mean
    assert found > 1.0
    assert found == pytest.approx(served(cluster, plan, pool), 1e-3)


def test_primaries_that_do_not_answer_leave_it_unknown(cluster, monkeypatch):
    plan = run_plan(cluster)
    bench, pool = filled(cluster, plan)
    before = bench.evidence(pool)

    def gone(pool_id, ps):
        raise CommandFailed('pg query', errno.ENOENT, 'no such PG here')

    monkeypatch.setattr(cluster, 'pg_contents', gone)
    bench.level(pool)
    assert bench.evidence(pool) == before
    assert before.objects_max_mean == 0.0


def test_what_is_no_pool_of_ours_is_left_alone(cluster):
    plan = run_plan(cluster)
    bench, pool = filled(cluster, plan)
    bench.remove([pool])
    bench.level(pool)
    assert not cluster.called('pg_contents')


def test_what_moved_since_is_looked_at_anew(cluster):
    """The balancer may move a population between two trials."""
    plan = run_plan(cluster)
    bench, pool = filled(cluster, plan)
    bench.level(pool)
    before = bench.evidence(pool)
    asked = len(cluster.called('pg_contents'))

    def sets():
        return {place.ps: place.up for place in cluster.pg_map(pool.name)}

    bench.look_again(pool, sets())
    assert bench.evidence(pool) is before
    assert len(cluster.called('pg_contents')) == asked
    for ps, (first, second) in sets().items():
        if first > second:  # one OSD leads all
            cluster.pg_upmap_order(pool.name, ps, (second, first))
    bench.look_again(pool, sets())
    found = bench.evidence(pool)
    assert found.primaries_max_mean == found.objects_max_mean == 2.0
    assert found.objects_max_mean == served(cluster, plan, pool)


def test_a_look_that_fails_leaves_what_is_known(cluster, monkeypatch):
    plan = run_plan(cluster)
    bench, pool = filled(cluster, plan)
    before = bench.evidence(pool)

    def lost(name):
        raise CommandFailed('pg map', errno.ENOENT, 'no such pool')

    monkeypatch.setattr(cluster, 'pg_map', lost)
    bench.look_again(pool, {})
    assert bench.evidence(pool) is before
