"""Find drift inside trials: a row's mean series of equal windows."""

from typing import List, Optional, Sequence

import dataclasses
import math

WINDOWS = 6
MAX_RANGE = 0.20
MAX_SLOPE = 0.10


@dataclasses.dataclass(frozen=True)
class Drift:
    """Hold how a group's rate moves within its trials, as shares."""

    trials: int
    range: float  # (max - min) / mean of the mean series
    slope: float  # fitted change over the trial / mean, signed

    @property
    def unsteady(self) -> bool:
        """Say whether either limit is passed."""
        return self.range > MAX_RANGE or abs(self.slope) > MAX_SLOPE

    @property
    def log_amount(self) -> float:
        """Return by how much an interval is widened, as a log."""
        return math.log1p(max(self.range, abs(self.slope)))


def drift(series: Sequence[Sequence[float]]) -> Optional[Drift]:
    """Measure the drift of a group's trials, six window means each.

    Each trial counts the same, whatever its rate. Trials without six
    windows or without any operation are no evidence; None if all are such.
    """
    usable: List[Sequence[float]] = [
        s for s in series if len(s) == WINDOWS and math.fsum(s) > 0.0
    ]
    if not usable:
        return None
    mean = [0.0] * WINDOWS
    for windows in usable:
        level = math.fsum(windows) / WINDOWS
        for i, value in enumerate(windows):
            mean[i] += value / level / len(usable)
    middle = (WINDOWS - 1) / 2.0
    times = [i - middle for i in range(WINDOWS)]
    fitted = math.fsum(t * v for t, v in zip(times, mean))
    fitted /= math.fsum(t * t for t in times)
    return Drift(
        trials=len(usable),
        range=max(mean) - min(mean),
        slope=fitted * (WINDOWS - 1),
    )
