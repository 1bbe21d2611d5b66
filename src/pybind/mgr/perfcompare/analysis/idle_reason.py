"""The validity reason of trials in which nothing finished.

It is a rule of the table in validity.py.
"""

from typing import Optional

from ..common.units import count
from .evidence import Reason, RowFacts


def idle(facts: RowFacts) -> Optional[Reason]:
    """Count the trials that were completed without one operation.

    There is no ratio of them, and to leave them out is a selection: of a
    group that stood still in each second trial the others may look like
    its equal's.
    """
    texts = [
        f'{count(side.idle, "trial")} of {side.group}'
        for side in facts.sides
        if side.idle
    ]
    if not texts:
        return None
    return Reason(
        'no operations',
        True,
        f'nothing finished in {" and ".join(texts)}, of which there is no '
        'ratio; measure for longer (--duration)',
    )
