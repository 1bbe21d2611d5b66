"""Propose groups from the CPU architecture that OSDs report."""

from typing import Dict, List, Optional, Sequence, Set, Tuple

import dataclasses

from ..model.group import GroupSpec, Placement
from ..model.topology import Osd, Topology

# What people call them; others keep the name that the OSDs report.
FRIENDLY = {
    'aarch64': 'arm',
    'arm64': 'arm',
    'armv7l': 'arm32',
    'x86_64': 'x86',
    'amd64': 'x86',
}
# Ceph gives these itself, by medium: that one of them covers exactly one
# architecture today is chance, and it would take in tomorrow's hosts.
_MEDIA_CLASSES = frozenset({'hdd', 'ssd', 'nvme'})


@dataclasses.dataclass(frozen=True)
class Proposal:
    """Propose one group: its definition, and why it is placed so."""

    spec: GroupSpec
    arch: str  # as the OSDs report it
    osds: Tuple[int, ...]
    why: str

    @property
    def placement(self) -> Placement:
        """Return the placement that the proposed group would use."""
        return self.spec.placement


@dataclasses.dataclass(frozen=True)
class Detection:
    """Hold the proposed groups, and a line for all that is in none."""

    proposals: Tuple[Proposal, ...]
    left_out: Tuple[str, ...]


def detection(topology: Topology) -> Detection:
    """Return the proposals together with what they leave out, and why."""
    return Detection(tuple(detect(topology)), tuple(detect_remarks(topology)))


def detect(topology: Topology) -> List[Proposal]:
    """Return one proposal (or one for each medium) per architecture.

    A group is placed by its hosts, unless a device class is exactly the
    architecture's OSDs. OSDs that no placement can separate are left out;
    ``detect_remarks`` names them.
    """
    proposals: List[Proposal] = []
    for arch, osds in sorted(_by_arch(topology).items()):
        name = friendly_name(arch)
        taken = _exact_class(osds, topology)
        mixed = _mixed_hosts(topology)
        placed = {o.host for o in osds if o.host}
        hosts = sorted(placed - set(mixed))
        if taken and (taken not in _MEDIA_CLASSES or not hosts):
            why = f'device class {taken!r} is exactly the {arch} OSDs'
            if taken == name:
                why += '; it is usable as this group without setting it'
            proposals.append(
                Proposal(
                    GroupSpec(name=name, device_class=taken),
                    arch,
                    tuple(o.id for o in osds),
                    why,
                )
            )
        elif hosts:
            rest = [o for o in osds if o.host in hosts]
            proposals.extend(_by_hosts(name, arch, hosts, rest))
    return proposals


def detect_remarks(topology: Topology) -> List[str]:
    """Return what detection could not use, and what would help."""
    remarks = []
    arches = _by_arch(topology)
    unknown = sorted(o.id for o in topology.osds.values() if not o.arch)
    if unknown:
        remarks.append(
            f'{_osds(unknown)} report no architecture (down since the '
            'Monitors forgot their metadata); start them to have them detected'
        )
    astray = sorted(
        o.id for o in topology.osds.values() if o.arch and not o.host
    )
    if astray:
        remarks.append(
            f'{_osds(astray)} are below no host of CRUSH: they are in no '
            'proposal by hosts'
        )
    for host, found in sorted(_mixed_hosts(topology).items()):
        lost = [
            arch for arch in found if not _exact_class(arches[arch], topology)
        ]
        text = f'host {host!r} carries OSDs of {" and ".join(found)}'
        if lost:
            text += (
                '; it is in no proposal for '
                + ' and '.join(friendly_name(a) for a in lost)
                + ': only a device class for each architecture can '
                'separate them (setting one moves data of pools whose '
                'rules take a class)'
            )
        else:
            text += '; device classes separate them'
        remarks.append(text)
    return remarks


def friendly_name(arch: str) -> str:
    """Return the group name for an architecture, e.g. 'arm'."""
    name = FRIENDLY.get(arch.lower(), arch.lower())
    return ''.join(c if c.isalnum() else '-' for c in name)[:24]


def _osds(ids: Sequence[int]) -> str:
    names = ', '.join(f'osd.{i}' for i in ids[:8])
    return names + (f' and {len(ids) - 8} more' if len(ids) > 8 else '')


def _by_arch(topology: Topology) -> Dict[str, List[Osd]]:
    found: Dict[str, List[Osd]] = {}
    for ident in sorted(topology.osds):
        osd = topology.osds[ident]
        if osd.arch:
            found.setdefault(osd.arch, []).append(osd)
    return found


def _mixed_hosts(topology: Topology) -> Dict[str, List[str]]:
    """Return the architectures of each CRUSH host that has several."""
    found: Dict[str, Set[str]] = {}
    for osd in topology.osds.values():
        if osd.arch and osd.host:
            found.setdefault(osd.host, set()).add(osd.arch)
    return {h: sorted(a) for h, a in found.items() if len(a) > 1}


def _exact_class(osds: Sequence[Osd], topology: Topology) -> Optional[str]:
    ids = sorted(o.id for o in osds)
    for name, members in topology.device_classes().items():
        if members == ids:
            return name
    return None


def _by_hosts(
    name: str, arch: str, hosts: Sequence[str], osds: Sequence[Osd]
) -> List[Proposal]:
    """Propose the hosts; once for each class when they mix media."""
    media = {o.rotational for o in osds}
    classes = sorted({o.device_class for o in osds if o.device_class})
    text = f'all OSDs of {", ".join(hosts)} report {arch}'
    if not {True, False} <= media or not classes:
        return [
            Proposal(
                GroupSpec(name=name, hosts=tuple(hosts)),
                arch,
                tuple(o.id for o in osds),
                f'{text}; by hosts needs no tag',
            )
        ]
    return [
        Proposal(
            GroupSpec(
                name=f'{name}-{friendly_name(kind)}',
                hosts=tuple(
                    sorted({o.host for o in osds if o.device_class == kind})
                ),
                device_class=kind,
            ),
            arch,
            tuple(o.id for o in osds if o.device_class == kind),
            f'{text}; they mix media, so one group for each device class',
        )
        for kind in classes
    ]
