"""What several load hosts that were one client did, each for itself."""

from typing import Any, Dict, List, Optional

import collections
import math

from ..model.trial import Trial
from . import stats
from .evidence import Reason, RowFacts, SideFacts
from .findings.facts import mapping, number
from .measured import BOUND

SHOWN = 4  # hosts that a text names


def hosts(trial: Trial) -> Dict[str, Dict[str, Any]]:
    """Return the figures of each load host of a trial; {} of one alone."""
    told = mapping(trial.evidence.get('client')).get('hosts')
    if not isinstance(told, list):
        return {}
    found = [mapping(one) for one in told]
    return {str(one['host']): one for one in found if 'host' in one}


def busiest(side: SideFacts) -> str:
    """Return the load host that most often had least to spare.

    '' where load came from one host.
    """
    found: 'collections.Counter[str]' = collections.Counter()
    for trial in side.trials:
        busy = {
            name: number(host, 'busy') or 0.0
            for name, host in sorted(hosts(trial).items())
        }
        if busy:
            found[max(busy, key=lambda name: busy[name])] += 1
    return found.most_common(1)[0][0] if found else ''


def uneven_clients(facts: RowFacts) -> Optional[Reason]:
    """Compare what the load hosts of a side did of what each was to do.

    By the median over the trials of a host's share of the operations over
    its part of the load. One that does a tenth less of it than another is a
    limit, or far away. Where a rate is not kept, each does what it has in
    flight, which may be divided otherwise: uneven is what is so by both.
    """
    texts = []
    for side in facts.sides:
        middle = _shares(side, 'part')
        if _uneven(middle) and _uneven(_shares(side, 'flying')):
            texts.append(f'{side.group}: {_told(middle)} of its part')
    if not texts:
        return None
    return Reason('uneven clients', True, '; '.join(texts))


def _uneven(middle: Dict[str, float]) -> bool:
    if not middle:
        return False
    low, high = min(middle.values()), max(middle.values())
    return low <= 0.0 or math.log(high / low) > BOUND


def _shares(side: SideFacts, key: str) -> Dict[str, float]:
    """Return by host how much it did of a part: 1 is all of it."""
    found: Dict[str, List[float]] = {}
    for trial in side.trials:
        here = hosts(trial)
        for name, host in here.items():
            share = number(host, 'share')
            if share is not None:
                part = _part(host, key, len(here))
                found.setdefault(name, []).append(share / part)
    return {name: stats.median(values) for name, values in found.items()}


def _part(host: Dict[str, Any], key: str, hosts: int) -> float:
    """Return the part of the load that was a host's.

    Trials of former versions do not tell it; it was nearly even.
    """
    for name in (key, 'part'):
        part = number(host, name)
        if part is not None and part > 0:
            return part
    return 1 / hosts


def _told(middle: Dict[str, float]) -> str:
    """Return those that did least, and the one that did most."""
    order = sorted(middle, key=lambda name: (middle[name], name))
    shown = [*order[: SHOWN - 1], order[-1]]
    return ', '.join(
        f'{name} {middle[name]:.0%}' for name in dict.fromkeys(shown)
    )
