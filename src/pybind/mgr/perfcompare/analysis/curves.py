"""Compare response curves: one figure a round, one verdict a curve.

The rows of a curve's points are measured as all rows are, and have no
verdict. The figure is throughput at a limit of latency, or at the peak.
"""

from typing import Dict, Iterable, List, Optional, Sequence, Tuple

import dataclasses

from ..model.run import Run
from ..model.slo import Slo
from ..model.workload import Workload
from . import validity, verdict
from .curve import EXACT, ratio
from .curve_rounds import (
    LEAST_POINTS,
    CurveRounds,
    by_run,
    complete_rounds,
    way,
)
from .efficiency import enough
from .evidence import Reason
from .rows import Draft
from .verdict import Measure


@dataclasses.dataclass(frozen=True)
class CurveDraft:
    """Hold a curve that has been measured and waits for its q."""

    name: str
    points: Sequence[Draft]
    used: Sequence[int]  # of the points
    slo: Optional[Slo]
    sides: Tuple[CurveRounds, CurveRounds]
    measured: Measure
    peak: Measure
    way: Optional[int]  # see curve.direction
    findings: Sequence[Reason]
    lacks: Sequence[str]

    @property
    def judged(self) -> Optional[Measure]:
        """Return what enters the family, None where nothing can be said."""
        if validity.holding(self.findings):
            return None
        if self.way is None or self.measured.estimate is None:
            return None
        if self.way * self.measured.estimate < 0.0:
            return None  # it is off in the direction that it shows
        return self.measured


def slo_of(runs: Sequence[Run]) -> Optional[Slo]:
    """Return the limit that all runs of a comparison were given."""
    texts = {run.plan.options.slo for run in runs}
    text = texts.pop() if len(texts) == 1 else None
    return Slo.parse(text) if text else None


def names(runs: Sequence[Run], workloads: Iterable[Workload]) -> List[str]:
    """Return of each workload the curve of which it is a point, or ''."""
    asked = all(run.plan.options.curve for run in runs)
    return [_curve_name(w) if asked else '' for w in workloads]


def _curve_name(workload: Workload) -> str:
    return workload.name.replace(f'-c{workload.concurrency}', '', 1)


def draft(
    rows: Sequence[Draft], curves: Sequence[str], slo: Optional[Slo]
) -> List[CurveDraft]:
    """Measure the curves that rows of one candidate are points of.

    ``curves`` has a name for each row, '' for those of none.
    """
    found: Dict[str, List[Draft]] = {}
    for row, name in zip(rows, curves):
        if name:
            found.setdefault(name, []).append(row)
    return [
        _measure(name, sorted(points, key=_in_flight), slo)
        for name, points in found.items()
    ]


def _in_flight(row: Draft) -> int:
    return row.workload.concurrency.value


def _measure(
    name: str, points: Sequence[Draft], slo: Optional[Slo]
) -> CurveDraft:
    used = list(range(len(points)))
    lacks: List[str] = []
    if slo is not None:
        used = [i for i in used if _has(points[i], slo.percentile)]
        without = [
            str(points[i].workload.concurrency)
            for i in range(len(points))
            if i not in used and points[i].measured.n
        ]
        if without:
            lacks.append(
                f'{slo.percentile} at {", ".join(without)} in flight: too '
                'few operations; longer trials (--duration) have it'
            )
    paired = bool(points[0].pairs)
    sides = complete_rounds(points, used, slo, paired)
    first, second = sides
    empty = Measure(points[0].measured.rule, 0)
    measured = peak = empty
    shown: Optional[int] = EXACT
    if len(used) < LEAST_POINTS:
        lacks.append(
            f'{len(used)} points, of which {LEAST_POINTS} are needed'
        )
    elif not first.read or not second.read:
        lacks.append('no round in which both groups have all points')
    else:
        peak = _compare(points[0], first, second, False) or empty
        shown = way(first, second, paired)
        if shown is not None:
            measured = _compare(points[0], first, second, True) or empty
    held = _findings(points, used, sides) if measured.n else ()
    return CurveDraft(
        name, points, used, slo, sides, measured, peak, shown, held, lacks
    )


def _has(point: Draft, percentile: str) -> bool:
    """Say whether every trial of a point can state a percentile."""
    trials = [*point.baseline.trials, *point.candidate.trials]
    return bool(trials) and all(
        trial.summary is not None
        and percentile in trial.summary.percentiles
        and trial.summary.percentiles[percentile] > 0.0
        and enough(trial.summary.ops, percentile)
        for trial in trials
    )


def _compare(
    row: Draft, first: CurveRounds, second: CurveRounds, judged: bool
) -> Optional[Measure]:
    """Measure what is ``judged`` of both sides, or their peaks, as a row."""
    left, right = (s.read if judged else s.peaks for s in (first, second))
    if not left or not right:
        return None
    if row.pairs:
        x = [ratio(a, b).x for a, b in zip(left, right)]
        return verdict.measure_blocks(x, row.planned)
    return verdict.measure_unpaired(
        by_run(first, left), by_run(second, right)
    )


def _findings(
    points: Sequence[Draft], used: Sequence[int], sides: Iterable[CurveRounds]
) -> List[Reason]:
    """Return what validity rules say of the points that figures rest on."""
    resting = {
        used[i] for side in sides for one in side.read for i in one.points
    }
    found: Dict[Tuple[str, bool, bool], Reason] = {}
    where: Dict[Tuple[str, bool, bool], List[str]] = {}
    for i in sorted(resting):
        for finding in points[i].findings:
            key = (finding.id, finding.holds, finding.at_least)
            found.setdefault(key, finding)
            where.setdefault(key, []).append(
                str(points[i].workload.concurrency)
            )
    return [
        dataclasses.replace(
            finding,
            evidence=f'at {", ".join(where[key])} in flight: '
            + finding.evidence,
        )
        for key, finding in found.items()
    ]


def family(drafts: Sequence[CurveDraft]) -> List[Optional[float]]:
    """Return each curve's q; one that cannot be judged enters with p = 1."""
    measures = [one.judged for one in drafts]
    q = verdict.family(measures)
    return [
        None if measured is None or measured.p_family is None else value
        for measured, value in zip(measures, q)
    ]
