"""Compare response curves: one figure a round, one verdict a curve.

The rows of a curve's points are measured as all rows are, and have no
verdict. The figure is throughput at a limit of latency, or at the peak.
"""

from typing import Dict, Iterable, List, Optional, Sequence, Tuple

import dataclasses
import math

from ..model.run import Run
from ..model.slo import Slo
from ..model.trial import Trial
from ..model.workload import Concurrency, Workload
from . import curve_notes, curve_points, validity, verdict
from .curve import (
    ABOVE,
    BELOW,
    EXACT,
    Reading,
    at_limit,
    direction,
    peaks,
    ratio,
)
from .efficiency import enough
from .evidence import Reason
from .figures import SideTrials, spread
from .pairing import log_ops
from .results import Curve, CurveSide, Estimate
from .rows import Draft, estimate
from .verdict import Measure, Verdict

OUTSIDE = 'outside the ladder'
SLO, PEAK = 'slo', 'peak'
LEAST_POINTS = 3  # with the percentile
LEAST_ROUNDS = 2  # one of them chooses the peak of the other

Key = Tuple[str, int]  # run, round
_CLAIM = {ABOVE: Verdict.FASTER, BELOW: Verdict.SLOWER}
_CENSORED = {ABOVE: 'at least', BELOW: 'at most'}


@dataclasses.dataclass(frozen=True)
class _Side:
    """Hold one group's complete rounds: rates and readings of each."""

    group: str
    keys: Sequence[Key]
    rounds: Sequence[Sequence[Trial]]  # a trial for each point in use
    read: Sequence[Reading]  # of what is judged
    peaks: Sequence[Reading]


@dataclasses.dataclass(frozen=True)
class CurveDraft:
    """Hold a curve that has been measured and waits for its q."""

    name: str
    points: Sequence[Draft]
    used: Sequence[int]  # of the points
    slo: Optional[Slo]
    sides: Tuple[_Side, _Side]
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
    sides = _sides(points, used, slo, paired)
    first, second = sides
    empty = Measure(points[0].measured.rule, 0)
    measured = peak = empty
    way: Optional[int] = EXACT
    if len(used) < LEAST_POINTS:
        lacks.append(
            f'{len(used)} points, of which {LEAST_POINTS} are needed'
        )
    elif not first.read or not second.read:
        lacks.append('no round in which both groups have all points')
    else:
        peak = _compare(points[0], first, second, False) or empty
        way = _way(first, second, paired)
        if way is not None:
            measured = _compare(points[0], first, second, True) or empty
    held = _findings(points, used, sides) if measured.n else ()
    return CurveDraft(
        name, points, used, slo, sides, measured, peak, way, held, lacks
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


def _sides(
    points: Sequence[Draft],
    used: Sequence[int],
    slo: Optional[Slo],
    paired: bool,
) -> Tuple[_Side, _Side]:
    tables = [
        [_by_key(side) for side in (points[i].baseline, points[i].candidate)]
        for i in used
    ]
    keys: List[List[Key]] = []
    for which in (0, 1):
        complete = [
            key
            for key in (tables[0][which] if tables else ())
            if all(key in table[which] for table in tables)
        ]
        keys.append(complete)
    if paired:  # one order for both, that of the first point
        both = [key for key in keys[0] if key in set(keys[1])]
        keys = [both, both]
    first, second = (
        _side(
            (points[0].baseline, points[0].candidate)[which].group,
            keys[which],
            [[table[which][key] for table in tables] for key in keys[which]],
            slo,
        )
        for which in (0, 1)
    )
    return first, second


def _by_key(side: SideTrials) -> Dict[Key, Trial]:
    return {(trial.run, trial.round): trial for trial in side.trials}


def _side(
    group: str,
    keys: Sequence[Key],
    rounds: Sequence[Sequence[Trial]],
    slo: Optional[Slo],
) -> _Side:
    rates = [[log_ops(trial) for trial in trials] for trials in rounds]
    if not rates or len(rates[0]) < LEAST_POINTS:
        return _Side(group, keys, rounds, (), ())
    best = peaks(rates) if len(rates) >= LEAST_ROUNDS else []
    read: Sequence[Reading] = best
    if slo is not None:
        limit = math.log(slo.seconds)
        read = [
            at_limit(found, _latencies(trials, slo.percentile), limit)
            for found, trials in zip(rates, rounds)
        ]
    return _Side(group, keys, rounds, read, best)


def _latencies(trials: Sequence[Trial], percentile: str) -> List[float]:
    found = [t.summary for t in trials if t.summary is not None]
    return [math.log(summary.percentiles[percentile]) for summary in found]


def _compare(
    row: Draft, first: _Side, second: _Side, judged: bool
) -> Optional[Measure]:
    """Measure what is ``judged`` of both sides, or their peaks, as a row."""
    left, right = (s.read if judged else s.peaks for s in (first, second))
    if not left or not right:
        return None
    if row.pairs:
        x = [ratio(a, b).x for a, b in zip(left, right)]
        return verdict.measure_blocks(x, row.planned)
    return verdict.measure_unpaired(
        _by_run(first, left), _by_run(second, right)
    )


def _by_run(side: _Side, read: Sequence[Reading]) -> List[List[float]]:
    runs: Dict[str, List[float]] = {}
    for (run, _), one in zip(side.keys, read):
        runs.setdefault(run, []).append(one.value)
    return list(runs.values())


def _way(first: _Side, second: _Side, paired: bool) -> Optional[int]:
    if paired:
        pairs = list(zip(first.read, second.read))
    else:  # any may be held against any
        pairs = [(a, b) for a in first.read for b in second.read]
    return direction([ratio(a, b) for a, b in pairs])


def _findings(
    points: Sequence[Draft], used: Sequence[int], sides: Iterable[_Side]
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


def finish(one: CurveDraft, q: Optional[float]) -> Curve:
    """Judge a measured curve and give it its final form."""
    workload = one.points[0].workload
    first, second = one.sides
    concurrency = [str(p.workload.concurrency) for p in one.points]
    at = [concurrency[i] for i in one.used]
    return Curve(
        name=one.name,
        op=workload.op,
        size=workload.size,
        cache=workload.cache,
        metric=PEAK if one.slo is None else SLO,
        slo='' if one.slo is None else str(one.slo),
        percentile='' if one.slo is None else one.slo.percentile,
        limit=None if one.slo is None else one.slo.seconds,
        rule=one.measured.rule,
        rounds_complete=min(len(first.keys), len(second.keys)),
        rounds_planned=one.points[0].planned,
        points=tuple(
            curve_points.point(row, i in one.used)
            for i, row in enumerate(one.points)
        ),
        baseline=_curve_side(one, first, at),
        candidate=_curve_side(one, second, at),
        estimate=_judge(one, q, at),
        censored=_CENSORED.get(one.way or EXACT, ''),
        peak=estimate(one.peak, None, False, ()),
        reasons=tuple(one.findings),
        lacks=tuple(one.lacks),
    )


def _judge(
    one: CurveDraft, q: Optional[float], at: Sequence[str]
) -> Estimate:
    found = estimate(one.measured, q, True, one.findings)
    if one.way == EXACT:
        if one.measured.n:
            return found
        return dataclasses.replace(found, detail='; '.join(one.lacks))
    claim = _CLAIM.get(one.way) if one.way is not None else None
    if claim is not None and found.verdict is claim:
        return dataclasses.replace(
            found, at_least=True, verdict_text=f'{claim.value} (at least)'
        )
    if validity.holding(one.findings):
        return found
    return dataclasses.replace(
        found,
        verdict=Verdict.INCONCLUSIVE,
        reason=OUTSIDE,
        detail=_beyond(one, at),
        verdict_text=f'{Verdict.INCONCLUSIVE.value} ({OUTSIDE})',
        at_least=False,
        bound=None,
        blocks_needed=None,
    )


def _beyond(one: CurveDraft, at: Sequence[str]) -> str:
    """Say which group was beyond which end, and what to change."""
    parts = []
    for side in one.sides:
        above, below = (
            sum(r.censored == which for r in side.read)
            for which in (ABOVE, BELOW)
        )
        rounds = len(side.read)
        if above and one.slo is None:
            parts.append(
                f'op/s of {side.group} still rose at {at[-1]} in flight in '
                f'{above} of {rounds} rounds (a curve with more tells)'
            )
        elif above:
            parts.append(
                f'{side.group} was still within {one.slo} at {at[-1]} in '
                f'flight in {above} of {rounds} rounds (a curve with more, '
                'or a lower limit, tells)'
            )
        if below:
            parts.append(
                f'{side.group} was beyond {one.slo} at {at[0]} in flight in '
                f'{below} of {rounds} rounds (a curve with less, or a higher '
                'limit, tells)'
            )
    return '; '.join(parts)


def _curve_side(one: CurveDraft, side: _Side, at: Sequence[str]) -> CurveSide:
    points = [one.points[i] for i in one.used]
    whole = one.points[0]
    osds = (
        whole.baseline if side is one.sides[0] else whole.candidate
    ).osd_count
    return CurveSide(
        group=side.group,
        figure=spread([math.exp(r.value) for r in side.read]),
        above=sum(r.censored == ABOVE for r in side.read),
        below=sum(r.censored == BELOW for r in side.read),
        peak=spread([math.exp(r.value) for r in side.peaks]),
        peak_at=tuple(
            at[i] for i in sorted({r.points[0] for r in side.peaks})
        ),
        notes=tuple(
            curve_notes.notes(
                [
                    [
                        curve_notes.Point(
                            _flying(point.workload.concurrency, osds),
                            math.exp(log_ops(trial)),
                            (
                                trial.summary.latency_avg
                                if trial.summary
                                else None
                            ),
                        )
                        for point, trial in zip(points, trials)
                    ]
                    for trials in side.rounds
                ]
            )
        ),
    )


def _flying(concurrency: Concurrency, osds: Optional[int]) -> float:
    """Return operations in flight in all; per OSD where OSDs varied."""
    return float(concurrency.total(osds or 1))
