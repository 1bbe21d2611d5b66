"""Find what of a cluster's events one scope is about, and where it begins.

An episode may hold several recoveries: an OSD of one group fails, and hours
later, while data still moves, one of another. Each scope begins with its own
change of the map.
"""

from typing import AbstractSet, List, Optional, Sequence

import dataclasses

from ...model.recovery import Cause, Moment
from .milestones import EXACT, OSD_MAP, PG_STATS, between, reached
from .records import Change, MapEvent, Poll

HEARD = 30.0  # seconds until an mgr that began has heard of all PGs

Osds = Optional[AbstractSet[int]]  # None is all


def concerns(cause: Cause, own: Osds) -> bool:
    """Say whether a change is one of these OSDs, or of none by name."""
    return own is None or not cause.osds or not own.isdisjoint(cause.osds)


def of_scope(
    events: Sequence[MapEvent], own: Osds, since: float
) -> List[MapEvent]:
    """Return what happened to some OSDs since a time.

    That others were recorded as alive says nothing of the PGs of these.
    """
    return [
        event if own is None else _only(event, own)
        for event in events
        if event.at >= since
    ]


def fewer(events: Sequence[MapEvent], limit: int) -> List[MapEvent]:
    """Return events without some in the middle: the first ones say most.

    Those that tell of no cause go first.
    """
    over, middle = len(events) - limit, limit // 2
    found = list(events)
    if over <= 0:
        return found
    idle = [
        i
        for i, e in enumerate(found)
        if i >= middle and not e.causes and e.flags is None
    ]
    gone = set(idle[:over])
    gone.update(range(middle, middle + over - len(gone)))
    return [e for i, e in enumerate(found) if i not in gone]


def _only(event: MapEvent, own: AbstractSet[int]) -> MapEvent:
    causes = tuple(c for c in event.causes if concerns(c, own))
    if len(causes) < len(event.causes):
        interval = event.interval and bool(causes)
        event = dataclasses.replace(event, causes=causes, interval=interval)
    if event.lived and not event.lived.keys() <= own:
        lived = {o: t for o, t in event.lived.items() if o in own}
        event = dataclasses.replace(
            event,
            up_thru=bool(lived),
            through=max(lived.values(), default=0),
            lived=lived,
        )
    return event


def find_t1(
    events: Sequence[MapEvent],
    polls: Sequence[Poll],
    change: Optional[Change] = None,
    own: Osds = None,
) -> Moment:
    """Return when the OSD map changed; else when PGs first showed it.

    With ``change`` it is the first event that is this change. ``own`` are
    the OSDs that the PGs in question are on.
    """
    if change is not None:
        first = next((e for e in events if change.made(e)), None)
        if first is None:
            return Moment()
        return reached(first.at, first.accuracy, OSD_MAP)
    found = _by_map([e for e in events if e.interval], polls, own)
    if found is not None:
        return found
    for poll in polls:
        if poll.unclean or poll.remapped:
            return between(poll.at - poll.age, poll.at, PG_STATS)
    return Moment()


def _by_map(
    events: Sequence[MapEvent], polls: Sequence[Poll], own: Osds
) -> Optional[Moment]:
    part = next((p for p in polls if _has_part(p)), None)
    # before that time a look found that nothing had happened to any PG
    idle = max(
        (
            p.at - p.age
            for p in polls
            if _is_idle(p) and (part is None or p.at < part.at)
        ),
        default=float('-inf'),
    )
    mapped = min((p.first_epoch for p in polls if p.first_epoch), default=0)
    fresh = [e for e in events if e.at + e.accuracy >= idle]
    if part is None:  # nobody knows yet, or nothing came of it
        fresh = list(events)
    elif mapped:
        fresh = [e for e in fresh if e.epoch <= mapped]
    for event in fresh:
        if any(concerns(c, own) for c in event.causes):
            return reached(event.at, event.accuracy, OSD_MAP)
    if mapped:
        later = [e for e in events if e.epoch >= mapped]
        if later:
            return reached(later[0].at, later[0].accuracy, OSD_MAP)
    elif part is not None:
        # one of those between two looks, of OSDs that share PGs with these
        fresh = [e for e in fresh if e.at <= part.at]
    elif own is not None:
        return None
    if not fresh:
        return None
    first, last = fresh[0], fresh[-1]
    if first is last or own is None:
        return reached(first.at, first.accuracy, OSD_MAP)
    return between(first.at - first.accuracy, last.at, OSD_MAP)


def _has_part(poll: Poll) -> bool:
    if poll.walked:
        return poll.affected > 0
    return bool(poll.unclean or poll.remapped)


def _is_idle(poll: Poll) -> bool:
    # sums tell of all changes that are older than they are
    return not _has_part(poll) and (poll.conclusive or not poll.walked)


def began_before(polls: Sequence[Poll], epoch: int) -> bool:
    """Say whether PGs may have had a part before the first look.

    That was made at an epoch, and an mgr that has just begun has not heard
    of all PGs.
    """
    mapped = min((p.first_epoch for p in polls if p.first_epoch), default=0)
    if mapped:
        return mapped <= epoch
    part = next((p for p in polls if _has_part(p)), None)
    return part is not None and part.at <= polls[0].at + HEARD


def since(moment: Moment, began: float) -> float:
    """Return when a scope began at the earliest."""
    if moment.at is None:
        return began
    return moment.at - max(EXACT, moment.accuracy or 0.0)
