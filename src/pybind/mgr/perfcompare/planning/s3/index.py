"""Where the indexes of S3 buckets go: on the group, or on another class."""

from typing import NamedTuple, Sequence, Tuple

from ...common.errors import InvalidArgument, NotFound
from ...model.group import Group, Placement
from ...model.plan import GroupPlan
from ...model.topology import Topology
from ..redundancy import Redundancy

# no group's name has capitals, so this ends no other group's rule
SUFFIX = '-INDEX'


class IndexPlace(NamedTuple):
    """Hold rule, root, class and OSDs of indexes; empty: as objects."""

    rule: str = ''
    root: str = ''
    device_class: str = ''
    osds: Tuple[int, ...] = ()


def place(
    group: Group,
    name: str,
    device_class: str,
    how: Redundancy,
    topology: Topology,
    class_root: str,
) -> IndexPlace:
    """Return where a group's indexes go with ``--rgw-index-class``.

    A group by hosts has them on these very hosts; one that is a class has
    them on all OSDs of the other class below ``class_root``. Raises NotFound
    and InvalidArgument where that cannot be.
    """
    if not device_class or device_class == group.spec.device_class:
        return IndexPlace()
    classes = topology.device_classes()
    if device_class not in classes:
        raise NotFound(
            f'--rgw-index-class {device_class!r} has no OSD; classes: '
            + (', '.join(sorted(classes)) or 'none')
        )
    by_hosts = group.spec.placement is Placement.HOSTS
    root = name if by_hosts else class_root
    below = (
        [o for host in group.hosts for o in topology.osds_under(host)]
        if by_hosts
        else topology.osds_under(root)
    )
    osds = tuple(
        sorted(
            o.id
            for o in topology.osds.values()
            if o.id in below and o.device_class == device_class
            if o.up and o.in_ and o.crush_weight > 0
        )
    )
    copies = how.replicas or how.size
    domain = how.failure_domain
    if domain != 'osd':  # what is below no host a rule cannot choose
        osds = tuple(o for o in osds if topology.osds[o].host)
    have = len(
        osds if domain == 'osd' else {topology.osds[o].host for o in osds}
    )
    if have < copies:
        where = 'its hosts' if by_hosts else f'root {root}'
        raise InvalidArgument(
            f'--rgw-index-class {device_class!r}: group {group.name!r} has '
            f'{have} {domain}s of it on {where}, and {copies} copies need '
            f'{copies}; choose another class or leave the option out'
        )
    return IndexPlace(name + SUFFIX, root, device_class, osds)


def refuse_shared(groups: Sequence[GroupPlan]) -> None:
    """Raise InvalidArgument where groups would share OSDs.

    Those that hold the indexes of one group, and that another one is
    measured on.
    """
    for group in groups:
        for other in groups:
            shared = set(group.index_osds) & set(other.osds)
            if shared and other.name != group.name:
                raise InvalidArgument(
                    f'--rgw-index-class {group.index_class!r} would put '
                    f'indexes of group {group.name!r} on OSDs of group '
                    f'{other.name!r} (osd.{min(shared)}); choose a class '
                    'that no group of the run has'
                )
