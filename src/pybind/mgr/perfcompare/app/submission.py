"""Check a plan, and hand it to the runner: of runs and recovery tests."""

from typing import (
    Callable,
    ContextManager,
    FrozenSet,
    Optional,
    Sequence,
    Tuple,
)

from ..analysis.hosts_needed import Need
from ..common.clock import SYSTEM
from ..common.errors import Busy, NotPermitted, PlanChanged
from ..common.settings import Settings
from ..common.version import VERSION
from ..execution.admission import Attempt
from ..execution.runner import Runner
from ..guard.checks.client_host import Neighbors
from ..guard.checks.finding import Severity
from ..guard.checks.preflight import PreflightReport, preflight
from ..guard.collect.facts import Needs, ResultDatabase, gather
from ..guard.collect.tools import Toolbox
from ..model.plan import RunPlan
from ..model.run import Run, RunState
from ..workers.load_hosts import LoadHosts
from .requests import Ticket


def judge(
    cluster: Needs,
    plan: RunPlan,
    toolbox: Toolbox,
    settings: Settings,
    hosts: LoadHosts,
    active_run: Optional[str] = None,
    needs: Sequence[Need] = (),
    result_database: Optional[ResultDatabase] = None,
) -> PreflightReport:
    """Return every check for a plan; nothing is touched.

    That of the result database only where it was asked: whatever goes on
    in a run never waits for it.
    """
    names = plan.options.load_hosts or ()
    if names:
        topology = cluster.topology()
        neighbors = Neighbors(topology, topology.osds)
        facts = gather(
            cluster,
            plan,
            toolbox,
            lambda: tuple(hosts.link(name).room() for name in names),
            load_hosts=[hosts.describe(name, neighbors) for name in names],
            needs=needs,
            result_database=result_database,
        )
    else:
        facts = gather(
            cluster,
            plan,
            toolbox,
            needs=needs,
            result_database=result_database,
        )
    return preflight(facts, plan, settings, active_run)


def refusal(plan: RunPlan, report: PreflightReport) -> Busy:
    """Return the error of a plan that the preflight does not let pass."""
    what = 'run' if plan.recovery is None else 'test'
    return Busy(f'preflight refuses the {what}: {report.reason}')


def refuse_unseen(
    report: PreflightReport, asked: Optional[FrozenSet[str]]
) -> None:
    """Raise PlanChanged where a check asks for consent and did not before.

    ``asked`` holds the ids of those that did when the plan was looked at;
    None stands for all.
    """
    if asked is None:
        return
    for check in report.checks:
        # two rules may have one id, and one of them may be content
        grave = check.severity in (Severity.REFUSE, Severity.WARN)
        if grave and check.id in report.asks and check.id not in asked:
            raise PlanChanged(
                'this needs consent that it did not need when you saw the '
                f'plan: {check.id}: {check.message}; look at it again'
            )


def refuse_gateways(runner: Runner, group: str) -> None:
    """Raise Busy while the active run may use a group's gateways."""
    recovering, run = runner.recovering, runner.current
    if run is None and recovering:
        runner.refuse_busy()  # of one that goes on the plan is not known yet
    if run and any(g.gateways == group for g in run.plan.groups):
        raise Busy(
            f'run {run.id} uses the gateways of group {group!r}: wait for '
            'it, or cancel it'
        )


class Submission:
    """Submit plans that the preflight lets pass."""

    def __init__(
        self,
        cluster: Needs,
        runner: Runner,
        toolbox: Toolbox,
        settings: Callable[[], Settings],
        hosts: LoadHosts,
        wall: Callable[[], float] = SYSTEM.wall,
        needs: Callable[[RunPlan], Tuple[Need, ...]] = lambda plan: (),
        result_database: Callable[
            [], Optional[ResultDatabase]
        ] = lambda: None,
    ) -> None:
        """``needs`` says what earlier runs showed of a plan's client."""
        self._wall = wall
        self._cluster = cluster
        self._runner = runner
        self._toolbox = toolbox
        self._settings = settings
        self._hosts = hosts
        self._needs = needs
        self._result_database = result_database

    def attempting(self) -> ContextManager[Attempt]:
        """Let a run be stopped from here on, before it is submitted."""
        return self._runner.attempting()

    def refuse_when_stopped(self) -> None:
        """Raise NotPermitted while the option emergency_stop is set."""
        if self._settings().emergency_stop:
            raise NotPermitted(
                'option emergency_stop is set; clear it first: ceph config '
                'set mgr mgr/perfcompare/emergency_stop false'
            )

    def check(self, plan: RunPlan) -> PreflightReport:
        """Return every check for a plan; nothing is touched."""
        current = self._runner.current
        return judge(
            self._cluster,
            plan,
            self._toolbox,
            self._settings(),
            self._hosts,
            current.id if current else None,
            self._needs(plan),
            self._result_database(),
        )

    def submit(
        self,
        plan: RunPlan,
        origin: str,
        next_command: str,
        attempt: Attempt,
        asked: Optional[FrozenSet[str]] = None,
    ) -> Ticket:
        """Check and enqueue a plan; ``next_command`` shows what came of it.

        Raises Busy while another is active, when the preflight refuses or
        when its attempt was stopped; PlanChanged when a check asks for
        consent whose id is not ``asked``; NotPermitted when it needs consent.
        """
        # before preflight, which would find the pools of that run
        self._runner.refuse_busy()
        report = self.check(plan)
        if report.refused:
            raise refusal(plan, report)
        refuse_unseen(report, asked)
        if report.needs_consent:
            raise NotPermitted(
                f'preflight needs your consent: {report.reason}; the plan '
                'is shown by --dry-run'
            )
        self._runner.submit(
            Run(
                id=plan.run,
                state=RunState.QUEUED,
                plan=plan,
                created=self._wall(),
                origin=origin,
                fsid=self._cluster.fsid(),
                ceph_version=self._cluster.ceph_version(),
                module_version=VERSION,
            ),
            attempt,
        )
        return Ticket(
            run=plan.run,
            groups=tuple(g.name for g in plan.groups),
            profile=plan.profile.name,
            seconds=plan.seconds,
            seconds_max=plan.seconds_max,
            bytes_written=plan.bytes_written,
            warnings=tuple(
                f'{c.id}: {c.message}' for c in report.of(Severity.WARN)
            ),
            next_command=next_command,
        )
