"""Pass `ceph orch daemon start|stop` on to whoever runs the cluster.

In a mini cluster it is mounted as `test_orchestrator`.

A manager runs no programs. Each order becomes a file in the folder that the
option ``spool`` names; a test outside carries it out (orders.py). Without
the option there is no orchestrator.
"""

from typing import Any, Dict, List, Optional, Tuple

import json
import os
import threading
import time

import mgr_module
import orchestrator
from mgr_module import MgrModule, Option
from orchestrator import handle_orch_error

ACTIONS = ('start', 'stop')


class Module(orchestrator.Orchestrator, MgrModule):
    """Be an orchestrator that can start and stop daemons, and no more."""

    MODULE_OPTIONS: List[Option] = [
        Option('spool', type='str', default='', runtime=True)
    ]
    if hasattr(mgr_module, 'CLICommandBase'):  # 20.2.4
        CLICommand: Any = mgr_module.CLICommandBase.make_registry_subtype(
            'MiniOrchestratorCLICommand'
        )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._stopping = threading.Event()
        self._count = 0

    def _spool(self) -> str:
        return str(self.get_module_option('spool') or '')

    def available(self) -> Tuple[bool, str, Dict[str, Any]]:
        """Say whether orders have somewhere to go."""
        if not os.path.isdir(self._spool()):
            return False, 'the option spool names no folder', {}
        return True, '', {}

    @handle_orch_error
    def daemon_action(
        self,
        action: str,
        daemon_name: str,
        image: Optional[str] = None,
        force: bool = False,
    ) -> str:
        """Leave an order, complete or not at all."""
        if action not in ACTIONS:
            raise orchestrator.OrchestratorError(
                '%s is not one of %s' % (action, ', '.join(ACTIONS))
            )
        self._count += 1
        name = '%.6f-%d' % (time.time(), self._count)
        path = os.path.join(self._spool(), name)
        with open(path + '.new', 'w', encoding='utf-8') as file:
            json.dump({'action': action, 'daemon': daemon_name}, file)
        os.rename(path + '.new', path + '.json')
        return 'Scheduled to %s %s' % (action, daemon_name)

    def serve(self) -> None:
        """Wait for the end."""
        self._stopping.wait()

    def shutdown(self) -> None:
        """End serve()."""
        self._stopping.set()
