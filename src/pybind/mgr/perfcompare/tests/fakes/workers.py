"""Workers in memory, which make up plausible outcomes, for tests."""

from typing import Any, Callable, Dict, List, Optional, Tuple

import json
import random
import time

from perfcompare.model.outcome import FilledPopulation, Outcome, RawSegment
from perfcompare.model.trial import Series, TrialSummary
from perfcompare.worker.wire import jobs
from perfcompare.worker.wire.protocol import (
    LEASE_TTL,
    PROTOCOL,
    RESULT_MAX,
    Ack,
    Done,
    Ended,
    Event,
    Failed,
    Hello,
    Live,
    Ready,
    Started,
)
from perfcompare.workers.outcomes import WorkerFailed

TOOLS = {'rados': 'ceph version 20.2.4 (fake) tentacle (stable)'}
FACTS: Dict[str, Any] = {
    'hostname': 'client-1',
    'arch': 'x86_64',
    'kernel': '6.12.0',
    'cpu': 'fake',
    'cores': 8.0,
    'memory_bytes': 16 << 30,
}
Rate = Callable[[jobs.Trial], float]


def default_rate(job: jobs.Trial) -> float:
    """Return operations per second by size: 40 MB/s plus 0.5 ms each."""
    return job.concurrency / (0.0005 * job.concurrency + job.size / 40e6)


class FakeWorker:
    """Go through one job in a few polls; see FakeLauncher."""

    def __init__(self, launcher: 'FakeLauncher', name: str) -> None:
        self.launcher = launcher
        self.name = name
        self.job: Optional[jobs.Job] = None
        self.ended = False
        self.gathering = False
        self.returncode: Optional[int] = None
        self.renewals = 0
        self.killed = False
        self.discarded = False
        self._queue: List[Event] = []
        self._going = False
        self._steps = 0
        self._errors = 0
        self._outcome: Optional[Outcome] = None
        self._failed: Optional[WorkerFailed] = None

    def start(self, job: jobs.Job) -> None:
        """Read and check the job as a real worker does, and get ready."""
        jobs.job_from_data(json.loads(json.dumps(jobs.job_to_data(job))))
        self.job = job
        self.launcher.started.append(self)
        self._queue += [
            Hello(PROTOCOL, 4711, '3.13.5', True),
            Ack(1),
            Ready(dict(TOOLS), dict(FACTS)),
        ]

    def go(self) -> None:
        """Start the load that is not there."""
        self._going = True
        self._queue += [Ack(2), Started(self.launcher.clock(), 1000.0)]

    def poll(self) -> List[Event]:
        """Return what came in; the job ends at the launcher's step."""
        if self.ended and self.returncode is None:
            self.returncode = -9
            return [Ended(-9)]
        if self.ended:
            return []
        events, self._queue = self._queue, []
        if self._going:
            self._steps += 1
            if self._steps > self.launcher.steps:
                events += self._finish()
            elif not self.launcher.silent:
                events.append(self._live())
        return events

    def _live(self) -> Live:
        job = self.job
        rate = self.launcher.rate(job) if isinstance(job, jobs.Trial) else 1e3
        size = job.size if isinstance(job, jobs.Trial) else 4096
        return Live(
            wall=self.launcher.clock(),
            t=float(self._steps),
            phase='measure',
            ops=int(rate * self._steps),
            ops_per_s=rate,
            bytes_per_s=rate * size,
            latency=job.concurrency / rate if job else None,
            in_flight=job.concurrency if job else 0,
            stalled=0.0,
            clients=1,
            errors=self._failed_ops(),
        )

    def _failed_ops(self) -> int:
        self._errors += self.launcher.failing
        return self._errors

    def _finish(self) -> List[Event]:
        self.ended = True
        failure = self.launcher.failure(self)
        if failure is not None:
            self._failed = failure
            self.returncode = 1
            return [Failed(failure.kind, failure.message), Ended(1)]
        assert self.job is not None
        self._outcome = self.launcher.outcome_of(self.job)
        self.returncode = 0
        return [Done('result.json', 1000, '0' * 64), Ended(0)]

    def renew(self, ttl: float = LEASE_TTL) -> bool:
        """Count the renewal."""
        self.renewals += 1
        return not self.ended

    def stop(
        self,
        grace: float = 2.0,
        window: Optional[Tuple[float, float]] = None,
    ) -> None:
        """End in an orderly way."""
        self._failed = WorkerFailed('stopped', 'stopped on request')
        self.ended = True

    def kill(self) -> None:
        """End at once, if it did not end by itself."""
        if not self.ended:
            self._failed = WorkerFailed('stopped', 'killed on request')
            self.killed = self.ended = True

    def halt(self) -> None:
        """End at once."""
        self.kill()

    def outcome(self, most: int = RESULT_MAX) -> Outcome:
        """Return the made-up result, or raise as a real worker does."""
        if self._failed is not None:
            raise self._failed
        if self._outcome is None:
            raise WorkerFailed('died', 'the worker has no result yet')
        return self._outcome

    def discard(self) -> None:
        """Note that the files were removed."""
        self.discarded = True


class FakeLauncher:
    """Launch fake workers.

    ``rate`` gives operations per second of a trial, ``noise`` the standard
    deviation of its logarithm. A job takes ``steps`` polls. Failures to
    come are put into ``failures`` (one per job that is to fail, None for
    one that is not), or made by replacing ``failure``.
    """

    def __init__(
        self,
        rate: Rate = default_rate,
        noise: float = 0.02,
        steps: int = 2,
        seed: int = 1,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.rate = rate
        self.noise = noise
        self.steps = steps
        self.clock = clock
        self.silent = False  # no live events
        self.failing = 0  # operations that fail between two polls
        self.random = random.Random(seed)
        self.started: List[FakeWorker] = []
        self.failures: List[Optional[WorkerFailed]] = []

    @property
    def given(self) -> List[jobs.Job]:
        """Return the jobs that were started, in order."""
        return [w.job for w in self.started if w.job is not None]

    def worker(self, name: str) -> FakeWorker:
        """Return a worker, not yet started."""
        return FakeWorker(self, name)

    def failure(self, worker: FakeWorker) -> Optional[WorkerFailed]:
        """Return why this job fails; None when it does not."""
        return self.failures.pop(0) if self.failures else None

    def outcome_of(self, job: jobs.Job) -> Outcome:
        """Make up the result of ``job``."""
        now = self.clock()
        if isinstance(job, jobs.Trial):
            return self._trial(job, now)
        return Outcome(
            kind=jobs.kind_of(job),
            started=now,
            ended=now + 5.0,
            tools=dict(TOOLS),
            populations=[
                FilledPopulation(p.run_name, p.objects, False, 5.0, 200.0)
                for p in job.populations
            ],
        )

    def _trial(self, job: jobs.Trial, now: float) -> Outcome:
        rate = self.rate(job) * 2.718281828 ** self.random.gauss(
            0, self.noise
        )
        latency = job.concurrency / rate
        seconds = int(job.warmup + job.duration)
        per_second = [
            rate * (1 + self.random.gauss(0, 0.03)) for _ in range(seconds)
        ]
        t = [float(i + 1) for i in range(seconds)]
        totals = [round(sum(per_second[: i + 1])) for i in range(seconds)]
        return Outcome(
            kind=jobs.kind_of(job),
            started=now,
            ended=now + seconds,
            tools=dict(TOOLS),
            summary=TrialSummary(
                ops_per_s=rate,
                bytes_per_s=rate * job.size,
                latency_avg=latency,
                latency_max=5 * latency,
                window=job.duration,
                ops=round(rate * job.duration),
                windows=tuple(
                    rate * (1 + self.random.gauss(0, 0.01)) for _ in range(6)
                ),
                client_thread_cores=0.1,
                client_cores=0.2,
                host_busy=0.3,
                host_cores=8,
            ),
            series=Series(now, t, list(per_second), [latency] * seconds),
            evidence={
                'window': [[now + job.warmup, now + seconds]],
                'clients': [],
                'nic': None,
                'socket_discrepancy': 0.0,
            },
            raw=[
                RawSegment(
                    client=0,
                    start=now,
                    t=t,
                    started=[n + job.concurrency for n in totals],
                    finished=totals,
                    waited=[n * latency for n in totals],
                )
            ],
        )
