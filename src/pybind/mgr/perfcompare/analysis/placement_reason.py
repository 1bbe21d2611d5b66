"""The validity reason of pools that fell unevenly on their OSDs.

It is a rule of the table in validity.py.
"""

from typing import Optional

import math

from .evidence import (
    LATENCY_BOUND,
    ROUNDING,
    Missing,
    Reason,
    RowFacts,
    SideFacts,
    mean,
    recorded,
)
from .measured import BOUND


def placement(facts: RowFacts) -> Optional[Reason]:
    """Compare the mean unevenness over the pools of a row's trials.

    A population that is read lives as long as the run, so the error of its
    placement is the same in each block and not in the interval: it counts
    as far as the conclusion hangs on it.
    """
    if facts.label == LATENCY_BOUND:
        return None
    images = facts.images and facts.reads
    what, certain = (
        f'{"bytes" if images else "objects"} that OSDs lead',
        False,
    )
    key = 'bytes_max_mean' if images else 'objects_max_mean'
    unknown: Optional[Missing] = None
    try:
        uneven = [_unevenness(s, key) for s in facts.sides]
    except Missing as missing:
        unknown = missing if images else None
        what, certain = 'primaries', True
        uneven = [_unevenness(s, 'primaries_max_mean') for s in facts.sides]
    limits = facts.limits
    apart = max(uneven) / min(uneven)
    text = f'max/mean {what} ' + ', '.join(
        f'{value:.2f} for {side.group}'
        for value, side in zip(uneven, facts.sides)
    )
    if (
        max(uneven) > limits.primaries_max_mean + ROUNDING
        or apart > limits.primaries_apart + ROUNDING
    ):
        return Reason('placement', True, text)
    if unknown is not None:
        raise unknown  # images have too few objects for primaries to tell
    if certain or apart <= limits.objects_apart + ROUNDING:
        return None
    text += f': the ratio may be off by {apart - 1.0:.1%}'
    return Reason('placement', _turns(facts, math.log(apart)), text)


def _unevenness(side: SideFacts, key: str) -> float:
    """Return a mean of maxima over means; below 1, none was read."""
    if min(recorded(side, key)) < 1.0 - ROUNDING:
        raise Missing(f'{key} of {side.group}')
    return mean(side, key)


def _turns(facts: RowFacts, error: float) -> bool:
    """Say whether a conclusion falls when the ratio is off by a log."""
    ends = facts.interval
    if ends is None:
        return True
    if facts.equal:
        return max(-ends[0], ends[1]) + error >= BOUND
    return (ends[0] > 0.0 or ends[1] < 0.0) and (
        ends[0] - error <= 0.0 <= ends[1] + error
    )
