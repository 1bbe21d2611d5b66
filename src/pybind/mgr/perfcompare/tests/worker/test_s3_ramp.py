"""A rate that grows in steps: when operations begin, what steps state."""

from typing import Any, Dict, List

import random

import pytest

from perfcompare.worker.loads.s3.arrivals import Arrivals
from perfcompare.worker.loads.s3.recorder import Recorder
from perfcompare.worker.loads.s3.results import Window, steps
from perfcompare.worker.wire.s3_spec import PUT, RAMP_MAX, Details
from perfcompare.worker.wire.strict import Malformed

SECOND = 10**9


def begun(until: int, **how: Any) -> List[int]:
    """Return the times of all that began from 0 on."""
    found = Arrivals(random.Random(1), end=until, **how)
    found.come(until, 0, True)
    return list(found.queue)


def test_the_rate_grows_by_equal_amounts() -> None:
    times = begun(8 * SECOND, rate=400.0, steps=4)
    for step in range(4):
        inside = [t for t in times if step * 2 <= t / SECOND < step * 2 + 2]
        assert len(inside) == pytest.approx(200 * (step + 1), abs=2)


def test_the_warmup_has_the_rate_of_the_first_step() -> None:
    times = begun(10 * SECOND, rate=100.0, steps=2, begin=2 * SECOND)
    early = [t for t in times if t < 2 * SECOND]
    assert len(early) == pytest.approx(100, abs=2)
    last = [t for t in times if t >= 6 * SECOND]
    assert len(last) == pytest.approx(400, abs=2)


def test_random_arrivals_grow_too() -> None:
    times = begun(20 * SECOND, rate=1000.0, steps=2, poisson=True)
    first = [t for t in times if t < 10 * SECOND]
    assert len(first) == pytest.approx(5000, rel=0.1)
    assert len(times) == pytest.approx(15000, rel=0.1)


def test_one_step_is_a_constant_rate() -> None:
    assert begun(SECOND, rate=50.0, steps=1) == begun(SECOND, rate=50.0)


def test_processes_take_turns_in_the_first_step() -> None:
    half = begun(8 * SECOND, rate=200.0, steps=4, phase=0.5)
    assert half[0] == 0.5 * 4 * SECOND / 200


def window(latencies: Dict[int, int], seconds: float = 6.0) -> Window:
    """Return one with an operation for each time at which it ended.

    One more fails at its end, and another one after it.
    """
    recorder = Recorder(0, 0.0, seconds)
    end = int(seconds * SECOND)
    for at, took in sorted(latencies.items()):
        if at < end:
            recorder.done(PUT, at, at - took, 1, 0)
    recorder.error(PUT, end - 1, '503')
    for at, took in sorted(latencies.items()):
        if at >= end:
            recorder.done(PUT, at, at - took, 1, 0)
    recorder.error(PUT, end + SECOND // 2, 'unfinished')
    recorder.finish(int((seconds + 1) * SECOND))
    endpoint = {'url': 'u', 'intervals': recorder.intervals}
    result = {'begin': 0, 'end': int(seconds * SECOND)}
    return Window([{**result, 'endpoints': [endpoint]}], True)


def test_each_step_has_what_ended_in_it() -> None:
    ended = {i * SECOND // 10 + 1: 1000 * (1 + i // 30) for i in range(60)}
    found = steps(window(ended), 2, 100.0)
    assert [row['rate'] for row in found] == [50.0, 100.0]
    assert [row['ops'] for row in found] == [30, 30]
    assert [row['seconds'] for row in found] == [3.0, 3.0]
    assert [row['ops_per_s'] for row in found] == [10.0, 10.0]
    assert [row['errors'] for row in found] == [0, 2]
    assert found[0]['latency_avg'] == pytest.approx(1e-6)
    assert found[1]['latency_avg'] == pytest.approx(2e-6)


def test_the_last_step_has_the_backlog_that_it_left() -> None:
    ended = {i * SECOND // 10 + 1: 1000 for i in range(60)}
    late = {6 * SECOND + i: 5 * SECOND for i in range(1, 41)}
    first, last = steps(window({**ended, **late}), 2, 100.0)
    assert first['latency_max'] == pytest.approx(1e-6)
    assert last['latency_max'] == pytest.approx(5.0)
    assert last['percentiles']['p50'] == pytest.approx(5.0, rel=0.01)
    assert last['latency_avg'] == pytest.approx(5.0 * 40 / 70, rel=0.01)
    # rates are of what ended within
    assert (last['ops'], last['ops_per_s']) == (30, 10.0)
    assert (first['errors'], last['errors']) == (0, 2)


def test_a_step_without_operations_has_no_latency() -> None:
    found = steps(window({1: 1}), 3, 90.0)
    assert [row['ops'] for row in found] == [1, 0, 0]
    assert found[1]['latency_avg'] is None and not found[1]['percentiles']


def test_steps_that_cannot_be() -> None:
    for number in (0, -1, RAMP_MAX + 1):
        with pytest.raises(Malformed, match='ramp_steps'):
            Details(ramp_steps=number).check()
