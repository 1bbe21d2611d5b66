"""What a tool that makes load must offer, to be part of a run."""

from typing import Any, Dict, Mapping, Optional, Protocol

from ..common.errors import PerfcompareError
from ..model.outcome import Outcome
from ..model.plan import GroupPlan
from ..model.workload import Workload
from ..worker.wire.jobs import Job


class Driver(Protocol):
    """Make the jobs of one tool's workloads, and start what they need."""

    def new_round(self) -> None:
        """Note that the pools of a round are new, and empty."""

    def fill(self, workload: Workload, group: GroupPlan) -> Job:
        """Return the job that writes what ``workload`` reads."""

    def warm(self, workload: Workload, group: GroupPlan) -> Optional[Job]:
        """Return what must be done once before the first measured reads."""

    def probe(
        self, workload: Workload, group: GroupPlan, seconds: float
    ) -> Job:
        """Return a gentle start: the same load at low concurrency."""

    def trial(self, workload: Workload, group: GroupPlan, tag: str) -> Job:
        """Return the job of one trial; ``tag`` is unique in the run."""

    def learn(
        self, workload: Workload, group: GroupPlan, outcome: Outcome
    ) -> None:
        """Take note of what a trial left and how fast it was."""

    def cut(
        self, workload: Workload, group: GroupPlan, ops: int, bound: bool
    ) -> None:
        """Take note of a trial that was cut after ``ops`` operations at most.

        ``bound`` says that it was cut because it reached its bound.
        """

    def manifest(self, group: GroupPlan) -> Dict[str, Any]:
        """Return what a manifest must say beyond what all trials say."""

    def problem(self, group: GroupPlan) -> str:
        """Return why a trial that just ended is void, empty if it is not."""


def driver_of(drivers: Mapping[str, Driver], workload: Workload) -> Driver:
    """Return the driver of a workload's tool."""
    if workload.tool not in drivers:
        raise PerfcompareError(f'{workload.tool} workloads cannot run here')
    return drivers[workload.tool]
