"""What the data of one row say, before it is judged among the others.

All numbers are natural logarithms of candidate / baseline, so more than 0
is better.
"""

from typing import Optional, Tuple

import dataclasses
import enum
import math

MIN_BLOCKS = 6  # fewer have no signed-rank interval of size 5 %
MIN_RUNS = 3  # a side, for medians of stored runs to be the units
SIZE = 0.05  # of intervals and of the false discovery rate
SD_FLOOR = 0.005
EFFECT = math.log(1.03)  # smaller differences are not worth a verdict
BOUND = math.log(1.10)  # what `no difference shown` promises
_ROUNDING = 1e-12  # an estimate at a limit has reached it


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
    # adaptive: whether op/s stopped the row; None: its values tell
    stopped: Optional[bool] = None


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
    # the planned blocks of a run that was not completed, or of all where it
    # is one of several; else None
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
