"""Watch one recovery: map changes at once, PGs every few seconds.

Accuracy. What makes an epoch of the OSD map (down, up, out, upmap, the end
of peering, the end of each backfill) is known to some 0.1 s. PGs are looked
at one by one in clusters of up to WALK_PGS PGs: they carry the exact time
of their own last change, so t2, t4 and t5 are exact unless a PG changed
again before it reported. Larger clusters are watched by the mgr's sums: what
the map does not show is then as old as the reports of OSDs, that is
``mgr_stats_period`` (5 s) and 2 s in which the mgr takes them in.

All looks share a budget: the dearer they are, the rarer they get.

What is stored is of the wall clock, which can be set; what is due is not.
"""

from typing import (
    Callable,
    Dict,
    FrozenSet,
    List,
    Optional,
    Protocol,
    Sequence,
    Tuple,
)

import dataclasses

from ...model.recovery import Cause, Mark, Moment, Timeline
from ...model.series import Table
from ...ports.osd_map import OsdMapReads
from ...ports.recovery_reads import MapFacts, RecoveryReads
from ..judge.downs import detections
from ..judge.milestones import EXACT
from ..judge.records import Change, MapEvent, Poll
from ..judge.scope_events import began_before, fewer
from ..judge.timeline import make_timeline
from .budget import Budget
from .homes import PgTempTracker
from .mapwatch import EpochClock, diff
from .pgbook import PgTracker, Scope
from .poll_series import table, thin
from .sumbook import SumTracker, clean_pools

WALK_PGS = 4096
WALK_PGS_ONCE = 8000  # at the end of a recovery, for the exact t5
MGR_TICK = 2.0  # seconds in which the mgr takes in reports
POLL = 2.0
POLL_LATER = 5.0  # after the first minutes of quiet
LATER = 600.0
MIN_GAP = 0.2  # seconds between two looks at the map
SETTLED_POLLS = 3
MAX_POLLS = 3000
MAX_EVENTS = 2000


class Needs(OsdMapReads, RecoveryReads, Protocol):
    """Name what is asked of a cluster here."""


class RecoveryWatch:
    """Record one recovery in some scopes; used by one thread."""

    def __init__(
        self,
        cluster: Needs,
        clock: EpochClock,
        scopes: Sequence[Scope],
        stats_period: float = 5.0,
        baseline: Optional[MapFacts] = None,
        epoch: Optional[int] = None,
        began: Optional[float] = None,
        ordered: Optional[Moment] = None,
        prior: Sequence[Timeline] = (),
        now: Optional[Callable[[], float]] = None,
        change: Optional[Change] = None,
        before: Sequence[Cause] = (),
        budget: Optional[Budget] = None,
        monotonic: Optional[Callable[[], float]] = None,
        resumed: bool = False,
    ) -> None:
        """Begin at ``baseline``, the map before anything happened.

        PGs that were mapped anew since ``epoch`` count as affected. A test
        names the ``change`` that its step begins with. ``prior`` and
        ``before`` are the timelines and causes that a former mgr had seen
        where this one has ``resumed`` what it left.
        """
        self._cluster = cluster
        self._clock = clock
        self._now = now or clock.wall
        self._monotonic = monotonic or clock.monotonic
        self._budget = budget or Budget(self._monotonic)
        self._map = baseline or cluster.map_facts()
        self._flags = self._map.flags
        self._age = stats_period + MGR_TICK
        self._ordered = ordered
        self._change = change
        self._before = tuple(before)
        self._prior = {t.scope: t for t in prior}
        self._pools: FrozenSet[int] = frozenset(self._map.pools)
        self.began = self._now() if began is None else began
        # of many PGs, and of what a former mgr saw, it could not tell
        known = self._map.pgs <= WALK_PGS and not resumed
        # up to this epoch it may have begun unseen
        self._unseen = self._map.epoch if resumed else None
        self._homes = PgTempTracker(self._map) if known else None
        self._book = PgTracker(
            scopes,
            self._map.epoch + 1 if epoch is None else epoch,
            self.began,
            self._homes,
        )
        self._sums = SumTracker(scopes)
        self.events: List[MapEvent] = []
        self._polls: List[List[Poll]] = [[] for _ in scopes]
        # monotonic
        self._last_map = float('-inf')
        self._last_poll = float('-inf')
        self._next_poll = float('-inf')
        self._last_interval = self._ago(self.began)
        self._changed = False  # the map, as far as PGs are concerned
        self._streak = 0
        self._looked_once = False

    def forget_order(self) -> None:
        """Give up t0: nobody knows any more when the order was obeyed."""
        self._ordered = None

    @property
    def osdmap(self) -> MapFacts:
        """Return the newest map that was looked at."""
        return self._map

    @property
    def settled(self) -> bool:
        """Say whether all scopes are clean, and have been for a while."""
        return self._streak >= SETTLED_POLLS

    @property
    def affected(self) -> int:
        """Return the number of PGs that had a part in it so far."""
        return max(
            (p.affected for polls in self._polls for p in polls), default=0
        )

    @property
    def working(self) -> bool:
        """Say whether the last look found data on its way."""
        return any(polls[-1].working for polls in self._polls if polls)

    @property
    def causes(self) -> List[Cause]:
        """Return the changes of the map that were seen."""
        return [c for e in self.events for c in e.causes]

    def due(self) -> float:
        """Return the seconds until the next poll."""
        next_poll = self._next_poll - self._monotonic()
        return max(next_poll, self._budget.wait())

    @property
    def quiet(self) -> float:
        """Return the seconds since the map last changed PGs, inf if never."""
        if not self._changed:
            return float('inf')
        return self._monotonic() - self._last_interval

    def _ago(self, at: float) -> float:
        """Return the monotonic time of a Unix time that is past."""
        return self._monotonic() - max(0.0, self._now() - at)

    def step(self) -> None:
        """Look at what is due; call it on news and when ``due`` is 0."""
        now = self._monotonic()
        if self._budget.wait() > 0:
            return
        with self._budget.spending():
            fresh = False
            if now - self._last_map >= MIN_GAP:
                self._last_map = now
                fresh = self._look_at_map()
            polled = now >= self._next_poll or fresh
            if polled:
                self._poll()
        if polled:
            quiet = now - self._last_interval > LATER
            self._next_poll = now + (POLL_LATER if quiet else POLL)

    def add(self, events: Sequence[MapEvent], osdmap: MapFacts) -> None:
        """Take in what somebody else found in the map."""
        self._map = osdmap
        if self._homes is not None:
            self._homes.note(osdmap, events)
        self.events.extend(events)
        if len(self.events) > MAX_EVENTS:
            self.events = fewer(self.events, MAX_EVENTS)
        for event in events:
            if event.interval:
                self._changed = True
                self._last_interval = max(
                    self._last_interval, self._ago(event.at)
                )
                self._streak = 0

    def _look_at_map(self) -> bool:
        if self._cluster.osdmap_epoch() == self._map.epoch:
            return False
        facts = self._cluster.map_facts()
        events = diff(self._map, facts, self._clock)
        self.add(events, facts)
        return any(e.interval for e in events)

    def _poll(self) -> None:
        wall, now = self._now(), self._monotonic()
        pgs = self._map.pgs
        last = self._streak == SETTLED_POLLS - 1 and not self._looked_once
        limit = WALK_PGS_ONCE if last else WALK_PGS
        if pgs <= limit:
            walked = self._book.walk(
                wall,
                self._age,
                self._cluster.pg_facts(),
                self._map,
                self._pools,
            )
            polls = self._sums.beside(walked)
            self._looked_once = self._looked_once or pgs > WALK_PGS
        else:
            fresh = now - self._last_interval > self._age + 1.0
            sums = self._cluster.pg_sums()
            young = {
                ident: pool.pg_num
                for ident, pool in self._map.pools.items()
                if ident not in self._pools
            }
            polls = self._sums.polls(wall, self._age, sums, fresh, young)
            for pool in clean_pools(sums, young):
                self._book.grown_up[pool] = self._map.epoch + 1
        self._pools = self._pools.union(self._book.grown_up)
        for kept, poll in zip(self._polls, polls):
            kept.append(poll)
            if len(kept) > MAX_POLLS:
                kept[:] = thin(kept)
        if not all(p.settled for p in polls):
            self._streak = 0
        elif now - self._last_poll >= POLL / 2 or not self._streak:
            self._streak += 1
        self._last_poll = now

    def timelines(self, over: bool = False) -> List[Timeline]:
        """Return what is known so far, one timeline for each scope."""
        now = self._now()
        found = []
        for i, (scope, polls) in enumerate(
            zip(self._book.scopes, self._polls)
        ):
            prior = self._prior.get(scope.name)
            found.append(
                make_timeline(
                    scope.name,
                    self.began,
                    now,
                    self.events,
                    polls,
                    self._ordered,
                    prior,
                    over,
                    detections(
                        self.events,
                        self._clock.downs.of,
                        scope.osds,
                        self._ordered,
                        prior.detections if prior is not None else (),
                    ),
                    self._change,
                    self._before,
                    self._book.osds(i),
                    self._began_unseen(polls, prior),
                    self._flags,
                )
            )
        return found

    def _began_unseen(
        self, polls: Sequence[Poll], prior: Optional[Timeline]
    ) -> bool:
        """Say whether nobody knows any more when a scope began.

        A former mgr keeps what fits; groups may have been set since.
        """
        if self._unseen is None:
            return False
        if prior is not None:
            if prior.mark(Mark.T1).reached or not prior.size.pgs:
                return False
        return began_before(polls, self._unseen)

    def lasting(self, found: Sequence[Timeline]) -> Tuple[Timeline, ...]:
        """Return timelines without moments that may turn out otherwise.

        PGs that seem not to have peered at all may have to yet, until all
        have reported. Another mgr takes what it is told for certain.
        """
        kept = []
        for scope, polls in zip(self._book.scopes, self._polls):
            prior = self._prior.get(scope.name)
            for timeline in found:
                if timeline.scope == scope.name:
                    kept.append(_lasting(timeline, polls, prior))
        return tuple(kept)

    def reached(self, mark: Mark) -> bool:
        """Say whether all scopes have reached a moment."""
        return all(t.mark(mark).reached for t in self.timelines())

    def tables(self) -> Dict[str, Table]:
        """Return the series of all scopes, by name."""
        return {
            scope.name: table(polls)
            for scope, polls in zip(self._book.scopes, self._polls)
            if polls
        }


def _lasting(
    timeline: Timeline, polls: Sequence[Poll], prior: Optional[Timeline]
) -> Timeline:
    if prior is not None and prior.mark(Mark.T2).reached:
        return timeline
    t1, t2 = timeline.mark(Mark.T1), timeline.mark(Mark.T2)
    if t1.at is None or t2.at is None or t2.at > t1.at + EXACT:
        return timeline
    if polls and polls[-1].at - polls[-1].age >= t2.at:
        return timeline
    marks = dict(timeline.marks)
    for mark in (Mark.T2, Mark.T3):
        marks.pop(mark.value, None)
    return dataclasses.replace(timeline, marks=marks)
