"""The jobs of RBD workloads: what comes before a trial, and on what."""

import pytest

from ...drivers.rbd.driver import RbdDriver
from ...drivers.rbd.spec import BENCH, SPEC
from ...model import load
from ...worker.wire import jobs
from ...worker.wire.jobs import job_from_data, job_to_data
from ...worker.wire.rbd_jobs import RbdPrefill, RbdProbe, RbdTrial, RbdWarm
from ..data.cluster_maps import build
from ..data.plans import erasure, hosts, make


class Pools:
    """Remember which pools were created."""

    def __init__(self):
        self.created = []

    def has(self, pool):
        return pool.name in self.created

    def create(self, pools):
        self.created += [pool.name for pool in pools]


@pytest.fixture(autouse=True)
def known():
    with load.also(SPEC), load.also(BENCH):
        yield


def access(pool):
    return jobs.Access('/c/ceph.conf', '/c/keyring', 'client.x', pool)


def driven(*ops, **options):
    options.setdefault('sizes', ('4K',))
    options.setdefault('concurrency', ('16',))
    plan = make(workloads=ops, **options)
    pools = Pools()
    return plan, pools, RbdDriver(plan, pools, access)


def sound(job):
    """Send a job as it travels; the worker takes it."""
    assert job_from_data(job_to_data(job)) == job
    return job


def before(driver, workload, group):
    found = []
    job = driver.warm(workload, group)
    while job is not None:
        found.append(type(sound(job)))
        job = driver.warm(workload, group)
    return found


def test_reads_are_written_once_and_warmed_once():
    plan, pools, driver = driven('rbd-randread', images=4)
    (workload,), group = plan.profile.workloads, plan.groups[0]
    fill = sound(driver.fill(workload, group))
    assert isinstance(fill, RbdPrefill)
    assert pools.created == [group.pools[0].name]
    assert len(fill.images) == 4
    assert before(driver, workload, group) == [RbdWarm]
    trial = sound(driver.trial(workload, group, 'r1.b0.a1'))
    assert isinstance(trial, RbdTrial)
    assert trial.images == fill.images
    assert (trial.read_size, trial.write_size) == (4096, 0)
    driver.new_round()
    assert before(driver, workload, group) == []


def test_what_is_written_is_written_in_full_in_each_round():
    plan, pools, driver = driven('rbd-randwrite')
    (workload,), group = plan.profile.workloads, plan.groups[0]
    assert before(driver, workload, group) == [RbdPrefill]
    assert before(driver, workload, group) == []
    probe = sound(driver.probe(workload, group, 5.0))
    assert isinstance(probe, RbdProbe)
    sound(driver.trial(workload, group, 'r1.b0.a1'))
    assert before(driver, workload, group) == []
    driver.new_round()
    assert before(driver, workload, group) == [RbdPrefill]
    assert pools.created == []  # the run makes those of a round


def test_images_are_filled_with_data_as_what_overwrites_it():
    plan, _, driver = driven('rbd-randwrite', rbd_compress=50)
    (workload,), group = plan.profile.workloads, plan.groups[0]
    filled = sound(driver.warm(workload, group))
    trial = sound(driver.trial(workload, group, 'r1.b0.a1'))
    assert (filled.compress, trial.compress) == (50, 50)


def test_mixes_are_warmed_before_each_trial():
    plan, _, driver = driven('rbd-randrw', read_share=80)
    (workload,), group = plan.profile.workloads, plan.groups[0]
    assert before(driver, workload, group) == [RbdPrefill, RbdWarm]
    trial = sound(driver.trial(workload, group, 'r1.b0.a1'))
    assert trial.read_share == 80
    assert before(driver, workload, group) == [RbdWarm]


def test_reads_of_the_device_are_not_warmed():
    plan, _, driver = driven('rbd-read', 'rbd-rw', cache='device')
    group = plan.groups[0]
    for workload in plan.profile.workloads:
        if workload.reads:
            sound(driver.fill(workload, group))
        expected = [] if workload.reads else [RbdPrefill]
        assert before(driver, workload, group) == expected


def test_erasure_code_has_data_apart():
    plan, pools, driver = driven(
        'rbd-randread',
        topology=build(hosts('a', 3)),
        names=['a'],
        settings=erasure(),
        ec_profile='two',
    )
    (workload,), group = plan.profile.workloads, plan.groups[0]
    fill = sound(driver.fill(workload, group))
    data, meta = group.pools
    assert fill.access.pool == meta.name
    assert fill.data_pool == data.name
    assert sorted(pools.created) == sorted([data.name, meta.name])


def test_groups_go_to_the_same_places():
    plan, _, driver = driven('rbd-randwrite')
    (workload,) = plan.profile.workloads
    seeds = [driver.trial(workload, g, 'r1.b0.a1').seed for g in plan.groups]
    assert len(set(seeds)) == 1
    other = driver.trial(workload, plan.groups[0], 'r2.b0.a1')
    assert other.seed not in seeds


def test_rbd_bench_makes_the_load_where_asked_for():
    plan, _, driver = driven('rbd-write', rbd_client='bench')
    (workload,), group = plan.profile.workloads, plan.groups[0]
    job = sound(driver.trial(workload, group, 'r1.b0.a1'))
    assert job.tool == 'rbd-bench'
