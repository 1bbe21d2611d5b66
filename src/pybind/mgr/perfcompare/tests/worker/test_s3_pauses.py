"""Tests of users who pause between operations."""

from typing import Iterator, List, Tuple

import random
import time

import pytest

from perfcompare.tests.fakes.s3_loop import Bench

from ...worker.loads.s3.mix import Mix
from ...worker.loads.s3.pauses import Pauses
from ...worker.loads.s3.recorder import Recorder
from ...worker.wire.s3_spec import Details, Phase
from ...worker.wire.strict import Malformed
from ..fakes.s3_server import S3Server
from .test_s3_skew import READ

MS = 1_000_000


def lived(
    seconds: float, exponential: bool, took: int, users: int = 10
) -> Tuple[List[int], Pauses]:
    """Return when operations begin that take ``took`` ns, for 60 s."""
    pauses = Pauses(users, seconds, exponential, 0, random.Random(1))
    begun: List[int] = []
    ends: List[int] = []
    for now in range(0, 60_000 * MS, MS):
        ends = [end for end in ends if end > now]
        for due in pauses.over(now, len(ends)):
            assert due <= now
            begun.append(due)
            ends.append(now + took)
        assert len(ends) <= users
    return begun, pauses


@pytest.mark.parametrize('exponential', (False, True))
def test_users_wait_and_pause(exponential: bool) -> None:
    # 10 users, 40 ms of pause and 10 ms of operation: 200/s
    begun, _ = lived(0.04, exponential, 10 * MS)
    assert len(begun) == pytest.approx(12_000, rel=0.05)


def test_users_do_not_begin_together() -> None:
    begun, pauses = lived(10.0, False, MS)
    first = sorted(begun[:10])
    assert first[-1] - first[0] > 4_000 * MS
    assert 0 < pauses.left(60_000 * MS) <= 10.0


def test_exponential_pauses_vary_as_much_as_they_last() -> None:
    begun, _ = lived(0.1, True, 0, users=1)
    gaps = [b - a for a, b in zip(begun, begun[1:])]
    mean = sum(gaps) / len(gaps)
    spread = (sum((g - mean) ** 2 for g in gaps) / len(gaps)) ** 0.5
    assert spread / mean == pytest.approx(1.0, abs=0.15)
    steady, _ = lived(0.1, False, 0, users=1)
    gaps = [b - a for a, b in zip(steady[1:], steady[2:])]
    assert set(gaps) == {101 * MS}  # seen once a millisecond


def test_nobody_pauses_while_all_are_busy() -> None:
    pauses = Pauses(2, 0.01, False, 0, random.Random(1))
    assert len(pauses.over(20 * MS, 0)) == 2
    assert pauses.over(90 * MS, 2) == []
    assert pauses.left(90 * MS) == float('inf')


@pytest.mark.parametrize('seconds', (-1.0, 61.0, float('nan')))
def test_pauses_that_cannot_be(seconds: float) -> None:
    with pytest.raises(Malformed, match='think'):
        Details(think=seconds).check()


@pytest.fixture
def server() -> Iterator[S3Server]:
    found = S3Server()
    yield found
    found.close()


@pytest.mark.process
@pytest.mark.parametrize('exponential', (False, True))
def test_connections_pause_between_operations(
    server: S3Server, exponential: bool
) -> None:
    bench = Bench(server, connections=4)
    bench.fill(4)
    bench.loop.connect(time.perf_counter_ns() + 10**9)
    start = time.perf_counter_ns()
    recorder = Recorder(start, 0.0, 2.0)
    source = Mix(Phase('x', READ, 0.0, 2.0), bench.population, bench.rng)
    bench.loop.run(
        source,
        [recorder],
        start,
        recorder.end,
        think=0.05,
        exponential=exponential,
    )
    recorder.finish(time.perf_counter_ns())
    # an operation each, and one more for each pause
    most = 4 * (2.0 / 0.05 + 1)
    assert 20 < recorder.totals().finished <= most * (2 if exponential else 1)
    assert recorder.failed == 0 and bench.loop.in_flight == 0
    # who pauses is not late
    assert bench.loop.arrivals.late == 0
