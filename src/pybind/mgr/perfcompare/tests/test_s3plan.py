"""S3 workloads in profiles and plans."""

from typing import Any

import json

import pytest

from .. import profiles, s3plan
from ..codec import from_data, to_data
from ..errors import InvalidArgument
from ..estimate import pool_of, timed, trial_deadline
from ..models import Op, RunPlan, Workload
from .cluster_maps import build
from .plans import RUN, erasure, hosts, make

SMOKE = 'c09c7596df48'
ALL = ('s3-put', 's3-get', 's3-stat', 's3-delete', 's3-mixed')


def s3(*ops: str, **options: Any) -> RunPlan:
    options.setdefault('sizes', ('4K', '4M'))
    return make(workloads=ops or ALL, concurrency=('16',), **options)


def test_the_names_of_workloads() -> None:
    made = s3(sizes=('4K',))
    assert sorted(w.name for w in made.profile.workloads) == sorted(
        f'{op}-4K-c16' for op in ALL
    )
    assert {w.tool for w in made.profile.workloads} == {'s3'}
    assert {w.cache for w in made.profile.workloads} == {None}


def test_pools_by_role_and_life() -> None:
    made = s3()
    pools = {p.role: p for p in made.groups[0].pools}
    assert list(pools) == [s3plan.META, *s3plan.READ, *s3plan.WRITE]
    assert {r for r, p in pools.items() if p.per_round} == set(s3plan.WRITE)
    assert pools['s3-data'].name == f'perfcompare.{RUN}.x86.s3-data'
    assert len({p.rule for p in pools.values()}) == 1
    assert all(p.max_bytes > 0 for p in pools.values())
    assert pools['s3-meta'].pg_num <= s3plan.SMALL_PGS


def test_reads_alone_need_no_write_pools_and_the_other_way() -> None:
    assert [p.role for p in s3('s3-get').groups[0].pools] == [
        s3plan.META,
        *s3plan.READ,
    ]
    assert [p.role for p in s3('s3-mixed').groups[0].pools] == [
        s3plan.META,
        *s3plan.WRITE,
    ]


def test_rados_and_s3_go_together() -> None:
    made = s3('write', 's3-put', sizes=('4K',))
    roles = [p.role for p in made.groups[0].pools]
    assert roles == ['write', s3plan.META, *s3plan.WRITE]
    group = made.groups[0]
    by_op = {w.op: w for w in made.profile.workloads}
    assert pool_of(group, by_op[Op.WRITE]).role == 'write'
    assert pool_of(group, by_op[Op.S3_PUT]).role == 's3-write-data'


def test_the_plan_survives_json() -> None:
    made = s3()
    assert from_data(RunPlan, json.loads(json.dumps(to_data(made)))) == made


def test_all_workloads_of_a_round_fit_their_pool() -> None:
    made = s3()
    for group in made.groups:
        osds = len(group.osds)
        written = 0
        for workload in made.profile.workloads:
            if workload.reads:
                continue
            most = s3plan.bound(made, workload, group.name)
            own = s3plan.own_objects(workload, osds, most)
            assert own <= most
            written += most * workload.size
        assert written <= s3plan.pool(group, 's3-write-data').max_bytes


def test_what_is_stored_lowers_the_bound() -> None:
    made = s3('s3-put', sizes=('4K',))
    (workload,) = made.profile.workloads
    most = s3plan.bound(made, workload, 'x86')
    assert s3plan.bound(made, workload, 'x86', 4096 * 1000) == most - 1000
    # what is in flight must have room
    assert s3plan.bound(made, workload, 'x86', 1 << 50) == 4 * 16


def test_the_same_population_for_get_and_stat() -> None:
    made = s3('s3-get', 's3-stat')
    found = {
        s3plan.population(made, w, 'x86')
        for w in made.profile.workloads
        if w.size == 4096
    }
    assert len(found) == 1
    osds = len(made.groups[0].osds)
    assert found.pop() >= s3plan.READ_OBJECTS * osds


def test_time_counts_what_is_written_first() -> None:
    made = s3('s3-mixed', sizes=('4K',))
    assert s3plan.fill_seconds(made) > s3plan.STOP
    assert timed(made).seconds > s3plan.fill_seconds(made)
    rados = make(workloads=('write',), sizes=('4K',))
    assert s3plan.fill_seconds(rados) == 0
    (workload,) = made.profile.workloads
    assert trial_deadline(workload) > workload.duration + 200


def test_the_reader_is_told_where_the_gateways_are() -> None:
    assert 'S3 gateways run on mgr-1, not on the groups' in s3().labels
    assert not any('S3' in label for label in make().labels)


def test_erasure_coding_is_refused_so_far() -> None:
    topology = build(hosts('x86', 4) + hosts('arm', 4))
    with pytest.raises(InvalidArgument, match='--ec-profile'):
        s3(topology=topology, settings=erasure(), ec_profile='p')


def test_the_mix_is_that_of_the_study() -> None:
    put, get, stat, delete = s3plan.MIXES[Op.S3_MIXED]
    assert (get, put, stat, delete) == (45, 35, 15, 5)
    assert set(s3plan.MIXES) == {op for op in Op if op.s3}


def profile(rate: Any, op: str = 's3-get') -> str:
    return f"""
name: own
rounds: 7
workloads:
- op: {op}
  size: 4K
  concurrency: 64
  rate: {rate}
"""


def test_a_rate_is_part_of_name_and_version() -> None:
    found = profiles.load(profile(500))
    assert [w.name for w in found.workloads] == ['s3-get-4K-c64-r500']
    assert found.workloads[0].rate == 500.0
    assert found.version != profiles.load(profile(600)).version


@pytest.mark.parametrize(
    'rate, op',
    [
        (0, 's3-get'),
        (-1, 's3-get'),
        ('fast', 's3-get'),
        (5, 'write'),
        (5, 's3-delete'),
    ],
)
def test_rates_that_cannot_be(rate: Any, op: str) -> None:
    with pytest.raises(InvalidArgument, match='rate'):
        profiles.load(profile(rate, op))


def test_versions_of_profiles_without_a_rate_stay() -> None:
    # as stored by the first version of the module
    assert profiles.get('smoke').version == SMOKE


def test_workloads_of_stored_runs_can_be_read() -> None:
    data = to_data(profiles.get('smoke').workloads[0])
    del data['rate']
    assert from_data(Workload, data).rate is None


@pytest.mark.parametrize(
    'values', [{'sizes': ('512M',)}, {'concurrency': ('2001',)}]
)
def test_limits(values: Any) -> None:
    with pytest.raises(InvalidArgument):
        make(workloads=('s3-put',), **values)


def test_large_objects_are_allowed_where_a_gateway_splits_them() -> None:
    made = make(workloads=('s3-put',), sizes=('256M',), concurrency=('4',))
    assert made.profile.workloads[0].size == 256 << 20
