"""Where the gateways of the cluster are, by what they registered."""

from typing import Any, List, Mapping

from ..model.topology import GatewayZone


def read(service_map: Mapping[str, Any]) -> List[GatewayZone]:
    """Return the zones of gateways in a service map, each once."""
    services = service_map.get('services', {})
    daemons = services.get('rgw', {}).get('daemons', {})
    found = set()
    for daemon in daemons.values():
        if isinstance(daemon, dict):  # a summary is among them
            told = daemon.get('metadata', {})
            names = ('realm_name', 'zonegroup_name', 'zone_name')
            found.add(GatewayZone(*(str(told.get(n, '')) for n in names)))
    return sorted(found)
