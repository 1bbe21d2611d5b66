"""One figure of one step of a recovery test, of both groups."""

from typing import Optional, Tuple

import dataclasses

from ...analysis.verdict import Verdict
from ...model.recovery import Mark

SPANS: Tuple[Tuple[str, Mark, Mark], ...] = (
    ('detected', Mark.T0, Mark.T1),
    ('peered', Mark.T1, Mark.T2),
    ('redundant', Mark.T1, Mark.T4),
    ('clean', Mark.T1, Mark.T5),
)
TIMES = tuple(name for name, _, _ in SPANS)
COUNT, SHARE = 'count', 'share'
ROUGH = 0.1  # of a value


@dataclasses.dataclass(frozen=True)
class Value:
    """Hold one repetition's value; a censored time is "more than".

    A censored rate is that until the end of what was seen. The truth is
    within ``value`` ± ``accuracy``.
    """

    repetition: int
    value: Optional[float]
    censored: bool = False
    accuracy: float = 0.0  # 0 where nothing is known of it

    @property
    def rough(self) -> bool:
        """Say whether it is known to no better than a tenth."""
        return self.accuracy > ROUGH * (self.value or 0.0)


@dataclasses.dataclass(frozen=True)
class Side:
    """Hold all values of one group, and what sums them up."""

    group: str
    values: Tuple[Value, ...]
    median: Optional[float] = None
    low: Optional[float] = None
    high: Optional[float] = None
    censored: bool = False  # the median is a lower bound

    @property
    def cut(self) -> bool:
        """Say whether any value is censored."""
        return any(v.censored for v in self.values)

    @property
    def rough(self) -> bool:
        """Say whether any value is known to no better than a tenth."""
        return any(v.rough for v in self.values)


@dataclasses.dataclass(frozen=True)
class Row:
    """Compare one figure of one step; more or less of it is better.

    ``difference`` is candidate / baseline - 1 of the medians. ``estimate``
    and ``interval`` are candidate / baseline of the repetitions: of times
    more than 1 is slower.
    """

    step: int
    title: str
    figure: str  # 'clean', 'rate', 'read', 'write', 'read latency', …
    unit: str  # 's', 'B/s', 'B', '1/s', 'count', 'share'
    more_is_better: bool
    sides: Tuple[Side, ...]
    difference: Optional[float] = None
    verdict: Optional[Verdict] = None
    reason: str = ''
    estimate: Optional[float] = None
    interval: Optional[Tuple[float, float]] = None
    bound: Optional[float] = None  # percent, of `no difference shown`
    # throughput only: medians as shares of those of phase 0, by side
    shares: Tuple[Optional[float], ...] = ()

    @property
    def cut(self) -> bool:
        """Say whether any value is censored."""
        return any(side.cut for side in self.sides)

    @property
    def rough(self) -> bool:
        """Say whether any value is known to no better than a tenth."""
        return any(side.rough for side in self.sides)
