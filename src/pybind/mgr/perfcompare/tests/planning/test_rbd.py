"""Loads of RBD images: what is planned, refused and said of them."""

from typing import Any, Iterator, List

import pytest

from ...common.codec import from_data, to_data
from ...common.errors import InvalidArgument
from ...drivers.rbd.spec import BENCH, SPEC
from ...model import load
from ...model.plan import RunPlan
from ...planning import estimate
from ...planning.plan import PlanSettings
from ...planning.profiles import catalog as profiles
from ...planning.rbd import planner, shape
from ...report import plan as plantext
from ..data.cluster_maps import build
from ..data.plans import erasure, hosts, make

MIB = 1 << 20
CACHES = PlanSettings(cache_bytes={'x86': 256 * MIB, 'arm': 200 * MIB})
ALL = tuple(operation.name for operation in SPEC.operations)


@pytest.fixture(autouse=True)
def known() -> Iterator[None]:
    with load.also(SPEC), load.also(BENCH):
        yield


def rbd(*ops: str, **options: Any) -> RunPlan:
    options.setdefault('sizes', ('4K',))
    options.setdefault('concurrency', ('16',))
    options.setdefault('settings', CACHES)
    return make(workloads=ops or ('rbd-randread',), **options)


def names(made: RunPlan) -> List[str]:
    return [w.name for w in made.profile.workloads]


@pytest.mark.parametrize('op', ALL)
def test_each_operation_has_a_pool_of_images(op: str) -> None:
    made = rbd(op, images=4)
    (workload,) = made.profile.workloads
    assert (workload.tool, workload.clients) == ('rbd', 4)
    for group in made.groups:
        (pool,) = group.pools
        assert estimate.pool_of(group, workload) is pool
        assert pool.application == 'rbd'
        assert pool.per_round == (not op.endswith('read'))
        size = planner.image_bytes(pool, workload)
        assert size % shape.OBJECT_SIZE == 0
        assert size * 4 == pool.max_bytes
    text = ' '.join(plantext.describe(made).split())
    assert '4 images of' in text
    assert 'written in full before they are loaded' in text


@pytest.mark.parametrize('images', [1, 3, 8])
@pytest.mark.parametrize('depth', ['16', '8/osd'])
def test_the_working_set_is_of_osds_and_caches(
    images: int, depth: str
) -> None:
    cached = rbd(images=images, concurrency=(depth,))
    device = rbd(images=images, concurrency=(depth,), cache='device')
    for group in cached.groups:
        held = group.pools[0].max_bytes / len(group.osds)
        # at most half of the smaller cache, and all but an object of it
        assert 100 * MIB - images * 4 * MIB < held <= 100 * MIB
    for group in device.groups:
        held = group.pools[0].max_bytes / len(group.osds)
        assert 4 * 256 * MIB <= held < 4 * 256 * MIB + images * 4 * MIB


def test_images_of_a_size_must_be_of_their_regime() -> None:
    made = rbd(images=2, image_size='64M')
    (workload,) = made.profile.workloads
    group = made.groups[0]
    assert planner.image_bytes(group.pools[0], workload) == 64 * MIB
    with pytest.raises(InvalidArgument, match='more than half of their ca'):
        rbd(images=2, image_size='4G')
    with pytest.raises(InvalidArgument, match='less than 4 times'):
        rbd(images=2, image_size='64M', cache='device')


def test_unlike_images_are_in_pools_of_their_own() -> None:
    made = rbd('rbd-randread', 'rbd-randwrite', 'rbd-rw', cache='both')
    assert len(made.profile.workloads) == 6
    assert {p.role for p in made.groups[0].pools} == {
        'rbd-read-1',
        'rbd-read-1-device',
        'rbd-write-1',
        'rbd-write-1-device',
    }


def test_erasure_code_has_headers_in_a_replicated_pool() -> None:
    made = make(
        build(hosts('a', 3)),
        ['a'],
        settings=erasure(),
        ec_profile='two',
        workloads=('rbd-randwrite',),
        sizes=('4K',),
    )
    data, meta = made.groups[0].pools
    assert data.ec_profile and data.overwrites
    assert not meta.ec_profile and not meta.overwrites
    assert meta.role == data.role + planner.META
    assert meta.application == data.application == 'rbd'
    assert meta.per_round


def test_names_say_what_is_not_as_by_default() -> None:
    made = rbd(
        'rbd-randrw',
        read_share=50,
        rbd_read_size='4K',
        rbd_write_size='64K',
        random_share=80,
        rbd_compress=50,
        rbd_rate=500.0,
        rbd_encryption='luks2',
        rbd_object_size='8M',
    )
    assert names(made) == [
        'rbd-randrw-4K-c16-rd50-w64K-rnd80-comp50-rate500-o8M-luks2'
    ]
    made_too = rbd('rbd-randwrite', rbd_distribution='zipf:1.1')
    assert names(made_too) == ['rbd-randwrite-4K-c16-zipf1.1']
    assert names(rbd('rbd-randrw', read_share=70)) == ['rbd-randrw-4K-c16']
    text = ' '.join(plantext.describe(made).split())
    assert '50 % reads of 4K, 50 % writes of 64K' in text
    assert 'closed above what is in flight' in text
    assert from_data(RunPlan, to_data(made)) == made


@pytest.mark.parametrize(
    'op, options, why',
    [
        ('rbd-read', {'read_share': 50}, '--read-share is for mixes'),
        ('rbd-write', {'random_share': 5}, '--random-share is for RBD oper'),
        ('rbd-write', {'rbd_distribution': 'zipf:1.2'}, 'at random places'),
        ('rbd-randread', {'rbd_distribution': 'hot'}, "'hot' is not one of"),
        ('rbd-randread', {'rbd_distribution': 'pareto:7'}, 'pareto:7'),
        ('rbd-randread', {'rbd_encryption': 'rot13'}, 'give none, luks2'),
        ('rbd-randread', {'rbd_object_size': '5M'}, 'not a power of two'),
        ('rbd-randread', {'image_size': '33M'}, 'whole objects'),
        (
            'rbd-randrw',
            {'rbd_distribution': 'zipf:1.2', 'rbd_write_size': '64K'},
            'needs reads and writes of one size',
        ),
        ('rbd-randread', {'images': 99}, '--images 99 is out of range'),
        ('rbd-randread', {'images': 17}, 'cannot share 16 operations'),
        ('rbd-randread', {'sizes': ('5000',)}, 'multiple of 512'),
        ('rbd-randread', {'rate': 5.0}, 'rate is for S3'),
        ('rbd-randread', {'rbd_rate': 3.0, 'images': 4}, 'below one operat'),
        ('write', {'images': 3}, '--images is for RBD workloads'),
        ('write', {'rbd_client': 'bench'}, '--rbd-client is for RBD'),
    ],
)
def test_what_cannot_be_is_one_line(op: str, options: Any, why: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        rbd(op, **options)
    assert why in caught.value.message
    assert '\n' not in caught.value.message


def test_rbd_bench_is_another_tool_and_is_labelled() -> None:
    made = rbd(rbd_client='bench')
    assert made.profile.workloads[0].tool == 'rbd-bench'
    assert 'RBD load by rbd bench: no percentiles' in made.labels
    assert load.of_tool('rbd-bench').tools({}) == ('rbd',)
    assert 'fio-engine-rbd' in load.of_tool('rbd').tools({})


@pytest.mark.parametrize(
    'option',
    [
        {'read_share': 50},
        {'rbd_distribution': 'zipf:1.2'},
        {'rbd_compress': 5},
        {'rbd_rate': 300.0},
        {'rbd_encryption': 'luks2'},
    ],
)
def test_rbd_bench_does_no_more_than_it_can(option: Any) -> None:
    op = 'rbd-randrw' if 'read_share' in option else 'rbd-randwrite'
    with pytest.raises(InvalidArgument, match='--rbd-client bench cannot'):
        rbd(op, rbd_client='bench', **option)


def test_a_profile_has_them_and_its_version_tells() -> None:
    text = (
        'name: p\nrounds: 6\nworkloads:\n'
        '- {op: rbd-randrw, size: 8K, concurrency: 16, images: 4, '
        'read_share: %s}\n'
    )
    one, other = (profiles.load(text % share) for share in (80, 70))
    assert one.workloads[0].name == 'rbd-randrw-8K-c16-rd80'
    assert one.workloads[0].clients == 4
    assert one.version != other.version


def test_a_rate_is_no_open_loop() -> None:
    made = rbd(rbd_rate=500.0)
    assert made.profile.workloads[0].rate is None
    assert any('no open loop' in label for label in made.labels)


def test_time_and_bytes_have_what_rounds_write_anew() -> None:
    read, write = rbd('rbd-read'), rbd('rbd-write')
    held = sum(p.max_bytes for g in read.groups for p in g.pools)
    assert read.bytes_written == held
    assert write.bytes_written > held * (write.profile.rounds + 1)
    assert write.seconds > read.seconds
