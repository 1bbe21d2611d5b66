"""Silence and undo runs by their journal, and tell what stays.

What could not be undone becomes a health warning; what is kept on purpose
stands in the cluster log, and in the events of its run.
"""

from typing import Dict, Optional, Protocol, Sequence, Tuple

import functools
import logging

from ..common.clock import SYSTEM
from ..common.errors import PerfcompareError, TryAgain
from ..common.parallel import run_concurrently
from ..model.run import RunEvent, RunState
from ..ports.auth import AuthReads, AuthWrites
from ..ports.clock import Clock
from ..ports.notices import Notifications
from ..undo.journal import Journal, Kind, Leftover, UndoReport

log = logging.getLogger(__name__)

LEFTOVERS = 'PERFCOMPARE_LEFTOVERS'
AGAIN = 10.0  # seconds until what is left is tried again; doubled, up to
SELDOM = 300.0


class Needs(AuthReads, AuthWrites, Notifications, Protocol):
    """Name what is asked of a cluster here."""


class Cleanup:
    """Silence and undo runs, and remember what is left of them."""

    def __init__(
        self, cluster: Needs, journal: Journal, clock: Clock = SYSTEM
    ) -> None:
        self._cluster = cluster
        self._journal = journal
        self._clock = clock
        self._leftovers: Tuple[str, ...] = ()
        self._of_run: Dict[str, Tuple[str, ...]] = {}
        self._pause = AGAIN
        self._due = 0.0

    @property
    def leftovers(self) -> Tuple[str, ...]:
        """Return a line for each thing that could not be undone."""
        return self._leftovers

    def silence(self, runs: Sequence[str]) -> None:
        """Blocklist clients of former runs that still have sessions.

        Not where the orchestrator placed gateways: they have sessions, too,
        and abort when they are blocklisted. Load ends with its lease there,
        as it does wherever this fails.
        """
        for run in runs:
            try:
                self._silence(run)
            except Exception as error:  # undoing does not need it
                log.warning('clients of run %s: %s', run, error)

    def _silence(self, run: str) -> None:
        kinds = {e.kind for e in self._journal.entries(run)}
        if Kind.SERVICE in kinds:
            return
        entity = f'client.perfcompare.{run}'

        def blocklist(address: str) -> None:
            self._journal.intend(run, Kind.BLOCKLIST, address)
            self._cluster.blocklist_add(address, 120.0)
            log.warning('blocklisted %s of %s', address, entity)

        sessions = self._cluster.client_sessions(entity)
        run_concurrently(
            [functools.partial(blocklist, at) for at in sessions]
        )

    def undo(self, runs: Sequence[str]) -> UndoReport:
        """Undo runs by the journal; what stays becomes a health warning.

        Raises TryAgain, after all were tried, when the mons were silent.
        """
        report = UndoReport()
        silent: Optional[TryAgain] = None
        for run in runs:
            try:
                found = self._journal.undo_all(run)
            except TryAgain as error:
                silent = error
                continue
            except Exception as error:  # the others go on
                log.exception('the undo of run %s', run)
                found = failed(run, error)
            self._of_run[run] = found.leftover_lines()
            report = report.merge(found)
        if silent is not None:
            raise silent
        self.report(self._left(runs))
        for event in kept_events(report, self._clock.wall()):
            self._cluster.log_warn(f'perfcompare: {event.message}')
        return report

    def _left(self, runs: Sequence[str]) -> Tuple[str, ...]:
        """Return what is left, also of other runs that are journaled yet."""
        others = {r for r, lines in self._of_run.items() if lines} - set(runs)
        if others:
            others &= set(self._journal.runs())
        kept = {*runs, *others}
        self._of_run = {
            run: lines for run, lines in self._of_run.items() if run in kept
        }
        return tuple(
            line for run in sorted(self._of_run) for line in self._of_run[run]
        )

    def again(self) -> None:
        """Try anew to undo what is left, when its pause is over."""
        if not self._leftovers or self._clock.monotonic() < self._due:
            return
        try:
            self.undo(self._journal.runs())
        except PerfcompareError as error:
            log.warning('undo waits: %s', error.message)
        except Exception:  # what is left stays told, and is tried again
            log.exception('undo')
        self._pause = min(SELDOM, self._pause * 2)
        self._due = self._clock.monotonic() + self._pause

    def undo_all(self) -> UndoReport:
        """Undo all runs in the journal, and name what no run knows."""
        report = self.undo(self._journal.runs())
        # without a journal entry nothing is removed: a name is no proof
        strays = UndoReport(leftovers=tuple(self._journal.strays()))
        return report.merge(strays)

    def report(self, lines: Tuple[str, ...]) -> None:
        """Raise the health warning for what is left, or clear it."""
        if lines and not self._leftovers:
            self._pause = AGAIN
            self._due = self._clock.monotonic() + AGAIN
        self._leftovers = lines
        if lines:
            self._cluster.set_health_warning(
                LEFTOVERS,
                f'{len(lines)} objects of perfcompare could not be undone '
                'yet; to try at once, run `ceph perfcompare cleanup`',
                lines,
            )
        else:
            self._cluster.clear_health_warning(LEFTOVERS)


def kept_events(report: UndoReport, now: float) -> Tuple[RunEvent, ...]:
    """Say what stays on purpose, such as a bucket with foreign objects."""
    return tuple(
        RunEvent(now, RunState.FINISHING, f'kept: {item.what}: {item.reason}')
        for item in report.kept
    )


def failed(run: str, error: Exception) -> UndoReport:
    """Return that nothing is known of the undo of a run."""
    text = str(error) or type(error).__name__
    item = Leftover(f'run {run}', text, 'try `ceph perfcompare cleanup`')
    return UndoReport(leftovers=(item,))


def internal(what: str, error: Exception) -> str:
    """Return the line of a fault of ours that left something behind."""
    return f'{what}: {error!r}; try `ceph perfcompare cleanup`'
