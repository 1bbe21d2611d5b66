"""Gateways on the groups' own hosts, placed there by the orchestrator.

Realm, zone and user are made in pools of the run, as for private gateways;
what the orchestrator starts finds them by options in the section of its
service. Service and options are journaled before they are made.
"""

from typing import Callable, Collection, Dict, List, Protocol

import os

from ....common.errors import PerfcompareError
from ....model.outcome import Outcome
from ....model.plan import GroupPlan, RunPlan
from ....planning.s3 import plan as s3plan
from ....ports.config import ConfigWrites
from ....ports.orchestration import (
    ClusterOrchestration,
    GatewayDaemon,
    GatewayOrder,
    section,
    service_name,
)
from ....ports.osd_map import OsdMapReads
from ....undo.journal import Journal, Kind
from ....worker.wire import gateway_jobs as jobs
from ....worker.wire.answering import answers
from ....worker.wire.gateway_jobs import Zone
from ....worker.wire.jobs import Job
from ....worker.wire.s3_spec import Endpoint
from ....workers.control import Control
from .private import Access, Service, writes_location, zone_targets

PERIOD = 2.0  # seconds between looks at the orchestrator's list
# seconds until an order that shows no effect is repeated, and until its list,
# which may be two minutes old, is asked for anew; doubled each time
AGAIN = 30.0
ZONE_SECONDS = 300.0

RunJob = Callable[[str, Job, Collection[str]], Outcome]


class Needs(ClusterOrchestration, ConfigWrites, OsdMapReads, Protocol):
    """Name what is asked of a cluster here."""


class OrchGateways:
    """Have gateways placed when they are needed; undoing removes them."""

    def __init__(
        self,
        cluster: Needs,
        journal: Journal,
        plan: RunPlan,
        run_job: RunJob,
        control: Control,
        access: Access,
        folder: str,
        patience: float,
        alive: Callable[[], None],
        answering: Callable[[str, int], bool] = answers,
    ) -> None:
        """``patience`` is how long gateways may take to serve, in s.

        ``alive`` is told often that the run is being driven.
        """
        self._alive = alive
        self._cluster = cluster
        self._journal = journal
        self._plan = plan
        self._run_job = run_job
        self._control = control
        self._access = access
        self._folder = folder
        self._patience = patience
        self._answering = answering
        self._services: Dict[str, Service] = {}

    def of(self, group: GroupPlan) -> Service:
        """Return a group's gateways, placed where they are not yet.

        Raises PerfcompareError when they do not serve in time, WorkerFailed
        when there is no zone for them, Stopped on a brake.
        """
        if group.name not in self._services:
            self._services[group.name] = self._place(group)
        return self._services[group.name]

    def problem(self, group: GroupPlan) -> str:
        """Return nothing: whether they answer is for requests to see."""
        return ''

    def close(self) -> None:
        """Leave them: they are removed by the journal, before the pools."""

    def _place(self, group: GroupPlan) -> Service:
        meta = s3plan.pool(group, s3plan.META).name
        number = len(self._services)
        credentials = os.path.join(self._folder, f'zone-{number}.keys')
        zone = Zone(
            access=self._access(meta),
            concurrency=1,
            deadline=ZONE_SECONDS,
            targets=zone_targets(group),
            credentials=credentials,
        )
        self._run_job(f'zone-{number}', zone, [meta])
        self._configure(group.gateway_service, meta)
        daemons = self._have_placed(group)
        return Service(
            endpoints=tuple(Endpoint(d.address, d.port) for d in daemons),
            credentials=credentials,
            host=', '.join(sorted({d.host for d in daemons})),
            arch=self._arch(group),
            version=', '.join(
                sorted({d.version for d in daemons if d.version})
            ),
            writes=writes_location(group),
        )

    def _configure(self, service: str, pool: str) -> None:
        """Tell the gateways where their realm is, before they start."""
        who = section(service)
        for option, value in jobs.options(pool).items():
            entry = self._journal.intend(
                self._plan.run,
                Kind.CONFIG,
                option,
                {'who': who},
                value=value,
            )
            self._cluster.config_set(who, option, value)
            self._journal.done(entry)

    def _have_placed(self, group: GroupPlan) -> List[GatewayDaemon]:
        """Order gateways; return them when they serve."""
        order = GatewayOrder(
            group.gateway_service,
            group.gateway_hosts,
            self._plan.options.driver('gateways') or 1,
            group.gateway_port,
            jobs.NAME,
        )
        entry = self._journal.intend(
            self._plan.run, Kind.SERVICE, order.service
        )
        self._cluster.gateways_apply(order)
        daemons = self._wait(order)
        self._journal.done(entry)  # undo need not wait for late ones
        return daemons

    def _wait(self, order: GatewayOrder) -> List[GatewayDaemon]:
        """Return all gateways of an order when each of them answers."""
        wanted = len(order.hosts) * order.per_host
        begin = self._control.monotonic()
        pause, due, orders = AGAIN, begin + AGAIN, 1
        serving: Dict[str, GatewayDaemon] = {}
        while True:
            now = self._control.monotonic()
            there = self._cluster.gateways_placed(order.service, now >= due)
            for daemon in there:
                if daemon.name in serving or not daemon.running:
                    continue
                if self._answering(daemon.address, daemon.port):
                    serving[daemon.name] = daemon
            if len(serving) >= wanted:
                return sorted(serving.values(), key=lambda d: d.name)
            if now - begin > self._patience:
                raise PerfcompareError(
                    f'{len(serving)} of {wanted} gateways of '
                    f'{service_name(order.service)} serve after '
                    f'{self._patience:.0f} s'
                    + (_others(there, serving) or _none(there, orders))
                    + '; see `ceph orch ps`, or give --gateway-source '
                    'private'
                )
            if now >= due:
                pause *= 2
                due = now + pause
                if not there:  # the order was lost, or needs its time
                    self._cluster.gateways_apply(order)
                    orders += 1
            self._alive()
            self._control.wait(PERIOD)
            self._control.check()

    def _arch(self, group: GroupPlan) -> str:
        osds = self._cluster.topology().osds
        return ', '.join(
            sorted({osds[o].arch or '' for o in group.osds} - {''})
        )


def _others(
    there: List[GatewayDaemon], serving: Dict[str, GatewayDaemon]
) -> str:
    """Name some of the gateways that do not serve, with their states."""
    late = [
        f'{d.name} on {d.host} is {d.status}'
        for d in there
        if d.name not in serving
    ]
    return f' ({", ".join(late[:3])})' if late else ''


def _none(there: List[GatewayDaemon], orders: int) -> str:
    """Say that the orchestrator shows nothing of what was ordered."""
    times = 'once' if orders == 1 else f'{orders} times'
    return '' if there else f' (the orchestrator, told {times}, shows none)'
