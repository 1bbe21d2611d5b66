"""What a scrape worker gives back, as evidence and series of a trial."""

from typing import Any, Dict, Mapping, Sequence

from ..model.series import Column, Table
from ..worker.wire.columns import decode
from .finding import CLIENT, GATEWAY, OSD, OTHER, HostPlace

# what every host has; None says "not available"
FIGURES = (
    'cores',
    'cpu_busy',
    'cpu_user',
    'cpu_system',
    'cpu_iowait',
    'cpu_steal',
    'cpu_softirq',
    'load1',
    'mem_total',
    'mem_available',
    'swap_in_bytes_per_s',
    'psi_cpu',
    'psi_io',
    'psi_memory',
    'temperature',
    'throttled',
    'watts',
    'ghz',
)
NIC = ('rx_bytes_per_s', 'tx_bytes_per_s', 'speed_bytes_per_s', 'drops_per_s')
DISK = (
    'util',
    'await',
    'queue',
    'ops_per_s',
    'read_bytes_per_s',
    'write_bytes_per_s',
)


def evidence(figures: Mapping[str, Any], place: HostPlace) -> Dict[str, Any]:
    """Return a host's figures as they are stored with a trial.

    Times in seconds, sizes in bytes, shares 0 … 1; see FIGURES. Names that
    end in _max (or _min) are extremes of single samples.
    """
    found: Dict[str, Any] = {name: None for name in FIGURES}
    found.update(figures)
    found['role'] = next(
        r for r in (OSD, CLIENT, GATEWAY) if r in place.roles
    )
    found['roles'] = list(place.roles)
    found['nics'] = {
        name: {**{key: None for key in NIC}, **values}
        for name, values in sorted(figures.get('nics', {}).items())
    }
    found['disks'] = {
        name: _disk(name, values, place)
        for name, values in sorted(figures.get('disks', {}).items())
    }
    return found


def _disk(
    name: str, figures: Mapping[str, float], place: HostPlace
) -> Dict[str, Any]:
    found: Dict[str, Any] = {key: None for key in DISK}
    found.update(figures)
    used = place.disks.get(name)
    found['osds'] = list(used.osds) if used else []
    found['role'] = used.role if used else OTHER
    # of each OSD, by its id
    found['roles'] = (
        {str(o): used.roles[o] for o in used.osds} if used else {}
    )
    return found


def table(packed: Mapping[str, Any]) -> Table:
    """Return the columns of one host as a table to be stored."""
    t = decode(packed['t'])
    columns: Sequence[Column] = tuple(
        Column(str(name), str(unit), decode(text))
        for name, unit, text in packed['columns']
    )
    return Table(float(packed['wall_start']), t, tuple(columns))
