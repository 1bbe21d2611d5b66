"""What is told of each endpoint of a load, of all that was recorded."""

from typing import Any, Dict

import pytest

from perfcompare.worker.loads.s3.recorder import NEVER_BEGUN, Recorder
from perfcompare.worker.loads.s3.results import Window, endpoints
from perfcompare.worker.wire.s3_spec import GET

SECOND = 10**9


def late() -> Recorder:
    """Return one that ended half of its operations after its 2 s."""
    recorder = Recorder(0, 0.0, 2.0)
    for i in range(20):
        end = (i + 1) * SECOND // 10 - 1
        recorder.done(GET, end, end - SECOND // 100, 8, end)
    recorder.error(GET, SECOND * 2 - 1, '503')
    for i in range(20):
        recorder.done(GET, 3 * SECOND + i, i, 8, i)
    recorder.error(GET, 4 * SECOND, 'unfinished')
    recorder.attempt('ECONNREFUSED', 4 * SECOND)
    recorder.trouble(NEVER_BEGUN, 4 * SECOND)
    recorder.finish(5 * SECOND)
    return recorder


def told(open_loop: bool) -> 'tuple[Dict[str, Any], Window]':
    recorder = late()
    recorder.under_way(GET, SECOND)
    result = {
        'begin': 0,
        'end': 2 * SECOND,
        'endpoints': [
            {
                'url': 'u',
                'intervals': recorder.intervals,
                'unfinished': {} if open_loop else recorder.pending(),
            }
        ],
    }
    window = Window([result], open_loop)
    (row,) = endpoints([window])
    return row, window


def test_at_a_rate_an_endpoint_has_what_ended_late() -> None:
    row, window = told(True)
    judged = window.judged
    assert row['ops'] == window.inside.ops() == 20
    assert row['latency_avg'] == judged.latency() == pytest.approx(1.505)
    assert row['percentiles'] == judged.percentiles()
    assert row['attempts'] == 1
    assert row['unfinished'] == 0
    # what never began was of no endpoint
    assert (row['errors'], judged.failed()) == (2, 3)


def test_in_a_closed_loop_it_has_what_was_under_way() -> None:
    row, window = told(False)
    judged = window.judged
    assert row['ops'] == window.inside.ops() == 20
    assert row['unfinished'] == 1
    assert row['latency_avg'] == judged.latency() == pytest.approx(0.01)
    assert row['percentiles'] == judged.percentiles()
    assert (row['errors'], judged.failed()) == (2, 3)
