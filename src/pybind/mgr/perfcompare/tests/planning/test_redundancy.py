from typing import Any, Dict

import dataclasses

import pytest

from ...common.errors import InvalidArgument
from ...model.topology import Topology
from ...planning.rados import planner as rados
from ..data.cluster_maps import build
from ..data.plans import RUN, erasure, hosts, make


def test_weakest_group_decides_the_size_of_all() -> None:
    three = build(hosts('a', 5) + hosts('b', 3))
    made = make(three, ['a', 'b'])
    assert (made.size, made.min_size, made.failure_domain) == (3, 2, 'host')
    two = build(hosts('a', 5) + hosts('b', 2))
    made = make(two, ['a', 'b'])
    assert (made.size, made.min_size) == (2, 1)
    assert {p.size for g in made.groups for p in g.pools} == {2}
    assert any('size 2, min_size 1' in label for label in made.labels)
    assert any("'b' has two hosts" in label for label in made.labels)


def test_two_replicas_when_asked_are_labelled() -> None:
    found = build(hosts('a', 4) + hosts('b', 4))
    made = make(found, ['a', 'b'], replicas=2)
    assert (made.size, made.min_size) == (2, 1)
    assert 'size 2, min_size 1' in made.labels
    four = make(found, ['a', 'b'], replicas=4)
    assert (four.size, four.min_size) == (4, 2)


@pytest.mark.parametrize(
    'topology, options, message',
    [
        (build(hosts('a', 1, osds=4)), {}, "'a' has 1 host .*4 OSDs"),
        (build(hosts('a', 1)), {}, 'replicas need 2 hosts'),
        (build(hosts('a', 3)), {'replicas': 4}, 'needs 4 hosts.* has 3'),
        (build(hosts('a', 3)), {'replicas': 1}, 'give 2 to 10'),
        (build(hosts('a', 3)), {'replicas': 11}, 'give 2 to 10'),
        (build(hosts('a', 3)), {'pg_num': 100}, 'power of two.*128'),
        (build(hosts('a', 3)), {'pg_num': 0}, 'power of two'),
        (
            build(hosts('a', 3)),
            {'replicas': 2, 'ec_profile': 'e'},
            'exclude each other',
        ),
        (build(hosts('a', 3)), {'ec_profile': 'e'}, 'could not be read'),
    ],
)
def test_impossible_protection_is_refused(
    topology: Topology, options: Dict[str, Any], message: str
) -> None:
    with pytest.raises(InvalidArgument, match=message) as error:
        make(topology, ['a'], **options)
    assert '\n' not in str(error.value)


def test_erasure_code() -> None:
    found = build(hosts('a', 3))
    made = make(found, ['a'], settings=erasure(), ec_profile='two')
    # with one coding chunk as a pool of Ceph's: it can lose an OSD
    assert (made.size, made.min_size) == (3, 2)
    (group,) = made.groups
    for pool in group.pools:
        assert pool.ec_profile == f'perfcompare-{RUN}-a'
        assert pool.rule == pool.name
        assert (pool.min_size, pool.copies) == (2, 1.5)
    assert 'erasure code 2+1 (two)' in made.labels
    # 4K objects are no whole stripe of 2 x 4K: rados bench would round
    assert rados.EC_OVERWRITES in made.labels
    assert all(p.overwrites for p in group.pools)
    aligned = make(
        found, ['a'], settings=erasure(), ec_profile='two', sizes=('64K',)
    )
    assert rados.EC_OVERWRITES not in aligned.labels
    assert not any(p.overwrites for p in aligned.groups[0].pools)


def test_plans_of_older_versions_have_a_min_size_of_one_more_than_k() -> None:
    made = make(build(hosts('a', 3)), ['a'])
    pool, *_ = made.groups[0].pools
    old = dataclasses.replace(pool, size=3, min_size=3, ec_profile='e')
    assert (pool.copies, old.copies) == (3.0, 1.5)


@pytest.mark.parametrize('m, min_size', [('1', 4), ('2', 5), ('3', 5)])
def test_min_size_of_an_erasure_code_is_what_ceph_gives(
    m: str, min_size: int
) -> None:
    made = make(
        build(hosts('a', 7)),
        ['a'],
        settings=erasure(k='4', m=m),
        ec_profile='e',
    )
    assert made.min_size == min_size
    assert {p.copies for p in made.groups[0].pools} == {made.size / 4}


def test_stripes_are_what_the_mons_would_make_of_a_profile() -> None:
    """16 KiB in force: 64 KiB are no whole stripe of 8 chunks any more."""
    found = build(hosts('a', 12))
    mons = dataclasses.replace(erasure(k='8', m='3'), stripe_unit=16384)
    made = make(found, ['a'], settings=mons, ec_profile='e', sizes=('64K',))
    pool, *_ = made.groups[0].pools
    assert (pool.data_chunks, pool.stripe_width) == (8, 8 * 16384)
    assert rados.EC_OVERWRITES in made.labels and pool.overwrites
    own = dataclasses.replace(
        mons, ec_profile={**(mons.ec_profile or {}), 'stripe_unit': '4Ki'}
    )
    made = make(found, ['a'], settings=own, ec_profile='e', sizes=('64K',))
    assert not any(p.overwrites for p in made.groups[0].pools)


@pytest.mark.parametrize(
    'values, chunk',
    [
        ({'technique': 'reed_sol_van'}, 4096),
        ({'technique': 'cauchy_good'}, 8 * 2048 * 4),
        ({'technique': 'cauchy_good', 'packetsize': '64'}, 4096),
        ({'technique': 'liberation'}, 7 * 2048 * 4),
    ],
)
def test_codes_of_packets_pad_their_chunks(
    values: Dict[str, str], chunk: int
) -> None:
    made = make(
        build(hosts('a', 4)),
        ['a'],
        settings=erasure(plugin='jerasure', m='2', **values),
        ec_profile='e',
    )
    pool, *_ = made.groups[0].pools
    assert pool.stripe_width == 2 * chunk


def test_failure_domain_of_an_erasure_code_profile_counts() -> None:
    found = build(hosts('a', 2, osds=3))
    settings = erasure(crush_failure_domain='osd', m='2', k='4')
    made = make(found, ['a'], settings=settings, ec_profile='wide')
    assert (made.size, made.min_size, made.failure_domain) == (6, 5, 'osd')
    assert 'failure domain osd' in made.labels


def test_osds_below_no_host_are_refused_but_for_failure_domain_osd() -> None:
    """CRUSH could choose by host none of them."""
    changes: Dict[int, Dict[str, object]] = {4: {'host': ''}, 5: {'host': ''}}
    found = build(hosts('a', 6), changes=changes)
    named = 'no bucket of type host is above osd.4, osd.5'
    with pytest.raises(InvalidArgument, match=named):
        make(found, ['a'])
    with pytest.raises(InvalidArgument, match=named):
        make(found, ['a'], settings=erasure(), ec_profile='two')
    settings = erasure(crush_failure_domain='osd')
    made = make(found, ['a'], settings=settings, ec_profile='two')
    assert made.groups[0].osds == (0, 1, 2, 3, 4, 5)


@pytest.mark.parametrize(
    'values, message',
    [
        ({}, 'needs 3 hosts, but group .a. has 2; .*failure-domain=osd'),
        ({'crush_failure_domain': 'rack'}, "failure domain 'rack'"),
        ({'plugin': 'lrc'}, "plugin 'lrc'"),
        ({'k': 'x'}, 'k=x'),
        ({'m': '0'}, 'm=0'),
        (
            {'crush_failure_domain': 'osd', 'k': '8'},
            'needs 9 OSDs, but group .a. has 2',
        ),
    ],
)
def test_unusable_erasure_code(values: Dict[str, str], message: str) -> None:
    found = build(hosts('a', 2))
    with pytest.raises(InvalidArgument, match=message):
        make(found, ['a'], settings=erasure(**values), ec_profile='e')
