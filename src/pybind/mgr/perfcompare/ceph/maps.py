"""The mgr's OSD map as far as questions need it, looked at once an epoch.

A dump of the map takes the mgr some 20 us per OSD, 0.2 s for ten thousand,
and as many bytes as all else that the module keeps. So it is taken once,
and what is kept of it is small.

MgrModule.get('osd_map') is never asked: with mgr_ttl_cache_expire_seconds it
answers with what any module was told up to 1.25 times as long ago.
"""

from typing import Any, Dict, Optional

import threading

from ..common.clock import SYSTEM
from ..model.topology import Topology
from ..ports.clock import Clock
from . import osdmap as osdmap_data

FILL_SECONDS = 5.0  # OSDs report how full they are as often


class MgrMaps:
    """Keep the newest OSD map in short; safe for threads."""

    def __init__(self, mgr: Any, clock: Clock = SYSTEM) -> None:
        self._clock = clock
        self._mgr = mgr
        self._lock = threading.Lock()
        self._map: Optional[Dict[str, Any]] = None
        self._topology: Optional[Topology] = None
        self._until = 0.0

    def epoch(self) -> int:
        """Return the epoch of the mgr's OSD map (0.5 ms at 10,000 OSDs)."""
        return int(self._mgr.get_osdmap().get_epoch())

    def whole(self) -> Dict[str, Any]:
        """Return all of the present OSD map (some 10 us per OSD)."""
        found: Dict[str, Any] = self._mgr.get_osdmap().dump()
        return found

    def osd_map(self) -> Dict[str, Any]:
        """Return ``osdmap_data.shortened`` of the present OSD map.

        It is shared: nobody may change it.
        """
        with self._lock:  # who comes second has it for nothing
            return self._newest()

    def topology(self) -> Topology:
        """Return OSDs and CRUSH hierarchy with metadata and fill.

        It is shared, and up to FILL_SECONDS old but for the map.
        """
        with self._lock:
            osd_map = self._newest()
            found, now = self._topology, self._clock.monotonic()
            if (
                found is None
                or found.epoch != osd_map['epoch']
                or now > self._until
            ):
                found = self._topology = osdmap_data.topology(
                    osd_map,
                    self._mgr.get('osd_map_crush'),
                    self._mgr.get('osd_metadata'),
                    self._mgr.get('osd_stats')['osd_stats'],
                )
                self._until = self._clock.monotonic() + FILL_SECONDS
            return found

    def _newest(self) -> Dict[str, Any]:
        osdmap = self._mgr.get_osdmap()
        if self._map is None or self._map['epoch'] != osdmap.get_epoch():
            self._map = osdmap_data.shortened(osdmap.dump())
        return self._map
