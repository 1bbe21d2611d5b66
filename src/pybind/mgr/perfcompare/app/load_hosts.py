"""The use cases about load hosts: enroll, look at, shut out."""

from typing import Dict, Optional, Protocol, Tuple

import dataclasses

from ..common.errors import AlreadyExists, CommandFailed, InvalidArgument
from ..guard.checks.client_host import Neighbors
from ..guard.checks.load_host import findings, starting
from ..guard.checks.preflight import Check
from ..model.load_host import LoadHost
from ..model.plan import RunOptions
from ..planning import load_hosts
from ..ports.agent_keys import AgentKeys
from ..ports.auth import AuthReads
from ..ports.identity import Identity
from ..ports.orchestration import ClusterOrchestration
from ..ports.osd_map import OsdMapReads
from ..worker.wire.agents import COMMAND, ENTITY, check_host
from ..worker.wire.strict import Malformed
from ..workers.load_hosts import LoadHosts

CHECK = 'CLIENT'  # of a preflight, in which these are found as well
SOON = 60.0  # seconds in which a run may follow its plan


class Needs(
    AgentKeys,
    AuthReads,
    ClusterOrchestration,
    Identity,
    OsdMapReads,
    Protocol,
):
    """Name what is asked of a cluster here."""


@dataclasses.dataclass(frozen=True)
class Enrollment:
    """Hold what a new load host needs; the key is in it."""

    host: str
    entity: str
    keyring: str = dataclasses.field(repr=False)


@dataclasses.dataclass(frozen=True)
class HostCheck:
    """Hold a load host and what was found of it."""

    host: LoadHost
    findings: Tuple[Check, ...]


class LoadHostService:
    """Offer what operators do with load hosts, and agents ask for."""

    def __init__(self, cluster: Needs, hosts: LoadHosts) -> None:
        self._cluster = cluster
        self._hosts = hosts

    def sync(self, host: str, text: Optional[str]) -> str:
        """Exchange with the agent of a host."""
        return self._hosts.sync(host, text)

    def add(self, host: str) -> Enrollment:
        """Make a host a load host: a name, then its key.

        The name is kept first: a key without one would be of nobody.
        """
        host = _named(host)
        if (
            host in self._hosts.names()
            and ENTITY + host in self._cluster.auth_entities()
        ):
            raise AlreadyExists(
                f'{host!r} is a load host already; `ceph auth get '
                f'{ENTITY}{host}` shows its key, and its agent is started by '
                + starting(host)
            )
        self._hosts.add(host)
        keyring = self._cluster.agent_key_create(host, COMMAND)
        return Enrollment(host, ENTITY + host, keyring)

    def remove(self, host: str) -> None:
        """Shut a host out and forget it, with its key.

        The key goes first: an agent that is refused connects anew, and
        would be taken for that of a host of this name that is added later.
        """
        host = _named(host)
        self._hosts.link(host)  # there is such a host
        self._cluster.agent_key_remove(host)
        self._hosts.enable(host, False)
        self._hosts.remove(host)

    def enable(self, host: str, enabled: bool) -> LoadHost:
        """Let a host make load, or not."""
        host = _named(host)
        self._hosts.enable(host, enabled)
        return self._hosts.describe(host, self._neighbors())

    def list(self) -> Tuple[LoadHost, ...]:
        """Return all load hosts."""
        neighbors = self._neighbors()
        return tuple(
            self._hosts.describe(host, neighbors)
            for host in self._hosts.names()
        )

    def _neighbors(self) -> Neighbors:
        topology = self._cluster.topology()
        return Neighbors(topology, topology.osds)

    def check(self, host: str) -> HostCheck:
        """Say whether a host can make load."""
        found = self._hosts.describe(_named(host), self._neighbors())
        return HostCheck(
            found,
            tuple(
                Check(CHECK, *finding)
                for finding in findings(
                    found,
                    self._cluster.ceph_version(),
                    self._cluster.auth_entities(),
                )
            ),
        )

    def chosen(self, options: RunOptions) -> Tuple[RunOptions, str]:
        """Return options with the load hosts by name, and what it is called.

        That is '' where load comes from the Manager's host. The hosts are
        asked for often from now on.
        """
        if not options.load_hosts:
            return options, ''
        known = [h for h in self._hosts.names() if self._hosts.enabled(h)]
        names = load_hosts.chosen(options.load_hosts, known, self._labels)
        links = [self._hosts.link(_named(name)) for name in names]
        for link in links:
            link.want(SOON)
        name = load_hosts.called([link.hostname() for link in links])
        return dataclasses.replace(options, load_hosts=names), name

    def _labels(self) -> Dict[str, Tuple[str, ...]]:
        try:
            return self._cluster.orchestrator_labels()
        except CommandFailed as error:
            raise InvalidArgument(
                '--load-hosts: labels are those that an orchestrator gives '
                f'to hosts, which cannot be asked ({error.message}): give '
                'names of `ceph perfcompare load-host ls`, or all'
            ) from None


def _named(host: str) -> str:
    try:
        return check_host(host)
    except Malformed as error:
        raise InvalidArgument(str(error)) from None
