"""What was so while a trial ran: the keys of a trial's manifest.

One list, shared by the runner (which fills it), the validity reasons and
the search for confounders. None means "not recorded", never "no".
"""

from typing import Any, Callable, Dict, Mapping, Optional, Sequence, Tuple

import collections
import dataclasses
import functools


@dataclasses.dataclass(frozen=True)
class Manifest:
    """Describe one trial's client, placement, hosts and settings.

    Tuples hold the sorted distinct values over the OSDs of the group.
    """

    # where the load came from
    client_host: Optional[str] = None
    client_arch: Optional[str] = None  # e.g. 'x86_64'
    # OSDs of the tested group that live on the client's host
    client_local_osds: Optional[Tuple[int, ...]] = None
    # which of the hosts that make the load these are on
    client_local_hosts: Optional[Tuple[str, ...]] = None

    # the programs that made the load, with their versions: 'fio 3.41'
    load_tools: Optional[Tuple[str, ...]] = None

    # S3: where the gateways ran that the load went through
    gateway_host: Optional[str] = None
    gateway_arch: Optional[str] = None
    gateways: Optional[int] = None
    gateway_tls: Optional[bool] = None
    gateway_version: Optional[str] = None
    gateway_urls: Optional[Tuple[str, ...]] = None  # of an operator's
    gateway_placement: Optional[str] = None  # placement target of those

    # the pool, and how it fell on the group's OSDs
    size: Optional[int] = None  # replicas, or k+m
    min_size: Optional[int] = None
    ec_profile: Optional[str] = None  # 'k=2 m=1 …'; '' when replicated
    pg_num: Optional[int] = None
    pgs_per_osd: Optional[float] = None  # mean, replicas counted
    primaries_max_mean: Optional[float] = None  # busiest OSD over the mean
    pgs_max_mean: Optional[float] = None
    objects_max_mean: Optional[float] = None  # of those that OSDs lead
    bytes_max_mean: Optional[float] = None  # of images, as those
    # of the OSDs, which holds for the pool: 'none', 'force (snappy)', …
    compression: Optional[str] = None

    # the group
    osds: Optional[int] = None  # how many carried the pool
    hosts: Optional[Tuple[str, ...]] = None  # CRUSH host buckets
    ceph_version: Optional[Tuple[str, ...]] = None  # '20.2.4'
    arch: Optional[Tuple[str, ...]] = None
    cpu: Optional[Tuple[str, ...]] = None
    cores: Optional[Tuple[int, ...]] = None  # of a host
    kernel: Optional[Tuple[str, ...]] = None
    network: Optional[Tuple[str, ...]] = None  # links of the hosts
    mem_total_kb: Optional[Tuple[int, ...]] = None  # of a host
    rotational: Optional[Tuple[bool, ...]] = None
    drives: Optional[Tuple[str, ...]] = None  # device types: 'ssd', 'hdd'
    # whether OSDs keep metadata (DB/WAL) on a device of its own
    separate_db: Optional[Tuple[bool, ...]] = None
    size_bytes: Optional[int] = None  # of the group's drives together
    fill: Optional[float] = None  # used share of the group's space, 0…1
    emulated: Optional[bool] = None  # OSDs run under an emulator

    # the rest of the cluster
    cache_share: Optional[float] = None  # of bytes read, from OSDs' caches
    cache_regime: Optional[str] = None  # of older versions: 'cached', 'mixed'
    settings: Optional[Dict[str, str]] = None  # effective osd_* options
    # of what varies within the group: OSDs (of cores and network: hosts) by
    # value; 'settings.<option>' for options. Older versions kept no numbers
    mixed: Optional[Dict[str, Dict[str, int]]] = None
    balancer: Optional[str] = None  # mode, or 'off'
    # OSDs of the tested group that hold the manager's own pool
    mgr_pool_osds: Optional[Tuple[int, ...]] = None
    tenant_ops_per_s: Optional[float] = None  # other pools' I/O meanwhile

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> 'Manifest':
        """Build a manifest from what a trial carries.

        Keys of other versions and values of a wrong type count as not
        recorded; a scalar stands for a tuple of one.
        """
        values: Dict[str, Any] = {}
        for key, value in data.items():
            kind = _SCALARS.get(key)
            if kind is type(value):
                values[key] = value
            elif kind is float and type(value) is int:
                values[key] = float(value)
            elif key in _READERS and value is not None:
                try:
                    values[key] = _READERS[key](value)
                except (TypeError, ValueError, AttributeError):
                    continue
        return cls(**values)

    def to_dict(self) -> Dict[str, Any]:
        """Return what was recorded, as plain data."""
        found: Dict[str, Any] = {}
        for name in (field.name for field in dataclasses.fields(self)):
            value = getattr(self, name)
            if value is not None:
                found[name] = list(value) if _is_list(value) else value
        return found


def varied(
    values: Mapping[str, Sequence[object]],
) -> Dict[str, Dict[str, int]]:
    """Return `mixed` of each field's values, one for each OSD or host."""
    counts = {
        name: collections.Counter(str(v) for v in found if v is not None)
        for name, found in values.items()
    }
    return {name: dict(c) for name, c in counts.items() if len(c) > 1}


def added(
    manifest: Mapping[str, Any], more: Mapping[str, Any]
) -> Dict[str, Any]:
    """Return a trial's manifest with what a watch saw of it."""
    found = {**manifest, **more}
    mixed = {**manifest.get('mixed', {}), **more.get('mixed', {})}
    return {**found, 'mixed': mixed} if mixed else found


def _is_list(value: Any) -> bool:
    return isinstance(value, (list, tuple, set, frozenset))


def _distinct(kind: type) -> Callable[[Any], Tuple[Any, ...]]:
    # the trials of a run repeat a few values; True == 1, hence typed
    @functools.lru_cache(maxsize=256, typed=True)
    def sort(*items: Any) -> Tuple[Any, ...]:
        if any(type(item) is not kind for item in items):
            raise TypeError(items)
        return tuple(sorted(set(items)))

    def read(value: Any) -> Tuple[Any, ...]:
        return sort(*value) if _is_list(value) else sort(value)

    return read


def _mapping(value: Any) -> Dict[str, str]:
    return {str(k): str(v) for k, v in value.items()}


def _numbers(value: Any) -> Dict[str, Dict[str, int]]:
    return {
        str(name): {str(k): int(n) for k, n in counts.items() if n > 0}
        for name, counts in value.items()
    }


_BY_HINT: Dict[Any, Callable[[Any], Any]] = {
    Optional[Tuple[str, ...]]: _distinct(str),
    Optional[Tuple[int, ...]]: _distinct(int),
    Optional[Tuple[bool, ...]]: _distinct(bool),
    Optional[Dict[str, str]]: _mapping,
    Optional[Dict[str, Dict[str, int]]]: _numbers,
}
_SCALAR_HINTS: Dict[Any, type] = {
    Optional[kind]: kind for kind in (str, int, float, bool)
}
_SCALARS: Dict[str, type] = {
    field.name: _SCALAR_HINTS[field.type]
    for field in dataclasses.fields(Manifest)
    if field.type in _SCALAR_HINTS
}
_READERS: Dict[str, Callable[[Any], Any]] = {
    field.name: _BY_HINT[field.type]
    for field in dataclasses.fields(Manifest)
    if field.type in _BY_HINT
}
