"""Judge further metrics under the primary rows, in a family of their own.

They have the same blocks and the same rule as the primary metric, and the
validity reasons of their row, as far as these hold for what they measure.
What is operations per second times a constant that both groups share says
nothing of its own and has no verdict.
"""

from typing import Dict, List, Mapping, Optional, Sequence, Tuple

import dataclasses
import math

from ..model.plan import GroupPlan
from ..model.run import Run
from ..model.trial import Trial
from . import counts, efficiency, of_runs, validity, verdict
from .efficiency import LOWER, METRICS, Metric, View
from .evidence import Reason
from .figures import SideTrials, spread
from .measured import Measure
from .pairing import log_ops
from .results import Estimate, MetricRow
from .rows import Draft, estimate

CLOSED_LOOP = 'closed loop: shown, never judged'
SAME = 'as op/s'
POINT = 'a point of a curve: shown, never judged'
_ALIKE = 1e-9

Groups = Mapping[Tuple[str, str], GroupPlan]  # (run, group)


@dataclasses.dataclass(frozen=True)
class Further:
    """Hold one further metric of a row that waits for its q."""

    row: Draft
    metric: Metric
    basis: str
    values: Sequence[Sequence[float]]  # of baseline and candidate
    measured: Measure  # of logs, more than 0 is better
    why_not: str  # why it has no verdict; '' where it may have one
    findings: Sequence[Reason]  # of this metric

    @property
    def judged(self) -> Optional[Measure]:
        """Return what enters the family, None where nothing can be said."""
        return None if validity.holding(self.findings) else self.measured


def groups_of(runs: Sequence[Run]) -> Groups:
    """Return the planned groups of runs."""
    return {(r.id, g.name): g for r in runs for g in r.plan.groups}


def measure(
    row: Draft, groups: Groups, point: bool = False
) -> Tuple[List[Further], List[str]]:
    """Measure what a row has of further metrics; say what it has not.

    Those of a ``point`` of a curve are not judged.
    """
    sides = [_views(side, groups) for side in (row.baseline, row.candidate)]
    if not all(sides):
        return [], []
    runs = [pair.baseline.run for pair in row.pairs]
    found: List[Further] = []
    missing: Dict[str, List[str]] = {}
    for metric in METRICS:
        basis, values = efficiency.values(metric, sides)
        if not values:
            needs = efficiency.lacking(metric, sides)
            missing.setdefault(needs, []).append(metric.id)
            continue
        logs = [[_log(metric, v) for v in side] for side in values]
        of_rate = metric.kind != efficiency.LATENCY
        x: List[float] = []
        if row.pairs:
            x = [b - a for a, b in zip(*logs)]
            measured = of_runs.measure_pairs(
                x,
                runs,
                row.design,
                [pair.counted for pair in row.pairs] if of_rate else (),
            )
            same = _same(x, [pair.x for pair in row.pairs])
        else:
            trials = row.baseline.trials, row.candidate.trials
            first, second = map(_by_run, trials, logs)
            off = counts.of_ratio(*trials)
            measured = of_runs.measure_unpaired(
                first, second, off if of_rate else 0.0
            )
            same = _same(*_shifts(row, logs))
        why_not = POINT if point else _why_not(row, metric, basis, same)
        findings = row.findings
        if not why_not:
            repeated = of_runs.units(x, runs)
            findings = validity.evaluate_again(
                row.facts.of(measured, repeated, _grows(metric, basis)),
                findings,
            )
        found.append(
            Further(row, metric, basis, values, measured, why_not, findings)
        )
    return found, [
        f'{", ".join(ids)}: needs {needs}' for needs, ids in missing.items()
    ]


def _why_not(row: Draft, metric: Metric, basis: str, same: bool) -> str:
    """Say why a metric is not judged; '' where it is."""
    if metric.kind == efficiency.LATENCY:
        judged = row.workload.rate or basis == efficiency.PROBE
        return '' if judged else CLOSED_LOOP
    return SAME if metric.better != LOWER and same else ''


def _grows(metric: Metric, basis: str) -> bool:
    """Say whether a metric is op/s by what does not change with the load."""
    watts = metric.id == 'ops-per-watt' and basis != efficiency.STATED
    return metric.better != LOWER and not watts


def _views(side: SideTrials, groups: Groups) -> List[View]:
    return [
        View(trial, manifest, osds, groups.get((trial.run, trial.group)))
        for trial, manifest, osds in zip(
            side.trials, side.manifests, side.osds
        )
    ]


def _log(metric: Metric, value: float) -> float:
    return -math.log(value) if metric.better == LOWER else math.log(value)


def _same(x: Sequence[float], other: Sequence[float]) -> bool:
    return all(abs(a - b) < _ALIKE for a, b in zip(x, other))


def _shifts(
    row: Draft, logs: Sequence[Sequence[float]]
) -> Tuple[List[float], List[float]]:
    """Return how far each side's logs are from those of op/s, by trial."""
    baseline, candidate = (
        [v - log_ops(trial) for v, trial in zip(log, side.trials)]
        for side, log in zip((row.baseline, row.candidate), logs)
    )
    first = baseline[0]
    every = baseline + candidate
    return every, [first] * len(every)


def _by_run(
    trials: Sequence[Trial], logs: Sequence[float]
) -> List[List[float]]:
    runs: Dict[str, List[float]] = {}
    for trial, value in zip(trials, logs):
        runs.setdefault(trial.run, []).append(value)
    return list(runs.values())


def family(found: Sequence[Further]) -> List[Optional[float]]:
    """Return the q of each, over all that may have a verdict.

    What probes saw is a family of its own. Those of invalid rows enter with
    p = 1, as in the primary family.
    """
    by_id: Dict[int, Optional[float]] = {}
    for of_probes in (False, True):
        judged = _judged(found, of_probes)
        q = verdict.family([one.judged for one in judged])
        for one, value in zip(judged, q):
            if one.judged and one.judged.p_family is not None:
                by_id[id(one)] = value
    return [by_id.get(id(one)) for one in found]


def _judged(found: Sequence[Further], of_probes: bool) -> List[Further]:
    return [
        one
        for one in found
        if not one.why_not and (one.basis == efficiency.PROBE) is of_probes
    ]


def size(found: Sequence[Further], of_probes: bool = False) -> int:
    """Return how many rows a family has."""
    return len(_judged(found, of_probes))


def finish(one: Further, q: Optional[float]) -> MetricRow:
    """Judge a further metric and give it its final form."""
    metric = one.metric
    basis, _, source = one.basis.partition(': ')
    judged = estimate(one.measured, q, not one.why_not, one.findings)
    if metric.better == LOWER:
        judged = _turned(judged)
    if one.why_not:
        judged = dataclasses.replace(judged, detail=one.why_not)
    return MetricRow(
        id=metric.id,
        title=metric.title,
        unit=metric.unit,
        kind=metric.kind,
        better=metric.better,
        basis=basis,
        source=source,
        baseline=spread(one.values[0]),
        candidate=spread(one.values[1]),
        estimate=judged,
    )


def _turned(found: Estimate) -> Estimate:
    """Return the ratio of the values themselves, of which less is better."""

    def inverse(value: Optional[float]) -> Optional[float]:
        return None if value is None else 1.0 / value

    return dataclasses.replace(
        found,
        ratio=inverse(found.ratio),
        low=inverse(found.high),
        high=inverse(found.low),
    )
