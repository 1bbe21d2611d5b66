"""What happened between the moments of a recovery: sizes and rates; pure."""

from typing import Dict, List, Mapping, Optional, Sequence, Tuple

from ...model.recovery import (
    Fate,
    Mark,
    Moment,
    Phase,
    PhaseFigures,
    Span,
    Timeline,
)
from .records import Poll

COUNTERS = ('bytes_recovered', 'objects_recovered')
SHORT = 1.0  # seconds under which a phase has no rate worth naming

PHASES: Tuple[Tuple[Phase, Mark, Mark], ...] = (
    (Phase.DETECTION, Mark.T0, Mark.T1),
    (Phase.PEERING, Mark.T1, Mark.T2),
    (Phase.WAITING, Mark.T2, Mark.T3),
    (Phase.RECOVERY, Mark.T3, Mark.T4),
    (Phase.MOVING, Mark.T4, Mark.T5),
)


def phases_of(
    found: Dict[Mark, Moment],
    polls: Sequence[Poll],
    prior: Optional[Timeline],
) -> Tuple[PhaseFigures, ...]:
    """Return the phases between moments that exist.

    What was recovered in those that a former mgr saw a part of is not known.
    """
    figures: List[PhaseFigures] = []
    working = (found[Mark.T3], found[Mark.T5])
    counted = polls[0].at if prior is not None and polls else None
    for phase, first, last in PHASES:
        start, end = found[first], found[last]
        if phase is Phase.MOVING and end.at is not None:
            if start.fate is Fate.SKIPPED:  # nothing was degraded
                start = found[Mark.T3]
        if not start.reached or start.at is None or end.at is None:
            continue
        if end.fate not in (Fate.REACHED, Fate.CENSORED):
            continue
        whole = counted is None or start.at >= counted
        figures.append(
            _figures(
                phase,
                start,
                end,
                polls,
                _curves(polls, *working) if whole else {},
            )
        )
        if end.fate is Fate.CENSORED:
            break
    return tuple(figures)


def _figures(
    phase: Phase,
    start: Moment,
    end: Moment,
    polls: Sequence[Poll],
    curves: Mapping[str, Sequence[Tuple[float, float]]],
) -> PhaseFigures:
    assert start.at is not None and end.at is not None
    seconds = max(0.0, end.at - start.at)
    within = [p for p in polls if start.at <= p.at <= end.at]
    done: Dict[str, Optional[float]] = {}
    for name in COUNTERS:
        points = curves.get(name)
        done[name] = None
        if points:
            done[name] = max(
                0.0, _value(points, end.at) - _value(points, start.at)
            )
    long = seconds >= SHORT

    def rate(name: str) -> Optional[float]:
        value = done[name]
        return value / seconds if long and value is not None else None

    return PhaseFigures(
        phase=phase,
        began=start.at,
        span=Span(
            seconds,
            (start.accuracy or 0.0) + (end.accuracy or 0.0),
            end.fate is Fate.CENSORED,
        ),
        bytes_recovered=done['bytes_recovered'],
        objects_recovered=done['objects_recovered'],
        bytes_per_s=rate('bytes_recovered'),
        objects_per_s=rate('objects_recovered'),
        degraded_share=_share(within, 'degraded'),
        misplaced_share=_share(within, 'misplaced'),
    )


def _curves(
    polls: Sequence[Poll], first: Moment, last: Moment
) -> Dict[str, List[Tuple[float, float]]]:
    return {name: _curve(polls, name, first, last) for name in COUNTERS}


def _curve(
    polls: Sequence[Poll], name: str, first: Moment, last: Moment
) -> List[Tuple[float, float]]:
    """Return (time, count) of a counter, squeezed between t3 and t5.

    Reports are seconds old: what they count happened while data moved.
    """
    low = first.at if first.reached and first.at is not None else None
    high = last.at if last.at is not None else float('inf')
    points: List[Tuple[float, float]] = []
    for poll in polls:
        value = getattr(poll, name)
        if value is None:
            continue
        at = poll.at if low is None else max(low, poll.at)
        at = min(at, high)
        if points and points[-1][0] == at:
            points[-1] = (at, float(value))
        else:
            points.append((at, float(value)))
    return points


def _value(points: Sequence[Tuple[float, float]], at: float) -> float:
    """Interpolate a counter; constant before and after its points."""
    before = points[0]
    for point in points:
        if point[0] > at:
            width = point[0] - before[0]
            if width <= 0 or at <= before[0]:
                return before[1]
            part = (at - before[0]) / width
            return before[1] + part * (point[1] - before[1])
        before = point
    return before[1]


def _share(polls: Sequence[Poll], name: str) -> Optional[float]:
    shares = [getattr(p, name) / p.copies for p in polls if p.copies]
    return max(shares, default=None)
