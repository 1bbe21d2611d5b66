"""Own the one run at a time: accept it, drive it, undo it, recover it.

Abort order: kill load, undo, then record. Undo needs
the mons only; the database is written behind and never waited for.
"""

from typing import Callable, Optional, Protocol, Sequence, Tuple

import dataclasses
import logging
import threading

from ..common.clock import SYSTEM
from ..common.errors import Busy, NotFound, PerfcompareError
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
from .admission import Admission
from .announcement import Announcement
from .cleanup import Cleanup
from .cleanup import Needs as CleanupNeeds
from .cleanup import internal, kept_events
from .driven import Executable, MakeExecution, queued
from .end_state import end_as_asked
from .late_reports import LateReports
from .notice import Notice
from .run_end import RunEnds
from .takeover import Decision, TakeOver

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
            self._asked,
            clock,
        )
        self._admission = Admission()
        self._wake = threading.Event()
        self._pending: Optional[Tuple[Run, Sequence[Trial]]] = None
        self._control = Control(self._clock)
        self._progress: Optional[Progress] = None
        self._refused = False  # a plan may be stored that was not accepted
        # of the run that is taken over, until one is accepted
        self._notice = Notice(
            lambda end: self._ends.note(self._takeover.run, end)
        )

    # any thread

    def submit(self, run: Run) -> None:
        """Accept a run; Busy while another is active."""
        with self._admission.admitting(run):
            # as soon as it is active it can be stopped
            self._control = Control(self._clock)
        try:
            self._active.save(run)
        except BaseException:
            # the mons may have stored it, and their answer got lost: the
            # next Manager would take it up
            self._refused = True
            self._admission.release()
            self._wake.set()
            raise
        self._refused = False
        # whoever asks for it next finds it: reads come after writes
        self._records.put_run(run)
        self._accept(run, ())

    def refuse_busy(self) -> None:
        """Raise Busy when no run can be accepted now."""
        self._admission.refuse_busy()

    def _accept(self, run: Run, done: Sequence[Trial]) -> None:
        self._notice = Notice(lambda end: self._ends.note(run.id, end))
        self._progress = queued(run)
        self._admission.take_up(run)
        self._pending = (run, done)
        self._wake.set()

    @property
    def current(self) -> Optional[Run]:
        """Return the run that is active."""
        return self._admission.current

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
            notes.append('what a former mgr left is being looked at')
        if self._ends.unwritten:
            notes.append(self._ends.unwritten)
        notes += [f'left behind: {item}' for item in self._cleanup.leftovers]
        return tuple(notes)

    def cancel(self, run: str) -> bool:
        """Ask the active run to end in order; NotFound for another.

        Returns whether a Manager that takes over knows of it.
        """
        if not run or run != self._active_id():
            raise NotFound(f'run {run!r} is not active')
        return self._request_end('cancelled by an operator')

    def stop(self, now: bool, run: str = '') -> Tuple[str, bool]:
        """End the active run, with ``now`` by killing its load first.

        Returns its id, and what `cancel` does. NotFound when none is
        active, or another than the one that is meant.
        """
        ident = self._active_id()
        if not ident:
            raise NotFound('no run is active')
        if run and run != ident:
            raise NotFound(f'run {run!r} is not active, {ident} is')
        return ident, self._request_end('stopped by an operator', kill=now)

    def _request_end(self, reason: str, kill: bool = False) -> bool:
        notice = self._notice
        self._control.request(RunState.CANCELLED, reason, kill)
        return notice.give(Ending(RunState.CANCELLED, reason))

    def _active_id(self) -> str:
        """Return the run under way, also one that is taken over."""
        current = self.current
        return current.id if current is not None else self._takeover.run

    def _asked(self) -> Optional[Ending]:
        """Return how an operator ends the run, None when nobody does."""
        stop = self._control.stop
        if stop is None or stop.state is RunState.INTERRUPTED:
            return None
        return Ending(stop.state, stop.reason)

    def emergency_stop(self) -> None:
        """Abort the active run because the option says so."""
        self._control.request(
            RunState.ABORTED,
            'EMERGENCY_STOP: option emergency_stop is set',
            kill=True,
        )

    def shutdown(self) -> None:
        """End load now; the serve thread undoes, the next mgr goes on."""
        self._control.request(
            RunState.INTERRUPTED, 'the mgr stopped the module', kill=True
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
            pending, self._pending = self._pending, None
            try:
                if pending is not None:
                    self._execute(*pending, stopping)
                    self._late.expect()
                elif self._refused:
                    self._forget_refused()
                elif self._cleanup.leftovers:
                    self._undo_again()
                self._late.settle()
                self._ends.unstored.settle()
                care()
            except Exception as error:  # the thread serves further runs
                log.exception('runs')
                self._cleanup.report((internal('a run', error),))
                self._released()

    def _forget_refused(self) -> None:
        """Forget a plan that was not accepted, once the mons answer."""
        try:
            with self._admission.undoing_alone():
                self._active.clear()
                self._refused = False
        except PerfcompareError as error:
            log.warning('a refused run is not forgotten yet: %s', error)

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
        self._notice.settle()
        left, run = found.left, found.left.run
        if found.ending is not None or run is None:
            ending = found.ending or Ending(
                RunState.INTERRUPTED, left.problem
            )
            self._end(left.id, run, ending, stopping)
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
        self._accept(run, found.done)

    def _execute(
        self,
        run: Run,
        done: Sequence[Trial],
        stopping: threading.Event,
    ) -> None:
        control = self._control
        self._cluster.log_info(
            f'perfcompare run {run.id} starts: '
            f'{", ".join(g.name for g in run.plan.groups)}, profile '
            f'{run.plan.profile.name}; to end it and undo what it makes: '
            f'ceph perfcompare cancel {run.id}; never disable the module '
            'before that is done'
        )
        execution: Optional[Executable] = None
        try:
            execution = self._make(run, done, control, self._announce)
            execution.measure()
            state, reason = RunState.COMPLETED, ''
        except Exception as error:
            state, reason = end_as_asked(error, control.stop)
            if not isinstance(error, (PerfcompareError, Stopped)):
                log.exception('run %s', run.id)
            log.info('run %s ends: %s (%s)', run.id, state.value, reason)
        self._notice.settle()
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
        self._end(run.id, run, Ending(state, reason), stopping)

    def _end(
        self,
        ident: str,
        run: Optional[Run],
        ending: Ending,
        stopping: threading.Event,
    ) -> None:
        self._ends.record(ident, run, ending, stopping)
        self._released()
        self.expire()

    def _released(self) -> None:
        self._progress = None
        self._admission.release()

    def expire(self) -> None:
        """Queue the removal of results beyond the retention."""
        self._ends.expire()

    def _announce(self, progress: Progress) -> None:
        self._progress = progress
        self._announcement.show(progress)
