"""Which objects are used how often, and when operations begin."""

from typing import Any, Iterator, List

import collections
import random
import time

import pytest

from perfcompare.tests.fakes.s3_loop import READ, Bench
from perfcompare.tests.fakes.s3_server import S3Server
from perfcompare.worker.loads.s3.keys import Namer, Population
from perfcompare.worker.loads.s3.loop import Loop
from perfcompare.worker.loads.s3.mix import Mix
from perfcompare.worker.loads.s3.recorder import Recorder
from perfcompare.worker.loads.s3.skew import Hot, Zipf, pick
from perfcompare.worker.wire.s3_spec import (
    Details,
    Objects,
    Phase,
    Weighted,
)

DRAWN = 200_000


@pytest.mark.parametrize('exponent', [0.5, 0.99, 1.0, 1.5])
def test_zipf_has_exact_shares(exponent: float) -> None:
    draw = Zipf(exponent, random.Random(1))
    seen = collections.Counter(draw(50) for _ in range(DRAWN))
    whole = sum(rank**-exponent for rank in range(1, 51))
    assert set(seen) == set(range(50))
    for place in (0, 1, 2, 10, 49):
        share = (place + 1) ** -exponent / whole
        spread = (share / DRAWN) ** 0.5
        assert seen[place] / DRAWN == pytest.approx(share, abs=5 * spread)


@pytest.mark.parametrize('count', [1, 2, 3])
def test_zipf_of_few_objects(count: int) -> None:
    draw = Zipf(0.99, random.Random(1))
    assert {draw(count) for _ in range(1000)} == set(range(count))


def test_hot_objects_have_their_share() -> None:
    draw = Hot(0.2, 0.8, random.Random(1))
    seen = collections.Counter(draw(100) for _ in range(DRAWN))
    assert sum(seen[i] for i in range(20)) / DRAWN == pytest.approx(
        0.8, abs=0.01
    )
    assert len(seen) == 100
    assert {draw(1) for _ in range(10)} == {0}


def test_all_alike_draw_as_before() -> None:
    assert pick(Details(), random.Random(1)) is None


def test_what_is_hot_is_so_for_all_processes() -> None:
    namer = Namer('b', Objects('r-', 0, (Weighted(1),)))
    found: List[Any] = []
    for process in range(2):
        rng = random.Random(process)
        drawn = pick(Details(hot_objects=0.01, hot_uses=0.99), rng)
        objects = Population(namer, namer, process, 2, rng, pick=drawn)
        objects.adopt(1000)
        keys = [objects.read() for _ in range(1000)]
        seen = collections.Counter(k.number for k in keys if k is not None)
        found.append({number for number, _ in seen.most_common(10)})
    assert found[0] == found[1] == set(range(10))


@pytest.fixture
def server() -> Iterator[S3Server]:
    found = S3Server()
    yield found
    found.close()


@pytest.mark.process
def test_arrivals_at_random_keep_the_rate(
    server: S3Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = Bench(server, connections=16)
    bench.fill(4)
    gaps: List[float] = []
    for poisson in (False, True):
        bench.loop.connect(time.perf_counter_ns() + 10**9)
        start = time.perf_counter_ns()
        recorder = Recorder(start, 0.0, 2.0)
        begun: List[int] = []
        source = Mix(Phase('x', READ, 0.0, 2.0), bench.population, bench.rng)
        begin = Loop._begin

        def note(loop: Loop, connection: Any, since: int, now: int) -> None:
            begun.append(since)
            begin(loop, connection, since, now)

        with monkeypatch.context() as patched:
            patched.setattr(Loop, '_begin', note)
            bench.loop.run(
                source, [recorder], start, recorder.end, 200.0, 0.0, poisson
            )
        assert len(begun) == pytest.approx(400, abs=5 * 20)
        steps = [b - a for a, b in zip(begun, begun[1:])]
        average = sum(steps) / len(steps)
        spread = sum((s - average) ** 2 for s in steps) / len(steps)
        gaps.append(spread**0.5 / average)
    # the spread of exponential gaps is their mean
    assert gaps[0] < 0.01
    assert gaps[1] == pytest.approx(1.0, abs=0.25)
