"""Print what limited the trials of a run, and where to look."""

from typing import Dict, List, Sequence

from ..analysis.findings.sources import Source
from ..analysis.findings.summary import Cell, Finding, RunFindings
from ..analysis.findings.words import show
from ..common.units import count, format_latency
from .layout import columns, wrap

WIDTH = 100


def render(found: RunFindings, width: int = WIDTH) -> str:
    """Return findings as text, without a newline at its end."""
    if not found.cells:
        return f'run {found.run} has no judged trials yet'
    sections = [
        _limits(found, width),
        _figures(found, width),
        _outliers(found, width),
        _balance(found),
        _where(found, width),
    ]
    return '\n\n'.join('\n'.join(lines) for lines in sections if lines)


def _limits(found: RunFindings, width: int) -> List[str]:
    body = [
        [c.workload, c.group, f'{c.limited.of}', c.limited.text]
        for c in found.cells
    ]
    head = ['WORKLOAD', 'GROUP', 'TRIALS', 'LIMIT']
    return columns(head, body, (2,), width, 30)


def _figures(found: RunFindings, width: int) -> List[str]:
    """List every figure that passed its threshold, with its evidence."""
    body = []
    for cell in found.cells:
        for one in cell.limited.findings:
            body.append(
                [
                    cell.workload,
                    cell.group,
                    one.metric,
                    show(one.value, one.unit),
                    show(one.threshold, one.unit),
                    '-' if one.share is None else f'{one.share:.0%}',
                    f'{one.trials}/{cell.limited.of}',
                    ', '.join(one.places[:1]) or '-',
                ]
            )
    if not body:
        return []
    head = [
        'WORKLOAD', 'GROUP', 'FIGURE', 'VALUE', 'THRESHOLD', 'OF WINDOW',
        'TRIALS', 'SUCH AS',
    ]  # fmt: skip
    return columns(head, body, (3, 4, 5, 6), width, 20)


def _outliers(found: RunFindings, width: int) -> List[str]:
    body = [
        [
            cell.workload,
            cell.group,
            f'osd.{slow.osd}',
            slow.metric,
            format_latency(slow.value),
            format_latency(slow.median),
            f'{slow.z:.1f}',
            f'{slow.trials}/{cell.limited.of}',
        ]
        for cell in found.cells
        for slow in cell.limited.outliers
    ]
    if not body:
        return []
    head = [
        'WORKLOAD', 'GROUP', 'OUTLIER', 'FIGURE', 'VALUE', 'MEDIAN',
        'Z', 'TRIALS',
    ]  # fmt: skip
    lines = columns(head, body, (4, 5, 6, 7))
    lines += wrap(found.outlier_direction, width)
    return lines + _sources(found.outlier_sources)


def _balance(found: RunFindings) -> List[str]:
    def text(cells: Sequence[Cell], of: str) -> str:
        known = [
            (ratio, getattr(c.limited, f'{of}_counted'))
            for c in cells
            for ratio in [getattr(c.limited, f'{of}_max_mean')]
            if ratio is not None
        ]
        name = 'OSDs' if of == 'osds' else of
        if not known:
            return f'{name} not available'
        ratio, counted = max(known)
        who = f'{counted[0]} of {counted[1]} {name}' if counted else name
        return f'{who} {ratio:.2f}'

    by_group: Dict[str, List[Cell]] = {}
    for cell in found.cells:
        by_group.setdefault(cell.group, []).append(cell)
    return [
        'Largest max/mean of work:',
        *(
            f'  {group}: over {text(cells, "osds")}, of CPU '
            f'over {text(cells, "hosts")}'
            for group, cells in by_group.items()
        ),
    ]


def _where(found: RunFindings, width: int) -> List[str]:
    """Say once for each direction where to look."""
    by_direction: Dict[str, List[Finding]] = {}
    for cell in found.cells:
        for one in cell.limited.findings:
            by_direction.setdefault(one.direction, []).append(one)
    lines: List[str] = []
    for direction, held in by_direction.items():
        limits = ', '.join(dict.fromkeys(f.limit for f in held))
        sources = tuple(
            dict.fromkeys(source for f in held for source in f.sources)
        )
        lines += wrap(f'  {limits}: {direction}', width, '    ')
        lines += _sources(sources)
    if not lines:
        return []
    total = sum(len(held) for held in by_direction.values())
    return [f'Where to look ({count(total, "finding")}):'] + lines


def _sources(sources: Sequence[Source]) -> List[str]:
    """Name documents; an address stays whole, on a line of its own."""
    lines = []
    for source in sources:
        lines.append(f'    {source.name}')
        if source.url:
            lines.append(f'      {source.url}')
    return lines
