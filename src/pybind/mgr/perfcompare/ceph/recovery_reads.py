"""What MgrCluster sees of recoveries, in the mgr's own copies."""

from typing import Any, List

from ..ports import recovery_reads as sights
from ..ports.recovery_reads import MapFacts, PgFacts, PgSums, Signs
from .maps import MgrMaps


class MgrSights:
    """Implement ``ports.recovery_reads.RecoveryReads`` on a MgrModule."""

    _mgr: Any
    _maps: MgrMaps

    def signs(self) -> Signs:
        """Return what hints at changes (0.5 ms at 10,000 OSDs)."""
        osdmap = self._mgr.get_osdmap()
        return Signs(
            epoch=int(osdmap.get_epoch()),
            crush=int(osdmap.get_crush_version()),
            unclean=sights.unclean(self._mgr.get('pg_status')),
        )

    def map_facts(self) -> MapFacts:
        """Return the present OSD map (some 10 us per OSD)."""
        return sights.map_facts(self._maps.whole())

    def pg_facts(self) -> List[PgFacts]:
        """Return all PGs as they last reported (some 30 us each).

        With mgr_ttl_cache_expire_seconds they are older, see preflight.
        """
        osdmap = self._mgr.get_osdmap()
        found = []
        for stats in self._mgr.get('pg_stats')['pg_stats']:
            pool, _, ps = stats['pgid'].partition('.')
            place = osdmap.pg_to_up_acting_osds(int(pool), int(ps, 16))
            found.append(
                sights.pg_facts(
                    stats, list(place['up']), list(place['acting'])
                )
            )
        return found

    def pg_sums(self) -> PgSums:
        """Return the mgr's own sums over PGs (cheap)."""
        return sights.pg_sums(self._mgr.get('pg_summary'))
