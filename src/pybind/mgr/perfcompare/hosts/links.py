"""By which link hosts carry a load, as node_exporter sees it."""

from typing import Any, List, Mapping, Optional, Sequence

from .overview import nic_rate


def link(figures: Mapping[str, Any]) -> str:
    """Return the speed of a host's busiest interface, '25 Gbit/s'.

    Of the direction that carries more. '' where the interface that carries
    most does not say its speed, as loopback and many virtual ones do not.
    """
    nics: Mapping[str, Mapping[str, Any]] = figures.get('nics') or {}
    if not nics:
        return ''
    busiest = max(nics.values(), key=lambda nic: nic_rate(nic) or 0.0)
    speed: Optional[float] = busiest.get('speed_bytes_per_s')
    return f'{8 * speed / 1e9:g} Gbit/s' if speed else ''


def links(hosts: Sequence[Mapping[str, Any]]) -> List[str]:
    """Return the links of each host; none unless all are known."""
    found = [link(figures) for figures in hosts]
    return found if all(found) else []
