"""How well a count of whole operations tells a rate.

Between two moments N operations end where the rate says anything from N - 1
to N + 1: what was begun before and what is under way at the end is in no
count. Trials begin alike, so the same part may be lost in each of them; then
no spread of repetitions shows it, and intervals made of spread alone may be
narrower than what was counted. Simulated in `qa/bench/counted.py`.
"""

from typing import Sequence

import math

from ..model.trial import Trial
from . import stats


def of_ratio(baseline: Sequence[Trial], candidate: Sequence[Trial]) -> float:
    """Return how far off the logarithm of a ratio of two rates may be.

    One operation of each side's count (the median of its trials), in
    quadrature. 0 where a side's operations were not counted, as in imports
    that have rates alone.
    """
    sides = [
        [
            float(t.summary.ops)
            for t in side
            if t.summary and t.summary.ops > 0
        ]
        for side in (baseline, candidate)
    ]
    if not all(sides):
        return 0.0
    return math.hypot(*(1.0 / stats.median(ops) for ops in sides))


def of_blocks(counted: Sequence[float]) -> float:
    """Return how far off the estimate of some blocks may be: their mean.

    0 where nothing is known of them.
    """
    return sum(counted) / len(counted) if counted else 0.0
