"""Tests of what `ceph -s` says of a run."""

from typing import Any, List, Tuple

import dataclasses

import pytest

from ...execution.announcement import Announcement
from ...model.run import Progress, RunState
from ..fakes.clock import FakeClock

PROGRESS = Progress(
    '5e6f7a8b', RunState.TRIAL, 0.25, 300.0, 1, 3, '', message='a on x86'
)


class Shown:
    """Be Ceph's progress module: derive the time left as it does."""

    def __init__(self, clock: FakeClock) -> None:
        self._clock = clock
        self._began: Any = None
        self.told: List[Tuple[str, str, float]] = []

    def progress_update(
        self, ident: str, message: str, fraction: float
    ) -> None:
        if self._began is None:
            self._began = self._clock.monotonic()
        self.told.append((ident, message, fraction))

    @property
    def left(self) -> float:
        elapsed = self._clock.monotonic() - self._began
        fraction = self.told[-1][2]
        return elapsed * (1 - fraction) / fraction


@pytest.mark.parametrize('passed', (15.0, 60.0, 4000.0))
@pytest.mark.parametrize('eta', (1.0, 90.0, 5000.0))
def test_ceph_derives_the_time_that_is_left(
    passed: float, eta: float
) -> None:
    clock = FakeClock()
    shown = Shown(clock)
    announcement = Announcement(shown, clock)
    # a Manager that took over knows it but for a moment, and most is done
    announcement.show(dataclasses.replace(PROGRESS, fraction=0.9))
    assert shown.told[0][2] == 0.0
    clock.now += passed
    announcement.show(dataclasses.replace(PROGRESS, eta=eta, fraction=0.9))
    if shown.told[-1][2] < 0.99:
        assert shown.left == pytest.approx(eta)


def test_the_message_says_what_is_done_and_what_is_left() -> None:
    shown = Shown(FakeClock())
    announcement = Announcement(shown, FakeClock())
    announcement.show(PROGRESS)
    announcement.show(dataclasses.replace(PROGRESS, scenario='backfill'))
    announcement.show(dataclasses.replace(PROGRESS, eta=None, message=''))
    announcement.show(dataclasses.replace(PROGRESS, eta_least=42.0))
    announcement.show(dataclasses.replace(PROGRESS, fraction=1.0))
    assert [told[1] for told in shown.told] == [
        'perfcompare run 5e6f7a8b: 25%, about 5 min left: a on x86',
        'perfcompare recovery test 5e6f7a8b: 25%, about 5 min left: a on x86',
        'perfcompare run 5e6f7a8b: 25%, longer than estimated: trial',
        'perfcompare run 5e6f7a8b: 25%, 50 s to 5 min left: a on x86',
        'perfcompare run 5e6f7a8b: 100%, cleaning up: a on x86',
    ]
    assert {told[0] for told in shown.told} == {'perfcompare-5e6f7a8b'}


def test_the_next_run_begins_anew() -> None:
    clock = FakeClock()
    shown = Shown(clock)
    announcement = Announcement(shown, clock)
    announcement.show(PROGRESS)
    clock.now += 300.0
    announcement.show(PROGRESS)
    assert shown.told[-1][2] == pytest.approx(0.5)
    announcement.show(dataclasses.replace(PROGRESS, run='aaaaaaaa'))
    assert shown.told[-1][2] == 0.0
    clock.now += 1e9
    announcement.show(dataclasses.replace(PROGRESS, run='aaaaaaaa'))
    assert shown.told[-1][2] == 0.99


def test_what_only_counts_down_is_told_seldom() -> None:
    """ceph-mgr keeps some memory of each call from module to module."""
    clock = FakeClock()
    shown = Shown(clock)
    announcement = Announcement(shown, clock)
    for second in range(60):
        announcement.show(dataclasses.replace(PROGRESS, eta=300.0 - second))
        clock.now += 1.0
    assert len(shown.told) == 6
    announcement.show(dataclasses.replace(PROGRESS, message='b on arm'))
    clock.now += 0.1
    announcement.show(dataclasses.replace(PROGRESS, message='c on arm'))
    assert [told[1].rpartition(' left: ')[2] for told in shown.told[6:]] == [
        'b on arm', 'c on arm',
    ]  # fmt: skip
