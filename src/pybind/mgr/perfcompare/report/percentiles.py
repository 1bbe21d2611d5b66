"""Percentiles of latencies as tables: one line for each operation."""

from typing import Iterator, List, Mapping, NamedTuple, Tuple

from ..analysis import load_parts, probed
from ..analysis.results import Comparison, Row, RowSide
from ..common.units import format_byte_rate, format_latency, format_ops
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
    labels = comparison.baseline.label, comparison.candidate.label
    for row in comparison.rows:
        body = list(_body(row, labels))
        wanted = names([line.stated for line in body])
        if not wanted:
            continue
        # of a mix each direction, or operation, has its own rates
        rates = len(body) > 2
        lines += ['', f'{row.workload}: percentiles of latency{_basis(row)}']
        head = ['operation', 'group', *(['op/s', 'bytes'] if rates else [])]
        lines += columns(
            [*head, *wanted],
            [
                [
                    line.operation,
                    line.group,
                    *(line.rates if rates else ()),
                    *cells(line.stated, wanted),
                ]
                for line in body
            ],
            range(2, len(wanted) + len(head)),
            width,
        )
    return lines[1:]


def _basis(row: Row) -> str:
    """Say whose they are, where not of the load's own operations."""
    found = [s.percentiles_basis for s in (row.baseline, row.candidate)]
    known = list(dict.fromkeys(text for text in found if text))
    begin = f'{probed.BASIS}, '
    if all(text.startswith(begin) for text in known):
        known[1:] = [text[len(begin) :] for text in known[1:]]
    return f', {" and ".join(known)}' if known else ''


class _Line(NamedTuple):
    operation: str
    group: str
    rates: Tuple[str, str]  # operations, bytes
    stated: Mapping[str, float]


def _body(row: Row, labels: Tuple[str, str]) -> Iterator[_Line]:
    """Yield what each operation of each side had, sides side by side."""
    sides = (row.baseline, row.candidate)
    done = sorted({f.name for side in sides for f in side.operations})
    for side, label in zip(sides, labels):
        if side.percentiles:
            rates = format_ops(side.ops_per_s.median), format_byte_rate(
                side.bytes_per_s.median
            )
            yield _Line(ALL, label, rates, side.percentiles)
    for name in done if len(done) > 1 else ():
        for side, label in zip(sides, labels):
            yield _line(side, label, name)
    steps = [f.name for side in sides for f in side.steps]
    for name in dict.fromkeys(steps):
        for side, label in zip(sides, labels):
            for found in side.steps:
                if found.name == name:
                    rates = format_ops(found.ops_per_s), DASH
                    yield _Line(f'at {name}', label, rates, found.percentiles)


def _line(side: RowSide, label: str, name: str) -> _Line:
    for found in side.operations:
        if found.name == name:
            moved = DASH
            if name in load_parts.MOVING:
                moved = format_byte_rate(found.bytes_per_s)
            rates = format_ops(found.ops_per_s), moved
            return _Line(name, label, rates, found.percentiles)
    return _Line(name, label, (DASH, DASH), {})
