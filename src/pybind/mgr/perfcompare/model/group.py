"""Groups of OSDs as an operator defines them, and as they resolve."""

from typing import Optional, Sequence, Tuple

import dataclasses
import enum
import re

# in the languages of the page, whose users write notes
_EMULATED = re.compile(
    r'(?<!not )(?<!non-)(?<!no )(?<!no longer )\bemulated\b'
    r'|(?<!nicht )(?<!nicht-)(?<!nicht mehr )(?<!kein )(?<!keine )'
    r'(?<!keine[mnrs] )\bemuliert(?:e[mnrs]?)?\b'
    r'|(?<![非未无不])(?<!没有)(?<!不是)(?<!不再)仿真',
    re.I,
)


def says_emulated(note: str) -> bool:
    """Say whether a note calls its group emulated, not "not emulated"."""
    return bool(_EMULATED.search(note))


def emulated_label(name: str) -> str:
    """Return what plans and recoveries say of an emulated group."""
    return (
        f'group {name!r} is emulated: its figures are not those of such '
        'hardware'
    )


class Placement(str, enum.Enum):
    """Say how a group gets load and nothing else does."""

    HOSTS = 'hosts'  # a CRUSH root of the run, to which hosts are linked
    DEVICE_CLASS = 'device-class'  # a rule that takes a class


@dataclasses.dataclass(frozen=True)
class GroupSpec:
    """Define a group as an operator set it (or a device class, unset).

    Exactly one of ``hosts`` (CRUSH bucket names, optionally filtered by
    ``device_class``) and ``device_class`` alone makes the placement.
    """

    name: str
    hosts: Tuple[str, ...] = ()
    device_class: Optional[str] = None
    watts: Optional[float] = None  # of the whole group
    price: Optional[float] = None  # of the whole group, any currency
    note: str = ''

    @property
    def placement(self) -> Placement:
        """Return how pools of this group are placed."""
        return Placement.HOSTS if self.hosts else Placement.DEVICE_CLASS


@dataclasses.dataclass(frozen=True)
class GatewaySet:
    """Name the S3 gateways of an operator that serve a group; no keys."""

    group: str
    endpoints: Tuple[str, ...]  # URLs
    placement: str = ''  # id of the placement target; '': the user's own
    region: str = 'us-east-1'
    own_ca: bool = False  # certificates are signed by the given authority
    dns_name: str = ''  # in which buckets are hosts; '': not known


@dataclasses.dataclass(frozen=True)
class Group:
    """Resolve a GroupSpec against the topology: its OSDs by host."""

    spec: GroupSpec
    osds: Tuple[int, ...]  # sorted ids, only OSDs that are up and in
    hosts: Tuple[str, ...]  # CRUSH hosts that carry these OSDs
    failure_domains: int  # how many hosts a rule can choose from
    arch: Tuple[str, ...] = ()  # distinct, sorted
    missing: Tuple[int, ...] = ()  # OSDs of the group down or out
    hostless: Tuple[int, ...] = ()  # OSDs below no host of CRUSH

    @property
    def name(self) -> str:
        """Return the group's name."""
        return self.spec.name


def osd_names(ids: Sequence[int]) -> str:
    """Return 'osd.1, osd.2'; of many the first five and how many more."""
    names = [f'osd.{i}' for i in sorted(ids)]
    if len(names) > 6:
        names = names[:5] + [f'{len(names) - 5} more']
    return ', '.join(names)
