"""Show how far a run is in `ceph -s`, by Ceph's progress module."""

from typing import Protocol, Tuple

from ..common.units import format_span
from ..model.run import Progress
from ..ports.clock import Clock

MOST = 0.99  # what is shown as done ends with the run only
# Seconds between two that differ in the time left only: ceph-mgr (seen with
# 20.2.4) never frees a few hundred bytes of each call from module to module.
SELDOM = 10.0


class ProgressBar(Protocol):
    """Show progress events."""

    def progress_update(
        self, ident: str, message: str, fraction: float
    ) -> None:
        """Show how far (0…1) an event is."""


class Announcement:
    """Announce runs and recovery tests, with the time that is left.

    Ceph takes no estimate: it derives the time left from the fraction that
    is done and from how long it has known the event. So the fraction is
    that of this time, which makes Ceph's figure the middle of our range;
    after a failover, too, when it knows the event but for a moment. The
    message has the range, and the share of trials that are done.
    """

    def __init__(self, shown: ProgressBar, clock: Clock) -> None:
        self._shown = shown
        self._clock = clock
        self._run = ''
        self._began = 0.0
        self._told: Tuple[object, ...] = ()  # but for the time left
        self._due = 0.0

    def show(self, progress: Progress) -> None:
        """Show where a run is."""
        now = self._clock.monotonic()
        told = (
            progress.run,
            progress.scenario,
            progress.state,
            progress.fraction,
            progress.message,
            progress.eta is None,
        )
        if told == self._told and now < self._due:
            return
        self._told, self._due = told, now + SELDOM
        if progress.run != self._run:
            self._run, self._began = progress.run, now
        known = now - self._began
        share, left = progress.fraction, 'longer than estimated'
        if progress.eta is not None:
            most, least = progress.eta, progress.eta_least
            middle = most if least is None else (least + most) / 2
            share = known / (known + max(1.0, middle))
            left = f'{format_span(least, most)} left'
        if progress.ending:
            left = 'cleaning up'
        what = 'recovery test' if progress.scenario else 'run'
        self._shown.progress_update(
            f'perfcompare-{progress.run}',
            f'perfcompare {what} {progress.run}: {progress.fraction:.0%}, '
            f'{left}: {progress.message or progress.state.value}',
            min(MOST, share),
        )
