"""The use cases of stored results: show, judge, keep and remove them.

All of it asks the database, with a limit.
"""

from typing import Callable, Optional, Sequence

import dataclasses
import time

from . import archive, selection
from .analysis.comparison import compare
from .analysis.evidence import limits_of
from .analysis.findings.summary import RunFindings, run_findings
from .analysis.results import Comparison
from .dbthread import DbThread
from .errors import AlreadyExists, Busy, InvalidArgument
from .exports import Exports
from .hosts.overview import HostsOverview, overview
from .interop.reader import ProcessReader, Reader
from .interop.request import ImportRequest
from .interop.runs import make as run_of
from .metrics import osd_table
from .models.run import Run
from .models.trial import Trial
from .runner import Runner
from .series_codec import Table
from .settings import Settings
from .store import RunPage, Store, TrialKey, key_of
from .usecases import RunDetail, RunOsds, TrialOsds, page_of

PATIENCE = 1.0  # seconds: `stop --now` waits for other commands
IMPORT_LIMIT = 256 * 1024 * 1024  # characters


class Results:
    """Offer what the database holds of runs."""

    def __init__(
        self,
        database: DbThread,
        runner: Runner,
        settings: Callable[[], Settings],
        reader: Optional[Reader] = None,
    ) -> None:
        self._database = database
        self._runner = runner
        self._settings = settings
        self._exports = Exports(database)
        self._reader = reader or ProcessReader()

    def list(
        self, limit: Optional[int] = None, offset: Optional[int] = None
    ) -> RunPage:
        """Return a page of runs, the newest first."""
        limit, offset = page_of(limit, offset)
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

    def remove(self, run: str) -> None:
        """Remove the results of an ended run."""
        current = self._runner.current
        if current is not None and current.id == run:
            raise Busy(
                f'run {run} is active; cancel it first: ceph perfcompare '
                f'cancel {run}'
            )
        self._database.call(lambda store: store.rm_run(run))

    def export(self, run: str, patience: float = PATIENCE) -> str:
        """Return a run as JSON, complete with its raw samples.

        TryAgain says how far a large one is after ``patience`` seconds.
        """
        return self._exports.text(run, patience)

    def series(self, run: str, key: TrialKey, source: str) -> Table:
        """Return one raw series of a trial."""
        return self._database.call(
            lambda store: store.series(run, key, source)
        )

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
