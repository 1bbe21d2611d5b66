"""Print the comparison of a recovery test's groups."""

from typing import List, Optional, Sequence, Tuple

from ...analysis.verdict import Verdict
from ...common.units import (
    count,
    format_bound,
    format_byte_rate,
    format_bytes,
    format_latency,
    format_ops,
)
from ...recovery.judge.compared_rows import COUNT, SHARE, Row, Side, Value
from ...recovery.judge.comparison import RecoveryComparison
from ...recovery.judge.load_names import STALL, is_stall
from ..figures import number
from ..layout import wrap
from ..table import TextTable
from .clients import NO_PERCENTILES
from .text import seconds

NONE = '-'
RATE, BYTES = 'B/s', 'B'
TIMES, CLIENTS, VALUES = 'Times', 'Clients', 'Every value'
HOSTS = 'Hosts'
HOSTS_MEAN = 'mean over the hosts of the OSDs, each step as a whole'
RATIOS = (
    'ratios: {candidate} / {baseline}, of the medians; with a verdict, of the '
    'repetitions in pairs'
)
EXPLAIN = {
    'detected': 'from the fault, or the order, until the OSD map shows it',
    'all detected': 'the same for the last of several OSDs',
    'silent': 'without an answer to heartbeats until the Monitors said down',
    'peered': 'from the OSD map until all PGs serve I/O',
    'redundant': 'until no object lacks a copy',
    'clean': 'until all PGs are clean in their own place',
    'rate': 'bytes recovered while data moved',
    'moved': 'bytes recovered; with more of them times are longer',
}


def tables(found: RecoveryComparison) -> Tuple[TextTable, ...]:
    """Return what there is of times, clients, and all values of both."""
    made = [
        _table(title, found, rows)
        for title, rows in (
            (TIMES, found.times),
            (CLIENTS, found.client),
            (HOSTS, found.hosts),
        )
        if rows
    ]
    if found.repetitions > 1:
        made.append(_values(found))
    return tuple(made)


def render(found: RecoveryComparison) -> str:
    """Return the tables, what they mean, and notes."""
    lines = [
        f'recovery test {found.test}: {found.scenario}, '
        f'{count(found.repetitions, "repetition")} on each group',
    ]
    for group, ways in found.ways.items():
        if ways:
            lines.append(f'{group}: data came back by {", ".join(ways)}')
    for group, kinds in found.found_down.items():
        lines.append(f'{group}: stopped OSDs found by: {", ".join(kinds)}')
    shown = {one.title: str(one) for one in tables(found)}
    if shown and len(found.groups) == 2:
        baseline, candidate = found.groups
        lines += ['', RATIOS.format(baseline=baseline, candidate=candidate)]
    if found.times:
        lines += ['', shown[TIMES]]
        used = {row.figure for row in found.times}
        lines += [
            f'{name}: {text}'
            for name, text in EXPLAIN.items()
            if name in used
        ]
    if found.client:
        lines += ['', shown[CLIENTS]]
        if any(row.shares for row in found.client):
            lines.append('(%): share of the median without failure')
        if not any('latency p' in row.figure for row in found.client):
            lines.append(NO_PERCENTILES)
    if found.hosts:
        lines += ['', shown[HOSTS], HOSTS_MEAN]
    if VALUES in shown:
        lines.append('above: median (lowest…highest) of the repetitions')
        lines += ['', shown[VALUES]]
    cut = {row.unit for row in found.times if row.cut}
    if cut - {RATE}:
        lines.append('> not reached when it was stopped: longer than this')
    if RATE in cut:
        lines.append('~ of what had moved when it was stopped')
    if any(row.rough for row in found.times):
        lines.append('~ known to no better than a tenth of it')
    if found.notes:
        lines.append('')
        for note in found.notes:
            lines += wrap(f'note: {note}', 100)
    return '\n'.join(lines)


def _table(
    title: str, found: RecoveryComparison, rows: Sequence[Row]
) -> TextTable:
    two = len(found.groups) == 2
    header = ['FIGURE', 'PHASE', *found.groups]
    if two:
        header += ['RATIO', 'VERDICT']
    body = []
    for row, name in _named(rows):
        cells = [name, row.title, *_sides(row)]
        if two:
            cells += [_ratio(row), verdict_text(row)]
        body.append(tuple(cells))
    right = tuple(range(2, 2 + len(found.groups) + (1 if two else 0)))
    return TextTable(title, tuple(header), tuple(body), right)


def _values(found: RecoveryComparison) -> TextTable:
    """Return what each repetition gave: n is small, so all is shown."""
    rounds = range(1, found.repetitions + 1)
    header = ['FIGURE', 'PHASE', 'GROUP', *(f'#{n}' for n in rounds)]
    body = []
    rows = (found.times, found.client, found.hosts)
    for row, name in [named for some in rows for named in _named(some)]:
        for i, side in enumerate(row.sides):
            known = {v.repetition: _value(v, _unit(row)) for v in side.values}
            first = ['', ''] if i else [name, row.title]
            cells = (known.get(n, NONE) for n in rounds)
            body.append((*first, side.group, *cells))
    right = tuple(range(3, 3 + found.repetitions))
    return TextTable(VALUES, tuple(header), tuple(body), right)


def _named(rows: Sequence[Row]) -> List[Tuple[Row, str]]:
    """Return rows in order; each figure has its name at its first row."""
    found: List[Tuple[Row, str]] = []
    last = ''
    for row in sorted(rows, key=_place):
        found.append((row, row.figure if row.figure != last else ''))
        last = row.figure
    return found


ORDER = (
    'detected',
    'all detected',
    'silent',
    'peered',
    'redundant',
    'clean',
    'rate',
    'moved',
)


def _place(row: Row) -> Tuple[int, str, int]:
    place = ORDER.index(row.figure) if row.figure in ORDER else len(ORDER)
    return place, '' if place < len(ORDER) else row.figure, row.step


def _sides(row: Row) -> List[str]:
    cells = [_side(side, _unit(row)) for side in row.sides]
    for i, share in enumerate(row.shares):
        if share is not None:
            cells[i] += f' ({share:.0%})'
    return cells


def _unit(row: Row) -> str:
    return 'stall' if is_stall(row.figure) else row.unit


def _side(side: Side, unit: str) -> str:
    if not side.values:
        return NONE
    if len(side.values) == 1:
        return _value(side.values[0], unit)
    low, high = _number(side.low, unit), _number(side.high, unit)
    median = _number(side.median, unit)
    rough = '~' if side.rough else ''
    if unit == RATE:
        sign = '~' if side.cut else rough
        return f'{sign}{median} ({low}…{high})'
    sign = '>' if side.censored else rough
    most = '>' if side.cut else ''
    return f'{sign}{median} ({low}…{most}{high})'


def _value(value: Value, unit: str) -> str:
    text = _number(value.value, unit)
    if value.censored and unit != RATE:
        return f'>{text}'
    return f'~{text}' if value.censored or value.rough else text


def _number(value: Optional[float], unit: str) -> str:
    if value is None:
        return NONE
    if unit == RATE:
        return format_byte_rate(value)
    if unit == BYTES:
        return format_bytes(value)
    if unit == SHARE:
        return f'{value:.1%}'
    if unit == COUNT:
        return f'{value:.0f}'
    if unit == '1/s':
        return format_ops(value)
    if unit == 'stall' and value < STALL:
        return f'< {STALL:g} s'
    if value < 0.1:
        return format_latency(value)
    return seconds(value)


def _ratio(row: Row) -> str:
    return NONE if row.difference is None else number(1.0 + row.difference)


def verdict_text(row: Row) -> str:
    """Return the verdict with its interval, its bound or its reason."""
    if row.verdict is None:
        return NONE
    if row.verdict is Verdict.INCONCLUSIVE:
        return f'{row.verdict.value} ({row.reason})'
    text: str = row.verdict.value
    if row.interval is not None and row.estimate is not None:
        low, high = row.interval
        text += f' {number(row.estimate)} [{number(low)}, {number(high)}]'
    if row.bound is not None:
        text += f', < {format_bound(row.bound)}'
    return text
