"""The validity reason of a latency probe that was too much of the load.

It is a rule of the table in validity.py.
"""

from typing import Optional

from . import probed, stats
from .evidence import Reason, RowFacts
from .findings.facts import number


def probe(facts: RowFacts) -> Optional[Reason]:
    texts = []
    for side in facts.sides:
        shares = [number(probed.of(t), 'share') for t in side.trials]
        known = [share for share in shares if share is not None]
        if known and stats.median(known) > facts.limits.probe_share:
            texts.append(f'{stats.median(known):.1%} of {side.group}')
    if not texts:
        return None
    return Reason(
        'probe',
        True,
        f'operations of the latency probe: {" and ".join(texts)} (limit '
        f'{facts.limits.probe_share:.0%}); give a lower --probe-rate',
    )
