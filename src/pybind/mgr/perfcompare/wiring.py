"""Put the parts together on a real mgr."""

from typing import Any, Callable, Sequence

import platform
import time

from .activerun import ActiveRun
from .benchpool import BenchPool
from .control import Control
from .dbthread import DbThread
from .errors import Busy
from .execution import Execution, Parts
from .groupbook import GroupBook
from .guard.abort import AbortWatch
from .guard.facts import gather
from .guard.preflight import preflight
from .guard.tools import Toolbox
from .journal import Journal
from .loadrun import Lease, LoadRun
from .mgr_cluster import MgrCluster
from .models import Progress, Run, RunPlan, Trial
from .records import Records
from .runner import Runner
from .service import Service
from .settings import Settings
from .store import MgrDatabase, Store
from .trialrun import TrialRunner
from .worker import jobs
from .workers import ProcessLauncher
from .workspace import Workspace, clear_stale, default_base


def build(mgr: Any) -> Service:
    """Return the service of a Module (a MgrModule)."""
    cluster = MgrCluster(mgr)
    database = DbThread(Store(MgrDatabase(mgr)))
    records = Records(database)
    journal = Journal(cluster)
    toolbox = Toolbox()

    def settings() -> Settings:
        return Settings.read(mgr.get_module_option)

    def base() -> str:
        return settings().run_dir or default_base(cluster.option('run_dir'))

    def make_execution(
        run: Run,
        done: Sequence[Trial],
        control: Control,
        announce: Callable[[Progress], None],
    ) -> Execution:
        plan = run.plan
        workspace = Workspace.create(base(), run.id)
        pools = BenchPool(
            cluster, journal, plan, control.check, control.wait
        )
        lease = Lease(cluster, float(settings().worker_lease))
        watch = AbortWatch(
            cluster,
            settings,
            pools.names,
            time.monotonic(),
            lease.problem,
        )
        loads = LoadRun(
            ProcessLauncher(workspace.path), control, watch, lease
        )
        execution: Execution

        def access(pool: str) -> jobs.Access:
            return jobs.Access(
                conf=cluster.conf_path(),
                keyring=workspace.keyring(pools.keyring),
                entity=plan.key,
                pool=pool,
            )

        trials = TrialRunner(
            cluster,
            plan,
            loads,
            pools,
            control,
            access,
            lambda live: execution.tell(live.ops_per_s, live.bytes_per_s),
        )

        def check(checked: RunPlan) -> None:
            report = preflight(
                gather(cluster, checked, toolbox), checked, settings(), None
            )
            if not report.may_run:
                raise Busy(f'preflight refuses the run: {report.reason}')

        def close() -> None:
            watch.close()
            workspace.remove()

        parts = Parts(
            pools, trials, records, check, active.touch, announce, close
        )
        execution = Execution(run, parts, done)
        return execution

    active = ActiveRun(cluster)
    runner = Runner(
        cluster, journal, records, active, settings, make_execution
    )
    return Service(
        cluster,
        GroupBook(cluster),
        runner,
        database,
        toolbox,
        settings,
        platform.node,
        start=lambda: _clear(base),
    )


def _clear(base: Callable[[], str]) -> None:
    clear_stale(base())
