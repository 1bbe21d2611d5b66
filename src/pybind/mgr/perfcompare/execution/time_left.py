"""How long a run goes on: by its plan, then by what its trials took."""

from typing import Callable, List, NamedTuple, Optional

ENOUGH = 4  # trials, from one to the next, until it is known what one takes
QUICK, SLOW = 0.25, 0.75  # quantiles of what they took


class Left(NamedTuple):
    """Say within which seconds a run ends; equal while one figure is known."""

    least: float
    most: float


class TimeLeft:
    """Estimate the seconds that are left of a run, as a range.

    While a trial lasts the estimate counts down, to what the ones that have
    not begun take: it never grows until the next one begins.
    """

    def __init__(
        self, planned: float, monotonic: Callable[[], float]
    ) -> None:
        """``planned`` seconds are left of the plan for this Manager."""
        self._planned = planned
        self._monotonic = monotonic
        self._began = monotonic()
        self._last: Optional[float] = None
        self._took: List[float] = []

    def begins(self) -> None:
        """Note that a trial begins."""
        now = self._monotonic()
        if self._last is not None:
            self._took.append(now - self._last)
        self._last = now

    def seconds(self, waiting: int, certain: int) -> Optional[Left]:
        """Return what is left; None when it takes longer than estimated.

        Of ``waiting`` trials that have not begun ``certain`` ones are made
        whatever the others show.
        """
        now = self._monotonic()
        if self._last is None or len(self._took) < ENOUGH:
            left = self._planned - (now - self._began)
            # of equal numbers exactly the whole
            found = Left(left * ((1 + certain) / (1 + waiting)), left)
        else:
            took = sorted(self._took)
            gone = now - self._last

            def of(share: float, trials: int) -> float:
                each = took[round(share * (len(took) - 1))]
                return each * trials + max(0.0, each - gone)

            found = Left(of(QUICK, certain), of(SLOW, waiting))
        return found if found.most > 0 else None
