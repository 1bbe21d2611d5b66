"""What OSDs count of operations, for as long as they are asked to.

A part of the one door to Ceph (cluster.py).
"""

from typing import Dict, Optional, Protocol, Tuple

from ..model.topology import PoolLatency, Traffic


class PerfQueries(Protocol):
    """Begin, read and end OSD perf queries."""

    def pool_latency(self) -> Optional[Dict[int, PoolLatency]]:
        """Return operations and their time by pool id since the last call.

        The first call starts an OSD perf query (pool_query.py) and returns
        an empty dict; None when this mgr offers no such query.
        """

    def pool_latency_end(self) -> None:
        """End the OSD perf query; fine when there is none."""

    def traffic_begin(self) -> Optional[int]:
        """Have the OSDs count operations by pool, of ours as well.

        Return the number of the query; None when this mgr offers none.
        """

    def traffic(self, query: int) -> Dict[Tuple[int, int], Traffic]:
        """Return what came since the last call, by pool id and OSD."""

    def traffic_end(self, query: int) -> None:
        """End a query of ``traffic_begin``."""

    def perf_queries_forget(self) -> None:
        """Have the mgr forget OSD perf queries of ours that ended.

        Those that are under way stay.
        """
