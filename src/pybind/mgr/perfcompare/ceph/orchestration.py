"""What MgrCluster asks of the orchestrator about S3 gateways.

By commands, which any backend serves and which have a time limit: a call of
another module (`remote`) has none, and would hang with the backend.
"""

from typing import Any, Dict, List, Optional, Tuple

import json
import logging

from ..model.ownership import check_own
from ..ports.orchestration import (
    NO_HOSTS,
    GatewayDaemon,
    GatewayOrder,
    service_name,
)
from .faults import MgrFaults

log = logging.getLogger(__name__)

SECONDS = 30.0
DEFAULT_PORT = 80
RUNNING = 1  # DaemonDescriptionStatus.running


class MgrOrchestration(MgrFaults):
    """Implement ``orchestration.ClusterOrchestration`` on a MgrModule."""

    def gateway_backend(self) -> Optional[str]:
        """Return the orchestrator that can place gateways, None without."""
        backend = self.orchestrator()
        if backend is None or backend in NO_HOSTS:
            return None
        try:  # a look at its class, which waits for nothing
            features = self._mgr.remote(backend, 'get_feature_set')
        except (ImportError, RuntimeError) as error:
            log.warning('features of orchestrator %s: %s', backend, error)
            return None
        needed = ('apply_rgw', 'remove_service', 'list_daemons', 'get_hosts')
        if all(features.get(n, {}).get('available') for n in needed):
            return backend
        return None

    def orchestrator_hosts(self) -> Dict[str, str]:
        """Return addresses of the orchestrator's hosts, by name."""
        return {
            str(host['hostname']): str(host.get('addr') or host['hostname'])
            for host in self._orch_list('orch host ls')
        }

    def orchestrator_labels(self) -> Dict[str, Tuple[str, ...]]:
        """Return labels of the orchestrator's hosts, by name."""
        return {
            str(host['hostname']): tuple(map(str, host.get('labels') or ()))
            for host in self._orch_list('orch host ls')
        }

    def gateways_apply(self, order: GatewayOrder) -> None:
        """Order gateways; return before they are there."""
        check_own(order.service)
        log.info('orchestrator: %s on %s', order.service, order.hosts)
        text = json.dumps(specification(order))  # JSON is YAML
        self._commands.mon('orch apply', SECONDS, inbuf=text.encode())

    def gateways_placed(
        self, service: str, refresh: bool = False
    ) -> List[GatewayDaemon]:
        """Return the gateways of a service that are there by now."""
        anew = {'refresh': True} if refresh else {}
        name = service_name(service)
        found = self._orch_list('orch ps', service_name=name, **anew)
        addresses: Dict[str, str] = {}
        if any(not d.get('ip') for d in found):
            addresses = self.orchestrator_hosts()
        return [_daemon(item, addresses) for item in found]

    def gateways_known(self, service: str) -> bool:
        """Say whether the orchestrator still has the service."""
        name = service_name(service)
        return bool(self._orch_list('orch ls', service_name=name))

    def gateways_remove(self, service: str) -> None:
        """Order that a service goes; return before it is gone."""
        check_own(service)
        log.info('orchestrator: remove %s', service)
        self._commands.mon(
            'orch rm', SECONDS, service_name=service_name(service)
        )


def specification(order: GatewayOrder) -> Dict[str, Any]:
    """Return the service specification of an order."""
    return {
        'service_type': 'rgw',
        'service_id': order.service,
        'placement': {
            'hosts': list(order.hosts),
            'count_per_host': order.per_host,
        },
        'spec': {
            'rgw_realm': order.zone,
            'rgw_zonegroup': order.zone,
            'rgw_zone': order.zone,
            'rgw_frontend_port': order.port,
            # without it small reads wait 40 ms for an ACK
            'rgw_frontend_extra_args': ['tcp_nodelay=1'],
        },
    }


def _daemon(item: Dict[str, Any], addresses: Dict[str, str]) -> GatewayDaemon:
    host = str(item.get('hostname') or '')
    ports = item.get('ports') or [DEFAULT_PORT]
    name = str(item.get('daemon_name') or '')
    return GatewayDaemon(
        name=name or f'rgw.{item.get("daemon_id")}',
        host=host,
        address=str(item.get('ip') or addresses.get(host) or host),
        port=int(ports[0]),
        running=item.get('status') == RUNNING,
        status=str(item.get('status_desc') or 'unknown'),
        version=str(item.get('version') or ''),
    )
