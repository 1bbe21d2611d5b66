"""The orchestrator of the fake cluster: it places gateways at once."""

from typing import Dict, List, Optional, Tuple

from ...common.errors import CommandFailed
from ...ports.orchestration import GatewayDaemon, GatewayOrder, section
from .state import FakeState, verb


class FakeOrchestration(FakeState):
    """Implement ``orchestration.ClusterOrchestration``."""

    gateway_orchestrator: Optional[str] = None
    orchestrator_places: Dict[str, str] = {}
    orchestrator_labeled: Dict[str, Tuple[str, ...]] = {}
    services: Dict[str, GatewayOrder] = {}
    removed_services: List[str] = []
    gateway_status = 'running'
    lets_go = True  # whether a removed service goes
    tidy = True  # whether keys and options go with it
    loses = 0  # orders that have no effect, from now on
    refreshed = 0  # how often lists were asked for anew

    @verb
    def gateway_backend(self) -> Optional[str]:
        return self.gateway_orchestrator

    @verb
    def orchestrator_hosts(self) -> Dict[str, str]:
        return dict(self.orchestrator_places)

    @verb
    def orchestrator_labels(self) -> Dict[str, Tuple[str, ...]]:
        if self.gateway_orchestrator is None:
            raise CommandFailed('orch host ls', 2, 'No orchestrator')
        return dict(self.orchestrator_labeled)

    @verb
    def gateways_apply(self, order: GatewayOrder) -> None:
        if self._lost():
            return
        self.services = {**self.services, order.service: order}
        for daemon in self._daemons(order):
            self.auth[f'client.{daemon.name}'] = {}
        self.config[section(order.service), 'rgw_zone'] = order.zone

    def _lost(self) -> bool:
        self.loses -= 1
        return self.loses >= 0

    def _daemons(self, order: GatewayOrder) -> List[GatewayDaemon]:
        return [
            GatewayDaemon(
                name=f'rgw.{order.service}.{host}.{i}',
                host=host,
                address=self.orchestrator_places[host],
                port=order.port + i,
                running=self.gateway_status == 'running',
                status=self.gateway_status,
                version='20.2.4',
            )
            for host in order.hosts
            for i in range(order.per_host)
        ]

    @verb
    def gateways_placed(
        self, service: str, refresh: bool = False
    ) -> List[GatewayDaemon]:
        self.refreshed += refresh
        order = self.services.get(service)
        return self._daemons(order) if order else []

    @verb
    def gateways_known(self, service: str) -> bool:
        return service in self.services

    @verb
    def gateways_remove(self, service: str) -> None:
        self.removed_services = self.removed_services + [service]
        if not self.lets_go or self._lost():
            return
        order = self.services[service]
        self.services = {
            k: v for k, v in self.services.items() if k != service
        }
        if self.tidy:
            for daemon in self._daemons(order):
                self.auth.pop(f'client.{daemon.name}')
            del self.config[section(service), 'rgw_zone']
