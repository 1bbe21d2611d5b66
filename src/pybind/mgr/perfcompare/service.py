"""The use cases: what the CLI and the dashboard can ask for.

Commands validate and enqueue; nothing here waits for load. Only calls that
need stored results ask the database, with a limit.
"""

from typing import Callable, List, Optional, Sequence, Tuple

import dataclasses
import secrets
import threading
import time

from . import archive, gatewaychoice, planinputs
from . import profiles as profile_files
from . import selection
from .analysis.comparison import compare
from .analysis.evidence import limits_of
from .analysis.findings.summary import RunFindings, run_findings
from .analysis.results import Comparison
from .cluster import Cluster
from .dbthread import DbThread
from .errors import AlreadyExists, Busy, InvalidArgument
from .gatewaybook import GatewayBook
from .groupbook import GroupBook
from .guard.abort import rules as abort_rules
from .guard.doctor import DoctorReport, doctor
from .guard.preflight import PreflightReport
from .guard.tools import Toolbox
from .hosts.book import ExporterBook
from .hosts.overview import HostsOverview, overview
from .interop.reader import ProcessReader, Reader
from .interop.request import ImportRequest
from .interop.runs import make as run_of
from .journal import Entry, UndoReport
from .metrics import osd_table
from .models.plan import RunPlan
from .models.run import Run
from .models.trial import Trial
from .models.workload import Profile
from .plan import MAX_SEED, make_plan
from .plantext import describe
from .recovery.mapwatch import EpochClock
from .recovery.testing import RecoveryTests
from .recovery.usecases import Recoveries
from .runner import Runner
from .series_codec import Table
from .settings import Settings
from .store import RunPage, Store, TrialKey, key_of
from .submission import Submission
from .usecases import (
    PlanText,
    RunDetail,
    RunOsds,
    RunRequest,
    Status,
    Stopping,
    Ticket,
    TrialOsds,
)

DEFAULT_PROFILE = 'quick'
PAGE = 20
MAX_PAGE = 1000
IMPORT_LIMIT = 256 * 1024 * 1024


class Service:
    """Offer the use cases over one cluster."""

    def __init__(
        self,
        cluster: Cluster,
        groups: GroupBook,
        runner: Runner,
        database: DbThread,
        toolbox: Toolbox,
        settings: Callable[[], Settings],
        client_host: Callable[[], str],
        start: Callable[[], object] = lambda: None,
        reader: Optional[Reader] = None,
        clock: Optional[EpochClock] = None,
    ) -> None:
        self.cluster = cluster
        self.recoveries = Recoveries(
            cluster,
            groups,
            database,
            settings,
            lambda: runner.current.id if runner.current else '',
            clock or EpochClock(),
            lambda: not runner.recovering,
        )
        self.gateways = GatewayBook(cluster)
        self.groups = groups
        self.exporters = ExporterBook(cluster, settings, client_host)
        self._runner = runner
        self._database = database
        self._toolbox = toolbox
        self._settings = settings
        self._client_host = client_host
        self._start = start
        self._submission = Submission(cluster, runner, toolbox, settings)
        self.tests = RecoveryTests(
            cluster,
            groups,
            runner,
            settings,
            self._submission,
            client_host,
            database,
        )
        self._reader = reader or ProcessReader()

    # life

    def serve(self, stopping: threading.Event) -> None:
        """Drive runs until ``stopping`` is set."""
        self._start()
        self._database.start()
        self.recoveries.start()
        self._runner.serve(stopping)
        self.recoveries.stop()
        self._database.stop()

    def shutdown(self) -> None:
        """End load now; called in another thread than ``serve``."""
        self._runner.shutdown()

    def options_changed(self) -> None:
        """React to a changed option."""
        if self._settings().emergency_stop:
            self._runner.emergency_stop()

    # profiles

    def profiles(self) -> List[Profile]:
        """Return the profiles, by name."""
        return [p for _, p in sorted(profile_files.builtin().items())]

    def profile(self, name: str) -> Profile:
        """Return one profile."""
        return profile_files.get(name)

    # runs

    def _plan(self, request: RunRequest) -> RunPlan:
        groups = self.groups.resolve_all(request.groups)
        options = request.options()
        profile = profile_files.get(request.profile or DEFAULT_PROFILE)
        options, hosts = gatewaychoice.choose(
            self.cluster, groups, profile, options
        )
        seed = request.seed
        if seed is None:
            seed = secrets.randbelow(MAX_SEED)
        return make_plan(
            secrets.token_hex(4),
            groups,
            profile,
            options,
            self.cluster.topology(),
            self.cluster.pools(),
            seed,
            self._client_host(),
            planinputs.read(
                self.cluster,
                groups,
                options.ec_profile,
                self.gateways if options.existing_gateways else None,
                hosts,
            ),
        )

    def plan(self, request: RunRequest) -> PlanText:
        """Return the whole plan of a run; nothing is touched."""
        plan = self._plan(request)
        text = describe(plan, abort_rules(self._settings()))
        return PlanText(plan, text)

    def draft(self, request: RunRequest) -> Tuple[PlanText, PreflightReport]:
        """Return the plan and every check for it; nothing is touched."""
        draft = self.plan(request)
        return draft, self._submission.check(draft.plan)

    def preflight(self, request: RunRequest) -> PreflightReport:
        """Return every check for a run, whether it may start or not."""
        return self._submission.check(self._plan(request))

    def start(self, request: RunRequest) -> Ticket:
        """Check and enqueue a run; return at once."""
        self._submission.refuse_when_stopped()
        plan = self._plan(request)
        names = [g.name for g in plan.groups]
        first, second = (
            names[:2] if len(names) > 1 else ('<other group>', names[0])
        )
        return self._submission.submit(
            plan,
            request.origin,
            f'ceph perfcompare compare {first} {second}',
        )

    def status(self) -> Status:
        """Return what runs now, without asking the database."""
        return Status(
            self._runner.progress, self._runner.last, self._runner.warnings
        )

    def list_runs(
        self, limit: Optional[int] = None, offset: Optional[int] = None
    ) -> RunPage:
        """Return a page of runs, the newest first."""
        limit = PAGE if limit is None else limit
        offset = 0 if offset is None else offset
        if not 1 <= limit <= MAX_PAGE:
            raise InvalidArgument(f'limit {limit} is not within 1…{MAX_PAGE}')
        if offset < 0:
            raise InvalidArgument(f'offset {offset} must not be negative')
        return self._database.call(
            lambda store: store.list_runs(limit=limit, offset=offset)
        )

    def show(self, run: str, brief: bool = False) -> RunDetail:
        """Return a run with its trials.

        ``brief`` leaves out their manifests and evidence: with 1,000 OSDs
        these are tens of megabytes.
        """

        def work(store: Store) -> RunDetail:
            return RunDetail(
                store.get_run(run),
                store.trials(run, brief=brief),
                store.run_size(run),
            )

        return self._database.call(work)

    def trial(self, run: str, key: TrialKey) -> Trial:
        """Return one trial with its manifest and evidence."""
        return self._database.call(lambda store: store.trial(run, key))

    def osds(self, run: str) -> RunOsds:
        """Return the OSDs of a run by workload and group."""
        found = osd_table.OsdTables()
        # one by one: evidence of thousands of OSDs is large, and what the
        # run under way wants to store must not wait for all of it
        for trial in self.show(run, brief=True).trials:
            found.add(self.trial(run, key_of(trial)))
        return RunOsds(run, tuple(found.tables()))

    def trial_osds(
        self, run: str, key: TrialKey, top: Optional[int] = None
    ) -> TrialOsds:
        """Return the OSDs of one trial, at most ``top`` of them."""
        table = osd_table.one(self.trial(run, key))
        rows = table.rows if top is None else table.rows[: max(0, top)]
        return TrialOsds(
            dataclasses.replace(table, rows=rows),
            len(table.rows),
            osd_table.spreads(table),
        )

    def findings(self, run: str) -> RunFindings:
        """Return what limited the trials of a run."""
        detail = self.show(run)
        return run_findings(
            detail.run, detail.trials, limits_of(self._settings())
        )

    def hosts(self, run: str) -> HostsOverview:
        """Return the hosts of a run side by side."""
        detail = self.show(run)
        return overview(detail.run, detail.trials)

    def cancel(self, run: str) -> Stopping:
        """Ask the active run to end in order."""
        self._runner.cancel(run)
        return Stopping(run, False)

    def stop(self, now: bool) -> Stopping:
        """End the active run; with ``now`` its load is dead on return."""
        return Stopping(self._runner.stop(now), now)

    def remove(self, run: str) -> None:
        """Remove the results of an ended run."""
        current = self._runner.current
        if current is not None and current.id == run:
            raise Busy(
                f'run {run} is active; cancel it first: ceph perfcompare '
                f'cancel {run}'
            )
        self._database.call(lambda store: store.rm_run(run))

    def export(self, run: str) -> str:
        """Return a run as JSON, complete with its raw samples."""
        found, records = self._database.call(
            lambda store: store.records(run), timeout=30.0
        )
        # not in the database's thread, whose writes must not wait for it
        return archive.export(found, records)

    def series(self, run: str, key: TrialKey, source: str) -> Table:
        """Return one raw series of a trial."""
        return self._database.call(
            lambda store: store.series(run, key, source)
        )

    def journal(self, run: str) -> Sequence[Entry]:
        """Return what a run has in the cluster now, by its journal."""
        return self._runner.journal(run)

    def import_run(
        self,
        text: Optional[str],
        tool: str = 'auto',
        group: Optional[str] = None,
        label: str = '',
    ) -> Run:
        """Store an exported run, or results of another tool as a run.

        Commands come one after the other: reading a large file would keep
        `stop --now` waiting, so it is refused while a run is active.
        """
        if not text:
            raise InvalidArgument(
                'no file is given; use: ceph perfcompare import -i <file>'
            )
        self._runner.refuse_busy()
        if len(text) > IMPORT_LIMIT:
            raise InvalidArgument(
                f'the file has {len(text)} characters; at most '
                f'{IMPORT_LIMIT} are read'
            )
        request = ImportRequest(text, tool, group, label)
        request.check()
        exported = request.exported
        if exported:
            request.refuse_words()
            found = archive.parse(text)
        else:
            reading = self._reader.read(text, tool)
            run, records = run_of(reading, text, group, label, time.time())
            found = archive.Archive(run, tuple(records))

        def work(store: Store) -> Run:
            if not exported and store.has_run(found.run.id):
                raise AlreadyExists(
                    f'this file is stored already, as run {found.run.id}'
                )
            return store.get_run(archive.add(store, found))

        return self._database.call(work, timeout=30.0)

    def compare(
        self, baseline: str, candidate: str, runs: Sequence[str]
    ) -> Comparison:
        """Compare two groups; see selection.py for which runs count."""
        settings = self._settings()
        sides = self._database.call(
            lambda store: selection.sides(
                store, baseline, candidate, tuple(runs)
            ),
            timeout=10.0,
        )
        return compare(*sides, limits_of(settings))

    # care

    def doctor(self) -> DoctorReport:
        """Return the tools found and what is missing without them."""
        return doctor(self._toolbox, self.exporters.list().exporters)

    def cleanup(self) -> UndoReport:
        """Undo what earlier runs left."""
        return self._runner.cleanup()
