"""Print the OSDs of a run: a table for each group and workload."""

from typing import List

from ..app.requests import RunOsds, TrialOsds
from ..common.units import count, format_byte_rate, format_latency, format_ops
from ..metrics.osd_table import OsdRow, OsdTable
from .table import table

MOST = 20  # rows of a table; --format json has all

HEADER = (
    'OSD', 'OPS', 'THROUGHPUT', 'SHARE', 'LATENCY', 'QUEUED', 'COMMIT',
    'DEVICE', 'REPLICA', 'INSIDE', 'Z', 'BY',
)  # fmt: skip


def osds(found: RunOsds) -> str:
    """Show the OSDs of a run, the unlike ones first."""
    if not found.tables:
        return (
            f'run {found.run} has no judged trial with counters of OSDs; '
            'the conditioning round does not count'
        )
    text = '\n\n'.join(_one(t) for t in found.tables)
    return (
        text + '\n\nmedians over the trials; LATENCY as the OSD sees it, '
        'QUEUED the part before it took the operation up,\nDEVICE one read '
        'or write of the data device; Z is the robust score of the figure '
        'in BY'
    )


def trial(found: TrialOsds) -> str:
    """Show the OSDs of one trial, and how their figures are spread."""
    rows = [
        [
            name,
            *(
                _figure(name, value)
                for value in (
                    s.min, s.p10, s.p25, s.p50, s.p75, s.p90, s.max,
                )
            ),
        ]
        for name, s in found.spreads.items()
    ]  # fmt: skip
    text = _one(found.table)
    if found.osds > len(found.table.rows):
        text += f'\n{len(found.table.rows)} of {found.osds} OSDs'
    if not rows:
        return text
    heads = ['FIGURE', 'LEAST', 'P10', 'P25', 'MEDIAN', 'P75', 'P90', 'MOST']
    return text + '\n\nover all OSDs:\n' + table(heads, rows, range(1, 8))


def _figure(name: str, value: float) -> str:
    if name == 'ops_per_s':
        return format_ops(value)
    if name == 'bytes_per_s':
        return format_byte_rate(value)
    if name == 'share':
        return f'{value:.1%}'
    return f'{value:.1f}' if name == 'inside' else format_latency(value)


def _one(found: OsdTable) -> str:
    lines = [
        f'{found.workload} on {found.group}: '
        f'{count(len(found.rows), "OSD")}, {count(found.trials, "trial")}'
    ]
    for kind, values in found.histograms.items():
        known = ', '.join(
            f'{name} {format_latency(value)}'
            for name, value in values.items()
        )
        lines.append(
            f'{kind} latency of all: {known} ({found.accuracy})'
            if known
            else f'{kind} latency of all: not available (too few operations)'
        )
    if found.tenants_ops_per_s is not None:
        lines.append(
            'other pools on these OSDs: '
            + format_ops(found.tenants_ops_per_s)
        )
    if found.silent:
        names = ', '.join(f'osd.{o}' for o in found.silent[:MOST])
        lines.append(f'not available: {names}')
    shown = found.rows[:MOST]
    rows = [_cells(f'osd.{row.osd}', row) for row in shown]
    if len(found.rows) > 1:
        rows.append(_cells('(median)', found.median))
    lines.append(table(HEADER, rows, range(1, 11)))
    if len(found.rows) > MOST:
        lines.append(
            f'{len(found.rows) - MOST} more are less unlike the others; '
            '--format json has all'
        )
    return '\n'.join(lines)


def _cells(name: str, row: OsdRow) -> List[str]:
    return [
        name,
        format_ops(row.ops_per_s) if row.ops_per_s is not None else '-',
        (
            format_byte_rate(row.bytes_per_s)
            if row.bytes_per_s is not None
            else '-'
        ),
        f'{row.share:.1%}' if row.share is not None else '-',
        *(
            format_latency(value) if value is not None else '-'
            for value in (
                row.latency,
                row.queued,
                row.commit,
                row.device,
                row.replica,
            )
        ),
        f'{row.inside:.1f}' if row.inside is not None else '-',
        f'{row.z:.1f}' if row.z is not None else '-',
        row.slow_by,
    ]
