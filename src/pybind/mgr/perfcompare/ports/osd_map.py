"""What the OSD map says.

A part of the one door to Ceph (cluster.py).
"""

from typing import Dict, Protocol, Sequence

from ..model.topology import Topology


class OsdMapReads(Protocol):
    """Read OSDs, where they are, and how they are."""

    def topology(self) -> Topology:
        """Return OSDs and CRUSH hierarchy with metadata and fill."""

    def osdmap_epoch(self) -> int:
        """Return the epoch of the mgr's OSD map (cheap)."""

    def osds_down_or_out(self) -> Dict[int, str]:
        """Return the OSDs that are not up+in: id -> 'down'|'out' (cheap)."""

    def osdmap_flags(self) -> Sequence[str]:
        """Return the cluster-wide flags that are set, e.g. 'noout'."""

    def full_ratios(self) -> Dict[str, float]:
        """Return 'nearfull', 'backfillfull' and 'full' of the OSD map."""

    def upmap_allowed(self) -> bool:
        """Say whether the cluster's oldest allowed client knows upmaps."""
