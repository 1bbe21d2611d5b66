"""Own the one run at a time: accept it, drive it, undo it, recover it.

Abort order: kill load, undo, then record. Undo needs
the mons only; the database is written behind and never waited for.
"""

from typing import Callable, Iterator, Optional, Protocol, Sequence, Tuple

import contextlib
import dataclasses
import logging
import threading
import time

from .activerun import ActiveRun, Ending
from .cleanup import Cleanup, kept_events
from .cluster import Cluster
from .control import Control, Stopped, insist
from .errors import Busy, NotFound, PerfcompareError
from .execution import end_of
from .journal import Entry, Journal, UndoReport
from .models.run import Progress, Run, RunEvent, RunState
from .models.trial import Trial
from .records import Records
from .settings import Settings
from .store import Retention

log = logging.getLogger(__name__)

IDLE = 5.0  # seconds between looks at what is left, without a run
SILENCE_MARGIN = 5.0  # seconds beyond the lease of load that was cut off
DATABASE_PATIENCE = 60.0  # seconds, once, before a cut run is given up


class Driven(Protocol):
    """Be what the runner drives: a run, or a recovery test."""

    run: Run

    def measure(self) -> None:
        """Do all that is left to do; raise to end early."""

    def close(self) -> None:
        """Give back what the mgr's host holds; called once."""


MakeExecution = Callable[
    [Run, Sequence[Trial], Control, Callable[[Progress], None]], Driven
]


class Runner:
    """Execute submitted runs in the thread that calls ``serve``."""

    def __init__(
        self,
        cluster: Cluster,
        journal: Journal,
        records: Records,
        active: ActiveRun,
        settings: Callable[[], Settings],
        make_execution: MakeExecution,
    ) -> None:
        self._cluster = cluster
        self._journal = journal
        self._records = records
        self._settings = settings
        self._make = make_execution
        self._cleanup = Cleanup(cluster, journal)
        self._active = active
        self._lock = threading.Lock()
        self._wake = threading.Event()
        self._pending: Optional[Tuple[Run, Sequence[Trial]]] = None
        self._current: Optional[Run] = None
        self._control = Control()
        self._progress: Optional[Progress] = None
        self._recovering = True
        self._undoing = False
        self._unwritten = ''  # an end that the mons do not know
        self._last = ''

    # any thread

    def submit(self, run: Run) -> None:
        """Accept a run; Busy while another is active."""
        with self._lock:
            self._refuse_busy()
            self._current = run
            # from now on it can be stopped
            self._control = Control()
        try:
            self._active.save(run)
        except BaseException:
            with self._lock:
                self._current = None
            raise
        # whoever asks for it next finds it: reads come after writes
        self._records.put_run(run)
        self._accept(run, ())

    def refuse_busy(self) -> None:
        """Raise Busy when no run can be accepted now."""
        with self._lock:
            self._refuse_busy()

    def _refuse_busy(self) -> None:
        if self._undoing:
            raise Busy(
                'what an earlier run left is being undone; try again in a '
                'minute'
            )
        if self._recovering:
            raise Busy(
                'a former run is being undone or taken up again; '
                'try again in a minute'
            )
        if self._current is not None:
            raise Busy(
                f'run {self._current.id} is active; wait for it or '
                f'cancel it: ceph perfcompare cancel {self._current.id}'
            )

    def _accept(self, run: Run, done: Sequence[Trial]) -> None:
        test = run.plan.recovery
        with self._lock:
            self._current = run
            self._pending = (run, done)
            self._progress = Progress(
                run=run.id,
                state=run.state,
                fraction=0.0,
                eta=run.plan.seconds,
                round=0,
                rounds=run.plan.profile.rounds,
                trial='',
                scenario=test.scenario.value if test else '',
            )
        self._wake.set()

    @property
    def current(self) -> Optional[Run]:
        """Return the run that is active."""
        return self._current

    @property
    def recovering(self) -> bool:
        """Say whether what a former mgr left is being looked at."""
        return self._recovering

    @property
    def progress(self) -> Optional[Progress]:
        """Return how far the active run is."""
        return self._progress

    @property
    def last(self) -> str:
        """Return '<run> (<state>)' of the last run that ended here."""
        return self._last

    @property
    def warnings(self) -> Tuple[str, ...]:
        """Return what an operator should know now."""
        notes = []
        if self._recovering:
            notes.append('what a former mgr left is being looked at')
        if self._unwritten:
            notes.append(self._unwritten)
        notes += [f'left behind: {item}' for item in self._cleanup.leftovers]
        return tuple(notes)

    def cancel(self, run: str) -> None:
        """Ask the active run to end in order; NotFound for another."""
        current = self._current
        if current is None or current.id != run:
            raise NotFound(f'run {run!r} is not active')
        self._control.request(RunState.CANCELLED, 'cancelled by an operator')

    def stop(self, now: bool) -> str:
        """End the active run, with ``now`` by killing its load first."""
        current = self._current
        if current is None:
            raise NotFound('no run is active')
        self._control.request(
            RunState.CANCELLED, 'stopped by an operator', kill=now
        )
        return current.id

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
        with self._undoing_alone():
            return self._cleanup.undo_all()

    @contextlib.contextmanager
    def _undoing_alone(self) -> Iterator[None]:
        """Keep runs out while something is undone; Busy while one is in."""
        with self._lock:
            self._refuse_busy()
            self._undoing = True
        try:
            yield
        finally:
            with self._lock:
                self._undoing = False

    # the serve thread

    def serve(self, stopping: threading.Event) -> None:
        """Recover what a former mgr left, then execute runs."""
        self._recover(stopping)
        while not stopping.is_set():
            self._wake.wait(IDLE)
            self._wake.clear()
            pending, self._pending = self._pending, None
            if pending is not None:
                self._execute(*pending, stopping)
            elif self._cleanup.leftovers:
                self._undo_again()

    def _undo_again(self) -> None:
        """Undo what an earlier attempt could not, while no run is there."""
        try:
            with self._undoing_alone():
                self._cleanup.again()
        except Busy:
            pass  # a run was just accepted, or `cleanup` is at it

    def _recover(self, stopping: threading.Event) -> None:
        """Silence, then undo, then go on with a run that was cut."""
        insist('recovery', lambda: self._recover_once(stopping), stopping)
        self._recovering = False

    def _recover_once(self, stopping: threading.Event) -> None:
        left = self._active.load()
        runs = self._journal.runs()
        if left is None and not runs:
            return
        names = sorted(set(runs) | ({left.run.id} if left else set()))
        log.info('a former mgr left runs: %s', ', '.join(names))
        self._cleanup.silence(names)
        # the load of a mgr that was cut off ends with its lease
        if stopping.wait(self._settings().worker_lease + SILENCE_MARGIN):
            return
        self._cleanup.undo(names)
        if left is None:
            return
        if left.ending is not None:
            self._finish(left.run, *left.ending, stopping)
            return
        settings = self._settings()
        age = time.time() - left.seen
        if age > settings.resume_within or settings.emergency_stop:
            reason = f'cut {age:.0f} s ago, not resumed'
            self._finish(left.run, RunState.INTERRUPTED, reason, stopping)
            return
        try:
            done = self._records.trials(left.run.id, DATABASE_PATIENCE)
        except NotFound:
            done = ()
        except PerfcompareError as error:
            reason = f'not resumed: {error.message}'
            self._finish(left.run, RunState.INTERRUPTED, reason, stopping)
            return
        event = RunEvent(
            time.time(), RunState.QUEUED, 'taken up again after a failover'
        )
        run = dataclasses.replace(
            left.run, state=RunState.QUEUED, events=left.run.events + (event,)
        )
        self._cluster.log_info(f'perfcompare run {run.id} is taken up again')
        self._accept(run, done)

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
            f'{run.plan.profile.name}'
        )
        execution: Optional[Driven] = None
        try:
            execution = self._make(run, done, control, self._announce)
            execution.measure()
            state, reason = RunState.COMPLETED, ''
        except Exception as error:
            state, reason = end_of(error)
            if not isinstance(error, (PerfcompareError, Stopped)):
                log.exception('run %s', run.id)
            log.info('run %s ends: %s (%s)', run.id, state.value, reason)
        resumed = stopping.is_set() and state is RunState.INTERRUPTED
        if not resumed:
            # undoing takes minutes: whoever takes over goes on with that
            # only, not with the run
            self._note_end(run.id, Ending(state, reason))
        if execution is not None:
            try:
                execution.close()
            except Exception:  # what is left of the load ends by its lease
                log.exception('the load of run %s', run.id)
            run = execution.run
        try:
            events = kept_events(self._cleanup.undo([run.id]))
            run = dataclasses.replace(run, events=run.events + events)
        except Exception as error:  # the run must end, whatever is left
            if not isinstance(error, PerfcompareError):
                log.exception('the undo of run %s', run.id)
            self._cleanup.report((f'run {run.id}: {error}',))
        if resumed:
            # the next mgr finds the run in the mon store and goes on
            return
        self._finish(run, state, reason, stopping)

    def _note_end(self, run: str, ending: Ending) -> None:
        """Write how the run ends; where that fails, the operator is told."""
        try:
            self._active.end(ending)
        except PerfcompareError as error:
            self._unwritten = (
                f'run {run} ends ({ending.state.value}), which could not be '
                f'written: {error.message}; a Manager that takes over before '
                'it can be goes on with the run: cancel it there again'
            )
            log.warning(self._unwritten)

    def _finish(
        self,
        run: Run,
        state: RunState,
        reason: str,
        stopping: threading.Event,
    ) -> None:
        now = time.time()
        run = dataclasses.replace(
            run,
            state=state,
            reason=reason,
            ended=now,
            events=run.events + (RunEvent(now, state, reason),),
        )
        self._records.put_run(run)
        # a mgr that finds it there would go on with it
        insist(f'the end of run {run.id}', self._active.clear, stopping)
        self._unwritten = ''
        self._last = f'{run.id} ({state.value})'
        text = f'perfcompare run {run.id} ends: {state.value}'
        if reason:
            text += f' ({reason})'
        if state is RunState.COMPLETED:
            self._cluster.log_info(text)
        else:
            self._cluster.log_warn(text)
        self._cluster.progress_complete(f'perfcompare-{run.id}')
        with self._lock:
            self._current = None
            self._progress = None
        self._expire()

    def _expire(self) -> None:
        settings = self._settings()
        days = settings.retention_days
        self._records.expire(
            time.time(),
            Retention(
                runs=settings.retention_runs,
                age=days * 86400.0 if days else None,
            ),
        )

    def _announce(self, progress: Progress) -> None:
        self._progress = progress
        self._cluster.progress_update(
            f'perfcompare-{progress.run}',
            f'perfcompare run {progress.run}: {progress.message}',
            progress.fraction,
        )
