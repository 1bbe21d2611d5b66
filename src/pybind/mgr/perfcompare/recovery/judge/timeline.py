"""Turn what a watch recorded into the timeline of a recovery; pure."""

from typing import Dict, FrozenSet, Optional, Sequence, Set, Tuple

from ...model.recovery import (
    Cause,
    CauseKind,
    Detection,
    Event,
    Fate,
    Mark,
    Moment,
    Size,
    Timeline,
)
from . import flags as map_flags
from . import milestones, scope_events
from .notes import notes_of
from .peering import find_t2
from .phases import phases_of
from .records import Change, Lacking, MapEvent, Poll

MAX_EVENTS = 200
MAX_FLAGS = 50  # changes of flags among them
HOME = 'the last PG that others served is in its own place'
# what takes no copy away: data moves, and its old copies serve meanwhile
MOVES = frozenset(
    (
        CauseKind.UPMAP,
        CauseKind.OSD_OUT,
        CauseKind.OSD_IN,
        CauseKind.WEIGHT,
        CauseKind.CRUSH,
    )
)


def make_timeline(
    scope: str,
    began: float,
    ended: float,
    events: Sequence[MapEvent],
    polls: Sequence[Poll],
    ordered: Optional[Moment] = None,
    prior: Optional[Timeline] = None,
    over: bool = True,
    detections: Sequence[Detection] = (),
    change: Optional[Change] = None,
    before: Sequence[Cause] = (),
    own: Optional[FrozenSet[int]] = None,
    unseen: bool = False,
    flags: FrozenSet[str] = frozenset(),
) -> Timeline:
    """Return the course of a recovery in one scope.

    ``ordered`` is t0, where somebody ordered it. ``prior`` is what a
    former mgr had found, and ``before`` the causes that it had seen: its
    moments stand. With ``over`` the observation
    ends at ``ended``: what was not reached is censored there. ``change`` is
    what a step of a test begins with. ``own`` are the OSDs that the scope's
    PGs are on, None all: what others do is none of its moments. It began
    ``unseen`` where a former mgr was, which has left nothing of it.
    ``flags`` were set before the first event.
    """
    t1 = scope_events.find_t1(events, polls, change, own)
    if unseen:
        t1 = Moment()
    mine = list(events)
    if change is None and all(p.walked for p in polls):
        start = scope_events.since(_known(prior, Mark.T1) or t1, began)
        mine = scope_events.of_scope(events, own, start)
        before = [c for c in before if scope_events.concerns(c, own)]
    causes = [*before, *(c for e in mine for c in e.causes)]
    found = _moments(
        began, ended, mine, polls, ordered, prior, over, t1, causes, unseen
    )
    cut = unseen or prior is not None
    size = _size(polls, prior)
    lack = polls[-1].lacking if polls else None
    return Timeline(
        scope=scope,
        began=began,
        ended=ended,
        marks={mark.value: moment for mark, moment in found.items()},
        phases=phases_of(found, polls, prior),
        size=size,
        states=_states(polls, prior),
        events=_events(events, lack, prior, flags),
        notes=notes_of(found, polls, prior, unseen)
        + _flag_notes(found, events, polls, flags, (began, ended), cut),
        detections=tuple(detections),
        backfilled=lack.backfilled if lack is not None else 0,
    )


def _moments(
    began: float,
    ended: float,
    events: Sequence[MapEvent],
    polls: Sequence[Poll],
    ordered: Optional[Moment],
    prior: Optional[Timeline],
    over: bool,
    first: Moment,
    causes: Sequence[Cause],
    unseen: bool,
) -> Dict[Mark, Moment]:
    def known(mark: Mark) -> Optional[Moment]:
        return _known(prior, mark)

    t0 = known(Mark.T0) or ordered or Moment()
    t1 = known(Mark.T1) or first
    start = t1.at if t1.at is not None else began
    t2 = known(Mark.T2) or find_t2(start, events, polls)
    # it began before we looked
    late = unseen or known(Mark.T1) is not None
    if late and known(Mark.T2) is None:
        t2 = milestones.not_after(start, t2, [p for p in polls if p.inactive])
    # what a test ordered is all that moves
    ours = ordered is not None and ordered.reached
    t3 = known(Mark.T3) or milestones.find_t3(start, t2, polls, events, ours)
    if late and known(Mark.T3) is None:
        idle = [p for p in polls if p.conclusive and not p.working]
        t3 = milestones.not_after(milestones.earliest(start, t2), t3, idle)
    if unseen:
        t2 = t3 = Moment()
    t4, degraded = milestones.find_t4(start, t3, polls)
    if prior is not None:
        if prior.size.degraded and not degraded:
            degraded = True
            t4 = known(Mark.T4) or _after_handover(start, polls, prior)
        elif t4 is None and not degraded:
            t4 = known(Mark.T4)
    t5 = milestones.find_t5(start, events, polls)
    if unseen and t5 is not None and t5.source == milestones.OSD_MAP:
        t5 = Moment()  # no PG told, and t1 is not known
    if t3 is not None:
        t3 = milestones.not_later(t3, t5)  # all were clean: reports came late
    if not t1.reached and over and t5 is None and not unseen:
        t1 = Moment(Fate.CENSORED, ended, 0.0)
    # what nobody saw may have happened while nobody looked
    none = Moment() if late else Moment(Fate.SKIPPED)
    if t5 is not None and t3 is None:
        t3 = none
    if t4 is None and not degraded and (t5 is not None or over):
        t4 = _unseen_t4(t2, t3, t5, causes, polls)
        if late and t4 is not None and t4.fate is Fate.SKIPPED:
            t4 = none
    censored = Moment(Fate.CENSORED, ended, 0.0) if over else Moment()
    listed = [
        (Mark.T0, t0),
        (Mark.T1, t1),
        (Mark.T2, t2 or censored),
        (Mark.T3, t3 or censored),
        (Mark.T4, t4 or censored),
        (Mark.T5, t5 or censored),
    ]
    return dict(milestones.order(listed))


def _flag_notes(
    found: Dict[Mark, Moment],
    events: Sequence[MapEvent],
    polls: Sequence[Poll],
    flags: FrozenSet[str],
    whole: Tuple[float, float],
    cut: bool,
) -> Tuple[str, ...]:
    """Return a note where flags were set between t0, or t1, and t5."""
    start, end = whole
    t0, t1, t5 = found[Mark.T0], found[Mark.T1], found[Mark.T5]
    if cut:
        start = polls[0].at if polls else end
    elif t0.reached and t0.at is not None:
        start = t0.at
    elif t1.reached and t1.at is not None:
        start = t1.at
    if t5.reached and t5.at is not None:
        end = t5.at
    text = map_flags.note(events, flags, start, end, cut)
    return (text,) if text else ()


def _known(prior: Optional[Timeline], mark: Mark) -> Optional[Moment]:
    moment = prior.mark(mark) if prior is not None else Moment()
    return moment if moment.reached else None


def _after_handover(
    start: float, polls: Sequence[Poll], prior: Timeline
) -> Optional[Moment]:
    """Return t4 where this mgr never saw what the former one did."""
    for poll in polls:
        if poll.conclusive and not poll.is_degraded:
            return milestones.between(
                max(start, prior.ended), poll.at, milestones.PG_STATS
            )
    return None


def _unseen_t4(
    t2: Optional[Moment],
    t3: Optional[Moment],
    t5: Optional[Moment],
    causes: Sequence[Cause],
    polls: Sequence[Poll],
) -> Optional[Moment]:
    """Return t4 where no report showed anything degraded.

    Log recovery writes copies that were missing, unless data only moved,
    and PGs that were active while an OSD was down had a copy less: something
    was degraded between two reports. So may PGs have been that data was
    moved for before anybody looked: their new OSD can hold an older copy.
    The map tells which of them were served by enough others meanwhile. Else
    nothing was degraded. None while an OSD stays down.
    """
    if t5 is None or t5.at is None:
        lost = _still_down(causes) and any(p.copies for p in polls)
        return None if lost else Moment(Fate.SKIPPED)
    lack = next((p.lacking for p in reversed(polls) if p.settled), None)
    words = {w for p in polls for w, n in p.states.items() if n}
    began = t3.at if t3 is not None and t3.reached else None
    kinds = {c.kind for c in causes}
    moved = bool(kinds) and kinds <= MOVES
    if began is not None and 'backfilling' not in words and not moved:
        whole = [p.at for p in polls if p.conclusive and p.at > began]
        return milestones.whole(
            began, min(whole + [t5.at]), lack, milestones.PG_STATS
        )
    if began is not None and moved:
        if lack is not None and not lack.maybe:
            return milestones.moved(began, t5.at, lack)
        if not _all_moving(t2, polls):
            return Moment()
    back = _back_up(t2, causes)
    if back is not None and any(p.copies for p in polls):
        return milestones.whole(back, t5.at, lack, milestones.OSD_MAP)
    return Moment(Fate.SKIPPED)


def _all_moving(t2: Optional[Moment], polls: Sequence[Poll]) -> bool:
    """Say whether a look after t2 found all PGs still on their way."""
    if t2 is None or t2.at is None:
        return False
    affected = max((p.affected for p in polls), default=0)
    return any(
        p.conclusive and p.at >= t2.at and p.remapped >= affected
        for p in polls
        if not p.inactive
    )


def _still_down(causes: Sequence[Cause]) -> bool:
    """Say whether an OSD went down and did not come back."""
    down: Set[Tuple[int, ...]] = set()
    for cause in causes:
        if cause.kind is CauseKind.OSD_DOWN:
            down.add(cause.osds)
        elif cause.kind is CauseKind.OSD_UP:
            down.discard(cause.osds)
    return bool(down)


def _back_up(
    t2: Optional[Moment], causes: Sequence[Cause]
) -> Optional[float]:
    """Return when the last OSD came back that PGs had done without."""
    if t2 is None or t2.at is None:
        return None
    downs = [c for c in causes if c.kind is CauseKind.OSD_DOWN]
    back: Optional[float] = None
    for cause in causes:
        if cause.kind is CauseKind.OSD_UP and cause.at > t2.at:
            if any(d.osds == cause.osds and d.at < t2.at for d in downs):
                back = cause.at
    return back


def _size(polls: Sequence[Poll], prior: Optional[Timeline]) -> Size:
    old = prior.size if prior is not None else Size()
    # sums of groups have no objects: one walk at the end makes up for none
    blind = any(not p.walked and not p.copies for p in polls)
    counted = [] if blind else polls

    def most(name: str, before: int, among: Sequence[Poll] = counted) -> int:
        return max([before] + [int(getattr(p, name)) for p in among])

    def grown(name: str, before: Optional[float]) -> Optional[float]:
        # each mgr counts from where it began
        values = [
            getattr(p, name) for p in polls if getattr(p, name) is not None
        ]
        if not values:
            return before
        return float(max(values)) + (before or 0.0)

    return Size(
        pgs=most('affected', old.pgs, polls),
        copies=most('copies', old.copies),
        degraded=most('degraded', old.degraded),
        misplaced=most('misplaced', old.misplaced),
        unfound=most('unfound', old.unfound),
        bytes_recovered=grown('bytes_recovered', old.bytes_recovered),
        objects_recovered=grown('objects_recovered', old.objects_recovered),
    )


def _states(
    polls: Sequence[Poll], prior: Optional[Timeline]
) -> Dict[str, int]:
    found = dict(prior.states) if prior is not None else {}
    for poll in polls:
        for word, count in poll.states.items():
            found[word] = max(count, found.get(word, 0))
    return dict(sorted(found.items()))


def _events(
    events: Sequence[MapEvent],
    lack: Optional[Lacking],
    prior: Optional[Timeline],
    flags: FrozenSet[str],
) -> Tuple[Event, ...]:
    found = list(prior.events) if prior is not None else []
    for event in events:
        for cause in event.causes:
            found.append(Event(cause.at, cause.detail or cause.kind.value))
    told = map_flags.changes(events, flags)[:MAX_FLAGS]
    del found[MAX_EVENTS - len(told) :]
    found = sorted([*found, *told], key=lambda e: e.at)
    if lack is not None and lack.home_at:
        found.append(Event(lack.home_at, HOME))
    return tuple(found)
