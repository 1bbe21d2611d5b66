"""The validity reason of data that moved on the OSDs under test.

It is a rule of the table in validity.py.
"""

from typing import Any, List, Optional

from ..model.trial import Trial
from .evidence import Missing, Reason, RowFacts, SideFacts
from .findings.facts import mapping, number

COUNTED = ('recovery_ops', 'recovery_pushes')  # as a leader, as a receiver


def moving(facts: RowFacts) -> Optional[Reason]:
    """Compare what recovery and backfill did in each group's trials.

    They take from the clients of an OSD, of other pools as well, and no
    health check tells of data that is only misplaced. Objects per second,
    mean over the trials; one that a tested OSD sends to another counts twice.
    """
    rates = [_rate(side) for side in facts.sides]
    limit = facts.limits.moved_per_s
    if max(rates) <= limit:
        return None
    text = ', '.join(
        f'{rate:.1f} objects/s during {side.group}'
        for rate, side in zip(rates, facts.sides)
    )
    return Reason(
        'moving data',
        True,
        f'data moved on the tested OSDs: {text} (limit {limit:g})',
    )


def _rate(side: SideFacts) -> float:
    found = [r for r in map(_moved, side.trials) if r is not None]
    if not found:
        raise Missing(f'recovery_ops of {side.group}')
    return sum(found) / len(found)


def _moved(trial: Trial) -> Optional[float]:
    """Return objects/s of a trial's OSDs, None where none was counted."""
    rates: List[float] = []
    for figures in mapping(trial.evidence.get('osds')).values():
        rates += _of_osd(figures)
    return sum(rates) if rates else None


def _of_osd(figures: Any) -> List[float]:
    found = mapping(figures)
    seconds = number(found, 'seconds')
    if not seconds:
        return []
    counts = [number(found, name) for name in COUNTED]
    return [count / seconds for count in counts if count is not None]
