"""How long a run goes on: by its plan, then by its own pace."""

from typing import Callable, Optional

ENOUGH = 0.1  # of the work, until its own pace is known


class TimeLeft:
    """Estimate the seconds that are left of a run.

    Between two blocks the estimate counts down: a share that stands still
    while a trial lasts makes nothing that is left longer.
    """

    def __init__(
        self, planned: float, done: float, monotonic: Callable[[], float]
    ) -> None:
        """``done`` of the work (0 to 1) was there before this Manager."""
        self._planned = planned
        self._resumed_at = self._done = done
        self._monotonic = monotonic
        self._began = self._counted = monotonic()

    def seconds(self, done: float) -> Optional[float]:
        """Return what is left; None when it takes longer than estimated."""
        now = self._monotonic()
        if done != self._done:
            self._done, self._counted = done, now
        gained = done - self._resumed_at
        if gained > ENOUGH:
            pace = (self._counted - self._began) / gained
            left = pace * (1.0 - done) - (now - self._counted)
        else:
            left = self._planned * (1.0 - done) - (now - self._began)
        return left if left > 0 else None
