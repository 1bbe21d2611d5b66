"""What the runner drives, and who makes it."""

from typing import Callable, Protocol, Sequence

from ..model.run import Progress, Run
from ..model.trial import Trial
from ..workers.control import Control


class Executable(Protocol):
    """Be what the runner drives: a run, or a recovery test."""

    run: Run

    def measure(self) -> None:
        """Do all that is left to do; raise to end early."""

    def close(self) -> None:
        """Give back what the mgr's host holds; called once."""


MakeExecution = Callable[
    [Run, Sequence[Trial], Control, Callable[[Progress], None]], Executable
]


def queued(run: Run) -> Progress:
    """Return the progress of a run that has just been accepted."""
    test = run.plan.recovery
    return Progress(
        run=run.id,
        state=run.state,
        fraction=0.0,
        eta=run.plan.seconds,
        round=0,
        rounds=run.plan.profile.rounds,
        trial='',
        scenario=test.scenario.value if test else '',
    )
