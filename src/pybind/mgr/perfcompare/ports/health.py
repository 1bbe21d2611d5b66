"""How the cluster is, and what its mons and mgrs are about.

A part of the one door to Ceph (cluster.py).
"""

from typing import Any, Dict, List, Optional, Protocol

from ..model.topology import GatewayZone, Health, MgrState, MonState


class Mons(Protocol):
    """Say whether a mon answers: all that a lease asks of a cluster."""

    def mon_round_trip(self) -> None:
        """Return only after a mon in quorum answered (lease renewal)."""


class HealthReads(Protocol):
    """Read health, quorum, mgrs, and what is under way."""

    def health(self) -> Health:
        """Return the health checks (cheap)."""

    def mon_state(self) -> MonState:
        """Return the quorum and its election epoch (cheap)."""

    def mgr_state(self) -> MgrState:
        """Return active and standby mgrs and what they can load."""

    def gateway_zones(self) -> List[GatewayZone]:
        """Return the zones that gateways of the cluster are in (cheap)."""

    def upgrade_in_progress(self) -> Optional[str]:
        """Return the orchestrator's upgrade message, None without one."""

    def balancer_status(self) -> Dict[str, Any]:
        """Return `balancer status` as data ('active', 'mode')."""
