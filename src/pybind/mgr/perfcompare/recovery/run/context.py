"""What the execution of a recovery test works with."""

from typing import Callable, Protocol, Sequence

import dataclasses

from ...drivers.driver import Background as Loads
from ...guard.abort.watch import AbortWatch
from ...model.plan import GroupPlan, PoolPlan, RunPlan
from ...model.recovery import Moment
from ...model.recovery_plan import PlannedStep
from ...model.run import Progress, RuleValue, Run
from ...pools.bench_pool import BenchPool
from ...ports.config import ConfigReads, ConfigWrites
from ...ports.faults import DaemonOrders, FaultReads, FaultWrites
from ...ports.health import HealthReads
from ...ports.keys import KeyValueStore
from ...ports.notices import Notifications
from ...ports.osd_map import OsdMapReads
from ...ports.osds import OsdReads
from ...ports.pgs import PgReads, PgWrites
from ...ports.pools import PoolReads
from ...ports.rules import RuleReads
from ...undo.journal import Journal
from ...worker.wire.jobs import Access
from ...workers.control import Control
from ...workers.load_run import LoadRun
from ..observe.interrupted_step import InterruptedStep
from .clientload import ClientLoad
from .hostload import HostLoad
from .stepwatch import StepWatch
from .test_recorder import StepRecord


class Needs(
    ConfigReads,
    ConfigWrites,
    DaemonOrders,
    FaultReads,
    FaultWrites,
    HealthReads,
    KeyValueStore,
    Notifications,
    OsdMapReads,
    OsdReads,
    PgReads,
    PgWrites,
    PoolReads,
    RuleReads,
    Protocol,
):
    """Name what is asked of a cluster here."""


class Sink(Protocol):
    """Keep results; nothing waits for it."""

    def put_run(self, run: Run) -> object:
        """Store the test and its state."""

    def put_steps(self, run: Run, records: Sequence[StepRecord]) -> None:
        """Store the steps of one repetition on one group."""


@dataclasses.dataclass(frozen=True)
class RecoveryContext:
    """Hold the collaborators of a test's execution."""

    cluster: Needs
    journal: Journal
    pools: BenchPool
    loads: LoadRun
    client: ClientLoad
    abort: AbortWatch
    control: Control
    load: Loads
    access: Callable[[str], Access]  # by the name of a pool
    make_watch: Callable[
        [GroupPlan, PoolPlan, Moment, PlannedStep], StepWatch
    ]
    sink: Sink
    hosts: HostLoad
    cut: InterruptedStep
    preflight: Callable[[RunPlan], None]
    failures_allowed: Callable[[], bool]  # by the option, read anew
    alive: Callable[[], None] = lambda: None  # the test is being driven
    announce: Callable[[Progress], None] = lambda progress: None
    rules: Callable[[], Sequence[RuleValue]] = lambda: ()
    close: Callable[[], None] = lambda: None
