"""The groups that operators defined: kept in the mon store, used by name."""

from typing import Dict, List, Optional, Protocol, Sequence, Tuple

import dataclasses
import threading

from ..common.errors import AlreadyExists, InvalidArgument, NotFound
from ..model.group import Group, GroupSpec, Placement
from ..model.topology import Topology
from ..ports.keys import KeyValueStore
from ..ports.osd_map import OsdMapReads
from . import detection, kept
from . import resolution as groups

PREFIX = 'group/'
MAX_NOTE = 200  # characters; printed with every comparison


class Needs(KeyValueStore, OsdMapReads, Protocol):
    """Name what is asked of a cluster here."""


@dataclasses.dataclass(frozen=True)
class GroupEntry:
    """List one group: its definition, and what it resolves to now.

    ``problem`` says why it cannot be used, when it cannot.
    """

    spec: GroupSpec
    defined: bool  # False for a device class used as a group
    placement: Placement
    group: Optional[Group]
    problem: str = ''


class GroupRepository:
    """Set, find, resolve and remove groups."""

    def __init__(self, cluster: Needs) -> None:
        self._cluster = cluster
        self._creating = threading.Lock()

    def specs(self) -> Dict[str, GroupSpec]:
        """Return the groups that were set and can be read, by name."""
        return self._stored()[0]

    def _stored(self) -> Tuple[Dict[str, GroupSpec], Dict[str, str]]:
        """Return the groups that were set, and why others cannot be read."""
        specs: Dict[str, GroupSpec] = {}
        damaged: Dict[str, str] = {}
        for key, text in sorted(self._cluster.kv_list(PREFIX).items()):
            name = key[len(PREFIX) :]
            try:
                spec = kept.spec_of(text)
                if spec.name != name:
                    raise InvalidArgument(f'it is of group {spec.name!r}')
                specs[name] = spec
            except InvalidArgument as error:
                damaged[name] = (
                    'its definition cannot be read by this version '
                    f'({error.message}): set it again, or remove it: ceph '
                    f'perfcompare group rm {name}'
                )
        return specs, damaged

    def _find(self, name: str, topology: Topology) -> GroupSpec:
        """Return a group, also a device class of that name.

        The class of one that cannot be read may be something else.
        """
        specs, damaged = self._stored()
        if name in damaged:
            raise InvalidArgument(f'group {name!r}: {damaged[name]}')
        return groups.find(name, specs, topology)

    def set(
        self,
        name: str,
        hosts: Optional[Sequence[str]],
        device_class: Optional[str],
        watts: Optional[float],
        price: Optional[float],
        note: Optional[str],
    ) -> GroupEntry:
        """Define or redefine a group; refuse one that cannot resolve."""
        if not hosts and not device_class:
            raise InvalidArgument(
                f'group {name!r} needs --hosts or --device-class'
            )
        for option, value in (('--watts', watts), ('--price', price)):
            if value is not None and not 0 < value < float('inf'):
                raise InvalidArgument(
                    f'{option} {value:g} must be greater than 0'
                )
        # every write of the CLI may also come as one comma-separated word
        names = [h for word in hosts or () for h in word.split(',') if h]
        doubled = sorted({h for h in names if names.count(h) > 1})
        if doubled:
            raise InvalidArgument(f'host {doubled[0]!r} is given twice')
        note = ' '.join((note or '').split())
        if len(note) > MAX_NOTE:
            raise InvalidArgument(
                f'--note {note[:40]!r}... has {len(note)} characters; give '
                f'at most {MAX_NOTE}'
            )
        spec = GroupSpec(
            name=groups.check_name(name),
            hosts=tuple(names),
            device_class=device_class,
            watts=watts,
            price=price,
            note=note,
        )
        group = groups.resolve(spec, self._cluster.topology())
        self._cluster.kv_set(PREFIX + name, kept.text_of(spec))
        return GroupEntry(spec, True, spec.placement, group)

    def create(
        self,
        name: str,
        hosts: Optional[Sequence[str]],
        device_class: Optional[str],
        watts: Optional[float],
        price: Optional[float],
        note: Optional[str],
    ) -> GroupEntry:
        """Define a group as `set` does, but refuse a name that is set."""
        with self._creating:
            specs, damaged = self._stored()
            if name in specs or name in damaged:
                raise AlreadyExists(
                    f'group {name!r} exists; change it with PUT'
                )
            return self.set(name, hosts, device_class, watts, price, note)

    def list(self) -> List[GroupEntry]:
        """Return set groups first, then unset device classes."""
        topology = self._cluster.topology()
        specs, damaged = self._stored()
        entries = [
            self._entry(spec, True, topology) for spec in specs.values()
        ]
        entries += [_unreadable(n, why) for n, why in damaged.items()]
        used = {s.device_class for s in specs.values() if not s.hosts}
        for name in topology.device_classes():
            if not (name in specs or name in used or name in damaged):
                spec = GroupSpec(name=name, device_class=name)
                entries.append(self._entry(spec, False, topology))
        return entries

    def show(self, name: str) -> GroupEntry:
        """Return one group; NotFound names the known ones."""
        topology = self._cluster.topology()
        specs, damaged = self._stored()
        if name in damaged:
            return _unreadable(name, damaged[name])
        spec = groups.find(name, specs, topology)
        return self._entry(spec, name in specs, topology)

    def resolve(self, name: str) -> Group:
        """Return the group resolved now, or say why it cannot be."""
        topology = self._cluster.topology()
        return groups.resolve(self._find(name, topology), topology)

    def resolve_all(self, names: Sequence[str]) -> List[Group]:
        """Return the groups of a run; refuse none, or one given twice."""
        if not names:
            raise InvalidArgument('name at least one group with --group')
        doubled = [name for name in names if names.count(name) > 1]
        if doubled:
            raise InvalidArgument(f'group {doubled[0]!r} is given twice')
        return [self.resolve(name) for name in names]

    def remove(self, name: str) -> None:
        """Forget a group."""
        specs, damaged = self._stored()
        if name not in specs and name not in damaged:
            known = ', '.join([*specs, *damaged]) or 'none'
            raise NotFound(f'group {name!r} is not set; set are: {known}')
        self._cluster.kv_remove(PREFIX + name)

    def detect(self, apply: bool) -> detection.Detection:
        """Propose groups by architecture; store them with ``apply``.

        A name that is set already is left as it is.
        """
        found = detection.detection(self._cluster.topology())
        if apply:
            specs, damaged = self._stored()
            texts = {
                spec.name: kept.text_of(spec)
                for spec in (proposal.spec for proposal in found.proposals)
                if spec.name not in specs and spec.name not in damaged
            }
            for name, text in texts.items():
                self._cluster.kv_set(PREFIX + name, text)
        return found

    def _entry(
        self, spec: GroupSpec, defined: bool, topology: Topology
    ) -> GroupEntry:
        try:
            group: Optional[Group] = groups.resolve(spec, topology)
            problem = ''
        except (InvalidArgument, NotFound) as error:
            group, problem = None, error.message
        return GroupEntry(spec, defined, spec.placement, group, problem)


def _unreadable(name: str, why: str) -> GroupEntry:
    """Return the entry of a group whose definition cannot be read."""
    spec = GroupSpec(name)
    return GroupEntry(spec, True, spec.placement, None, why)
