"""Find the moments t3…t5 in what a watch recorded; pure functions.

Three sources, by quality: epochs of the OSD map (some 0.1 s), times that
PGs keep of their own last changes (exact, but only the last change before
each report is known), and the polls themselves (as good as the reports of
OSDs are fresh: up to 7 s at the default mgr_stats_period).
"""

from typing import List, Optional, Sequence, Tuple

import dataclasses

from ...model.recovery import Fate, Mark, Moment
from .records import Lacking, MapEvent, Poll

EXACT = 0.1  # of a PG's own time, clocks included

OSD_MAP = 'osd map'
PG_STATS = 'pg stats'
COUNTERS = 'counters'


def reached(at: float, accuracy: float, source: str) -> Moment:
    """Return a moment that was reached."""
    return Moment(Fate.REACHED, at, accuracy, source)


def between(first: float, last: float, source: str) -> Moment:
    """Return a moment known to lie between two times."""
    first = min(first, last)
    half = (last - first) / 2
    return reached(first + half, max(EXACT, half), source)


def not_after(
    start: float, found: Optional[Moment], without: Sequence[Poll]
) -> Optional[Moment]:
    """Return a moment that a former mgr may have missed, or not seen yet.

    It was ``found`` at its latest, and not before ``start``; it is exact
    where a poll ``without`` it came before.
    """
    if found is None or found.at is None:
        return found
    if any(start <= p.at <= found.at for p in without):
        return found
    last = found.at + (found.accuracy or 0.0)
    return between(start, max(start, last), found.source)


def not_later(found: Moment, end: Optional[Moment]) -> Moment:
    """Return a moment that was over by another one."""
    if end is None or end.at is None or found.at is None:
        return found
    width = found.accuracy or 0.0
    if found.at + width <= end.at + EXACT:
        return found
    return between(found.at - width, end.at, found.source)


def earliest(start: float, moment: Optional[Moment]) -> float:
    """Return when a moment was at the earliest; ``start`` if not known."""
    if moment is None or moment.at is None:
        return start
    return max(start, moment.at - (moment.accuracy or 0.0))


def find_t3(
    t1: float,
    t2: Optional[Moment],
    polls: Sequence[Poll],
    events: Sequence[MapEvent] = (),
    alone: bool = False,
) -> Optional[Moment]:
    """Return when the first PG began to recover or to backfill.

    Where these PGs ``alone`` move, one that goes where it belongs has
    recovered by then.
    """
    peered = t2.at if t2 is not None and t2.at is not None else t1
    # some PGs recover while others still peer, but none before an OSD is
    # known to live since the change
    alive = [e.at for e in events if e.up_thru and e.at > t1 + EXACT]
    floor = min([peered] + alive)
    idle = t1  # until then nothing was at work
    base: Optional[float] = None
    for poll in polls:
        if poll.at < t1:
            base = poll.objects_recovered
            continue
        done = poll.objects_recovered
        progress = done is not None and done > (base or 0.0)
        if not poll.working and not progress:
            if poll.conclusive:
                idle = max(idle, poll.at - poll.age)
            continue
        if poll.working_at is not None and poll.worked_by is None:
            if poll.working_at >= t1 - EXACT:
                return reached(poll.working_at, EXACT, PG_STATS)
        own = [
            t
            for t in (poll.working_at, poll.worked_by)
            if t is not None and t >= t1
        ]
        homes = _homecomings(floor, events)[:1] if alone else []
        last = min(own + [poll.at] + homes)
        first = max(floor, idle)
        if poll.worked_from is not None and poll.worked_from <= last:
            first = max(first, poll.worked_from)
        source = PG_STATS if own or poll.working else COUNTERS
        return between(min(last, first), last, source)
    return None


def _homecomings(after: float, events: Sequence[MapEvent]) -> List[float]:
    """Return when fewer PGs than before were served by other OSDs."""
    return [
        event.at
        for before, event in zip(events, events[1:])
        if event.at > after and event.temporary < before.temporary
    ]


def find_t4(
    t1: float, t3: Optional[Moment], polls: Sequence[Poll]
) -> Tuple[Optional[Moment], bool]:
    """Return when nothing was degraded any more, and if it ever was."""
    before: Optional[Poll] = None
    for poll in polls:
        if poll.at < t1:
            continue
        if poll.is_degraded:
            before = poll
        elif before is not None and poll.conclusive:
            # the first poll without, unless it comes back
            later = [p for p in polls if p.at > poll.at and p.is_degraded]
            if later:
                continue
            own, least = poll.undegraded_at, poll.undegraded_from
            floor = before.at - before.age
            if own is not None and own >= floor:
                if least is None or least >= own:
                    return reached(own, EXACT, PG_STATS), True
                return between(max(t1, floor, least), own, PG_STATS), True
            return between(max(t1, floor), poll.at, PG_STATS), True
    return None, before is not None


def whole(
    first: float, last: float, lack: Optional[Lacking], source: str
) -> Moment:
    """Return t4 that no report showed, between two times.

    It is when the last PG was whole, as far as PGs and the map tell.
    """
    if lack is None:
        return between(first, last, source)
    last = max(first, min(last, lack.all_by))
    if lack.last_from is not None:
        first = max(first, lack.last_from)
    return between(first, last, source)


def moved(first: float, last: float, lack: Lacking) -> Moment:
    """Return t4 where data only moved, by what served it meanwhile.

    ``lack.maybe`` must be 0.
    """
    if not lack.surely or lack.last_by is None:
        return Moment(Fate.SKIPPED, source=OSD_MAP)
    by = dataclasses.replace(lack, all_by=lack.last_by)
    return whole(first, last, by, PG_STATS)


def find_t5(
    t1: float, events: Sequence[MapEvent], polls: Sequence[Poll]
) -> Optional[Moment]:
    """Return when all was clean, in the last stretch that stayed so."""
    settled: List[Poll] = []
    before: Optional[Poll] = None
    for poll in polls:
        if poll.at < t1:
            continue
        if poll.settled:
            settled.append(poll)
        elif poll.unclean or poll.remapped:
            settled, before = [], poll
    if not settled:
        return None
    changes = [e.at for e in events if e.interval]
    last_change = max(changes + [t1])
    # a later change without any effect on PGs does not take t5 back
    first = settled[0]
    if any(p.walked for p in settled):
        own = max(
            (p.clean_at for p in settled if p.clean_at is not None),
            default=None,
        )
        if own is not None and own >= t1 - EXACT:
            least = max(
                (p.clean_from for p in settled if p.clean_from is not None),
                default=own,
            )
            if least >= own:
                return reached(own, EXACT, PG_STATS)
            lower = before.at - before.age if before is not None else t1
            least = max(t1, lower, least)
            return between(least, max(least, min(own, first.at)), PG_STATS)
        return reached(t1, EXACT, OSD_MAP)  # no PG had anything to do
    lower = before.at - before.age if before is not None else t1
    return between(
        max(t1, lower, min(last_change, first.at)), first.at, PG_STATS
    )


def order(moments: List[Tuple[Mark, Moment]]) -> List[Tuple[Mark, Moment]]:
    """Keep moments in the order that they have by their meaning.

    A moment of a poorer source that seems earlier than one before it is
    moved up to it; its accuracy says how far that is. The first PG may
    recover while others still peer.
    """
    found: List[Tuple[Mark, Moment]] = []
    known: List[Tuple[Mark, float]] = []
    for mark, moment in moments:
        if moment.reached and moment.at is not None:
            floor = max(
                (at for m, at in known if (m, mark) != (Mark.T2, Mark.T3)),
                default=moment.at,
            )
            if moment.at < floor:
                moment = reached(
                    floor,
                    (moment.accuracy or 0.0) + floor - moment.at,
                    moment.source,
                )
            known.append((mark, max(floor, moment.at or floor)))
        found.append((mark, moment))
    return found
