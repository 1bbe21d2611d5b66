"""What MgrCluster does to OSDs in recovery tests, by mon commands."""

from typing import Any, Dict, Sequence, Tuple

import json
import logging

from ..common.errors import CommandFailed
from ..model.ownership import check_own
from ..ports.faults import (
    Departure,
    Departures,
    Exceptions,
    LogTooShort,
    OsdFlagged,
    StopAdvice,
    Upmap,
)
from . import audit_log as auditlog
from . import osdmap as osdmap_data
from .daemon_orders import MgrDaemonOrders
from .departures import MgrDepartures

log = logging.getLogger(__name__)


class MgrFaults(MgrDaemonOrders):
    """Implement ``ports.faults`` on a MgrModule."""

    # reads

    def ok_to_stop(self, osds: Sequence[int]) -> StopAdvice:
        """Ask the mons whether all these OSDs can stop at one time."""
        code, text, status = self._commands.answer(
            'osd ok-to-stop', ids=[str(o) for o in osds]
        )
        try:
            found = json.loads(text)
        except ValueError:
            return StopAdvice(False, why=status or f'code {-code}')
        return StopAdvice(
            ok=bool(found['ok_to_stop']),
            bad_pgs=int(found.get('num_not_ok_pgs', 0)),
            why=' '.join(status.split()),
        )

    def pgs_without(self, osds: Sequence[int]) -> Dict[str, Departure]:
        """Return, by pool, whither PGs go when OSDs are marked out."""
        return self.departures().without(osds)

    def departures(self) -> Departures:
        """Return who tells that of several OSDs, one after the other."""
        return MgrDepartures(self._mgr)

    def foreign_upmaps(self) -> Dict[str, Upmap]:
        """Return the upmaps of pools that are not ours, by PG."""
        return osdmap_data.upmaps(self._maps.whole())

    def foreign_primaries(self) -> Dict[str, int]:
        """Return the OSDs that were chosen to lead PGs of others."""
        return osdmap_data.primaries(self._maps.whole())

    def exceptions_near(self, osds: Sequence[int]) -> Exceptions:
        """Return those that may be dropped when OSDs are marked out."""
        osdmap = self._mgr.get_osdmap()
        osd_map = osdmap.dump()
        mapped = osdmap_data.upmaps(osd_map)
        led = osdmap_data.primaries(osd_map)
        up = {pg: _up(osdmap, pg) for pg in {*mapped, *led}}
        gone = set(osds)
        near = {
            pg: upmap
            for pg, upmap in mapped.items()
            if not gone.isdisjoint({*upmap.named, *up[pg]})
        }
        return Exceptions(
            near,
            {
                pg: osd
                for pg, osd in led.items()
                # mons that drop an upmap drop the primary along with it
                if pg in near or not gone.isdisjoint({osd, *up[pg]})
            },
        )

    def osd_flagged(self) -> Dict[int, OsdFlagged]:
        """Return state and override weight of every OSD (cheap)."""
        return {
            int(o['osd']): OsdFlagged(
                bool(o['up']),
                bool(o['in']),
                float(o['weight']),
                'autoout' in o['state'],
            )
            for o in self._maps.osd_map()['osds']
        }

    def node_flags(self) -> Dict[str, Tuple[str, ...]]:
        """Return the flags set on CRUSH buckets, by name."""
        found = self._maps.osd_map().get('crush_node_flags') or {}
        return {str(name): tuple(flags) for name, flags in found.items()}

    def mon_hosts(self) -> Dict[str, str]:
        """Return the host names of the mons, by mon."""
        return {
            str(entry['name']): str(entry.get('hostname', ''))
            for entry in self._commands.mon_json('mon metadata')
        }

    # writes

    def osd_out(self, osd: int) -> None:
        """Mark an OSD out: its data moves to others."""
        self._change('osd out', ids=[str(osd)])

    def osd_in(self, osd: int) -> None:
        """Mark an OSD in, with the override weight that it had before."""
        self._change('osd in', ids=[str(osd)])

    def osd_reweight(self, osd: int, weight: float) -> None:
        """Set the override weight of an OSD."""
        self._change('osd reweight', id=osd, weight=weight)

    def upmap_again(self, upmap: Upmap) -> None:
        """Map a PG of others as it was mapped before."""
        if upmap.osds:
            self._map_change(
                'osd pg-upmap', pgid=upmap.pgid, id=list(upmap.osds)
            )
        if upmap.items:
            pairs = [osd for pair in upmap.items for osd in pair]
            self._map_change('osd pg-upmap-items', pgid=upmap.pgid, id=pairs)

    def primary_again(self, pgid: str, osd: int) -> None:
        """Let an OSD lead a PG of others as it did before."""
        self._map_change('osd pg-upmap-primary', pgid=pgid, id=osd)

    def osd_down(self, osd: int) -> None:
        """Mark a living OSD down; it comes back by itself."""
        self._change('osd down', ids=[str(osd)])

    def pg_upmap_items_clear(self, pool: str, ps: int) -> None:
        """Remove the upmap items of one PG of one of our pools."""
        check_own(pool)
        self._map_change(
            'osd rm-pg-upmap-items',
            pgid=osdmap_data.pgid(self._pool_id(pool), ps),
        )

    def noout_set(self, host: str) -> None:
        """Keep the OSDs of one host from being marked out."""
        self._change(
            'osd set-group', flags='noout', who=[host], **auditlog.MARK
        )

    def noout_wanted(self, host: str, since: float) -> str:
        """Return who else asked last for noout on a host, '' for nobody."""
        try:
            lines = self._commands.mon_json(
                'log last', num=auditlog.LINES, level='info', channel='audit'
            )
        except CommandFailed as error:
            log.warning('who set noout on %s: %s', host, error.message)
            return ''
        who = auditlog.asked(lines, 'noout', host, since)
        if not who and not auditlog.reaches(lines, since):
            raise LogTooShort('the audit log begins later than that')
        return who

    def noout_unset(self, host: str) -> None:
        """Let the OSDs of one host be marked out again."""
        self._change(
            'osd unset-group', flags='noout', who=[host], **auditlog.MARK
        )

    def _change(self, prefix: str, **args: Any) -> None:
        log.info('%s %s', prefix, args)
        self._map_change(prefix, **args)


def _up(osdmap: Any, pgid: str) -> Sequence[int]:
    pool, _, seed = pgid.partition('.')
    found: Sequence[int] = osdmap.pg_to_up_acting_osds(
        int(pool), int(seed, 16)
    )['up']
    return found
