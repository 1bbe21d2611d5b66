"""Say which groups of a test are emulated: their times are no hardware's."""

from typing import Sequence, Tuple

import platform

from ...execution.observer import is_emulated
from ...guard.checks.client_host import locality_of
from ...guard.collect.facts import Machine
from ...model.group import Group
from ...model.topology import Topology


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
    return tuple(
        f'group {name!r} is emulated: its figures are not those of such '
        'hardware'
        for name in names
    )
