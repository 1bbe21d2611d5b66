"""The rule that turns what was measured into one of four verdicts.

Rows are judged when all of a report are measured, with the q of each:
false discoveries are controlled over all of them.
"""

from typing import List, Optional, Sequence

import dataclasses
import enum
import math

from ..common.units import apart_from, format_bound
from . import stats
from .measured import (
    BOUND,
    EFFECT,
    MIN_BLOCKS,
    SD_FLOOR,
    SIZE,
    IntervalKind,
    Measure,
    Rule,
)

MOST_BLOCKS = 500  # an estimate of blocks needed beyond this is "more than"


class Verdict(str, enum.Enum):
    """Say what a comparison row claims of the candidate."""

    FASTER = 'faster'
    SLOWER = 'slower'
    NO_DIFFERENCE = 'no difference shown'
    INCONCLUSIVE = 'inconclusive'


@dataclasses.dataclass(frozen=True)
class Judgement:
    """Hold a verdict, the words in its parentheses and a sentence."""

    verdict: Verdict
    reason: str = ''  # of `inconclusive`
    detail: str = ''
    bound: Optional[float] = None  # log, of `no difference shown`
    blocks_needed: Optional[int] = None  # of `too noisy`


def blocks_needed(measured: Measure) -> Optional[int]:
    """Estimate the blocks at which a noisy row would be decided.

    Assumes that estimate and deviation stay: the expected half-width,
    t · sd · sqrt(π / 3n), must reach the nearer of "1 is excluded" (for an
    estimate worth a verdict) and "within ±10%", less what whole operations
    leave open. None when more than MOST_BLOCKS, or for unpaired rows.
    """
    if measured.estimate is None or measured.deviation is None:
        return None
    margin = _margin(measured.estimate) - measured.counted
    if margin <= 0.0:
        return None
    spread = max(measured.deviation, SD_FLOOR) * math.sqrt(math.pi / 3.0)

    def narrow(n: int) -> bool:
        half = stats.student_quantile(SIZE, n - 1) * spread / math.sqrt(n)
        return half < margin

    low = max(measured.n + 1, MIN_BLOCKS)
    high = max(MOST_BLOCKS, low)
    if not narrow(high):
        return None
    while low < high:
        middle = (low + high) // 2
        if narrow(middle):
            high = middle
        else:
            low = middle + 1
    return low


def _margin(estimate: float) -> float:
    """Return the half-width below which a row is decided."""
    size = abs(estimate)
    return max(BOUND - size, size if size >= EFFECT else 0.0)


def family(measures: Sequence[Optional[Measure]]) -> List[float]:
    """Return the q of each row of a report.

    A row that cannot be judged (None) counts in m, but with p = 1: what is
    not valid must not help others to a verdict.
    """
    found = [None if m is None else m.p_family for m in measures]
    return stats.benjamini_hochberg([1.0 if p is None else p for p in found])


def bound_text(percent: float) -> str:
    """Return the sentence of a row that has a bound."""
    return f'any difference is below {format_bound(percent)}'


def judge(measured: Measure, q: float, invalid: Sequence[str]) -> Judgement:
    """Apply the rule to one row; ``invalid`` are ids of reasons that hold."""
    if invalid:
        return _inconclusive(', '.join(invalid))
    if measured.clear:
        return _claim(measured, q)
    low, high = measured.low, measured.high
    few = measured.rule is not Rule.RUNS and measured.n < MIN_BLOCKS
    if few or low is None or high is None:
        return _inconclusive(f'{measured.n} of {MIN_BLOCKS} blocks')
    if measured.cut_of is not None and not measured.sure:
        return _inconclusive(
            f'{measured.n} of {measured.cut_of} blocks',
            'the run was not completed, which needs more for a verdict: who '
            'watches a run can end it as its results please',
        )
    if measured.rule is Rule.TRIALS:
        return _judge_trials(measured, q)
    if measured.differs:
        return _claim(measured, q)
    if measured.equal:
        bound = max(-low, high)
        return Judgement(
            Verdict.NO_DIFFERENCE,
            detail=bound_text(100.0 * math.expm1(bound)),
            bound=bound,
        )
    return _too_noisy(measured)


def _judge_trials(measured: Measure, q: float) -> Judgement:
    if measured.beyond(BOUND):
        return _claim(measured, q)
    return _inconclusive(
        'between runs',
        'trials of one run do not contain the variation between runs: the '
        'interval must lie beyond ±10%, or store 4 runs or more a side',
    )


def _claim(measured: Measure, q: float) -> Judgement:
    if q > SIZE:
        return _inconclusive(
            'one of many rows',
            f'q is {apart_from(q, SIZE, 2)}: among this many rows, one like '
            'it comes by chance',
        )
    assert measured.estimate is not None
    better = measured.estimate > 0.0
    return Judgement(Verdict.FASTER if better else Verdict.SLOWER)


def _too_noisy(measured: Measure) -> Judgement:
    if measured.rule is Rule.RUNS:
        between = measured.kind is IntervalKind.T
        if measured.cut_of is not None:
            return _inconclusive(
                'between runs' if between else 'too noisy',
                'one of the runs ended early, which needs more for a '
                'verdict: leave it out, or add runs',
            )
        if between:
            return _inconclusive(
                'between runs',
                f'{measured.n} runs differ too much among themselves; '
                'more runs are needed',
            )
        return _inconclusive('too noisy', 'more runs are needed')
    if 0.0 < _margin(measured.estimate or 0.0) <= measured.counted:
        return _inconclusive(
            'too few operations',
            'in a trial, for any number of blocks; give a longer --duration',
        )
    needed = blocks_needed(measured)
    text = f'about {needed}' if needed else f'more than {MOST_BLOCKS}'
    judgement = _inconclusive('too noisy', f'{text} blocks needed')
    return dataclasses.replace(judgement, blocks_needed=needed)


def _inconclusive(reason: str, detail: str = '') -> Judgement:
    return Judgement(Verdict.INCONCLUSIVE, reason, detail)
