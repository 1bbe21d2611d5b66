"""The use cases about exporters: list them, set and forget their access."""

from typing import Callable, Optional, Sequence, Tuple

from ..common.settings import Settings
from ..drivers.s3.gateways.repository import GatewayRepository
from ..guard.collect.procinfo import hostname, local_addresses
from ..hosts import access
from ..hosts.exporters import ExporterList, Needs, exporters
from ..hosts.finding import CLIENT, GATEWAY, Machine
from ..workers import launchers
from ..workers.load_hosts import LoadHosts


class ExporterService:
    """Offer what operators do with exporters."""

    def __init__(
        self,
        cluster: Needs,
        settings: Callable[[], Settings],
        client_host: Callable[[], str],
        hosts: LoadHosts,
        gateways: GatewayRepository,
    ) -> None:
        """``client_host`` names the Manager's, where load may come from."""
        self._cluster = cluster
        self._settings = settings
        self._client_host = client_host
        self._hosts = hosts
        self._gateways = gateways

    def list(self) -> ExporterList:
        """Return where figures of hosts come from, and who answers."""
        return exporters(self._cluster, self._settings(), self._machines)

    def _machines(self, near: Sequence[str]) -> Sequence[Machine]:
        """Return hosts of loads, and of operators' gateways.

        They are at the addresses that trials take, by those of OSDs.
        """
        own = self._cluster.own_address()
        loads: Sequence[Tuple[str, str]] = launchers.places(
            self._hosts.links(), local_addresses(), hostname(), near
        )
        return (
            Machine(self._client_host(), own, CLIENT),
            *(Machine(*one, CLIENT) for one in loads),
            *(Machine(h, h, GATEWAY) for h in self._gateways.hosts()),
        )

    def set(self, text: Optional[str]) -> access.ShownAccess:
        """Keep CA and credentials of a file beside others; say what is set."""
        kept = access.load(self._cluster)
        found = access.parse(text).over(kept)
        access.save(self._cluster, found)
        return found.shown()

    def forget(self) -> bool:
        """Forget CA and credentials; say whether there were any."""
        return access.clear(self._cluster)
