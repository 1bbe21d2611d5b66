"""Say which OSDs a group has, whether they are up or not."""

from typing import List, Set

from ...groups.repository import GroupRepository
from ...model.group import GroupSpec, says_emulated
from ...model.topology import Topology
from .pgbook import Scope


def group_scopes(book: GroupRepository, topology: Topology) -> List[Scope]:
    """Return a scope for each group and each device class without one."""
    specs = book.specs()
    found = list(specs.values())
    classes = {s.device_class for s in found if not s.hosts}
    for name in topology.device_classes():
        if name not in classes and name not in specs:
            found.append(GroupSpec(name=name, device_class=name))
    scopes = [
        Scope(
            s.name,
            frozenset(osds_of(s, topology)),
            emulated=says_emulated(s.note),
        )
        for s in found
    ]
    return [s for s in scopes if s.osds]


def osds_of(spec: GroupSpec, topology: Topology) -> Set[int]:
    """Return the OSDs of a group, those that are down or out included."""
    osds = set(topology.osds)
    if spec.hosts:
        osds = set()
        for host in spec.hosts:
            if host in topology.buckets:
                osds.update(topology.osds_under(host))
    if spec.device_class:
        osds &= set(topology.device_classes().get(spec.device_class, ()))
    return osds
