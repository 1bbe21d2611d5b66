"""Ends of runs that the result database has not taken yet, with the mons.

The database is written behind: a Manager that goes away before it took the
end of a run would leave one there that never ends.
"""

from typing import Dict, FrozenSet, NamedTuple, Optional, Tuple

import json
import logging
import math
import threading

from ..common.codec import to_data
from ..common.errors import PerfcompareError
from ..model.ownership import is_run
from ..model.run import RunEvent
from ..ports.clock import EventClock
from ..ports.keys import KeyValueStore
from ..store.job import Written
from ..store.records import Records
from .active_run import UNREADABLE, Ending, ending_from

log = logging.getLogger(__name__)

PREFIX = 'ends/'
MOST = 32  # ends that one Manager takes up; the next one takes the others
PATIENCE = 5.0  # seconds for the database, before the mons are told
POLL = 0.05
LATE = 'stored by a later Manager: what was measured last may be missing'
LOST = 'stored late: what was measured last may be missing'
AGAIN = 600.0  # seconds until an end that was dropped is queued anew


class _Noted(NamedTuple):
    """Hold an end that the mons know, and its last write."""

    run: str
    event: RunEvent
    write: Written
    queued: float  # monotonic

    @property
    def over(self) -> bool:
        return self.write.stored or self.write.lost


class UnstoredEnds:
    """Keep ends until they are stored, by this Manager or a later one."""

    def __init__(
        self, cluster: KeyValueStore, records: Records, clock: EventClock
    ) -> None:
        self._cluster = cluster
        self._records = records
        self._clock = clock
        self._noted: Dict[str, Optional[_Noted]] = {}  # None: of no run

    def stored(self, write: Written, stopping: threading.Event) -> bool:
        """Wait a little for the write of an end; return whether it is done.

        One that was dropped is not.
        """
        deadline = self._clock.monotonic() + PATIENCE
        while not write.stored:
            if write.lost or self._clock.monotonic() >= deadline:
                return False
            if self._clock.wait_for(stopping, POLL):
                return write.stored
        return True

    def note(
        self, run: str, ending: Ending, at: float, write: Written
    ) -> None:
        """Tell the mons how a run ended at ``at``, in Unix time.

        ``write`` is what the database was given to store.
        """
        self._cluster.kv_set(
            PREFIX + run, json.dumps([*to_data(list(ending)), at])
        )
        event = _event(ending, at, LOST)
        self._keep(PREFIX + run, run, event, write)

    def runs(self) -> FrozenSet[str]:
        """Return the runs whose ends only the mons know, maybe."""
        found = self._cluster.kv_list(PREFIX)
        return frozenset(key[len(PREFIX) :] for key in found)

    def waits(self, run: str) -> bool:
        """Say whether the end of a run is still in the database's queue."""
        noted = self._noted.get(PREFIX + run)
        return noted is not None and not noted.over

    def take_up(self) -> None:
        """Queue what former Managers could not store.

        Never raises: what is to be undone waits for this.
        """
        try:
            self._take_up()
        except Exception:
            log.exception('ends that are not stored yet')

    def _take_up(self) -> None:
        for key, text in sorted(self._cluster.kv_list(PREFIX).items())[:MOST]:
            run = key[len(PREFIX) :]
            if key in self._noted:
                continue
            if not is_run(run):
                self._noted[key] = None
                continue
            event = _event(*_read(text, self._clock.wall()), LATE)
            self._keep(key, run, event, self._records.end(run, event))

    def _keep(
        self, key: str, run: str, event: RunEvent, write: Written
    ) -> None:
        now = self._clock.monotonic()
        self._noted[key] = _Noted(run, event, write, now)

    def settle(self) -> None:
        """Forget what the database has; queue anew what it has not."""
        try:
            for key, noted in sorted(self._noted.items()):
                if noted is None or noted.write.stored:
                    self._cluster.kv_remove(key)
                    del self._noted[key]
                elif noted.write.lost:
                    self._again(key, noted)
        except PerfcompareError as error:  # another time
            log.info('ends that are stored: %s', error.message)

    def _again(self, key: str, noted: _Noted) -> None:
        if self._clock.monotonic() >= noted.queued + AGAIN:
            write = self._records.end(noted.run, noted.event)
            self._keep(key, noted.run, noted.event, write)


def _event(ending: Ending, at: float, note: str) -> RunEvent:
    parts = [part for part in (ending.reason, note) if part]
    return RunEvent(at, ending.state, '; '.join(parts))


def _read(text: str, now: float) -> Tuple[Ending, float]:
    """Return how and when a run ended; an unreadable end is one ``now``."""
    try:
        state, reason, at = json.loads(text)
        if isinstance(at, float) and math.isfinite(at) and at > 0:
            return ending_from([state, reason]), at
    except Exception:  # damage, or another version
        pass
    return UNREADABLE, now
