"""Print the journal of a run: what it has in the cluster now."""

from typing import Sequence

from ..undo.entries import Entry
from .table import table


def entries(run: str, found: Sequence[Entry]) -> str:
    """Return one line for each thing, in the order in which it was made."""
    if not found:
        return f'nothing of run {run} is left in the cluster'
    return table(
        ['#', 'KIND', 'NAME', 'STEP', 'WAS', 'SET TO'],
        [
            [
                str(e.seq),
                e.kind.value,
                e.name,
                e.step.value,
                (e.previous or '-') if e.was_set else '-',
                e.value or '-',
            ]
            for e in found
        ],
        (0,),
    )
