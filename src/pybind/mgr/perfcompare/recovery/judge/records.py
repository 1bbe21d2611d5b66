"""What a watch records of a recovery: OSD map events and polls of PGs."""

from typing import Dict, FrozenSet, Mapping, Optional, Tuple

import dataclasses

from ...model.recovery import Cause, CauseKind


@dataclasses.dataclass(frozen=True)
class MapEvent:
    """Hold one change of the OSD map that matters to PGs.

    ``interval``: PGs may have had to peer again. ``up_thru``: an OSD was
    recorded as alive, which is the last thing that peering PGs wait for;
    ``through`` is the highest epoch that it was alive in (0 is not known),
    ``lived`` that of each OSD. ``flags`` are those that are set from then
    on, where others were before.
    """

    at: float
    accuracy: float
    epoch: int
    interval: bool
    up_thru: bool
    causes: Tuple[Cause, ...] = ()
    temporary: int = 0  # PGs that are served by other OSDs than meant
    through: int = 0
    lived: Mapping[int, int] = dataclasses.field(default_factory=dict)
    flags: Optional[FrozenSet[str]] = None

    def alive_since(self, epoch: int, at: float) -> bool:
        """Say whether an OSD is known to live since a change of the map."""
        if not self.up_thru:
            return False
        return self.through >= epoch if self.through else self.at > at


@dataclasses.dataclass(frozen=True)
class Change:
    """Say with which change of the OSD map a step of a test begins.

    Others may come before it: PGs that still move, OSDs marked out.
    """

    kind: CauseKind
    osds: FrozenSet[int] = frozenset()  # of any of them; empty is all

    def made(self, event: MapEvent) -> bool:
        """Say whether an event is this change."""
        return any(
            c.kind is self.kind
            and (not self.osds or not self.osds.isdisjoint(c.osds))
            for c in event.causes
        )


@dataclasses.dataclass(frozen=True)
class Lacking:
    """Hold what the OSD map and PGs tell of copies that lacked, afterwards.

    ``surely``: PGs that lacked some; the last of them was whole not before
    ``last_from`` and not after ``last_by``. ``maybe``: others that may have,
    and were whole by ``all_by`` as all were. At ``home_at`` the last one
    that others had served was in its own place. ``backfilled``: PGs that as
    many had served as should, until their data was where it is now.
    """

    surely: int
    maybe: int
    last_from: Optional[float]
    last_by: Optional[float]
    all_by: float
    home_at: Optional[float] = None
    backfilled: int = 0


@dataclasses.dataclass(frozen=True)
class Poll:
    """Hold what was known of a scope's PGs at one time.

    The data is up to ``age`` seconds older than ``at``. ``conclusive``:
    all PGs have reported since the last change of the map. With ``walked``
    each PG was looked at, and the times below are the PGs' own.
    """

    at: float
    age: float
    walked: bool
    conclusive: bool
    pgs: int = 0  # in the scope
    affected: int = 0  # that peered again, or were not clean
    inactive: int = 0
    unclean: int = 0
    remapped: int = 0  # up is not acting
    degraded: int = 0  # object copies
    misplaced: int = 0
    unfound: int = 0
    copies: int = 0
    states: Dict[str, int] = dataclasses.field(default_factory=dict)
    # counted since the watch began
    bytes_recovered: Optional[float] = None
    objects_recovered: Optional[float] = None
    # the PGs' own times, where walked
    inactive_at: Optional[float] = None  # the last report of one that was
    active: int = 0  # affected PGs that told when they became active
    active_from: Optional[float] = None  # the first of these did
    active_at: Optional[float] = None  # the last one did
    working_at: Optional[float] = None  # the first one began to recover
    worked_by: Optional[float] = None  # one had recovered by then
    worked_from: Optional[float] = None  # and not before this time
    undegraded_from: Optional[float] = None  # the last one lost 'degraded'
    undegraded_at: Optional[float] = None  # not before, and not after
    clean_at: Optional[float] = None  # the last one became clean
    clean_from: Optional[float] = None  # and not before this time
    lacking: Optional[Lacking] = None  # while all are clean
    by_osd: bool = False  # a PG counts on each OSD of the scope
    first_epoch: int = 0  # in which one was mapped anew; 0 is none yet

    @property
    def working(self) -> bool:
        """Say whether data was on its way."""
        words = ('recovering', 'backfilling')
        return any(self.states.get(w) for w in words)

    @property
    def is_degraded(self) -> bool:
        """Say whether copies of objects were missing."""
        return bool(self.degraded or self.states.get('degraded'))

    @property
    def settled(self) -> bool:
        """Say whether all was active+clean in its own place."""
        return self.conclusive and not (self.unclean or self.remapped)
