"""The use cases of stored results: show, judge, keep and remove them.

All of it asks the database, with a limit.
"""

from typing import (
    Callable,
    Iterator,
    List,
    Mapping,
    Optional,
    Sequence,
    Tuple,
)

import dataclasses

from ..analysis.across import intended
from ..analysis.comparison import compare
from ..analysis.describe import trial_notes
from ..analysis.evidence import limits_of
from ..analysis.findings.summary import RunFindings, run_findings
from ..analysis.results import Comparison
from ..analysis.sides import RunTrials, Side
from ..common.clock import SYSTEM
from ..common.errors import (
    Busy,
    InProgress,
    InvalidArgument,
    NotFound,
    PerfcompareError,
)
from ..common.settings import Settings
from ..common.units import format_bytes
from ..execution.runner import Runner
from ..hosts.overview import HostsOverview, overview
from ..interop.request import AUTO, ImportRequest
from ..metrics import osd_table
from ..model.run import Run, RunState
from ..model.series import Table
from ..model.trial import Trial
from ..ports.clock import Clock
from ..store.exports import Exports
from ..store.results import RunPage, TrialKey
from ..store.thread import DbThread
from . import errands, row_evidence, selection
from .imports import Imports
from .removal import PATIENCE, removing
from .requests import RunDetail, RunOsds, TrialOsds, page_of, search_of
from .verdicts import RunJudge

PAGE = 200  # trials that are read at a time
PAGE_BYTES = 1 << 20  # of them as they are stored: ten times that as data


class Results:
    """Offer what the database holds of runs."""

    def __init__(
        self,
        database: DbThread,
        runner: Runner,
        settings: Callable[[], Settings],
        imported: Imports,
        clock: Clock = SYSTEM,
    ) -> None:
        self._database = database
        self._runner = runner
        self._settings = settings
        self._exports = Exports(database)
        self._patience = errands.Patience()
        self._imports = imported
        self._clock = clock
        self._judge = RunJudge(
            database,
            lambda baseline, candidate, run: self.compare(
                baseline, candidate, [run]
            ),
            lambda: limits_of(settings()),
            clock,
        )

    def list(
        self,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        find: Optional[str] = None,
        sort: Optional[str] = None,
    ) -> RunPage:
        """Return a page of the runs that match, the newest first.

        Runs that are not judged yet are judged meanwhile.
        """
        limit, offset = page_of(limit, offset)
        find, sort = search_of(find, sort)
        page = self._database.call(
            lambda store: store.list_runs(
                limit=limit, offset=offset, find=find, sort=sort
            )
        )
        self._judge.wake()
        runs = [
            dataclasses.replace(r, state=self._state(r.id, r.state))
            for r in page.runs
        ]
        return dataclasses.replace(page, runs=tuple(runs))

    def _state(self, run: str, stored: RunState) -> RunState:
        """Return a run's state: one that is taken over is resuming."""
        now = self._runner.progress
        if now is None or now.run != run or stored.ended:
            return stored
        return now.state if now.state is RunState.RESUMING else stored

    def show(self, run: str, brief: bool = False) -> RunDetail:
        """Return a run with its trials.

        ``brief`` leaves out their manifests and evidence: with 1,000 OSDs
        these are tens of megabytes.
        """

        found, size = self._database.call(
            lambda store: (store.get_run(run), store.run_size(run))
        )
        state = self._state(run, found.state)
        return RunDetail(
            dataclasses.replace(found, state=state),
            self._trials(run, brief),
            size,
        )

    def _trials(self, run: str, brief: bool = False) -> Tuple[Trial, ...]:
        """Return the trials of a run, read page by page.

        What the run under way stores, and others ask, comes in between.
        """
        found: List[Trial] = []
        for page in self._pages(run, PAGE, brief=brief):
            found += page
        return tuple(found)

    def _pages(
        self, run: str, number: int, **parts: bool
    ) -> Iterator[Tuple[Trial, ...]]:
        """Yield the trials of a run; ``parts`` are those of Store.trials."""
        first = 0
        while True:
            page = self._page(run, first, number, parts)
            yield page
            first += number
            if len(page) < number:
                return

    def _page(
        self, run: str, first: int, number: int, parts: Mapping[str, bool]
    ) -> Tuple[Trial, ...]:
        return self._database.call(
            lambda s: s.trials(run, first=first, number=number, **parts),
            timeout=30.0,
        )

    def _fitting(self, run: str) -> int:
        """Return how many trials of a run may be in memory at one time."""
        size, trials = self._database.call(
            lambda s: (s.run_size(run), s.count_trials(run))
        )
        each = max(1, size // max(1, trials))
        return max(1, min(PAGE, PAGE_BYTES // each))

    def trial(self, run: str, key: TrialKey) -> Trial:
        """Return one trial with its manifest and evidence."""
        return self._database.call(lambda store: store.trial(run, key))

    def trial_key(
        self,
        run: str,
        round: Optional[int],
        workload: Optional[str],
        group: Optional[str],
    ) -> TrialKey:
        """Return the key of the one trial that these words tell.

        Of several attempts it is the last. Raises NotFound where there is
        none, InvalidArgument where there are several.
        """
        wanted = {'round': round, 'workload': workload, 'group': group}
        given = {n: v for n, v in wanted.items() if v is not None}
        found = {}
        for t in self._trials(run, brief=True):
            if all(getattr(t, name) == v for name, v in given.items()):
                found[t.round, t.workload, t.group] = t
        told = ' '.join(f'--{n} {str(v)[:60]}' for n, v in given.items())
        if not found:
            raise NotFound(
                f'run {run} has no trial with {told}; ceph perfcompare show '
                f'{run} lists them'
            )
        if len(found) > 1:
            open_ = [f'--{n}' for n, v in wanted.items() if v is None]
            raise InvalidArgument(
                f'{len(found)} trials of run {run} are meant: give '
                + ' and '.join(open_)
            )
        (one,) = found.values()
        return TrialKey(one.round, one.block, one.attempt, one.position)

    def osds(self, run: str, top: Optional[int] = None) -> RunOsds:
        """Return the OSDs of a run by workload and group.

        At most ``top`` of each, with how many were left out.
        """
        _check_top(top)
        found = osd_table.OsdTables()
        # evidence of thousands of OSDs is large: it is not held as a whole
        for page in self._pages(run, self._fitting(run), manifests=False):
            for trial in page:
                found.add(trial)
        return RunOsds(
            run,
            tuple(
                dataclasses.replace(
                    table,
                    rows=table.rows[:top],
                    more=len(table.rows[top:]) if top else 0,
                )
                for table in found.tables()
            ),
        )

    def trial_osds(
        self, run: str, key: TrialKey, top: Optional[int] = None
    ) -> TrialOsds:
        """Return the OSDs of one trial, at most ``top`` of them."""
        _check_top(top)
        table = osd_table.one(self.trial(run, key))
        rows = table.rows[:top]
        return TrialOsds(
            dataclasses.replace(table, rows=rows),
            len(table.rows),
            osd_table.spreads(table),
        )

    def findings(self, run: str) -> RunFindings:
        """Return what limited the trials of a run."""
        detail = self.show(run)
        found = run_findings(
            detail.run, detail.trials, limits_of(self._settings())
        )
        notes = tuple(trial_notes(detail.trials))
        return dataclasses.replace(found, notes=notes)

    def hosts(self, run: str) -> HostsOverview:
        """Return the hosts of a run side by side."""
        detail = self.show(run)
        return overview(detail.run, detail.trials)

    def remove(self, run: str) -> None:
        """Remove the results of a run; Busy while it goes on, or may."""
        current = self._runner.current
        if current is not None and current.id == run:
            raise Busy(
                f'run {run} is active; cancel it first: ceph perfcompare '
                f'cancel {run}'
            )
        try:
            self._remove(run)
        except Busy:
            self._runner.undriven.refuse_driven(run)
            # its end was lost, or is one of another version
            self._remove(run, cut=True)
        self._exports.removed(run)

    def _remove(self, run: str, cut: bool = False) -> None:
        self._database.call(
            removing(lambda s: s.run_size(run), lambda s: s.rm_run(run, cut)),
            timeout=PATIENCE,
        )

    def export(self, run: str) -> str:
        """Return a run as JSON, complete with its raw samples.

        InProgress says how far a large one is, after a moment.
        """
        try:
            return self._exports.text(run, self._patience.seconds())
        except InProgress:
            self._patience.in_vain()
            raise

    def series(self, run: str, key: TrialKey, source: str) -> Table:
        """Return one raw series of a trial."""
        return self._database.call(
            lambda store: store.series(run, key, source)
        )

    def row_evidence(
        self,
        baseline: str,
        candidate: str,
        runs: Sequence[str],
        row: str,
        round: str = '',
        across: Sequence[str] = (),
    ) -> row_evidence.RowEvidence:
        """Return what is behind one row of a comparison."""
        meant = intended(across)
        chosen = self._chosen(baseline, candidate, runs)
        return row_evidence.read(
            self._database,
            lambda run: self._trials(run, brief=True),
            chosen,
            row,
            round,
            self._clock,
            meant,
        )

    def _chosen(
        self, baseline: str, candidate: str, runs: Sequence[str]
    ) -> Tuple[selection.Chosen, selection.Chosen]:
        return self._database.call(
            lambda store: selection.sides(
                store, baseline, candidate, tuple(runs)
            ),
            timeout=10.0,
        )

    def import_run(
        self,
        text: Optional[str],
        tool: str = AUTO,
        group: Optional[str] = None,
        label: str = '',
    ) -> Run:
        """Store an exported run, or results of another tool as a run.

        Busy while a run is active, whose host reading would load.
        """
        if not text:
            raise InvalidArgument(
                'no file is given; use: ceph perfcompare import -i <file>'
            )
        request = ImportRequest(text, tool, group, label)
        request.check()
        if request.exported:
            request.refuse_words()
        return self._imports.run(request)

    def stored(self) -> str:
        """Say how much is stored; '' where the database does not answer."""
        try:
            runs, recoveries = self._database.call(lambda s: s.usage())
        except PerfcompareError:
            return ''
        text = (
            f'{format_bytes(runs)} of runs and {format_bytes(recoveries)} of '
            'recoveries are stored'
        )
        most = self._settings().retention_bytes
        if most:
            text += (
                f'; up to {format_bytes(most)} are kept of each kind: runs, '
                'observed recoveries, tests, and imported ones of each apart'
            )
        return text

    def compare(
        self,
        baseline: str,
        candidate: str,
        runs: Sequence[str],
        across: Sequence[str] = (),
    ) -> Comparison:
        """Compare two groups; see selection.py for which runs count.

        ``across`` names what is meant to differ, see analysis/across.py.
        """
        intended(across)  # before anything is read
        settings = self._settings()
        chosen = self._chosen(baseline, candidate, runs)
        wanted = {run.id: run for _, found in chosen for run in found}
        known = {
            ident: RunTrials(run, self._trials(ident))
            for ident, run in wanted.items()
        }
        left, right = (
            Side(group, tuple(known[run.id] for run in found))
            for group, found in chosen
        )
        return compare(left, right, limits_of(settings), tuple(across))


def _check_top(top: Optional[int]) -> None:
    if top is not None and top < 1:
        raise InvalidArgument(f'--top {top} is out of range; give 1 or more')
