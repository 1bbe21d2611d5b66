"""What operators are told of exporters: where they are, who answers."""

from typing import Dict, Iterable, Mapping, Optional, Protocol, Tuple

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
from .finding import CLIENT, Machine, places

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
    cluster: Needs, settings: Settings, client_host: str
) -> ExporterList:
    """Return the exporters of all OSD hosts and of the load client.

    Connections are opened, within TIMEOUT for all together; nothing is
    sent.
    """
    opened = access.load(cluster)
    topology = cluster.topology()
    hosts = sorted({o.host for o in topology.osds.values() if o.host})
    client = Machine(client_host, cluster.own_address(), CLIENT)
    found = places(
        topology,
        hosts,
        [client],
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
                p.roles,
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
