"""What `ceph perfcompare doctor` reports: tools and host exporters."""

from typing import Dict, List, Mapping, Optional, Sequence, Tuple

import dataclasses
import os
import selectors
import socket
import time

from ..topology import Topology
from . import layout
from .tools import Tool, Toolbox

EXPORTER_PORT = 9100
EXPORTER_TIMEOUT = 2.0  # seconds, for all hosts together
EXPORTER_NEED = 'CPU, disk and network evidence of the hosts'


@dataclasses.dataclass(frozen=True)
class Exporter:
    """Say whether a host's node_exporter accepts connections."""

    host: str
    address: str
    reachable: bool
    problem: str = ''


@dataclasses.dataclass(frozen=True)
class DoctorReport:
    """Hold what was found on the machine of the active mgr."""

    tools: Tuple[Tool, ...]
    exporters: Tuple[Exporter, ...]
    # exporters were not looked for, because of this
    exporters_problem: str = ''

    @property
    def ready(self) -> bool:
        """Say whether all tools are there that a run cannot do without."""
        return all(t.usable for t in self.tools if t.required)


def doctor(
    toolbox: Toolbox,
    topology: Optional[Topology] = None,
    problem: str = '',
    timeout: float = EXPORTER_TIMEOUT,
) -> DoctorReport:
    """Ask for all tools and, with a topology, reach the exporters.

    Takes at most the time limits of toolbox and exporters together.
    """
    exporters: Tuple[Exporter, ...] = ()
    if topology is not None:
        exporters = reach(exporter_addresses(topology), timeout=timeout)
    return DoctorReport(tuple(toolbox.all().values()), exporters, problem)


def exporter_addresses(topology: Topology) -> Dict[str, str]:
    """Return one address of each host: its first OSD's public one."""
    found: Dict[str, str] = {}
    for osd in sorted(topology.osds.values(), key=lambda o: o.id):
        if osd.addresses:
            found.setdefault(osd.host, osd.addresses[0])
    return found


def reach(
    addresses: Mapping[str, str],
    port: int = EXPORTER_PORT,
    timeout: float = EXPORTER_TIMEOUT,
) -> Tuple[Exporter, ...]:
    """Open a TCP connection to each host at once; nothing is sent."""
    deadline = time.monotonic() + timeout
    problems: Dict[str, str] = {}
    with selectors.DefaultSelector() as selector:
        waiting: Dict[socket.socket, str] = {}
        for host, address in addresses.items():
            family = socket.AF_INET6 if ':' in address else socket.AF_INET
            probe = socket.socket(family, socket.SOCK_STREAM)
            probe.setblocking(False)
            try:
                probe.connect((address, port))
            except BlockingIOError:
                pass
            except OSError as error:
                problems[host] = error.strerror or str(error)
                probe.close()
                continue
            waiting[probe] = host
            selector.register(probe, selectors.EVENT_WRITE)
        while waiting:
            left = deadline - time.monotonic()
            ready = selector.select(max(0.0, left)) if left > 0 else []
            if not ready:
                break
            for key, _ in ready:
                probe = key.fileobj  # type: ignore[assignment]
                host = waiting.pop(probe)
                code = probe.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
                problems[host] = os.strerror(code) if code else ''
                selector.unregister(probe)
                probe.close()
        for probe, host in waiting.items():
            problems[host] = f'no answer in {timeout:g} s'
            selector.unregister(probe)
            probe.close()
    return tuple(
        Exporter(host, address, not problems[host], problems[host])
        for host, address in addresses.items()
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
        answering = [e for e in report.exporters if e.reachable]
        silent = [e for e in report.exporters if not e.reachable]
        note = f'{len(answering)} of {len(report.exporters)} hosts'
        if silent:
            names = layout.names([e.host for e in silent])
            note += (
                f'; needed for {EXPORTER_NEED}; not on {names} '
                f'({silent[0].problem}): install '
                'prometheus-node-exporter (Debian) or '
                'golang-github-prometheus-node-exporter (RPM)'
            )
        state = 'ok' if not silent else 'MISSING'
        rows.append(('node_exporter', state, '-', note))
    elif report.exporters_problem:
        rows.append(('node_exporter', '-', '-', report.exporters_problem))
    lines = layout.table(('TOOL', 'STATE', 'VERSION', 'NOTES'), rows)
    lines.append('')
    if report.ready:
        lines.append('Runs can start.')
    else:
        lacking = [
            t.name for t in report.tools if t.required and not t.usable
        ]
        lines.append(f'No run can start without {layout.names(lacking)}.')
    return '\n'.join(lines)


def _state(tool: Tool) -> str:
    if tool.usable:
        return 'ok'
    return 'MISSING' if tool.used else 'absent'


def _where(tool: Tool) -> str:
    if tool.usable:
        return tool.path or ''
    if not tool.used:
        return f'{tool.problem}; no workload of this version needs it'
    return f'{tool.problem}; needed for {tool.need}; {tool.remedy}'
