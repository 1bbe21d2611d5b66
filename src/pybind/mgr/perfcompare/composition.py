"""Put the parts together, on a real mgr or on whatever a test has."""

from typing import Any, Callable, List, Sequence

import contextlib
import dataclasses
import functools
import platform

from .analysis.evidence import limits_of
from .analysis.findings.conclude import concluder
from .app.service import Service
from .app.submission import judge, refusal
from .ceph.cluster import MgrCluster
from .common.clock import SYSTEM
from .common.settings import Settings
from .drivers import registry
from .drivers.driver import TrialParts
from .drivers.s3.buckets import BucketRemover, Buckets
from .drivers.s3.driver import S3Driver
from .drivers.s3.gateways.existing import ExistingGateways
from .drivers.s3.gateways.existing import pools_of as gateway_pools
from .drivers.s3.gateways.orchestrated import OrchGateways
from .drivers.s3.gateways.private import Gateways, GatewaySource
from .drivers.s3.gateways.repository import GatewayRepository
from .drivers.warp.driver import WarpDriver
from .execution.active_run import ActiveRun
from .execution.driven import Executable, queued
from .execution.heartbeat import Heartbeat
from .execution.run import Execution, ExecutionContext
from .execution.runner import Runner
from .execution.trial import TrialRunner
from .execution.watches import ConditionalProbe, Watches
from .groups.repository import GroupRepository
from .guard.abort.watch import AbortWatch
from .guard.collect.facts import this_machine
from .guard.collect.procinfo import hostname, local_addresses
from .guard.collect.sample import none as no_pools
from .guard.collect.tools import Toolbox
from .hosts import gateway_hosts as gatewayhosts
from .hosts.watch import HostWatch
from .metrics.osd_watch import OsdWatch
from .metrics.tenant_watch import TenantWatch
from .model import s3_clients as s3clients
from .model.plan import RunPlan
from .model.run import Progress, Run
from .model.trial import Trial
from .pools.bench_pool import BenchPool
from .ports.clock import EventClock
from .ports.cluster import Cluster
from .ports.trial_watch import TrialWatch
from .recovery.observe.interrupted_step import InterruptedStep
from .recovery.observe.mapwatch import EpochClock
from .recovery.run.assembly import Assembly
from .recovery.run.test_recorder import TestRecords
from .store import retention
from .store.results import MgrDatabase, Store
from .store.thread import DbThread
from .undo.journal import Journal
from .worker.wire import jobs
from .workers import launchers
from .workers.control import Control
from .workers.lease import Lease
from .workers.load_hosts import LoadHosts
from .workers.load_run import LoadRun
from .workers.process import ProcessLauncher
from .workers.worker import Launcher
from .workers.workspace import Workspace, clear_stale, default_base

KNOWN = 20.0  # seconds until a load host should have asked
BACK = 120.0  # of a run that goes on: its agents look for the new Manager
LONGEST = 7 * 86400.0  # seconds that a load host is asked for often, at most


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
    clock: EventClock = SYSTEM,
) -> Service:
    """Return the service over these parts.

    ``base`` is the folder for workspaces; ``launcher`` makes a launcher
    whose workers keep their files in a folder; runs wait by ``clock``.
    """
    records = TestRecords(
        database, lambda: retention.of_recoveries(settings())
    )
    book = GatewayRepository(cluster)
    remover = BucketRemover(cluster, book, launcher, base, clock)
    journal = Journal(cluster, clock, remover)
    active = ActiveRun(cluster, clock)
    heart = Heartbeat(active.touch, clock)
    epochs = EpochClock(clock)
    cut = InterruptedStep(cluster, epochs)
    hosts = LoadHosts(cluster, clock)

    def check(plan: RunPlan) -> None:
        report = judge(cluster, plan, toolbox, settings(), hosts)
        if not report.may_run:
            raise refusal(plan, report)

    def make_execution(
        run: Run,
        done: Sequence[Trial],
        control: Control,
        announce: Callable[[Progress], None],
    ) -> Executable:
        held = contextlib.ExitStack()
        try:
            return make(held, run, done, control, announce)
        except BaseException:
            held.close()
            raise

    def make(
        held: contextlib.ExitStack,
        run: Run,
        done: Sequence[Trial],
        control: Control,
        announce: Callable[[Progress], None],
    ) -> Executable:
        """``held`` gives back at the end what the execution holds."""
        plan = run.plan
        if plan.recovery is not None:
            done_steps = records.steps(run.id)
            return recovery.make(run, done_steps, control, announce)
        workspace = Workspace.create(base(), run.id)
        held.callback(workspace.remove)

        def look() -> None:
            loads.vigil()
            heart.beat()

        pools = BenchPool(
            cluster, journal, plan, control.check, control, look
        )
        lease = Lease(cluster, float(settings().worker_lease), control)
        names = frozenset(p.name for g in plan.groups for p in g.pools)
        existing = plan.options.existing_gateways
        watch = AbortWatch(
            cluster,
            settings,
            lambda pools: names,
            control.monotonic(),
            lease.problem,
            loaded_pools=gateway_pools if existing else no_pools,
        )
        held.callback(watch.close)
        launch = launcher(workspace.path)
        remote = [hosts.link(n) for n in plan.options.load_hosts or ()]
        for link in remote:
            held.callback(link.unwant)
            link.want(LONGEST)
        if remote:
            what = 'until its load hosts are heard of'
            announce(dataclasses.replace(queued(run), message=what))
            patience = BACK if run.events else KNOWN
            launchers.heard(remote, control, patience, heart.beat)
        loads = LoadRun(
            launchers.of_hosts(remote, launch, workspace.path, clock),
            control,
            watch,
            lease,
        )

        def access(pool: str) -> jobs.Access:
            return jobs.Access(
                conf=cluster.conf_path(),
                keyring=workspace.keyring(pools.keyring),
                entity=plan.key,
                pool=pool,
            )

        here = LoadRun(launch, control, watch, lease)
        gateways: GatewaySource
        if existing:
            gateways = ExistingGateways(book, workspace.path)
        elif plan.options.orch_gateways:
            gateways = OrchGateways(
                cluster,
                journal,
                plan,
                functools.partial(here.run, on_tick=heart.beat),
                control,
                access,
                workspace.path,
                float(settings().gateway_patience),
                heart.beat,
            )
        else:
            gateways = Gateways(
                cluster,
                launch,
                control,
                access,
                workspace.path,
                plan.options,
                clock,
            )
        held.callback(gateways.close)
        buckets = None
        if existing:
            buckets = Buckets(plan, journal, remover, here, heart.beat)
        # the lease of what scrapes hosts goes on while they wait
        osds: List[TrialWatch] = [OsdWatch(cluster, clock.wall, lease.hold)]
        # the load itself looks like tenants in pools of the operator
        if not existing:
            osds.append(TenantWatch(cluster, clock.wall, lease.hold))
        watches = Watches(
            [
                HostWatch(
                    cluster,
                    launch,
                    lease,
                    settings,
                    workspace.path,
                    lambda: control.requested,
                    gatewayhosts.of(plan, gateways, cluster.own_address),
                    clock,
                    (
                        (
                            lambda osds: launchers.places(
                                remote, local_addresses(), hostname(), osds
                            )
                        )
                        if remote
                        else None
                    ),
                ),
                *[
                    ConditionalProbe(w, lambda: settings().osd_metrics)
                    for w in osds
                ],
            ]
        )

        held.callback(watches.close)
        s3_driver = (
            WarpDriver
            if plan.options.driver('s3_client') == s3clients.WARP
            else S3Driver
        )
        trials = TrialRunner(
            cluster,
            plan,
            loads,
            pools,
            control,
            {
                **registry.drivers(TrialParts(plan, pools, access)),
                s3clients.tool(plan.options.driver('s3_client')): s3_driver(
                    plan,
                    pools,
                    gateways,
                    access,
                    buckets,
                    settings().s3_verify_share,
                    settings().s3_sign_payload,
                ),
            },
            lambda live: execution.tell(live.ops_per_s, live.bytes_per_s),
            watches,
            concluder(lambda: limits_of(settings())),
            heart.beat,
            (
                (lambda: tuple(h.room() for h in remote))
                if remote
                else this_machine
            ),
            (lambda: launchers.archs(remote)) if remote else platform.machine,
        )
        parts = ExecutionContext(
            pools,
            trials,
            records,
            check,
            announce,
            watch.values,
            held.close,
            clock,
        )
        execution = Execution(run, parts, done)
        return execution

    recovery = Assembly(
        cluster,
        journal,
        records,
        settings,
        base,
        launcher,
        check,
        heart.beat,
        epochs,
        cut,
        clock,
    )
    runner = Runner(
        cluster, journal, records, active, settings, make_execution, clock
    )
    return Service(
        cluster,
        GroupRepository(cluster),
        runner,
        database,
        toolbox,
        settings,
        client_host,
        start=lambda: clear_stale(base()),
        clock=epochs,
        cut=cut,
        hosts=hosts,
    )
