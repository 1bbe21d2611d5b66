"""The use cases: what the CLI and the dashboard can ask for.

Commands validate and enqueue; nothing here waits for load, nor for the
database, which only stored results need (results.py).
"""

from typing import Callable, Optional, Protocol, Sequence, Tuple, TypeVar

import dataclasses
import functools
import logging
import secrets
import threading

from ..analysis.hosts_needed import Need
from ..common.clock import SYSTEM
from ..common.errors import PerfcompareError
from ..common.settings import Settings
from ..drivers.s3.gateways import choice as gatewaychoice
from ..drivers.s3.gateways.repository import GatewayRepository
from ..execution import emulation
from ..execution.admission import Attempt
from ..execution.runner import Runner
from ..groups.repository import GroupRepository
from ..guard.abort.watch import rules as abort_rules
from ..guard.checks.preflight import PreflightReport
from ..guard.collect.facts import read_machine
from ..guard.collect.tools import Toolbox
from ..guard.doctor import DoctorReport, doctor
from ..hosts.exporters import FoundExporter
from ..interop.reader import ProcessReader, Reader
from ..model.plan import RunPlan
from ..planning import agreed
from ..planning import inputs as planinputs
from ..planning.options import MAX_SEED
from ..planning.plan import make_plan
from ..planning.profiles.repository import ProfileRepository
from ..ports.agent_keys import AgentKeys
from ..ports.auth import AuthReads
from ..ports.config import ConfigReads
from ..ports.exporters import ExporterReads
from ..ports.faults import DaemonOrders, FaultReads
from ..ports.health import HealthReads
from ..ports.identity import Identity
from ..ports.keys import KeyValueStore
from ..ports.orchestration import ClusterOrchestration
from ..ports.osd_map import OsdMapReads
from ..ports.pgs import PgReads
from ..ports.pools import PoolReads
from ..ports.recovery_reads import RecoveryReads
from ..ports.rules import RuleReads
from ..recovery.observe.interrupted_step import InterruptedStep
from ..recovery.observe.mapwatch import EpochClock
from ..store import retention
from ..store.expiry import Expiry
from ..store.thread import DbThread
from ..undo.journal import Entry, UndoReport
from ..workers.load_hosts import LoadHosts
from . import earlier_loads, ending, result_database
from .errands import LEFT, Errands
from .exporters import ExporterService
from .former_profiles import FormerProfiles
from .imports import Imports
from .load_hosts import LoadHostService
from .recoveries import Recoveries
from .recovery_tests import RecoveryTests
from .requests import (
    PlanDraft,
    RunRequest,
    Status,
    Stopping,
    Ticket,
    consented,
)
from .results import Results
from .submission import Submission, refuse_gateways

log = logging.getLogger(__name__)
T = TypeVar('T')

DEFAULT_PROFILE = 'quick'


class Needs(
    AgentKeys,
    AuthReads,
    ClusterOrchestration,
    ConfigReads,
    DaemonOrders,
    ExporterReads,
    FaultReads,
    HealthReads,
    Identity,
    KeyValueStore,
    OsdMapReads,
    PgReads,
    PoolReads,
    RecoveryReads,
    RuleReads,
    Protocol,
):
    """Name what is asked of a cluster here."""


class Service:
    """Offer the use cases over one cluster."""

    def __init__(
        self,
        cluster: Needs,
        groups: GroupRepository,
        runner: Runner,
        database: DbThread,
        toolbox: Toolbox,
        settings: Callable[[], Settings],
        client_host: Callable[[], str],
        start: Callable[[], object] = lambda: None,
        reader: Optional[Reader] = None,
        clock: Optional[EpochClock] = None,
        cut: Optional[InterruptedStep] = None,
        hosts: Optional[LoadHosts] = None,
    ) -> None:
        self.cluster = cluster
        clock = clock or EpochClock()
        # of commands, and of the dashboard
        self.errands = Errands(now=clock.monotonic, ended=lambda: runner.last)
        self.calls = Errands(
            now=clock.monotonic, ended=lambda: runner.last, left=LEFT
        )
        self._imports = imports = Imports(
            database,
            reader or ProcessReader(),
            self._stored,
            clock.wall,
            runner.importing,
        )
        self.recoveries = Recoveries(
            cluster,
            groups,
            database,
            settings,
            lambda: runner.current.id if runner.current else '',
            clock,
            lambda: not runner.recovering,
            cut,
            imports,
            lambda: runner.resuming,
            runner.undriven.refuse_ending,
        )
        self.gateways = GatewayRepository(
            cluster, functools.partial(refuse_gateways, runner)
        )
        self.groups = groups
        self.profiles = ProfileRepository(cluster)
        self.former_profiles = FormerProfiles(self.profiles, database)
        self._hosts = hosts or LoadHosts(cluster, SYSTEM)
        self.exporters = ExporterService(
            cluster, settings, client_host, self._hosts, self.gateways
        )
        self.load_hosts = LoadHostService(cluster, self._hosts)
        self._runner = runner
        self._database = database
        self._toolbox = toolbox
        self._settings = settings
        self._kept = retention.of_all(settings())
        self._expiry = Expiry(
            self._expire,
            lambda: database.used,
            lambda: bool(settings().retention_days),
            clock.wall,
            clock.monotonic,
        )
        self._client_host = client_host
        self._start = start
        self._submission = Submission(
            cluster,
            runner,
            toolbox,
            settings,
            self._hosts,
            clock.wall,
            self._needs,
            lambda: result_database.ask(database, imports),
        )
        self.tests = RecoveryTests(
            cluster,
            groups,
            runner,
            settings,
            self._submission,
            client_host,
            database,
        )
        self.results = Results(database, runner, settings, imports)

    # life

    def outdate(self, ended: bool = False) -> None:
        """Forget answers that nobody fetched: something is changed."""
        for answers in (self.errands, self.calls):
            answers.outdate(ended)

    def changing(self, work: Callable[[], T]) -> Callable[[], T]:
        """Return work that changes something, and outdates what was made."""

        def changed() -> T:
            self.outdate()
            try:
                return work()
            finally:
                self.outdate()

        return changed

    def serve(self, stopping: threading.Event) -> None:
        """Drive runs until ``stopping`` is set."""
        try:
            self._start()
        except Exception:  # undoing does not need it
            log.exception('folders of former runs')
        self._database.start()
        self.recoveries.start()
        self._hosts.begin(stopping)
        self._runner.serve(stopping, self._expiry.look)
        self.recoveries.stop()
        self._database.stop()

    def shutdown(self) -> None:
        """End load now; called in another thread than ``serve``."""
        self._runner.shutdown()

    def options_changed(self) -> None:
        """React to a changed option."""
        settings = self._settings()
        if settings.emergency_stop:
            self._runner.emergency_stop()
        if retention.of_all(settings) != self._kept:
            self._kept = retention.of_all(settings)
            self._expiry.changed()

    def _stored(self) -> None:
        """Remove what is too much now."""
        self._runner.expire()
        self.recoveries.expire()

    def _expire(self) -> None:
        """Remove what is too much, or old by a clock that is trusted."""
        self._runner.expire(aged=True)
        self.recoveries.expire(aged=True)

    # runs

    def _needs(self, plan: RunPlan) -> Tuple[Need, ...]:
        fsid = self.cluster.fsid()
        return earlier_loads.needs(self._database, plan, fsid)

    def _plan(self, request: RunRequest) -> RunPlan:
        groups = self.groups.resolve_all(request.groups)
        options = consented(request.options(), self._settings())
        options, client = self.load_hosts.chosen(options)
        profile = self.former_profiles.get(request.profile or DEFAULT_PROFILE)
        options, hosts = gatewaychoice.choose(
            self.cluster, groups, profile, options
        )
        seed = request.seed
        if seed is None:
            seed = secrets.randbelow(MAX_SEED)
        known = planinputs.read(
            self.cluster,
            groups,
            options.ec_profile,
            self.gateways.get if options.existing_gateways else None,
            hosts,
            self._settings().gateway_port,
        )
        topology = self.cluster.topology()
        plan = make_plan(
            secrets.token_hex(4),
            groups,
            profile,
            options,
            topology,
            self.cluster.pools(),
            seed,
            client or self._client_host(),
            known,
        )
        slow = emulation.emulated(groups, topology, read_machine())
        labels = plan.labels + emulation.labels(slow)
        return dataclasses.replace(plan, labels=labels)

    def draft(self, request: RunRequest) -> PlanDraft:
        """Return the plan and every check for it; nothing is touched."""
        plan = self._plan(request)
        return PlanDraft(
            plan,
            self._submission.check(plan),
            tuple(abort_rules(self._settings())),
        )

    def preflight(self, request: RunRequest) -> PreflightReport:
        """Return every check for a run, whether it may start or not."""
        return self._submission.check(self._plan(request))

    def start(self, request: RunRequest, seen: str = '') -> Ticket:
        """Check and enqueue a run; return at once.

        Raises PlanChanged where its plan is not that of the digest ``seen``,
        or where checks ask for consent that did not then.
        """
        # checks take seconds, and `stop` is heard meanwhile
        with self._submission.attempting() as attempt:
            return self._start_run(request, seen, attempt)

    def _start_run(
        self, request: RunRequest, seen: str, attempt: Attempt
    ) -> Ticket:
        self._submission.refuse_when_stopped()
        plan = self._plan(request)
        asked = agreed.check(plan, seen)
        names = [g.name for g in plan.groups]
        first, second = (
            names[:2] if len(names) > 1 else ('<other group>', names[0])
        )
        return self._submission.submit(
            plan,
            request.origin,
            f'ceph perfcompare compare {first} {second}',
            attempt,
            asked,
        )

    def status(self) -> Status:
        """Return what runs now, without asking the database."""
        return Status(
            self._runner.progress,
            self._runner.last,
            self._runner.warnings + self._imports.problems(),
        )

    def cancel(self, run: str) -> Stopping:
        """Ask the active run to end in order."""
        return ending.cancel(self._runner, run)

    def stop(self, now: bool, run: str = '') -> Stopping:
        """End the active run, with ``now`` by killing its load first."""
        return ending.stop(self._runner, now, run)

    def journal(self, run: str) -> Sequence[Entry]:
        """Return what a run has in the cluster now, by its journal."""
        return self._runner.journal(run)

    # care

    def doctor(self) -> DoctorReport:
        """Return the tools found, and what hinders runs or results."""
        exporters, problem = self._exporters()
        found = result_database.ask(self._database, self._imports)
        return doctor(
            self._toolbox,
            exporters,
            problem,
            results=found.problems,
            refused=found.refused,
            stored='' if found.refused else self.results.stored(),
        )

    def _exporters(self) -> Tuple[Sequence[FoundExporter], str]:
        """Return the exporters, or why none is looked for."""
        settings = self._settings()
        if settings.without_hosts:
            return (), f'not looked for: {settings.without_hosts}'
        if settings.host_metrics == 'prometheus':
            return (), 'not read: option host_metrics is prometheus'
        try:
            return self.exporters.list().exporters, ''
        except PerfcompareError as error:
            return (), error.message

    def cleanup(self) -> UndoReport:
        """Undo what earlier runs left."""
        return self._runner.cleanup()
