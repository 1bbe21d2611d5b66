"""Compare the groups of a recovery test: times, and what clients felt.

n is small, so every value is shown. A verdict follows the rule of
judging.rst, with the repetition as the block; a row with a censored value
or without one of a repetition has none.
"""

from typing import Dict, List, Optional, Sequence, Tuple

import dataclasses

from ...analysis import stats
from ...common.errors import InvalidArgument
from ...model.recovery import (
    Fate,
    Mark,
    RecoveryTest,
    Span,
    StepKind,
    StepResult,
)
from . import comparison_notes as comparisonnotes
from . import detection, flags_seen, unlike_data
from .compared_rows import COUNT, SHARE, SPANS, Row, Side, Value
from .load_names import OPS, STALL, is_stall, load_name, loads
from .row_verdicts import Repetitions, judge
from .unawaited import NOT_AWAITED

HOSTS = {
    'cpu_busy': 'CPU busy',
    'cpu_iowait': 'CPU waits for I/O',
    'psi_io': 'tasks wait for I/O',
}


@dataclasses.dataclass(frozen=True)
class RecoveryComparison:
    """Hold the comparison of a test's groups, the baseline first."""

    test: str
    scenario: str
    groups: Tuple[str, ...]
    repetitions: int
    times: Tuple[Row, ...]
    client: Tuple[Row, ...]
    hosts: Tuple[Row, ...]  # how busy those of the groups' OSDs were
    ways: Dict[str, Tuple[str, ...]]  # group -> how data came back
    notes: Tuple[str, ...] = ()
    # group -> how its OSDs were found down
    found_down: Dict[str, Tuple[str, ...]] = dataclasses.field(
        default_factory=dict
    )


def compare(
    test: RecoveryTest, baseline: str = '', candidate: str = ''
) -> RecoveryComparison:
    """Compare two groups of a test, or show its only one.

    Raises InvalidArgument for groups that the test does not have.
    """
    groups = _chosen(test, baseline, candidate)
    steps = [s for s in test.steps if s.group in groups]
    titles = _titles(steps)
    times = _times(steps, titles, groups)
    client = _client(steps, titles, groups)
    repetitions = Repetitions.of(test, steps)
    unlike = unlike_data.effects(test, steps, groups)
    flagged = flags_seen.flagged(test, steps)
    times = judge(times, repetitions, unlike, flagged)
    client = judge(client, repetitions, flagged=flagged)
    return RecoveryComparison(
        test=test.id,
        scenario=test.scenario.value,
        groups=groups,
        repetitions=max((s.repetition for s in steps), default=0),
        times=tuple(times),
        client=tuple(client),
        hosts=tuple(_hosts(steps, titles, groups)),
        ways=comparisonnotes.ways(steps, groups),
        notes=comparisonnotes.notes(test, steps),
        found_down=detection.kinds(steps, groups),
    )


def _chosen(
    test: RecoveryTest, baseline: str, candidate: str
) -> Tuple[str, ...]:
    for name in (baseline, candidate):
        if name and name not in test.groups:
            raise InvalidArgument(
                f'recovery test {test.id} has no group {name!r}; it has '
                + ', '.join(test.groups)
            )
    first = baseline or next(
        (g for g in test.groups if g != candidate), candidate
    )
    rest = [candidate] if candidate else list(test.groups)
    return (first,) + tuple(g for g in rest if g != first)[:1]


def _titles(steps: Sequence[StepResult]) -> List[Tuple[int, str]]:
    """Return the steps in order; targets differ from group to group."""
    found: Dict[int, str] = {}
    for step in steps:
        title = step.title
        if step.target and step.kind is not StepKind.START:
            title = title.replace(step.target, 'OSD')
        found.setdefault(step.index, title)
    return sorted(found.items())


def _times(
    steps: Sequence[StepResult],
    titles: Sequence[Tuple[int, str]],
    groups: Sequence[str],
) -> List[Row]:
    rows = []
    for index, title in titles:
        of_step = [s for s in steps if s.index == index and s.timeline]
        if not of_step:
            continue
        for name, first, last in SPANS:
            values = {
                (s.group, s.repetition): _span(s, first, last)
                for s in of_step
            }
            if any(values.values()):
                rows.append(
                    _row(index, title, name, 's', False, values, groups)
                )
        for name, value_of in detection.FIGURES:
            values = {
                (s.group, s.repetition): _plain(s, value_of(s))
                for s in of_step
            }
            if any(values.values()):
                rows.append(
                    _row(index, title, name, 's', False, values, groups)
                )
        rates = {(s.group, s.repetition): _rate(s) for s in of_step}
        if any(rates.values()):
            rows.append(
                _row(index, title, 'rate', 'B/s', True, rates, groups)
            )
        moved = {(s.group, s.repetition): _moved(s) for s in of_step}
        if any(v.value for v in moved.values() if v):
            rows.append(
                _row(index, title, 'moved', 'B', False, moved, groups)
            )
    return rows


def _span(step: StepResult, first: Mark, last: Mark) -> Optional[Value]:
    assert step.timeline is not None
    found: Optional[Span] = step.timeline.span(first, last)
    if found is None:
        return None
    return Value(
        step.repetition, found.seconds, found.censored, found.accuracy
    )


def _moved(step: StepResult) -> Optional[Value]:
    """Return bytes recovered; censored where that was not the end of it."""
    assert step.timeline is not None
    size = step.timeline.size.bytes_recovered
    end = step.timeline.mark(Mark.T5)
    cut = end.fate is Fate.CENSORED or end == NOT_AWAITED
    return None if size is None else Value(step.repetition, size, cut)


def _rate(step: StepResult) -> Optional[Value]:
    """Return bytes recovered over the time that data moved.

    Of data that did not all move it is the rate until the step was given up.
    """
    assert step.timeline is not None
    size = step.timeline.size.bytes_recovered
    took = step.timeline.span(Mark.T3, Mark.T5)
    if not size or took is None or took.seconds < 1.0:
        return None
    rate = size / took.seconds
    off = min(1.0, took.accuracy / took.seconds)
    return Value(step.repetition, rate, took.censored, rate * off)


def _client(
    steps: Sequence[StepResult],
    titles: Sequence[Tuple[int, str]],
    groups: Sequence[str],
) -> List[Row]:
    rows = []
    figures = (
        ('{}', OPS, '1/s', True),
        ('{} latency', '_latency', 's', False),
        ('{} latency p50', '_p50', 's', False),
        ('{} latency p95', '_p95', 's', False),
        ('{} latency p99', '_p99', 's', False),
        ('{} latencies counted', '_samples', COUNT, True),
        ('{} errors', '_errors', COUNT, False),
        ('{} longest stall', '_stall', 's', False),
    )
    for load in loads([step.client for step in steps]):
        for label, suffix, unit, more in figures:
            for index, title in titles:
                values = {
                    (s.group, s.repetition): _figure(s, load + suffix)
                    for s in steps
                    if s.index == index
                }
                if any(values.values()):
                    name = label.format(load_name(load))
                    rows.append(
                        _row(index, title, name, unit, more, values, groups)
                    )
    return [_with_shares(row, rows) for row in rows]


def _hosts(
    steps: Sequence[StepResult],
    titles: Sequence[Tuple[int, str]],
    groups: Sequence[str],
) -> List[Row]:
    rows = []
    for key, figure in HOSTS.items():
        for index, title in titles:
            values = {
                (s.group, s.repetition): _plain(s, s.hosts.get(key))
                for s in steps
                if s.index == index
            }
            if any(values.values()):
                rows.append(
                    _row(index, title, figure, SHARE, False, values, groups)
                )
    return rows


def _with_shares(row: Row, rows: Sequence[Row]) -> Row:
    """Return a row of throughput as shares of phase 0."""
    first = next((r for r in rows if r.figure == row.figure), row)
    if row.unit != '1/s' or first.step != 0 or row.step == 0:
        return row
    shares = tuple(
        (
            now.median / before.median
            if now.median is not None and before.median
            else None
        )
        for now, before in zip(row.sides, first.sides)
    )
    return dataclasses.replace(row, shares=shares)


def _figure(step: StepResult, key: str) -> Optional[Value]:
    return _plain(step, step.client.get(key))


def _plain(step: StepResult, value: Optional[float]) -> Optional[Value]:
    return None if value is None else Value(step.repetition, value)


def _row(
    index: int,
    title: str,
    figure: str,
    unit: str,
    more: bool,
    values: Dict[Tuple[str, int], Optional[Value]],
    groups: Sequence[str],
) -> Row:
    sides = tuple(_side(group, values) for group in groups)
    difference = _difference(figure, sides)
    return Row(index, title, figure, unit, more, sides, difference)


def _difference(figure: str, sides: Sequence[Side]) -> Optional[float]:
    if len(sides) != 2 or any(side.cut for side in sides):
        return None
    first, last = sides[0].median, sides[1].median
    if not first or last is None:
        return None
    if is_stall(figure) and min(first, last) < STALL:
        return None
    return last / first - 1.0


def _side(group: str, values: Dict[Tuple[str, int], Optional[Value]]) -> Side:
    found = tuple(
        value
        for (name, _), value in sorted(values.items())
        if name == group and value is not None
    )
    numbers = [v.value for v in found if v.value is not None]
    if not numbers:
        return Side(group, found)
    median = stats.median(numbers)
    # censored values are lower bounds: those below the median may be above
    middle = sorted(numbers)[len(numbers) // 2]
    censored = any(
        v.censored and v.value is not None and v.value <= middle
        for v in found
    )
    return Side(group, found, median, min(numbers), max(numbers), censored)
