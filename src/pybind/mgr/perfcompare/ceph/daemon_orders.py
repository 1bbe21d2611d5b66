"""What MgrCluster orders from the orchestrator about daemons.

By commands, which the mon passes to the manager: a module may not call
another one that waits for it. cephadm keeps an order that it cannot carry
out now, through failovers too, and does it when it can.
"""

from typing import Any, Dict, List, Optional, Sequence, Set

import json
import logging

from ..common.errors import CommandFailed, InvalidArgument
from ..ports.faults import daemon
from .writes import MgrWrites

log = logging.getLogger(__name__)

ACTIONS = ('stop', 'start')
SECONDS = 30.0
RECORD = 'mgr/{}/host.{}'  # where cephadm keeps what it knows of a host
SCHEDULED = 'scheduled_daemon_actions'
RECORDING = 'cephadm'  # the one that keeps such records


class MgrDaemonOrders(MgrWrites):
    """Implement ``ports.faults.DaemonOrders`` on a MgrModule."""

    def orchestrator(self) -> Optional[str]:
        """Return the orchestrator that can stop daemons, None without."""
        return _backend(self._orchestrator_status())

    def _orchestrator_status(self) -> Dict[str, Any]:
        try:
            found = self._commands.mon_json('orch status')
        except CommandFailed:  # the module is off, or has no backend
            return {}
        return found if isinstance(found, dict) else {}

    def orders_held(self, osds: Sequence[int]) -> str:
        """Say why the orchestrator would keep orders to OSDs, '' if not."""
        status = self._orchestrator_status()
        if status.get('paused') is True:
            return f'{_backend(status)} is paused (ceph orch resume)'
        try:
            unmanaged = self._unmanaged()
            if not unmanaged:
                return ''
            for osd in osds:
                for name in self._services_of(osd):
                    if name in unmanaged:
                        return (
                            f'the service {name!r} of {daemon(osd)} is '
                            f'unmanaged (ceph orch set-managed {name})'
                        )
        except CommandFailed as error:  # of a backend without such lists
            log.warning('services of OSDs: %s', error.message)
        return ''

    def _unmanaged(self) -> Set[str]:
        """Return the services of OSDs whose specification says so.

        Daemons without one are listed as unmanaged, too, and obey.
        """
        return {
            str(s.get('service_name'))
            for s in self._orch_list('orch ls', service_type='osd')
            if s.get('unmanaged') and (s.get('status') or {}).get('created')
        }

    def _services_of(self, osd: int) -> List[str]:
        found = self._orch_list(
            'orch ps', daemon_type='osd', daemon_id=str(osd)
        )
        return [str(d.get('service_name')) for d in found]

    def stop_pending(self, osd: int) -> bool:
        """Say whether the orchestrator still has an order to stop an OSD.

        Its record outlives a time in which it does not answer.
        """
        backend = self.orchestrator() or RECORDING
        try:
            host = self._commands.mon_json('osd metadata', id=osd)['hostname']
            text = self._commands.mon(
                'config-key get', key=RECORD.format(backend, host)
            )
            record = json.loads(text)
        except (CommandFailed, KeyError, ValueError):  # no such record
            return False
        actions = record.get(SCHEDULED) if isinstance(record, dict) else None
        return (
            isinstance(actions, dict) and actions.get(daemon(osd)) == 'stop'
        )

    def orchestrate(self, action: str, name: str) -> None:
        """Ask the orchestrator to 'stop' or 'start' a daemon."""
        if action not in ACTIONS:
            raise InvalidArgument(f'{action!r} is not one of stop, start')
        log.info('orchestrator: %s %s', action, name)
        self._commands.mon('orch daemon', SECONDS, action=action, name=name)

    def _orch_list(self, prefix: str, **args: Any) -> List[Dict[str, Any]]:
        """Return a list; an empty one is a sentence, whatever the format."""
        text = self._commands.mon(prefix, SECONDS, format='json', **args)
        if text.startswith('No '):
            return []
        try:
            found = json.loads(text)
        except ValueError:
            found = None
        if not isinstance(found, list):
            raise CommandFailed(prefix, 5, 'answer is not a list')
        return found


def _backend(status: Dict[str, Any]) -> Optional[str]:
    if not status.get('available'):
        return None
    return str(status.get('backend') or '') or None
