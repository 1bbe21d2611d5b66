"""What a tool that makes load must offer, to be part of a run."""

from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    Dict,
    Mapping,
    NamedTuple,
    Optional,
    Protocol,
    Sequence,
)

from ..common.errors import PerfcompareError
from ..common.settings import Settings
from ..model.load import LoadSpec, specs
from ..model.outcome import Outcome
from ..model.plan import GroupPlan, PoolPlan, RunPlan
from ..model.recovery_plan import TestPlan
from ..model.workload import Workload
from ..worker.wire.jobs import Access, Job

# the dashboard reads what loads are, and needs nothing that makes any
if TYPE_CHECKING:
    from ..ports.health import Mons
    from ..workers.control import Control
    from ..workers.worker import Launcher

LOAD_MARGIN = 120.0  # seconds of load beyond the worst case of a test


class Driver(Protocol):
    """Make the jobs of one tool's workloads, and start what they need."""

    def new_round(self) -> None:
        """Note that the pools of a round are new, and empty."""

    def fill(self, workload: Workload, group: GroupPlan) -> Job:
        """Return the job that writes what ``workload`` reads."""

    def warm(self, workload: Workload, group: GroupPlan) -> Optional[Job]:
        """Return what must be done before a measured load, None when all is.

        Asked again after each job that it returned.
        """

    def unready(self, workload: Workload, group: GroupPlan) -> None:
        """Take note that a job which `warm` returned was not done."""

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
    ) -> bool:
        """Take note of a trial that was cut after ``ops`` operations at most.

        ``bound`` says that it was cut because it reached its bound. Return
        whether its repetition may get further.
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


class Background(Protocol):
    """Make the jobs of the load beside a recovery."""

    def fill(self, group: GroupPlan) -> Job:
        """Return the job that writes what is recovered, and read."""

    def beside(
        self, group: GroupPlan, repetition: int, serial: int, seconds: float
    ) -> Dict[str, Job]:
        """Return the load of one repetition, by workload.

        Each goes on for ``seconds``, or until it is ended.
        """

    def problem(self, group: GroupPlan) -> str:
        """Return why the load cannot be served, empty while it can."""

    def close(self) -> None:
        """Give back what serves the load; called once, at the end."""


class Pools(Protocol):
    """Have pools of the run made: what a driver asks of them."""

    def has(self, pool: PoolPlan) -> bool:
        """Say whether a pool was created and is checked."""

    def create(self, pools: Sequence[PoolPlan], balance: bool = True) -> None:
        """Create pools together, and wait for their PGs."""


class BackgroundParts(NamedTuple):
    """Hold what the load beside a recovery is made of."""

    plan: RunPlan
    test: TestPlan
    access: Callable[[str], Access]  # by the name of a pool
    # what starts workers, where a load needs a service of its own
    mons: Optional['Mons'] = None
    launcher: Optional['Launcher'] = None
    control: Optional['Control'] = None
    folder: str = ''
    settings: Settings = Settings()


class TrialParts(NamedTuple):
    """Hold what the trials of a run are made of."""

    plan: RunPlan
    pools: Pools
    access: Callable[[str], Access]  # by the name of a pool


class DriverSpec(LoadSpec):
    """Say what a kind of load is, and make its jobs."""

    timed = True

    def trials(self, parts: TrialParts) -> Optional[Driver]:
        """Return what makes the jobs of trials.

        None where composition.py has more to put together for it.
        """
        return None

    def background(self, parts: BackgroundParts) -> Background:
        """Return what makes the load beside a recovery."""
        raise PerfcompareError(f'{self.name} is not a load beside a recovery')


def driver_of_test(operations: Sequence[str]) -> DriverSpec:
    """Return the driver of the loads beside a recovery.

    Without any it is the one that fills pools by itself.
    """
    for spec in specs():
        own = [o.name for o in spec.operations]
        if isinstance(spec, DriverSpec) and (
            not operations or operations[0] in own
        ):
            return spec
    raise PerfcompareError(f'{operations[0]} is not a load beside a recovery')
