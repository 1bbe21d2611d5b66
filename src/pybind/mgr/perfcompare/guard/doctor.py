"""What `ceph perfcompare doctor` reports: tools and host exporters."""

from typing import List, Optional, Protocol, Sequence, Tuple

import dataclasses

from . import layout
from .collect.tools import Tool, Toolbox

EXPORTER_NEED = 'CPU, disk and network evidence of the hosts'


class Exporter(Protocol):
    """Say whether the node_exporter of a host accepts connections."""

    @property
    def host(self) -> str:
        """Return the host's name."""

    @property
    def reachable(self) -> Optional[bool]:
        """Say whether it answers; None when it was not tried."""

    @property
    def problem(self) -> str:
        """Return why it does not answer."""


@dataclasses.dataclass(frozen=True)
class DoctorReport:
    """Hold what was found on the machine of the active mgr."""

    tools: Tuple[Tool, ...]
    exporters: Tuple[Exporter, ...]
    # exporters were not looked for, because of this
    exporters_problem: str = ''
    # what an operator should know of the result database
    results: Tuple[str, ...] = ()
    stored: str = ''  # how much is in it; empty when it did not answer
    refused: str = ''  # why it would take no result; empty when it may

    @property
    def ready(self) -> bool:
        """Say whether all is there that a run cannot do without."""
        tools = all(t.usable for t in self.tools if t.required)
        return tools and not self.refused


def doctor(
    toolbox: Toolbox,
    exporters: Sequence[Exporter] = (),
    problem: str = '',
    results: Sequence[str] = (),
    stored: str = '',
    refused: str = '',
) -> DoctorReport:
    """Ask for all tools; say which exporters were found.

    Takes at most the time limit of the toolbox.
    """
    return DoctorReport(
        tuple(toolbox.all().values()),
        tuple(exporters),
        problem,
        tuple(results),
        stored,
        refused,
    )


def text(report: DoctorReport) -> str:
    """Return the report as an aligned table with one line of judgment."""
    rows: List[Sequence[str]] = []
    for tool in report.tools:
        rows.append(
            (
                tool.name,
                _state(tool),
                tool.version or '-',
                _where(tool),
            )
        )
    if report.exporters:
        tried = [e for e in report.exporters if e.reachable is not None]
        silent = [e for e in tried if not e.reachable]
        note = f'{len(tried) - len(silent)} of {len(tried)} hosts'
        if len(tried) < len(report.exporters):
            note += _not_tried(report.exporters)
        if silent:
            names = layout.names([e.host for e in silent])
            note += (
                f'; needed for {EXPORTER_NEED}; not on {names} '
                f'({silent[0].problem}): with cephadm `ceph orch apply '
                'node-exporter`, else install '
                'prometheus-node-exporter (Debian) or '
                'golang-github-prometheus-node-exporter (RPM)'
            )
        state = 'MISSING' if silent else 'ok' if tried else '-'
        rows.append(('node_exporter', state, '-', note))
    elif report.exporters_problem:
        rows.append(('node_exporter', '-', '-', report.exporters_problem))
    lines = layout.table(('TOOL', 'STATE', 'VERSION', 'NOTES'), rows)
    lines.append('')
    lines += [f'Results: {line}.' for line in report.results]
    if report.stored:
        lines.append(f'Results: {report.stored}.')
    if report.ready:
        lines.append('Runs can start.')
    else:
        lacking = [
            t.name for t in report.tools if t.required and not t.usable
        ]
        if lacking:
            lines.append(f'No run can start without {layout.names(lacking)}.')
        if report.refused:
            lines.append(
                'No run can start: no result could be stored: '
                f'{report.refused}'
            )
    return '\n'.join(lines)


def _not_tried(exporters: Sequence[Exporter]) -> str:
    """Say of how many it is not known, as their URLs have names."""
    names = [e.host for e in exporters if e.reachable is None]
    return (
        f' tried; {len(names)} not checked, as only trials look up names of '
        f'exporters: {layout.names(names)}'
    )


def _state(tool: Tool) -> str:
    if tool.usable:
        return 'ok'
    return 'MISSING' if tool.used else 'absent'


def _where(tool: Tool) -> str:
    if tool.usable:
        return tool.path or ''
    if not tool.used:
        return f'{tool.problem}; only needed for {tool.need}; {tool.remedy}'
    return f'{tool.problem}; needed for {tool.need}; {tool.remedy}'
