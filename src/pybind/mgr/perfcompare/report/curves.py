"""Write response curves as text: their verdicts, then point by point."""

from typing import Dict, List, Optional, Sequence, Tuple

from ..analysis.results import Comparison, Curve, CurveSide, Estimate, Note
from ..common.units import count, format_latency, format_ops
from . import offered
from .figures import DASH, interval, p_value, ratio, verdict
from .layout import columns, wrap
from .offered import latency, percentiles

PEAK, OFFERED = 'peak', 'offered'
# how notes of a curve's shape are named
TITLES = {
    'knee': 'knee',
    'response-time': 'overall response time',
    'contention': 'contention (USL)',
    'coherency': 'coherency (USL)',
}


def verdicts(comparison: Comparison, width: int) -> List[str]:
    """Print what of curves is judged; nothing where there are none."""
    if not comparison.curves:
        return []
    lines = _table(comparison, width, True)
    if max(len(line) for line in lines) > width:
        lines = _table(comparison, width, False)
    text = (
        'Op/s: medians over rounds of what each round comes to; '
        'Benjamini-Hochberg over '
        f'{comparison.family_size} curve'
        + ('s' if comparison.family_size != 1 else '')
        + '. Points have no verdicts.'
    )
    if any(curve.metric == PEAK for curve in comparison.curves):
        text += ' The point of a peak is chosen by the other rounds.'
    if any(curve.metric == OFFERED for curve in comparison.curves):
        text += (
            ' Of offered load op/s are the highest offered within the limit.'
        )
    return lines + wrap(text, width)


def per_osd(comparison: Comparison, width: int) -> List[str]:
    """Print what is judged of one OSD, where groups have unlike counts."""
    sides = comparison.baseline, comparison.candidate
    if not all(side.osds for side in sides):
        return ['per OSD: not available']
    own = [curve for curve in comparison.curves if curve.per_osd]
    if own:
        lines = _table_per_osd(own, comparison, width, True)
        if max(len(line) for line in lines) > width:
            lines = _table_per_osd(own, comparison, width, False)
        return lines
    if sides[0].osds != sides[1].osds:
        return ['per OSD: not available']
    text = f'Both groups have {count(sides[0].osds, "OSD")}'
    return wrap(f'{text}: the verdicts above hold per OSD too.', width)


def _table_per_osd(
    own: Sequence[Curve], comparison: Comparison, width: int, wide: bool
) -> List[str]:
    header = ['per OSD', 'op/s', *_names(comparison), 'ratio', 'interval']
    header += ['q', 'verdict'] if wide else ['verdict']
    body = [_cells_per_osd(curve, wide) for curve in own]
    return columns(header, body, range(2, len(header) - 1), width)


def _cells_per_osd(curve: Curve, wide: bool) -> List[str]:
    found = curve.per_osd
    assert found is not None
    cells = [curve.name, _what(curve)]
    cells += [
        _figure(side, side.per_osd.median)
        for side in (curve.baseline, curve.candidate)
    ]
    cells += [_ratio(curve, found), interval(found)]
    cells += [p_value(found.q)] if wide else []
    return [*cells, verdict(found)]


def _what(curve: Curve) -> str:
    return curve.slo or (PEAK if curve.metric == PEAK else DASH)


def _table(comparison: Comparison, width: int, wide: bool) -> List[str]:
    names = comparison.baseline.label, comparison.candidate.label
    header = ['curve', 'op/s', *names, 'ratio', 'interval']
    header += ['q', 'rounds'] if wide else []
    header.append('verdict')
    body = []
    for curve in comparison.curves:
        cells = [curve.name, _what(curve)]
        cells += [
            _figure(side, side.figure.median)
            for side in (curve.baseline, curve.candidate)
        ]
        cells += [_ratio(curve, curve.estimate), interval(curve.estimate)]
        if wide:
            cells.append(p_value(curve.estimate.q))
            cells.append(f'{curve.rounds_complete}/{curve.rounds_planned}')
        body.append([*cells, verdict(curve.estimate)])
    return columns(header, body, range(2, len(header) - 1), width)


def _figure(side: CurveSide, median: Optional[float]) -> str:
    """Print a figure; beyond the ladder as a bound of it."""
    sign = '≥ ' if side.above else '≤ ' if side.below else ''
    if side.above and side.below:
        return DASH
    return sign + format_ops(median)


def _ratio(curve: Curve, estimate: Estimate) -> str:
    sign = {'at least': '≥ ', 'at most': '≤ '}.get(curve.censored, '')
    found = ratio(estimate)
    return found if found == DASH else sign + found


def points(comparison: Comparison, width: int) -> List[str]:
    """Print each curve as a table, and what its shape is."""
    lines: List[str] = []
    for curve in comparison.curves:
        table = offered.points if curve.metric == OFFERED else _points
        lines += ['', *table(curve, comparison, width)]
        for text in _remarks(curve, _names(comparison)):
            lines += wrap(f'  {text}', width, '    ')
    return lines[1:]


def _names(comparison: Comparison) -> Tuple[str, str]:
    return comparison.baseline.label, comparison.candidate.label


def _points(curve: Curve, comparison: Comparison, width: int) -> List[str]:
    names = _names(comparison)
    ratios = {row.workload: row.estimate for row in comparison.rows}
    shown = percentiles(curve)
    header = ['in flight', *(f'{name}\nop/s' for name in names), 'ratio']
    header += [f'{name}\n{p}' for name in names for p in shown]
    cpu = any(
        side.host_cpu is not None
        for point in curve.points
        for side in (point.baseline, point.candidate)
    )
    header += [f'{name}\nCPU' for name in names] if cpu else []
    body = []
    for point in curve.points:
        sides = point.baseline, point.candidate
        cells = [point.concurrency + ('' if point.used else ' (left out)')]
        cells += [format_ops(s.ops_per_s.median) for s in sides]
        cells.append(ratio(ratios[point.workload]))
        cells += [latency(s, p) for s in sides for p in shown]
        cells += [_share(s.host_cpu) for s in sides] if cpu else []
        body.append(cells)
    lines = [f'{curve.name}: operations per second and latency']
    return lines + columns(header, body, range(1, len(header)), width)


def _share(value: Optional[float]) -> str:
    return DASH if value is None else f'{100.0 * value:.0f}%'


def _remarks(curve: Curve, names: Sequence[str]) -> List[str]:
    found = []
    sides = curve.baseline, curve.candidate
    if all(side.peak.median is not None for side in sides):
        parts = [
            f'{name} {format_ops(side.peak.median)} at '
            f'{" or ".join(side.peak_at)}'
            for name, side in zip(names, sides)
        ]
        found.append(
            f'peak: {", ".join(parts)}; ratio {ratio(curve.peak)} '
            f'{interval(curve.peak)}'
        )
    known: Dict[str, List[str]] = {}
    for name, side in zip(names, sides):
        for note in side.notes:
            known.setdefault(note.id, []).append(f'{name} {_note(note)}')
    found += [
        f'{TITLES.get(ident, ident)}: {", ".join(parts)}'
        for ident, parts in known.items()
    ]
    return found + list(curve.lacks)


def _note(note: Note) -> str:
    if note.unit == 's':
        value, low, high = (
            format_latency(v) for v in (note.value, note.low, note.high)
        )
    elif note.unit:
        value, low, high = (
            f'{v:g}' for v in (note.value, note.low, note.high)
        )
    else:
        value, low, high = (
            f'{v:.2g}' for v in (note.value, note.low, note.high)
        )
    return f'{value} [{low}, {high}]'


def details(comparison: Comparison) -> List[str]:
    """Say why curves have the verdicts that they have."""
    items = []
    for curve in comparison.curves:
        found = curve.estimate
        if found.detail and found.bound is None:
            items.append(f'{curve.name}: {found.detail}')
        each = curve.per_osd
        if (
            each
            and each.bound is None
            and each.detail not in ('', found.detail)
        ):
            items.append(f'{curve.name} per OSD: {each.detail}')
    return items
