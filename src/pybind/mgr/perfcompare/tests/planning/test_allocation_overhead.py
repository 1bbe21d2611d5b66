"""Small objects take whole units of allocation."""

from typing import Any

import dataclasses

import pytest

from ...common.codec import from_data, to_data
from ...model.plan import PoolPlan, RunPlan
from ...model.workload import WeightedSize
from ...planning.allocation_overhead import allocated
from ..data.cluster_maps import build
from ..data.plans import erasure, hosts, make


@pytest.mark.parametrize(
    'size, chunks, expected',
    [
        (4096, 1, 1.0),
        (1024, 1, 4.0),
        (5120, 1, 1.6),
        (4096, 2, 2.0),  # a stripe of two chunks
        (8192, 2, 1.0),
        (1024, 8, 32.0),
        (4 << 20, 8, 1.0),
    ],
)
def test_bytes_are_allocated_in_units(
    size: int, chunks: int, expected: float
) -> None:
    assert allocated([WeightedSize(size)], 4096, chunks, 4096) == expected


@pytest.mark.parametrize(
    'size, unit, expected',
    [
        (4096, 4096, 4.0),
        (4096, 65536, 64.0),  # a stripe of four times 64 KiB
        (4 << 20, 65536, 1.0),
        (4096, 1024, 4.0),  # chunks of 1 KiB take 4 KiB each
    ],
)
def test_stripes_of_a_profile_count(
    size: int, unit: int, expected: float
) -> None:
    assert allocated([WeightedSize(size)], 4096, 4, unit) == expected


def test_osds_that_allocate_64_kib_are_counted_so() -> None:
    topology = build(hosts('x86', 4, 1))
    assert planned(topology) == 1.0
    for ident, allocation in ((0, 65536), (1, None), (2, 1 << 40)):
        topology.osds[ident] = dataclasses.replace(
            topology.osds[ident], allocation=allocation
        )
    assert planned(topology) == 16.0
    assert allocated([WeightedSize(4096)], 65536, 4, 4096) == 64.0


def planned(topology: Any) -> float:
    made = make(
        topology=topology, names=('x86',), workloads=('write',), sizes=('4K',)
    )
    return made.groups[0].pools[0].allocation_overhead


def test_of_weighted_sizes_the_mean_counts() -> None:
    items = [WeightedSize(1024, 3.0), WeightedSize(4096, 1.0)]
    assert allocated(items) == 16384 / 7168


def padded(made: RunPlan) -> Any:
    return {p.role: p.allocation_overhead for p in made.groups[0].pools}


def test_pools_are_planned_for_their_smallest_objects() -> None:
    made = make(workloads=('write', 'rand'), sizes=('1K', '8K'))
    assert padded(made) == {'write': 4.0, 'read-1K': 4.0, 'read-8K': 1.0}
    through = make(
        workloads=('s3-get', 's3-mixed'), concurrency=('16',), sizes=None,
        read_sizes='1K', write_sizes='2K',
    )  # fmt: skip
    found = padded(through)
    assert found.pop('s3-data') == found.pop('s3-write-data') == 4.0
    assert set(found.values()) == {1.0}  # users, indexes


def test_erasure_coded_objects_are_whole_stripes() -> None:
    made = make(
        topology=build(hosts('x86', 4) + hosts('arm', 4)),
        settings=erasure(), ec_profile='p',
        workloads=('s3-put',), sizes=('4K',), concurrency=('16',),
    )  # fmt: skip
    found = padded(made)
    assert found.pop('s3-write-data') == 2.0
    assert set(found.values()) == {1.0}


def test_small_objects_of_images_take_whole_units() -> None:
    topology = build(hosts('x86', 4) + hosts('arm', 4))
    for ident, osd in topology.osds.items():
        topology.osds[ident] = dataclasses.replace(osd, allocation=65536)
    made = make(
        topology=topology, settings=erasure(), ec_profile='p',
        workloads=('rbd-randwrite',), sizes=('4K',), concurrency=('16',),
        image_size='256M', rbd_object_size='64K',
    )  # fmt: skip
    assert max(padded(made).values()) == 2.0  # of two chunks of data


def test_pools_of_stored_runs_can_be_read() -> None:
    data = to_data(make().groups[0].pools[0])
    del data['padding']
    assert from_data(PoolPlan, data).allocation_overhead == 1.0
