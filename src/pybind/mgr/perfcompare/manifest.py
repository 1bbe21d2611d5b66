"""What was so while a trial ran: the keys of a trial's manifest.

One list, shared by the runner (which fills it), the validity reasons and
the search for confounders. None means "not recorded", never "no".
"""

from typing import Any, Callable, Dict, Mapping, Optional, Tuple

import dataclasses


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
    client_nic_busy: Optional[float] = None  # share of the link, 0…1
    # op/s gained by twice the client processes at equal concurrency, 0…1
    client_doubling_gain: Optional[float] = None

    # the pool, and how it fell on the group's OSDs
    size: Optional[int] = None  # replicas, or k+m
    min_size: Optional[int] = None
    ec_profile: Optional[str] = None  # 'k=2 m=1 …'; '' when replicated
    pg_num: Optional[int] = None
    pgs_per_osd: Optional[float] = None  # mean, replicas counted
    primaries_max_mean: Optional[float] = None  # busiest OSD over the mean
    pgs_max_mean: Optional[float] = None
    compression: Optional[str] = None  # of the pool: 'none', 'force', …

    # the group
    osds: Optional[int] = None  # how many carried the pool
    hosts: Optional[Tuple[str, ...]] = None  # CRUSH host buckets
    ceph_version: Optional[Tuple[str, ...]] = None  # '20.2.4'
    arch: Optional[Tuple[str, ...]] = None
    cpu: Optional[Tuple[str, ...]] = None
    cores: Optional[Tuple[int, ...]] = None  # of a host
    kernel: Optional[Tuple[str, ...]] = None
    mem_total_kb: Optional[Tuple[int, ...]] = None  # of a host
    rotational: Optional[Tuple[bool, ...]] = None
    drives: Optional[Tuple[str, ...]] = None  # device types: 'ssd', 'hdd'
    fill: Optional[float] = None  # used share of the group's space, 0…1
    emulated: Optional[bool] = None  # OSDs run under an emulator

    # the rest of the cluster
    cache_regime: Optional[str] = None  # as measured: 'cached', 'device'
    settings: Optional[Dict[str, str]] = None  # effective osd_* options
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
            read = _READERS.get(key)
            if read is not None and value is not None:
                try:
                    values[key] = read(value)
                except (TypeError, ValueError):
                    continue
        return cls(**values)

    def to_dict(self) -> Dict[str, Any]:
        """Return what was recorded, as plain data."""
        found: Dict[str, Any] = {}
        for name in _READERS:
            value = getattr(self, name)
            if value is not None:
                found[name] = list(value) if _is_list(value) else value
        return found


def _is_list(value: Any) -> bool:
    return isinstance(value, (list, tuple, set, frozenset))


def _exactly(kind: type) -> Callable[[Any], Any]:
    def read(value: Any) -> Any:
        if kind is float and type(value) is int:
            return float(value)
        if type(value) is not kind:
            raise TypeError(value)
        return value

    return read


def _distinct(kind: type) -> Callable[[Any], Any]:
    one = _exactly(kind)

    def read(value: Any) -> Tuple[Any, ...]:
        items = value if _is_list(value) else (value,)
        return tuple(sorted({one(item) for item in items}))

    return read


def _mapping(value: Any) -> Dict[str, str]:
    return {str(k): str(v) for k, v in sorted(value.items())}


_BY_HINT: Dict[Any, Callable[[Any], Any]] = {
    Optional[str]: _exactly(str),
    Optional[int]: _exactly(int),
    Optional[float]: _exactly(float),
    Optional[bool]: _exactly(bool),
    Optional[Tuple[str, ...]]: _distinct(str),
    Optional[Tuple[int, ...]]: _distinct(int),
    Optional[Tuple[bool, ...]]: _distinct(bool),
    Optional[Dict[str, str]]: _mapping,
}
_READERS: Dict[str, Callable[[Any], Any]] = {
    field.name: _BY_HINT[field.type] for field in dataclasses.fields(Manifest)
}
