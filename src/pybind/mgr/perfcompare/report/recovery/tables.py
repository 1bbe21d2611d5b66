"""A recovery as tables, for whoever shows them elsewhere than in the CLI."""

from typing import List, Tuple, Union

from ...model.recovery import Episode, RecoveryTest, Timeline
from ...recovery.judge.comparison import compare
from ..table import TextTable
from . import clients as clienttext
from . import comparison as comparisontext
from .text import PHASE_HEADER, phase_cells

PHASES = 'Phases'


def tables(
    item: Union[Episode, RecoveryTest],
    baseline: str = '',
    candidate: str = '',
) -> Tuple[TextTable, ...]:
    """Return the comparison of two groups of a test, and all phases.

    Raises InvalidArgument for groups that the test does not have.
    """
    if isinstance(item, Episode):
        return (_phases([('', t) for t in item.timelines]),)
    timelines = [
        (f'{s.title}, repetition {s.repetition}', s.timeline)
        for s in sorted(item.steps, key=lambda s: (s.index, s.repetition))
        if s.timeline is not None
    ]
    return (
        *comparisontext.tables(compare(item, baseline, candidate)),
        _phases(timelines),
    )


def _phases(timelines: List[Tuple[str, Timeline]]) -> TextTable:
    rows = [
        (t.scope, title, *phase_cells(p), clienttext.brief(p.client))
        for title, t in timelines
        for p in t.phases
    ]
    header = ('GROUP', 'STEP', *PHASE_HEADER, 'CLIENTS')
    return TextTable(PHASES, header, tuple(rows), tuple(range(3, 9)))
