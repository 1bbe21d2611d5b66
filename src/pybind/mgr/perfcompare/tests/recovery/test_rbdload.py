"""Load on images beside a recovery: what is planned, and which jobs."""

from typing import Any, Iterator, Tuple

import dataclasses
import pathlib
import tempfile

import pytest

from ...common.errors import InvalidArgument
from ...drivers.driver import Background, BackgroundParts, driver_of_test
from ...model.plan import RunPlan
from ...recovery.plan.request import RecoveryRequest
from ...report.recovery.plan import describe
from ...worker.wire.jobs import Access, job_from_data, job_to_data
from ...worker.wire.rbd_jobs import RbdPrefill, RbdTrial
from ..fakes.cluster import FakeCluster
from ..fakes.running import Rig

HOSTS = [
    (f'{arch}-{number}', arch, arch, 2)
    for arch in ('x86', 'arm')
    for number in range(1, 5)
]


@pytest.fixture(scope='module')
def rig() -> Iterator[Rig]:
    cluster = FakeCluster(HOSTS)
    cluster.ec_profiles['mine'] = {'plugin': 'isa', 'k': '2', 'm': '1'}
    for osd in cluster.topology().osds:
        cluster.set_osd(osd, used_bytes=0, size_bytes=1 << 40)
    with tempfile.TemporaryDirectory() as path:
        yield Rig(cluster, pathlib.Path(path))


def access(pool: str) -> Access:
    return Access('/conf', '/keyring', 'client.x', pool)


def planned(rig: Rig, *workloads: str, **options: Any) -> RunPlan:
    request = RecoveryRequest(
        groups=('x86', 'arm'), workloads=workloads, seed=1, **options
    )
    return dataclasses.replace(
        rig.service.tests.draft(request).plan, run='deadbeef'
    )


def loads(plan: RunPlan) -> Background:
    test = plan.recovery
    assert test is not None
    driver = driver_of_test(test.workloads)
    return driver.background(BackgroundParts(plan, test, access))


@pytest.mark.parametrize('images', (1, 3))
@pytest.mark.parametrize(
    'workloads', (('rbd-randrw',), ('rbd-randread', 'rbd-write'))
)
@pytest.mark.parametrize('size', ('4K', '64K', '4M'))
def test_images_hold_what_is_recovered(
    rig: Rig, images: int, workloads: Tuple[str, ...], size: str
) -> None:
    plan = planned(rig, *workloads, images=images, size=size)
    test = plan.recovery
    assert test is not None
    for group in plan.groups:
        own = test.of(group.name)
        fill = loads(plan).fill(group)
        assert isinstance(fill, RbdPrefill)
        assert job_from_data(job_to_data(fill)) == fill
        assert len(fill.images) == images * len(workloads)
        held = sum(image.size for image in fill.images)
        assert held == own.objects * test.size
        # it is all that is written: loads go over it
        assert own.write_objects == 0
        assert group.pools[0].max_bytes == own.all_objects * test.size
        found = loads(plan).beside(group, 1, 2, 60.0)
        assert sorted(found) == sorted(workloads)
        loaded = []
        for name, job in found.items():
            assert isinstance(job, RbdTrial)
            assert job_from_data(job_to_data(job)) == job
            assert (job.op, job.slices) == (name, True)
            assert job.read_share == (70 if name == 'rbd-randrw' else 0)
            loaded += list(job.images)
        # each image is one process's own
        assert sorted(i.name for i in loaded) == sorted(
            i.name for i in fill.images
        )


def test_coded_images_have_their_headers_apart(rig: Rig) -> None:
    plan = planned(rig, 'rbd-randrw', ec_profile='mine')
    group = plan.groups[0]
    data, meta = group.pools
    job = loads(plan).fill(group)
    assert isinstance(job, RbdPrefill)
    assert (job.access.pool, job.data_pool) == (meta.name, data.name)
    assert data.ec_profile and not meta.ec_profile
    assert not any(pool.per_round for pool in group.pools)


@pytest.mark.parametrize(
    'options, word',
    [
        ({'size': '100K'}, '--size 100K'),
        ({'size': '64M'}, '--size 64M'),
        ({'block_size': '1000'}, '--block-size 1000'),
        ({'block_size': '128M'}, '--block-size 128M'),
    ],
)
def test_what_images_cannot_have_is_refused(
    rig: Rig, options: Any, word: str
) -> None:
    with pytest.raises(InvalidArgument) as caught:
        planned(rig, 'rbd-randrw', **options)
    assert word in caught.value.message
    assert '; give e.g. ' in caught.value.message


def test_a_plan_tells_of_images(rig: Rig) -> None:
    text = describe(planned(rig, 'rbd-randrw', images=2, block_size='8K'))
    assert 'rbd-randrw of 8K on 2 images, 8 at a time each' in text
    assert 'the load writes over them' in text
