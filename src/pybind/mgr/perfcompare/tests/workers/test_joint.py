"""Workers of several load hosts are led as one."""

import dataclasses

import pytest

from perfcompare.model.outcome import FilledPopulation, Outcome
from perfcompare.worker.wire import jobs
from perfcompare.worker.wire.agents import ClockReading
from perfcompare.worker.wire.join_jobs import Join
from perfcompare.worker.wire.protocol import (
    PROTOCOL,
    RESULT_MAX,
    Done,
    Ended,
    Failed,
    Hello,
    Live,
    Ready,
    Started,
)
from perfcompare.worker.wire.s3_join_jobs import S3Join
from perfcompare.workers.control import Control
from perfcompare.workers.joint import (
    AHEAD,
    JOIN_LIMIT,
    JointWorker,
    Member,
)
from perfcompare.workers.lease import Lease
from perfcompare.workers.live_sum import live_sum
from perfcompare.workers.load_run import LoadRun
from perfcompare.workers.outcomes import OUTCOME_MAX, WorkerFailed

from ..data import load_jobs, rbd_jobs, s3_loads
from ..data.load_jobs import ACCESS
from ..fakes.abort_bench import Bench
from ..fakes.clock import FakeClock
from ..fakes.cluster import FakeCluster


def trial(**changes):
    return load_jobs.trial(**{'concurrency': 8, 'clients': 2, **changes})


def images(**changes):
    named = tuple(rbd_jobs.Image(f'i.{n}', 64 << 20) for n in range(3))
    values = {'images': named, 'concurrency': 16, **changes}
    return dataclasses.replace(rbd_jobs.TRIAL, **values)


class Link:
    def __init__(self, host, offset=0.0):
        self.host = host
        self.reading = ClockReading(offset, 0.001)


class Part:
    """Be one host's worker, which says what it is told to."""

    def __init__(self, host):
        self.host = host
        self.ended = self.gathering = False
        self.job = None
        self.at = ()
        self.renewed = self.killed = self.discarded = 0
        self.says = []
        self.failed = None
        self.done = Outcome('fill', 100.0, 110.0)
        self.most = 0  # bytes that its result may have

    def start(self, job):
        self.job = job

    def go(self, at=None):
        self.at = (at,)

    def renew(self, ttl=15.0):
        self.renewed += 1
        return not self.ended

    def poll(self):
        found, self.says = self.says, []
        if any(isinstance(e, Ended) for e in found):
            self.ended = True
        return found

    def halt(self):
        self.killed += 1
        if not self.ended:
            self.failed = self.failed or WorkerFailed('stopped', 'killed')
            self.says.append(Ended(-9))

    def kill(self):
        self.halt()
        self.ended = True

    def stop(self, grace=2.0, window=None):
        self.says += [Failed('stopped', 'stopped on request'), Ended(1)]
        self.failed = WorkerFailed('stopped', 'stopped on request')

    def result(self):
        if self.failed:
            raise self.failed
        return f'/results/{self.host}'

    def outcome(self, most=RESULT_MAX):
        self.most = most
        self.result()
        return self.done

    def discard(self):
        self.discarded += 1

    # what a test has it do

    def ready(self, version='20.2.4'):
        self.says += [
            Hello(PROTOCOL, 1, '3.13', True),
            Ready({'rados': version}, {}),
        ]

    def lives(self, ops, **changes):
        values = dict(
            wall=1.0, t=1.0, phase='measure', ops=ops, ops_per_s=float(ops),
            bytes_per_s=None, latency=0.001 * ops, in_flight=4, stalled=0.0,
            clients=1,
        )  # fmt: skip
        self.says.append(Live(**{**values, **changes}))

    def ends(self):
        self.says += [Done('result.json', 1, '0' * 64), Ended(0)]


class Site:
    def __init__(self, hosts=('a', 'b')):
        self.clock = FakeClock()
        self.parts = [Part(host) for host in hosts]
        self.links = [Link(h, 10.0 * n) for n, h in enumerate(hosts)]
        self.join = Part('manager')
        self.join.done = Outcome('join', 1.0, 2.0, notes=['joined'])
        self.worker = JointWorker(
            [Member(li, p) for li, p in zip(self.links, self.parts)],
            self.join,
            self.clock,
        )

    def going(self, job=None):
        self.worker.start(job or trial())
        for part in self.parts:
            if part.job is not None:
                part.ready()
        assert kinds(self.worker.poll()) == ['Ready']
        self.worker.go()
        return self


def kinds(events):
    return [type(e).__name__ for e in events]


def test_a_load_is_divided_and_all_begin_at_one_time():
    site = Site()
    site.worker.start(trial())
    a, b = site.parts
    assert (a.job.concurrency, b.job.concurrency) == (4, 4)
    a.ready()
    assert site.worker.poll() == []
    b.ready('18.2.4')
    (ready,) = site.worker.poll()
    assert ready.tools == {'rados': '20.2.4 and 18.2.4'}
    began = site.clock.wall()
    site.worker.go()
    # each by its own clock: the second host's is 10 s behind
    assert a.at[0] == pytest.approx(began + AHEAD)
    assert b.at[0] == pytest.approx(began + AHEAD - 10.0)


def test_progress_is_that_of_all():
    site = Site().going()
    a, b = site.parts
    a.says.append(Started(1.0, 1.0))
    b.says.append(Started(1.0, 1.0))
    assert kinds(site.worker.poll()) == ['Started']
    a.lives(100)
    assert site.worker.poll() == []
    b.lives(300)
    (live,) = site.worker.poll()
    assert (live.ops, live.ops_per_s, live.in_flight) == (400, 400.0, 8)
    assert live.bytes_per_s is None
    assert live.latency == pytest.approx((100 * 0.1 + 300 * 0.3) / 400)
    a.lives(200)
    assert site.worker.poll() == []
    site.clock.wait(3.0)
    (live,) = site.worker.poll()
    assert live.ops == 500  # with what the silent one told last


@pytest.mark.parametrize(
    'first, second, failing',
    [(0, 0, ''), (9, 2, 'a'), (2, 9, 'b'), (5, 5, '')],
)
def test_the_host_that_fails_is_named(first, second, failing):
    lives = [
        Live(1.0, 1.0, 'measure', 10, 1.0, None, None, 1, 0.0, 1, errors=n)
        for n in (first, second)
    ]
    found = live_sum([('a', lives[0], 0.0), ('b', lives[1], 0.0)])
    assert (found.errors, found.failing_host) == (first + second, failing)


@pytest.mark.parametrize(
    'first, second, most', [(None, None, None), (7, 5, 12), (7, None, 7)]
)
def test_what_hosts_can_have_done_adds_up(first, second, most):
    lives = [
        Live(1.0, 1.0, 'measure', 0, None, None, None, 1, 0.0, 1, most=n)
        for n in (first, second)
    ]
    found = live_sum([('a', lives[0], 0.0), ('b', lives[1], 0.0)])
    assert found.most == most


def test_results_are_put_together_here():
    site = Site().going()
    a, b = site.parts
    a.ends()
    assert site.worker.poll() == []
    b.ends()
    assert site.worker.poll() == []
    assert isinstance(site.join.job, Join)
    assert [r.file for r in site.join.job.results] == [
        '/results/a',
        '/results/b',
    ]
    assert [r.ahead for r in site.join.job.results] == [0.0, 10.0]
    site.join.ready()
    assert site.worker.poll() == []
    assert site.join.at == (None,)
    assert site.worker.renew() and site.join.renewed == 1
    site.join.ends()
    assert site.worker.poll() == [Ended(0)]
    assert site.worker.ended
    found = site.worker.outcome()
    assert (found.kind, found.notes) == ('trial', ['joined'])
    assert found.tools == {'rados': '20.2.4'}
    assert site.join.most == OUTCOME_MAX  # as of one host
    site.worker.discard()
    assert a.discarded and b.discarded and site.join.discarded


def test_results_of_s3_are_put_together_by_its_own_join():
    site = Site().going(s3_loads.trial(rate=10.0))
    assert [part.job.host for part in site.parts] == [0, 1]
    assert all(part.at[0] is not None for part in site.parts)
    for part in site.parts:
        part.ends()
    site.worker.poll()
    join = site.join.job
    assert isinstance(join, S3Join)
    assert (join.rate, join.urls) == (10.0, ('http://gw:80',))
    join.check()


@pytest.mark.parametrize(
    'job, parts',
    [
        (trial(concurrency=16, clients=3), [6 / 16, 5 / 16, 5 / 16]),
        (s3_loads.trial(concurrency=16), [6 / 16, 5 / 16, 5 / 16]),
        # what is offered is divided, however many may be in flight
        (s3_loads.trial(concurrency=16, rate=90.0), [1 / 3] * 3),
        (images(), [6 / 16, 5 / 16, 5 / 16]),
        (images(rate=100.0, read_share=50), [0.34, 0.33, 0.33]),
    ],
)
def test_results_go_with_the_part_of_each_host(job, parts):
    site = Site('abc').going(job)
    for part in site.parts:
        part.ends()
    site.worker.poll()
    results = site.join.job.results
    assert [r.part for r in results] == pytest.approx(parts)
    assert [r.flying for r in results] == pytest.approx(
        [6 / 16, 5 / 16, 5 / 16]
    )
    site.join.job.check()


def test_populations_of_all_hosts_are_one_outcome():
    site = Site()
    populations = tuple(
        jobs.Population(f'p.{n}', 100, 4096) for n in range(3)
    )
    site.going(jobs.Prefill(ACCESS, 8, 60.0, populations))
    a, b = site.parts
    assert [p.run_name for p in a.job.populations] == ['p.0', 'p.2']
    assert [p.run_name for p in b.job.populations] == ['p.1']
    for part, name, ended in ((a, 'p.0', 110.0), (b, 'p.1', 120.0)):
        part.done = Outcome(
            'prefill',
            100.0,
            ended,
            populations=[FilledPopulation(name, 100, False)],
        )
        part.ends()
    assert site.worker.poll() == [Ended(0)]
    found = site.worker.outcome()
    assert [p.run_name for p in found.populations] == ['p.0', 'p.1']
    # each host's worker tells times of the Manager's clock
    assert (found.started, found.ended) == (100.0, 120.0)
    assert site.join.job is None


def test_what_one_host_can_do_needs_no_other():
    site = Site().going(trial(clients=1))
    a, b = site.parts
    assert b.job is None and a.at == (None,)
    a.done = Outcome('trial', 1.0, 2.0)
    a.ends()
    assert site.worker.poll() == [Ended(0)]
    assert site.worker.outcome() is a.done


def test_a_lost_host_ends_all():
    site = Site().going()
    a, b = site.parts
    b.failed = WorkerFailed('died', 'load host b: no word')
    b.says.append(Ended(-9))
    assert site.worker.poll() == []
    assert a.killed
    events = site.worker.poll()
    assert events == [Failed('died', 'load host b: no word'), Ended(1)]
    with pytest.raises(WorkerFailed, match='load host b: no word'):
        site.worker.outcome()


def test_a_host_whose_clock_is_not_known_begins_nothing():
    site = Site()
    site.worker.start(trial())
    site.links[1].reading = None
    with pytest.raises(WorkerFailed, match='the clock of load host b'):
        site.worker.go()
    assert not any(part.at for part in site.parts)


def test_results_that_cannot_be_joined_are_a_failure():
    site = Site().going()
    for part in site.parts:
        part.ends()
    site.worker.poll()
    site.join.failed = WorkerFailed('protocol', 'the result of b is odd')
    site.join.says = [Ended(1)]
    assert site.worker.poll() == [Ended(1)]
    with pytest.raises(WorkerFailed, match='the result of b is odd'):
        site.worker.outcome()


def test_a_kill_reaches_all_before_it_waits_for_one():
    site = Site().going()
    site.worker.kill()
    assert all(part.killed for part in site.parts)
    assert site.worker.ended
    with pytest.raises(WorkerFailed, match='killed'):
        site.worker.outcome()


def test_a_stop_is_said_to_all():
    site = Site().going()
    site.worker.stop()
    events = site.worker.poll()
    assert kinds(events) == ['Failed', 'Ended']
    with pytest.raises(WorkerFailed, match='stopped on request'):
        site.worker.outcome()


def test_a_load_goes_on_until_the_last_host_has_done_its_part():
    site = Site()
    assert not site.worker.gathering
    site.going()
    a, b = site.parts
    a.gathering = True
    assert not site.worker.gathering
    b.gathering = True
    assert site.worker.gathering
    for part in site.parts:
        part.ends()
    site.worker.poll()
    assert site.worker.gathering and not site.worker.ended


class Joining:
    """Have hosts measure, and what they did be put together, in a run."""

    def __init__(self, seconds):
        """Let the latter take so long."""
        self.site = Site()
        self.site.clock = self.site.worker._clock = FakeClock(
            on_wait=self._waited
        )
        self.seconds = seconds
        self.began = None

    def worker(self, name):
        return self.site.worker

    def _waited(self, _):
        site = self.site
        for part in site.parts:
            if part.job and not part.at and not part.says:
                part.ready()
            elif part.at and not part.ended:
                part.ends()
        if site.join.job is None or site.join.ended:
            return
        if self.began is None:
            self.began = site.clock.now
            site.join.ready()
        elif site.clock.now >= self.began + self.seconds:
            site.join.ends()

    def run(self):
        """Do it under the abort rules; return its outcome."""
        control = Control(self.site.clock)
        lease = Lease(FakeCluster(), 15.0, control)
        loads = LoadRun(self, control, Bench().watch, lease)
        return loads.run('trial', trial(deadline=30.0), ())


def test_the_time_of_a_load_is_not_that_of_putting_results_together():
    joining = Joining(1.5 * JOIN_LIMIT)
    assert joining.run().notes == ['joined']


def test_putting_results_together_has_a_limit_for_each_host():
    joining = Joining(3 * JOIN_LIMIT)
    with pytest.raises(WorkerFailed, match='2 load hosts') as failed:
        joining.run()
    assert failed.value.kind == 'deadline'
    assert joining.site.join.killed and joining.site.join.discarded
    assert joining.site.join.job.deadline == 2 * JOIN_LIMIT
    took = joining.site.clock.now - joining.began
    assert took == pytest.approx(2 * JOIN_LIMIT, abs=2.0)
