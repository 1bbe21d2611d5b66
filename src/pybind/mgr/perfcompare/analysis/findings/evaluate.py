"""Find what limited a trial: a pure function of its stored evidence."""

from typing import Any, Dict, List, Mapping, Optional, Sequence

import dataclasses

from ...model.series import Table
from ...model.trial import Trial
from ..evidence import Limits
from ..stats import median
from .facts import Seen, TrialFacts, facts_of, samples
from .figures import FIGURES
from .outliers import imbalance, outliers
from .sources import SOURCES
from .table import (
    NONE_FOUND,
    NOT_AVAILABLE,
    REQUIRED,
    RULES,
    VERSION,
    Limit,
    Rule,
)
from .words import show

NAMED = 8  # places that a finding names at most


def evaluate(
    trial: Trial,
    series: Optional[Mapping[str, Table]] = None,
    limits: Limits = Limits(),
) -> Dict[str, Any]:
    """Return a trial's findings as plain data, for evidence['findings'].

    ``limit`` is that of the first rule that holds; `none found` where none
    does; `not available` where what is needed to say so is not recorded.
    With ``series`` each finding has its share of the window.
    """
    facts = facts_of(trial, series)
    items: List[Dict[str, Any]] = []
    known = set()
    for rule in RULES:
        seen = FIGURES[rule.figure](facts)
        if not seen:
            continue
        known.add(rule.limit)
        if rule.limit is Limit.DISK:
            known.add(Limit.METADATA)  # where it has no device of its own
        item = _item(rule, seen, facts, _threshold(rule, limits))
        if item is not None:
            items.append(item)
    if items:
        limit = items[0]['limit']
    elif all(need in known for need in REQUIRED):
        limit = NONE_FOUND
    else:
        limit = NOT_AVAILABLE
    return {
        'version': VERSION,
        'limit': limit,
        'items': items,
        'outliers': outliers(facts),
        'imbalance': imbalance(facts),
        'unknown': [one.value for one in Limit if one not in known],
    }


def _threshold(rule: Rule, limits: Limits) -> float:
    """Return a rule's threshold; other tenants' is a module option."""
    if rule.limit is Limit.TENANTS:
        return limits.tenant_ops_per_s
    return rule.threshold


def _item(
    rule: Rule, seen: Sequence[Seen], facts: TrialFacts, threshold: float
) -> Optional[Dict[str, Any]]:
    """Return what holds of a rule; None when too few places pass."""

    def passes(value: float) -> bool:
        return value >= threshold if rule.above else value <= threshold

    passed = [s for s in seen if passes(s.value)]
    if not passed or len(passed) < rule.quorum * len(seen):
        return None
    passed.sort(key=lambda s: s.value, reverse=rule.above)
    value = median([s.value for s in passed])
    shares = []
    for one in passed:
        found = samples(facts, one)
        if found:
            shares.append(sum(map(passes, found)) / len(found))
    where = ', '.join(s.place for s in passed[:NAMED])
    if len(passed) > NAMED:
        where += ', …'
    return {
        'id': rule.id,
        'limit': rule.limit.value,
        'what': rule.text,
        'text': f'{rule.text}: {show(value, rule.unit)} ({where})',
        'metric': rule.figure,
        'value': value,
        'threshold': threshold,
        'above': rule.above,
        'unit': rule.unit,
        'places': [len(passed), len(seen)],
        'share': median(shares) if shares else None,
        'direction': rule.direction,
        'sources': [
            dataclasses.asdict(SOURCES[name]) for name in rule.sources
        ],
        'series': [
            f'{s.source} {s.column}'.strip()
            for s in passed[:NAMED]
            if s.source
        ],
    }
