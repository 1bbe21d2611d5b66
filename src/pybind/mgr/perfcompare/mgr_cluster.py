"""The real Cluster: the only code that touches the MgrModule object."""

from typing import Any

from .commands import Commands
from .mgr_orchestration import MgrOrchestration
from .mgr_reads import MgrReads
from .mgr_sights import MgrSights
from .mgr_voice import MgrVoice


class MgrCluster(MgrReads, MgrSights, MgrOrchestration, MgrVoice):
    """Implement ``cluster.Cluster`` on a MgrModule; safe for threads."""

    def __init__(self, mgr: Any) -> None:
        commands = Commands(mgr)
        MgrReads.__init__(self, mgr, commands)
        MgrOrchestration.__init__(self, mgr, commands)
        MgrVoice.__init__(self, mgr, commands)
