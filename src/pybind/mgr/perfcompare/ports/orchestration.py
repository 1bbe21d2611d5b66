"""S3 gateways that the orchestrator places on hosts of a group.

A part of ``cluster.Cluster``. The orchestrator works on its own: what became
of an order is seen by its lists.
"""

from typing import Dict, List, Optional, Protocol, Sequence, Tuple

import dataclasses

NO_HOSTS = ('rook',)  # places what it likes, in pools of its own


@dataclasses.dataclass(frozen=True)
class GatewayOrder:
    """Say which gateways are wanted, in the words of a service spec."""

    service: str  # its id: perfcompare-<run>-<group>
    hosts: Tuple[str, ...]  # as the orchestrator names them
    per_host: int
    port: int  # of the first one on a host
    zone: str  # name of realm, zonegroup and zone


@dataclasses.dataclass(frozen=True)
class GatewayDaemon:
    """Hold what the orchestrator says of one gateway."""

    name: str
    host: str
    address: str  # IP, or a name
    port: int
    running: bool
    status: str
    version: str = ''


class ClusterOrchestration(Protocol):
    """Have gateways placed, look at them, have them removed."""

    def gateway_backend(self) -> Optional[str]:
        """Return the orchestrator that can place gateways, None without."""

    def orchestrator_hosts(self) -> Dict[str, str]:
        """Return addresses of the orchestrator's hosts, by name."""

    def orchestrator_labels(self) -> Dict[str, Tuple[str, ...]]:
        """Return labels of the orchestrator's hosts, by name.

        Raises CommandFailed where there is no orchestrator.
        """

    def gateways_apply(self, order: GatewayOrder) -> None:
        """Order gateways; return before they are there."""

    def gateways_placed(
        self, service: str, refresh: bool = False
    ) -> List[GatewayDaemon]:
        """Return the gateways of a service that are there by now.

        The list is up to two minutes old; with ``refresh`` the orchestrator
        looks at its hosts anew, for one of the next lists.
        """

    def gateways_known(self, service: str) -> bool:
        """Say whether the orchestrator still has the service."""

    def gateways_remove(self, service: str) -> None:
        """Order that a service goes; return before it is gone."""


def service_name(service: str) -> str:
    """Return a service's name, as `ceph orch ls` shows it."""
    return f'rgw.{service}'


def section(service: str) -> str:
    """Return the section of the central config for its gateways."""
    return f'client.rgw.{service}'


def hosts_of(
    names: Sequence[str], known: Dict[str, str]
) -> Tuple[Optional[Tuple[str, ...]], str]:
    """Return the orchestrator's names of CRUSH hosts, or one it lacks."""
    short = {name.split('.')[0]: name for name in known}
    found = []
    for name in names:
        match = name if name in known else short.get(name.split('.')[0])
        if match is None:
            return None, name
        found.append(match)
    return tuple(found), ''
