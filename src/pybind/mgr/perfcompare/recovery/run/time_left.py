"""How long a recovery test goes on: by its plan, then by its own pace."""

from typing import Callable, Optional

from ...model.plan import RunPlan


def repetitions(plan: RunPlan) -> int:
    """Return how many repetitions there are, of all groups."""
    return sum(len(block.order) for block in plan.blocks)


class TimeLeft:
    """Estimate the seconds that are left of a test.

    A plan cannot know how long a group takes to be clean. After the first
    repetition the ones that are left take what those did, on average; those
    of a Manager before this one say nothing of time.
    """

    def __init__(
        self,
        planned: float,
        work: int,
        done: int,
        monotonic: Callable[[], float],
    ) -> None:
        """``done`` of ``work`` repetitions were there before."""
        self._monotonic = monotonic
        self._planned = planned * (work - done) / max(1, work)
        self._remaining = work - done
        self._began = self._counted = monotonic()
        self._first = 0.0
        self._made = 0

    def begins(self) -> None:
        """Note that a repetition begins."""
        if not self._made:
            self._first = self._monotonic()

    def repeated(self) -> None:
        """Note that a repetition is over."""
        self._made += 1
        self._remaining -= 1
        self._counted = self._monotonic()

    def seconds(self) -> Optional[float]:
        """Return what is left; None when it takes longer than estimated."""
        now = self._monotonic()
        if not self._made:
            left = self._planned - (now - self._began)
        elif not self._remaining:
            return 0.0
        else:
            mean = (self._counted - self._first) / self._made
            left = mean * self._remaining - (now - self._counted)
        return left if left > 0 else None
