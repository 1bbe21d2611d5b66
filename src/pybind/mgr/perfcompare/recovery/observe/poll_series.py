"""Turn polls into a series, and drop what says the same."""

from typing import List, Optional, Sequence

from ...model.series import Table, column
from ..judge.records import Poll


def table(polls: Sequence[Poll]) -> Table:
    """Return polls as a series: shares, PGs, rates since the last poll."""
    start = polls[0].at
    times = column('t', 's', [p.at - start for p in polls]).values

    def share(name: str) -> List[Optional[float]]:
        return [
            getattr(p, name) / p.copies if p.copies else None for p in polls
        ]

    def rate(name: str) -> List[Optional[float]]:
        found: List[Optional[float]] = [None]
        for a, b in zip(polls, polls[1:]):
            first, last = getattr(a, name), getattr(b, name)
            if first is None or last is None or b.at <= a.at:
                found.append(None)
            else:
                found.append(max(0.0, last - first) / (b.at - a.at))
        return found

    def count(name: str) -> List[Optional[float]]:
        return [float(getattr(p, name)) for p in polls]

    return Table(
        start,
        times,
        (
            column('degraded', 'share', share('degraded')),
            column('misplaced', 'share', share('misplaced')),
            column('unfound', 'objects', count('unfound')),
            column('unclean', 'PGs', count('unclean')),
            column('inactive', 'PGs', count('inactive')),
            column('recovery', 'B/s', rate('bytes_recovered')),
            column('objects', '1/s', rate('objects_recovered')),
        ),
    )


def thin(polls: Sequence[Poll]) -> List[Poll]:
    """Drop every other poll that says the same as both its neighbors."""
    kept: List[Poll] = []
    for i, poll in enumerate(polls):
        inner = 0 < i < len(polls) - 1
        if inner and i % 2 and _kind(polls[i - 1]) == _kind(poll):
            if _kind(polls[i + 1]) == _kind(poll):
                continue
        kept.append(poll)
    return kept


def _kind(poll: Poll) -> object:
    return (
        poll.conclusive,
        poll.inactive > 0,
        poll.unclean > 0,
        poll.remapped > 0,
        poll.is_degraded,
        poll.working,
    )
