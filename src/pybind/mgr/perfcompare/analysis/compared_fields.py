"""Which fields of manifests are compared, and how."""

from typing import Callable, Dict, Optional, Tuple

Value = Optional[object]
Reader = Callable[[Value], Value]


def _same(value: Value) -> Value:
    return value


def _mgr_pool(osds: Value) -> Value:
    return None if osds is None else bool(osds)


def _together(values: Value) -> Value:
    return ', '.join(values) if isinstance(values, tuple) else None


def _host_count(hosts: Value) -> Value:
    return len(hosts) if isinstance(hosts, tuple) else None


JOINED = frozenset(('compression',))  # 'a, b' where a group has both
# What is compared by its values, in the order of the report: what it is
# called there, its key.
FIELDS: Tuple[Tuple[str, str, Reader], ...] = (
    ('arch', 'arch', _same),
    ('cpu', 'cpu', _same),
    ('cores', 'cores', _same),
    ('emulated', 'emulated', _same),
    ('kernel', 'kernel', _same),
    ('network', 'network', _same),
    ('ceph_version', 'ceph_version', _same),
    ('osds', 'osds', _same),
    ('hosts', 'hosts', _host_count),
    ('drives', 'drives', _same),
    ('rotational', 'rotational', _same),
    ('size', 'size', _same),
    ('min_size', 'min_size', _same),
    ('ec_profile', 'ec_profile', _same),
    ('pg_num', 'pg_num', _same),
    ('compression', 'compression', _same),
    ('cache_regime', 'cache_regime', _same),
    ('client_host', 'client_host', _same),
    ('client_arch', 'client_arch', _same),
    ('load tools', 'load_tools', _together),
    ('gateway_arch', 'gateway_arch', _same),
    ('gateways', 'gateways', _same),
    ('gateway_tls', 'gateway_tls', _same),
    ('gateway_version', 'gateway_version', _same),
    ('gateway_placement', 'gateway_placement', _same),
    ('balancer', 'balancer', _same),
    ("holds the Manager's pool", 'mgr_pool_osds', _mgr_pool),
)
# What is compared by its mean: field, unit, and what counts as apart.
Apart = Callable[[float, float], bool]


def _by_ratio(limit: float) -> Apart:
    return lambda a, b: max(a, b) > limit * min(a, b)


MEANS: Tuple[Tuple[str, Callable[[float], str], Apart], ...] = (
    ('mem_total_kb', lambda v: f'{v / 2**20:.1f} GiB', _by_ratio(1.05)),
    ('fill', lambda v: f'{v:.0%}', lambda a, b: abs(a - b) > 0.05),
    ('pgs_per_osd', lambda v: f'{v:.0f}', _by_ratio(1.05)),
    ('primaries_max_mean', lambda v: f'{v:.2f}', _by_ratio(1.05)),
    ('pgs_max_mean', lambda v: f'{v:.2f}', _by_ratio(1.05)),
    ('cache_share', lambda v: f'{v:.0%}', lambda a, b: abs(a - b) > 0.10),
    (
        'tenant_ops_per_s',
        lambda v: f'{v:.0f} op/s',
        lambda a, b: max(a, b) > 10.0 and _by_ratio(1.5)(a, b),
    ),
)

# the key of what is called otherwise
KEYS: Dict[str, str] = {name: key for name, key, _ in FIELDS if name != key}
NAMES: Tuple[str, ...] = (
    *(key for _, key, _ in FIELDS),
    *(key for key, _, _ in MEANS),
)
