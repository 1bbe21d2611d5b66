"""Say whose autoscaling a run pauses while its pools and roots exist."""

from typing import Dict, FrozenSet, Optional, Sequence, Tuple

from ..groups import resolution as grouping
from ..model.group import Group, Placement
from ..model.topology import Pool, Rule, Topology

Taken = Tuple[str, Optional[str]]  # root and device class


def paused_pools(
    groups: Sequence[Group], topology: Topology, pools: Sequence[Pool]
) -> Tuple[str, ...]:
    """Return the foreign pools whose autoscaling the run would pause.

    The autoscaler leaves out all roots that share OSDs with another root,
    where a root with a device class is a root of its own; pools that it
    leaves out already, or does not scale, are not named.
    """
    rules = {rule.id: rule for rule in topology.rules.values()}
    reach: Dict[Taken, FrozenSet[int]] = {}
    for pool in pools:
        rule = rules.get(pool.crush_rule)
        if rule and rule.root in topology.buckets:
            reach[(rule.root, rule.device_class)] = osds_of_rule(
                topology, rule.root, rule.device_class
            )
    ours: Dict[Taken, FrozenSet[int]] = {}
    for group in groups:
        key: Taken
        if group.spec.placement is Placement.HOSTS:
            key = (grouping.OWN_PREFIX + group.name, group.spec.device_class)
        else:
            root = grouping.class_root(group.name, group.osds, topology)
            key = (root, group.spec.device_class)
        ours[key] = frozenset(group.osds + group.missing)

    def overlaps(
        key: Taken,
        others: Dict[Taken, FrozenSet[int]],
    ) -> bool:
        return any(
            other != key and reach[key] & osds
            for other, osds in others.items()
        )

    return tuple(
        sorted(
            pool.name
            for pool in pools
            if pool.autoscale_mode != 'off'
            and pool.crush_rule in rules
            and _key(rules[pool.crush_rule]) in reach
            and not overlaps(_key(rules[pool.crush_rule]), reach)
            and overlaps(_key(rules[pool.crush_rule]), ours)
        )
    )


def _key(rule: Rule) -> Taken:
    return rule.root, rule.device_class


def osds_of_rule(
    topology: Topology, root: str, device_class: Optional[str]
) -> FrozenSet[int]:
    """Return the OSDs that a rule on ``root`` with a class can choose."""
    return frozenset(
        ident
        for ident in topology.osds_under(root)
        if device_class is None
        or (
            ident in topology.osds
            and topology.osds[ident].device_class == device_class
        )
    )
