"""Make the zone of gateways that the orchestrator is to start."""

from typing import Any, Dict

from ..wire.gateway_jobs import Zone
from .admin import set_up
from .run import GatewayRun, private


class ZoneRun(GatewayRun):
    """Make realm, zone and user; nothing is left running."""

    _job: Zone

    def tools(self) -> Dict[str, str]:
        """Return nothing: the gateways are of other hosts."""
        return {}

    def prepare(self) -> None:
        """Make what is not there yet; write the user's keys."""
        private(self._job.credentials, set_up(self._job, self._context))

    def run(self) -> Dict[str, Any]:
        """End at once."""
        context = self._context
        return {
            'started': context.start[0],
            'ended': context.now(),
            'notes': [],
        }
