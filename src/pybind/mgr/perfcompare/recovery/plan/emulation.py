"""Say which groups of a test are emulated: their times are no hardware's."""

from typing import Tuple

from ...execution.observer import is_emulated
from ...guard.checks.client_host import locality_of
from ...guard.collect.facts import Machine
from ...model.plan import RunPlan
from ...model.topology import Topology


def labels(
    plan: RunPlan, topology: Topology, machine: Machine
) -> Tuple[str, ...]:
    """Return a label for each group whose OSDs are known to be emulated."""
    found = []
    for group in plan.groups:
        near = locality_of(machine, topology, group.osds)
        local = set(near.same_host + near.hidden)
        osds = [topology.osds[i] for i in group.osds]
        if is_emulated(group, osds, local):
            found.append(
                f'group {group.name!r} is emulated: its figures are not '
                'those of such hardware'
            )
    return tuple(found)
