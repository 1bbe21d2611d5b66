"""Private gateways that do not come up, or die meanwhile."""

from typing import Any

import pytest

from ...drivers.s3.gateways import private
from ...model.run import RunState
from ...worker.wire import jobs
from ...worker.wire.s3_jobs import S3Warm
from ...workers.control import Stopped
from ...workers.outcomes import WorkerFailed
from ..fakes.workers import FakeWorker
from .test_gateways import Bench


def silent(bench: Bench, then: Any = None) -> None:
    """Have the next gateways never be ready; call ``then`` meanwhile."""
    made = bench.launcher.worker

    def worker(name: str) -> FakeWorker:
        bench.launcher.worker = made  # type: ignore[method-assign]
        found = made(name)
        start = found.start

        def started(job: jobs.Job) -> None:
            start(job)
            found._queue.pop()
            if then:
                then()

        found.start = started  # type: ignore[method-assign]
        return found

    bench.launcher.worker = worker  # type: ignore[method-assign]


def died(bench: Bench) -> None:
    """Have the gateway of the first group die once it serves."""
    bench.gateways.of(bench.group)
    worker = bench.launcher.started[-1]
    worker._failed = WorkerFailed('gateway', 'a gateway ended with code -9')
    worker.ended = True


@pytest.mark.parametrize('before', [False, True])
def test_one_that_did_not_come_up_serves_nobody(
    monkeypatch: pytest.MonkeyPatch, before: bool
) -> None:
    monkeypatch.setattr(private, 'START', 0.0)
    bench = Bench()
    if before:
        died(bench)
    silent(bench)
    with pytest.raises(WorkerFailed, match='no gateway within'):
        bench.gateways.of(bench.group)
    late = bench.launcher.started[-1]
    assert late.killed and late.discarded
    number = len(bench.launcher.started)
    monkeypatch.undo()
    # whoever asks again gets one that is there, at an address of its own
    service = bench.gateways.of(bench.group)
    assert len(bench.launcher.started) == number + 1
    assert service.credentials.endswith(f's3-{number + 1}.keys')
    assert bench.driver.problem(bench.group) == ''
    bench.gateways.close()


def test_a_brake_while_one_comes_up_leaves_none() -> None:
    bench = Bench()
    silent(bench, lambda: bench.control.request(RunState.CANCELLED, 'x'))
    with pytest.raises(Stopped):
        bench.gateways.of(bench.group)
    (worker,) = bench.launcher.started
    assert worker.killed and worker.discarded
    bench.gateways.close()
    assert worker.renewals == 0


def test_one_that_cannot_be_started_is_tried_again() -> None:
    bench = Bench()
    died(bench)

    def refused(name: str) -> FakeWorker:
        found = FakeWorker(bench.launcher, name)

        def start(job: jobs.Job) -> None:
            raise WorkerFailed('died', 'no memory')

        found.start = start  # type: ignore[method-assign]
        return found

    made = bench.launcher.worker
    bench.launcher.worker = refused  # type: ignore[method-assign]
    for _ in range(2):
        with pytest.raises(WorkerFailed, match='no memory'):
            bench.gateways.of(bench.group)
    bench.launcher.worker = made  # type: ignore[method-assign]
    bench.gateways.of(bench.group)
    assert bench.driver.problem(bench.group) == ''
    bench.gateways.close()


def test_what_no_gateway_could_read_is_not_warm(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bench = Bench('s3-get', cache='cached')
    get = bench.workload('s3-get')
    died(bench)
    monkeypatch.setattr(private, 'START', 0.0)
    silent(bench)
    with pytest.raises(WorkerFailed, match='no gateway within'):
        bench.driver.warm(get, bench.group)
    monkeypatch.undo()
    assert isinstance(bench.driver.warm(get, bench.group), S3Warm)
    assert bench.driver.warm(get, bench.group) is None
    bench.gateways.close()
