"""The validity reason of OSDs that had other work to do on one side.

It is a rule of the table in validity.py.
"""

from typing import Optional

from ..common.units import count
from .evidence import Reason, RowFacts

FEW = 3  # trials; of fewer, one is half of what is known


def unsettled(facts: RowFacts) -> Optional[Reason]:
    """Compare how many trials of each side began on OSDs at other work.

    What was written before is removed meanwhile, and who is faster wrote
    more: where it is one side's only, it is taken from that one. A single
    one makes no verdict of three trials: however far off it is, the interval
    of three has what the two others say.
    """
    shares, texts, most, least = [], [], 0, FEW
    for side in facts.sides:
        early = sum('unsettled' in t.evidence for t in side.trials)
        trials = len(side.trials)
        most, least = max(most, early), min(least, trials)
        shares.append(early / trials if trials else 0.0)
        texts.append(f'{early} of {count(trials, "trial")} of {side.group}')
    if most <= 1 and least >= FEW:
        return None
    if abs(shares[0] - shares[1]) <= facts.limits.unsettled_apart:
        return None
    return Reason(
        'unsettled',
        True,
        f'began on OSDs that had not settled: {", ".join(texts)}',
    )
