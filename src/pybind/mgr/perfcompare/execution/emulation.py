"""Say which groups are emulated: their figures are no hardware's."""

from typing import Optional, Sequence, Set, Tuple

import platform

from ..guard.checks.client_host import locality_of
from ..guard.collect.facts import Machine
from ..model.group import Group, emulated_label, says_emulated
from ..model.topology import Osd, Topology


def is_emulated(
    note: str, osds: Sequence[Osd], local: Set[int], own: str
) -> Optional[bool]:
    """Say whether OSDs run under an emulator; None when nobody can tell.

    An OSD on the very machine that makes the load, of architecture ``own``,
    that reports another one does; of others the group's note may say so.
    """
    if says_emulated(note):
        return True
    if any(o.id in local and o.arch not in (None, own) for o in osds):
        return True
    return False if all(o.id in local for o in osds) else None


def emulated(
    groups: Sequence[Group], topology: Topology, machine: Machine
) -> Tuple[str, ...]:
    """Return the names of groups whose OSDs are known to be emulated."""
    found = []
    for group in groups:
        near = locality_of(machine, topology, group.osds)
        local = set(near.same_host + near.hidden)
        osds = [topology.osds[i] for i in group.osds]
        if is_emulated(group.spec.note, osds, local, platform.machine()):
            found.append(group.name)
    return tuple(found)


def labels(names: Sequence[str]) -> Tuple[str, ...]:
    """Return a label for each emulated group."""
    return tuple(map(emulated_label, names))
