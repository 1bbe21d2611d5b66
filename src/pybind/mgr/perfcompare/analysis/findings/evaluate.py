"""Find what limited a trial: a pure function of its stored evidence."""

from typing import Any, Dict, List, Mapping, Optional, Sequence, Set

import dataclasses

from ...model.series import Table
from ...model.trial import Trial
from ..evidence import Limits
from ..stats import median
from .facts import Seen, TrialFacts, facts_of, samples
from .figures import FIGURES
from .heard import Heard, heard
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
    does; `not available` where too little is recorded to say so.
    With ``series`` each finding has its share of the window.
    """
    facts = facts_of(trial, series)
    items: List[Dict[str, Any]] = []
    known: Set[Limit] = set()
    held: Set[Limit] = set()
    doubtful: Set[Limit] = set()  # hosts that are not heard would decide
    for rule in RULES:
        seen = FIGURES[rule.figure](facts)
        if not seen:
            continue
        told = heard(rule.figure, facts)
        passed = _passed(seen, _threshold(rule, limits), rule.above)
        counts = len(passed), len(seen), rule.quorum
        if told.holds(*counts):
            held.add(rule.limit)
            items.append(_item(rule, passed, len(seen), facts, limits, told))
        elif told.excludes(*counts):
            known.add(rule.limit)
        elif passed:
            doubtful.add(rule.limit)
    if Limit.DISK in known | held:
        known.add(Limit.METADATA)  # where it has no device of its own
    known = (known - doubtful) | held
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


def _passed(
    seen: Sequence[Seen], threshold: float, above: bool
) -> List[Seen]:
    """Return the places that pass a threshold, the most extreme first."""
    passed = [s for s in seen if _passes(s.value, threshold, above)]
    return sorted(passed, key=lambda s: s.value, reverse=above)


def _passes(value: float, threshold: float, above: bool) -> bool:
    return value >= threshold if above else value <= threshold


def _item(
    rule: Rule,
    passed: Sequence[Seen],
    places: int,
    facts: TrialFacts,
    limits: Limits,
    told: Heard,
) -> Dict[str, Any]:
    """Return what holds of a rule at the places that pass."""
    threshold = _threshold(rule, limits)
    value = median([s.value for s in passed])
    shares = []
    for one in passed:
        found = samples(facts, one)
        if found:
            above = [_passes(v, threshold, rule.above) for v in found]
            shares.append(sum(above) / len(found))
    what = rule.text + told.text
    where = ', '.join(s.place for s in passed[:NAMED])
    if len(passed) > NAMED:
        where += ', …'
    return {
        'id': rule.id,
        'limit': rule.limit.value,
        'what': what,
        'text': f'{what}: {show(value, rule.unit)} ({where})',
        'metric': rule.figure,
        'value': value,
        'threshold': threshold,
        'above': rule.above,
        'unit': rule.unit,
        'places': [len(passed), places],
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
