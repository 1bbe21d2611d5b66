"""The use cases about exporters: list them, set and forget their access."""

from typing import Callable, Optional

from ..common.settings import Settings
from ..hosts import access
from ..hosts.exporters import ExporterList, Needs, exporters


class ExporterService:
    """Offer what operators do with exporters."""

    def __init__(
        self,
        cluster: Needs,
        settings: Callable[[], Settings],
        client_host: Callable[[], str],
    ) -> None:
        self._cluster = cluster
        self._settings = settings
        self._client_host = client_host

    def list(self) -> ExporterList:
        """Return where figures of hosts come from, and who answers."""
        return exporters(self._cluster, self._settings(), self._client_host())

    def set(self, text: Optional[str]) -> access.ShownAccess:
        """Keep CA and credentials of a file beside others; say what is set."""
        kept = access.load(self._cluster)
        found = access.parse(text).over(kept)
        access.save(self._cluster, found)
        return found.shown()

    def forget(self) -> bool:
        """Forget CA and credentials; say whether there were any."""
        return access.clear(self._cluster)
