"""S3 workloads in profiles and plans."""

from typing import Any, Dict

import json

import pytest

from ...common.codec import from_data, to_data
from ...common.errors import InvalidArgument, PerfcompareError
from ...model.group import GatewaySet, GroupSpec
from ...model.ownership import run_of
from ...model.plan import RunPlan
from ...model.topology import Topology
from ...model.workload import Op, Workload
from ...planning.estimate import PlanSettings, pool_of, timed, trial_deadline
from ...planning.plan import SMALL_PGS
from ...planning.profiles import catalog as profiles
from ...planning.s3 import mixes
from ...planning.s3 import plan as s3plan
from ...planning.s3 import shape
from ...report.plan import describe
from ..data.cluster_maps import build
from ..data.plans import RUN, erasure, hosts, make

SMOKE = 'c09c7596df48'
ALL = ('s3-put', 's3-get', 's3-stat', 's3-delete', 's3-mixed')
EXISTING: Dict[str, Any] = {
    'gateway_source': 'existing',
    'settings': PlanSettings(
        gateways={
            name: GatewaySet(name, (f'http://{name}:80',), dns_name='s3.x')
            for name in ('x86', 'arm')
        }
    ),
}


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
    assert pools['s3-meta'].pg_num <= SMALL_PGS


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
    assert pool_of(group, by_op[Op('write')]).role == 'write'
    assert pool_of(group, by_op[Op('s3-put')]).role == 's3-write-data'


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
    known = s3(settings=PlanSettings(client_arch='aarch64'))
    wanted = 'S3 gateways run on mgr-1 (aarch64), not on the groups'
    assert wanted in known.labels
    assert not any('S3' in label for label in make().labels)


def test_the_reader_is_told_who_makes_the_load() -> None:
    made = s3('s3-get', 's3-mixed', s3_client='warp')
    assert 'S3 load by warp' in made.labels
    assert not any('warp' in label for label in s3().labels)
    late = 'when a trial is over: ERROR_BUDGET cannot end one'
    assert any(label.endswith(late) for label in made.labels)
    through = s3('s3-get', **EXISTING, s3_client='warp')
    assert 'S3 load by warp' in through.labels
    assert not any('warp' in label for label in s3(**EXISTING).labels)


def test_warp_names_no_buckets_in_hosts() -> None:
    options = dict(EXISTING, s3_addressing='virtual')
    named = 'S3 buckets are named in hosts (virtual-host)'
    assert named in s3('s3-get', **options).labels
    with pytest.raises(InvalidArgument) as refused:
        s3('s3-get', **options, s3_client='warp')
    assert str(refused.value) == (
        '--s3-addressing virtual and --s3-client warp exclude each other: '
        'warp names buckets in paths here; leave one of them out'
    )


def test_erasure_coding_is_for_objects_only() -> None:
    topology = build(hosts('x86', 4) + hosts('arm', 4))
    made = s3(topology=topology, settings=erasure(), ec_profile='p')
    assert not any('allow_ec_overwrites' in label for label in made.labels)
    for group in made.groups:
        coded = {p.role for p in group.pools if p.ec_profile}
        assert coded == {'s3-data', 's3-write-data'}
        for pool in group.pools:
            if pool.role in coded:
                assert pool.rule == pool.name
                assert (pool.size, pool.min_size) == (3, 2)
            else:
                assert pool.rule == group.rule
                assert (pool.size, pool.min_size) == (3, 2)
    assert f'and rule perfcompare-{RUN}-x86' in describe(made)


def mixed_media() -> Topology:
    """Return hosts that have an OSD of their class and one of class ssd."""
    changes = {number: {'device_class': 'ssd'} for number in range(1, 12, 2)}
    found = hosts('x86', 3, osds=2) + hosts('arm', 3, osds=2)
    return build(found, changes=changes)  # type: ignore[arg-type]


def test_indexes_on_another_class_of_the_same_hosts() -> None:
    specs = [
        GroupSpec(kind, tuple(f'{kind}{i}' for i in range(3)), kind)
        for kind in ('x86', 'arm')
    ]
    made = s3(topology=mixed_media(), names=specs, rgw_index_class='ssd')
    for group, osds in zip(made.groups, ((1, 3, 5), (7, 9, 11))):
        assert group.index_osds == osds
        assert group.index_root == group.root
        assert run_of(group.index_rule) == RUN
        for pool in group.pools:
            index = pool.role in s3plan.INDEX
            assert (pool.rule == group.index_rule) is index
            assert group.osds_of(pool) == (osds if index else group.osds)
    assert 'device class ssd, 3 OSDs: S3 bucket indexes' in describe(made)


def test_indexes_of_a_group_by_class_are_on_all_of_the_other() -> None:
    made = s3(topology=mixed_media(), rgw_index_class='ssd')
    assert {g.index_osds for g in made.groups} == {(1, 3, 5, 7, 9, 11)}
    assert {g.index_root for g in made.groups} == {'default'}


def test_the_class_of_the_group_itself_is_no_other_place() -> None:
    made = s3(names=('x86',), rgw_index_class='x86')
    assert made.groups[0].index_rule == ''


@pytest.mark.parametrize(
    'names, wanted, why',
    [
        (('x86', 'arm'), 'nvme', 'has no OSD'),
        (('x86', 'arm'), 'arm', 'no group of the run has'),
    ],
)
def test_index_classes_that_cannot_be(
    names: Any, wanted: str, why: str
) -> None:
    with pytest.raises(PerfcompareError, match=why):
        s3(topology=mixed_media(), names=names, rgw_index_class=wanted)


def test_options_of_gateways_are_labels() -> None:
    labels = s3('s3-put', gateways=3, s3_tls=True).labels
    assert '3 S3 gateways for each group' in labels
    assert 'S3 through TLS' in labels


@pytest.mark.parametrize(
    'options',
    [
        {'workloads': ('s3-put',), 'gateways': 0},
        {'workloads': ('s3-put',), 'gateways': 17},
        {'workloads': ('write',), 'gateways': 2},
        {'workloads': ('write',), 's3_tls': True},
        {'workloads': ('write',), 'rgw_index_class': 'ssd'},
        {'workloads': ('write',), 'rate': 100.0},
        {'workloads': ('s3-delete',), 'rate': 100.0},
        {'workloads': ('s3-put',), 'rate': 0.0},
        {'workloads': ('write',), 'sizes': None, 'read_sizes': '4K'},
        {'workloads': ('s3-get',), 'read_sizes': '4K:1', 'sizes': ('4K',)},
        {'workloads': ('s3-get',), 'sizes': None, 'read_sizes': '4K:0'},
        {'workloads': ('s3-get',), 'sizes': None, 'read_sizes': '4K,4K'},
        {'workloads': ('s3-get',), 'sizes': None, 'read_sizes': '1G'},
    ],
)
def test_options_that_cannot_be(options: Any) -> None:
    options.setdefault('sizes', ('4K',))
    with pytest.raises(InvalidArgument, match='--|out of range'):
        make(concurrency=('16',), **options)


def test_a_rate_by_option() -> None:
    made = s3('s3-get', 's3-put', sizes=('4K',), rate=500.0)
    assert {w.rate for w in made.profile.workloads} == {500.0}
    assert 's3-get-4K-c16-r500' in {w.name for w in made.profile.workloads}


def test_weighted_sizes_by_option() -> None:
    made = s3(
        's3-get', 's3-put', 's3-mixed', sizes=None,
        read_sizes='4M:80,2560K:10,1920K:5,1280K:5', write_sizes='4M,1M',
    )  # fmt: skip
    by_op = {w.op: w for w in made.profile.workloads}
    get, put, mixed = (
        by_op[o] for o in (Op('s3-get'), Op('s3-put'), Op('s3-mixed'))
    )
    assert get.name == 's3-get-mix3.61M-c16' and not get.write_sizes
    assert put.size == 2.5 * 1024**2 and not put.read_sizes
    assert [i.size for i in mixed.write_sizes] == [4 << 20, 1 << 20]
    assert mixed.read_sizes == get.read_sizes
    text = describe(made)
    assert 'reads 4M 80 %, 2560K 10 %' in ' '.join(text.split())
    assert from_data(RunPlan, json.loads(json.dumps(to_data(made)))) == made


def test_weighted_sizes_in_a_profile() -> None:
    text = """
name: dvr
rounds: 7
workloads:
- op: [s3-get, s3-put]
  concurrency: 32
  read_sizes: {4M: 80, 1M: 20}
  write_sizes: {4M: 1, 1M: 1}
"""
    found = profiles.load(text)
    get, put = found.workloads
    assert [i.weight for i in get.read_sizes] == [80.0, 20.0]
    assert put.size == 2.5 * 1024**2
    one = profiles.load(text.replace('{4M: 80, 1M: 20}', '4M'))
    assert one.workloads[0].size == 4 << 20
    assert one.workloads[0].read_sizes == ()
    for bad in ('{4M: many}', '[4M]', '{4M: 80, 4096K: 1}', '{}'):
        with pytest.raises(InvalidArgument, match='read_sizes'):
            profiles.load(text.replace('{4M: 80, 1M: 20}', bad))
    with pytest.raises(InvalidArgument, match='exclude'):
        profiles.load(text + '  size: 4K\n')


def test_the_mix_is_that_of_the_study() -> None:
    put, get, stat, delete = mixes.of_op(Op('s3-mixed'))[:4]
    assert (get, put, stat, delete) == (45, 35, 15, 5)
    for op in map(Op, Op.known()):
        if shape.shaped(op):
            assert sum(mixes.of_op(op)) > 0


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


def test_the_object_part_of_the_study_is_complete() -> None:
    for name in ('talk-2018', 'talk-2018-short'):
        found = profiles.get(name).workloads
        assert len(found) == 18
        s3_part = {(w.op.value, w.size, str(w.concurrency)) for w in found}
        for op in ('s3-put', 's3-get', 's3-delete'):
            assert (op, 64 << 10, '250') in s3_part
            assert (op, 4 << 20, '200') in s3_part
        rados = {w.name for w in found if w.op.direct}
        part = profiles.get(name.replace('2018', '2018-rados')).workloads
        assert rados == {w.name for w in part}


def test_segments_are_weighted_apart_for_reads_and_writes() -> None:
    found = {w.op: w for w in profiles.get('intel-objects').workloads[4:]}
    reads, writes = (
        found[Op('s3-get')].read_sizes,
        found[Op('s3-put')].write_sizes,
    )
    assert [i.weight for i in reads] == [80, 10, 5, 5]
    assert [i.weight for i in writes] == [25] * 4
