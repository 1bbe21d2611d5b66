"""Write a comparison as plain text for 80 to 120 columns."""

from typing import Dict, List, Sequence

from ..analysis.measured import IntervalKind, Rule
from ..analysis.results import (
    Across,
    Comparison,
    Description,
    OrderEffect,
    Row,
    Spread,
)
from ..analysis.verdict import bound_text
from ..common.units import count, format_byte_rate, format_latency, format_ops
from ..model.workload import CacheRegime
from . import curves, further, percentiles
from .figures import DASH, interval, number, p_value, ratio, verdict
from .layout import columns, wrap

DEFAULT_WIDTH = 100


def render(
    comparison: Comparison,
    width: int = DEFAULT_WIDTH,
    metrics: Sequence[str] = (),
) -> str:
    """Return the whole report, without a newline at its end.

    ``metrics`` are the ids of the further metrics to print.
    """
    figures = (
        [
            curves.verdicts(comparison, width),
            curves.per_osd(comparison, width),
            curves.points(comparison, width),
        ]
        if comparison.curves
        else [
            _verdicts(comparison, width),
            _absolute(comparison, width),
            _per_osd(comparison, width),
        ]
    )
    sections = [
        _heading(comparison, width),
        *figures,
        further.metrics(comparison, metrics, width),
        further.limits(comparison, width),
        _details(comparison, width),
        _noted(comparison, width),
        _order(comparison, width),
        _confounders(comparison, width),
        _list('Not available:', comparison.missing, width),
        _list('Warnings:', comparison.warnings, width),
        _trials(comparison, width),
    ]
    return '\n\n'.join('\n'.join(lines) for lines in sections if lines)


def _heading(comparison: Comparison, width: int) -> List[str]:
    names = comparison.baseline.label, comparison.candidate.label
    how = 'paired by block' if comparison.paired else 'unpaired'
    runs = ', '.join(comparison.runs)
    plural = 's' if len(comparison.runs) > 1 else ''
    lines = [f'{names[1]} (candidate) against {names[0]} (baseline)']
    for found in comparison.across:
        lines += wrap(_across(found), width, '  ')
    lines += wrap(
        f'run{plural} {runs}; profile {", ".join(comparison.profiles)}; '
        f'{comparison.tool}; {how}; rule {comparison.analysis}',
        width,
        '  ',
    )
    for role, side in (
        ('baseline', comparison.baseline),
        ('candidate', comparison.candidate),
    ):
        lines += wrap(f'{role:9}  {_description(side)}', width, ' ' * 11)
    return lines


def _across(found: Across) -> str:
    if not found.baseline:
        return f'ACROSS {found.name}: nothing of it differs between the sides'
    return (
        f'ACROSS {found.name}: {"; ".join(found.baseline)} → '
        f'{"; ".join(found.candidate)}'
    )


def _description(side: Description) -> str:
    hosts = f' on {", ".join(side.hosts)}' if side.hosts else ''
    osds = count(side.osds, 'OSD') if side.osds else 'OSDs not available'
    parts = [f'{side.label}: {osds}{hosts}']
    if side.arch:
        parts.append(', '.join(side.arch))
    if side.ceph_version:
        parts.append(f'Ceph {", ".join(side.ceph_version)}')
    parts += side.labels
    parts += [f'note: {note}' for note in side.notes]
    return '; '.join(parts)


def _blocks(row: Row) -> str:
    text = f'{row.blocks_complete}/{row.blocks_planned}'
    return text + '*' if row.stopped_after is not None else text


def _verdicts(comparison: Comparison, width: int) -> List[str]:
    """Print what is judged."""
    lines = _verdict_table(comparison, width, True)
    wide = _fit(lines, width)
    if not wide:
        lines = _verdict_table(comparison, width, False)
    return lines + wrap(_legend(comparison, wide), width)


def _fit(lines: Sequence[str], width: int) -> bool:
    """Say whether a wide table fits, or must leave columns out."""
    return max(len(line) for line in lines) <= width


def _verdict_table(
    comparison: Comparison, width: int, wide: bool
) -> List[str]:
    names = comparison.baseline.label, comparison.candidate.label
    header = ['workload', *names]
    header += ['ratio\n(paired)' if comparison.paired else 'ratio']
    header += ['interval', 'q', 'blocks'] if wide else ['interval']

    def cells(row: Row) -> List[str]:
        found = [
            row.workload,
            format_ops(row.baseline.ops_per_s.median),
            format_ops(row.candidate.ops_per_s.median),
            ratio(row.estimate),
            interval(row.estimate),
        ]
        if wide:
            found += [p_value(row.estimate.q), _blocks(row)]
        return found + [verdict(row.estimate)]

    body = [cells(row) for row in comparison.rows]
    header.append('verdict')
    return columns(header, body, range(1, len(header) - 1), width)


def _legend(comparison: Comparison, wide: bool) -> str:
    """Say what the columns of the first table are."""
    kinds: List[str] = []
    for row in comparison.rows:
        estimate = row.estimate
        if estimate.coverage is None or estimate.kind is None:
            continue
        if estimate.kind is IntervalKind.RANGE:
            text = f'range of {estimate.n}'
        else:
            text = f'{_coverage(estimate.coverage)}%'
        if text not in kinds:
            kinds.append(text)
    text = f'Medians of trials; interval: {", ".join(kinds) or "none"}'
    m = comparison.family_size
    what = 'q' if wide else 'verdicts'
    text += f'; {what}: Benjamini-Hochberg over {count(m, "row")}'
    if len(comparison.family_groups) > 1:
        text += f' ({", ".join(comparison.family_groups)})'
    if any(row.stopped_after is not None for row in comparison.rows):
        text += '; * stopped early by --adaptive'
    elif any(row.rule is Rule.ADAPTIVE for row in comparison.rows):
        text += '; adaptive'
    return text + '.'


def _coverage(percent: float) -> str:
    """Return a coverage; above 99.9 with the digits that tell it apart."""
    return f'{percent:.1f}' if percent < 99.9 else f'{percent:.4g}'


def _spread(spread: Spread) -> str:
    """Return how far the trials lie from their median, at most."""
    if spread.median is None or spread.min is None or spread.max is None:
        return DASH
    away = max(spread.max - spread.median, spread.median - spread.min)
    return f'±{100 * away / spread.median:.0f}%'


def _absolute(comparison: Comparison, width: int) -> List[str]:
    lines = _absolute_table(comparison, width, True)
    text = 'Latency: average in a closed loop, without a verdict.'
    if _fit(lines, width):
        text += ' Spread: farthest trial from the median op/s.'
    else:
        lines = _absolute_table(comparison, width, False)
    cached = [
        row.workload
        for row in comparison.rows
        if row.cache is CacheRegime.CACHED
        and (row.op.reads or row.op.facts.both)
    ]
    if cached:
        text += (
            f" Read from the OSDs' caches, as planned: {', '.join(cached)}."
        )
    found = percentiles.tables(comparison, width)
    if not found:
        return lines + wrap(f'{text} Percentiles: not available.', width)
    return [*lines, *wrap(text, width), '', *found]


def _absolute_table(
    comparison: Comparison, width: int, wide: bool
) -> List[str]:
    names = comparison.baseline.label, comparison.candidate.label
    header = ['in all', *names, *(f'{name}\nlatency' for name in names)]
    header += [f'{name}\nspread' for name in names] if wide else ['blocks']
    header.append('load')

    def cells(row: Row) -> List[str]:
        sides = row.baseline, row.candidate
        found = [row.workload]
        found += [format_byte_rate(s.bytes_per_s.median) for s in sides]
        found += [format_latency(s.latency_avg.median) for s in sides]
        if wide:
            found += [_spread(s.ops_per_s) for s in sides]
        else:
            found.append(_blocks(row))
        return found + [row.label]

    body = [cells(row) for row in comparison.rows]
    return columns(header, body, range(1, len(header) - 1), width)


def _per_osd(comparison: Comparison, width: int) -> List[str]:
    if not (comparison.baseline.osds and comparison.candidate.osds):
        return ['per OSD: not available']
    lines = _per_osd_table(comparison, width, True)
    if not _fit(lines, width):
        lines = _per_osd_table(comparison, width, False)
    osds = comparison.baseline.osds, comparison.candidate.osds
    judged = any(row.per_osd.verdict is not None for row in comparison.rows)
    if not judged and osds[0] == osds[1]:
        text = f'Both groups have {count(osds[0], "OSD")}'
        lines += wrap(f'{text}: the verdicts above hold per OSD too.', width)
    return lines


def _per_osd_table(
    comparison: Comparison, width: int, wide: bool
) -> List[str]:
    names = comparison.baseline.label, comparison.candidate.label
    judged = any(row.per_osd.verdict is not None for row in comparison.rows)
    header = ['per OSD', *names, *(names if wide else ()), 'ratio']
    header.append('interval')
    if judged:
        header += ['q', 'verdict'] if wide else ['verdict']

    def cells(row: Row) -> List[str]:
        sides = row.baseline, row.candidate
        found = [row.workload]
        found += [format_ops(s.ops_per_s_per_osd.median) for s in sides]
        if wide:
            rates = [s.bytes_per_s_per_osd.median for s in sides]
            found += [format_byte_rate(rate) for rate in rates]
        found += [ratio(row.per_osd), interval(row.per_osd)]
        if judged:
            found += [p_value(row.per_osd.q)] if wide else []
            found.append(verdict(row.per_osd) or DASH)
        return found

    body = [cells(row) for row in comparison.rows]
    last = len(header) - (1 if judged else 0)
    return columns(header, body, range(1, last), width)


def _details(comparison: Comparison, width: int) -> List[str]:
    items = curves.details(comparison)
    for row in comparison.rows:
        if row.estimate.detail and row.estimate.bound is None:
            items.append(f'{row.workload}: {row.estimate.detail}')
    per_osd: Dict[str, List[str]] = {}
    for row in comparison.rows:
        found = row.per_osd
        if found.bound is not None and found.detail == bound_text(
            found.bound
        ):
            continue  # the table has it
        if found.detail and found.detail != row.estimate.detail:
            per_osd.setdefault(found.detail, []).append(row.workload)
    for detail, workloads in per_osd.items():
        items.append(f'{", ".join(workloads)} per OSD: {detail}')
    return _list('Reasons:', items, width)


def _noted(comparison: Comparison, width: int) -> List[str]:
    items: List[str] = []
    for row in comparison.rows:
        for found in row.reasons:
            if not found.holds:
                words = 'only the faster side: ' if found.at_least else ''
                items.append(
                    f'{row.workload}: {found.id}: {words}{found.evidence}'
                )
    return _list('Noted, and no reason against a verdict:', items, width)


def _order(comparison: Comparison, width: int) -> List[str]:
    if not comparison.paired:
        return []
    lines = ['Order of the two trials of a block:']
    if comparison.order is None:
        return lines + ['  effect unknown: needs blocks in both orders']
    for row in comparison.rows:
        if row.order is not None:
            text = f'{row.workload}: {_order_text(row.order, comparison)}'
            lines += wrap('  ' + text, width, '    ')
    over = _second_place(comparison.order)
    return lines + wrap(f'  over all rows: {over}', width, '    ')


def _order_text(effect: OrderEffect, comparison: Comparison) -> str:
    parts = []
    for group, blocks, found in (
        (
            comparison.baseline.label,
            effect.baseline_first,
            effect.ratio_baseline_first,
        ),
        (
            comparison.candidate.label,
            effect.candidate_first,
            effect.ratio_candidate_first,
        ),
    ):
        if found is not None:
            parts.append(f'{group} first {blocks}× {number(found)}')
    parts.append(_second_place(effect))
    return ', '.join(parts)


def _second_place(effect: OrderEffect) -> str:
    if effect.second_place is None:
        return 'effect unknown (one order only)'
    percent = 100.0 * (effect.second_place - 1.0)
    return f'being second {percent:+.1f}%'


def _confounders(comparison: Comparison, width: int) -> List[str]:
    if not comparison.confounders:
        return []
    names = comparison.baseline.label, comparison.candidate.label
    title = 'Where the manifests differ (each may explain a difference):'
    body = [
        [
            f'  {found.field}',
            ', '.join(found.baseline),
            ', '.join(found.candidate)
            + (' (intended)' if found.intended else ''),
        ]
        for found in comparison.confounders
    ]
    lines = columns(['  field', *names], body, width=width)
    if _fit(lines, width):
        return wrap(title, width) + lines
    items = [
        f'{field.strip()}: {names[0]} {first}; {names[1]} {second}'
        for field, first, second in body
    ]
    return _list(title, items, width)


def _trials(comparison: Comparison, width: int) -> List[str]:
    items = [
        f'{count(found.count, "void trial")} of {found.group}: {found.reason}'
        for found in comparison.void_trials
    ]
    if comparison.repeated_blocks:
        items.append(f'{count(comparison.repeated_blocks, "block")} repeated')
    items += [f'left out: {text}' for text in comparison.incomplete_blocks]
    return _list('Trials:', items, width)


def _list(title: str, items: Sequence[str], width: int) -> List[str]:
    if not items:
        return []
    lines = wrap(title, width)
    for item in items:
        lines += wrap(f'  {item}', width, '    ')
    return lines
