"""Compare response curves: one figure a round, one verdict a curve.

The rows of a curve's points are measured as all rows are, and have no
verdict. The figure is throughput at a limit of latency, or at the peak; of
points that are rates, the highest one that was within the limit.
"""

from typing import Dict, Iterable, List, Optional, Sequence, Tuple

import dataclasses

from ..common.units import count
from ..model.run import Run
from ..model.slo import Slo
from ..model.trial import Trial
from ..model.workload import Workload
from . import counts, of_runs, offered, validity, verdict
from .curve import ABOVE, BELOW, EXACT
from .curve_rounds import (
    LEAST_POINTS,
    LEAST_ROUNDS,
    CurveRounds,
    by_run,
    complete_rounds,
    way,
)
from .efficiency import enough
from .evidence import Reason
from .measured import Measure
from .rows import Draft

# what a queue does to the figures of a point: nothing is read off them
OF_QUEUES = ('errors', 'not steady', 'drift not excluded')


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
    # the same of one OSD; None where the counts are alike, or not known
    per_osd: Optional[Measure] = None
    findings_per_osd: Sequence[Reason] = ()

    def judged(self, per_osd: bool = False) -> Optional[Measure]:
        """Return what enters the family, None where nothing can be said."""
        measured = self.per_osd if per_osd else self.measured
        findings = self.findings_per_osd if per_osd else self.findings
        if measured is None or validity.holding(findings):
            return None
        if self.way is None or measured.estimate is None:
            return None
        if self.way * measured.estimate < 0.0:
            return None  # it is off in the direction that it shows
        return measured


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
    varied = f'-c{workload.concurrency}'
    if workload.offered:
        name = 'r' if workload.rate else 'rate'
        varied = f'-{name}{workload.offered:g}'
    return workload.name.replace(varied, '', 1)


def at(workload: Workload) -> str:
    """Name a point of a curve: '16 in flight', '400/s'."""
    if workload.offered:
        return f'{workload.offered:,.0f}/s'
    return f'{workload.concurrency} in flight'


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
        _measure(name, sorted(points, key=_place), slo)
        for name, points in found.items()
    ]


def _place(row: Draft) -> float:
    return row.workload.offered or row.workload.concurrency.value


def _measure(
    name: str, points: Sequence[Draft], slo: Optional[Slo]
) -> CurveDraft:
    used = list(range(len(points)))
    lacks: List[str] = []
    if slo is not None:
        used = [i for i in used if _has(points[i], slo.percentile)]
        left_out = [points[i] for i in range(len(points)) if i not in used]
        without = [one.workload for one in left_out if one.measured.n]
        if without:
            lacks.append(
                f'{slo.percentile} at {_all_at(without)}: too few '
                'operations; longer trials (--duration) have it'
            )
        blank = [one.workload for one in left_out if not one.measured.n]
        if blank and used:
            lacks.append(
                f'no complete block at {_all_at(blank)}: read without'
            )
    row = _fewest([points[i] for i in used] or points)
    paired = bool(row.pairs)
    sides = complete_rounds(points, used, slo, paired)
    first, second = sides
    empty = Measure(row.measured.rule, 0)
    measured = peak = empty
    per_osd: Optional[Measure] = None
    shown: Optional[int] = EXACT
    if len(used) < LEAST_POINTS:
        lacks.append(
            f'{len(used)} points, of which {LEAST_POINTS} are needed'
        )
    elif slo is None and points[0].workload.offered:
        lacks.append('the limits of the runs differ')
    elif not first.read or not second.read:
        lacks.append(_unread(sides, slo))
    else:
        peak = _peaks(row, first, second) or empty
        shown = way(first, second, paired)
        if shown is not None:
            measured = _compare(row, first, second, shown)
            if _counts_differ(first, second, paired):
                each = first.per_osd, second.per_osd
                per_osd = _compare(row, *each, shown)
    of_both = sides, (first.per_osd, second.per_osd) if per_osd else sides
    held, held_per_osd = (
        (
            _findings(points, used, both, one, _repeated(row, both, shown))
            if one and one.n and shown is not None
            else ()
        )
        for one, both in zip((measured, per_osd), of_both)
    )
    return CurveDraft(
        name,
        points,
        used,
        slo,
        sides,
        measured,
        peak,
        shown,
        held,
        lacks,
        per_osd,
        held_per_osd,
    )


def _fewest(points: Sequence[Draft]) -> Draft:
    """Return a point that has blocks, of as few runs as any.

    Rounds need all points: its design is of no run that has no round.
    """
    return min(
        [point for point in points if point.pairs] or points[:1],
        key=lambda point: len({pair.baseline.run for pair in point.pairs}),
    )


def _counts_differ(
    first: CurveRounds, second: CurveRounds, paired: bool
) -> bool:
    """Say whether figures per OSD are known, and say something else.

    Counts that change from run to run, for both alike, leave ratios alone.
    """
    found = {*first.osds, *second.osds}
    if 0 in found:
        return False
    if paired:
        return any(a != b for a, b in zip(first.osds, second.osds))
    return len(found) > 1


def _unread(
    sides: Tuple[CurveRounds, CurveRounds], slo: Optional[Slo]
) -> str:
    """Say why nothing was read of rounds."""
    if slo is None and all(side.keys for side in sides):
        return (
            f'{count(len(sides[0].keys), "round")}: a peak needs '
            f'{LEAST_ROUNDS}, as its point is chosen by the other rounds'
        )
    return 'no round in which both groups have all points'


def _all_at(workloads: Sequence[Workload]) -> str:
    """Name several points of one curve: '1, 2 in flight'."""
    *front, last = map(at, workloads)
    if workloads[0].offered:
        return ', '.join([*front, last])
    return ', '.join([*(text.split(' ')[0] for text in front), last])


def _has(point: Draft, percentile: str) -> bool:
    """Say whether every trial of a point can state a percentile.

    One that fell behind what it was offered needs none.
    """
    trials = [*point.baseline.trials, *point.candidate.trials]
    rated = point.workload.offered
    return bool(trials) and all(
        (rated and not offered.kept(point.workload, trial))
        or (
            trial.summary is not None
            and percentile in trial.summary.percentiles
            and trial.summary.percentiles[percentile] > 0.0
            and enough(trial.summary.ops, percentile)
        )
        for trial in trials
    )


def _peaks(
    row: Draft, first: CurveRounds, second: CurveRounds
) -> Optional[Measure]:
    """Measure the peaks of both sides as a row."""
    if not first.peaks or not second.peaks:
        return None
    left, right = ([r.value for r in s.peaks] for s in (first, second))
    resting = first.resting(first.peaks), second.resting(second.peaks)
    return _measured(row, first, second, left, right, resting)


def _compare(
    row: Draft, first: CurveRounds, second: CurveRounds, shown: int
) -> Measure:
    """Measure what was read of both sides as a row."""
    a, b = _figures(first, second, shown)
    resting = first.resting(first.read), second.resting(second.read)
    return _measured(row, first, second, a, b, resting)


def _figures(
    first: CurveRounds, second: CurveRounds, shown: int
) -> Tuple[List[float], List[float]]:
    """Return what was read of both sides (logs), a value for each round.

    Of figures that are bounds those are taken that speak against what can
    be ``shown``.
    """
    left, right = first.read, second.read
    if shown == BELOW:
        return [r.low for r in left], [r.high for r in right]
    if shown == ABOVE:
        return [r.high for r in left], [r.low for r in right]
    return [r.value for r in left], [r.value for r in right]


def _repeated(
    row: Draft, sides: Tuple[CurveRounds, CurveRounds], shown: int
) -> List[float]:
    """Return log-ratios of what is repeated; none of unpaired sides."""
    if not row.pairs:
        return []
    x = [b - a for a, b in zip(*_figures(*sides, shown))]
    return of_runs.units(x, [run for run, _ in sides[0].keys])


def _measured(
    row: Draft,
    first: CurveRounds,
    second: CurveRounds,
    left: Sequence[float],
    right: Sequence[float],
    resting: Tuple[Sequence[Trial], Sequence[Trial]],
) -> Measure:
    """Measure values (logs), one for each round of each side.

    What was counted is that of the trials which they are read off.
    """
    off = 0.0
    if not row.workload.offered:  # else what was asked for, not a count
        off = counts.of_ratio(*resting)
    if row.pairs:
        x = [b - a for a, b in zip(left, right)]
        runs = [run for run, _ in first.keys]
        return of_runs.measure_pairs(x, runs, row.design, [off])
    return of_runs.measure_unpaired(
        by_run(first, left), by_run(second, right), off
    )


def _fell_behind(point: Draft) -> bool:
    sides = point.baseline, point.candidate
    return any(offered.behind(point.workload, side.trials) for side in sides)


def _findings(
    points: Sequence[Draft],
    used: Sequence[int],
    sides: Iterable[CurveRounds],
    measured: Measure,
    repeated: Sequence[float],
) -> List[Reason]:
    """Return what validity rules say of the points that figures rest on.

    Of the trials of a point, but as the curve's own figure is concluded
    from, whose log-ratios are ``repeated``: rates that are offered are equal
    by themselves.
    """
    resting = {
        used[i] for side in sides for one in side.read for i in one.points
    }
    # rounds that a curve lacks: those of which nothing is known of a point
    resting |= {
        i for i in used if any(side.idle for side in points[i].facts.sides)
    }
    found: Dict[Tuple[str, bool, bool], Reason] = {}
    where: Dict[Tuple[str, bool, bool], List[Workload]] = {}
    for i in sorted(resting):
        fell = _fell_behind(points[i])
        facts = points[i].facts
        of_curve = validity.evaluate_again(
            facts.of(measured, repeated), points[i].findings
        )
        for finding in of_curve:
            if fell and finding.id in OF_QUEUES:
                continue
            key = (finding.id, finding.holds, finding.at_least)
            found.setdefault(key, finding)
            where.setdefault(key, []).append(points[i].workload)
    return [
        (
            finding
            if finding.id == validity.DEPENDENT  # of rounds, not of a point
            else dataclasses.replace(
                finding,
                evidence=f'at {_all_at(where[key])}: {finding.evidence}',
            )
        )
        for key, finding in found.items()
    ]


def family(
    drafts: Sequence[CurveDraft], per_osd: bool = False
) -> List[Optional[float]]:
    """Return each curve's q; one that cannot be judged enters with p = 1.

    Verdicts per OSD form a family of their own, as those of rows do.
    """
    within = [
        one
        for one in drafts
        if not per_osd or one.per_osd is not None or not one.measured.n
    ]
    measures = [one.judged(per_osd) for one in within]
    found = {
        id(one): value
        for one, measured, value in zip(
            within, measures, verdict.family(measures)
        )
        if measured is not None and measured.p_family is not None
    }
    return [found.get(id(one)) for one in drafts]
