"""What is told of a load by warp while it goes on."""

from typing import Any, List, Optional

import io
import os

import pytest

from perfcompare.tests.data.interop_data import warp_get
from perfcompare.tests.fakes.clock import FakeClock
from perfcompare.worker.interop.detect import warp_benchdata
from perfcompare.worker.interop.warp_csv import measure
from perfcompare.worker.loads.warp import run as warp_run
from perfcompare.worker.wire.protocol import Live
from perfcompare.worker.wire.s3_spec import OPS

from .test_warp_together import job


class Warp:
    """Go on for some seconds; be its process and its context as well."""

    dropped = 0

    def __init__(self, seconds: float) -> None:
        self.clock = FakeClock()
        self.start = (0.0, self.clock.monotonic())
        self.outbox, self.pid = self, os.getpid()
        self.told: List[Live] = []
        self._end = self.start[1] + seconds

    def emit(self, live: Live) -> None:
        self.told.append(live)

    def wall(self, mono: float) -> float:
        return mono

    def poll(self) -> Optional[int]:
        return 0 if self.clock.monotonic() >= self._end else None

    def pause(self, seconds: float) -> None:
        self.clock.wait(seconds)


def told(
    monkeypatch: pytest.MonkeyPatch, seconds: float, **changes: Any
) -> List[Optional[int]]:
    """Return the most operations that each report allows."""
    warp = Warp(seconds)
    monkeypatch.setattr(warp_run, 'time', warp.clock)
    load = warp_run.WarpRun(job(**changes), warp)  # type: ignore[arg-type]
    assert load._wait(warp) == 0  # type: ignore[arg-type]
    return [live.most for live in warp.told]


def test_the_warm_up_is_no_part_of_the_window() -> None:
    stream = io.BufferedReader(io.BytesIO(warp_get().encode()))
    found = measure(warp_benchdata(stream), 4.0)
    load = warp_run.WarpRun(job(warmup=4.0), Warp(0.0))  # type: ignore
    result = load._result(found)
    ((begin, end),) = result['evidence']['window']
    assert begin == found.started == result['started'] + 4.0
    assert end - begin == pytest.approx(found.duration)


def test_its_rate_bounds_what_it_can_have_done(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    puts = tuple(float(op == 'put') for op in OPS)
    # 100 a second for 14 s, and what it does until the next report
    most = told(monkeypatch, 20.0, mix=puts, max_objects=1400)
    assert most[0] == 100
    assert most[5] == pytest.approx(600, abs=25)
    assert max(m or 0 for m in most) == most[-1] == 1400


def test_a_mix_does_more_than_its_puts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    most = told(monkeypatch, 20.0, max_objects=1400)
    assert most[-1] == 2800  # half of them are puts


def test_reads_have_no_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    gets = tuple(float(op == 'get') for op in OPS)
    assert set(told(monkeypatch, 3.0, mix=gets)) == {None}
