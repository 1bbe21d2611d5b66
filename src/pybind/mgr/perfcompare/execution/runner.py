"""Own the one run at a time: accept it, drive it, undo it, recover it.

Abort order: kill load, undo, then record. Undo needs
the mons only; the database is written behind and never waited for.
"""

from typing import (
    Callable,
    ContextManager,
    Optional,
    Protocol,
    Sequence,
    Tuple,
)

import dataclasses
import logging
import queue
import threading

from ..common.clock import SYSTEM
from ..common.errors import Busy, NotFound, NotPermitted, PerfcompareError
from ..common.settings import Settings
from ..model.run import Progress, Run, RunEvent, RunState
from ..model.trial import Trial
from ..ports.clock import EventClock
from ..ports.keys import KeyValueStore
from ..ports.perf_queries import PerfQueries
from ..store.records import Records
from ..undo.journal import Entry, Journal, UndoReport
from ..workers.control import Control, Stopped, retry_until_stopped
from .active_run import ActiveRun, Ending
from .admission import Admission, Admitted, Attempt
from .announcement import Announcement
from .cleanup import Cleanup
from .cleanup import Needs as CleanupNeeds
from .cleanup import internal, kept_events
from .driven import Executable, MakeExecution, queued
from .end_state import end_as_asked, end_by, not_active, requested
from .late_reports import LateReports
from .notice import Notice
from .run_end import RunEnds
from .takeover import Decision, TakeOver
from .undriven import Undriven

log = logging.getLogger(__name__)

IDLE = 5.0  # seconds between looks at what is left, without a run


class Needs(CleanupNeeds, KeyValueStore, PerfQueries, Protocol):
    """Name what is asked of a cluster here."""


class Runner:
    """Execute submitted runs in the thread that calls ``serve``."""

    def __init__(
        self,
        cluster: Needs,
        journal: Journal,
        records: Records,
        active: ActiveRun,
        settings: Callable[[], Settings],
        make_execution: MakeExecution,
        clock: EventClock = SYSTEM,
    ) -> None:
        self._cluster = cluster
        self._clock = clock
        self._journal = journal
        self._records = records
        self._make = make_execution
        self._cleanup = Cleanup(cluster, journal, clock)
        self._announcement = Announcement(cluster, clock)
        self._active = active
        self._ends = RunEnds(cluster, records, active, settings, clock)
        self._late = LateReports(cluster, clock)
        self._takeover = TakeOver(
            cluster,
            journal,
            records,
            active,
            settings,
            self._cleanup,
            lambda: requested(self._former),
            clock,
        )
        self._admission = Admission()
        self.importing = self._admission.importing
        self.undriven = Undriven(
            active,
            self._admission,
            self._takeover,
            records,
            self._ends.unstored,
            clock,
        )
        self._wake = threading.Event()
        self._pending: 'queue.SimpleQueue[Admitted]' = queue.SimpleQueue()
        self._progress: Optional[Progress] = None
        # of the run that is taken over
        self._former = Control(self._clock)
        self._former_notice = Notice(
            lambda end: self._ends.note(self._takeover.run, end)
        )

    # any thread

    def attempting(self) -> ContextManager[Attempt]:
        """Let a run be stopped from here on, before it is submitted."""
        return self._admission.attempting()

    def submit(self, run: Run, attempt: Optional[Attempt] = None) -> None:
        """Accept a run; Busy while another is active, or when stopped."""
        # as soon as it is active it can be stopped
        admitted = self._admitted(run, (), Control(self._clock), False)
        self._admission.admit(admitted, attempt)
        try:
            self._active.save(run)
        except BaseException:
            # the mons may have stored it, and their answer got lost: the
            # next Manager would take it up
            self.undriven.refused = True
            self._admission.release(admitted)
            self._wake.set()
            raise
        self.undriven.refused = False
        admitted.notice.begin()
        # whoever asks for it next finds it: reads come after writes
        self._records.put_run(run)
        self._accept(admitted)

    def refuse_busy(self) -> None:
        """Raise Busy when no run can be accepted now."""
        self._admission.refuse_busy()

    def _admitted(
        self, run: Run, done: Sequence[Trial], control: Control, saved: bool
    ) -> Admitted:
        notice = Notice(lambda end: self._ends.note(run.id, end), saved)
        return Admitted(run, control, notice, done)

    def _accept(self, admitted: Admitted) -> None:
        self._progress = queued(admitted.run)
        self._pending.put(admitted)
        self._wake.set()

    @property
    def current(self) -> Optional[Run]:
        """Return the run that is active."""
        admitted = self._admission.current
        return admitted.run if admitted is not None else None

    @property
    def recovering(self) -> bool:
        """Say whether what a former mgr left is being looked at."""
        return self._admission.recovering

    @property
    def resuming(self) -> str:
        """Return the id of the run that is taken over, '' for none."""
        return self._takeover.run

    @property
    def progress(self) -> Optional[Progress]:
        """Return how far the active run is, or one that is taken over."""
        # in this order: a run that goes on is accepted before it is not
        # taken over any more
        return self._takeover.progress or self._progress

    @property
    def last(self) -> str:
        """Return '<run> (<state>)' of the last run that ended here."""
        return self._ends.last

    @property
    def warnings(self) -> Tuple[str, ...]:
        """Return what an operator should know now."""
        notes = []
        if self.recovering:
            notes.append('what a former Manager left is being looked at')
        if self._ends.unwritten:
            notes.append(self._ends.unwritten)
        notes += [f'left behind: {item}' for item in self._cleanup.leftovers]
        return tuple(notes)

    def cancel(self, run: str) -> bool:
        """Ask the active run to end in order; NotFound for another.

        Returns whether a Manager that takes over knows of it.
        """
        ident, control, notice = self._brakes()
        if not run or run != ident:
            raise not_active(run, ident)
        return end_by(control, notice, 'cancelled by an operator')

    def stop(self, now: bool, run: str = '') -> Tuple[str, bool]:
        """End the active run, with ``now`` by killing its load first.

        Returns its id, and what `cancel` does; no id when there was only
        one that is being checked, which will not begin. NotFound when none
        is active, or another than the one that is meant.
        """
        # in this order: it is admitted after that, or not at all
        checked = not run and self._admission.refuse_attempts(
            Busy('stopped by an operator before it began; nothing was made')
        )
        ident, control, notice = self._brakes()
        if not ident:
            if checked:
                return '', True
            raise NotFound('no run is active')
        if run and run != ident:
            raise not_active(run, ident)
        return ident, end_by(
            control, notice, 'stopped by an operator', kill=now
        )

    def _brakes(self) -> Tuple[str, Control, Notice]:
        """Return the run under way, also one taken over, and its brakes."""
        # in this order: a run that goes on is admitted before it is not
        # taken over any more
        former, admitted = self._takeover.run, self._admission.current
        if admitted is not None:
            return admitted.run.id, admitted.control, admitted.notice
        return former, self._former, self._former_notice

    def emergency_stop(self) -> None:
        """Abort the active run because the option says so."""
        why = 'EMERGENCY_STOP: option emergency_stop is set'
        self._admission.refuse_attempts(NotPermitted(why))
        _, control, _ = self._brakes()
        control.request(RunState.ABORTED, why, kill=True)

    def shutdown(self) -> None:
        """End load now; the serve thread undoes, the next mgr goes on."""
        _, control, _ = self._brakes()
        control.request(
            RunState.INTERRUPTED, 'the Manager stopped the module', kill=True
        )
        self._wake.set()

    def journal(self, run: str) -> Sequence[Entry]:
        """Return what a run has in the cluster now."""
        return self._journal.entries(run)

    def cleanup(self) -> UndoReport:
        """Undo what ended runs left; Busy while a run is active."""
        with self._admission.undoing_alone():
            return self._cleanup.undo_all()

    # the serve thread

    def serve(
        self, stopping: threading.Event, care: Callable[[], None]
    ) -> None:
        """Recover what a former mgr left; execute runs, ``care`` between."""
        self._recover(stopping)
        while not stopping.is_set():
            self._clock.wait_for(self._wake, IDLE)
            self._wake.clear()
            admitted = self._next()
            try:
                if admitted is not None:
                    self._execute(admitted, stopping)
                    self._late.expect()
                elif self.undriven.refused:
                    self.undriven.forget_refused()
                elif self._cleanup.leftovers:
                    self._undo_again()
                self._late.settle()
                self._ends.unstored.settle()
                self.undriven.end_rows()
                care()
            except Exception as error:  # the thread serves further runs
                log.exception('runs')
                self._cleanup.report((internal('a run', error),))
                if admitted is not None:
                    self._released(admitted)

    def _next(self) -> Optional[Admitted]:
        try:
            return self._pending.get_nowait()
        except queue.Empty:
            return None

    def _undo_again(self) -> None:
        """Undo what an earlier attempt could not, while no run is there."""
        try:
            with self._admission.undoing_alone():
                self._cleanup.again()
        except Busy:
            pass  # a run was just accepted, or `cleanup` is at it

    def _recover(self, stopping: threading.Event) -> None:
        """Undo what a former mgr left; go on with its run, or end it."""

        def recover() -> None:
            # before what is not ended is
            self._ends.unstored.take_up()
            decision = self._takeover.execute(stopping)
            if decision is not None:
                self._decided(decision, stopping)

        try:
            retry_until_stopped('recovery', recover, stopping, self._clock)
        except Exception as error:  # runs must be accepted nevertheless
            log.exception('recovery')
            self._cleanup.report((internal('taking over', error),))
        finally:
            self._takeover.end()
            self._admission.recovered()

    def _decided(self, found: Decision, stopping: threading.Event) -> None:
        self._former_notice.settle()
        left, run = found.left, found.left.run
        if found.ending is not None or run is None:
            ending = found.ending or Ending(
                RunState.INTERRUPTED, left.problem
            )
            self._ends.record(left.id, run, ending, stopping)
            self._ends.expire()
            return
        event = RunEvent(
            self._clock.wall(),
            RunState.QUEUED,
            'taken up again after a failover',
        )
        run = dataclasses.replace(
            run, state=RunState.QUEUED, events=run.events + (event,)
        )
        self._cluster.log_info(f'perfcompare run {run.id} is taken up again')
        # who asked for its end until now asked this control
        admitted = self._admitted(run, found.done, self._former, True)
        self._admission.take_up(admitted)
        self._accept(admitted)

    def _execute(self, admitted: Admitted, stopping: threading.Event) -> None:
        run, control = admitted.run, admitted.control
        self._cluster.log_info(
            f'perfcompare run {run.id} starts: '
            f'{", ".join(g.name for g in run.plan.groups)}, profile '
            f'{run.plan.profile.name}; to end it and undo what it makes: '
            f'ceph perfcompare cancel {run.id}; never disable the module '
            'before that is done'
        )
        execution: Optional[Executable] = None
        try:
            execution = self._make(
                run, admitted.done, control, self._announce
            )
            execution.measure()
            state, reason = RunState.COMPLETED, ''
        except Exception as error:
            state, reason = end_as_asked(error, control.stop)
            if not isinstance(error, (PerfcompareError, Stopped)):
                log.exception('run %s', run.id)
            log.info('run %s ends: %s (%s)', run.id, state.value, reason)
        admitted.notice.settle()
        resumed = stopping.is_set() and state is RunState.INTERRUPTED
        if not resumed:
            # undoing takes minutes: whoever takes over goes on with that
            # only, not with the run
            self._ends.note(run.id, Ending(state, reason))
        if execution is not None:
            try:
                execution.close()
            except Exception:  # what is left of the load ends by its lease
                log.exception('the load of run %s', run.id)
            run = execution.run
        try:
            events = kept_events(
                self._cleanup.undo([run.id]), self._clock.wall()
            )
            run = dataclasses.replace(run, events=run.events + events)
        except Exception as error:  # the run must end, whatever is left
            if not isinstance(error, PerfcompareError):
                log.exception('the undo of run %s', run.id)
            self._cleanup.report((f'run {run.id}: {error}',))
        if resumed:
            # the next mgr finds the run in the mon store and goes on
            return
        self._ends.record(run.id, run, Ending(state, reason), stopping)
        self._released(admitted)
        self._ends.expire()

    def _released(self, admitted: Admitted) -> None:
        if self._admission.current is admitted:
            # no other one is admitted before
            self._progress = None
        self._admission.release(admitted)

    def expire(self, aged: bool = False) -> None:
        """Queue the removal of results beyond the retention."""
        self._ends.expire(aged)

    def _announce(self, progress: Progress) -> None:
        self._progress = progress
        self._announcement.show(progress)
