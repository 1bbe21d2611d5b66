"""Faults of the fake cluster: OSDs go out, down and back at once."""

from typing import Dict, List, Optional, Sequence, Tuple

from ...ceph import osdmap as osdmap_data
from ...model.ownership import looks_ours
from ...ports.faults import (
    Departure,
    Exceptions,
    LogTooShort,
    OsdFlagged,
    StopAdvice,
    Upmap,
)
from .state import FakeState, verb


class FakeDepartures:
    """Ask the fake anew each time."""

    def __init__(self, cluster: 'FakeFaults') -> None:
        self._cluster = cluster

    def without(self, osds: Sequence[int]) -> Dict[str, Departure]:
        return self._cluster.pgs_without(osds)


class FakeFaults(FakeState):
    """Implement ``ports.faults``; a test sets what is asked."""

    advice: Optional[StopAdvice] = None  # None: the rules below
    backend: Optional[str] = None  # of the orchestrator
    mon_places: Dict[str, str] = {'a': 'mon-1'}
    orchestrated: List[Tuple[str, str]] = []
    noout_by: Dict[str, str] = {}  # host -> who else set the flag
    audit_from = 0.0  # Unix time of the oldest line of the audit log
    obeys = True  # whether the orchestrator does as it is told
    loses_orders = 0  # from now on
    held = ''  # why the orchestrator keeps orders
    ordered_out: Tuple[int, ...] = ()  # OSDs, by `osd out`
    kept_stops: List[int] = []  # OSDs that it will stop then

    @verb
    def ok_to_stop(self, osds: Sequence[int]) -> StopAdvice:
        return self.advice or StopAdvice(True)

    @verb
    def pgs_without(self, osds: Sequence[int]) -> Dict[str, Departure]:
        found = {}
        for pool in self.pool_table.values():
            now = {str(m.ps): m.up for m in self._map(pool)}
            then = dict(now)
            for osd in osds:
                then = {
                    ps: self._moved(up, osd, osds) for ps, up in then.items()
                }
            departure = osdmap_data.departure(osds, now, then)
            if departure.pgs:
                found[pool.name] = departure
        return found

    def departures(self) -> FakeDepartures:
        return FakeDepartures(self)

    def _moved(
        self, up: Sequence[int], osd: int, gone: Sequence[int]
    ) -> Sequence[int]:
        """Put another OSD in the place of one, on a host of its own."""
        rest = [o for o in up if o != osd]
        hosts = {self.osds[o].host for o in rest if o in self.osds}
        for other in self.osds.values():
            if other.id in gone or other.host in hosts:
                continue
            if other.in_:
                if other.device_class == self.osds[osd].device_class:
                    return rest + [other.id] if osd in up else up
        return rest

    @verb
    def foreign_upmaps(self) -> Dict[str, Upmap]:
        ours = {p.id for p in self.pool_table.values() if looks_ours(p.name)}
        return {
            osdmap_data.pgid(*pg): Upmap(
                osdmap_data.pgid(*pg),
                self.upmaps.get(pg, ()),
                tuple(sorted(self.upmap_items.get(pg, {}).items())),
            )
            for pg in sorted({*self.upmaps, *self.upmap_items})
            if pg[0] not in ours
        }

    @verb
    def foreign_primaries(self) -> Dict[str, int]:
        return {osdmap_data.pgid(*p): o for p, o in self.primaries.items()}

    @verb
    def primary_again(self, pgid: str, osd: int) -> None:
        pool, _, seed = pgid.partition('.')
        self.primaries[(int(pool), int(seed, 16))] = osd

    @verb
    def exceptions_near(self, osds: Sequence[int]) -> Exceptions:
        up = {
            osdmap_data.pgid(pool.id, found.ps): found.up
            for pool in self.pool_table.values()
            for found in self._map(pool)
        }
        near = {
            pg: upmap
            for pg, upmap in self.foreign_upmaps().items()
            if not {*upmap.named, *up.get(pg, ())}.isdisjoint(osds)
        }
        return Exceptions(
            near,
            {
                pg: osd
                for pg, osd in self.foreign_primaries().items()
                if pg in near or not {osd, *up.get(pg, ())}.isdisjoint(osds)
            },
        )

    @verb
    def upmap_again(self, upmap: Upmap) -> None:
        pool, _, seed = upmap.pgid.partition('.')
        if upmap.osds:
            self.upmaps[(int(pool), int(seed, 16))] = upmap.osds
        else:
            self.upmap_items[(int(pool), int(seed, 16))] = dict(upmap.items)

    @verb
    def osd_flagged(self) -> Dict[int, OsdFlagged]:
        return {
            o.id: OsdFlagged(
                o.up,
                o.in_,
                1.0 if o.in_ else 0.0,
                not o.in_ and o.id not in self.ordered_out,
            )
            for o in self.osds.values()
        }

    @verb
    def node_flags(self) -> Dict[str, Tuple[str, ...]]:
        found: Dict[str, Tuple[str, ...]] = {}
        for text in self.flags:
            flag, of_host, host = text.partition(':')
            if of_host:
                found[host] = (*found.get(host, ()), flag)
        return found

    @verb
    def mon_hosts(self) -> Dict[str, str]:
        return dict(self.mon_places)

    @verb
    def orchestrator(self) -> Optional[str]:
        return self.backend

    @verb
    def orchestrate(self, action: str, daemon: str) -> None:
        self.orchestrated = self.orchestrated + [(action, daemon)]
        self.loses_orders -= 1
        if self.held and action == 'stop':
            self.kept_stops = self.kept_stops + [int(daemon.split('.')[1])]
        elif self.obeys and self.loses_orders < 0:
            self.set_osd(int(daemon.split('.')[1]), up=action == 'start')

    @verb
    def orders_held(self, osds: Sequence[int]) -> str:
        return self.held

    @verb
    def stop_pending(self, osd: int) -> bool:
        return osd in self.kept_stops

    @verb
    def osd_out(self, osd: int) -> None:
        self.set_osd(osd, in_=False)
        self.ordered_out += (osd,)
        for pg, primary in list(self.primaries.items()):
            if primary == osd:
                del self.primaries[pg]
        for pgid, upmap in self.foreign_upmaps().items():
            if osd in upmap.named:  # the mons drop it
                pool, _, seed = pgid.partition('.')
                self.upmaps.pop((int(pool), int(seed, 16)), None)
                self.upmap_items.pop((int(pool), int(seed, 16)), None)

    @verb
    def osd_in(self, osd: int) -> None:
        self.set_osd(osd, in_=True)

    @verb
    def osd_reweight(self, osd: int, weight: float) -> None:
        self.set_osd(osd, in_=weight > 0)

    @verb
    def osd_down(self, osd: int) -> None:
        self.epoch += 2  # down, and up again by itself

    @verb
    def pg_upmap_items_clear(self, pool: str, ps: int) -> None:
        self.upmap_items.pop((self._pool(pool).id, ps), None)
        self.epoch += 1

    @verb
    def noout_set(self, host: str) -> None:
        self.flags.append(f'noout:{host}')

    @verb
    def noout_wanted(self, host: str, since: float) -> str:
        if self.audit_from > since:
            raise LogTooShort('the audit log begins later than that')
        return self.noout_by.get(host, '')

    @verb
    def noout_unset(self, host: str) -> None:
        if f'noout:{host}' in self.flags:
            self.flags.remove(f'noout:{host}')
