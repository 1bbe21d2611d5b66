"""Judge a response curve that has been measured: its final form."""

from typing import Optional, Sequence, Tuple

import dataclasses
import math

from ..common.units import count
from ..model.workload import Concurrency
from . import curve_notes, curve_points, offered, validity
from .curve import ABOVE, BELOW, EXACT
from .curve_rounds import CurveRounds
from .curves import CurveDraft, at
from .evidence import Reason
from .figures import spread
from .measured import Measure
from .pairing import log_ops
from .results import Curve, CurveSide, Estimate, Note
from .rows import Draft, estimate
from .verdict import Verdict

OUTSIDE = 'outside the ladder'
SLO, PEAK, OFFERED = 'slo', 'peak', 'offered'
_CLAIM = {ABOVE: Verdict.FASTER, BELOW: Verdict.SLOWER}
_CENSORED = {ABOVE: 'at least', BELOW: 'at most'}


def finish(
    one: CurveDraft, q: Optional[float], q_per_osd: Optional[float]
) -> Curve:
    """Judge a measured curve and give it its final form."""
    workload = one.points[0].workload
    first, second = one.sides
    metric = PEAK if one.slo is None else SLO
    points = tuple(
        curve_points.point(row, i in one.used)
        for i, row in enumerate(one.points)
    )
    whole = one.points[0]
    labels = whole.baseline.label, whole.candidate.label
    fell = offered.remarks(points, labels)
    return Curve(
        name=one.name,
        op=workload.op,
        size=workload.size,
        cache=workload.cache,
        metric=OFFERED if workload.offered else metric,
        slo='' if one.slo is None else str(one.slo),
        percentile='' if one.slo is None else one.slo.percentile,
        limit=None if one.slo is None else one.slo.seconds,
        rule=one.measured.rule,
        rounds_complete=min(len(first.keys), len(second.keys)),
        rounds_planned=one.points[0].planned,
        points=points,
        baseline=_curve_side(one, first),
        candidate=_curve_side(one, second),
        estimate=_judge(one, one.measured, one.findings, q),
        censored=_CENSORED.get(one.way or EXACT, ''),
        peak=estimate(one.peak, None, False, ()),
        reasons=tuple(one.findings),
        lacks=(*one.lacks, *fell),
        loop=offered.loop(workload),
        per_osd=(
            None
            if one.per_osd is None
            else _judge(one, one.per_osd, one.findings_per_osd, q_per_osd)
        ),
    )


def _judge(
    one: CurveDraft,
    measured: Measure,
    findings: Sequence[Reason],
    q: Optional[float],
) -> Estimate:
    found = estimate(measured, q, True, findings)
    if one.way == EXACT:
        if measured.n:
            return found
        return dataclasses.replace(found, detail='; '.join(one.lacks))
    claim = _CLAIM.get(one.way) if one.way is not None else None
    if claim is not None and found.verdict is claim:
        return dataclasses.replace(
            found, at_least=True, verdict_text=f'{claim.value} (at least)'
        )
    if validity.holding(findings):
        return found
    return dataclasses.replace(
        found,
        verdict=Verdict.INCONCLUSIVE,
        reason=OUTSIDE,
        detail=_beyond(one),
        verdict_text=f'{Verdict.INCONCLUSIVE.value} ({OUTSIDE})',
        at_least=False,
        bound=None,
        blocks_needed=None,
    )


def _beyond(one: CurveDraft) -> str:
    """Say which side was beyond which end, and what to change."""
    parts = []
    names = [at(one.points[i].workload) for i in one.used]
    whole = one.points[0]
    labels = whole.baseline.label, whole.candidate.label
    for side, label in zip(one.sides, labels):
        between = sorted(
            {
                r.points
                for r in side.read
                if r.censored == ABOVE and r.most < math.inf
            }
        )
        above, below = (
            sum(
                r.censored == which and r.points not in between
                for r in side.read
            )
            for which in (ABOVE, BELOW)
        )
        rounds = count(len(side.read), 'round')
        if above and one.slo is None:
            parts.append(
                f'op/s of {label} still rose at {names[-1]} in '
                f'{above} of {rounds} (a curve with more tells)'
            )
        elif above:
            parts.append(
                f'{label} was still within {one.slo} at {names[-1]} in '
                f'{above} of {rounds} (a curve with more, '
                'or a lower limit, tells)'
            )
        for low, high in between:
            here = sum(r.points == (low, high) for r in side.read)
            parts.append(
                f'{label} was within {one.slo} at {names[low]} and fell '
                f'behind at {names[high]} in {here} of {rounds} (points '
                'between these tell)'
            )
        if below:
            parts.append(
                f'{label} was beyond {one.slo} at {names[0]} in '
                f'{below} of {rounds} (a curve with less, or a higher '
                'limit, tells)'
            )
    return '; '.join(parts)


def _curve_side(one: CurveDraft, side: CurveRounds) -> CurveSide:
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
            str(points[i].workload.concurrency)
            for i in sorted({r.points[0] for r in side.peaks})
        ),
        notes=() if whole.workload.offered else _notes(points, side, osds),
        per_osd=spread(
            [math.exp(r.value) for r in side.per_osd.read]
            if one.per_osd
            else []
        ),
    )


def _notes(
    points: Sequence[Draft], side: CurveRounds, osds: Optional[int]
) -> Tuple[Note, ...]:
    """Describe the shape of what is done over what is in flight."""
    return tuple(
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
    )


def _flying(concurrency: Concurrency, osds: Optional[int]) -> float:
    """Return operations in flight in all; per OSD where OSDs varied."""
    return float(concurrency.total(osds or 1))
