"""Verdicts of the rows of a recovery comparison; a table is a family."""

from typing import (
    Collection,
    Dict,
    FrozenSet,
    List,
    Optional,
    Sequence,
    Set,
    Tuple,
)

import dataclasses
import math
from types import MappingProxyType

from ...analysis import of_blocks, verdict
from ...analysis.measured import Measure
from ...analysis.verdict import Verdict
from ...model.recovery import RecoveryTest, StepResult, TestState
from . import unlike_data
from .compared_rows import TIMES, Row, Side

LEAST = 0.1  # seconds that no time is known better than
MOST_OFF = 0.99  # of a value: one that may be 0 says next to nothing
REASONS = {'too few operations': 'known too roughly'}  # no --duration helps


@dataclasses.dataclass(frozen=True)
class Repetitions:
    """Hold how many were planned, and which all groups made of a step."""

    planned: int
    made: Dict[int, FrozenSet[int]]  # by the index of the step
    cut: bool = False  # the test was not completed, maybe as it pleased

    @classmethod
    def of(
        cls, test: RecoveryTest, steps: Sequence[StepResult]
    ) -> 'Repetitions':
        """Return those of the ``steps`` that are compared."""
        found: Dict[int, Dict[str, Set[int]]] = {}
        for step in steps:
            by_group = found.setdefault(step.index, {})
            by_group.setdefault(step.group, set()).add(step.repetition)
        return cls(
            test.repetitions,
            {
                index: frozenset(set.intersection(*by_group.values()))
                for index, by_group in found.items()
            },
            test.state is not TestState.COMPLETED,
        )


def judge(
    rows: Sequence[Row],
    repetitions: Repetitions,
    unlike: unlike_data.Unlike = MappingProxyType({}),
    flagged: Collection[int] = (),
) -> List[Row]:
    """Judge those that may have a verdict, which are a family.

    A row that cannot be judged, because of a censored value, for lack of
    one, for ``unlike`` data, or as its step (by index) is ``flagged``,
    enters with p = 1.
    """
    measures = [_measure(row, repetitions) for row in rows]
    reasons = [
        _invalid(row, measured, unlike, flagged)
        for row, measured in zip(rows, measures)
    ]
    within = [i for i, row in enumerate(rows) if _judgeable(row)]
    family = dict(
        zip(
            within,
            verdict.family(
                [None if reasons[i] else measures[i] for i in within]
            ),
        )
    )
    judged = []
    for i, (row, measured) in enumerate(zip(rows, measures)):
        if i not in family:
            judged.append(row)
            continue
        invalid = reasons[i]
        if measured is None:
            judged.append(
                dataclasses.replace(
                    row,
                    verdict=Verdict.INCONCLUSIVE,
                    reason=invalid[0] if invalid else 'not available',
                    difference=None,
                )
            )
            continue
        found = verdict.judge(measured, family[i], invalid)
        judged.append(
            dataclasses.replace(
                row,
                verdict=found.verdict,
                reason=_reason(found.reason),
                estimate=_ratio(row, measured.estimate),
                interval=_interval(row, measured),
                bound=(
                    None
                    if found.bound is None
                    else 100.0 * math.expm1(found.bound)
                ),
            )
        )
    return judged


def _invalid(
    row: Row,
    measured: Optional[Measure],
    unlike: unlike_data.Unlike,
    flagged: Collection[int],
) -> List[str]:
    """Return why a row has no verdict, whatever was measured."""
    if row.cut:
        return ['censored']
    if row.step in flagged:
        return ['flags set meanwhile']
    effects = unlike.get((row.step, row.figure))
    if measured is not None and effects is not None:
        if unlike_data.decides(measured, effects):
            return [effects.why]
    return []


def _judgeable(row: Row) -> bool:
    """Say whether a row of two groups may have a verdict.

    Latencies of a load that waits for its answers are no measure of the
    server, and stalls and counts are extremes.
    """
    figures = row.unit in ('1/s', 'B/s') or row.figure in TIMES
    return figures and len(row.sides) == 2


def _reason(reason: str) -> str:
    return REASONS.get(reason, reason.replace('blocks', 'repetitions'))


def _ratio(row: Row, value: Optional[float]) -> Optional[float]:
    """Return a measured logarithm as the ratio of the values themselves."""
    if value is None:
        return None
    return math.exp(value if row.more_is_better else -value)


def _interval(row: Row, measured: Measure) -> Optional[Tuple[float, float]]:
    low, high = _ratio(row, measured.low), _ratio(row, measured.high)
    if low is None or high is None:
        return None
    return min(low, high), max(low, high)


def _measure(row: Row, repetitions: Repetitions) -> Optional[Measure]:
    """Measure paired repetitions; more than 0 is better.

    No pair is left out because of what was measured: a time of 0 is one too
    short to be known, and with a rate of 0, or with none in a repetition,
    there is no ratio of the row. As with operations that are whole, how well
    both sides are known is left open at both ends of the interval.
    """
    if len(row.sides) < 2:
        return None
    first, last = (_logs(row, side) for side in row.sides)
    both = sorted(repetitions.made[row.step])
    if not both or not all(i in side for side in (first, last) for i in both):
        return None
    x = [last[i][0] - first[i][0] for i in both]
    if not row.more_is_better:
        x = [-ratio for ratio in x]
    counted = [math.hypot(first[i][1], last[i][1]) for i in both]
    return of_blocks.measure_blocks(
        x, repetitions.planned, counted=counted, cut=repetitions.cut
    )


def _logs(row: Row, side: Side) -> Dict[int, Tuple[float, float]]:
    """Return logarithms by repetition, and how far off each may be."""
    found = {}
    for one in side.values:
        if one.value is None:
            continue
        value = one.value
        if row.unit == 's':
            value = max(value, LEAST, one.accuracy)
        if value > 0.0:
            off = min(one.accuracy / value, MOST_OFF)
            found[one.repetition] = math.log(value), -math.log1p(-off)
    return found
