"""How S3 operations are done: mixes, ranges, pages, parts."""

from typing import Any

import dataclasses
import json

import pytest

from ...common.codec import from_data, to_data
from ...common.errors import InvalidArgument
from ...model.plan import RunPlan
from ...model.workload import WeightedOp, Workload
from ...planning import sizes
from ...planning.profiles import catalog as profiles
from ...planning.s3 import plan as s3plan
from ...planning.s3 import shape
from ...report.plan import describe
from ...worker.wire.s3_spec import OPS, Details
from ..data.plans import make

NEW = (
    's3-range',
    's3-list',
    's3-overwrite',
    's3-multidelete',
    's3-multipart',
    's3-copy',
)


def s3(*ops: str, size: str = '8M', **options: Any) -> RunPlan:
    sizes = (size,) if size else None  # none: those of the mix
    return make(workloads=ops, sizes=sizes, concurrency=('16',), **options)


def names(plan: RunPlan) -> Any:
    return {w.name for w in plan.profile.workloads}


def only(plan: RunPlan) -> Workload:
    (found,) = plan.profile.workloads
    return found


def test_new_operations_have_names() -> None:
    assert names(s3(*NEW)) == {
        's3-range-8M-c16-range64K',
        's3-list-8M-c16',
        's3-overwrite-8M-c16',
        's3-multidelete-8M-c16',
        's3-multipart-8M-c16',
        's3-copy-8M-c16',
    }


def test_what_is_not_by_default_is_in_the_name() -> None:
    found = s3(
        *NEW, range_size='1M', list_keys=100, delete_batch=50,
        part_size='5M', part_streams=2,
    )  # fmt: skip
    assert names(found) == {
        's3-range-8M-c16-range1M',
        's3-list-8M-c16-k100',
        's3-overwrite-8M-c16',
        's3-multidelete-8M-c16-x50',
        's3-multipart-8M-c16-part5M-j2',
        's3-copy-8M-c16',
    }
    assert 'multi-deletes of 50 objects' in ' '.join(describe(found).split())


def test_defaults_that_are_given_are_the_defaults() -> None:
    plain = s3('s3-multipart', 's3-list')
    said = s3(
        's3-multipart', 's3-list', list_keys=1000, part_size='8M',
        part_streams=4,
    )  # fmt: skip
    assert plain.profile == said.profile


def test_a_range_is_no_larger_than_an_object() -> None:
    workload = only(s3('s3-range', size='4K'))
    assert workload.name == 's3-range-4K-c16-range4K'
    with pytest.raises(InvalidArgument, match='range of 64K is more than an'):
        s3('s3-range', size='4K', range_size='64K')


def test_a_mix_is_part_of_name_plan_and_version() -> None:
    plain = s3('s3-mixed')
    own = s3('s3-mixed', mix='get=70,put=20,list=10')
    same = s3('s3-mixed', mix='put=2, list=1, get=7')
    assert names(plain) == {'s3-mixed-8M-c16'}
    assert names(own) == {'s3-mixed-8M-c16-g70p20l10'}
    assert own.profile == same.profile
    assert own.profile.version != plain.profile.version
    assert from_data(RunPlan, json.loads(json.dumps(to_data(own)))) == own
    text = ' '.join(describe(own).split())
    assert 'mix of get 70 %, put 20 %, list 10 %' in text


def test_a_checksum_is_part_of_the_name_where_contents_are_sent() -> None:
    plain = s3('s3-put', 's3-get', 's3-multipart')
    found = s3('s3-put', 's3-get', 's3-multipart', checksum='crc64nvme')
    assert names(found) == {
        's3-put-8M-c16-crc64nvme', 's3-get-8M-c16',
        's3-multipart-8M-c16-crc64nvme',
    }  # fmt: skip
    assert 'CRC64NVME behind contents' in ' '.join(describe(found).split())
    said = s3('s3-put', 's3-get', 's3-multipart', checksum='none')
    assert said.profile == plain.profile
    (put,) = [w for w in found.profile.workloads if w.op == 's3-put']
    assert shape.details(put).checksum == 'crc64nvme'
    assert shape.gentle(put) == Details(checksum='crc64nvme')


def test_encrypted_objects_are_a_population_of_their_own() -> None:
    found = s3('s3-put', 's3-get', encryption='sse-c', tags=2)
    assert names(found) == {
        's3-put-8M-c16-sse-c-tags2', 's3-get-8M-c16-sse-c',
    }  # fmt: skip
    text = ' '.join(describe(found).split())
    assert 'encrypted by the gateways (sse-c), written with 2 tags' in text
    put, get = sorted(found.profile.workloads, key=lambda w: w.op != 's3-put')
    assert shape.prefix(get) == '8M-sse-c-'
    assert shape.gentle(put) == Details(tags=2)
    plain = s3('s3-put', 's3-get')
    said = s3('s3-put', 's3-get', encryption='none', tags=0)
    assert said.profile == plain.profile


def test_populations_of_both_kinds_take_room_for_both() -> None:
    both = profiles.load(
        'name: own\nrounds: 3\nworkloads:\n'
        '- {op: s3-get, size: 1M, concurrency: 8}\n'
        '- {op: s3-get, size: 1M, concurrency: 8, encryption: sse-c}\n'
    )
    one = dataclasses.replace(both, workloads=both.workloads[:1])
    whole, half = (
        s3plan.max_bytes(p, s3plan.READ[1], 4) for p in (both, one)
    )
    assert whole == 2 * half > 0


def test_the_mix_of_the_study_is_none_of_its_own() -> None:
    said = s3('s3-mixed', mix='get=45,put=35,stat=15,delete=5')
    assert only(said).s3 is None
    assert said.profile == s3('s3-mixed').profile


def test_a_mix_in_a_profile() -> None:
    found = profiles.load(
        'name: own\nrounds: 3\nworkloads:\n- op: s3-mixed\n  size: 1M\n'
        '  concurrency: 8\n  range_size: 4K\n'
        '  mix: {get: 1, put: 1, range: 2}\n'
    )
    (workload,) = found.workloads
    assert workload.name == 's3-mixed-1M-c8-r50p25g25-range4K'
    assert workload.s3 is not None
    assert workload.s3.mix == (
        WeightedOp('range', 50.0),
        WeightedOp('put', 25.0),
        WeightedOp('get', 25.0),
    )
    assert shape.details(workload) == Details(range_size=4096)


SIZED = 'get=60:4K,range=5:8M,put=25:1M,multipart=5:64M,stat=5'


def test_a_mix_can_have_sizes_of_each_operation() -> None:
    plan = s3('s3-mixed', size='', mix=SIZED)
    workload = only(plan)
    assert workload.name == 's3-mixed-mix11.5M-c16-' + (
        'g60:4Kp25:1Ms5r5:8Mu5:64M-range64K'
    )
    details = shape.details(workload)
    by_op = dict(zip(OPS, details.sizes))
    assert {op: size for op, size in by_op.items() if size} == {
        'get': 4 << 10, 'range': 8 << 20, 'put': 1 << 20,
        'multipart': 64 << 20,
    }  # fmt: skip
    # as many objects of each size that is read; writes by their shares
    assert {(s.size, s.weight) for s in workload.read_sizes} == {
        (4 << 10, 1.0), (8 << 20, 1.0),
    }  # fmt: skip
    assert workload.size == (25 * (1 << 20) + 5 * (64 << 20) + 29) // 30
    assert from_data(Workload, to_data(workload)) == workload


def test_a_mix_of_one_size_is_the_workload_of_that_size() -> None:
    one = only(s3('s3-mixed', size='', mix='get=70:4K,put=30:4K'))
    assert one == only(s3('s3-mixed', mix='get=70,put=30', size='4K'))


def test_sizes_of_a_mix_in_a_profile() -> None:
    text = (
        'name: own\nrounds: 3\nworkloads:\n- op: s3-mixed\n'
        "  concurrency: 8\n  mix: {get: '1:4K', put: '1:1M'}\n"
    )
    (workload,) = profiles.load(text).workloads
    assert workload.name == 's3-mixed-mix1M-c8-p50:1Mg50:4K'
    with pytest.raises(InvalidArgument, match='leave out size'):
        profiles.load(text + '  size: 1M\n')
    with pytest.raises(InvalidArgument, match='size is missing'):
        profiles.load(text.replace('s3-mixed', '[s3-mixed, s3-get]'))


@pytest.mark.parametrize(
    'options, why',
    [
        ({'mix': 'get'}, "--mix: get: '' is not a share"),
        ({'mix': 'get=-1'}, 'is not a share'),
        ({'mix': 'get=nan,put=1'}, 'is not a share'),
        ({'mix': 'fetch=1'}, "'fetch' is not one of put, get"),
        ({'mix': 'get=1,get=2'}, 'get is given twice'),
        ({'mix': 'get=1:4K,put=1'}, 'put has no size and others have'),
        ({'mix': 'get=1:x,put=1:1M'}, "--mix: get: 'x' is not a size"),
        ({'mix': 'get=1:,put=1:1M'}, '--mix: get: '),
        ({'mix': 'get=1:300M,put=1:1M'}, 'get: size 300M is out of range'),
        ({'mix': 'get=1:4K,list=1:4K'}, "list: '4K' is not used"),
        (
            {'mix': 'get=1:4K,put=1:1M'},
            'the mix of s3-mixed has sizes of its own',
        ),
        (
            {'mix': 'range=1:4K,put=1:1M', 'range_size': '8K', 'size': ''},
            'a range of 8K is more than an object of 4K',
        ),
        (
            {
                'mix': 'get=1:4K,range=1:8K,put=1:1M',
                'prefill': '20',
                'size': '',
            },
            '--prefill 20 is 20 objects for 2 sizes that are read; give 32',
        ),
        ({'mix': 'get=1e6,put=1'}, 'at least 0.1 %'),
        ({'mix': 'put=10,delete=20'}, 'deletes 66.67 objects for 33.33'),
        ({'mix': 'put=50,multidelete=50'}, 'deletes 5000 objects for 50'),
        ({'mix': 'get=1', 'range_size': '4K'}, 'mixes with range; none'),
        ({'list_keys': 1001}, '1001 is out of range; give 1 to 1000'),
        ({'part_size': '1M'}, "'1M' is out of range; give 5M to 5G"),
        ({'part_streams': 4}, '--part-streams is for s3-multipart'),
        ({'range_size': 'x'}, '--range-size: '),
        (
            {'encryption': 'kms'},
            "--encryption: 'kms' is not a valid encryption; give",
        ),
        ({'encryption': 'sse-s3'}, '--encryption sse-s3 needs gateways with'),
        ({'tags': 11}, '--tags 11 is out of range; give 0 to 10'),
        ({'mix': 'get=1', 'tags': 1}, '--tags is for operations that send'),
        (
            {'checksum': 'md5'},
            "--checksum: 'md5' is not a valid checksum; give none",
        ),
        ({'mix': 'get=1', 'checksum': 'crc32'}, '--checksum is for operat'),
    ],
)
def test_shapes_that_cannot_be(options: Any, why: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        s3('s3-mixed', **options)
    assert why in str(caught.value)
    assert '\n' not in str(caught.value)


def test_a_mix_needs_a_mixed_workload() -> None:
    with pytest.raises(InvalidArgument, match='--mix is for s3-mixed'):
        s3('s3-get', mix='get=1,put=1')


def test_warp_gets_what_it_can_do_only() -> None:
    found = s3('s3-mixed', mix='get=90,put=10', s3_client='warp')
    assert only(found).tool == 'warp'
    with pytest.raises(InvalidArgument, match='warp uses all objects alike'):
        s3('s3-mixed', keys='zipf', s3_client='warp')
    for options in ({'mix': 'get=90,copy=10'}, {}):
        with pytest.raises(InvalidArgument, match='warp'):
            op = 's3-mixed' if options else 's3-range'
            s3(op, s3_client='warp', **options)


def test_pools_and_bounds_of_new_operations() -> None:
    for op in NEW:
        made = s3(op)
        workload, group = only(made), made.groups[0]
        roles = [p.role for p in group.pools]
        if workload.reads:
            assert roles == [s3plan.META, *s3plan.READ]
            continue
        assert roles == [s3plan.META, *s3plan.WRITE]
        most = s3plan.bound(made, workload, group.name)
        own = s3plan.own_objects(workload, len(group.osds), most)
        assert (own > 0) == (workload.op != 's3-multipart')
        held = s3plan.pool(group, s3plan.WRITE[1]).max_bytes
        new = s3plan.new_objects(workload, own, most)
        stays = s3plan.own_bytes(workload, own) + new * workload.size
        assert stays + s3plan.probe_bytes([workload]) <= held
        assert s3plan.written(workload, 100) == (
            0 if workload.op.takes else 100
        )


def test_objects_of_five_gigabytes_go_in_parts_only() -> None:
    found = only(s3('s3-multipart', size='5G'))
    assert s3plan.probe_objects(found) * s3plan.probe_size(found) <= (
        s3plan.PROBE_BYTES
    )
    for op, size in (('s3-put', '5G'), ('s3-multipart', '6G')):
        with pytest.raises(InvalidArgument, match='out of range'):
            s3(op, size=size)


def test_more_parts_than_s3_has() -> None:
    with pytest.raises(InvalidArgument, match='4096 connections'):
        make(
            workloads=('s3-multipart',), sizes=('1G',), concurrency=('128',),
            part_streams=64,
        )  # fmt: skip


def test_keys_and_arrivals_are_part_of_name_and_plan() -> None:
    found = s3('s3-get', keys='zipf', rate=500.0, arrivals='poisson')
    workload = only(found)
    assert workload.name == 's3-get-8M-c16-r500-zipf0.99-poisson'
    how = shape.details(workload)
    assert how.zipf == 0.99 and how.poisson
    hot = only(s3('s3-mixed', keys='hot:20:80'))
    assert hot.name == 's3-mixed-8M-c16-hot20:80'
    how = shape.details(hot)
    assert (how.hot_objects, how.hot_uses, how.poisson) == (0.2, 0.8, False)
    assert 'objects used by zipf:0.99' in ' '.join(describe(found).split())


@pytest.mark.parametrize(
    'text, name, think, exponential, said',
    [
        ('20ms', 'think20ms', 0.02, False, 'pauses of 20ms between'),
        ('0.02 s', 'think20ms', 0.02, False, 'pauses of 20ms between'),
        ('exp:1.5s', 'thinkexp1500ms', 1.5, True, 'operations on average'),
    ],
)
def test_think_time_is_part_of_name_and_plan(
    text: str, name: str, think: float, exponential: bool, said: str
) -> None:
    found = s3('s3-put', think_time=text)
    workload = only(found)
    assert workload.name == f's3-put-8M-c16-{name}'
    how = shape.details(workload)
    assert (how.think, how.exponential) == (think, exponential)
    # the gentle start has no users
    assert shape.gentle(workload).think == 0
    assert said in ' '.join(describe(found).split())


def test_think_time_makes_for_less_to_write() -> None:
    def planned(**options: Any) -> int:
        plan = s3('s3-put', size='4K', **options)
        return plan.groups[0].pools[-1].max_bytes

    assert planned(think_time='1s') < planned() / 5
    assert planned(think_time='none') == planned()


@pytest.mark.parametrize(
    'text',
    [
        '',
        'often',
        '-1s',
        '0.5ms',
        '61s',
        'exp:',
        'exp:exp:1s',
        '1e3s',
        '٣s',
        '1' * 5000,
    ],
)
def test_think_times_that_cannot_be(text: str) -> None:
    with pytest.raises(
        InvalidArgument, match='--think-time: .*not a time between'
    ) as found:
        s3('s3-put', think_time=text)
    assert len(found.value.message) < 300


def test_think_time_that_nobody_takes() -> None:
    for op, options in (('s3-put', {'rate': 5.0}), ('s3-delete', {})):
        with pytest.raises(InvalidArgument, match='closed loop'):
            s3(op, think_time='20ms', **options)
    with pytest.raises(InvalidArgument, match='warp makes no pauses'):
        s3('s3-get', think_time='20ms', s3_client='warp')


def test_a_ramp_is_part_of_name_and_plan() -> None:
    found = s3('s3-get', rate=400.0, duration=20.0, ramp_steps=4)
    workload = only(found)
    assert workload.name == 's3-get-8M-c16-r400-ramp4'
    assert shape.details(workload).ramp_steps == 4
    assert shape.gentle(workload).ramp_steps == 1
    said = ' '.join(describe(found).split())
    assert 'a rate that grows in 4 steps, from 100 to 400 op/s' in said
    constant = only(s3('s3-get', rate=400.0, duration=20.0, ramp_steps=1))
    assert constant.s3 is None


def test_ramps_that_cannot_be() -> None:
    with pytest.raises(InvalidArgument, match='--ramp-steps is for op'):
        s3('s3-get', ramp_steps=4)
    for seconds, steps in ((20.0, 3), (20.0, 10), (21.5, 2)):
        with pytest.raises(InvalidArgument, match='3 or more whole seconds'):
            s3('s3-get', rate=9.0, duration=seconds, ramp_steps=steps)
    for steps in (0, 21):
        with pytest.raises(InvalidArgument, match='give 1 to 20'):
            s3('s3-get', rate=9.0, ramp_steps=steps)


def test_versions_have_buckets_and_a_name_of_their_own() -> None:
    found = s3('s3-get', 's3-overwrite', versioning='enabled')
    assert names(found) == {
        's3-get-8M-c16-versioned',
        's3-overwrite-8M-c16-versioned',
    }
    assert 'buckets keep versions' in ' '.join(describe(found).split())
    plain, kept = (
        only(s3('s3-get', versioning=v)) for v in ('none', 'enabled')
    )
    assert plain.name == 's3-get-8M-c16' and plain.s3 is None
    assert shape.place(plain) != shape.place(kept)


def test_what_was_deleted_counts_where_there_are_versions() -> None:
    for op, each in (('s3-delete', 1), ('s3-multidelete', 7)):
        how = {'delete_batch': 7} if each > 1 else {}
        assert s3plan.written(only(s3(op, **how)), 100) == 0
        kept = only(s3(op, versioning='enabled', **how))
        assert s3plan.written(kept, 100) == 100 * each


def test_versioning_that_cannot_be() -> None:
    for text in ('', 'on', 'Enabled', 'x' * 5000):
        with pytest.raises(InvalidArgument, match='not a valid versioning'):
            s3('s3-put', versioning=text)
    with pytest.raises(InvalidArgument, match='for S3 workloads'):
        make(workloads=('write',), versioning='enabled')
    with pytest.raises(InvalidArgument, match='warp leaves in versioned'):
        s3('s3-get', versioning='enabled', s3_client='warp')


def test_buckets_and_prefixes_are_part_of_name_and_plan() -> None:
    found = s3('s3-put', 's3-list', buckets=8, prefixes=16)
    assert names(found) == {
        's3-put-8M-c16-b8-p16', 's3-list-8M-c16-b8-p16',
    }  # fmt: skip
    workload = found.profile.workloads[0]
    assert shape.spread(workload) == (8, 16)
    assert shape.prefix(workload) == '8M-p16-'
    assert 'objects in 8 buckets' in ' '.join(describe(found).split())
    assert s3('s3-put', buckets=1, prefixes=1).profile == s3('s3-put').profile
    assert shape.spread(only(s3('s3-put'))) == (1, 1)


@pytest.mark.parametrize(
    'ops, options, why',
    [
        (('write',), {'buckets': 2}, '--buckets is for S3 workloads'),
        (('write',), {'prefixes': 2}, '--prefixes is for S3 workloads'),
        (('s3-put',), {'buckets': 65}, 'out of range; give 1 to 64'),
        (('s3-put',), {'prefixes': 0}, 'out of range; give 1 to 256'),
        (('s3-multidelete',), {'buckets': 2}, 'objects of one bucket'),
        (('s3-put',), {'buckets': 2, 's3_client': 'warp'}, 'one bucket'),
    ],
)
def test_buckets_that_cannot_be(ops: Any, options: Any, why: str) -> None:
    with pytest.raises(InvalidArgument, match=why):
        s3(*ops, **options)


def test_uniform_keys_and_constant_arrivals_are_the_defaults() -> None:
    plain = s3('s3-get', rate=500.0)
    said = s3('s3-get', rate=500.0, keys='uniform', arrivals='constant')
    assert plain.profile == said.profile
    skewed = profiles.load(
        'name: own\nrounds: 3\nworkloads:\n- op: s3-get\n  size: 1M\n'
        '  concurrency: 8\n  keys: zipf\n'
    )
    assert only(make(profile=skewed, keys='uniform')).s3 is None


@pytest.mark.parametrize(
    'options, why',
    [
        ({'keys': 'zipf:0'}, 'is not a distribution of keys'),
        ({'keys': 'zipf:inf'}, 'is not a distribution of keys'),
        ({'keys': 'hot:100:80'}, 'is not a distribution of keys'),
        ({'keys': 'hot:20'}, 'is not a distribution of keys'),
        ({'arrivals': 'often'}, 'is not one of constant, poisson'),
        ({'arrivals': 'poisson'}, 'give --rate'),
        ({'read_sizes': 'uniform:4K'}, 'is not a distribution of sizes'),
        ({'read_sizes': 'uniform:4K:1K'}, 'is not a distribution of sizes'),
        ({'read_sizes': 'lognormal:4K:9'}, 'is not a distribution of sizes'),
    ],
)
def test_distributions_that_cannot_be(options: Any, why: str) -> None:
    with pytest.raises(InvalidArgument, match=why):
        make(workloads=('s3-get',), concurrency=('16',), **options)
    with pytest.raises(InvalidArgument, match='--keys is for operations'):
        s3('s3-put', keys='zipf')


def test_sizes_by_distribution() -> None:
    uniform = sizes.parse('uniform:4K:1M')
    assert len(uniform) == 64
    assert sizes.mean(uniform) == pytest.approx((4096 + 2**20) / 2, rel=1e-3)
    lognormal = sizes.parse('lognormal:64K:1')
    held = sorted(item.size for item in lognormal)
    assert held[31] < 65536 < held[32]
    # its mean is that of its median times exp(0.5), less its far end
    assert sizes.mean(lognormal) == pytest.approx(65536 * 1.6487, rel=0.05)
    made = make(
        workloads=('s3-put',), sizes=None, write_sizes='lognormal:64K:1',
        concurrency=('16',),
    )  # fmt: skip
    text = ' '.join(describe(made).split())
    assert 'writes 64 sizes from' in text
