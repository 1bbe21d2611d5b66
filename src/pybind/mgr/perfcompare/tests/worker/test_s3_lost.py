"""What the generator does when gateways break connections or rules."""

from typing import Iterator, List, Optional, Tuple

import random
import re
import resource
import time

import pytest

from perfcompare.tests.fakes.hostile_gateway import Gateway
from perfcompare.tests.fakes.s3_loop import MIXED, READ, WRITE, Bench
from perfcompare.tests.fakes.s3_server import S3Server
from perfcompare.worker.loads.s3.keys import Namer, Population
from perfcompare.worker.loads.s3.mix import Mix
from perfcompare.worker.loads.s3.payload import Payload
from perfcompare.worker.loads.s3.recorder import NAMES, Recorder
from perfcompare.worker.loads.s3.results import Window
from perfcompare.worker.wire.s3_spec import GET, PUT, Objects, Phase, Weighted

pytestmark = pytest.mark.process


@pytest.fixture
def server() -> Iterator[S3Server]:
    found = S3Server()
    found.rest = 0.003  # closed loops leave a core to others
    yield found
    found.close()


def hostile(
    name: str,
    mix: Tuple[float, ...] = WRITE,
    connections: int = 8,
    seconds: float = 1.0,
    share: float = 1.0,
    **options: object,
) -> Tuple[Gateway, Bench, Window, Recorder]:
    """Load a hostile gateway for a while."""
    gateway = Gateway(name, share=share)
    sizes = (Weighted(gateway.size),)
    bench = Bench(gateway, sizes, connections, **options)
    bench.population.adopt(64)
    try:
        window, recorder = bench.run(mix, seconds)
    finally:
        gateway.close()
        bench.loop.close()
    return gateway, bench, window, recorder


@pytest.mark.parametrize(
    'name', ['early_refusal', 'early_success', 'reset_in_the_request']
)
def test_puts_that_are_cut_short_end_no_load(name: str) -> None:
    gateway, _, window, _ = hostile(name)
    assert window.judged.errors
    for error in window.judged.errors:
        assert re.fullmatch(f'put ({gateway.spec.names})', error)


def test_a_listener_that_resets_all_ends_no_load() -> None:
    gateway, _, window, _ = hostile('reset_at_once', READ, 64)
    assert {*window.judged.errors, *window.judged.attempts} <= {
        'get ECONNRESET', 'get closed at once', 'ECONNRESET',
        'closed at once', 'closed while idle', 'get EPIPE',
    }  # fmt: skip
    assert gateway.crowd(64) <= 100


def test_nothing_of_a_cut_put_reaches_the_next_request() -> None:
    # half of the requests are puts whose connection is reset
    gateway, _, window, _ = hostile(
        'reset_in_the_request', (50.0, 0.0, 50.0, 0.0), 4, 2.0
    )
    assert 'garbage' not in gateway.counts


@pytest.mark.parametrize(
    'name',
    ['status_403_conne', 'status_503_conne', 'early_refusal', 'long_content',
     'close_before_the_answer'],
)  # fmt: skip
def test_errors_make_no_storm_of_connections(name: str) -> None:
    gateway, bench, _, _ = hostile(name, connections=32, seconds=2.0)
    assert gateway.crowd(32) <= 100
    # of each connection the last one may not be accepted yet
    assert 0 <= bench.loop.reconnects - len(gateway.times) + 32 <= 32


def test_requests_that_are_sent_again_make_no_storm() -> None:
    gateway, bench, _, _ = hostile(
        'reset_before_the_answer', connections=32, seconds=2.0, share=0.5
    )
    assert bench.loop.retried > 0
    assert gateway.crowd(32) <= 100


def test_a_gateway_is_left_alone_for_as_long_as_it_asks() -> None:
    gateway, _, _, recorder = hostile('status_503_retry', seconds=2.5)
    assert 8 <= recorder.failed <= 24


def test_a_gateway_that_closes_each_connection_is_not_spared(
    server: S3Server,
) -> None:
    good = b'HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n'
    server.fault = lambda method, path, serial: (
        b'' if serial % 50 == 0 else good
    )
    bench = Bench(server)
    window, recorder = bench.run(WRITE, 2.0)
    assert recorder.failed
    # of 4 connections and 2 s it was half, when no success was counted
    assert bench.loop.backed_off < 0.25 * 8.0


def test_what_is_under_way_at_the_end_counts_with_its_latency(
    server: S3Server,
) -> None:
    bench = Bench(server, connections=16)
    bench.fill(16)
    begin = time.monotonic()

    def fault(method: bytes, path: bytes, serial: int) -> Optional[bytes]:
        left = begin + 3.0 - time.monotonic()
        if 0 < left < 2.0:
            time.sleep(left)
        return None

    server.fault = fault
    window, _ = bench.run(READ, 2.0)
    row = window.judged.described(2.0, window.inside)['get']
    assert row['unfinished'] == 16
    assert row['latency_max'] > 0.5
    assert window.judged.worst() == row['latency_max']
    assert row['ops'] == window.inside.ops('get')
    assert window.judged.errors == {}


def test_names_of_errors_are_bounded() -> None:
    for name in ('endless_codes', 'garbage_status_line'):
        _, _, window, recorder = hostile(name, seconds=1.0)
        assert recorder.failed > 0
        assert len(window.judged.errors) <= NAMES
        assert sum(window.judged.errors.values()) > 0
    recorder = Recorder(0, 0.0, 0.0)
    for number in range(10 * NAMES):
        recorder.error(PUT, 1, f'403 Code{number}')
        recorder.error(GET, 1, f'403 Code{number}')
    recorder.finish(2)
    (interval,) = recorder.intervals
    assert len(interval['errors']) <= NAMES
    assert sum(interval['errors'].values()) == 20 * NAMES
    assert interval['errors']['put other errors'] > NAMES


def test_what_a_gateway_sends_moves_no_cursor() -> None:
    for name in ('escapes', 'garbage_status_line'):
        _, _, window, recorder = hostile(name, seconds=1.0)
        texts = [*window.judged.errors, *recorder.examples]
        assert recorder.examples
        assert all(text.isprintable() for text in texts)


def test_attempts_to_connect_are_no_operations(server: S3Server) -> None:
    bench = Bench(server)
    server.close()
    time.sleep(0.05)
    window, recorder = bench.run(WRITE, 1.0)
    assert window.judged.errors == {} and window.judged.failed() == 0
    assert window.judged.attempts['ECONNREFUSED'] > 0


def test_a_connection_that_was_closed_silently_is_opened_again() -> None:
    gateway, bench, window, recorder = hostile('close_silently', seconds=3.0)
    assert recorder.failed == 0 and recorder.totals().finished > 20
    assert bench.loop.retried > 20
    # it counts what it has sent, and we may be told of that before
    end = time.monotonic() + 10.0
    while gateway.counts['good'] < recorder.totals().finished:
        assert time.monotonic() < end
        time.sleep(0.01)
    assert gateway.counts['good'] - recorder.totals().finished in range(9)


def test_what_began_to_be_answered_is_not_asked_again(
    server: S3Server,
) -> None:
    server.fault = lambda method, path, serial: (
        b'HTTP/1.1 200' if serial == 2 else None
    )
    server.last = 2
    bench = Bench(server, connections=1)
    window, recorder = bench.run(WRITE, 2.0)
    assert recorder.failed == 1 and bench.loop.retried == 0


@pytest.mark.parametrize('mix', [WRITE, (90.0, 0.0, 0.0, 10.0), MIXED])
def test_only_what_is_used_again_is_remembered(
    mix: Tuple[float, ...],
) -> None:
    names = [Namer('b', Objects(p, 0, (Weighted(9),))) for p in ('r-', 'w-')]
    found = Population(*names, 0, 1, random.Random(1))
    Mix(Phase('x', mix, 0.0, 1.0), found, random.Random(1))
    for _ in range(100):
        found.written(found.new(), True)
    assert len(found) == (0 if mix == WRITE else 100)


def test_a_body_is_hashed_once() -> None:
    payload = Payload(1)
    size = 4 << 20
    first = payload.digest(7, size)
    began = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    for _ in range(1000):
        assert payload.digest(7 + 509, size) == first
    used = resource.getrusage(resource.RUSAGE_SELF).ru_utime - began
    assert used < 0.5  # of the seconds that it would take


RARE = (Weighted(1, 9999.0), Weighted(2, 1.0))


def test_sizes_of_little_weight_are_drawn() -> None:
    namer = Namer('b', Objects('r-', 0, RARE))
    sizes = [namer.key(i).size for i in range(100_000)]
    assert sizes.count(2) == pytest.approx(10, abs=2)


@pytest.mark.parametrize('step', [1, 2, 5, 8, 13, 34, 64])
@pytest.mark.parametrize('count', [10, 100, 1000])
def test_shares_of_few_objects_are_right_over_trials(
    step: int, count: int
) -> None:
    sizes = (Weighted(1, 90.0), Weighted(2, 10.0))
    trials = 300
    found: List[float] = []
    for trial in range(trials):
        namer = Namer('b', Objects('r-', 0, sizes, trial))
        drawn = [namer.key(i * step).size for i in range(count)]
        found.append(drawn.count(2) / count)
    mean = sum(found) / trials
    assert mean == pytest.approx(0.1, abs=0.012)
    assert len(set(found)) > 1


def test_the_objects_of_a_load_are_as_ordered() -> None:
    sizes = (Weighted(1, 75.0), Weighted(2, 25.0))
    namer = Namer('b', Objects('r-', 0, sizes))
    drawn = [namer.key(i).size for i in range(40)]
    assert drawn.count(2) == pytest.approx(10, abs=2)
