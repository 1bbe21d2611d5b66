"""Bring back what a recovery test took away: OSDs, and flags of hosts.

Whatever became of the test, afterwards its OSDs are up and in with the
weight they had, and its hosts may be marked out again.
"""

from typing import Callable, Dict, Optional

import errno
import logging
import time

from .cluster import Cluster
from .errors import PerfcompareError
from .faults import OsdFlagged, daemon
from .journal_entries import Entry, Kind

log = logging.getLogger(__name__)

ORCHESTRATOR = 'orchestrator'
OPERATOR = 'operator'
START_SECONDS = 60.0  # for the orchestrator to bring a daemon back
MAP_SECONDS = 5.0  # for the mgr's OSD map to follow
POLL = 0.5

Handler = Callable[[Entry], str]


def handlers(
    cluster: Cluster, sleep: Callable[[float], None]
) -> Dict[Kind, Handler]:
    """Return the handlers of the kinds that recovery tests add."""
    undo = FaultUndo(cluster, sleep)
    return {
        Kind.OSD_STOP: undo.started,
        Kind.OSD_OUT: undo.in_again,
        Kind.NOOUT: undo.noout,
    }


class FaultUndo:
    """Undo entries about OSDs; each step may be repeated."""

    def __init__(
        self, cluster: Cluster, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self._cluster = cluster
        self._sleep = sleep

    def _osd(self, osd: int) -> Optional[OsdFlagged]:
        return self._cluster.osd_flagged().get(osd)

    def _wait(self, good: Callable[[], bool], seconds: float) -> bool:
        deadline = time.monotonic() + seconds
        while not good():
            if time.monotonic() >= deadline:
                return False
            self._sleep(POLL)
        return True

    def started(self, entry: Entry) -> str:
        """Start an OSD that was stopped, and see that it is up and in."""
        osd = int(entry.name)
        found = self._osd(osd)
        if found is None:
            return 'the cluster has no such OSD any more'
        if not found.up and entry.detail.get('by') == ORCHESTRATOR:
            try:
                self._cluster.orchestrate('start', daemon(osd))
            except PerfcompareError as error:  # it may be switched off by now
                log.warning('%s is not started: %s', daemon(osd), error)
            else:
                self._wait(lambda: self._up(osd), START_SECONDS)
        if not self._up(osd):
            # EIO: to try at once again would only wait longer
            raise PerfcompareError(
                f'{daemon(osd)} is still down: start it on its host',
                errno.EIO,
            )
        return self._bring_in(osd, entry)

    def _up(self, osd: int) -> bool:
        found = self._osd(osd)
        return found is not None and found.up

    def in_again(self, entry: Entry) -> str:
        """Mark an OSD in that a test marked out."""
        osd = int(entry.name)
        if self._osd(osd) is None:
            return 'the cluster has no such OSD any more'
        return self._bring_in(osd, entry)

    def _bring_in(self, osd: int, entry: Entry) -> str:
        found = self._osd(osd)
        weight = float(entry.detail.get('weight') or 1.0)
        if found is None or found.in_ or weight <= 0:
            return ''  # never out, in by itself, or an operator's work
        self._cluster.osd_in(osd)

        def inside() -> bool:
            now = self._osd(osd)
            return now is not None and now.in_

        if not self._wait(inside, MAP_SECONDS):
            raise PerfcompareError(
                f'{daemon(osd)} is still out', errno.EAGAIN
            )
        now = self._osd(osd)
        if now is not None and abs(now.weight - weight) > 1e-3:
            self._cluster.osd_reweight(osd, weight)
        return ''

    def noout(self, entry: Entry) -> str:
        """Take the flag from a host, unless it had it before."""
        if entry.was_set:
            return ''
        self._cluster.noout_unset(entry.name)
        return ''
