"""The real Cluster: the only code that touches the MgrModule object."""

from typing import Any

from ..common.clock import SYSTEM
from ..ports.clock import Clock
from .commands import Commands
from .maps import MgrMaps
from .orchestration import MgrOrchestration
from .reads import MgrReads
from .recovery_reads import MgrSights
from .voice import MgrVoice


class MgrCluster(MgrReads, MgrSights, MgrOrchestration, MgrVoice):
    """Implement ``cluster.Cluster`` on a MgrModule; safe for threads."""

    def __init__(self, mgr: Any, clock: Clock = SYSTEM) -> None:
        commands = Commands(mgr)
        self._clock = clock
        self._maps = MgrMaps(mgr, clock)
        MgrReads.__init__(self, mgr, commands)
        MgrOrchestration.__init__(self, mgr, commands)
        MgrVoice.__init__(self, mgr, commands)
