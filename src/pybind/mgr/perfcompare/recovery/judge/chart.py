"""The data of a timeline chart: groups side by side, aligned at t0."""

from typing import Callable, Dict, List, Optional, Sequence, Tuple

import dataclasses

from ...model.recovery import (
    CLIENT,
    CLUSTER,
    Mark,
    RecoveryTest,
    StepResult,
    Timeline,
)
from ...model.series import Table


@dataclasses.dataclass(frozen=True)
class Curve:
    """Hold one line of a chart; times are seconds since t0."""

    name: str  # 'degraded', 'misplaced', 'recovery', 'rand_ops', …
    unit: str
    t: Tuple[float, ...]
    values: Tuple[Optional[float], ...]


@dataclasses.dataclass(frozen=True)
class Track:
    """Hold one group's step: curves, marks and events since t0.

    Where t0 is not known (an operator acted), t1 takes its place.
    """

    group: str
    repetition: int
    step: int
    title: str
    zero: float  # Unix time of t0
    zero_is: str  # 't0' or 't1'
    curves: Tuple[Curve, ...]
    marks: Dict[str, float]
    events: Tuple[Tuple[float, str], ...]


Series = Callable[[str], Sequence[Table]]


def tracks(
    test: RecoveryTest,
    series: Series,
    repetition: int,
    step: Optional[int] = None,
) -> Tuple[Track, ...]:
    """Return the tracks of one repetition, all groups, in order.

    ``series`` returns the parts of a stored series, none when absent.
    """
    found = [
        _track(s, s.timeline, series)
        for s in test.steps
        if s.repetition == repetition
        and s.timeline is not None
        and step in (None, s.index)
    ]
    return tuple(track for track in found if track is not None)


def _track(
    step: StepResult, timeline: Timeline, series: Series
) -> Optional[Track]:
    zero, zero_is = _zero(timeline)
    if zero is None:
        return None
    curves: List[Curve] = []
    for source in (CLUSTER, CLIENT):
        for table in series(f'{step.series}/{source}'):
            curves += _curves(table, zero)
    return Track(
        group=step.group,
        repetition=step.repetition,
        step=step.index,
        title=step.title,
        zero=zero,
        zero_is=zero_is,
        curves=tuple(curves),
        marks={
            name: moment.at - zero
            for name, moment in timeline.marks.items()
            if moment.reached and moment.at is not None
        },
        events=tuple((e.at - zero, e.text) for e in timeline.events),
    )


def _zero(timeline: Timeline) -> Tuple[Optional[float], str]:
    for mark in (Mark.T0, Mark.T1):
        moment = timeline.mark(mark)
        if moment.reached:
            return moment.at, mark.value
    return None, ''


def _curves(table: Table, zero: float) -> List[Curve]:
    times = tuple(table.wall_start + t - zero for t in table.t)
    return [
        Curve(c.name, c.unit, times, tuple(c.optional()))
        for c in table.columns
    ]
