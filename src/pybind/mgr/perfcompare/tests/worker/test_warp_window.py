"""What one warp measured: fixed seconds, with all that went wrong in them."""

from typing import Any, Dict, List

import pathlib

import pytest

from perfcompare.worker.loads.warp import command
from perfcompare.worker.loads.warp import run as warp_run
from perfcompare.worker.runtime.failure import Failure
from perfcompare.worker.wire.s3_spec import OPS, Endpoint

from ..data.interop_data import HEADER, T0, warp_rows
from .test_warp_run import Disk
from .test_warp_together import job

MS, SECOND = 1_000_000, 1_000_000_000
WAIT = 100 * MS  # of an operation
WARMUP, DURATION, LOAD = 2.0, 60.0, 63
PUTS = tuple(float(op == 'put') for op in OPS)
BUSY = 'Error response code ServiceUnavailable.'
CUT_OFF = '"Put ""http://gw/b/x"": context deadline exceeded"'


def thread(
    number: int, seconds: float = LOAD, begin: float = 0.0, **kw: Any
) -> List[str]:
    """Return the puts of one thread, ten a second."""
    return warp_rows(
        'PUT',
        number,
        round(begin * SECOND) + number,
        round(seconds * 10),
        WAIT,
        4096,
        **kw,
    )


def long(number: int, begin: float, seconds: float, **kw: Any) -> List[str]:
    """Return one put of a thread that takes its time."""
    since = round(begin * SECOND) + number
    wait = round(seconds * SECOND)
    return warp_rows('PUT', number, since, 1, wait, 4096, **kw)


def trial(
    monkeypatch: pytest.MonkeyPatch,
    folder: pathlib.Path,
    rows: List[str],
    **changes: Any,
) -> Dict[str, Any]:
    """Return the result of a trial of which warp wrote these rows."""
    disk = Disk(folder, '\n'.join([HEADER, *rows]) + '\n', 0)
    monkeypatch.setattr(warp_run, 'time', disk.clock)
    monkeypatch.setattr(warp_run.command, 'has_full', lambda *_: False)
    values: Dict[str, Any] = {
        'mix': PUTS,
        'warmup': WARMUP,
        'duration': DURATION,
        'endpoints': (Endpoint('gw', 80),),
    }
    whole = job(**{**values, **changes})
    return warp_run.WarpRun(whole, disk).run()  # type: ignore[arg-type]


def test_the_window_is_what_was_asked_for(
    monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path
) -> None:
    found = trial(
        monkeypatch, tmp_path, [r for n in range(4) for r in thread(n)]
    )
    summary, evidence = found['summary'], found['evidence']
    assert summary['window'] == DURATION
    assert summary['ops_per_s'] == pytest.approx(40, rel=0.01)
    assert summary['errors'] == 0 and found['notes'] == []
    assert summary['client_thread_cores'] is None
    # what warp does not say is not made up
    assert not {'attempts', 'compared', 'reconnects'} & set(evidence)
    ((begin, end),) = evidence['window']
    assert begin == pytest.approx(T0.timestamp() + WARMUP, abs=0.001)
    assert end == pytest.approx(begin + DURATION)
    assert found['started'] == pytest.approx(T0.timestamp(), abs=0.001)


def test_what_fails_at_the_end_counts(
    monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path
) -> None:
    rows = []
    for number in range(4):
        rows += thread(number, 40)
        rows += thread(number, LOAD - 40, 40.0, error=BUSY)
    found = trial(monkeypatch, tmp_path, rows)
    summary = found['summary']
    assert summary['window'] == DURATION
    assert summary['ops_per_s'] == pytest.approx(40 * 38 / 60, rel=0.01)
    assert summary['errors'] == pytest.approx(40 * 22, abs=5)
    assert found['evidence']['errors'] == {
        'put ServiceUnavailable': summary['errors']
    }


def test_a_put_that_hangs_at_the_end_counts(
    monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path
) -> None:
    rows = [r for n in range(3) for r in thread(n)]
    rows += thread(3, 37) + long(3, 37.0, 26.0)
    summary = trial(monkeypatch, tmp_path, rows)['summary']
    assert summary['window'] == DURATION
    assert summary['latency_max'] == pytest.approx(25, abs=0.1)
    assert summary['errors'] == 0


@pytest.mark.parametrize('why, errors', [(BUSY, 1), (CUT_OFF, 0)])
def test_one_that_hangs_and_fails_later_is_an_error(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: pathlib.Path,
    why: str,
    errors: int,
) -> None:
    """Except where warp itself gave it up, when its time was over."""
    rows = [r for n in range(3) for r in thread(n)]
    rows += thread(3, 37) + long(3, 37.0, 26.0, error=why)
    summary = trial(monkeypatch, tmp_path, rows)['summary']
    assert summary['window'] == DURATION
    assert summary['errors'] == errors
    assert summary['latency_max'] == pytest.approx(25, abs=0.1)


def test_one_that_hangs_from_the_begin_counts(
    monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path
) -> None:
    rows = [r for n in range(3) for r in thread(n)]
    rows += long(3, 0.0, 20.0) + thread(3, LOAD - 20, 20.0)
    summary = trial(monkeypatch, tmp_path, rows)['summary']
    assert summary['window'] == DURATION
    assert summary['latency_max'] == pytest.approx(20)


def test_a_mix_counts_from_when_its_first_type_began(
    monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path
) -> None:
    """Another one is rare, and ends last."""
    since, mix = 20 * SECOND, tuple(
        float(op in ('put', 'stat')) for op in OPS
    )
    rows = thread(0) + warp_rows('STAT', 1, since, 2, 22 * SECOND, 0)
    found = trial(monkeypatch, tmp_path, rows, mix=mix)
    assert found['summary']['window'] == DURATION
    assert found['evidence']['operations']['put']['ops'] == 600


def test_a_load_that_ended_early_is_no_trial(
    monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path
) -> None:
    rows = [r for n in range(4) for r in thread(n, 55)]
    found = trial(monkeypatch, tmp_path, rows)
    assert found['summary']['window'] == pytest.approx(53, abs=0.01)
    assert found['summary']['ops_per_s'] == pytest.approx(40, rel=0.01)
    rows = [r for n in range(4) for r in thread(n, 40)]
    with pytest.raises(Failure, match='only 38.0 s of 60 s could') as caught:
        trial(monkeypatch, tmp_path, rows)
    assert caught.value.kind == 'short'


def test_objects_of_the_whole_load_are_booked(
    monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path
) -> None:
    """Those of the warm-up and after the window, and what failed, too."""
    rows = [r for n in range(3) for r in thread(n)]
    rows += thread(3, 40) + thread(3, LOAD - 40, 40.0, error=BUSY)
    found = trial(monkeypatch, tmp_path, rows)
    assert found['evidence']['created'] == 4 * LOAD * 10


@pytest.mark.parametrize('objects', [31, 151])
def test_a_load_at_its_bound_is_none(
    monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path, objects: int
) -> None:
    values: Dict[str, Any] = {'mix': PUTS, 'warmup': 2.0, 'duration': 60.0}
    whole = job(max_objects=objects, **values)
    wait = round(SECOND / command.limit(whole))
    rows = warp_rows('PUT', 0, 0, LOAD * SECOND // wait, wait, 4096)
    with pytest.raises(Failure, match='met its bound') as caught:
        trial(monkeypatch, tmp_path, rows, max_objects=objects)
    assert caught.value.kind == 'bound'
    found = trial(monkeypatch, tmp_path, rows, max_objects=objects * 2)
    assert found['summary']['errors'] == 0


def test_endpoints_are_told_without_the_port_of_their_scheme(
    monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path
) -> None:
    rows = [r for n in range(2) for r in thread(n)]
    rows += [r.replace('http://a', 'http://b:8080') for r in thread(2)]
    found = trial(
        monkeypatch,
        tmp_path,
        rows,
        endpoints=(Endpoint('a', 80), Endpoint('b', 8080)),
    )
    rates = {
        row['url']: row['ops'] / DURATION
        for row in found['evidence']['endpoints']
    }
    assert rates == {
        'http://a:80': pytest.approx(20, rel=0.01),
        'http://b:8080': pytest.approx(10, rel=0.01),
    }
