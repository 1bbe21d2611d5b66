"""Print the hosts of a run side by side, and where exporters are."""

from typing import Callable, List, Optional, Sequence, Union

from ..common.units import count, format_byte_rate, format_latency
from ..hosts.access import ShownAccess
from ..hosts.exporters import (
    ExporterList,
    FoundExporter,
    FurtherExporter,
)
from ..hosts.finding import OPTION, ORCHESTRATOR
from ..hosts.load_shares import LoadShare
from ..hosts.overview import HostRow, HostsOverview
from .figures import DASH, KEY
from .layout import columns, wrap
from .table import fields

WIDTH = 100
HEAD = (
    'HOST', 'ROLE', 'CORES', 'CPU\nbusy', '\niowait', 'PSI\ncpu', '\nio',
    '\nmem', 'MEMORY\nused', 'DISK\nbusiest', '\nutil', '\nawait',
    'NETWORK\nmost', '\nof link',
)  # fmt: skip
RIGHT = (2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13)
LOAD = (
    'GROUP', 'LOAD HOST', 'PART', 'SHARE', 'OP/S', 'CPU\nbusy',
    'CORES\nof load', 'BEGAN\nafter', 'CLOCK\nahead', 'ERRORS\nin all',
)  # fmt: skip
LOAD_RIGHT = (2, 3, 4, 5, 6, 7, 8, 9)
MORE = (
    'HOST', 'LOAD\n1 min', 'CPU\nuser', '\nsystem', '\nsoftirq', '\nsteal',
    'SWAP\nread', 'POWER', '\nby', 'HEAT\nof CPU', 'THROTTLED',
)  # fmt: skip
MORE_RIGHT = (1, 2, 3, 4, 5, 6, 7, 9, 10)


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
        lines += ['', f'{workload} (medians of {count(trials, "trial")})']
        for group in dict.fromkeys(r.group for r in rows):
            mine = [r for r in rows if r.group == group]
            lines += ['', f'group {group}']
            lines += columns(HEAD, [_cells(r) for r in mine], RIGHT)
            lines.append('')
            lines += columns(MORE, [_more(r) for r in mine], MORE_RIGHT)
    lines += _load_hosts(found)
    if found.rows or found.load_hosts:
        lines += ['', KEY]
    if found.notes:
        lines.append('')
        for note in found.notes:
            lines += wrap(note, width, '  ')
    return '\n'.join(lines).lstrip('\n')


def _load_hosts(found: HostsOverview) -> List[str]:
    """Return what several load hosts did, a table for each workload."""
    lines: List[str] = []
    for workload in dict.fromkeys(r.workload for r in found.load_hosts):
        rows = [r for r in found.load_hosts if r.workload == workload]
        trials = max(r.trials for r in rows)
        lines += [
            '',
            f'{workload}, load (medians of {count(trials, "trial")})',
        ]
        body = [(row.group, *_load_cells(row)) for row in rows]
        lines += columns(LOAD, body, LOAD_RIGHT)
    return lines


def _load_cells(row: LoadShare) -> Sequence[str]:
    clock = _or_dash(row.clock_ahead, lambda v: f'{v * 1000:+.1f} ms')
    if row.clock_ahead is not None and row.clock_bound is not None:
        clock += f' (± {row.clock_bound * 1000:.1f})'
    return (
        row.host,
        _share(row.part),
        _share(row.share),
        _or_dash(row.ops_per_s, lambda v: f'{v:.0f}'),
        _share(row.busy),
        _or_dash(row.cores, lambda v: f'{v:.2f}'),
        _or_dash(row.late, lambda v: f'{v:.1f} s'),
        clock,
        _or_dash(row.errors, lambda v: f'{v:.0f}'),
    )


def _share(value: Optional[float]) -> str:
    return _or_dash(value, lambda v: f'{v:.1%}')


def _or_dash(value: Optional[float], text: Callable[[float], str]) -> str:
    return DASH if value is None else text(value)


def _cells(row: HostRow) -> Sequence[str]:
    return (
        row.host,
        row.role,
        _or_dash(row.cores, lambda v: f'{v:.0f}'),
        _share(row.cpu_busy),
        _share(row.cpu_iowait),
        _share(row.psi_cpu),
        _share(row.psi_io),
        _share(row.psi_memory),
        _share(row.memory_used),
        row.disk or DASH,
        _share(row.disk_util),
        _or_dash(row.disk_await, format_latency),
        _or_dash(row.nic_bytes_per_s, format_byte_rate),
        _share(row.nic_share),
    )


def _more(row: HostRow) -> Sequence[str]:
    return (
        row.host,
        _or_dash(row.load1, lambda v: f'{v:.1f}'),
        _share(row.cpu_user),
        _share(row.cpu_system),
        _share(row.cpu_softirq),
        _share(row.cpu_steal),
        _or_dash(row.swap_in_bytes_per_s, format_byte_rate),
        _or_dash(row.watts, lambda v: f'{v:.0f} W'),
        row.watts_source or DASH,
        _or_dash(row.temperature, lambda v: f'{v:.0f} C'),
        _or_dash(row.throttled, lambda v: f'{v:.1f} /s'),
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
    body: List[Sequence[str]] = []
    for e in found.exporters:
        roles = '+'.join(e.roles)
        body.append((e.host, roles, e.url, e.origin, _state(e)))
        body += [(e.host, roles, m.url, OPTION, _state(m)) for m in e.more]
    table = columns(['HOST', 'ROLE', 'URL', 'BY', 'STATE'], body)
    lines = [fields(words), '', *table]
    told = _server(found)
    return '\n'.join(lines + (['', told] if told else []))


def _server(found: ExporterList) -> str:
    """Say what a Prometheus server, asked by trials, changes in the list."""
    if found.source == 'prometheus' and not found.prometheus_url:
        return (
            'No exporter is read, and trials have no figures of hosts: '
            'source is\nprometheus, and the option prometheus_url is not set.'
        )
    if not found.prometheus_url or found.source == 'off':
        return ''
    if found.source == 'prometheus':
        return 'No exporter is read: trials ask the Prometheus server.'
    if all(e.origin == ORCHESTRATOR for e in found.exporters):
        return ''
    return (
        'Trials ask the Prometheus server, which is not asked here: its '
        'targets replace\nthe URLs that the orchestrator does not tell.'
    )


def _state(one: Union[FoundExporter, FurtherExporter]) -> str:
    if one.reachable is None:
        return 'not checked'
    return 'ok' if one.reachable else one.problem


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
