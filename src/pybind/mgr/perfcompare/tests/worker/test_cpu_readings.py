"""CPU is of the time that was measured, not of that in which images open."""

from typing import Dict, Iterable, List

import dataclasses
import pathlib

import pytest

from perfcompare.worker.loads.rbd.figures import Figures, ImageLoad
from perfcompare.worker.loads.rbd.reduce import client_cpu
from perfcompare.worker.runtime import readings
from perfcompare.worker.runtime.procstat import HostUsage, Reading, Usage
from perfcompare.worker.runtime.readings import MOST, Readings

from ..data.fio_results import Run
from ..data.rbd_jobs import TRIAL

OPENING = 20.0  # seconds in which a process hardly uses any CPU
PID = 7


def seen(at: float) -> Reading:
    """Return what is seen of a process that then takes two of four cores."""
    used = 2 * max(0.0, at - OPENING)
    threads = {PID: ('fio', used / 2), PID + 1: ('msgr', used / 2)}
    return Reading(
        at,
        HostUsage(at, used, 4 * at, {'eth0': (0, round(100 * used))}),
        {PID: Usage(at, used, threads)},
        {PID: (round(10 * at), 0)},
    )


@pytest.fixture
def times(monkeypatch: pytest.MonkeyPatch) -> List[float]:
    """Hold when it was, the last one is now."""
    found: List[float] = []

    def look(pids: Iterable[int]) -> Reading:
        return seen(found[-1])

    monkeypatch.setattr(readings, 'look', look)
    return found


def taken(times: List[float], *at: float) -> Readings:
    """Return readings that were taken at these times."""
    found = Readings()
    for one in at:
        times.append(one)
        found.read({PID: 0})
    return found


def cores(found: Readings, begin: float, end: float) -> Dict[str, object]:
    (row,) = found.within(begin, end).clients()
    return row


def test_what_was_before_the_window_does_not_count(
    times: List[float],
) -> None:
    found = taken(times, *[float(at) for at in range(60)])
    row = cores(found, 20.4, 50.4)
    assert row['cores'] == pytest.approx(2.0)
    assert row['thread_cores'] == pytest.approx(1.0)
    meter = found.within(20.4, 50.4)
    assert meter.host_busy() == pytest.approx(0.5)
    assert meter.busiest_nic()['bytes_per_s'] == 200  # type: ignore[index]
    assert meter.throttled() == 0.0
    assert cores(found, 10.0, 30.0)['cores'] == pytest.approx(1.0)


def test_a_short_window_has_the_readings_around_it(
    times: List[float],
) -> None:
    found = taken(times, 30.0, 32.0, 34.0)
    assert cores(found, 30.5, 31.5)['cores'] == pytest.approx(2.0)
    assert found.within(30.5, 31.5).host_busy() == pytest.approx(0.5)
    assert taken(times).within(30.0, 31.0).clients() == []


def test_of_a_long_load_some_are_kept(times: List[float]) -> None:
    found = taken(times, *[float(at) for at in range(20 * MOST)])
    assert MOST / 2 <= len(found._kept) <= MOST
    gaps = [b.at - a.at for a, b in zip(found._kept, found._kept[1:])]
    assert len(set(gaps)) == 1
    assert cores(found, 100.0, 2000.0)['cores'] == pytest.approx(2.0)


def test_images_that_open_slowly_are_no_part_of_the_cpu(
    times: List[float], tmp_path: pathlib.Path
) -> None:
    """When fio measured it says at its end, by the host's clock."""
    runs = [
        Run(tmp_path, 5000.0 + OPENING + late, 30.0, {'read': 500}, name=name)
        for name, late in (('a', 0.0), ('b', 2.0))
    ]
    job = dataclasses.replace(
        TRIAL, op='rbd-randread', read_share=0, write_size=0, warmup=0.0
    )
    images = [ImageLoad('fio', 4, run.load) for run in runs]
    cpu = taken(times, *[float(at) for at in range(60)])
    used = client_cpu(Figures(job, images).used(cpu, (5000.0, 0.0)))
    assert used['client_cores'] == pytest.approx(2.0)
    assert used['client_thread_cores'] == pytest.approx(1.0)
