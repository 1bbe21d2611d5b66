"""What has not ended with the load: slow, or hung, or never begun."""

from typing import Iterator, List, Optional

import time

import pytest

from perfcompare.tests.data.s3_loads import trial
from perfcompare.tests.fakes.s3_loop import READ, WRITE, Bench
from perfcompare.tests.fakes.s3_server import S3Server
from perfcompare.worker.loads.s3 import loop, sound
from perfcompare.worker.runtime.failure import Failure

pytestmark = pytest.mark.process


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for what is under way for a moment only."""
    monkeypatch.setattr(loop, 'GRACE', 0.3)


@pytest.fixture
def server() -> Iterator[S3Server]:
    found = S3Server()
    yield found
    found.close()


def hang_once(server: S3Server, seconds: float) -> None:
    """Have one answer come that late."""
    hung: List[int] = []

    def fault(method: bytes, path: bytes, serial: int) -> Optional[bytes]:
        if not hung:
            hung.append(serial)
            time.sleep(seconds)
        return None

    server.fault = fault


def test_what_is_slow_is_no_error_of_a_closed_loop(server: S3Server) -> None:
    bench = Bench(server, timeout=60.0)
    bench.fill(8)
    server.pause = 1.6  # those that begin then end at 3.2 s
    window, recorder = bench.run(READ, 2.0)
    assert window.inside.ops('get') == 4
    assert window.judged.errors == {} and recorder.failed == 0
    assert bench.loop.cut == 4
    row = window.judged.described(2.0, window.inside)['get']
    # it is not left out: it counts with what it had taken at the end
    assert row['unfinished'] == window.judged.under_way() == 4
    assert row['latency_max'] == pytest.approx(1.6, abs=0.35)


def test_what_hangs_is_under_way_for_all_of_its_time(
    server: S3Server,
) -> None:
    bench = Bench(server, timeout=60.0)
    bench.fill(8)
    hang_once(server, 3.0)
    window, _ = bench.run(READ, 1.0)
    assert window.inside.ops('get') > 0
    assert window.judged.errors == {} and bench.loop.cut == 1
    assert window.judged.worst() == pytest.approx(1.0, abs=0.3)


def test_what_takes_longer_than_it_may_is_an_error(server: S3Server) -> None:
    bench = Bench(server, timeout=1.5)
    bench.fill(8)
    hang_once(server, 3.0)
    window, _ = bench.run(READ, 2.5)
    assert window.judged.errors == {'get timeout': 1}


def test_at_a_rate_what_does_not_end_is_an_error(server: S3Server) -> None:
    bench = Bench(server, timeout=60.0)
    bench.fill(8)
    hang_once(server, 3.0)
    window, _ = bench.run(READ, 1.0, rate=50.0)
    assert window.inside.ops('get') > 0
    assert window.judged.errors == {'get unfinished': 1}
    assert bench.loop.cut == 1


def test_what_could_not_begin_is_an_error_of_no_operation(
    server: S3Server,
) -> None:
    bench = Bench(server, connections=1, timeout=60.0)
    server.stall_until = time.monotonic() + 3.0
    window, _ = bench.run(WRITE, 1.0, rate=10.0)
    assert window.judged.errors == {'put unfinished': 1, 'never begun': 9}


def test_a_gateway_that_answers_nothing_made_no_trial(
    server: S3Server,
) -> None:
    bench = Bench(server, timeout=60.0)
    server.stall_until = time.monotonic() + 30.0
    began = time.monotonic()
    window, _ = bench.run(WRITE, 1.0)
    assert time.monotonic() - began < 10.0
    assert window.judged.under_way() == 4
    with pytest.raises(
        Failure,
        match=r'no operation succeeded; 4 were under way .*up to (0\.[89]|1\.0) s',
    ):
        sound.require(trial(), _ended(window))


def _ended(window):  # type: ignore[no-untyped-def]
    for row in window.results:
        row['exhausted'] = False
    return window
