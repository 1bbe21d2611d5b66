"""What is stored of runs that nobody drives: plans, and rows without an end.

A run has a head in the mon store from before its first row on until its end
was queued for the database, and the mons know the ends that the database did
not take. A row without either never ends by itself.
"""

from typing import Protocol

import logging

from ..common.errors import Busy, PerfcompareError
from ..model.run import RunEvent, RunState
from ..ports.clock import Clock
from ..store.records import Records
from .active_run import ActiveRun
from .admission import Admission
from .run_end import GONE
from .unstored import UnstoredEnds

log = logging.getLogger(__name__)

AGAIN = 60.0  # seconds until rows are looked at again that could not be


class Former(Protocol):
    """Name the run that is taken over."""

    @property
    def run(self) -> str:
        """Return its id, '' where there is none."""


class Undriven:
    """Forget and end what nobody drives; tell what somebody may drive."""

    def __init__(
        self,
        active: ActiveRun,
        admission: Admission,
        former: Former,
        records: Records,
        unstored: UnstoredEnds,
        clock: Clock,
    ) -> None:
        self._active = active
        self._admission = admission
        self._former = former
        self._records = records
        self._unstored = unstored
        self._clock = clock
        self.refused = False  # a plan may be stored that was not accepted
        self._ended = False  # rows were looked at, once in a Manager's life
        self._due = float('-inf')  # monotonic

    def forget_refused(self) -> None:
        """Forget a plan that was not accepted, once the mons answer."""
        try:
            with self._admission.undoing_alone():
                self._active.clear()
                self.refused = False
        except PerfcompareError as error:
            log.warning('a refused run is not forgotten yet: %s', error)

    def end_rows(self) -> None:
        """End the newest rows without an end, when no run is there.

        Of the thread that executes runs: none is executed meanwhile. The
        database is not opened for that.
        """
        now = self._clock.monotonic()
        idle = self._admission.current is None
        if self._ended or not idle or now < self._due:
            return
        if not self._records.used:
            return
        self._due = now + AGAIN
        event = RunEvent(self._clock.wall(), RunState.INTERRUPTED, GONE)
        try:
            if self._active.kept() is not None:
                return  # another Manager may go on with it
            but = self._unstored.runs()
            # the rows of a run that is accepted after it come after it
            with self._admission.between_runs():
                self._records.give_up(event, but)
                self._ended = True
        except PerfcompareError as error:
            log.info('runs without an end: %s', error.message)

    def refuse_ending(self, ident: str) -> None:
        """Raise Busy where the end of a run or test waits to be stored."""
        if self._unstored.waits(ident):
            raise Busy(
                f'{ident} has ended, and its end waits for the result '
                'database; see `ceph perfcompare status`'
            )

    def refuse_driven(self, run: str) -> None:
        """Raise Busy where a run goes on, may go on, or ends just now."""
        self.refuse_ending(run)
        current = self._admission.current
        driven = (
            self._admission.recovering
            or run == self._former.run
            or (current is not None and run == current.run.id)
            or self._active.kept() in (run, '')
        )
        if driven:
            raise Busy(
                f'run {run} has not ended: wait for it, or cancel it: ceph '
                f'perfcompare cancel {run}'
            )
