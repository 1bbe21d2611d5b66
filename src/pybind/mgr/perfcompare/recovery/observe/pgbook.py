"""Keep what each PG said of itself, and reduce it to polls of scopes."""

from typing import (
    Dict,
    FrozenSet,
    Iterable,
    List,
    NamedTuple,
    Optional,
    Sequence,
    Set,
    Tuple,
)

import dataclasses

from ...ports.recovery_reads import MapFacts, PgFacts
from ..judge.records import Lacking, Poll
from .homes import PgTempTracker, Whole, lacking
from .merges import MergeBook

# words of PG states that do not say how whole a PG is
DULL = frozenset(
    'active clean scrubbing deep snaptrim snaptrim_wait wait laggy '
    'premerge repair'.split()
)
UNKNOWN = ('unknown',)  # without OSDs: nobody has reported it
WORKING = frozenset(('recovering', 'backfilling'))
SCRUBBED = 1.0  # seconds from the end of a scrub to the state after it
CLOCKS = 0.5  # seconds by which clocks of hosts may differ


class Scope(NamedTuple):
    """Name a set of PGs: those on ``osds``, of ``pools``; None is all."""

    name: str
    osds: Optional[FrozenSet[int]] = None
    pools: Optional[FrozenSet[int]] = None
    emulated: bool = False  # as the note of a group says

    def has(self, pg: PgFacts) -> bool:
        """Say whether a PG is in the scope by what it reports."""
        if self.pools is not None and pg.pool not in self.pools:
            return False
        return self.osds is None or any(o in self.osds for o in pg.osds)


@dataclasses.dataclass
class _Seen:
    """Remember one PG between walks."""

    pg: PgFacts
    scopes: List[int]
    affected: bool = False
    clean_since: Optional[float] = None
    clean_from: Optional[float] = None  # before that, where a scrub hid it
    active_since: Optional[float] = None
    working_since: Optional[float] = None
    worked_by: Optional[float] = None
    worked_from: Optional[float] = None
    undegraded_from: Optional[float] = None
    undegraded_at: Optional[float] = None
    grew: bool = False  # objects of it were recovered
    grew_here: bool = False  # the last ones where it is now
    told: Tuple[int, int] = (0, 0)  # its epoch and scopes, as noted last


class PgTracker:
    """Reduce walks over all PGs to one poll per scope."""

    def __init__(
        self,
        scopes: Sequence[Scope],
        epoch: int,
        began: float,
        homes: Optional[PgTempTracker] = None,
    ) -> None:
        self.scopes = tuple(scopes)
        self.homes = homes
        self._epoch = epoch  # PGs mapped since then are affected
        self._began = began - CLOCKS
        self._seen: Dict[str, _Seen] = {}
        # pools that were made since, and the epoch since which they count
        self.grown_up: Dict[int, int] = {}
        self._merges = MergeBook()
        self._bytes = [0.0] * len(self.scopes)
        self._objects = [0.0] * len(self.scopes)
        # of the PGs of each scope that had a part
        self._first = [0] * len(self.scopes)  # epoch that mapped one anew
        self._osds: List[Set[int]] = [set() for _ in self.scopes]

    def osds(self, index: int) -> Optional[FrozenSet[int]]:
        """Return the OSDs that the PGs of a scope are or were on.

        Of those that had no part only the scope's own; None is all.
        """
        own = self.scopes[index].osds
        return None if own is None else own.union(self._osds[index])

    def walk(
        self,
        at: float,
        age: float,
        pgs: Iterable[PgFacts],
        osdmap: MapFacts,
        known_pools: FrozenSet[int],
    ) -> List[Poll]:
        """Take in all PGs; return a poll for each scope.

        PGs of pools that are not in ``known_pools`` are young, not ill, until
        all of one were clean: then it is in ``grown_up``. An mgr that has
        just begun has not heard of all of them.
        """
        missing = sum(
            pool.pg_num
            for ident, pool in osdmap.pools.items()
            if ident in known_pools
        )
        self._merges.look(osdmap.pools, self._last)
        members: List[List[_Seen]] = [[] for _ in self.scopes]
        current = [True] * len(self.scopes)
        gone = set(self._seen)
        young: Dict[int, int] = {}
        for pg in pgs:
            if pg.pool not in known_pools:
                whole = pg.clean and not (pg.remapped or pg.moved)
                young[pg.pool] = young.get(pg.pool, 0) + whole
                continue
            gone.discard(pg.pgid)
            if pg.words == UNKNOWN and not pg.osds:
                continue
            missing -= 1
            seen = self._update(pg)
            fresh = not pg.moved and all(
                osdmap.osds[o].up_from <= pg.mapping_epoch
                for o in pg.osds
                if o in osdmap.osds
            )
            for i in seen.scopes:
                members[i].append(seen)
                current[i] = current[i] and fresh
        for pgid in gone:
            del self._seen[pgid]
        for pool, number in young.items():
            facts = osdmap.pools.get(pool)
            if facts is not None and number >= facts.pg_num:
                self.grown_up[pool] = osdmap.epoch + 1
        return [
            self._poll(i, at, age, members[i], current[i] and missing <= 0)
            for i in range(len(self.scopes))
        ]

    def _last(self, pgid: str) -> Optional[PgFacts]:
        """Return what a PG reported last."""
        seen = self._seen.get(pgid)
        return seen.pg if seen is not None else None

    def _update(self, pg: PgFacts) -> _Seen:
        epoch = self.grown_up.get(pg.pool, self._epoch)
        seen = self._seen.get(pg.pgid)
        if seen is None:
            scopes = [i for i, s in enumerate(self.scopes) if s.has(pg)]
            seen = self._seen[pg.pgid] = _Seen(pg, scopes)
            if pg.clean and pg.last_change < self._began:
                seen.clean_since = pg.last_change
        else:
            for i, scope in enumerate(self.scopes):
                if i not in seen.scopes and scope.has(pg):
                    seen.scopes.append(i)
        before, seen.pg = seen.pg, pg
        if pg.mapping_epoch >= epoch or not pg.clean or pg.remapped:
            seen.affected = True
            self._note_part(seen, before, pg, epoch)
        if self.homes and pg.remapped and not pg.moved:
            if 'active' in pg.words:
                self.homes.settled(pg.pgid)
        grown = self._merges.grown(before, pg)
        if grown.objects > 0:
            seen.grew = True
            seen.grew_here = self._stayed(before, pg)
            for i in seen.scopes:
                self._objects[i] += grown.objects
                self._bytes[i] += grown.size
        elif before.mapping_epoch != pg.mapping_epoch:
            seen.grew_here = False
        self._note_times(seen, before, pg, grown.objects > 0)
        return seen

    def _note_part(
        self, seen: _Seen, before: PgFacts, pg: PgFacts, epoch: int
    ) -> None:
        told = (pg.mapping_epoch, len(seen.scopes))
        if told == seen.told:
            return
        seen.told = told
        for i in seen.scopes:
            self._osds[i].update(before.osds, pg.osds)
            if pg.mapping_epoch >= epoch:
                first = self._first[i] or pg.mapping_epoch
                self._first[i] = min(first, pg.mapping_epoch)

    def _stayed(self, before: PgFacts, pg: PgFacts) -> bool:
        """Say whether a PG was nowhere else between two reports."""
        return self.homes is not None and not self.homes.changes(
            before.mapping_epoch, pg.mapping_epoch
        )

    def _note_times(
        self, seen: _Seen, before: PgFacts, pg: PgFacts, grown: bool
    ) -> None:
        same = before.mapping_epoch == pg.mapping_epoch
        if 'active' not in pg.words:
            seen.active_since = None
        elif pg.became_active >= self._began:
            seen.active_since = pg.became_active
        if WORKING.isdisjoint(pg.words):
            if grown and seen.working_since is None:
                seen.worked_by = seen.worked_by or self._done_by(pg)
                # log recovery begins after it became active where it is
                # now; after backfill it became active once more
                if 'undersized' in before.words and not before.remapped:
                    seen.worked_from = seen.worked_from or pg.became_active
        elif seen.working_since is None:
            seen.working_since = pg.last_change
        was, now = 'degraded' in before.words, 'degraded' in pg.words
        if was and not now:
            seen.undegraded_from = seen.undegraded_at = pg.last_change
            if before.remapped and pg.clean:
                # it went through more states than we saw: backfill ended
                # before it had to peer in its own place
                seen.undegraded_from = before.last_change
                if not same:
                    seen.undegraded_at = pg.became_active
                self._note_homing(seen)
        if not pg.clean or pg.remapped:
            seen.clean_since = seen.clean_from = None
        elif seen.clean_since is None or not same:
            # a scrub that began or ended since has its own last change
            scrub = 'scrubbing' in pg.words
            ended = abs(pg.last_change - pg.scrubbed) <= SCRUBBED
            # a PG that did not peer since was clean all the time
            idle = scrub and pg.became_active < self._began
            seen.clean_since = pg.became_active if idle else pg.last_change
            seen.clean_from = pg.became_active if scrub or ended else None

    def _done_by(self, pg: PgFacts) -> float:
        """Return when a PG had recovered that is at work no more."""
        away = self.homes.of(pg.pgid) if self.homes else None
        if away is None or away.disturbed or away.home_at is None:
            return pg.last_change
        return min(pg.last_change, away.home_at)

    def _note_homing(self, seen: _Seen) -> None:
        """Take from the map when the copies that lacked were complete."""
        away = self.homes.of(seen.pg.pgid) if self.homes else None
        if away is None or away.disturbed or away.home_at is None:
            return
        seen.undegraded_at = min(
            seen.undegraded_at or away.home_at, away.home_at
        )
        if away.short:
            seen.undegraded_from = max(
                seen.undegraded_from or 0.0, away.ready_from or 0.0
            )

    def _poll(
        self,
        index: int,
        at: float,
        age: float,
        members: Sequence[_Seen],
        current: bool,
    ) -> Poll:
        began = self._began
        states: Dict[str, int] = {}
        for seen in members:
            for word in seen.pg.words:
                if word not in DULL:
                    states[word] = states.get(word, 0) + 1
        touched = [s for s in members if s.affected]
        clean = [
            (s.clean_from or s.clean_since, s.clean_since)
            for s in touched
            if s.clean_since is not None and s.clean_since >= began
        ]
        active = _times(s.active_since for s in touched)
        ill = [s.pg.reported for s in members if 'active' not in s.pg.words]
        return Poll(
            at=at,
            age=age,
            walked=True,
            conclusive=current,
            pgs=len(members),
            affected=len(touched),
            inactive=len(ill),
            unclean=sum(not s.pg.clean for s in members),
            remapped=sum(s.pg.remapped for s in members),
            degraded=sum(s.pg.degraded for s in members),
            misplaced=sum(s.pg.misplaced for s in members),
            unfound=sum(s.pg.unfound for s in members),
            copies=sum(s.pg.copies for s in members),
            states=states,
            bytes_recovered=self._bytes[index],
            objects_recovered=self._objects[index],
            inactive_at=max(ill) if ill and all(ill) else None,
            active=len(active),
            active_from=min(active, default=None),
            active_at=max(active, default=None),
            working_at=min(
                _times(s.working_since for s in touched), default=None
            ),
            worked_by=min(_times(s.worked_by for s in touched), default=None),
            worked_from=min(
                _times(s.worked_from for s in touched), default=None
            ),
            undegraded_from=max(
                _times(s.undegraded_from for s in touched), default=None
            ),
            undegraded_at=max(
                _times(s.undegraded_at for s in touched), default=None
            ),
            clean_at=max((by for _, by in clean), default=None),
            clean_from=max((first for first, _ in clean), default=None),
            lacking=self._lacking(touched),
            first_epoch=self._first[index],
        )

    def _lacking(self, members: Sequence[_Seen]) -> Optional[Lacking]:
        """Return since when these PGs lack no copy; None while some may."""
        if self.homes is None or not members:
            return None
        if any(s.clean_since is None for s in members):
            return None
        return lacking(
            [
                Whole(
                    clean_at=s.clean_since,
                    grew=s.grew,
                    grew_here=s.grew_here,
                    in_place=self.homes.in_place(
                        s.pg.pgid, s.pg.mapping_epoch
                    ),
                    away=self.homes.of(s.pg.pgid),
                )
                for s in members
            ]
        )


def _times(values: Iterable[Optional[float]]) -> List[float]:
    return [v for v in values if v is not None]
