"""Try whether a record can be used: all that shows it is made once.

What a run recorded with its trials has no schema of its own: each part is
typed by who wrote it. A file could hold anything there, and `show`, its
tables and every comparison that takes the run would meet it in the Manager.
So whoever reads such parts reads them here first, in the reader's process.
"""

from typing import Any, Dict, Iterator, List, Sequence, Tuple

import dataclasses

from ..analysis.comparison import compare
from ..analysis.evidence import Limits
from ..analysis.findings.summary import run_findings
from ..analysis.sides import RunTrials, Side
from ..app.recoveries import RecoveryDetail
from ..app.requests import RunDetail, RunOsds
from ..common.errors import InvalidArgument, NotFound
from ..hosts.overview import overview
from ..metrics import osd_table
from ..model.recovery import Episode, RecoveryTest
from ..model.run import Run
from ..model.series import Table
from ..model.trial import Trial, TrialState
from ..recovery.judge import chart, comparison
from ..recovery.store.briefs import brief, kind_of
from ..report import findings as findings_text
from ..report import hosts as hosts_text
from ..report import listing
from ..report import osds as osds_text
from ..report import text
from ..report.recovery import comparison as comparisontext
from ..report.recovery import notes, tables
from ..report.recovery import text as recovery_text

PART = 100  # trials at a time: some of it grows faster than their number
ODD = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)


def try_run(run: Run, trials: Sequence[Trial]) -> None:
    """Raise InvalidArgument when a run or a trial cannot be shown."""
    _attempt('content.run', lambda: listing.run(RunDetail(run, ())))
    for trial in trials:
        where = (
            f'the trial of {trial.workload} on {trial.group} in round '
            f'{trial.round}'
        )
        # void and conditioning trials are not looked at as closely
        judged = dataclasses.replace(
            trial, round=max(1, trial.round), state=TrialState.OK
        )
        _attempt(where, lambda: _show(run, (judged,)))
    for part in _parts(trials):
        _attempt('the trials', lambda: _compare(run, part))


def _attempt(where: str, use: Any) -> None:
    try:
        use()
    except ODD as error:
        raise InvalidArgument(
            f'{where}: what is recorded there cannot be read '
            f'({type(error).__name__}: {str(error)[:100]})'
        ) from None


def _show(run: Run, trials: Tuple[Trial, ...]) -> None:
    seen = osd_table.OsdTables()
    for trial in trials:
        seen.add(trial)
        osd_table.spreads(osd_table.one(trial))
    listing.run(RunDetail(run, trials))
    osds_text.osds(RunOsds(run.id, tuple(seen.tables())))
    hosts_text.render(overview(run, trials))
    findings_text.render(run_findings(run, trials, Limits()))


def _parts(trials: Sequence[Trial]) -> Iterator[List[Trial]]:
    ordered = sorted(trials, key=lambda t: (t.workload, t.round, t.block))
    for at in range(0, len(ordered), PART):
        yield list(ordered[at : at + PART])


def _compare(run: Run, trials: List[Trial]) -> None:
    names = [group.name for group in run.plan.groups]
    held = (RunTrials(run, tuple(trials)),)
    for name in names[1:]:
        try:
            found = compare(Side(names[0], held), Side(name, held))
        except (InvalidArgument, NotFound):
            continue  # such as groups without a common workload
        text.render(found)


def try_recovery(item: Any, series: Dict[str, Table]) -> None:
    """Raise InvalidArgument when a recovery cannot be shown."""

    def use() -> None:
        brief(item)
        detail = RecoveryDetail(kind_of(item), item, tuple(series))
        recovery_text.shown(detail)
        tables.tables(item)
        notes.notes(item)
        if isinstance(item, RecoveryTest):
            try:
                found = comparison.compare(item)
            except (InvalidArgument, NotFound):
                return
            comparisontext.render(found)
            for number in sorted({s.repetition for s in item.steps})[:20]:
                _chart(item, number, series)
        else:
            assert isinstance(item, Episode)

    _attempt('content.item', use)


def _chart(
    item: RecoveryTest, repetition: int, series: Dict[str, Table]
) -> None:
    def of(name: str) -> Sequence[Table]:
        return [series[name]] if name in series else ()

    try:
        chart.tracks(item, of, repetition, None)
    except (InvalidArgument, NotFound):
        pass
