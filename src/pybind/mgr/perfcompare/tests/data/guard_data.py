"""Plans, machines and tools for the tests of the guard."""

from typing import Any, Dict, List, Optional, Sequence, Tuple

import dataclasses

from ...common.settings import Settings
from ...guard.checks.finding import Severity
from ...guard.checks.preflight import Check, PreflightReport, preflight
from ...guard.collect.facts import Facts, Machine, gather
from ...guard.collect.procinfo import MemoryRoom
from ...guard.collect.tools import SPECS, Tool, Toolbox
from ...model import load
from ...model.group import Placement
from ...model.plan import GroupPlan, PoolPlan, RunOptions, RunPlan
from ...model.workload import Concurrency, Op, Profile, Workload
from ..fakes.cluster import FakeCluster

RUN = '0a1b2c3d'
ROOM = MemoryRoom(8 << 30, 'MemAvailable')
MACHINE = Machine('client-1.example', ('192.0.2.7',), ROOM)
WRITE = Workload(
    'write-4K-c16', Op('write'), 4096, Concurrency(16), 60.0, 5.0
)


class FakeToolbox(Toolbox):
    """Have all tools, but for those in ``problems``."""

    def __init__(
        self,
        versions: Optional[Dict[str, str]] = None,
        problems: Optional[Dict[str, str]] = None,
    ) -> None:
        super().__init__()
        self.versions = versions or {}
        self.problems = problems or {}

    def all(self, names: Optional[Sequence[str]] = None) -> Dict[str, Tool]:
        found = {}
        for spec in SPECS:
            if names is None or spec.name in names:
                problem = self.problems.get(spec.name, '')
                found[spec.name] = Tool(
                    spec.name,
                    None if problem else f'/usr/bin/{spec.name}',
                    self.versions.get(spec.name, '20.2.4'),
                    problem,
                    spec.need,
                    spec.deb,
                    spec.rpm,
                    spec.required,
                    spec.used,
                )
        return found


def pool_plan(group: str, **fields: Any) -> PoolPlan:
    """Return the plan of a write pool of 1 GiB."""
    values: Dict[str, Any] = dict(
        name=f'perfcompare.{RUN}.{group}.write',
        group=group,
        role='write',
        rule=f'perfcompare-{RUN}-{group}',
        pg_num=32,
        size=2,
        min_size=1,
        ec_profile=None,
        max_bytes=1 << 30,
        per_round=True,
    )
    values.update(fields)
    return PoolPlan(**values)


def group_plan(
    cluster: FakeCluster,
    name: str,
    hosts: Tuple[str, ...] = (),
    device_class: Optional[str] = None,
    **fields: Any,
) -> GroupPlan:
    """Return a group of hosts, of a class, or of the class of its name."""
    if not hosts and device_class is None:
        device_class = name
    osds = tuple(
        osd.id
        for osd in cluster.osds.values()
        if (not hosts or osd.host in hosts)
        and device_class in (None, osd.device_class)
        and osd.up
        and osd.in_
    )
    values: Dict[str, Any] = dict(
        name=name,
        placement=Placement.HOSTS if hosts else Placement.DEVICE_CLASS,
        root=f'perfcompare-{RUN}-{name}' if hosts else None,
        rule=f'perfcompare-{RUN}-{name}',
        device_class=device_class,
        hosts=hosts or tuple(sorted({cluster.osds[o].host for o in osds})),
        osds=osds,
        pools=(pool_plan(name),),
    )
    values.update(fields)
    return GroupPlan(**values)


def run_plan(
    groups: Sequence[GroupPlan],
    workloads: Tuple[Workload, ...] = (WRITE,),
    options: Optional[RunOptions] = None,
    **fields: Any,
) -> RunPlan:
    """Return a plan of a run of two replicas over hosts."""
    values: Dict[str, Any] = dict(
        run=RUN,
        groups=tuple(groups),
        profile=Profile('test', '', 3, workloads, '0' * 12),
        options=options or RunOptions(),
        seed=1,
        size=2,
        min_size=1,
        failure_domain='host',
        blocks=(),
        bytes_written=1 << 30,
        seconds=600.0,
        seconds_max=1200.0,
        key=f'client.perfcompare.{RUN}',
        client_host='client-1',
    )
    values.update(fields)
    return RunPlan(**values)


def two_groups(cluster: FakeCluster, **fields: Any) -> RunPlan:
    """Return a plan of the groups arm and x86 of the mini cluster."""
    groups = [group_plan(cluster, name) for name in ('arm', 'x86')]
    return run_plan(groups, **fields)


def facts_of(
    cluster: FakeCluster,
    plan: RunPlan,
    machine: Machine = MACHINE,
    toolbox: Optional[Toolbox] = None,
) -> Facts:
    """Gather facts on a machine that is not this one."""
    return gather(
        cluster,
        plan,
        toolbox or FakeToolbox(),
        lambda: (machine,),
        lambda: 0.0,
    )


def judge(
    cluster: FakeCluster,
    plan: Optional[RunPlan] = None,
    machine: Machine = MACHINE,
    toolbox: Optional[Toolbox] = None,
    active_run: Optional[str] = None,
    **settings: Any,
) -> PreflightReport:
    """Return the preflight of ``plan``, two groups by default."""
    plan = plan or two_groups(cluster)
    return preflight(
        facts_of(cluster, plan, machine, toolbox),
        plan,
        Settings(**settings),
        active_run,
    )


def checks(report: PreflightReport, ident: str) -> List[Check]:
    """Return the checks of one id."""
    return [c for c in report.checks if c.id == ident]


def worst(report: PreflightReport, ident: str) -> Check:
    """Return the gravest check of one id."""
    order = list(Severity)
    return max(checks(report, ident), key=lambda c: order.index(c.severity))


def with_options(plan: RunPlan, **options: Any) -> RunPlan:
    """Return the plan with other options."""
    own = load.options()
    drivers = {n: options.pop(n) for n in list(options) if n in own}
    changed = plan.options.with_driver(**drivers)
    return dataclasses.replace(
        plan, options=dataclasses.replace(changed, **options)
    )
