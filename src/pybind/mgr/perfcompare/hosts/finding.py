"""Find the exporters of hosts: pure functions of what is known of them."""

from typing import Dict, Iterable, List, Mapping, Optional, Sequence, Tuple

import dataclasses

from ..common.errors import InvalidArgument
from ..common.settings import Settings
from ..model.topology import ExporterPlace, Osd, Topology
from ..worker.wire.host_names import is_address, short_name
from ..worker.wire.urls import check_url

DATA, DB, WAL, OTHER = 'data', 'db', 'wal', 'other'
USES = (DATA, DB, WAL)
OSD, CLIENT, GATEWAY = 'osd', 'client', 'gateway'  # roles of hosts
ORCHESTRATOR, OPTION = 'orchestrator', 'option'  # who told a URL


@dataclasses.dataclass(frozen=True)
class Disk:
    """Say what a block device of a host is used for."""

    roles: Mapping[int, str]  # by OSD: DATA, DB or WAL, the first of these

    @property
    def role(self) -> str:
        """Return the first use of any OSD: data before db before wal."""
        return min(self.roles.values(), key=USES.index)

    @property
    def osds(self) -> Tuple[int, ...]:
        return tuple(sorted(self.roles))


@dataclasses.dataclass(frozen=True)
class HostPlace:
    """Say where one host's figures come from, and what it is."""

    host: str  # CRUSH name, else the host name
    roles: Tuple[str, ...]
    address: str
    url: str
    origin: str  # ORCHESTRATOR, OPTION, 'OSD address', 'own address'
    more: Tuple[str, ...] = ()  # further exporters
    names: Tuple[str, ...] = ()  # under which others may know it
    disks: Mapping[str, Disk] = dataclasses.field(default_factory=dict)

    @property
    def settled(self) -> bool:
        """Say whether a Prometheus server need not be asked for the URL."""
        return self.origin == ORCHESTRATOR


@dataclasses.dataclass(frozen=True)
class Machine:
    """Name a host that may carry no OSD: the client, a gateway."""

    name: str
    address: str
    role: str


def by_host(topology: Topology) -> Dict[str, List[Osd]]:
    """Return the OSDs of each CRUSH host, by id; gone through once."""
    found: Dict[str, List[Osd]] = {}
    for ident in sorted(topology.osds):
        osd = topology.osds[ident]
        if osd.host:
            found.setdefault(osd.host, []).append(osd)
    return found


def disks_of(osds: Iterable[Osd]) -> Dict[str, Disk]:
    """Return the devices of one host's OSDs with their use.

    All OSDs of the host count, of whatever group: they share it.
    """
    found: Dict[str, Dict[int, str]] = {}
    for osd in osds:
        used = osd.data_devices, osd.db_devices, osd.wal_devices
        for role, devices in zip(USES, used):
            for device in devices:
                found.setdefault(device, {}).setdefault(osd.id, role)
    return {device: Disk(roles) for device, roles in found.items()}


def addresses_of(osds: Iterable[Osd]) -> Tuple[str, ...]:
    """Return the public addresses of one host's OSDs."""
    return tuple(dict.fromkeys(a for osd in osds for a in osd.addresses))


def hostnames_of(osds: Iterable[Osd]) -> Tuple[str, ...]:
    """Return the names that one host's OSDs give for it."""
    return tuple(dict.fromkeys(o.hostname for o in osds if o.hostname))


def places(
    topology: Topology,
    hosts: Iterable[str],
    machines: Sequence[Machine],
    known: Sequence[ExporterPlace],
    settings: Settings,
    secure: bool,
) -> List[HostPlace]:
    """Return where to read each of ``hosts`` (CRUSH names) and machines.

    The orchestrator's word comes first, then the option node_exporter_url,
    then the host's own address. (A Prometheus server, asked by the worker,
    stands between the first and the second.) A machine that is one of the
    CRUSH hosts becomes a further role of it.
    """
    crush = by_host(topology)
    roles: Dict[str, Tuple[str, ...]] = {h: (OSD,) for h in hosts}
    addresses = {h: addresses_of(crush.get(h, ())) for h in roles}
    for machine in machines:
        name = _crush_name(crush, machine)
        roles[name] = roles.get(name, ()) + (machine.role,)
        if name not in addresses:
            addresses[name] = addresses_of(crush.get(name, ())) or tuple(
                a for a in (machine.address,) if a
            )
    return [
        _place(
            host,
            roles[host],
            addresses[host],
            crush.get(host, ()),
            known,
            settings,
            secure,
        )
        for host in roles
    ]


def _crush_name(crush: Mapping[str, Sequence[Osd]], machine: Machine) -> str:
    """Return the CRUSH host that a machine is, else its own name."""
    hosts = [
        (host, (host, *hostnames_of(crush[host]), *addresses_of(crush[host])))
        for host in sorted(crush)
    ]
    for word in (machine.address, machine.name):
        for host, names in hosts:
            if word and word.lower() in map(str.lower, names):
                return host
    names_of = _Names((machine.name,))
    alike = [host for host, names in hosts if names_of.alike(names)]
    return alike[0] if len(alike) == 1 else machine.name


class _Names:
    """Hold a host's names, to find others that are alike.

    Names are where they are the same before the first dot and not both
    have a domain; of addresses, that would be no name.
    """

    def __init__(self, names: Iterable[str]) -> None:
        found = [name for name in names if not is_address(name)]
        self._short = frozenset(map(short_name, found))
        self._qualified = any('.' in name for name in found)

    def alike(self, names: Iterable[str]) -> bool:
        """Say whether a host of ``names`` is perhaps this one."""
        same = [
            name
            for name in names
            if short_name(name) in self._short and not is_address(name)
        ]
        if self._qualified and any('.' in name for name in same):
            return False
        return bool(same)


def _place(
    host: str,
    roles: Tuple[str, ...],
    addresses: Tuple[str, ...],
    osds: Sequence[Osd],
    known: Sequence[ExporterPlace],
    settings: Settings,
    secure: bool,
) -> HostPlace:
    names = (host,) + hostnames_of(osds) + addresses
    scheme = 'https' if secure else 'http'
    address = addresses[0] if addresses else host
    placed = _known(known, names)
    if placed is not None:
        address = placed.address
        url = f'{scheme}://{_bracketed(address)}:{placed.port}/metrics'
        origin = ORCHESTRATOR
    elif settings.node_exporter_url:
        url = expand(settings.node_exporter_url, host, address)
        origin = OPTION
    else:
        port = settings.node_exporter_port
        url = f'{scheme}://{_bracketed(address)}:{port}/metrics'
        origin = 'OSD address' if osds else 'own address'
    more: Tuple[str, ...] = ()
    if settings.ipmi_exporter_url:
        more = (expand(settings.ipmi_exporter_url, host, address),)
    return HostPlace(
        host,
        roles,
        address,
        url,
        origin,
        more,
        tuple(dict.fromkeys(names)),
        disks_of(osds),
    )


def _known(
    known: Sequence[ExporterPlace], names: Sequence[str]
) -> Optional[ExporterPlace]:
    """Return the orchestrator's entry of a host, by address or name.

    One whose name is merely alike counts where there is no other such.
    """
    exact = {name.lower() for name in names}
    for place in known:
        if place.address in names:
            return place
    for place in known:
        if place.host.lower() in exact:
            return place
    names_of = _Names(names)
    alike = [place for place in known if names_of.alike((place.host,))]
    return alike[0] if len({place.host for place in alike}) == 1 else None


def _bracketed(address: str) -> str:
    return f'[{address}]' if ':' in address else address


def expand(template: str, host: str, address: str) -> str:
    """Return the URL of a host by a template with {addr} and {host}.

    Raises InvalidArgument where none comes of it.
    """
    url = template.replace('{addr}', _bracketed(address))
    url = url.replace('{host}', host)
    problem = check_url(url)
    if '{' in url or '}' in url:
        problem = 'only {addr} and {host} are filled in'
    if problem:
        raise InvalidArgument(f'exporter URL {template!r}: {problem}')
    return url
