"""Findings of several trials together: what limited a cell of a table."""

from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

import collections
import dataclasses

from ...common import units
from ...model.run import Run
from ...model.trial import Trial, TrialState
from ..evidence import Limits
from ..stats import median
from .evaluate import evaluate
from .facts import mapping
from .sources import SOURCES, Source
from .table import (
    NONE_FOUND,
    NOT_AVAILABLE,
    OUTLIER_DIRECTION,
    OUTLIER_SOURCES,
    VERSION,
    Limit,
)
from .words import show


@dataclasses.dataclass(frozen=True)
class Finding:
    """Hold one rule that held in trials of a cell."""

    id: str
    limit: str
    text: str
    metric: str
    unit: str  # '%': value and threshold are shares of 1
    value: float  # median over the trials in which it held
    threshold: float
    trials: int
    share: Optional[float]  # of the window, median; None: no series
    places: Tuple[str, ...]  # 'series column' of the last such trial
    direction: str
    sources: Tuple[Source, ...]


@dataclasses.dataclass(frozen=True)
class SlowOsd:
    """Hold an OSD that was unlike the others in trials of a cell."""

    osd: int
    text: str
    metric: str
    value: float  # median over the trials, seconds
    median: float  # of the group
    z: float  # largest
    trials: int


@dataclasses.dataclass(frozen=True)
class Limited:
    """Say what limited one group under one workload."""

    limit: str  # of Limit, or 'none found', 'not available'
    trials: int  # that had this limit
    of: int  # trials
    text: str  # one line, with figures
    findings: Tuple[Finding, ...] = ()
    outliers: Tuple[SlowOsd, ...] = ()
    # largest max/mean of work over OSDs, of CPU over hosts; None: unknown
    osds_max_mean: Optional[float] = None
    hosts_max_mean: Optional[float] = None
    # how many OSDs and hosts these are of, and of how many; () is of all
    osds_counted: Tuple[int, ...] = ()
    hosts_counted: Tuple[int, ...] = ()
    unknown: Tuple[str, ...] = ()  # limits that cannot be excluded


@dataclasses.dataclass(frozen=True)
class Cell:
    """Hold what limited one group of a run under one workload."""

    workload: str
    group: str
    limited: Limited


@dataclasses.dataclass(frozen=True)
class RunFindings:
    """Hold the findings of all cells of a run, and notes of its trials."""

    run: str
    version: int
    cells: Tuple[Cell, ...]
    notes: Tuple[str, ...] = ()
    outlier_direction: str = OUTLIER_DIRECTION
    outlier_sources: Tuple[Source, ...] = tuple(
        SOURCES[name] for name in OUTLIER_SOURCES
    )


_NOTHING: Dict[str, Any] = {
    'limit': NOT_AVAILABLE,
    'unknown': [one.value for one in Limit],
}


def findings_of(trial: Trial, limits: Limits) -> Dict[str, Any]:
    """Return a trial's stored findings, or new ones by today's rules."""
    stored = mapping(trial.evidence.get('findings'))
    if stored.get('version') == VERSION:
        return stored
    if 'osds' not in trial.evidence and 'hosts' not in trial.evidence:
        return _NOTHING  # of another tool, or older than any evidence
    return evaluate(trial, None, limits)


def limited(trials: Sequence[Trial], limits: Limits = Limits()) -> Limited:
    """Say what limited most of ``trials``, all of one cell.

    A limit that is found counts before `none found`, and that before
    `not available`, where as many trials have each.
    """
    found = [findings_of(trial, limits) for trial in trials]
    if not found:
        return Limited(NOT_AVAILABLE, 0, 0, 'no trials')
    counts = collections.Counter(str(f.get('limit')) for f in found)
    order = [one.value for one in Limit] + [NONE_FOUND, NOT_AVAILABLE]
    limit = max(counts, key=lambda name: (counts[name], -_at(order, name)))
    findings = _findings(found)
    slow = _outliers(found)
    osds, hosts = _imbalance(found, 'osds'), _imbalance(found, 'hosts')
    unknown = sorted({name for f in found for name in f.get('unknown') or ()})
    return Limited(
        limit=limit,
        trials=counts[limit],
        of=len(found),
        text=_text(limit, counts, findings, unknown),
        findings=findings,
        outliers=slow,
        osds_max_mean=osds.get('max_mean'),
        hosts_max_mean=hosts.get('max_mean'),
        osds_counted=_counted(osds),
        hosts_counted=_counted(hosts),
        unknown=tuple(unknown),
    )


def run_findings(
    run: Run, trials: Sequence[Trial], limits: Limits
) -> RunFindings:
    """Return the findings of each judged cell of a run.

    Void trials may have figures, too: their blocks were repeated.
    """
    cells: Dict[Tuple[str, str], List[Trial]] = {}
    for workload in run.plan.profile.workloads:
        for group in run.plan.groups:
            cells[workload.name, group.name] = []
    for trial in trials:
        if trial.state is not TrialState.OK or trial.summary is None:
            continue
        if trial.round > 0:
            cells.setdefault((trial.workload, trial.group), []).append(trial)
    return RunFindings(
        run.id,
        VERSION,
        tuple(
            Cell(workload, group, limited(found, limits))
            for (workload, group), found in cells.items()
            if found
        ),
    )


def _at(order: Sequence[str], name: str) -> int:
    return order.index(name) if name in order else len(order)


def _text(
    limit: str,
    counts: Mapping[str, int],
    findings: Sequence[Finding],
    unknown: Sequence[str],
) -> str:
    count, of = counts[limit], sum(counts.values())
    if limit in (NOT_AVAILABLE, NONE_FOUND):
        rest = [
            f'{name} in {number} of {units.count(of, "trial")}'
            for name, number in counts.items()
            if name not in (NOT_AVAILABLE, NONE_FOUND)
        ]
        if unknown:
            rest.append(f'not enough figures of {", ".join(unknown)}')
        return f'{limit} ({"; ".join(rest)})' if rest else limit
    ours = [f for f in findings if f.limit == limit]
    figures = '; '.join(
        f'{f.text}: {show(f.value, f.unit)}'
        + ('' if f.share is None else f', {f.share:.0%} of the window')
        for f in ours[:2]
    )
    some = '' if count == of else f' ({count} of {units.count(of, "trial")})'
    return f'{limit}{some}: {figures}'


def _findings(found: Sequence[Dict[str, Any]]) -> Tuple[Finding, ...]:
    by_id: Dict[str, List[Dict[str, Any]]] = {}
    for one in found:
        for item in one.get('items') or ():
            by_id.setdefault(item['id'], []).append(item)
    order = [one.value for one in Limit]
    made = []
    for items in by_id.values():
        last = items[-1]
        shares = [i['share'] for i in items if i.get('share') is not None]
        made.append(
            Finding(
                id=last['id'],
                limit=last['limit'],
                text=last['what'],
                metric=last['metric'],
                unit=last['unit'],
                value=median([i['value'] for i in items]),
                threshold=last['threshold'],
                trials=len(items),
                share=median(shares) if shares else None,
                places=tuple(last['series']),
                direction=last['direction'],
                sources=tuple(Source(**one) for one in last['sources']),
            )
        )
    return tuple(sorted(made, key=lambda f: _at(order, f.limit)))


def _outliers(found: Sequence[Dict[str, Any]]) -> Tuple[SlowOsd, ...]:
    by_osd: Dict[str, List[Dict[str, Any]]] = {}
    for one in found:
        for slow in one.get('outliers') or ():
            by_osd.setdefault(str(slow['osd']), []).append(slow)
    made = []
    for osd, slow in by_osd.items():
        most = max(slow, key=lambda s: float(s['z']))
        same = [s for s in slow if s['metric'] == most['metric']]
        made.append(
            SlowOsd(
                osd=int(osd),
                text=most['text'],
                metric=most['metric'],
                value=median([s['value'] for s in same]),
                median=median([s['median'] for s in same]),
                z=most['z'],
                trials=len(slow),
            )
        )
    return tuple(sorted(made, key=lambda s: (-s.trials, -s.z)))


def _imbalance(found: Sequence[Dict[str, Any]], of: str) -> Dict[str, Any]:
    """Return the most uneven of the trials; {} where none tells."""
    known = [
        f['imbalance'][of] for f in found if of in mapping(f.get('imbalance'))
    ]
    return max(known, key=lambda one: float(one['max_mean']), default={})


def _counted(spread: Mapping[str, Any]) -> Tuple[int, ...]:
    seen, of = spread.get('places') or (0, 0)
    return () if seen == of else (seen, of)
