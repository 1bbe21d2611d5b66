"""Gateways of a run: started when needed, kept alive, gone at the end."""

from typing import Any, List

import threading

import pytest

from ...drivers.s3.driver import S3Driver
from ...drivers.s3.gateways import private
from ...drivers.s3.gateways.private import Gateways
from ...model.outcome import Outcome
from ...model.plan import GroupPlan, RunPlan
from ...model.run import RunState
from ...planning.s3 import plan as s3plan
from ...planning.sizes import mean, read_sizes
from ...worker.wire import jobs
from ...worker.wire.gateway_jobs import Gateway
from ...worker.wire.protocol import Ready
from ...worker.wire.s3_jobs import S3Fill, S3Probe, S3Trial, S3Warm
from ...worker.wire.s3_spec import Weighted
from ...workers.control import Control, Stopped
from ...workers.outcomes import WorkerFailed
from ...workers.settled_errors import SettledErrors
from ..data.plans import RUN, make
from ..fakes.clock import FakeClock
from ..fakes.workers import FACTS, TOOLS, FakeLauncher, FakeWorker


class GatewayLauncher(FakeLauncher):
    """Say endpoints, as a worker with gateways does."""

    def worker(self, name: str) -> FakeWorker:
        self.steps = 1 << 30  # gateways stay
        found = super().worker(name)
        start = found.start

        def started(job: jobs.Job) -> None:
            start(job)
            facts = dict(FACTS, endpoints=['http://127.0.0.1:7480'])
            tools = dict(TOOLS, radosgw='20.2.4')
            found._queue[-1] = Ready(tools, facts)

        found.start = started  # type: ignore[method-assign]
        return found


class Mons:
    def mon_round_trip(self) -> None:
        pass


class NoPools:
    def __init__(self) -> None:
        self.made: List[str] = []

    def has(self, pool: Any) -> bool:
        return pool.name in self.made

    def create(self, pools: Any) -> None:
        self.made += [p.name for p in pools]


class Bench:
    def __init__(self, *workloads: str, **options: Any) -> None:
        options.setdefault('sizes', ('4K',))
        self.plan: RunPlan = make(
            workloads=workloads or ('s3-get', 's3-put', 's3-mixed'),
            concurrency=('16',),
            **options,
        )
        self.control = Control()
        self.launcher = GatewayLauncher()
        self.pools = NoPools()
        self.gateways = Gateways(
            Mons(),  # type: ignore[arg-type]
            self.launcher,
            self.control,
            self.access,
            '/run/x',
            self.plan.options,
        )
        self.driver = S3Driver(
            self.plan,
            self.pools,  # type: ignore[arg-type]
            self.gateways,
            self.access,
            verify=0.25,
            sign_payload=True,
        )

    def access(self, pool: str) -> jobs.Access:
        return jobs.Access('/c', '/k', self.plan.key, pool)

    @property
    def group(self) -> GroupPlan:
        return self.plan.groups[0]

    def workload(self, op: str) -> Any:
        return next(w for w in self.plan.profile.workloads if w.op == op)


def test_a_group_has_one_worker_with_gateways() -> None:
    bench = Bench()
    first = bench.gateways.of(bench.group)
    assert bench.gateways.of(bench.group) == first
    other = bench.gateways.of(bench.plan.groups[1])
    assert first.credentials != other.credentials
    assert first.endpoints[0].url() == 'http://127.0.0.1:7480'
    job = bench.launcher.given[0]
    assert isinstance(job, Gateway)
    assert [t.name for t in job.targets] == ['reads', 'writes']
    assert job.access.pool == f'perfcompare.{RUN}.x86.s3-meta'
    bench.gateways.close()
    assert all(w.ended and w.discarded for w in bench.launcher.started)
    assert not any(w.killed for w in bench.launcher.started)


def test_after_a_brake_they_end_at_once() -> None:
    bench = Bench()
    bench.gateways.of(bench.group)
    bench.control.request(RunState.CANCELLED, 'x')
    bench.gateways.close()
    assert all(w.ended for w in bench.launcher.started)


def test_a_brake_ends_the_wait_for_a_gateway() -> None:
    bench = Bench()
    bench.control.request(RunState.CANCELLED, 'x')
    bench.launcher.worker = (  # type: ignore[method-assign]
        FakeLauncher().worker
    )
    with pytest.raises((Stopped, KeyError)):
        bench.gateways.of(bench.group)
    bench.gateways.close()


def test_one_that_ended_is_told_and_started_anew() -> None:
    bench = Bench()
    bench.gateways.of(bench.group)
    worker = bench.launcher.started[0]
    worker._failed = WorkerFailed('gateway', 'a gateway ended with code -9')
    worker.ended = True
    assert 'code -9' in bench.driver.problem(bench.group)
    bench.gateways.of(bench.group)
    assert len(bench.launcher.started) == 2
    assert bench.driver.problem(bench.group) == ''
    bench.gateways.close()


def test_jobs_are_sound_and_use_their_own_pools() -> None:
    bench = Bench()
    get, put = bench.workload('s3-get'), bench.workload('s3-put')
    mixed = bench.workload('s3-mixed')
    fill = bench.driver.fill(get, bench.group)
    assert isinstance(fill, S3Fill)
    assert set(bench.pools.made) == {
        f'perfcompare.{RUN}.x86.{role}'
        for role in (s3plan.META, *s3plan.READ)
    }
    read = bench.driver.trial(get, bench.group, 'r1.b0.a1')
    assert (read.bucket, read.prefix) == (fill.bucket, fill.prefix)
    assert read.objects == fill.objects and read.location == ''
    assert read.verify == 0.25 and fill.sign_payload
    write = bench.driver.trial(put, bench.group, 'r1.b1.a1')
    again = bench.driver.trial(put, bench.group, 'r2.b1.a1')
    assert write.bucket == f'perfcompare-{RUN}-r1-b1-a1' != again.bucket
    assert write.location == 'perfcompare:writes'
    both = bench.driver.trial(mixed, bench.group, 'r1.b2.a1')
    assert both.own and both.objects > 0
    gentle = bench.driver.probe(put, bench.group, 4.0)
    assert gentle.concurrency == 2 and gentle.location == write.location
    for job in (fill, read, write, both, gentle):
        job.check()
        assert jobs.job_from_data(jobs.job_to_data(job)) == job
    assert isinstance(write, S3Trial)
    bench.gateways.close()


def test_what_caches_hold_is_read_once_before_it_is_measured() -> None:
    bench = Bench('s3-get', 's3-range', cache='both')
    warm = {}
    for workload in bench.plan.profile.workloads:
        warm[workload.name] = bench.driver.warm(workload, bench.group)
        assert bench.driver.warm(workload, bench.group) is None
    # one pass for both operations: they read the same objects
    told = [job for job in warm.values() if job is not None]
    assert [type(job) for job in told] == [S3Warm]
    get = bench.workload('s3-get')
    fill = bench.driver.fill(get, bench.group)
    assert (told[0].bucket, told[0].prefix) == (fill.bucket, fill.prefix)
    assert told[0].prefix.endswith('-cached-')
    assert told[0].objects == fill.objects > 0
    told[0].check()
    assert jobs.job_from_data(jobs.job_to_data(told[0])) == told[0]
    bench.gateways.close()


def test_a_slow_trial_does_not_bound_the_next_one() -> None:
    bench = Bench('s3-put')
    put, group = bench.workload('s3-put'), bench.group
    first = bench.driver.trial(put, group, 'r1.b0.a1')
    slow = Outcome('s3-trial', 0.0, 1.0, evidence={'created': 300})
    bench.driver.learn(put, group, slow)
    second = bench.driver.trial(put, group, 'r1.b0.a2')
    assert second.max_objects == first.max_objects - 300
    bench.driver.new_round()
    third = bench.driver.trial(put, group, 'r2.b0.a1')
    assert third.max_objects == first.max_objects
    bench.gateways.close()


@pytest.mark.parametrize(
    'op, puts, own',
    [('s3-put', 1000, 0), ('s3-mixed', 350, 1), ('s3-delete', 0, 1)],
)
def test_what_a_cut_trial_left_lowers_the_bound_of_its_repetition(
    op: str, puts: int, own: int
) -> None:
    bench = Bench(op)
    driver, load, group = bench.driver, bench.workload(op), bench.group
    first = driver.trial(load, group, 'r1.b0.a1')
    assert driver.cut(load, group, 1000, False)
    again = driver.trial(load, group, 'r1.b0.a2')
    assert again.max_objects <= first.max_objects - puts
    assert driver.stored(group) == (puts + own * first.objects) * load.size
    # it has not even room for what the first one wrote
    assert not driver.cut(load, group, 0, True)
    driver.new_round()
    assert driver.stored(group) == 0
    bench.gateways.close()


def test_a_cut_trial_that_reads_leaves_nothing() -> None:
    bench = Bench('s3-get')
    get = bench.workload('s3-get')
    assert bench.driver.cut(get, bench.group, 1000, False)
    assert bench.driver.stored(bench.group) == 0
    bench.gateways.close()


@pytest.mark.parametrize('rate', [None, 40.0])
def test_the_gentle_start_is_no_more_than_the_load_itself(rate: Any) -> None:
    bench = Bench('s3-put', rate=rate)
    put, group = bench.workload('s3-put'), bench.group
    gentle = bench.driver.probe(put, group, 10.0)
    assert gentle.rate == (rate or 0.0)
    assert isinstance(gentle, S3Probe)
    # it is in the pool of the first round, beside all that trials may write
    first = bench.driver.trial(put, group, 'r1.b0.a1')
    pool = s3plan.pool(group, s3plan.WRITE[1])
    both = gentle.max_objects + first.max_objects
    assert both * put.size <= pool.max_bytes
    bench.gateways.close()


@pytest.mark.parametrize('sizes', [{}, {'read_sizes': '1M', 'sizes': None}])
def test_a_mix_writes_no_more_than_its_share(sizes: Any) -> None:
    bench = Bench('s3-mixed', **sizes)
    mix, group = bench.workload('s3-mixed'), bench.group
    most = s3plan.bound(bench.plan, mix, group.name) * mix.size
    first = bench.driver.trial(mix, group, 'r1.b0.a1')
    own = first.objects * mean(read_sizes(mix))
    assert first.objects > 0
    assert own + first.max_objects * mix.size <= most
    # of a block that is repeated, both are there already
    done = Outcome('s3-trial', 0.0, 1.0, evidence={'created': 300})
    bench.driver.learn(mix, group, done)
    again = bench.driver.trial(mix, group, 'r1.b0.a2')
    own += again.objects * mean(read_sizes(mix))
    assert own + (300 + again.max_objects) * mix.size <= most
    bench.gateways.close()


def test_writes_alone_are_the_default_placement() -> None:
    bench = Bench('s3-put')
    job = bench.driver.trial(
        bench.workload('s3-put'), bench.group, 'r1.b0.a1'
    )
    assert job.location == ''
    gateway = bench.launcher.given[0]
    assert isinstance(gateway, Gateway)
    assert [t.name for t in gateway.targets] == ['writes']
    bench.gateways.close()


def test_several_gateways_with_tls() -> None:
    bench = Bench('s3-put', gateways=2, s3_tls=True)
    bench.gateways.of(bench.group)
    (job,) = bench.launcher.given
    assert isinstance(job, Gateway) and job.tls and job.count == 2
    job.check()
    assert jobs.job_from_data(jobs.job_to_data(job)) == job
    bench.gateways.close()


def test_weighted_sizes_reach_the_generator() -> None:
    bench = Bench(
        's3-get', 's3-put', 's3-mixed',
        sizes=None, read_sizes='8K:3,4K:1', write_sizes='1K',
    )  # fmt: skip
    put = bench.driver.trial(bench.workload('s3-put'), bench.group, 't')
    assert put.sizes == (Weighted(1024),)
    get = bench.driver.trial(bench.workload('s3-get'), bench.group, 't')
    fill = bench.driver.fill(bench.workload('s3-get'), bench.group)
    assert get.sizes == (Weighted(8192, 3.0), Weighted(4096, 1.0))
    assert (get.prefix, get.objects) == (fill.prefix, fill.objects)
    both = bench.driver.trial(bench.workload('s3-mixed'), bench.group, 't')
    assert both.sizes == get.sizes
    assert both.write_sizes == (Weighted(1024),)
    for job in (put, get, fill, both):
        job.check()
        assert jobs.job_from_data(jobs.job_to_data(job)) == job
    bench.gateways.close()


def test_the_manifest_says_where_the_gateways_are() -> None:
    bench = Bench()
    assert bench.driver.manifest(bench.group) == {
        'gateway_host': 'client-1',
        'gateway_arch': 'x86_64',
        'gateways': 1,
        'gateway_version': '20.2.4',
        'gateway_tls': False,
    }
    bench.gateways.close()


def test_errors_count_when_they_are_no_news() -> None:
    clock = FakeClock()
    errors = SettledErrors(clock)
    for total in (0, 4, 8, 12):
        clock.now += 1.0
        errors.add(total)
    assert errors.settled() == 0
    clock.now += 1.0
    errors.add(12)
    assert errors.settled() == 4
    # those of writing objects are not held against the load after it
    clock.now += 60.0
    errors.add(12)
    assert errors.settled() == 12
    clock.now += 1.0
    errors.add(0)
    assert errors.settled() == 0
    for total in (4, 8, 8, 8):
        clock.now += 2.0
        errors.add(total)
    assert errors.settled() == 8


def test_a_fault_of_ours_ends_no_gateway(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The thread that renews their leases goes on, or is made anew."""
    monkeypatch.setattr(private, 'RENEW', 0.01)
    bench = Bench()
    renewed, failing = threading.Event(), [True]

    def renew(worker: FakeWorker, ttl: float = 0.0) -> bool:
        if failing:
            failing.pop()
            raise ValueError('a fault of ours')
        renewed.set()
        return True

    monkeypatch.setattr(FakeWorker, 'renew', renew)
    bench.gateways.of(bench.plan.groups[0])
    assert renewed.wait(10.0) and not failing
    bench.gateways.close()
