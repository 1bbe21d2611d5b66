"""What is told of a load by warp while it goes on."""

from typing import Any, List, Optional

import array
import io
import itertools
import os
import pathlib
import random
import time
import types

import pytest

from perfcompare.tests.data.interop_data import warp_get
from perfcompare.tests.fakes.clock import FakeClock
from perfcompare.tests.memory import traced
from perfcompare.worker.interop.detect import warp_benchdata
from perfcompare.worker.interop.warp_rows import ordered
from perfcompare.worker.loads.warp import run as warp_run
from perfcompare.worker.runtime.failure import Failure
from perfcompare.worker.runtime.processes import Children
from perfcompare.worker.wire.protocol import Live
from perfcompare.worker.wire.s3_spec import OPS
from perfcompare.worker.wire.strict import Malformed

from .test_warp_together import job, load_of, rows


class Warp:
    """Go on for some seconds; be its process and its context as well."""

    dropped = 0

    def __init__(self, seconds: float) -> None:
        self.clock = FakeClock()
        self.start = (0.0, self.clock.monotonic())
        self.outbox, self.pid = self, os.getpid()
        self.told: List[Live] = []
        self._end = self.start[1] + seconds

    def left(self) -> float:
        return 60.0 + self.start[1] - self.clock.monotonic()

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


@pytest.mark.parametrize(
    'hosts, objects', [(1, [1000]), (4, [250] * 4), (200, [100] * 200)]
)
def test_objects_that_it_begins_with_are_counted_once(
    hosts: int, objects: List[int]
) -> None:
    """Of several hosts each writes its own, of warp as many as in flight."""
    whole = job(objects=1000, concurrency=99 * hosts)
    read = load_of(rows(0.0))
    created = []
    for part in whole.divided(hosts):
        load = warp_run.WarpRun(part, Warp(0.0))  # type: ignore
        created.append(load._created(read))
    puts = len(read.found['PUT'].end)
    assert [n - puts for n in created] == objects


def test_its_rate_bounds_what_it_can_have_done(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    puts = tuple(float(op == 'put') for op in OPS)
    # 100 a second for 15 s, and what it does until the next report
    most = told(monkeypatch, 20.0, mix=puts, max_objects=1500)
    assert most[0] == 100
    assert most[5] == pytest.approx(600, abs=25)
    assert max(m or 0 for m in most) == most[-1] == 1500


def test_a_mix_does_more_than_its_puts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    most = told(monkeypatch, 20.0, max_objects=1400)
    assert most[-1] == 2800  # half of them are puts


def test_reads_have_no_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    gets = tuple(float(op == 'get') for op in OPS)
    assert set(told(monkeypatch, 3.0, mix=gets)) == {None}


def test_time_is_kept_to_read_what_it_wrote(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert len(told(monkeypatch, 30.0, reading=20.0)) >= 30
    with pytest.raises(Failure, match='did not end in its time'):
        told(monkeypatch, 50.0, reading=20.0)
    for reading in (-1.0, 60.0):
        with pytest.raises(Malformed, match='to read what warp wrote'):
            job(reading=reading).check()


class Disk(Warp):
    """Keep what a load by warp left there."""

    agreed = None
    limit = 0

    def __init__(self, folder: pathlib.Path, text: str, code: int) -> None:
        super().__init__(1.0)
        self._folder, self._code = folder, code
        self.children = types.SimpleNamespace(start=self._begun)
        (folder / 'warp.csv.zst').write_text(text)

    def path(self, name: str) -> str:
        return str(self._folder / name)

    def _begun(self, *args: Any) -> 'Disk':
        self.limit = args[-1]
        return self

    def poll(self) -> Optional[int]:
        found = super().poll()
        return found if found is None else self._code

    def errors(self) -> str:
        return 'file too large'


def ended(
    monkeypatch: pytest.MonkeyPatch,
    folder: pathlib.Path,
    code: int = 0,
    **bounds: int,
) -> str:
    """Return why a load failed that left too much."""
    for name, value in bounds.items():
        monkeypatch.setattr(warp_run, name, value)
    disk = Disk(folder, warp_get(), code)
    monkeypatch.setattr(warp_run, 'time', disk.clock)
    monkeypatch.setattr(warp_run.command, 'has_full', lambda *_: False)
    load = warp_run.WarpRun(job(warmup=4.0), disk)  # type: ignore
    with pytest.raises(Failure) as caught:
        load.run()
    assert disk.limit == warp_run.FILE_MAX
    return str(caught.value)


def test_more_than_can_be_read_needs_a_shorter_trial(
    monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path
) -> None:
    assert ended(monkeypatch, tmp_path, TEXT_MAX=1 << 16) == (
        'the result of warp is of no use: it has more than 0 MiB of data; '
        'give a shorter --duration'
    )


@pytest.mark.parametrize('code', [0, 2])
def test_more_than_a_file_may_hold_needs_one_too(
    monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path, code: int
) -> None:
    assert ended(monkeypatch, tmp_path, code, FILE_MAX=1 << 16) == (
        'warp kept more than 0 MiB of operations: give a shorter --duration'
    )


def test_what_is_kept_of_operations_takes_little_memory() -> None:
    number = 4 * 2000
    text = warp_get(seconds=20).encode()
    with traced('*/perfcompare/worker/*', __file__) as held:
        load = warp_benchdata(io.BufferedReader(io.BytesIO(text)))
        kept = held()
        assert 20 * number < kept < 50 * number + 50_000
        operations = load.operations()
        assert sum(1 for _ in itertools.islice(operations, number // 2)) > 0
        assert held() - kept < 20 * number + 100_000
        assert number // 2 + sum(1 for _ in operations) == number


@pytest.mark.parametrize(
    'times',
    [
        [],
        [7],
        [5, 5, 5],
        [3, 1, 2, 1 << 60, 0, 2],
        [random.Random(1).randrange(10**12) for _ in range(5000)],
    ],
)
def test_operations_come_in_their_order(times: List[int]) -> None:
    places = list(ordered(array.array('q', times)))
    assert places == sorted(range(len(times)), key=times.__getitem__)


@pytest.mark.process
def test_a_child_may_write_as_much_as_it_is_allowed(
    tmp_path: pathlib.Path,
) -> None:
    children = Children(str(tmp_path))
    argv = ['sh', '-c', 'head -c 200000 /dev/zero > big']
    child = children.start('x', argv, limit=1 << 16)
    while child.poll() is None:
        time.sleep(0.01)
    assert child.poll() != 0
    assert (tmp_path / 'big').stat().st_size == 1 << 16
