"""Print what limited each side of a comparison, and its further metrics."""

from typing import Collection, List, Optional, Sequence, Tuple

from ..analysis.efficiency import EFFICIENCY, METRICS
from ..analysis.findings.summary import Limited
from ..analysis.findings.table import NOT_AVAILABLE
from ..analysis.results import Comparison, MetricRow, Row
from ..common.units import count
from .figures import interval, p_value, ratio, verdict
from .layout import columns, wrap

_DASH = '-'
_VALUES, _Q = 'values', 'q'
# what a narrow table does without, the least loss first; never the basis:
# what was measured is another thing than what an operator says
_LEFT_OUT = ((), (_VALUES,), (_VALUES, _Q))
# what is no rate and no time is not fast
_PLAIN = {'faster': 'better', 'slower': 'worse'}


def limits(comparison: Comparison, width: int) -> List[str]:
    """Say in a line for each cell what limited it."""
    cells = [
        (row.workload, name, side.limited)
        for row in comparison.rows
        for name, side in (
            (comparison.baseline.label, row.baseline),
            (comparison.candidate.label, row.candidate),
        )
    ]
    if all(
        found.limit == NOT_AVAILABLE and not found.outliers
        for _, _, found in cells
    ):
        return wrap(
            'What limited the groups: not available (see '
            '`ceph perfcompare show <run> --findings`).',
            width,
        )
    lines = ['What limited each side (more with `show <run> --findings`):']
    for workload, label, found in cells:
        text = f'  {workload} {label}: {found.text}{_slow(found)}'
        lines += wrap(text, width, '    ')
    return lines


def _slow(limited: Limited) -> str:
    if not limited.outliers:
        return ''
    osds = ', '.join(f'osd.{slow.osd}' for slow in limited.outliers[:4])
    more = ', …' if len(limited.outliers) > 4 else ''
    return f'; outlier: {osds}{more}'


def metrics(
    comparison: Comparison, chosen: Sequence[str], width: int
) -> List[str]:
    """Print the chosen further metrics, one table row for each."""
    if not chosen:
        return []
    table: List[str] = []
    for left_out in _LEFT_OUT:
        table = _table(comparison, chosen, width, left_out)
        if table and max(map(len, table)) <= width:
            break
    lines = table
    if table:
        judged = comparison.metrics_family_size
        lines += wrap(
            'Medians of trials; op/s per what the name says; `as op/s`: both '
            'groups have as much, so no verdict of its own. q: '
            f'Benjamini-Hochberg over {count(judged, "row")} of further '
            'metrics. Latencies have verdicts in an open loop, and where a '
            f'probe saw them{_probes(comparison)}.',
            width,
        )
    for text in dict.fromkeys(
        f'  {ids}: needs {needs}'
        for row in comparison.rows
        for ids, needs in _missing(row, chosen)
    ):
        lines += wrap(text, width, '    ')
    return lines


def _probes(comparison: Comparison) -> str:
    judged = comparison.probe_family_size
    return f' (q over {count(judged, "row")} of theirs)' if judged else ''


def _missing(row: Row, chosen: Sequence[str]) -> List[Tuple[str, str]]:
    found = []
    for text in row.metrics_missing:
        ids, _, needs = text.partition(': needs ')
        ours = [name for name in ids.split(', ') if name in chosen]
        if ours:
            found.append((', '.join(ours), needs))
    return found


def _table(
    comparison: Comparison,
    chosen: Sequence[str],
    width: int,
    left_out: Collection[str],
) -> List[str]:
    names = comparison.baseline.label, comparison.candidate.label
    header = ['further metrics', 'workload']
    header += [] if _VALUES in left_out else names
    header += ['ratio', 'interval']
    header += [] if _Q in left_out else ['q']
    header += ['basis', 'verdict']
    body = []
    for metric in METRICS:
        if metric.id not in chosen:
            continue
        for row in comparison.rows:
            for one in row.metrics:
                if one.id == metric.id:
                    body.append(_cells(row, one, left_out))
    if not body:
        return []
    return columns(header, body, range(2, len(header) - 2), width)


def _cells(row: Row, one: MetricRow, left_out: Collection[str]) -> List[str]:
    found = [one.id, row.workload]
    if _VALUES not in left_out:
        found += [
            _value(side.median, one.unit)
            for side in (one.baseline, one.candidate)
        ]
    found += [ratio(one.estimate), interval(one.estimate)]
    if _Q not in left_out:
        found.append(p_value(one.estimate.q))
    by = f' ({one.source})' if one.source else ''
    return found + [one.basis + by, _verdict(one)]


def _verdict(one: MetricRow) -> str:
    text = verdict(one.estimate) or one.estimate.detail or _DASH
    if one.kind != EFFICIENCY:
        return text
    word, space, rest = text.partition(' ')
    return _PLAIN.get(word, word) + space + rest


def _value(value: Optional[float], unit: str) -> str:
    """Return a value with its unit, three digits however small."""
    if value is None:
        return _DASH
    if unit != 's':
        return f'{value:.3g}' if value < 999.5 else f'{value:,.0f}'
    for factor, name in ((1.0, 's'), (1e3, 'ms'), (1e6, 'us')):
        if value * factor >= 0.9995 or name == 'us':
            return f'{value * factor:.3g} {name}'
    return _DASH
