"""Ends of runs that the result database has not taken yet, with the mons.

The database is written behind: a Manager that goes away before it took the
end of a run would leave one there that never ends.
"""

from typing import Set, Tuple

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
from ..store.records import Records
from .active_run import UNREADABLE, Ending, ending_from

log = logging.getLogger(__name__)

PREFIX = 'ends/'
MOST = 32  # ends that one Manager takes up; the next one takes the others
PATIENCE = 5.0  # seconds for the database, before the mons are told
POLL = 0.05
LATE = 'stored by a later Manager: what was measured last may be missing'


class UnstoredEnds:
    """Keep ends until they are stored, by this Manager or a later one."""

    def __init__(
        self, cluster: KeyValueStore, records: Records, clock: EventClock
    ) -> None:
        self._cluster = cluster
        self._records = records
        self._clock = clock
        self._noted: Set[str] = set()

    def stored(self, stopping: threading.Event) -> bool:
        """Wait a little for the database; return whether it has all."""
        deadline = self._clock.monotonic() + PATIENCE
        while self._records.waiting:
            if self._clock.monotonic() >= deadline:
                return False
            if self._clock.wait_for(stopping, POLL):
                return not self._records.waiting
        return True

    def note(self, run: str, ending: Ending, at: float) -> None:
        """Tell the mons how a run ended at ``at``, in Unix time."""
        self._cluster.kv_set(
            PREFIX + run, json.dumps([*to_data(list(ending)), at])
        )
        self._noted.add(PREFIX + run)

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
            if is_run(run):
                ending, at = _read(text, self._clock.wall())
                parts = [part for part in (ending.reason, LATE) if part]
                event = RunEvent(at, ending.state, '; '.join(parts))
                self._records.end(run, event)
            self._noted.add(key)

    def settle(self) -> None:
        """Forget what the database has taken."""
        if not self._noted or self._records.waiting:
            return
        try:
            for key in sorted(self._noted):
                self._cluster.kv_remove(key)
                self._noted.discard(key)
        except PerfcompareError as error:  # another time
            log.info('ends that are stored: %s', error.message)


def _read(text: str, now: float) -> Tuple[Ending, float]:
    """Return how and when a run ended; an unreadable end is one ``now``."""
    try:
        state, reason, at = json.loads(text)
        if isinstance(at, float) and math.isfinite(at) and at > 0:
            return ending_from([state, reason]), at
    except Exception:  # damage, or another version
        pass
    return UNREADABLE, now
