"""Have the Manager forget OSD perf queries that ended."""

import logging

from ..ports.clock import Clock
from ..ports.perf_queries import PerfQueries

log = logging.getLogger(__name__)

LATE = 15.0  # seconds until OSDs have reported to the end, three periods
TURNS = 2  # what comes while the first is under way is for the second


class LateReports:
    """Do so some time after a run, and after the one of a former Manager.

    OSDs go on with a query that ended, and what they report makes ceph-mgr
    take it up again, for nobody (``MgrOsdReads.perf_queries_forget``).
    """

    def __init__(self, cluster: PerfQueries, clock: Clock) -> None:
        self._cluster = cluster
        self._clock = clock
        self._turns = 0
        self._due = 0.0
        self.expect()

    def expect(self) -> None:
        """Look again some time from now: queries end."""
        self._turns, self._due = TURNS, self._clock.monotonic() + LATE

    def settle(self) -> None:
        """Have those forgotten that are due; no run is active."""
        if not self._turns or self._clock.monotonic() < self._due:
            return
        self._turns, self._due = self._turns - 1, self._due + LATE
        try:
            self._cluster.perf_queries_forget()
        except Exception as error:  # what else is idle goes on
            log.warning('OSD perf queries: %s', error)
