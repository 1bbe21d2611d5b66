"""The rule that turns blocks into one of four verdicts.

Two steps, because false discoveries are controlled over all rows of a
report: measure each row, then judge it with its q. All x are natural
logarithms of candidate / baseline, so more than 0 is better.
"""

from typing import List, Optional, Sequence, Tuple

import dataclasses
import enum
import math

from ..common.units import apart_from, format_bound
from . import adaptive, counts, ranks, stats

MIN_BLOCKS = 6  # fewer have no signed-rank interval of size 5 %
MIN_RUNS = 3  # a side, for medians of stored runs to be the units
SIZE = 0.05  # of intervals and of the false discovery rate
SD_FLOOR = 0.005
EFFECT = math.log(1.03)  # smaller differences are not worth a verdict
BOUND = math.log(1.10)  # what `no difference shown` promises
SMOKE_BLOCKS = 3
CUT_SHARE = 0.5  # of SIZE, times the squared share of blocks that are there
SMOKE_SHARE = 0.1  # of SIZE: a 99.5 % interval, and 10 p
_ROUNDING = 1e-12  # an estimate at a limit has reached it
MOST_BLOCKS = 500  # an estimate of blocks needed beyond this is "more than"


class Verdict(str, enum.Enum):
    """Say what a comparison row claims of the candidate."""

    FASTER = 'faster'
    SLOWER = 'slower'
    NO_DIFFERENCE = 'no difference shown'
    INCONCLUSIVE = 'inconclusive'


class Rule(str, enum.Enum):
    """Name the branch of the rule that a row is judged by."""

    FIXED = 'fixed'  # blocks, a number set beforehand
    SMOKE = 'smoke'  # three blocks
    ADAPTIVE = 'adaptive'  # blocks, with looks on the way
    RUNS = 'runs'  # of several runs, of which each is a unit
    TRIALS = 'trials'  # of several runs, of which trials or blocks are


class IntervalKind(str, enum.Enum):
    """Say what low…high of a row is."""

    SIGNED_RANK = 'signed-rank'
    MANN_WHITNEY = 'mann-whitney'
    T = 't'
    RANGE = 'range'


@dataclasses.dataclass(frozen=True)
class Design:
    """Hold what was set beforehand, and whether it was kept to."""

    planned: int  # blocks, of the runs that have any
    rows: Optional[int] = None  # of the report, where the run is adaptive
    cut: bool = False  # the run was not completed
    control: bool = False  # both sides are of the same OSDs


@dataclasses.dataclass(frozen=True)
class Measure:
    """Hold what the data of one row say; logs, shares in 0…1."""

    rule: Rule
    n: int  # blocks or runs; unpaired, the units of the smaller side
    estimate: Optional[float] = None
    low: Optional[float] = None
    high: Optional[float] = None
    coverage: Optional[float] = None
    kind: Optional[IntervalKind] = None
    p: Optional[float] = None
    # what enters Benjamini-Hochberg, looks paid for; None: not judged
    p_family: Optional[float] = None
    clear: bool = False  # smoke, adaptive: beyond ×1.25 or ÷1.25
    stopped_after: Optional[int] = None  # adaptive: blocks at the stop
    deviation: Optional[float] = None  # sd of x, of paired rows
    counted: float = 0.0  # of low…high at each end: operations are whole
    # smoke: the t-interval that decides, while low…high is the range
    gate: Optional[Tuple[float, float]] = None
    # the planned blocks of a run that was not completed; else None
    cut_of: Optional[int] = None

    @property
    def decisive(self) -> Optional[Tuple[float, float]]:
        """Return the interval that a claim rests on."""
        if self.gate is None and None not in (self.low, self.high):
            return self.low, self.high  # type: ignore
        return self.gate

    @property
    def excludes_one(self) -> bool:
        """Say whether the decisive interval leaves out a ratio of 1."""
        ends = self.decisive
        return ends is not None and (ends[0] > 0.0 or ends[1] < 0.0)

    @property
    def differs(self) -> bool:
        """Say whether 1 is excluded and the estimate worth a verdict."""
        if self.estimate is None or not self.excludes_one:
            return False
        return abs(self.estimate) >= EFFECT - _ROUNDING

    def beyond(self, margin: float) -> bool:
        """Say whether low…high lies wholly beyond ``margin`` (a log)."""
        if self.low is None or self.high is None:
            return False
        return self.low > margin or self.high < -margin

    @property
    def decided(self) -> bool:
        """Say whether the interval may decide by itself."""
        if self.rule is Rule.RUNS:
            return True
        if self.cut_of is not None and not self.sure:
            return False
        return self.rule is not Rule.TRIALS and self.n >= MIN_BLOCKS

    @property
    def sure(self) -> bool:
        """Say whether low…high is an interval, and not a mere range."""
        return self.kind is not IntervalKind.RANGE

    @property
    def equal(self) -> bool:
        """Say whether any difference is shown to be below ``BOUND``."""
        if self.low is None or self.high is None:
            return False
        if self.clear or self.differs or not self.decided:
            return False
        return -BOUND < self.low and self.high < BOUND


@dataclasses.dataclass(frozen=True)
class Judgement:
    """Hold a verdict, the words in its parentheses and a sentence."""

    verdict: Verdict
    reason: str = ''  # of `inconclusive`
    detail: str = ''
    bound: Optional[float] = None  # log, of `no difference shown`
    blocks_needed: Optional[int] = None  # of `too noisy`


def _range(x: Sequence[float]) -> Measure:
    """Measure n >= 1 blocks that have no interval of their own."""
    n = len(x)
    test = stats.t_test(x, SD_FLOOR) if n > 1 else None
    return Measure(
        Rule.FIXED,
        n,
        ranks.hodges_lehmann(x),
        min(x),
        max(x),
        1.0 - 2.0 / 2**n,
        IntervalKind.RANGE,
        p=test.p if test else None,
        deviation=stats.deviation(x) if n > 1 else None,
    )


def measure_blocks(
    x: Sequence[float],
    planned: int,
    rows: Optional[int] = None,
    counted: Sequence[float] = (),
    cut: bool = False,
) -> Measure:
    """Measure the log-ratios of a row's complete blocks, in their order.

    ``planned`` is the number of blocks set beforehand; ``rows`` the number
    of planned rows of the report when the run is adaptive, else None;
    ``counted`` how far off each ratio may be, as operations are whole;
    ``cut`` is a run that was not completed, maybe as its results pleased.
    """
    looks = adaptive.looks(planned) if rows is not None else ()
    if looks and rows is not None:
        stop = adaptive.first_stop(x, looks, rows, counted)
        if stop is not None:
            off = counts.of_blocks(counted[:stop])
            return _measure_stop(x[:stop], rows, off)
    rule = Rule.ADAPTIVE if looks else Rule.FIXED
    off = counts.of_blocks(counted)
    if cut and MIN_BLOCKS <= len(x) < planned:
        return _measure_cut(x, planned, rule, off)
    share = adaptive.END_SHARE if looks else 1.0
    return _measure_all(x, planned, rule, off, share)


def cut_share(blocks: int, planned: int) -> float:
    """Return what is spent of SIZE on a run that ended early (0…1)."""
    return CUT_SHARE * (blocks / planned) ** 2


def _measure_cut(
    x: Sequence[float], planned: int, rule: Rule, off: float
) -> Measure:
    """Measure blocks of a run that somebody or something ended.

    It may have been watched and ended at any block, so less than 5 % is
    spent on it (see `qa/bench/pooled.py`). What is far beyond ×1.25 is
    found as by a look of --adaptive.
    """
    test = stats.t_test(x, adaptive.SD_FLOOR)
    half = test.half_width(adaptive.look_size(1)) + off
    if abs(test.mean) - half > adaptive.MARGIN:
        found = _measure_stop(x, 1, off)
        return dataclasses.replace(found, rule=rule, stopped_after=None)
    share = adaptive.END_SHARE if rule is Rule.ADAPTIVE else 1.0
    share *= cut_share(len(x), planned)
    return dataclasses.replace(
        _measure_all(x, planned, rule, off, share), cut_of=planned
    )


def _measure_all(
    x: Sequence[float], planned: int, rule: Rule, off: float, share: float
) -> Measure:
    if rule is not Rule.ADAPTIVE:
        rule = Rule.SMOKE if planned == SMOKE_BLOCKS else Rule.FIXED
    if not x:
        return Measure(rule, 0)
    measured = dataclasses.replace(_range(x), rule=rule)
    if rule is Rule.SMOKE:
        return _measure_smoke(x, measured, off) if len(x) == 3 else measured
    interval = ranks.signed_rank_interval(x, SIZE * share)
    if interval is None or measured.p is None:
        return measured
    return dataclasses.replace(
        measured,
        low=interval.low - off,
        high=interval.high + off,
        coverage=interval.coverage,
        counted=off,
        kind=IntervalKind.SIGNED_RANK,
        p_family=min(1.0, measured.p / share),
    )


def _measure_smoke(
    x: Sequence[float], measured: Measure, off: float
) -> Measure:
    test = stats.t_test(x, adaptive.SD_FLOOR)
    half = test.half_width(SIZE * SMOKE_SHARE) + off
    return dataclasses.replace(
        measured,
        p=test.p,
        p_family=min(1.0, test.p / SMOKE_SHARE),
        clear=abs(test.mean) - half > adaptive.MARGIN,
        gate=(test.mean - half, test.mean + half),
    )


def _measure_stop(x: Sequence[float], rows: int, off: float) -> Measure:
    test = stats.t_test(x, adaptive.SD_FLOOR)
    tail = adaptive.look_size(rows)
    half = test.half_width(tail) + off
    return Measure(
        Rule.ADAPTIVE,
        len(x),
        ranks.hodges_lehmann(x),
        test.mean - half,
        test.mean + half,
        1.0 - tail,
        IntervalKind.T,
        p=test.p,
        p_family=min(1.0, test.p / adaptive.LOOK_SHARE),
        clear=True,
        stopped_after=len(x),
        deviation=stats.deviation(x),
    )


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
    if measured.rule is not Rule.RUNS and measured.n < MIN_BLOCKS:
        return _inconclusive(f'{measured.n} of {MIN_BLOCKS} blocks')
    if measured.cut_of is not None and not measured.sure:
        return _inconclusive(
            f'{measured.n} of {measured.cut_of} blocks',
            'the run was not completed, which needs more for a verdict: who '
            'watches a run can end it as its results please',
        )
    if measured.rule is Rule.TRIALS:
        return _judge_trials(measured, q)
    low, high = measured.low, measured.high
    assert low is not None and high is not None
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
        if measured.kind is IntervalKind.T:
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
