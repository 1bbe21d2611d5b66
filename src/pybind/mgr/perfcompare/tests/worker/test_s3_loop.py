"""The event loop against a real server on the loopback, with faults."""

from typing import Any, Dict, Iterator, List, Optional

import resource
import socket
import time

import pytest

from perfcompare.tests.fakes.s3_loop import MIXED, READ, WRITE, Bench
from perfcompare.tests.fakes.s3_server import SLOW_DOWN, Fault, S3Server
from perfcompare.tests.worker.test_s3_mix import paths
from perfcompare.worker.loads.s3 import process
from perfcompare.worker.loads.s3.bucket import Client
from perfcompare.worker.loads.s3.mix import Fill
from perfcompare.worker.loads.s3.recorder import Recorder
from perfcompare.worker.wire.s3_spec import Endpoint, Target, Weighted

pytestmark = pytest.mark.process


@pytest.fixture
def server() -> Iterator[S3Server]:
    found = S3Server()
    found.rest = 0.003  # closed loops leave a core to others
    yield found
    found.close()


@pytest.mark.parametrize('signed', [False, True])
@pytest.mark.parametrize('size', [1, 1000, 4096, 300000, 5 << 20, 17 << 20])
def test_content_is_written_and_read_back(
    server: S3Server, size: int, signed: bool
) -> None:
    bench = Bench(server, (Weighted(size),), verify=1.0, signed=signed)
    bench.fill(6)
    for number in range(6):
        stored = server.objects[b'/b/r-%08d' % number]
        assert stored == bench.payload.content(number, size)
    # the server is slow with large ones, more so on a busy machine
    window, _ = bench.run(READ, 1.0 if size < 1 << 20 else 3.0)
    assert window.judged.ops('get') > 0
    assert window.judged.errors == {}
    assert bench.loop.compared >= window.judged.ops('get')
    assert server.not_signed == 0


def test_reads_without_comparison_count_bytes(server: S3Server) -> None:
    bench = Bench(server, (Weighted(3 << 20),))
    bench.fill(3)
    window, _ = bench.run(READ, 3.0)
    found = window.inside
    assert found.ops() > 0
    assert found.moved() == found.ops() * (3 << 20)
    assert found.errors == {}


def test_the_first_byte_comes_before_the_last(server: S3Server) -> None:
    bench = Bench(server, connections=8)
    bench.fill(8)
    server.pause = 0.1
    window, _ = bench.run(READ, 1.0)
    row = window.judged.described(1.0)['get']
    assert row['percentiles']['p50'] >= 0.099
    assert row['first_byte']['p50'] < row['percentiles']['p50'] - 0.05


def test_corruption_is_counted(server: S3Server) -> None:
    bench = Bench(server, (Weighted(300000),), verify=1.0)
    bench.fill(4)
    path = b'/b/r-00000002'
    wrong = bytearray(server.objects[path])
    wrong[200000] ^= 1
    server.objects[path] = bytes(wrong)
    window, recorder = bench.run(READ, 1.0)
    assert bench.loop.corrupt > 0
    # those after the window's end are not the window's
    assert set(window.judged.errors) == {'get corrupt'}
    assert window.judged.failed() <= bench.loop.corrupt
    assert '/b/r-00000002' in recorder.examples[0]


def test_a_short_object_is_an_error(server: S3Server) -> None:
    bench = Bench(server)
    bench.fill(1)
    server.objects[b'/b/r-00000000'] = b'x'
    window, _ = bench.run((0.0, 1.0, 1.0, 0.0), 1.0)
    assert set(window.judged.errors) == {
        'get wrong size',
        'stat wrong size',
    }
    assert window.judged.ops() == 0


def test_a_mix_runs_without_errors(server: S3Server) -> None:
    sizes = (Weighted(1000, 3.0), Weighted(200000, 1.0))
    bench = Bench(server, sizes, connections=16)
    bench.fill(200)
    window, recorder = bench.run(MIXED, 2.0)
    assert recorder.failed == 0
    counts = {n: window.inside.ops(n) for n in ('put', 'get', 'stat')}
    total = window.inside.ops()
    assert counts['get'] / total == pytest.approx(0.45, abs=0.1)
    assert paths(bench.population) == set(server.objects)


def test_an_interim_response_in_one_segment(server: S3Server) -> None:
    answer = b'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'
    server.fault = lambda method, path, serial: (
        b'HTTP/1.1 100 Continue\r\n\r\n' + answer
    )
    window, _ = Bench(server).run(WRITE, 3.0)
    assert window.judged.errors == {}
    assert window.inside.ops() > 10


def test_slow_down_backs_off(server: S3Server) -> None:
    server.fault = lambda method, path, serial: SLOW_DOWN[0]
    bench = Bench(server)
    window, recorder = bench.run(WRITE, 1.5)
    assert set(window.judged.errors) == {'put 503 SlowDown'}
    # 4 connections with 20 ms, 40 ms, … of pause: not thousands
    assert 4 <= recorder.failed < 60
    assert bench.loop.backed_off > 1.0
    server.fault = lambda method, path, serial: None
    window, recorder = bench.run(WRITE, 3.0)
    assert window.inside.ops() > 10


def test_keys_are_no_part_of_an_example(server: S3Server) -> None:
    body = (
        b'<Error><Code>InvalidAccessKeyId</Code>'
        b'<AWSAccessKeyId>AKIATELLNOBODY</AWSAccessKeyId></Error>'
    )
    server.fault = lambda method, path, serial: (
        b'HTTP/1.1 403 Forbidden\r\nContent-Length: %d\r\n\r\n%b'
        % (len(body), body)
    )
    window, recorder = Bench(server).run(WRITE, 1.0)
    assert set(window.judged.errors) == {'put 403 InvalidAccessKeyId'}
    assert recorder.examples
    assert not [e for e in recorder.examples if 'AKIA' in e]


def test_the_size_of_an_object_is_asked_for_without_its_content(
    server: S3Server,
) -> None:
    server.objects[b'/b/r-00000000'] = b'x' * 5000
    asked: List[bytes] = []

    def fault(method: bytes, path: bytes, serial: int) -> Optional[bytes]:
        asked.append(method)
        return None

    server.fault = fault
    client = Client(
        Target((Endpoint(server.host, server.port),), 'A', 'S', 'b')
    )
    assert client.size('/b/r-00000000') == 5000
    assert client.size('/b/r-00000001') is None
    assert asked == [b'HEAD', b'HEAD']
    client.close()


def cut_each(server: S3Server, count: int) -> Fault:
    """Return the fault that every so many answers break off.

    After a close before any answer the request would be sent again.
    """

    def fault(method: bytes, path: bytes, serial: int) -> Optional[bytes]:
        if serial % count:
            return None
        server.last = serial
        return b'HTTP/1.1 2'

    return fault


def test_lost_connections_are_errors_and_come_back(
    server: S3Server,
) -> None:
    server.fault = cut_each(server, 20)
    bench = Bench(server)
    bench.population.adopt(0)
    window, recorder = bench.run(WRITE, 3.0)
    assert window.inside.ops() > 20
    assert recorder.failed >= 1
    assert all(name.startswith('put ') for name in window.judged.errors)
    # each of four connections may be waiting for its turn at the end
    assert bench.loop.reconnects >= recorder.failed - 4
    # what is not known to be there is never read
    assert bench.population.abandoned >= recorder.failed


def test_a_server_that_takes_connections_only_is_not_overrun(
    server: S3Server,
) -> None:
    server.fault = lambda method, path, serial: b''
    bench = Bench(server)
    window, recorder = bench.run(WRITE, 1.5)
    # 4 connections with 20 ms, 40 ms, … of pause, though each can connect
    assert 4 <= recorder.failed < 60
    server.fault = lambda method, path, serial: None
    window, recorder = bench.run(WRITE, 3.0)
    assert window.inside.ops() > 10 and recorder.failed == 0


def test_objects_that_could_not_be_written_are_written_again(
    server: S3Server,
) -> None:
    server.fault = cut_each(server, 7)
    bench = Bench(server)
    bench.loop.connect(time.perf_counter_ns() + 10**9)
    numbers: List[int] = list(range(40))
    rounds = []
    while numbers:
        rounds.append(len(numbers))
        now = time.perf_counter_ns()
        recorder = Recorder(now, 0.0, 0.0)
        source = Fill(bench.existing, numbers)
        bench.loop.run(source, [recorder], now, recorder.end)
        numbers = bench.population.take_missing()
        assert recorder.totals().finished + len(numbers) == rounds[-1]
    assert len(rounds) > 1 and len(server.objects) == 40
    assert paths(bench.population) == set(server.objects)
    assert bench.population.abandoned == 0


def test_a_close_header_is_no_error(server: S3Server) -> None:
    server.fault = lambda method, path, serial: (
        b'HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'
    )
    window, recorder = Bench(server).run(WRITE, 3.0)
    assert recorder.failed == 0 and window.inside.ops() > 5


def test_a_silent_server_times_out(server: S3Server) -> None:
    server.stall_until = time.monotonic() + 30
    bench = Bench(server, timeout=0.5)
    window, _ = bench.run(WRITE, 1.2)
    assert window.judged.errors['put timeout'] >= 4


def test_nobody_listening_is_counted_and_does_not_spin(
    server: S3Server,
) -> None:
    bench = Bench(server)
    server.close()
    time.sleep(0.05)
    began = time.process_time()
    window, recorder = bench.run(WRITE, 1.0)
    assert recorder.totals().finished == 0
    assert window.judged.errors == {}
    assert set(window.judged.attempts) == {'ECONNREFUSED'}
    assert time.process_time() - began < 0.7


def test_a_bound_ends_the_load(server: S3Server) -> None:
    bench = Bench(server)
    began = time.monotonic()
    _, recorder = bench.run(WRITE, 60.0, bound=20)
    assert recorder.totals().finished == 20
    assert time.monotonic() - began < 30


def stalled(server: S3Server, rate: float) -> Dict[str, Any]:
    """Return what is told of a load during which the server stalls 1 s."""
    bench = Bench(server, connections=8)
    bench.fill(8)
    server.stall_until = 0.0
    begin = time.monotonic()

    def fault(method: bytes, path: bytes, serial: int) -> Optional[bytes]:
        left = begin + 2.0 - time.monotonic()
        if 0 < left < 1.0:
            time.sleep(left)
        return None

    server.fault = fault
    window, _ = bench.run(READ, 4.0, rate=rate)
    server.fault = lambda method, path, serial: None
    assert window.judged.errors == {}
    if rate:
        # all that was to begin did, in time or not
        assert window.judged.ops() == pytest.approx(rate * 4.0, abs=2)
    return window.judged.described(4.0)['get']


def test_a_stall_shows_in_open_loop_as_it_does_in_truth(
    server: S3Server,
) -> None:
    # a quarter of all requests meets the stall and waits 0.5 s on average:
    # p90 is beyond it, p50 is not, if what it held up is soon made up for
    row = stalled(server, 100.0)
    found = row['percentiles']
    assert row['latency_max'] > 0.85
    assert found['p95'] > 0.7
    assert found['p90'] > 0.4
    assert found['p50'] < 0.3
    # in closed loop nothing is asked meanwhile: it hides beyond p99
    closed = stalled(server, 0.0)['percentiles']
    assert closed['p90'] < 0.3


def test_the_rate_is_kept(server: S3Server) -> None:
    bench = Bench(server, connections=8)
    bench.fill(4)
    window, _ = bench.run(READ, 2.0, rate=100.0)
    assert window.judged.ops() == pytest.approx(200, abs=1)
    assert bench.loop.arrivals.lag < 2.0 * 10**9


def test_ipv6() -> None:
    try:
        server = S3Server(socket.AF_INET6)
    except OSError:
        pytest.skip('no IPv6 here')
    try:
        bench = Bench(server)
        bench.fill(3)
        assert len(server.objects) == 3
    finally:
        server.close()


def test_many_connections(server: S3Server) -> None:
    bench = Bench(server, connections=200)
    bench.fill(400)
    ready = bench.loop.connect(time.perf_counter_ns() + 20 * 10**9)
    assert ready == 200


@pytest.mark.parametrize('drip', [0, 5000])
@pytest.mark.parametrize('size', [131071, 131072, 700000, (4 << 20) + 7])
def test_large_reads_end(server: S3Server, size: int, drip: int) -> None:
    bench = Bench(server, (Weighted(size),), connections=3)
    bench.fill(4)
    server.drip = drip
    window, _ = bench.run(READ, 1.0 if size < 1 << 20 else 3.0)
    assert window.judged.ops('get') > 5
    assert window.judged.errors == {}


def test_a_large_read_that_breaks_off_is_an_error(server: S3Server) -> None:
    bench = Bench(server, (Weighted(1 << 20),), connections=1, timeout=3.0)
    bench.fill(4)
    head = b'HTTP/1.1 200 OK\r\nContent-Length: 1048576\r\n\r\n'
    server.fault = lambda method, path, serial: head + bytes(900000)
    server.last = server.serial + 1
    window, recorder = bench.run(READ, 2.0)
    assert window.judged.errors['get closed'] == 1
    assert recorder.totals().finished == 0


def test_a_process_may_have_as_many_connections_as_the_kernel_lets_it():
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft - 1, hard))
    try:
        process.allow_connections()
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == (hard, hard)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
