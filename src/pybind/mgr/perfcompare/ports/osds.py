"""What OSDs count of themselves.

A part of the one door to Ceph (cluster.py).
"""

from typing import Any, Dict, Optional, Protocol, Sequence


class OsdReads(Protocol):
    """Read OSDs' own counters."""

    def osd_perf_dump(
        self, osd: int, logger: Optional[str] = None
    ) -> Dict[str, Any]:
        """Return `perf dump` of one OSD, optionally of one logger."""

    def osd_newest_map(self, osd: int) -> int:
        """Return the newest epoch of the OSD map that one OSD has."""

    def osd_histograms(
        self, osd: int, counter: Optional[str] = None
    ) -> Dict[str, Any]:
        """Return `perf histogram dump` of one OSD, of its logger osd.

        Optionally of one counter: each is 5 kB.
        """

    def osd_latest_counters(
        self, osd: int, paths: Sequence[str]
    ) -> Dict[str, Sequence[float]]:
        """Return the last report of counters to the mgr (cheap).

        In the form of ``osd_counter_history``.
        """

    def osd_counter_history(
        self, osd: int, paths: Sequence[str]
    ) -> Dict[str, Sequence[Sequence[float]]]:
        """Return the reports of counters that the mgr keeps (cheap).

        The last 20 of each, oldest first: (Unix time, value), of averages
        (Unix time, sum in ns, number). Unknown paths are left out.
        """
