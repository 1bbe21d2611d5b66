"""Intervals of loads that end by themselves, after hours if need be."""

from typing import Any, Dict, List

import pytest

from perfcompare.worker.loads.s3.fleet import REFILL, fills, passes
from perfcompare.worker.loads.s3.recorder import POINTS, Recorder
from perfcompare.worker.loads.s3.results import Tally, Window
from perfcompare.worker.wire.s3_spec import PUT, Phase

SECOND = 10**9
HOURS = 3 * 3600


def recorded(seconds: int, timed: bool = True, at: float = 0.5) -> Recorder:
    """Return one with an operation, of 1 ms, in each second."""
    recorder = Recorder(0, 0.0, 0.0, timed)
    for second in range(seconds):
        now = int((second + at) * SECOND)
        recorder.done(PUT, now, now - SECOND // 1000, 8, 0)
    recorder.error(PUT, seconds * SECOND - 1, '503')
    recorder.finish(seconds * SECOND)
    return recorder


def whole(recorder: Recorder) -> Tally:
    tally = Tally()
    for interval in recorder.intervals:
        tally.add(interval)
    return tally


def test_objects_that_are_prepared_are_not_timed() -> None:
    turns = [(0, 1, 5)]
    assert not [p for p in fills(turns) + passes(turns) if p.timed]
    assert not REFILL.timed
    assert Phase('load', (0.0, 0.0, 0.0, 1.0), 0.0, 0.0).timed


def test_what_is_not_timed_is_one_interval() -> None:
    recorder = recorded(HOURS, False)
    (interval,) = recorder.intervals
    assert (interval['from'], interval['to']) == (0, HOURS * SECOND)
    assert whole(recorder).ops() == HOURS
    assert interval['errors'] == {'put 503': 1}
    assert recorder.totals().finished == HOURS


@pytest.mark.parametrize('seconds', [POINTS - 1, POINTS, POINTS + 1, HOURS])
def test_a_burst_has_a_bounded_number_of_intervals(seconds: int) -> None:
    recorder = recorded(seconds)
    rows = recorder.intervals
    assert POINTS // 2 <= len(rows) <= POINTS
    assert [row['from'] for row in rows[1:]] == [
        row['to'] for row in rows[:-1]
    ]
    tally = whole(recorder)
    assert (tally.ops(), tally.moved()) == (seconds, 8 * seconds)
    assert tally.errors == {'put 503': 1}
    assert tally.latency() == pytest.approx(0.001)


def test_processes_join_the_same_intervals() -> None:
    edges = [
        [row['to'] for row in recorded(HOURS, at=at).intervals[:-1]]
        for at in (0.1, 0.9)
    ]
    assert edges[0] == edges[1]


def window(*recorders: Recorder) -> Window:
    results: List[Dict[str, Any]] = [
        {
            'begin': 0,
            'end': r.intervals[-1]['to'],
            'endpoints': [{'url': 'u', 'intervals': r.intervals}],
        }
        for r in recorders
    ]
    return Window(results, False)


def test_one_that_ended_before_is_counted_in_the_intervals_of_all() -> None:
    found = window(recorded(POINTS - 10), recorded(4 * POINTS - 10))
    rows = found.series()
    assert all(a['to'] <= b['from'] for a, b in zip(rows, rows[1:]))
    assert [row['tally'].ops() for row in rows[:2]] == [8, 8]
    assert sum(row['tally'].ops() for row in rows) == 5 * POINTS - 20
    assert found.rates()[0] == pytest.approx(2.0)
    assert found.rates()[5] == pytest.approx(1.0)
