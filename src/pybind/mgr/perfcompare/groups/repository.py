"""The groups that operators defined: kept in the mon store, used by name."""

from typing import Dict, List, Optional, Sequence

import dataclasses
import json

from ..common.codec import from_data, to_data
from ..common.errors import AlreadyExists, InvalidArgument, NotFound
from ..model.group import Group, GroupSpec, Placement
from ..model.topology import Topology
from ..ports.cluster import Cluster
from . import detection
from . import resolution as groups

PREFIX = 'group/'
MAX_NOTE = 200  # characters; printed with every comparison


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

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster

    def specs(self) -> Dict[str, GroupSpec]:
        """Return the groups that were set, by name."""
        stored = self._cluster.kv_list(PREFIX)
        specs = (
            from_data(GroupSpec, json.loads(text))
            for _, text in sorted(stored.items())
        )
        return {spec.name: spec for spec in specs}

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
        self._cluster.kv_set(PREFIX + name, json.dumps(to_data(spec)))
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
        if name in self.specs():
            raise AlreadyExists(f'group {name!r} exists; change it with PUT')
        return self.set(name, hosts, device_class, watts, price, note)

    def list(self) -> List[GroupEntry]:
        """Return set groups first, then unset device classes."""
        topology = self._cluster.topology()
        specs = self.specs()
        entries = [
            self._entry(spec, True, topology) for spec in specs.values()
        ]
        used = {s.device_class for s in specs.values() if not s.hosts}
        for name in topology.device_classes():
            if name not in specs and name not in used:
                spec = GroupSpec(name=name, device_class=name)
                entries.append(self._entry(spec, False, topology))
        return entries

    def show(self, name: str) -> GroupEntry:
        """Return one group; NotFound names the known ones."""
        topology = self._cluster.topology()
        specs = self.specs()
        spec = groups.find(name, specs, topology)
        return self._entry(spec, name in specs, topology)

    def resolve(self, name: str) -> Group:
        """Return the group resolved now, or say why it cannot be."""
        topology = self._cluster.topology()
        return groups.resolve(
            groups.find(name, self.specs(), topology), topology
        )

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
        specs = self.specs()
        if name not in specs:
            known = ', '.join(specs) or 'none'
            raise NotFound(f'group {name!r} is not set; set are: {known}')
        self._cluster.kv_remove(PREFIX + name)

    def detect(self, apply: bool) -> detection.Detection:
        """Propose groups by architecture; store them with ``apply``.

        A name that is set already is left as it is.
        """
        found = detection.detection(self._cluster.topology())
        if apply:
            known = self.specs()
            for proposal in found.proposals:
                spec = proposal.spec
                if spec.name not in known:
                    self._cluster.kv_set(
                        PREFIX + spec.name, json.dumps(to_data(spec))
                    )
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
