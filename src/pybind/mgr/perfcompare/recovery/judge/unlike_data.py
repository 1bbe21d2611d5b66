"""How far times hang on groups having moved unlike amounts of data; pure.

Of the group that moved more, the part of a time in which data moved is
taken to be as much shorter as the other group moved less: a bound that
extrapolates beyond nothing that was seen. Where amounts are not known, as in
clusters of many PGs, either group may have moved all of its own too much.
"""

from typing import Dict, List, Mapping, Optional, Sequence, Tuple

import dataclasses
import math

from ...analysis import stats
from ...analysis.measured import BOUND, Measure
from ...model.recovery import Mark, RecoveryTest, StepKind, StepResult

ALIKE = 1.1  # amounts that are no farther apart
SPANS = {'redundant': Mark.T4, 'clean': Mark.T5}  # by figure, their ends
LEAST = 0.1  # seconds that no time is known better than
UNLIKE = 'unlike data'
UNKNOWN = 'amounts of data not known'

WITHIN = (StepKind.MOVE, StepKind.MOVE_BACK)  # the benchmark pool


@dataclasses.dataclass(frozen=True)
class Effects:
    """Hold what equal amounts would change, at the least and at the most.

    Logarithms of candidate / baseline, beyond that of what was measured.
    """

    why: str  # no conclusion may hang on it
    low: float = 0.0
    high: float = 0.0


Unlike = Mapping[Tuple[int, str], Effects]


def effects(
    test: RecoveryTest, steps: Sequence[StepResult], groups: Sequence[str]
) -> Dict[Tuple[int, str], Effects]:
    """Return, by step and figure, what equal amounts would change.

    Those whose amounts are alike are left out.
    """
    found: Dict[Tuple[int, str], Effects] = {}
    if len(groups) != 2:
        return found
    for index in sorted({s.index for s in steps if s.timeline}):
        sides = [
            [s for s in steps if s.index == index and s.group == group]
            for group in groups
        ]
        known = [_median_moved(test, side) for side in sides]
        amounts = [amount for amount in known if amount is not None]
        if len(amounts) < 2:
            if all(sides) and not _alike_by_plan(sides):
                found.update(_unknown(index, sides))
            continue
        if max(amounts) <= ALIKE * min(amounts):
            continue
        least, most = sorted(amounts)
        larger = amounts.index(most)
        for figure, end in SPANS.items():
            change = _change(sides[larger], end, least / most)
            if change is not None:
                change = change if larger else -change
                found[(index, figure)] = Effects(
                    UNLIKE, min(0.0, change), max(0.0, change)
                )
    return found


def _alike_by_plan(sides: Sequence[Sequence[StepResult]]) -> bool:
    """Say whether each OSD of both groups has as much data to move."""
    return all(step.kind in WITHIN for side in sides for step in side)


def _unknown(
    index: int, sides: Sequence[Sequence[StepResult]]
) -> Dict[Tuple[int, str], Effects]:
    """Return what may be due to amounts, the most that there is of them."""
    found: Dict[Tuple[int, str], Effects] = {}
    for figure, end in SPANS.items():
        first, last = (_change(side, end, 0.0) for side in sides)
        if first is not None and last is not None:
            found[(index, figure)] = Effects(UNKNOWN, last, -first)
    return found


def _change(
    side: Sequence[StepResult], end: Mark, part: float
) -> Optional[float]:
    """Return how much shorter a group's time is with a part of its data."""
    logs = [_shorter(step, end, part) for step in side]
    seen = [log for log in logs if log is not None]
    return stats.median(seen) if seen else None


def _median_moved(
    test: RecoveryTest, side: Sequence[StepResult]
) -> Optional[float]:
    """Return bytes; of moves within the benchmark pool, those per OSD.

    It has as much data for each OSD of every group.
    """
    known: List[float] = []
    for step in side:
        if step.timeline is None:
            return None
        moved = step.timeline.size.bytes_recovered
        if moved is None:
            return None
        known.append(moved)
    if not known:
        return None
    within = side[0].kind in WITHIN
    return stats.median(known) / (_osds(test, side[0].group) if within else 1)


def _osds(test: RecoveryTest, group: str) -> int:
    for plan in test.plan.get('groups') or ():
        if isinstance(plan, dict) and plan.get('name') == group:
            return len(plan.get('osds') or ()) or 1
    return 1


def _shorter(step: StepResult, end: Mark, part: float) -> Optional[float]:
    """Return the log of the time with a ``part`` of the data, over it."""
    if step.timeline is None:
        return None
    whole = step.timeline.span(Mark.T1, end)
    if whole is None:
        return None
    moving = step.timeline.span(Mark.T3, end)
    seconds = max(whole.seconds, LEAST)
    spared = min(moving.seconds, seconds) if moving is not None else 0.0
    return math.log(max(LEAST, seconds - spared * (1 - part)) / seconds)


def decides(measured: Measure, effects: Effects) -> bool:
    """Say whether a conclusion hangs on it; of ``measured`` less is worse."""
    ends = measured.decisive
    if ends is None:
        return False
    low, high = ends[0] - effects.high, ends[1] - effects.low
    if measured.clear or measured.differs:
        return low <= 0.0 <= high
    return measured.equal and not -BOUND < low <= high < BOUND
