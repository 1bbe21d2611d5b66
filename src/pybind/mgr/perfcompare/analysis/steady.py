"""Find drift inside trials: of a group's rate, and of the ratio of two.

A drift is the fitted change of a trial's rate from the first to the last of
six equal windows, as a share of their mean: -0.2 is a rate that fell by a
fifth of its mean. What both groups share cancels in a ratio, and what one
trial shows may be noise: a drift counts when it is demonstrated, that is
when the trials' own variation leaves, at 95 % (one-sided, Student's t),
more than ``LIMIT`` of it.
"""

from typing import List, Optional, Sequence, Tuple

import dataclasses
import math

from . import stats

WINDOWS = 6
LIMIT = 0.10  # of the mean, within a trial
MOST = 0.20  # that a claim of no difference leaves possible
SIZE = 0.05  # one-sided, of what is demonstrated or excluded

Windows = Sequence[float]  # mean op/s of WINDOWS equal parts of a trial


@dataclasses.dataclass(frozen=True)
class Drift:
    """Hold a mean drift over trials or blocks, as a share of the rate."""

    n: int
    change: float  # signed
    error: float  # standard error of ``change``
    df: int  # its degrees of freedom, at least 1

    @property
    def demonstrated(self) -> bool:
        """Say whether more than ``LIMIT`` is beyond doubt."""
        return abs(self.change) - self._doubt > LIMIT

    @property
    def possible(self) -> float:
        """Return the largest drift that is not excluded."""
        return abs(self.change) + self._doubt

    @property
    def _doubt(self) -> float:
        return stats.student_quantile(2.0 * SIZE, self.df) * self.error

    @property
    def log_amount(self) -> float:
        """Return by how much an interval is widened, as a log."""
        return math.log1p(abs(self.change))


def of_rate(trials: Sequence[Windows]) -> Optional[Drift]:
    """Measure the drift of a group's rate; None from less than 2 trials.

    Trials without six windows or without any operation are no evidence.
    """
    return _drift([f for f in map(_fitted, trials) if f is not None])


def of_ratio(blocks: Sequence[Tuple[Windows, Windows]]) -> Optional[Drift]:
    """Measure how candidate / baseline moves within a block's trials.

    ``blocks`` are (baseline, candidate); what time does to both cancels.
    None where less than two blocks have windows on both sides.
    """
    found = []
    for baseline, candidate in blocks:
        moved = _fitted(baseline), _fitted(candidate)
        if moved[0] is not None and moved[1] is not None:
            found.append(moved[1] - moved[0])
    return _drift(found)


def between(baseline: Drift, candidate: Drift) -> Drift:
    """Return how the ratio of two unpaired sides moves (Welch)."""
    parts = baseline.error**2, candidate.error**2
    total = sum(parts)
    df = baseline.df + candidate.df
    if total > 0.0:
        spread = parts[0] ** 2 / baseline.df + parts[1] ** 2 / candidate.df
        df = max(1, int(total**2 / spread)) if spread > 0.0 else df
    return Drift(
        n=min(baseline.n, candidate.n),
        change=candidate.change - baseline.change,
        error=math.sqrt(total),
        df=df,
    )


def _drift(changes: Sequence[float]) -> Optional[Drift]:
    n = len(changes)
    if n < 2:
        return None
    error = stats.deviation(changes) / math.sqrt(n)
    return Drift(n, math.fsum(changes) / n, error, n - 1)


def _fitted(windows: Windows) -> Optional[float]:
    """Return the least-squares change over the trial / mean rate."""
    level = math.fsum(windows) / WINDOWS
    if len(windows) != WINDOWS or level <= 0.0:
        return None
    middle = (WINDOWS - 1) / 2.0
    times: List[float] = [i - middle for i in range(WINDOWS)]
    slope = math.fsum(t * v for t, v in zip(times, windows))
    slope /= math.fsum(t * t for t in times)
    return slope * (WINDOWS - 1) / level
