"""What operators are told of exporters: where they are, who answers."""

from typing import (
    Callable,
    Dict,
    Iterable,
    List,
    Mapping,
    Optional,
    Protocol,
    Sequence,
    Set,
    Tuple,
)

import dataclasses
import ipaddress
import urllib.parse

from ..common.settings import Settings
from ..guard.collect.probing import Endpoint, reach
from ..ports.exporters import ExporterReads
from ..ports.identity import Identity
from ..ports.keys import KeyValueStore
from ..ports.osd_map import OsdMapReads
from . import access
from .finding import Machine, addresses_of, places

TIMEOUT = 2.0  # seconds, for all hosts together


class Needs(ExporterReads, Identity, KeyValueStore, OsdMapReads, Protocol):
    """Name what is asked of a cluster here."""


@dataclasses.dataclass(frozen=True)
class FurtherExporter:
    """Say whether an exporter that is read beside the first one answers."""

    url: str
    reachable: Optional[bool]
    problem: str = ''


@dataclasses.dataclass(frozen=True)
class FoundExporter:
    """Say where one host's figures come from, and whether it answers.

    ``reachable`` is None where it was not tried: a name would have to be
    looked up, which can take long; the worker does that.
    """

    host: str
    roles: Tuple[str, ...]
    url: str
    origin: str
    reachable: Optional[bool]
    problem: str = ''
    more: Tuple[FurtherExporter, ...] = ()


@dataclasses.dataclass(frozen=True)
class ExporterList:
    """Hold all exporters, and what is set to open them."""

    source: str  # value of the option host_metrics
    prometheus_url: str
    access: access.ShownAccess
    exporters: Tuple[FoundExporter, ...]


def exporters(
    cluster: Needs,
    settings: Settings,
    machines: Callable[[Sequence[str]], Sequence[Machine]],
) -> ExporterList:
    """Return the exporters of all OSD hosts and of other machines.

    ``machines``, of which some may be the same, are had by the addresses of
    OSDs. Connections are opened, within TIMEOUT for all together; nothing
    is sent.
    """
    opened = access.load(cluster)
    topology = cluster.topology()
    hosts = sorted({o.host for o in topology.osds.values() if o.host})
    near = addresses_of(topology.osds.values())
    found = places(
        topology,
        hosts,
        _apart(machines(near)),
        cluster.node_exporters(),
        settings,
        opened.secure,
    )
    problems = answers([u for p in found for u in (p.url, *p.more)])
    return ExporterList(
        settings.host_metrics,
        settings.prometheus_url,
        opened.shown(),
        tuple(
            FoundExporter(
                p.host,
                # of OSDs, the host may have two names as a machine
                tuple(dict.fromkeys(p.roles)),
                p.url,
                p.origin,
                *_state(problems, p.url),
                tuple(
                    FurtherExporter(url, *_state(problems, url))
                    for url in p.more
                ),
            )
            for p in found
        ),
    )


def _apart(machines: Iterable[Machine]) -> List[Machine]:
    """Return each machine once; the Manager's host may be a load host."""
    found: List[Machine] = []
    known: Set[Tuple[str, str]] = set()
    for one in machines:
        names = {(one.role, n) for n in (one.name, one.address) if n}
        if not names & known:
            found.append(one)
        known |= names
    return found


def _state(
    problems: Mapping[str, str], url: str
) -> Tuple[Optional[bool], str]:
    problem = problems.get(url)
    return (None, '') if problem is None else (not problem, problem)


def answers(urls: Iterable[str]) -> Dict[str, str]:
    """Return what is wrong with each URL's port, empty where it answers.

    URLs with names, not addresses, are not in the result.
    """
    endpoints: Dict[str, Endpoint] = {}
    for url in urls:
        parts = urllib.parse.urlsplit(url)
        try:
            address = str(ipaddress.ip_address(parts.hostname or ''))
        except ValueError:
            continue
        default = 443 if parts.scheme == 'https' else 80
        endpoints[url] = Endpoint(address, parts.port or default)
    # one exporter may be asked about many hosts
    problems = reach({repr(e): e for e in endpoints.values()}, TIMEOUT)
    return {url: problems[repr(e)] for url, e in endpoints.items()}
