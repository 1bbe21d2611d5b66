"""Watch what other pools do on a group's OSDs while it is tested."""

from typing import Callable, Dict, FrozenSet, Mapping, Optional, Protocol

import logging

from ..common.clock import SYSTEM
from ..common.errors import PerfcompareError
from ..guard.collect.facts import foreign_pools, ours
from ..model.outcome import Outcome
from ..model.topology import Traffic
from ..ports.perf_queries import PerfQueries
from ..ports.pools import PoolReads
from ..ports.trial_watch import Evidence, TrialContext
from . import tenants
from .osd_edges import BackgroundReader

log = logging.getLogger(__name__)

SETTLE = 5.0  # seconds that the end of a trial waits for the last reading


class Needs(PerfQueries, PoolReads, Protocol):
    """Name what is asked of a cluster here."""


class TenantWatch:
    """Give evidence['tenants'], and the manifest's figure of them.

    One query serves all trials. Without other pools, the OSDs need not count.
    """

    def __init__(
        self,
        cluster: Needs,
        clock: Callable[[], float] = SYSTEM.wall,
        meanwhile: Callable[[], None] = lambda: None,
    ) -> None:
        """Call ``meanwhile`` about each second while OSDs are waited for."""
        self._cluster = cluster
        self._clock = clock
        self._aside = BackgroundReader(meanwhile)
        self._query: Optional[int] = None
        self._context: Optional[TrialContext] = None
        self._names: Dict[int, str] = {}  # of tenants' pools
        self._own: FrozenSet[int] = frozenset()  # pools of the run
        self._began = 0.0
        self._startup = 0.0  # seconds from `begin` to load, as last seen
        self._since = 0.0  # when the traffic was read last
        self._opens: Optional[float] = None  # the window, as expected
        self._seen: Mapping[tenants.Key, Traffic] = {}

    def begin(self, context: TrialContext) -> None:
        """Start to count, unless the OSDs do already."""
        self._context = None
        pools = self._cluster.pools()
        self._names = {p.id: p.name for p in foreign_pools(pools)}
        self._own = frozenset(p.id for p in pools if ours(p))
        if not self._names:
            self._stop()
        elif self._query is None:
            self._query = self._cluster.traffic_begin()
            if self._query is None:
                return
        self._context = context
        self._since = self._clock()
        self._began = self._since
        self._opens = self._began + self._startup + context.workload.warmup
        if self._query is not None:
            self._aside.do(self._read)  # what came between trials

    def tick(self) -> None:
        """Leave out what came before the measured window."""
        if self._opens is None or self._clock() < self._opens:
            return
        self._opens = None
        if self._query is not None:
            self._aside.do(self._read)

    def end(self, outcome: Optional[Outcome]) -> Evidence:
        """Return the tenants' traffic since the window began."""
        context, self._context = self._context, None
        if context is None or outcome is None:
            return Evidence()
        ready = self._aside.settle(SETTLE)
        start = self._since
        if self._query is not None:
            self._aside.do(self._read)
            if not ready or not self._aside.settle(SETTLE):
                return Evidence(notes=["tenants' traffic was not read"])
        else:
            self._since, self._seen = self._clock(), {}
        self._startup = max(0.0, outcome.started - self._began)
        found = tenants.evidence(
            self._seen,
            context.group.osds,
            self._names,
            self._own,
            self._since - start,
        )
        if found is None:
            return Evidence()
        return Evidence(
            {'tenants': found}, {'tenant_ops_per_s': found['ops_per_s']}
        )

    def close(self) -> None:
        """End the query: it costs the OSDs."""
        self._aside.close()
        self._stop()

    def _read(self) -> None:
        if self._query is not None:
            self._seen = self._cluster.traffic(self._query)
            self._since = self._clock()

    def _stop(self) -> None:
        query, self._query = self._query, None
        if query is not None:
            try:
                self._cluster.traffic_end(query)
            except PerfcompareError as error:
                log.warning('OSD perf query not ended: %s', error.message)
