"""Which abort rules wait, or hold back, while a test takes OSDs away."""

from typing import Dict, Optional

from ...guard.abort.rules import FOREVER
from ...model.recovery import Scenario

# Abort rules that may fire for so many seconds while OSDs are away on
# purpose: PGs peer, and operations wait for them.
PATIENCE: Dict[str, float] = {
    'PG_DEGRADED': FOREVER,
    'PG_AVAILABILITY': 120.0,
    'PGS_INACTIVE': 120.0,
    'SLOW_OPS': 120.0,
    'BLUESTORE_SLOW_OP_ALERT': FOREVER,
}


def patience(scenario: Scenario) -> Optional[Dict[str, float]]:
    """Return seconds by rule; None where no OSD is taken away."""
    return PATIENCE if scenario is not Scenario.BACKFILL else None
