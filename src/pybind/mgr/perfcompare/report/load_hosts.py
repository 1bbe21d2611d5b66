"""Print load hosts, and how one is made."""

from typing import Dict, List, Optional, Sequence

from ..app.load_hosts import Enrollment, HostCheck
from ..common.units import format_bytes, format_duration, format_latency
from ..model.load_host import LoadHost
from .figures import DASH
from .table import fields, table

HEAD = (
    'HOST', 'STATE', 'SEEN', 'ARCH', 'CORES', 'MEMORY', 'RADOS', 'PROGRAMS',
    'CLOCK', 'OSDS', 'REFUSED',
)  # fmt: skip
RIGHT = (2, 4, 5, 10)


def listed(found: Sequence[LoadHost]) -> str:
    """Return all load hosts as a table."""
    if not found:
        return (
            'no load hosts: load comes from the host of the active Manager; '
            'see `ceph perfcompare load-host add`'
        )
    return table(HEAD, [_cells(host) for host in found], RIGHT)


def _cells(host: LoadHost) -> List[str]:
    cores, memory = host.cores, host.memory_bytes
    return [
        host.host,
        host.state.value,
        DASH if host.seen is None else f'{format_duration(host.seen)} ago',
        host.arch or DASH,
        DASH if cores is None else f'{cores:g}',
        DASH if memory is None else format_bytes(memory),
        host.rados or DASH,
        _programs(host.programs),
        _clock(host.clock_offset, host.clock_bound),
        ', '.join(map(str, host.osds)) if host.osds else DASH,
        str(host.refused),
    ]


def _clock(offset: Optional[float], bound: Optional[float]) -> str:
    if offset is None or bound is None:
        return DASH
    sign = '-' if offset > 0 else '+'
    return f'{sign}{format_latency(abs(offset))} ± {format_latency(bound)}'


def _programs(found: Optional[Dict[str, str]]) -> str:
    """Return programs with their versions, which may have their names."""
    return (
        ', '.join(
            version if version.startswith(name) else f'{name} {version}'
            for name, version in (found or {}).items()
        )
        or DASH
    )


def added(found: Enrollment) -> str:
    """Return what is to be pasted on the host, with its key."""
    path = f'/etc/ceph/ceph.{found.entity}.keyring'
    return f"""\
Load host {found.host} is added. With cephadm (not on a host with the label
_admin; name your image in packaging/load-agent.yaml first: see the manual,
"Load hosts"):

ceph orch client-keyring set {found.entity} {found.host}
ceph orch host label add {found.host} loadgen
ceph orch apply -i packaging/load-agent.yaml

Without it, on the host, as root:

install -m 600 /dev/stdin {path} <<'END'
{found.keyring.strip().expandtabs(4)}
END

and, where the package perfcompare-load-agent is installed,

systemctl enable perfcompare-load-agent@{found.host}
systemctl restart perfcompare-load-agent@{found.host}

or, with ceph-common, python3-rados and the folder of this module (see the
manual, "Load hosts"),

cd /usr/share/ceph/mgr/perfcompare
python3 -m worker agent --host {found.host}

It needs /etc/ceph/ceph.conf, and listens on no port. Then:
ceph perfcompare load-host check {found.host}"""


def checked(found: HostCheck) -> str:
    """Return a host with all that was found."""
    host = found.host
    pairs = [
        ('host', host.host),
        ('state', host.state.value),
        ('name', host.hostname or DASH),
        ('kernel', host.kernel or DASH),
        ('addresses', ', '.join(host.addresses) or DASH),
        ('rados', host.rados or DASH),
        ('other programs', _programs(host.programs)),
        ('clock', _clock(host.clock_offset, host.clock_bound)),
        ('last refusal', host.last_refusal or DASH),
    ]
    lines = [fields(pairs), '']
    for finding in found.findings:
        lines.append(f'{finding.severity.value.upper()}: {finding.message}')
        if finding.remedy:
            lines.append(f'  -> {finding.remedy}')
    return '\n'.join(lines)
