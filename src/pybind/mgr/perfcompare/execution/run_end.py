"""How a run ended, written down: for the mons first, then the database."""

from typing import Callable, Optional, Protocol

import dataclasses
import functools
import logging
import threading

from ..common.errors import PerfcompareError
from ..common.settings import Settings
from ..model.run import Run, RunEvent, RunState
from ..ports.clock import EventClock
from ..ports.keys import KeyValueStore
from ..ports.notices import Notifications
from ..store import retention
from ..store.job import Written
from ..store.records import Records
from ..workers.control import retry_until_stopped
from .active_run import ActiveRun, Ending
from .unstored import UnstoredEnds

log = logging.getLogger(__name__)

GONE = 'its Manager went away'


class Needs(KeyValueStore, Notifications, Protocol):
    """Name what is asked of a cluster here."""


class RunEnds:
    """Record the ends of runs, and tell the operator of them."""

    def __init__(
        self,
        cluster: Needs,
        records: Records,
        active: ActiveRun,
        settings: Callable[[], Settings],
        clock: EventClock,
    ) -> None:
        self._cluster = cluster
        self._clock = clock
        self._records = records
        self._active = active
        self._settings = settings
        self.unstored = UnstoredEnds(cluster, records, clock)
        self.unwritten = ''  # an end that the mons do not know
        self.last = ''  # '<run> (<state>)' of the last one that ended here

    def note(self, run: str, ending: Ending) -> bool:
        """Write how the run ends; where that fails, the operator is told."""
        try:
            self._active.end(ending)
        except PerfcompareError as error:
            self.unwritten = (
                f'run {run} ends ({ending.state.value}), which could not be '
                f'written: {error.message}; a Manager that takes over before '
                'it can be goes on with the run: cancel it there again'
            )
            log.warning(self.unwritten)
            return False
        return True

    def record(
        self,
        ident: str,
        run: Optional[Run],
        ending: Ending,
        stopping: threading.Event,
    ) -> None:
        """Record an end, ``run`` being None where it cannot be read."""
        now = self._clock.wall()
        state, reason = ending
        write = self._queue(ident, run, RunEvent(now, state, reason))
        if write is not None and not self.unstored.stored(write, stopping):
            retry_until_stopped(
                f'the end of run {ident}, for the database',
                functools.partial(
                    self.unstored.note, ident, ending, now, write
                ),
                stopping,
                self._clock,
            )
        # a mgr that finds it there would go on with it
        retry_until_stopped(
            f'the end of run {ident}',
            self._active.clear,
            stopping,
            self._clock,
        )
        self.unwritten = ''
        self.last = f'{ident or "unknown"} ({state.value})'
        text = f'perfcompare run {ident} ends: {state.value}'
        if reason:
            text += f' ({reason})'
        if state is RunState.COMPLETED:
            self._cluster.log_info(text)
        else:
            self._cluster.log_warn(text)
        self._cluster.progress_complete(f'perfcompare-{ident}')

    def _queue(
        self, ident: str, run: Optional[Run], event: RunEvent
    ) -> Optional[Written]:
        """Have the database store an end; None where it is not known whose.

        Without ``run`` no other one is driven either.
        """
        if run is not None:
            return self._records.put_run(
                dataclasses.replace(
                    run,
                    state=event.state,
                    reason=event.message,
                    ended=event.at,
                    events=run.events + (event,),
                )
            )
        write = self._records.end(ident, event) if ident else None
        why = GONE if ident else event.message
        self._records.interrupt(event.at, why)
        return write

    def expire(self, aged: bool = False) -> None:
        """Queue the removal of results beyond the retention.

        Their age counts where ``aged``: see store/expiry.py.
        """
        kept = retention.of_runs(self._settings(), aged)
        self._records.expire(self._clock.wall(), kept)
