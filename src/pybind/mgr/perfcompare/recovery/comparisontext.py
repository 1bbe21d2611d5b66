"""Print the comparison of a recovery test's groups."""

from typing import List, Optional, Sequence, Tuple

from ..analysis.verdict import Verdict
from ..report.layout import wrap
from ..report.table import table
from ..units import count, format_byte_rate, format_latency, format_ops
from .clienttext import NO_PERCENTILES
from .comparison import COUNT, RecoveryComparison, Row, Side, Value
from .text import seconds

NONE = '-'
STALL = 1.0  # seconds; shorter ones are not seen
FEW = 3  # values that are all printed; beyond, median and range
EXPLAIN = {
    'detected': 'from the fault, or the order, until the OSD map shows it',
    'peered': 'from then until all PGs serve I/O',
    'redundant': 'until no object lacks a copy',
    'clean': 'until all PGs are clean in their own place',
    'rate': 'bytes recovered while data moved',
}


def render(found: RecoveryComparison) -> str:
    """Return both tables, what they mean, and notes."""
    lines = [
        f'recovery test {found.test}: {found.scenario}, '
        f'{count(found.repetitions, "repetition")} on each group',
    ]
    for group, ways in found.ways.items():
        if ways:
            lines.append(f'{group}: data came back by {", ".join(ways)}')
    if found.times:
        lines += ['', 'TIMES', _table(found, found.times)]
        used = {row.figure for row in found.times}
        lines += [
            f'{name}: {text}'
            for name, text in EXPLAIN.items()
            if name in used
        ]
    if found.client:
        lines += ['', 'CLIENTS', _table(found, found.client)]
        if any(row.shares for row in found.client):
            lines.append('(%): share of the median without failure')
        if not any('latency p' in row.figure for row in found.client):
            lines.append(NO_PERCENTILES)
    if any(s.censored for r in (*found.times, *found.client)
           for s in r.sides):  # fmt: skip
        lines.append('> not reached when it was stopped: longer than this')
    if found.notes:
        lines.append('')
        for note in found.notes:
            lines += wrap(f'note: {note}', 100)
    return '\n'.join(lines)


def _table(found: RecoveryComparison, rows: Sequence[Row]) -> str:
    two = len(found.groups) == 2
    header = ['FIGURE', 'PHASE', *found.groups]
    if two:
        header += ['DIFFERENCE', 'VERDICT']
    body: List[List[str]] = []
    last = ''
    for row in sorted(rows, key=_place):
        name = row.figure if row.figure != last else ''
        last = row.figure
        cells = [name, row.title]
        cells += _sides(row)
        if two:
            cells += [_difference(row), _verdict(row)]
        body.append(cells)
    right = tuple(range(2, 2 + len(found.groups) + (1 if two else 0)))
    return table(header, body, right)


ORDER = ('detected', 'peered', 'redundant', 'clean', 'rate')


def _place(row: Row) -> Tuple[int, str, int]:
    place = ORDER.index(row.figure) if row.figure in ORDER else len(ORDER)
    return place, '' if place < len(ORDER) else row.figure, row.step


def _sides(row: Row) -> List[str]:
    unit = 'stall' if row.figure.endswith('stall') else row.unit
    cells = [_side(side, unit) for side in row.sides]
    for i, share in enumerate(row.shares):
        if share is not None:
            cells[i] += f' ({share:.0%})'
    return cells


def _side(side: Side, unit: str) -> str:
    if not side.values:
        return NONE
    if len(side.values) <= FEW:
        return ' '.join(_value(v, unit) for v in side.values)
    sign = '> ' if side.censored else ''
    return (
        f'{sign}{_number(side.median, unit)} '
        f'({_number(side.low, unit)}…{_number(side.high, unit)})'
    )


def _value(value: Value, unit: str) -> str:
    text = _number(value.value, unit)
    return f'>{text}' if value.censored else text


def _number(value: Optional[float], unit: str) -> str:
    if value is None:
        return NONE
    if unit == 'B/s':
        return format_byte_rate(value)
    if unit == COUNT:
        return f'{value:.0f}'
    if unit == '1/s':
        return format_ops(value)
    if unit == 'stall' and value < STALL:
        return f'< {STALL:g} s'
    if value < 0.1:
        return format_latency(value)
    return seconds(value)


def _difference(row: Row) -> str:
    return NONE if row.difference is None else f'{row.difference:+.0%}'


def _verdict(row: Row) -> str:
    if row.verdict is None:
        return NONE
    if row.verdict is Verdict.INCONCLUSIVE:
        return f'{row.verdict.value} ({row.reason})'
    text: str = row.verdict.value
    if row.interval is not None and row.estimate is not None:
        low, high = row.interval
        text += f' {row.estimate:.2f} [{low:.2f}, {high:.2f}]'
    return text
