"""Take over what a former mgr left: silence it, undo it, then decide.

Undoing needs the journal only. Whether the run goes on is decided after it,
by what can be read of it; nothing that is stored may end the thread that
does all this.
"""

from typing import Callable, NamedTuple, Optional, Sequence, Tuple

import dataclasses
import logging
import threading

from ..common.errors import NotFound, PerfcompareError, TryAgain
from ..common.settings import Settings
from ..model.ownership import is_run
from ..model.run import Progress, RunState
from ..model.trial import Trial
from ..ports.clock import EventClock
from ..ports.notices import Notifications
from ..store.records import Records
from ..undo import primaries
from ..undo.journal import Journal
from .active_run import RESUMES, ActiveRun, Ending, Interrupted
from .cleanup import Cleanup
from .run_end import GONE

log = logging.getLogger(__name__)

CUT = 'PERFCOMPARE_RUN_CUT'
SILENCE_MARGIN = 5.0  # seconds beyond the lease of load that was cut off
# seconds for each page of trials, once, before a cut run is given up
DATABASE_PATIENCE = 60.0
HOME = 600.0  # seconds for data of others to be home, likewise
LOOK = 10.0  # seconds until it is looked at again
# seconds until the mons' health, which the preflight asks, shows that nothing
# is left any more: a report of the mgr and its digest, 5 s each
HEALTH_SHOWN = 15.0
UNDOING = 'what a former Manager left is being undone'
WAITING = (
    'data of others has to be home, for OSDs to lead their PGs again; then '
    'the test goes on'
)
LOOKING = Progress(
    run='',
    state=RunState.RESUMING,
    fraction=0.0,
    eta=None,
    round=0,
    rounds=0,
    trial='',
    message='whether a former Manager left a run is being looked at',
)


class Decision(NamedTuple):
    """Say what becomes of a run that was left."""

    left: Interrupted
    ending: Optional[Ending]  # None: it goes on
    done: Sequence[Trial] = ()


class TakeOver:
    """Do what a new mgr has to do before it takes runs."""

    def __init__(
        self,
        cluster: Notifications,
        journal: Journal,
        records: Records,
        active: ActiveRun,
        settings: Callable[[], Settings],
        cleanup: Cleanup,
        requested: Callable[[], Optional[Ending]],
        clock: EventClock,
    ) -> None:
        """``requested`` says how an operator ends it meanwhile."""
        self._cluster = cluster
        self._journal = journal
        self._records = records
        self._active = active
        self._settings = settings
        self._cleanup = cleanup
        self._requested = requested
        self._clock = clock
        self.progress: Optional[Progress] = LOOKING

    @property
    def run(self) -> str:
        """Return the id of the run that was left, '' when none is known."""
        return self.progress.run if self.progress is not None else ''

    def execute(self, stopping: threading.Event) -> Optional[Decision]:
        """Undo all that is left; return what becomes of the run.

        None when there is no run, or the module stops. Raises
        PerfcompareError while the mons do not answer.
        """
        try:
            return self._execute(stopping)
        except PerfcompareError as error:
            self._cluster.set_health_warning(
                CUT,
                'whether a former Manager left something is not known, or '
                f'it is not undone yet: {error.message}',
                (),
            )
            raise

    def _execute(self, stopping: threading.Event) -> Optional[Decision]:
        left, found = self._active.load(), self._clock.wall()
        names = set(self._journal.runs())
        if left is not None and is_run(left.id):
            names.add(left.id)
        runs = sorted(names)
        if left is None and not runs:
            return None
        self._tell(left, runs)
        self._cleanup.silence([run for run in runs if is_run(run)])
        # the load of a mgr that was cut off ends with its lease
        silence = self._settings().worker_lease + SILENCE_MARGIN
        if self._clock.wait_for(stopping, silence):
            return None
        self._cleanup.undo(runs)
        if stopping.is_set():
            return None
        if left is None:
            # whatever was under way, nobody drives it any more
            self._records.interrupt(self._clock.wall(), GONE)
            return None
        return self._decide(left, found, stopping)

    def end(self) -> None:
        """Say that nothing is being taken over any more."""
        self.progress = None
        self._cluster.clear_health_warning(CUT)

    def _tell(self, left: Optional[Interrupted], runs: Sequence[str]) -> None:
        """Say at once, in `ceph -s` too, what is found and done."""
        log.info('a former mgr left runs: %s', ', '.join(runs))
        run = left.run if left is not None else None
        test = run.plan.recovery if run is not None else None
        ident = left.id if left is not None else ''
        if not ident and len(runs) == 1:
            ident = runs[0]
        self.progress = dataclasses.replace(
            LOOKING,
            run=ident,
            rounds=run.plan.profile.rounds if run is not None else 0,
            message=UNDOING,
            scenario=test.scenario.value if test is not None else '',
        )
        named = ', '.join(runs) or 'whose id cannot be read'
        self._cluster.set_health_warning(
            CUT,
            f'a former Manager left run {named}; what it made is being '
            'undone: see `ceph perfcompare status`',
            [f'run {name}: {UNDOING}' for name in runs],
        )

    def _decide(
        self, left: Interrupted, found: float, stopping: threading.Event
    ) -> Optional[Decision]:
        """Decide on a run that was ``found`` at a time (Unix time)."""
        if left.ending is not None:
            return Decision(left, left.ending)
        why = self._against(left, found)
        if not why:
            self._await_primaries(left.id, stopping)
            if stopping.is_set():
                return None
            # what is asked for meanwhile counts, and no time that passed
            why = self._against(left, found) or self._left_behind(left.id)
            asked = self._requested()
            if asked is not None:
                return Decision(left, asked)
        if why:
            return Decision(left, Ending(RunState.INTERRUPTED, why))
        # before anything of it is read: it may be what ends mgrs
        self._active.resume(left)
        try:
            done = self._done(left)
        # whatever the database holds of it
        except Exception as error:
            if not isinstance(error, PerfcompareError):
                log.exception('the trials of run %s', left.id)
            reason = f'not resumed: {error or type(error).__name__}'
            return Decision(left, Ending(RunState.INTERRUPTED, reason))
        return Decision(left, None, done)

    def _against(self, left: Interrupted, found: float) -> str:
        """Return why a run does not go on, '' when it may.

        What it made is undone by now, however long that took.
        """
        settings = self._settings()
        if left.run is None:
            return (
                'not resumed: what the former Manager kept of it cannot be '
                f'read by this one ({left.problem})'
            )
        if not 0 <= left.resumes < RESUMES:
            if left.resumes < 0:
                return 'not resumed: how often it was cannot be read'
            return (
                f'not resumed: it was taken up {left.resumes} times already '
                'and cut each time; it may be what ends Managers'
            )
        if left.seen is None:
            return 'not resumed: when it was cut cannot be read'
        age = found - left.seen
        if abs(age) > settings.resume_within:
            return f'cut {age:.0f} s ago, not resumed'
        if settings.emergency_stop:
            return 'not resumed: option emergency_stop is set'
        return ''

    def _await_primaries(self, run: str, stopping: threading.Event) -> None:
        """Undo anew while primaries are all that is left, for a while.

        They wait for data of others, which needs nothing but time.
        """
        due = self._clock.monotonic() + HOME
        waited = False
        while self._primaries_left(run, waited):
            late = self._clock.monotonic() >= due
            if late or self._requested() is not None:
                return
            if self.progress is not None:
                self.progress = dataclasses.replace(
                    self.progress, message=WAITING
                )
            if self._clock.wait_for(stopping, LOOK):
                return
            waited = True
        if waited:
            self._clock.wait_for(stopping, HEALTH_SHOWN)

    def _primaries_left(self, run: str, undo: bool) -> bool:
        """Say whether nothing but primaries is left, or nobody can tell."""
        try:
            if undo:
                self._cleanup.undo([run])
            entries = self._journal.entries(run)
            return primaries.only(entries) and not self._journal.unreadable(
                run
            )
        except TryAgain as error:  # to begin anew would make the cut older
            log.warning('primaries of run %s: %s', run, error)
            return True

    def _left_behind(self, run: str) -> str:
        """Return what keeps a run from going on: it is not undone yet."""
        keys = [entry.key for entry in self._journal.entries(run)]
        keys += self._journal.unreadable(run)
        if not keys:
            return ''
        return (
            f'not resumed: {len(keys)} objects of it could not be undone; '
            'see `ceph health detail`'
        )

    def _done(self, left: Interrupted) -> Tuple[Trial, ...]:
        try:
            return self._records.trials(left.id, DATABASE_PATIENCE)
        except NotFound:
            return ()
