"""Say what the figures of a recovery do not; pure."""

from typing import Dict, Optional, Sequence, Tuple

from ...model.recovery import Mark, Moment, Timeline
from .records import Poll

UNSEEN = (
    'it began while another Manager was active, which left nothing of it: '
    't1, t2 and t3 are not available'
)
AT_LEAST = (
    'bytes and objects are at least: what was recovered while one Manager '
    'followed another is not counted'
)


def notes_of(
    found: Dict[Mark, Moment],
    polls: Sequence[Poll],
    prior: Optional[Timeline],
    unseen: bool,
) -> Tuple[str, ...]:
    """Return what has to be said of a timeline, for people."""
    notes = list(prior.notes) if prior is not None else []
    if unseen:
        notes.append(UNSEEN)
    if _is_counted_in_parts(found[Mark.T3], polls, prior, unseen):
        notes.append(AT_LEAST)
    if polls and not any(p.walked for p in polls):
        notes.append(
            'too many PGs to look at each: times that the OSD map does not '
            'show are as old as the reports of OSDs'
        )
    if any(p.by_osd for p in polls):
        notes.append(
            'numbers of PGs are sums over OSDs: a PG counts on each OSD of '
            'the group that it is on'
        )
    unsure = [
        mark.value
        for mark, moment in found.items()
        if moment.reached and (moment.accuracy or 0.0) > 1.0
    ]
    if unsure:
        notes.append(
            f'{", ".join(unsure)} known to no better than 1 s: they fell '
            'between two reports of OSDs'
        )
    return tuple(dict.fromkeys(notes))


def _is_counted_in_parts(
    t3: Moment,
    polls: Sequence[Poll],
    prior: Optional[Timeline],
    unseen: bool,
) -> bool:
    """Say whether data may have been recovered before the first look."""
    if not (unseen or prior is not None):
        return False
    if not any(p.bytes_recovered is not None for p in polls):
        return False
    began = t3.at if t3.reached else None
    return began is None or began - (t3.accuracy or 0.0) < polls[0].at
