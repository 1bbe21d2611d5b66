"""How far times hang on groups having moved unlike amounts of data; pure.

Of the group that moved more, the part of a time in which data moved is
taken to be as much shorter as the other group moved less: a bound that
extrapolates beyond nothing that was seen.
"""

from typing import Dict, List, Mapping, Optional, Sequence, Tuple

import math

from ...analysis import stats
from ...analysis.measured import BOUND, Measure
from ...model.recovery import Mark, RecoveryTest, StepKind, StepResult

ALIKE = 1.1  # amounts that are no farther apart
SPANS = {'redundant': Mark.T4, 'clean': Mark.T5}  # by figure, their ends
LEAST = 0.1  # seconds that no time is known better than

Unlike = Mapping[Tuple[int, str], float]


def effects(
    test: RecoveryTest, steps: Sequence[StepResult], groups: Sequence[str]
) -> Dict[Tuple[int, str], float]:
    """Return, by step and figure, what equal amounts would change.

    It is the logarithm of candidate / baseline with equal amounts, less
    that of what was measured. Those whose amounts are alike, or not known,
    are left out.
    """
    found: Dict[Tuple[int, str], float] = {}
    if len(groups) != 2:
        return found
    for index in sorted({s.index for s in steps}):
        sides = [
            [s for s in steps if s.index == index and s.group == group]
            for group in groups
        ]
        known = [_median_moved(test, side) for side in sides]
        amounts = [amount for amount in known if amount is not None]
        if len(amounts) < 2 or max(amounts) <= ALIKE * min(amounts):
            continue
        least, most = sorted(amounts)
        larger = amounts.index(most)
        for figure, end in SPANS.items():
            logs = [_shorter(s, end, least / most) for s in sides[larger]]
            seen = [log for log in logs if log is not None]
            if seen:
                change = stats.median(seen)
                found[(index, figure)] = change if larger else -change
    return found


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
    within = side[0].kind in (StepKind.MOVE, StepKind.MOVE_BACK)
    return stats.median(known) / (_osds(test, side[0].group) if within else 1)


def _osds(test: RecoveryTest, group: str) -> int:
    for plan in test.plan.get('groups') or ():
        if isinstance(plan, dict) and plan.get('name') == group:
            return len(plan.get('osds') or ()) or 1
    return 1


def _shorter(step: StepResult, end: Mark, part: float) -> Optional[float]:
    """Return the log of the time with a ``part`` of the data, over it."""
    assert step.timeline is not None
    whole = step.timeline.span(Mark.T1, end)
    if whole is None:
        return None
    moving = step.timeline.span(Mark.T3, end)
    seconds = max(whole.seconds, LEAST)
    spared = min(moving.seconds, seconds) if moving is not None else 0.0
    return math.log(max(LEAST, seconds - spared * (1 - part)) / seconds)


def decides(measured: Measure, effect: float) -> bool:
    """Say whether a conclusion hangs on it; more than 0 is better."""
    ends = measured.decisive
    if ends is None:
        return False
    low, high = ends[0] + min(0.0, effect), ends[1] + max(0.0, effect)
    if measured.clear or measured.differs:
        return low <= 0.0 <= high
    return measured.equal and not -BOUND < low <= high < BOUND
