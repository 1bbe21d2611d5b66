"""Find t2, when all PGs are active again; pure functions."""

from typing import Dict, List, Optional, Sequence, Tuple

import bisect

from ...model.recovery import Moment
from .milestones import EXACT, OSD_MAP, PG_STATS, between, reached
from .records import MapEvent, Poll

HOLD = 0.5  # PGs that are active for less have not peered yet
ACTIVATION = 0.1  # from the map that PGs wait for to their activity
MAKING = 0.3  # more, where OSDs have to make PGs to be backfilled first
ACTIVATION_RANGE = 0.5


class _Record:
    """Find events and polls by time; there may be thousands of both."""

    def __init__(
        self, events: Sequence[MapEvent], polls: Sequence[Poll]
    ) -> None:
        self._events = sorted(events, key=lambda e: e.at)
        self._polls = sorted(polls, key=lambda p: p.at)
        self._event_times = [e.at for e in self._events]
        self._poll_times = [p.at for p in self._polls]
        self._age = max((p.age for p in polls), default=0.0)
        self.affected = max((p.affected for p in polls), default=0)
        # when PGs told that they became active: the first, the last, how
        # many; most polls tell the same as the one before
        told: Dict[Tuple[float, float, int], None] = {}
        for poll in polls:
            if poll.active_from is not None and poll.active_at is not None:
                told[(poll.active_from, poll.active_at, poll.active)] = None
        self.told = list(told)

    def events(self, start: float, end: float) -> Sequence[MapEvent]:
        """Return events from ``start`` on, before ``end``."""
        first = bisect.bisect_left(self._event_times, start)
        return self._events[
            first : bisect.bisect_left(self._event_times, end)
        ]

    def polls(self, start: float, end: float) -> Sequence[Poll]:
        """Return polls after ``start`` that may tell of before ``end``."""
        first = bisect.bisect_right(self._poll_times, start)
        last = bisect.bisect_left(self._poll_times, end + self._age)
        return [p for p in self._polls[first:last] if p.at < end + p.age]


def find_t2(
    t1: float, events: Sequence[MapEvent], polls: Sequence[Poll]
) -> Optional[Moment]:
    """Return when all PGs were active again, for HOLD at least.

    Each change of the map may make PGs peer again: the first change that
    they had time to finish after is the one that counts. Where it is not
    known whether they had, it lies between that time and the next such one.
    """
    changes = [e for e in events if e.interval and e.at >= t1 - EXACT]
    changes = changes or [MapEvent(t1, EXACT, 0, True, False)]
    record = _Record(events, polls)
    perhaps: List[Moment] = []
    for i, change in enumerate(changes):
        end = changes[i + 1].at if i + 1 < len(changes) else float('inf')
        found = _peered(change, end, record)
        if found is None or found.at is None:
            continue
        if found.at + HOLD > end:
            continue
        perhaps.append(found)
        if _surely_held(found, change.at, end, record):
            break
    return _any_of(perhaps)


def _surely_held(
    found: Moment, start: float, end: float, record: _Record
) -> bool:
    """Say whether PGs were active for HOLD, if later than they seem."""
    width = found.accuracy or 0.0
    if found.at is None or width <= EXACT or found.at + width + HOLD <= end:
        return True
    # what ends the stretch then is that PGs moved on: they had peered
    return any(e.temporary for e in record.events(start, end))


def _any_of(moments: Sequence[Moment]) -> Optional[Moment]:
    """Return the moment that is one of several, in their order."""
    if not moments:
        return None
    first, last = moments[0], moments[-1]
    if first is last or first.at is None or last.at is None:
        return last
    return between(
        first.at - (first.accuracy or 0.0),
        last.at + (last.accuracy or 0.0),
        last.source,
    )


def _peered(
    change: MapEvent, end: float, record: _Record
) -> Optional[Moment]:
    """Return when PGs were active in one stretch without map changes."""
    start, accuracy = change.at, change.accuracy
    alive = [
        e
        for e in record.events(start, end)
        if e.alive_since(change.epoch, start)
    ]
    seen = [p for p in record.polls(start, end) if p.conclusive]
    ill = [p for p in seen if p.inactive and p.at < end]
    active = [
        p for p in seen if not p.inactive and (not ill or p.at > ill[-1].at)
    ]
    for poll in active:
        if not poll.walked:
            break
        last = poll.active_at
        if last is None or last < start - EXACT:
            if poll.at < end and not alive:
                return reached(start, accuracy, OSD_MAP)  # none had to
        elif last < end:
            return reached(last, EXACT, PG_STATS)
    if alive:
        found = _let_go(alive, end, record, ill)
        if found is not None:
            return found
    unwalked = [p for p in active if not p.walked and p.at < end]
    if unwalked:
        first = unwalked[0]
        lower = ill[-1].at if ill else start
        return between(max(start, lower - first.age), first.at, PG_STATS)
    return None


def _let_go(
    alive: Sequence[MapEvent],
    end: float,
    record: _Record,
    ill: Sequence[Poll],
) -> Optional[Moment]:
    """Return when PGs were active that waited for some epochs.

    It is exact where all of them told, even if they have moved on since.
    """
    least = 0.0
    for first, last, active in record.told:
        if last >= end:
            continue
        if first >= alive[0].at - EXACT and active == record.affected:
            return reached(last, EXACT, PG_STATS)
        least = max(least, last)  # the others may follow
    at = alive[-1].at + ACTIVATION
    accuracy = alive[-1].accuracy + ACTIVATION_RANGE
    # a report from before that is no news, however late it is seen
    if any(_last_ill(p) > at + accuracy for p in ill):
        return None
    if alive[-1].temporary:
        at = max(at, min(at + MAKING, end - HOLD))
    return reached(max(at, least), accuracy, OSD_MAP)


def _last_ill(poll: Poll) -> float:
    """Return until when PGs are known to have been inactive."""
    return poll.at if poll.inactive_at is None else poll.inactive_at
