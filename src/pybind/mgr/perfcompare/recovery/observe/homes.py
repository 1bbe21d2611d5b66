"""Remember which PGs were served by other OSDs than meant (``pg_temp``).

A PG that needs backfill is served by OSDs that have all of its data, which
the OSD map holds for it, and asks to be let go when the backfill is complete
(PeeringState: choose_acting, Recovered). So the epoch in which its entry goes
is the end of its backfill, to within the second in which the monitors gather
changes. A PG without an entry is never backfilled: it recovers in place, by
its log, and is whole when it is clean.
"""

from typing import Dict, List, Optional, Sequence, Tuple

import dataclasses

from ...model.recovery import CauseKind
from ...ports.recovery_reads import MapFacts
from ..judge.records import Lacking, MapEvent

# seconds from the end of a backfill to its epoch: paxos_propose_interval (1),
# the commit, and the way to the mon. Epochs that follow each other more
# slowly than that tell of slow mons.
HOMING = 1.3
COMMIT = 0.3
SLOW = 3.0
MOST = 1000  # epochs, and gaps, that are remembered


@dataclasses.dataclass(frozen=True)
class RemappedPg:
    """Hold how one PG was, or is, served by others than meant."""

    short: bool  # at some time by fewer OSDs than its pool has copies
    # where it should be may have changed meanwhile: its entry went for that
    disturbed: bool = False
    home_at: Optional[float] = None  # its entry went; None while it is there
    ready_from: Optional[float] = None  # its backfill ended not before


class PgTempTracker:
    """Follow the entries from one look at the map to the next."""

    def __init__(self, baseline: MapFacts) -> None:
        self._away: Dict[str, RemappedPg] = {}
        self._facts = dataclasses.replace(baseline, temps={})
        self._changes: List[int] = []  # epochs in which PGs may have moved
        self._gaps: List[Tuple[int, int]] = []  # epochs not looked at
        self._at: Optional[float] = None  # when the last epoch came
        self.note(baseline, ())

    def note(self, facts: MapFacts, events: Sequence[MapEvent]) -> None:
        """Take in a look at the map, and what happened since the last."""
        old, self._facts = self._facts, facts
        gap = facts.epoch > old.epoch + 1
        if gap:
            self._gaps = [*self._gaps[-MOST:], (old.epoch, facts.epoch)]
        at = events[-1].at if events else None
        ready = self._ready_from(at, gap)
        self._at = at
        kinds = {c.kind for e in events for c in e.causes}
        if kinds:
            own = [e.epoch for e in events if e.causes]
            self._changes = [*self._changes[-MOST:], *own]
        for pgid in {*facts.temps, *old.temps}:
            away = self._away.get(pgid)
            osds = facts.temps.get(pgid)
            fresh = pgid not in old.temps
            changed = bool(kinds - {CauseKind.UPMAP}) or (
                facts.upmapped.get(pgid) != old.upmapped.get(pgid)
            )
            self._away[pgid] = RemappedPg(
                short=(away is not None and away.short)
                or (osds is not None and osds < self._copies(pgid)),
                disturbed=(away is not None and away.disturbed)
                or (changed and (gap or not fresh)),
                home_at=at if osds is None else None,
                ready_from=ready if osds is None else None,
            )

    def _ready_from(self, at: Optional[float], gap: bool) -> Optional[float]:
        """Return when a PG asked at the earliest that an epoch lets go."""
        if at is None:
            return None
        ready = at - HOMING
        if self._at is not None and not gap and at - self._at <= SLOW:
            ready = min(ready, self._at - COMMIT)
        return ready

    def settled(self, pgid: str) -> None:
        """Say that a PG is active as the map has it, and served by others.

        Its entry stands after all that changed: it goes when it may.
        """
        away = self._away.get(pgid)
        if away is not None and away.home_at is None and away.disturbed:
            self._away[pgid] = dataclasses.replace(away, disturbed=False)

    def _copies(self, pgid: str) -> int:
        pool = self._facts.pools.get(int(pgid.partition('.')[0]))
        return pool.size if pool is not None else 0

    def of(self, pgid: str) -> Optional[RemappedPg]:
        """Return how a PG was served; None where always as meant."""
        return self._away.get(pgid)

    def in_place(self, pgid: str, since: int) -> bool:
        """Say whether a PG where it has been since an epoch came directly.

        Not where it may have been served by others in an epoch between.
        """
        return self.of(pgid) is None and not any(
            first < since <= last for first, last in self._gaps
        )

    def changes(self, after: int, before: int) -> bool:
        """Say whether PGs may have moved in an epoch between two."""
        return any(after < epoch < before for epoch in self._changes)


@dataclasses.dataclass(frozen=True)
class Whole:
    """Hold what is known of one PG that had a part in a recovery."""

    clean_at: Optional[float]
    grew: bool  # objects of it were recovered
    grew_here: bool  # and all where it is now
    in_place: bool  # it was never served by others
    away: Optional[RemappedPg]


def lacking(pgs: Sequence[Whole]) -> Optional[Lacking]:
    """Say when the last of these PGs was whole; None while some may not be.

    A PG that recovers in place lacks copies until it is clean, one that is
    served by fewer OSDs than its pool has copies until its backfill is
    complete; one that as many serve as should lacks none.
    """
    surely, maybe, backfilled = 0, 0, 0
    first: List[float] = []  # not before
    last: List[float] = []  # not after, of those that surely lacked some
    by: List[float] = []
    for pg in pgs:
        away = pg.away
        if pg.clean_at is None:
            return None
        if away is not None and not away.disturbed and away.home_at:
            by.append(min(away.home_at, pg.clean_at))
            # a log is recovered in place, or by fewer OSDs meanwhile
            backfilled += pg.grew and not away.short
            if away.short and pg.grew:
                surely += 1
                first.append(away.ready_from or 0.0)
                last.append(by[-1])
            continue
        by.append(pg.clean_at)
        if not pg.in_place:
            maybe += 1
        elif pg.grew:
            surely += 1
            last.append(pg.clean_at)
            if pg.grew_here:
                first.append(pg.clean_at)
    return Lacking(
        surely,
        maybe,
        max(first, default=None),
        max(last, default=None),
        max(by, default=0.0),
        max((p.away.home_at or 0.0 for p in pgs if p.away), default=None),
        backfilled,
    )
