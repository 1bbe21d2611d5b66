"""Requests of the S3 generator that are made before they are needed."""

from typing import Iterator, List, Optional, Tuple

import calendar
import random
import time

import pytest

from perfcompare.tests.fakes.s3_loop import MIXED, Bench
from perfcompare.tests.fakes.s3_server import S3Server
from perfcompare.tests.worker.test_s3_mix import population
from perfcompare.worker.loads.s3 import loop
from perfcompare.worker.loads.s3.keys import AMPLE, Key
from perfcompare.worker.loads.s3.mix import Drain, Mix
from perfcompare.worker.loads.s3.prefetcher import (
    AHEAD,
    FRESH,
    Request,
    RequestPrefetcher,
)
from perfcompare.worker.wire.s3_spec import DELETE, GET, PUT, STAT, Phase


class Source:
    """Give numbered puts up to a limit."""

    exhausted = False
    substituted = 0

    def __init__(self, limit: int, may: bool = True) -> None:
        self.left = limit
        self.may = may
        self.drawn: List[int] = []
        self.back: List[int] = []

    def next(self) -> Optional[Tuple[int, Key]]:
        if not self.left:
            return None
        self.left -= 1
        self.drawn.append(len(self.drawn))
        return PUT, Key(b'/b/x', self.drawn[-1], 1)

    def ahead(self) -> bool:
        return self.may

    def take_back(self, op: int, key: Key) -> None:
        self.back.append(key.number)


def _stock(source: Source, endpoints: int = 1) -> RequestPrefetcher:
    def make(endpoint: int) -> Optional[Request]:
        choice = source.next()
        if choice is None:
            return None
        return Request(*choice, b'for %d' % endpoint, False)

    def sign(endpoint: int, request: Request) -> Request:
        return request._replace(head=b'for %d again' % endpoint)

    return RequestPrefetcher(endpoints, make, sign)


def _numbers(
    stock: RequestPrefetcher, endpoint: int, count: int
) -> List[int]:
    found = []
    for _ in range(count):
        request = stock.take(endpoint)
        assert request is not None
        found.append(request.key.number)
    return found


def test_requests_come_in_the_order_of_the_source() -> None:
    source = Source(100)
    stock = _stock(source)
    assert stock.low
    assert _numbers(stock, 0, 2) == [0, 1]  # none was made before
    stock.fill(source)
    assert len(source.drawn) == 2 + AHEAD and not stock.low
    assert _numbers(stock, 0, AHEAD) == list(range(2, 2 + AHEAD))
    assert not stock.low  # who needs none gets none
    assert _numbers(stock, 0, 2) == [2 + AHEAD, 3 + AHEAD]
    assert stock.low


def test_nothing_is_drawn_ahead_where_it_would_matter() -> None:
    source = Source(100, may=False)
    stock = _stock(source)
    stock.fill(source)
    assert source.drawn == [] and not stock.low
    assert _numbers(stock, 0, 3) == [0, 1, 2]


def test_what_is_left_of_one_endpoint_goes_to_the_other() -> None:
    """Else objects would stay unwritten where an endpoint is gone."""
    source = Source(AHEAD + 4)
    stock = _stock(source, 2)
    stock.fill(source)
    assert _numbers(stock, 1, 4) == list(range(AHEAD, AHEAD + 4))
    request = stock.take(1)
    assert request is not None
    assert (request.key.number, request.head) == (0, b'for 1 again')
    assert _numbers(stock, 0, AHEAD - 1) == list(range(1, AHEAD))
    assert stock.take(0) is None and stock.take(1) is None


def test_old_signatures_are_made_anew() -> None:
    source = Source(100)
    stock = _stock(source)
    stock.tick(1000.0)
    stock.fill(source)
    stock.tick(1000.0 + FRESH - 1)
    first = stock.take(0)
    assert first is not None and first.head == b'for 0'
    stock.tick(1000.0 + FRESH)
    second = stock.take(0)
    assert second is not None and second.head == b'for 0 again'
    assert [first.key.number, second.key.number] == [0, 1]
    assert _numbers(stock, 0, AHEAD - 2) == list(range(2, AHEAD))


def test_what_was_never_begun_goes_back() -> None:
    source = Source(100)
    stock = _stock(source, 2)
    stock.fill(source)
    assert stock.take(0) is not None
    stock.give_back(source)
    assert sorted(source.back) == list(range(1, 2 * AHEAD))
    assert _numbers(stock, 0, 1) == [2 * AHEAD]


def test_a_mix_takes_back_what_it_gave() -> None:
    objects = population(1000)
    mix = Mix(Phase('x', MIXED, 0.0, 1.0), objects, random.Random(1))
    assert mix.ahead()
    drawn = [mix.next() for _ in range(200)]
    assert {c[0] for c in drawn if c} == {PUT, GET, STAT, DELETE}
    assert len(objects) < 1000 and objects.created > 0
    for choice in drawn:
        assert choice is not None
        mix.take_back(*choice)
    assert len(objects) == 1000 and objects.created == 0
    # nobody reads any of them: all can be deleted
    drain = Drain(objects)
    assert all(drain.next() for _ in range(1000)) and drain.next() is None


def test_a_drain_takes_back_what_is_still_there() -> None:
    objects = population(3)
    drain = Drain(objects)
    choice = drain.next()
    assert choice is not None and len(objects) == 2
    drain.take_back(*choice)
    assert len(objects) == 3


def test_a_bound_is_met_by_puts_that_were_begun_only() -> None:
    phase = Phase('x', (1.0, 0.0, 0.0, 0.0), 0.0, 1.0, bound=3)
    mix = Mix(phase, population(0), random.Random(1))
    drawn = [mix.next() for _ in range(4)]
    assert mix.exhausted and drawn[2] is not None
    mix.take_back(*drawn[2])
    assert not mix.exhausted


@pytest.mark.parametrize(
    'mix, count, ahead',
    [
        ((1.0, 0.0, 0.0, 0.0), 0, True),
        ((1.0, 1.0, 0.0, 0.0), AMPLE - 1, False),
        ((1.0, 1.0, 0.0, 0.0), AMPLE, True),
        ((0.0, 0.0, 1.0, 0.0), AMPLE - 1, False),
        ((0.0, 0.0, 0.0, 1.0), AMPLE - 1, False),
        (MIXED, AMPLE, True),
    ],
)
def test_few_objects_are_not_drawn_ahead(
    mix: Tuple[float, ...], count: int, ahead: bool
) -> None:
    phase = Phase('x', mix, 0.0, 1.0)
    found = Mix(phase, population(count), random.Random(1))
    assert found.ahead() is ahead


@pytest.fixture
def server() -> Iterator[S3Server]:
    found = S3Server()
    yield found
    found.close()


@pytest.mark.process
@pytest.mark.parametrize('rate', [0.0, 300.0])
def test_a_load_leaves_nobody_reading_and_counts_what_it_made(
    server: S3Server, rate: float
) -> None:
    bench = Bench(server)
    bench.fill(2 * AMPLE)
    puts: List[bytes] = []

    def seen(method: bytes, path: bytes, serial: int) -> None:
        if method == b'PUT':
            puts.append(path)

    server.fault = seen
    window, _ = bench.run(MIXED, 1.0, rate)
    objects = bench.population
    assert window.judged.errors == {} and bench.loop.cut == 0
    assert objects.created == len(puts) == len(set(puts)) > 0
    assert len(objects) == len(server.objects)
    assert objects._live and not objects._used


@pytest.mark.process
def test_signatures_of_a_load_that_rests_are_no_older_than_that(
    server: S3Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At 2 operations a second most were signed long before."""
    bench = Bench(server)
    began = time.time()
    sent: List[float] = []

    def wall() -> float:
        """Return a clock that goes an hour a second."""
        return began + 3600 * (real() - began)

    def seen(method: bytes, path: bytes, serial: int) -> None:
        sent.append(wall())

    real = time.time
    monkeypatch.setattr(loop.time, 'time', wall)
    server.fault = seen
    window, _ = bench.run((1.0, 0.0, 0.0, 0.0), 6.0, rate=2.0)
    assert window.judged.ops() == len(sent) == 12
    ages = [
        at - calendar.timegm(time.strptime(date.decode(), '%Y%m%dT%H%M%SZ'))
        for at, date in zip(sent, server.dates)
    ]
    assert max(ages) < 3600 * 1.5  # a look at it is due each 0.2 s
