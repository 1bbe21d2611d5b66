"""The validity reasons of rates that move within trials.

Each is a rule of the table in validity.py; steady.py has the method.
"""

from typing import List, Optional, Tuple

from . import steady
from .evidence import Missing, Reason, RowFacts


def _drifts(facts: RowFacts) -> Tuple[steady.Drift, List[steady.Drift]]:
    """Return the drift of the ratio and of both rates, or raise Missing."""
    series = [
        [t.summary.windows if t.summary else () for t in side.trials]
        for side in facts.sides
    ]
    rates = []
    for side, windows in zip(facts.sides, series):
        found = steady.of_rate(windows)
        if found is None:
            raise Missing(f'rate in windows of {side.group}')
        rates.append(found)
    if not facts.x:
        return steady.between(*rates), rates
    ratio = steady.of_ratio(list(zip(*series)))
    if ratio is None:
        raise Missing('rate in windows of both trials of a block')
    return ratio, rates


def not_steady(facts: RowFacts) -> Optional[Reason]:
    """Judge the drift of the ratio; that of the rates is for the reader."""
    ratio, rates = _drifts(facts)
    texts = []
    holds = False
    if ratio.demonstrated:
        ends = facts.interval
        wider = ratio.log_amount
        holds = ends is None or ends[0] - wider <= 0.0 <= ends[1] + wider
        texts.append(f'the ratio moved by {ratio.change:+.0%} within trials')
        if not holds:
            texts.append('the interval so widened excludes 1')
    texts += [
        f'the rate of {side.group} moved by {rate.change:+.0%} within trials'
        for side, rate in zip(facts.sides, rates)
        if rate.demonstrated
    ]
    return Reason('not steady', holds, '; '.join(texts)) if texts else None


def drift_not_excluded(facts: RowFacts) -> Optional[Reason]:
    """Find noise in which a drift could hide from a claim of no difference.

    Where the ratio moves, its mean says little of what follows.
    """
    if not facts.equal:
        return None
    ratio, _ = _drifts(facts)
    if ratio.demonstrated or ratio.possible <= steady.MOST:
        return None
    return Reason(
        'drift not excluded',
        True,
        f'the ratio may have moved by {ratio.possible:.0%} within trials; '
        f'`no difference shown` needs less than {steady.MOST:.0%}: run '
        'longer trials or more rounds',
    )
