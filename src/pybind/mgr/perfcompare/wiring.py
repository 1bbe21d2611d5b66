"""Put the parts together, on a real mgr or on whatever a test has."""

from typing import Any, Callable, Sequence

import platform
import time

from .activerun import ActiveRun
from .benchpool import BenchPool
from .cluster import Cluster
from .control import Control
from .dbthread import DbThread
from .errors import Busy
from .execution import Execution, Parts
from .gateways import Gateways
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
from .s3driver import S3Driver
from .service import Service
from .settings import Settings
from .store import MgrDatabase, Store
from .trialrun import TrialRunner
from .worker import jobs
from .workers import Launcher, ProcessLauncher
from .workspace import Workspace, clear_stale, default_base


def build(mgr: Any) -> Service:
    """Return the service of a Module (a MgrModule)."""
    cluster = MgrCluster(mgr)

    def settings() -> Settings:
        return Settings.read(mgr.get_module_option)

    return assemble(
        cluster,
        DbThread(Store(MgrDatabase(mgr))),
        Toolbox(),
        settings,
        lambda: settings().run_dir or default_base(cluster.option('run_dir')),
        ProcessLauncher,
        platform.node,
    )


def assemble(
    cluster: Cluster,
    database: DbThread,
    toolbox: Toolbox,
    settings: Callable[[], Settings],
    base: Callable[[], str],
    launcher: Callable[[str], Launcher],
    client_host: Callable[[], str],
) -> Service:
    """Return the service over these parts.

    ``base`` is the folder for workspaces; ``launcher`` makes a launcher
    whose workers keep their files in a folder.
    """
    records = Records(database)
    journal = Journal(cluster)
    active = ActiveRun(cluster)

    def check(plan: RunPlan) -> None:
        facts = gather(cluster, plan, toolbox)
        report = preflight(facts, plan, settings(), None)
        if not report.may_run:
            raise Busy(f'preflight refuses the run: {report.reason}')

    def make_execution(
        run: Run,
        done: Sequence[Trial],
        control: Control,
        announce: Callable[[Progress], None],
    ) -> Execution:
        plan = run.plan
        workspace = Workspace.create(base(), run.id)
        pools = BenchPool(cluster, journal, plan, control.check, control.wait)
        lease = Lease(cluster, float(settings().worker_lease))
        names = frozenset(p.name for g in plan.groups for p in g.pools)
        watch = AbortWatch(
            cluster,
            settings,
            lambda: names,
            time.monotonic(),
            lease.problem,
        )
        launch = launcher(workspace.path)
        loads = LoadRun(launch, control, watch, lease)

        def access(pool: str) -> jobs.Access:
            return jobs.Access(
                conf=cluster.conf_path(),
                keyring=workspace.keyring(pools.keyring),
                entity=plan.key,
                pool=pool,
            )

        gateways = Gateways(cluster, launch, control, access, workspace.path)

        def close() -> None:
            gateways.close()
            watch.close()
            workspace.remove()

        trials = TrialRunner(
            cluster,
            plan,
            loads,
            pools,
            control,
            access,
            lambda live: execution.tell(live.ops_per_s, live.bytes_per_s),
            S3Driver(plan, pools, gateways, access),
        )
        parts = Parts(
            pools,
            trials,
            records,
            check,
            active.touch,
            announce,
            watch.values,
            close,
        )
        execution = Execution(run, parts, done)
        return execution

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
        client_host,
        start=lambda: clear_stale(base()),
    )
