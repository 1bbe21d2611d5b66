"""Percentiles of latencies as tables: one line for each operation."""

from typing import Dict, Iterator, List, Mapping, Tuple

from ..analysis.results import Comparison, Row, RowSide
from ..common.units import format_latency
from .layout import columns

DASH = '-'  # too few operations are beyond it
ALL = 'all'


def order(name: str) -> float:
    """Return the place of 'p99.9' among others; other names come first."""
    try:
        return float(name.lstrip('p'))
    except ValueError:
        return 0.0


def names(stated: List[Mapping[str, float]]) -> List[str]:
    """Return the names of percentiles that any of some states, in order."""
    return sorted({name for one in stated for name in one}, key=order)


def cells(stated: Mapping[str, float], wanted: List[str]) -> List[str]:
    """Return what stands in a line of a table."""
    return [
        format_latency(stated[name]) if name in stated else DASH
        for name in wanted
    ]


def tables(comparison: Comparison, width: int) -> List[str]:
    """Return the lines of a table for each row that has percentiles."""
    lines: List[str] = []
    for row in comparison.rows:
        body = list(_body(row))
        wanted = names([stated for _, stated in body])
        if not wanted:
            continue
        lines += ['', f'{row.workload}: percentiles of latency{_basis(row)}']
        lines += columns(
            ['operation', 'group', *wanted],
            [[*key, *cells(stated, wanted)] for key, stated in body],
            range(2, len(wanted) + 2),
            width,
        )
    return lines[1:]


def _basis(row: Row) -> str:
    """Say whose they are, where not of the load's own operations."""
    found = [s.percentiles_basis for s in (row.baseline, row.candidate)]
    known = list(dict.fromkeys(text for text in found if text))
    return f', {" and ".join(known)}' if known else ''


def _body(row: Row) -> Iterator[Tuple[Tuple[str, str], Dict[str, float]]]:
    """Yield operation and group with percentiles, groups side by side."""
    sides = (row.baseline, row.candidate)
    done = sorted({f.name for side in sides for f in side.operations})
    for side in sides:
        if side.percentiles:
            yield (ALL, side.group), side.percentiles
    for name in done if len(done) > 1 else ():
        for side in sides:
            yield (name, side.group), _stated(side, name)


def _stated(side: RowSide, name: str) -> Dict[str, float]:
    for found in side.operations:
        if found.name == name:
            return found.percentiles
    return {}
