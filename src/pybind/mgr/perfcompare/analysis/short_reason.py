"""The validity reason of trials of which little was measured.

It is a rule of the table in validity.py.
"""

from typing import Optional

from . import stats
from .evidence import Reason, RowFacts


def short(facts: RowFacts) -> Optional[Reason]:
    """Compare what was measured with the time that was asked for.

    Deletes take what was written for them, in bursts: where there is no room
    for many, or where writing takes all the time, few moments are measured.
    The median over the trials counts. Of another tool nobody knows what was
    asked of it: its tests may have as much work to do as they need time for.
    """
    texts = []
    for side in facts.sides:
        measured = [
            trial.summary.window
            for trial in side.trials
            if trial.summary is not None and not trial.foreign
        ]
        seconds = stats.median(measured) if measured else facts.seconds
        if seconds < facts.limits.measured_share * facts.seconds:
            texts.append(f'{seconds:.1f} s of {side.group}')
    if not texts:
        return None
    return Reason(
        'short',
        True,
        f'of {facts.seconds:g} s that were asked for were measured '
        f'{" and ".join(texts)} (least '
        f'{facts.limits.measured_share:.0%})',
    )
