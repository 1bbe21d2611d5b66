"""Put the parts of a recovery test's execution together."""

from typing import Callable, Protocol, Sequence

import contextlib

from ...common.settings import Settings
from ...drivers.driver import BackgroundParts, driver_of_test
from ...execution.watches import Watches
from ...guard.abort.watch import AbortWatch
from ...hosts import gateway_hosts as gatewayhosts
from ...hosts.watch import HostWatch, no_gateways
from ...model.plan import GroupPlan, PoolPlan, RunPlan
from ...model.recovery import Moment, StepResult
from ...model.recovery_plan import PlannedStep, through_gateways
from ...model.run import Progress, Run
from ...pools.bench_pool import BenchPool
from ...ports.auth import AuthWrites
from ...ports.clock import Clock
from ...ports.config import ConfigReads, ConfigWrites
from ...ports.exporters import ExporterReads
from ...ports.faults import DaemonOrders, FaultReads, FaultWrites
from ...ports.health import HealthReads, Mons
from ...ports.identity import Identity
from ...ports.keys import KeyValueStore
from ...ports.notices import Notifications
from ...ports.osd_map import OsdMapReads
from ...ports.osds import OsdReads
from ...ports.perf_queries import PerfQueries
from ...ports.pgs import PgReads, PgWrites
from ...ports.pools import PoolReads, PoolWrites
from ...ports.recovery_reads import RecoveryReads
from ...ports.rules import RuleReads, RuleWrites
from ...undo.journal import Journal
from ...worker.wire import jobs
from ...workers.control import Control
from ...workers.lease import Lease
from ...workers.load_run import LoadRun
from ...workers.worker import Launcher
from ...workers.workspace import Workspace
from ..observe.interrupted_step import InterruptedStep
from ..observe.mapwatch import EpochClock
from .clientload import ClientLoad
from .context import RecoveryContext, Sink
from .execution import RecoveryExecution
from .hostload import FIGURES, HostLoad
from .patience import patience
from .stepwatch import StepWatch, scope_of


class Needs(
    AuthWrites,
    ConfigReads,
    ConfigWrites,
    DaemonOrders,
    ExporterReads,
    FaultReads,
    FaultWrites,
    HealthReads,
    Identity,
    KeyValueStore,
    Mons,
    Notifications,
    OsdMapReads,
    OsdReads,
    PerfQueries,
    PgReads,
    PgWrites,
    PoolReads,
    PoolWrites,
    RecoveryReads,
    RuleReads,
    RuleWrites,
    Protocol,
):
    """Name what is asked of a cluster here."""


class Assembly:
    """Make executions of recovery tests."""

    def __init__(
        self,
        cluster: Needs,
        journal: Journal,
        sink: Sink,
        settings: Callable[[], Settings],
        base: Callable[[], str],
        launcher: Callable[[str], Launcher],
        check: Callable[[RunPlan], None],
        alive: Callable[[], None],
        clock: EpochClock,
        cut: InterruptedStep,
        time: Clock,
    ) -> None:
        self._time = time
        self._cluster = cluster
        self._journal = journal
        self._sink = sink
        self._settings = settings
        self._base = base
        self._launcher = launcher
        self._check = check
        self._alive = alive
        self._clock = clock
        self._cut = cut

    def make(
        self,
        run: Run,
        done: Sequence[StepResult],
        control: Control,
        announce: Callable[[Progress], None],
    ) -> RecoveryExecution:
        """Return the execution of a run that holds a recovery test."""
        held = contextlib.ExitStack()
        try:
            return self._make(held, run, done, control, announce)
        except BaseException:
            held.close()
            raise

    def _make(
        self,
        held: contextlib.ExitStack,
        run: Run,
        done: Sequence[StepResult],
        control: Control,
        announce: Callable[[Progress], None],
    ) -> RecoveryExecution:
        """``held`` gives back at the end what the execution holds."""
        plan, test = run.plan, run.plan.recovery
        assert test is not None
        scenario = test.scenario
        cluster, settings = self._cluster, self._settings
        workspace = Workspace.create(self._base(), run.id)
        held.callback(workspace.remove)

        def look() -> None:
            loads.vigil()
            self._alive()

        pools = BenchPool(
            cluster, self._journal, plan, control.check, control, look
        )
        lease = Lease(cluster, float(settings().worker_lease), control)
        names = frozenset(p.name for g in plan.groups for p in g.pools)
        abort = AbortWatch(
            cluster,
            settings,
            lambda pools: names,
            control.monotonic(),
            lease.problem,
            patience(scenario),
        )
        held.callback(abort.close)
        launch = self._launcher(workspace.path)
        loads = LoadRun(launch, control, abort, lease)

        def access(pool: str) -> jobs.Access:
            return jobs.Access(
                conf=cluster.conf_path(),
                keyring=workspace.keyring(pools.keyring),
                entity=plan.key,
                pool=pool,
            )

        def make_watch(
            group: GroupPlan,
            pool: PoolPlan,
            ordered: Moment,
            step: PlannedStep,
        ) -> StepWatch:
            scope = scope_of(cluster, group, pool, scenario)
            return StepWatch(cluster, self._clock, scope, ordered, step)

        load = driver_of_test(test.workloads).background(
            BackgroundParts(
                plan,
                test,
                access,
                cluster,
                launch,
                control,
                workspace.path,
                settings(),
            )
        )
        held.callback(load.close)
        hosts = Watches(
            [
                HostWatch(
                    cluster,
                    launch,
                    lease,
                    settings,
                    workspace.path,
                    lambda: control.requested,
                    (
                        gatewayhosts.private(cluster.own_address)
                        if through_gateways(test.workloads)
                        else no_gateways
                    ),
                    self._time,
                    columns=FIGURES,
                )
            ]
        )

        held.callback(hosts.close)
        return RecoveryExecution(
            run,
            RecoveryContext(
                cluster=cluster,
                journal=self._journal,
                pools=pools,
                loads=loads,
                client=ClientLoad(launch, control, abort, lease),
                abort=abort,
                control=control,
                load=load,
                access=access,
                make_watch=make_watch,
                sink=self._sink,
                hosts=HostLoad(plan, hosts),
                cut=self._cut,
                preflight=self._check,
                failures_allowed=lambda: settings().allow_failure_tests,
                alive=self._alive,
                announce=announce,
                rules=abort.values,
                close=held.close,
            ),
            done,
        )
