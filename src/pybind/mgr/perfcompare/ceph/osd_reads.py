"""What MgrCluster reads of OSDs: counters, histograms and perf queries."""

from typing import Any, Dict, Optional, Sequence, Tuple, cast

import errno

from ..common.errors import CommandFailed
from ..model.topology import PoolLatency, Traffic
from . import idle_query as idlequery
from . import pool_query as poolquery
from . import tenant_query as tenantquery
from .commands import Commands


class MgrOsdReads:
    """Implement ``OsdReads`` and ``PerfQueries`` of ``ports``."""

    def __init__(self, mgr: Any, commands: Commands) -> None:
        self._mgr = mgr
        self._commands = commands
        self._pool_query: Optional[int] = None
        self._idle_query: Optional[int] = None

    # OSD perf queries

    def pool_latency(self) -> Optional[Dict[int, PoolLatency]]:
        """Return operations and their time by pool since the last call."""
        if not hasattr(self._mgr, 'add_osd_perf_query'):
            return None
        if self._pool_query is None:
            self._pool_query = self._mgr.add_osd_perf_query(poolquery.QUERY)
            return None if self._pool_query is None else {}
        return poolquery.pool_latencies(
            self._mgr.get_osd_perf_counters(self._pool_query) or {}
        )

    def pool_latency_end(self) -> None:
        """End the OSD perf query; fine when there is none."""
        if self._pool_query is not None:
            self._mgr.remove_osd_perf_query(self._pool_query)
            self._pool_query = None

    def traffic_begin(self) -> Optional[int]:
        """Have the OSDs count operations by pool."""
        if not hasattr(self._mgr, 'add_osd_perf_query'):
            return None
        found = self._mgr.add_osd_perf_query(tenantquery.QUERY)
        return None if found is None else int(found)

    def traffic(self, query: int) -> Dict[Tuple[int, int], Traffic]:
        """Return what came since the last call, by pool id and OSD."""
        return tenantquery.traffic(
            self._mgr.get_osd_perf_counters(query) or {}
        )

    def traffic_end(self, query: int) -> None:
        """End a query of ``traffic_begin``."""
        self._mgr.remove_osd_perf_query(query)

    def perf_queries_forget(self) -> None:
        """Have OSDs and ceph-mgr forget our queries that nobody reads.

        OSDs go on with those that ended while they hear of no other, and
        ceph-mgr takes up what they report. To begin such a query makes it
        ours, and to end it then removes it.
        """
        if not hasattr(self._mgr, 'add_osd_perf_query'):
            return
        self.pool_latency_end()  # of whoever could not end it
        if self._idle_query is None:
            self._idle_query = self._mgr.add_osd_perf_query(idlequery.QUERY)
        for query in (poolquery.QUERY, tenantquery.QUERY):
            found = self._mgr.add_osd_perf_query(query)
            if found is not None:
                self._mgr.remove_osd_perf_query(found)

    # OSDs' own counters

    def osd_perf_dump(
        self, osd: int, logger: Optional[str] = None
    ) -> Dict[str, Any]:
        """Return `perf dump` of one OSD, optionally of one logger."""
        args: Dict[str, Any] = {'logger': logger} if logger else {}
        return cast(
            Dict[str, Any], self._commands.osd_json(osd, 'perf dump', **args)
        )

    def osd_newest_map(self, osd: int) -> int:
        """Return the newest epoch of the OSD map that one OSD has."""
        found = self._commands.osd_json(osd, 'status')
        try:
            return int(found['newest_map'])  # a string since 20
        except (KeyError, TypeError, ValueError):
            raise CommandFailed(
                'status', errno.EINVAL, f'osd.{osd} tells no newest_map'
            )

    def osd_histograms(
        self, osd: int, counter: Optional[str] = None
    ) -> Dict[str, Any]:
        """Return `perf histogram dump` of one OSD, of its logger osd."""
        args: Dict[str, Any] = {'counter': counter} if counter else {}
        return cast(
            Dict[str, Any],
            self._commands.osd_json(
                osd, 'perf histogram dump', logger='osd', **args
            ),
        )

    def osd_latest_counters(
        self, osd: int, paths: Sequence[str]
    ) -> Dict[str, Sequence[float]]:
        """Return the last report of counters to the mgr (cheap)."""
        # 20.2 gave the old name another meaning: labeled counters
        latest = getattr(
            self._mgr, 'get_latest_unlabeled_counter', None
        ) or getattr(self._mgr, 'get_latest_counter')
        found: Dict[str, Sequence[float]] = {}
        for path in paths:
            report = (latest('osd', str(osd), path) or {}).get(path)
            if report:
                found[path] = report
        return found

    def osd_counter_history(
        self, osd: int, paths: Sequence[str]
    ) -> Dict[str, Sequence[Sequence[float]]]:
        """Return the reports of counters that the mgr keeps (cheap)."""
        # 20.2 gave the old name another meaning: labeled counters
        history = getattr(
            self._mgr, 'get_unlabeled_counter', None
        ) or getattr(self._mgr, 'get_counter')
        found: Dict[str, Sequence[Sequence[float]]] = {}
        for path in paths:
            reports = (history('osd', str(osd), path) or {}).get(path)
            if reports:
                found[path] = reports
        return found
