"""Groups of OSDs: their names, and what they are on this cluster now."""

from typing import (
    Dict,
    Iterable,
    List,
    Mapping,
    Optional,
    Sequence,
    Set,
    Tuple,
)

import re

from ..common.errors import InvalidArgument, NotFound
from ..model.group import Group, GroupSpec, osd_names
from ..model.topology import Osd, Topology

# Everything that a run creates in CRUSH starts so.
OWN_PREFIX = 'perfcompare-'
# `run --control` measures a group against itself; the second side needs a
# name that CRUSH, pools and caps accept, so it is reserved here.
CONTROL_SUFFIX = '_control'
MAX_NAME = 32

_NAME = re.compile(r'[a-z0-9][a-z0-9_-]{0,31}\Z')


def check_name(name: str) -> str:
    """Return ``name`` when a group can have it.

    Raises InvalidArgument for names that pools, rules and caps cannot
    carry, and for those reserved for `run --control`.
    """
    if not _NAME.match(name):
        raise InvalidArgument(
            f'group name {name[:40]!r} is not valid; give 1 to {MAX_NAME} '
            "of a-z, 0-9, '_' and '-', starting with a letter or digit"
        )
    if name == 'all':  # no value of a pool's application metadata
        raise InvalidArgument(
            f'group name {name!r} has a meaning of its own in Ceph; give '
            'another name'
        )
    if name.endswith(CONTROL_SUFFIX):
        raise InvalidArgument(
            f'group name {name!r} is reserved for run --control; give one '
            f'that does not end in {CONTROL_SUFFIX!r}'
        )
    return name


def find(
    name: str, specs: Mapping[str, GroupSpec], topology: Topology
) -> GroupSpec:
    """Return the group that was set as ``name``, or the device class.

    Raises NotFound naming what there is, InvalidArgument for a bad name.
    """
    if name in specs:
        return specs[name]
    check_name(name)
    classes = topology.device_classes()
    if name in classes:
        return GroupSpec(name=name, device_class=name)
    raise NotFound(
        f'group {name!r} does not exist; groups: {_listed(specs)}; device '
        f'classes: {_listed(classes)}; set it with `ceph perfcompare group '
        f'set {name} --hosts ...`'
    )


def resolve(spec: GroupSpec, topology: Topology) -> Group:
    """Return the OSDs and hosts that ``spec`` means on this cluster.

    Raises InvalidArgument or NotFound when it means none, mixes media
    without a device class, or is placed where no rule can reach.
    """
    check_name(spec.name)
    if not spec.hosts and not spec.device_class:
        raise InvalidArgument(
            f'group {spec.name!r} has neither hosts nor a device class; '
            'give --hosts or --device-class'
        )
    if spec.device_class:
        _check_class(spec, topology)
    if spec.hosts:
        hosts = _hosts(spec, topology)
        members = {o for h in hosts for o in topology.osds_under(h)}
    else:
        members = set(topology.osds)
    chosen = [
        topology.osds[ident]
        for ident in sorted(members)
        if ident in topology.osds
        and spec.device_class in (None, topology.osds[ident].device_class)
    ]
    # an OSD of weight 0 never gets a PG: to a group it is not there
    usable = [o for o in chosen if o.up and o.in_ and o.crush_weight > 0]
    if not usable:
        raise InvalidArgument(_no_osd(spec, chosen))
    if not spec.device_class:
        _check_media(spec, usable)
    present = {o.id for o in usable}
    places = sorted({o.host for o in usable if o.host})
    if spec.hosts:  # an OSD may be in another bucket as well
        places = sorted(
            h for h in hosts if present.intersection(topology.osds_under(h))
        )
    group = Group(
        spec=spec,
        osds=tuple(o.id for o in usable),
        hosts=tuple(places),
        failure_domains=len(places),
        arch=tuple(sorted({o.arch for o in usable if o.arch})),
        missing=tuple(o.id for o in chosen if o.id not in present),
        hostless=tuple(o.id for o in usable if not o.host),
    )
    if not spec.hosts:
        class_root(group.name, group.osds, topology)
    return group


def class_root(name: str, osds: Sequence[int], topology: Topology) -> str:
    """Return the existing CRUSH root that a rule by device class takes.

    Any bucket at the top but a host may be one; 'default' comes first.
    Raises InvalidArgument when the ``osds`` of group ``name`` are not all
    below one root.
    """
    inner = {i for b in topology.buckets.values() for i in b.items}
    roots = [
        bucket.name
        for bucket in topology.buckets.values()
        if not bucket.name.startswith(OWN_PREFIX)
        and bucket.id not in inner
        and bucket.type != 'host'
    ]
    found = [
        root
        for root in sorted(roots)
        if set(osds) <= set(topology.osds_under(root))
    ]
    if not found:
        raise InvalidArgument(
            f'group {name!r}: its OSDs are not all below one CRUSH '
            f'root (roots: {_listed(roots)}); define it with --hosts'
        )
    return 'default' if 'default' in found else found[0]


def check_distinct(groups: Sequence[Group]) -> None:
    """Refuse groups of one run that share a name or an OSD.

    Raises InvalidArgument naming both groups and the shared OSDs.
    """
    for i, one in enumerate(groups):
        for other in groups[i + 1 :]:
            if one.name == other.name:
                raise InvalidArgument(
                    f'group {one.name!r} is given twice; to measure a group '
                    'against itself give it once, with --control'
                )
            shared = sorted(
                set(one.osds + one.missing) & set(other.osds + other.missing)
            )
            if shared:
                raise InvalidArgument(
                    f'groups {one.name!r} and {other.name!r} share '
                    f'{osd_names(shared)}; give groups without a common '
                    'OSD'
                )


def control_pair(name: str) -> Tuple[str, str]:
    """Return the names of the two sides of `run --control`.

    The second is '<group>_control', with the group's name cut so that it
    stays a valid name of a group, pool and rule.
    """
    return name, name[: MAX_NAME - len(CONTROL_SUFFIX)] + CONTROL_SUFFIX


def _hosts(spec: GroupSpec, topology: Topology) -> List[str]:
    """Return the CRUSH hosts of a spec; larger buckets give their hosts."""
    found: Set[str] = set()
    for name in spec.hosts:
        bucket = topology.buckets.get(name)
        if bucket is None:
            raise NotFound(_unknown_host(name, topology))
        if name.startswith(OWN_PREFIX):
            raise InvalidArgument(
                f'bucket {name!r} belongs to a run; give hosts'
            )
        below = _hosts_below(name, topology)
        if not below:
            raise InvalidArgument(
                f'bucket {name!r} ({bucket.type}) holds no host with OSDs; '
                'give hosts that carry OSDs'
            )
        found.update(below)
    return sorted(found)


def _hosts_below(name: str, topology: Topology) -> List[str]:
    by_id = {b.id: b for b in topology.buckets.values()}
    hosts: Set[str] = set()
    stack = [topology.buckets[name]]
    while stack:
        bucket = stack.pop()
        if bucket.type == 'host':
            if bucket.items:
                hosts.add(bucket.name)
            continue
        stack.extend(by_id[i] for i in bucket.items if i in by_id)
    return sorted(hosts)


def _unknown_host(name: str, topology: Topology) -> str:
    """Say what is wrong with a host that is no CRUSH bucket."""
    short = name.split('.')[0].lower()
    buckets: Set[str] = set()
    for osd in topology.osds.values():
        hostname = (osd.hostname or '').lower()
        if name.lower() in (hostname, osd.host.lower()):
            buckets.add(osd.host)
        elif short in (hostname.split('.')[0], osd.host.lower()):
            buckets.add(osd.host)
    buckets.discard('')
    if buckets:
        return (
            f'host {name!r} is no CRUSH bucket, but a host name whose OSDs '
            f'are in bucket {_listed(buckets)}; give that'
        )
    return (
        f'host {name!r} is not in the CRUSH map; hosts: '
        f'{_listed(_known_hosts(topology))}'
    )


def _known_hosts(topology: Topology) -> List[str]:
    return [
        b.name
        for b in topology.buckets.values()
        if b.type == 'host' and b.items
    ]


def _check_class(spec: GroupSpec, topology: Topology) -> None:
    classes = topology.device_classes()
    if spec.device_class not in classes:
        raise NotFound(
            f'device class {spec.device_class!r} has no OSD; classes: '
            f'{_listed(classes)}'
        )


def _check_media(spec: GroupSpec, osds: Sequence[Osd]) -> None:
    """Refuse rotational beside other media when no class tells them."""
    kinds: Dict[Optional[bool], List[Osd]] = {}
    for osd in osds:
        kinds.setdefault(osd.rotational, []).append(osd)
    if True in kinds and False in kinds:
        classes = {o.device_class for o in osds if o.device_class}
        raise InvalidArgument(
            f'group {spec.name!r} mixes rotational '
            f'({osd_names([o.id for o in kinds[True]])}) and other media '
            f'({osd_names([o.id for o in kinds[False]])}); add '
            f'--device-class (one of {_listed(classes)})'
        )


def _no_osd(spec: GroupSpec, chosen: Sequence[Osd]) -> str:
    where = []
    if spec.hosts:
        where.append('on ' + _listed(spec.hosts))
    if spec.device_class:
        where.append(f'of device class {spec.device_class!r}')
    place = ' '.join(where)
    if not chosen:
        return (
            f'group {spec.name!r}: there is no OSD {place}; choose other '
            'hosts or another device class'
        )
    names = osd_names([o.id for o in chosen])
    return (
        f'group {spec.name!r}: none of its OSDs {place} can take data '
        f'({names}: down, out or of CRUSH weight 0); bring one up and in'
    )


def _listed(names: Iterable[object], limit: int = 20) -> str:
    """Return sorted names with commas, shortened; 'none' without any."""
    found = sorted(str(n) for n in names)
    if len(found) > limit:
        found = found[: limit - 1] + [f'{len(found) - limit + 1} more']
    return ', '.join(found) or 'none'
