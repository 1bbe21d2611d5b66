"""What a run writes down: queued for the database, never waited for."""

from typing import Collection, List, Sequence, Tuple

from ..analysis.pairing import bare
from ..model.run import Run, RunEvent
from ..model.trial import Trial
from .job import Written
from .results import Retention, Store, TrialRecord
from .thread import DbThread

PAGE = 50  # trials that are read at a time


class Records:
    """Write results in the background; read them back with a limit."""

    def __init__(self, database: DbThread) -> None:
        self._database = database

    @property
    def used(self) -> bool:
        """Say whether the database is open already, for whatever it was."""
        return self._database.used

    def put_run(self, run: Run) -> Written:
        """Queue a run or its new state."""
        return self._database.submit(
            lambda store: store.put_run(run), f'the state of run {run.id}'
        )

    def end(self, run: str, event: RunEvent) -> Written:
        """Queue the end of a run that nobody can read any more."""
        return self._database.submit(
            lambda store: store.end(run, event), f'the end of run {run}'
        )

    def interrupt(self, now: float, reason: str) -> None:
        """Queue the end of all runs that are not ended: none is driven."""
        self._database.submit(
            lambda store: store.interrupt(now, reason),
            'the end of runs that were cut',
        )

    def give_up(self, event: RunEvent, but: Collection[str]) -> None:
        """Queue an end of the newest runs that have none, ``but`` some.

        Those that were made after it stay as they are.
        """
        self._database.submit(
            lambda store: store.give_up(event, but),
            'the end of runs that nobody drives',
        )

    def put_trials(self, run: str, records: Sequence[TrialRecord]) -> None:
        """Queue the trials of one execution of a block."""
        kept = tuple(records)
        self._database.submit(
            lambda store: store.put_trials(run, kept),
            f'trials of run {run}',
            size=sum(r.size for r in kept),
        )

    def expire(self, now: float, retention: Retention) -> None:
        """Queue the removal of results beyond the retention."""

        def work(store: Store) -> None:
            store.expire(now, retention)

        self._database.submit(work, 'the retention of results')

    def trials(self, run: str, timeout: float) -> Tuple[Trial, ...]:
        """Return the stored trials of a run, with what pairing needs.

        TryAgain where a page of them takes more than ``timeout`` seconds.
        """
        found: List[Trial] = []
        while True:
            page = self._page(run, len(found), timeout)
            found += page
            if len(page) < PAGE:
                return tuple(found)

    def _page(
        self, run: str, first: int, timeout: float
    ) -> Tuple[Trial, ...]:
        def work(store: Store) -> Tuple[Trial, ...]:
            page = store.trials(run, first=first, number=PAGE, evidence=False)
            return tuple(bare(trial) for trial in page)

        return self._database.insist(work, timeout)
