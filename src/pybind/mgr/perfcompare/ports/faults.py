"""What recovery tests do to OSDs, and what they must know before.

A part of ``cluster.Cluster``. Each verb makes exactly one change; who calls
it journals it first.
"""

from typing import Dict, NamedTuple, Optional, Protocol, Sequence, Set, Tuple

import dataclasses

from ..common.errors import PerfcompareError


@dataclasses.dataclass(frozen=True)
class StopAdvice:
    """Hold what the mons think of stopping OSDs (`osd ok-to-stop`)."""

    ok: bool
    bad_pgs: int = 0  # PGs that would serve no I/O
    why: str = ''


@dataclasses.dataclass(frozen=True)
class OsdFlagged:
    """Hold what the OSD map says of one OSD, for its restoration."""

    up: bool
    in_: bool
    weight: float  # the override weight (`osd reweight`), 0…1
    auto_out: bool = False  # by the mons, for being down


@dataclasses.dataclass(frozen=True)
class Departure:
    """Hold how many copies of a pool's PGs OSDs have, and who gets them."""

    pgs: int  # a PG counts on each of these OSDs
    gains: Dict[int, int]  # by OSD, those that move on account of it too
    homeless: int = 0  # PGs that find no other OSD in its place


@dataclasses.dataclass(frozen=True)
class Upmap:
    """Hold by which exceptions from CRUSH one PG is mapped."""

    pgid: str
    osds: Tuple[int, ...] = ()  # all of its OSDs, in order
    items: Tuple[Tuple[int, int], ...] = ()  # from -> to

    @property
    def targets(self) -> Set[int]:
        """Return the OSDs that hold the PG on account of it."""
        return {*self.osds, *(target for _, target in self.items)}

    @property
    def sources(self) -> Set[int]:
        """Return the OSDs that it takes the PG from."""
        return {source for source, _ in self.items}

    @property
    def named(self) -> Set[int]:
        """Return all OSDs that it names."""
        return self.targets | self.sources

    def part_of(self, other: 'Upmap') -> bool:
        """Say whether it is what is left of another one."""
        return (
            self != other
            and self.osds in ((), other.osds)
            and set(self.items) <= set(other.items)
        )


class Exceptions(NamedTuple):
    """Hold what is otherwise than CRUSH has it, of PGs of others."""

    upmaps: Dict[str, Upmap]  # by PG
    primaries: Dict[str, int]  # the OSD chosen to lead, by PG


class Departures(Protocol):
    """Tell whither PGs go without OSDs, by the map of one moment."""

    def without(self, osds: Sequence[int]) -> Dict[str, Departure]:
        """Return, by pool, whither PGs go when OSDs are marked out.

        The first question maps all PGs of pools whose rules reach one of
        the OSDs (some 2 us each, others may go on between), each further
        one those on the OSDs, and makes a copy of the map.
        """


class FaultReads(Protocol):
    """See whether OSDs may be stopped or taken out, and how they are."""

    def ok_to_stop(self, osds: Sequence[int]) -> StopAdvice:
        """Ask the mons whether all these OSDs can stop at one time."""

    def pgs_without(self, osds: Sequence[int]) -> Dict[str, Departure]:
        """Return, by pool, whither PGs go when OSDs are marked out.

        As dear as the first question to ``departures``.
        """

    def departures(self) -> Departures:
        """Return who tells that of several OSDs, one after the other."""

    def foreign_upmaps(self) -> Dict[str, Upmap]:
        """Return the upmaps of pools that are not ours, by PG.

        Some 20 us per OSD of the cluster: the whole map is asked for.
        """

    def foreign_primaries(self) -> Dict[str, int]:
        """Return the OSDs that were chosen to lead PGs of others, by PG."""

    def exceptions_near(self, osds: Sequence[int]) -> Exceptions:
        """Return those that may be dropped when OSDs are marked out.

        They name one of them, or their PG is on one; a primary also where
        the upmap of its PG does. As dear as ``foreign_upmaps``, and some
        2 us for each exception.
        """

    def osd_flagged(self) -> Dict[int, OsdFlagged]:
        """Return state and override weight of every OSD (cheap)."""

    def node_flags(self) -> Dict[str, Tuple[str, ...]]:
        """Return the flags set on CRUSH buckets, e.g. 'noout', by name."""

    def mon_hosts(self) -> Dict[str, str]:
        """Return the host names of the mons, by mon."""


class DaemonOrders(Protocol):
    """Have an orchestrator stop and start daemons."""

    def orchestrator(self) -> Optional[str]:
        """Return the orchestrator that can stop daemons, None without."""

    def orchestrate(self, action: str, daemon: str) -> None:
        """Ask the orchestrator to 'stop' or 'start' a daemon ('osd.3').

        It works on its own: look at the OSD map for what became of it.
        """

    def orders_held(self, osds: Sequence[int]) -> str:
        """Say why the orchestrator would keep orders to OSDs, '' if not.

        It carries them out when that is over, whoever has forgotten them.
        """

    def stop_pending(self, osd: int) -> bool:
        """Say whether the orchestrator still has an order to stop an OSD."""


class FaultWrites(Protocol):
    """Take OSDs out, down and back."""

    def osd_out(self, osd: int) -> None:
        """Mark an OSD out: its data moves to others."""

    def osd_in(self, osd: int) -> None:
        """Mark an OSD in, with the override weight that it had before."""

    def osd_reweight(self, osd: int, weight: float) -> None:
        """Set the override weight of an OSD."""

    def upmap_again(self, upmap: Upmap) -> None:
        """Map a PG of others as it was mapped before."""

    def primary_again(self, pgid: str, osd: int) -> None:
        """Let an OSD lead a PG of others as it did before."""

    def osd_down(self, osd: int) -> None:
        """Mark a living OSD down; it comes back by itself."""

    def pg_upmap_items_clear(self, pool: str, ps: int) -> None:
        """Remove the upmap items of one PG of one of our pools.

        An explicit mapping (`pg_upmap_order`) stays.
        """

    def noout_set(self, host: str) -> None:
        """Keep the OSDs of one host from being marked out."""

    def noout_wanted(self, host: str, since: float) -> str:
        """Return who else asked last for noout on a host, '' for nobody.

        ``since`` is a Unix time; '' also where the mons do not tell. Raises
        LogTooShort where they tell nothing of that time any more.
        """

    def noout_unset(self, host: str) -> None:
        """Let the OSDs of one host be marked out again."""


class LogTooShort(PerfcompareError):
    """Say that a log of the monitors does not go back as far as asked."""


def daemon(osd: int) -> str:
    """Return the name of an OSD's daemon."""
    return f'osd.{osd}'


def named(osds: Sequence[int]) -> str:
    """Return OSDs as text: 'osd.1, osd.3'."""
    return ', '.join(daemon(o) for o in sorted(osds))
