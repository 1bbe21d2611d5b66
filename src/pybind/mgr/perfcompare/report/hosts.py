"""Print the hosts of a run side by side, and where exporters are."""

from typing import Callable, List, Optional, Sequence

from ..hosts.access import ShownAccess
from ..hosts.exporters import ExporterList
from ..hosts.overview import HostRow, HostsOverview
from ..units import format_byte_rate, format_latency
from .layout import columns, wrap
from .table import fields

WIDTH = 100
HEAD = (
    'HOST', 'ROLE', 'CORES', 'CPU\nbusy', '\niowait', 'PSI\ncpu', '\nio',
    'MEMORY\nused', 'DISK\nbusiest', '\nutil', '\nawait', 'NETWORK\nmost',
    '\nof link', 'POWER',
)  # fmt: skip
RIGHT = (2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13)


def render(found: HostsOverview, width: int = WIDTH) -> str:
    """Return the hosts of a run as one table for each workload."""
    lines: List[str] = []
    if not found.rows:
        lines.append(f'run {found.run}: figures of hosts are not available')
        if not found.notes:
            lines.append('(no judged trial has any)')
    for workload in dict.fromkeys(r.workload for r in found.rows):
        rows = [r for r in found.rows if r.workload == workload]
        trials = max(r.trials for r in rows)
        lines += ['', f'{workload} (medians of {trials} trials)']
        for group in dict.fromkeys(r.group for r in rows):
            lines += ['', f'group {group}']
            lines += columns(
                HEAD, [_cells(r) for r in rows if r.group == group], RIGHT
            )
    if found.notes:
        lines.append('')
        for note in found.notes:
            lines += wrap(note, width, '  ')
    return '\n'.join(lines).lstrip('\n')


def _share(value: Optional[float]) -> str:
    return _or_dash(value, lambda v: f'{v:.1%}')


def _or_dash(value: Optional[float], text: Callable[[float], str]) -> str:
    return '-' if value is None else text(value)


def _cells(row: HostRow) -> Sequence[str]:
    return (
        row.host,
        row.role,
        _or_dash(row.cores, lambda v: f'{v:.0f}'),
        _share(row.cpu_busy),
        _share(row.cpu_iowait),
        _share(row.psi_cpu),
        _share(row.psi_io),
        _share(row.memory_used),
        row.disk or '-',
        _share(row.disk_util),
        _or_dash(row.disk_await, format_latency),
        _or_dash(row.nic_bytes_per_s, format_byte_rate),
        _share(row.nic_share),
        _or_dash(row.watts, lambda v: f'{v:.0f} W'),
    )


def exporters(found: ExporterList) -> str:
    """List where the figures of each host would come from."""
    access = found.access
    words = [
        ('source', found.source),
        ('CA', 'set' if access.ca else "the host's own"),
        ('credentials', 'set' if access.credentials else 'none'),
    ]
    if found.prometheus_url:
        words.append(('Prometheus', found.prometheus_url))
        known = access.prometheus_credentials
        words.append(('its credentials', 'set' if known else 'none'))
    body = [
        [
            e.host,
            '+'.join(e.roles),
            e.url,
            e.origin,
            'not checked' if e.reachable is None
            else 'ok' if e.reachable else e.problem,
        ]
        for e in found.exporters
    ]  # fmt: skip
    table = columns(['HOST', 'ROLE', 'URL', 'BY', 'STATE'], body)
    return fields(words) + '\n\n' + '\n'.join(table)


def access_set(found: ShownAccess) -> str:
    """Say what was kept, without showing it."""
    names = [
        name
        for name, given in (
            ('CA', found.ca),
            ('credentials', found.credentials),
            ('credentials of Prometheus', found.prometheus_credentials),
        )
        if given
    ]
    return f'kept: {", ".join(names)}'
