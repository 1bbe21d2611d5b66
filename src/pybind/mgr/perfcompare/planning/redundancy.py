"""Decide the one size and failure domain that all groups of a run share."""

from typing import Mapping, Optional, Sequence, Tuple

import dataclasses

from ..common.errors import InvalidArgument
from ..common.units import count
from ..model.group import Group, osd_names

MAX_REPLICAS = 10  # what Ceph accepts as the size of a pool
_EC_PLUGINS = ('isa', 'jerasure', 'shec', 'clay')
STRIPE_UNIT = 4096  # bytes; default of osd_pool_erasure_code_stripe_unit
# techniques of jerasure that code packets: bits of a word, by default
_PACKET_WORDS = {
    'cauchy_orig': 8,
    'cauchy_good': 8,
    'liberation': 7,
    'blaum_roth': 7,
    'liber8tion': 8,
}
_EC_DOMAINS = ('host', 'osd')


@dataclasses.dataclass(frozen=True)
class Redundancy:
    """Hold how every pool of a run protects its objects."""

    size: int  # replicas, or k + m
    min_size: int
    failure_domain: str
    data_chunks: int = 1  # k; 1 for replicas
    stripe_width: int = 0  # bytes, erasure code only
    replicas: int = 0  # of pools beside the erasure-coded ones
    labels: Tuple[str, ...] = ()

    @property
    def stripe(self) -> Tuple[int, int]:
        """Return chunks of data and bytes of each, of an erasure code."""
        return self.data_chunks, self.stripe_width // self.data_chunks


def decide(
    groups: Sequence[Group],
    replicas: Optional[int],
    ec_name: Optional[str],
    ec_profile: Optional[Mapping[str, str]],
    stripe_unit: int = STRIPE_UNIT,
) -> Redundancy:
    """Return what the weakest group can carry, or what was asked for.

    Three replicas where every group has three hosts, two (labelled) where
    the weakest has two. Raises InvalidArgument when a group has too few
    failure domains, naming it.
    """
    if ec_name and replicas is not None:
        raise InvalidArgument(
            f'--replicas {replicas} and --ec-profile {ec_name!r} exclude '
            'each other; give one of them'
        )
    if ec_name:
        return _erasure(groups, ec_name, ec_profile, stripe_unit)
    _check_hosts(groups)
    weakest = min(groups, key=lambda g: (g.failure_domains, g.name))
    hosts = weakest.failure_domains
    if hosts < 2:
        raise InvalidArgument(
            f'group {weakest.name!r} has {count(hosts, "host")} '
            f'({", ".join(weakest.hosts)}) with '
            f'{count(len(weakest.osds), "OSD")}; replicas need 2 hosts at '
            'least: add hosts to the group'
        )
    if replicas is None:
        size = min(3, hosts)
    elif not 2 <= replicas <= MAX_REPLICAS:
        raise InvalidArgument(
            f'--replicas {replicas} is out of range; give 2 to '
            f'{MAX_REPLICAS}'
        )
    elif replicas > hosts:
        raise InvalidArgument(
            f'--replicas {replicas} needs {replicas} hosts, but group '
            f'{weakest.name!r} has {hosts}; give --replicas {hosts} or add '
            'hosts'
        )
    else:
        size = replicas
    # as Ceph's own default: size - size / 2
    min_size = size - size // 2
    labels: Tuple[str, ...] = ()
    if size == 2:
        labels = ('size 2, min_size 1',)
        if replicas is None:
            labels = (
                f'size 2, min_size 1: group {weakest.name!r} has two hosts',
            )
    return Redundancy(size, min_size, 'host', labels=labels)


def _check_hosts(groups: Sequence[Group]) -> None:
    """Refuse OSDs that a rule with failure domain host cannot choose."""
    for group in groups:
        if group.hostless:
            raise InvalidArgument(
                f'group {group.name!r}: no bucket of type host is above '
                f'{osd_names(group.hostless)} in CRUSH, so no rule chooses '
                'them by host; move them into hosts, or give an '
                '--ec-profile with crush-failure-domain=osd'
            )


def _erasure(
    groups: Sequence[Group],
    name: str,
    profile: Optional[Mapping[str, str]],
    stripe_unit: int,
) -> Redundancy:
    """Return what an erasure-code profile means for these groups."""
    if profile is None:
        raise InvalidArgument(
            f'--ec-profile {name!r}: the profile could not be read; see '
            '`ceph osd erasure-code-profile ls`'
        )
    plugin = profile.get('plugin', 'jerasure')
    if plugin not in _EC_PLUGINS:
        raise InvalidArgument(
            f'--ec-profile {name!r} uses plugin {plugin!r}, whose chunks do '
            'not count as k+m; give a profile of ' + ', '.join(_EC_PLUGINS)
        )
    k, m = (_number(name, profile, key, 2 - i) for i, key in enumerate('km'))
    chunk = chunk_of(name, profile, stripe_unit)
    domain = profile.get('crush-failure-domain', 'host')
    if domain not in _EC_DOMAINS:
        raise InvalidArgument(
            f'--ec-profile {name!r} has failure domain {domain!r}; give a '
            'profile with host or osd'
        )
    if domain == 'host':
        _check_hosts(groups)
    for group in groups:
        have = len(group.osds) if domain == 'osd' else group.failure_domains
        if have < k + m:
            raise InvalidArgument(
                f'--ec-profile {name!r} (k={k}, m={m}) needs {k + m} '
                f'{domain}s, but group {group.name!r} has {have}; give a '
                'smaller profile, or one with crush-failure-domain=osd'
                if domain == 'host'
                else f'--ec-profile {name!r} (k={k}, m={m}) needs {k + m} '
                f'OSDs, but group {group.name!r} has {have}; give a smaller '
                'profile'
            )
    labels = [f'erasure code {k}+{m} ({name})']
    if domain != 'host':
        labels.append(f'failure domain {domain}')
    domains = min(
        len(g.osds) if domain == 'osd' else g.failure_domains for g in groups
    )
    return Redundancy(
        k + m,
        k + min(1, m - 1),  # as Ceph's own default
        domain,
        k,
        k * chunk,
        replicas=min(3, domains),
        labels=tuple(labels),
    )


def chunk_of(
    name: str, profile: Mapping[str, str], usual: int = STRIPE_UNIT
) -> int:
    """Return the bytes of a chunk, which holds whole packets where coded so.

    Others rarely pad a stripe unit, ``usual`` if the profile has none; pools
    are looked at once they are made. Raises InvalidArgument where what the
    profile has is no number.
    """
    unit = _number(name, profile, 'stripe_unit', 1, usual)
    word = _PACKET_WORDS.get(profile.get('technique', ''))
    if profile.get('plugin', 'jerasure') != 'jerasure' or word is None:
        return unit
    word = _number(name, profile, 'w', 1, word)
    packets = 4 * word * _number(name, profile, 'packetsize', 1, 2048)
    return packets * -(-unit // packets)


def _number(
    name: str,
    profile: Mapping[str, str],
    key: str,
    least: int,
    default: Optional[int] = None,
) -> int:
    text = profile.get(key, default)
    try:
        value = size_of(str(text))
    except ValueError:
        value = 0
    if value < least:
        raise InvalidArgument(
            f'--ec-profile {name!r} has {key}={text}; give a profile with '
            f'{key} of {least} or more'
        )
    return value


def size_of(text: str) -> int:
    """Return '4096', '4K' or '4Ki' as a number (as stripe_unit may be).

    Raises ValueError for what is none.
    """
    plain = text.strip().upper()
    for suffix, factor in (('KI', 1024), ('K', 1024), ('M', 1024**2)):
        if plain.endswith(suffix):
            return int(plain[: -len(suffix)]) * factor
    return int(plain)
