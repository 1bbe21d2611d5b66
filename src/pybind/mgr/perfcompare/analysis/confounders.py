"""Find in what the sides differ beyond the groups that are compared."""

from typing import (
    Callable,
    Dict,
    List,
    Optional,
    Sequence,
    Set,
    Tuple,
)

from ..model.manifest import Manifest
from .across import meant
from .results import Confounder

Value = Optional[object]
Reader = Callable[[Value], Value]


def _same(value: Value) -> Value:
    return value


def _mgr_pool(osds: Value) -> Value:
    return None if osds is None else bool(osds)


def _host_count(hosts: Value) -> Value:
    return len(hosts) if isinstance(hosts, tuple) else None


# What is compared by its distinct values, in the order of the report.
_FIELDS: Tuple[Tuple[str, str, Reader], ...] = (
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
    ('load tools', 'load_tools', _same),
    ('gateway_arch', 'gateway_arch', _same),
    ('gateways', 'gateways', _same),
    ('gateway_tls', 'gateway_tls', _same),
    ('gateway_version', 'gateway_version', _same),
    ('gateway_placement', 'gateway_placement', _same),
    ('balancer', 'balancer', _same),
    ("holds the manager's pool", 'mgr_pool_osds', _mgr_pool),
)
# What is compared by its mean: field, unit, and what counts as apart.
_Apart = Callable[[float, float], bool]


def _by_ratio(limit: float) -> _Apart:
    return lambda a, b: max(a, b) > limit * min(a, b)


_MEANS: Tuple[Tuple[str, Callable[[float], str], _Apart], ...] = (
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


def _words(value: object) -> str:
    if isinstance(value, bool):
        return 'yes' if value else 'no'
    return str(value) or 'none'


def _distinct(
    manifests: Sequence[Manifest], key: str, read: Reader
) -> List[str]:
    found: Set[object] = set()
    for raw in {getattr(manifest, key) for manifest in manifests}:
        value = read(raw)
        if isinstance(value, tuple):
            found.update(value)
        elif value is not None:
            found.add(value)
    return sorted(_words(value) for value in found)


def _mean(manifests: Sequence[Manifest], name: str) -> Optional[float]:
    found: List[float] = []
    for manifest in manifests:
        value = getattr(manifest, name)
        if isinstance(value, tuple):
            found.extend(value)
        elif value is not None:
            found.append(value)
    return sum(found) / len(found) if found else None


def _settings(manifests: Sequence[Manifest]) -> Dict[str, List[str]]:
    found: Dict[str, Set[str]] = {}
    for manifest in manifests:
        for name, value in (manifest.settings or {}).items():
            found.setdefault(name, set()).add(value)
    return {name: sorted(values) for name, values in found.items()}


def confounders(
    baseline: Sequence[Manifest],
    candidate: Sequence[Manifest],
    intended: Sequence[str] = (),
) -> List[Confounder]:
    """Return in which recorded fields the sides' manifests differ.

    Fields that one side did not record are left out: see missing figures.
    """
    sides = (baseline, candidate)
    found: List[Confounder] = []

    def add(name: str, a: Sequence[str], b: Sequence[str]) -> None:
        found.append(
            Confounder(name, tuple(a), tuple(b), meant(name, intended))
        )

    for name, key, read in _FIELDS:
        a, b = (_distinct(side, key, read) for side in sides)
        if a and b and a != b:
            add(name, a, b)
    for name, text, apart in _MEANS:
        c, d = (_mean(side, name) for side in sides)
        if c is not None and d is not None and apart(c, d):
            add(name, [text(c)], [text(d)])
    e, f = (_settings(side) for side in sides)
    for name in sorted(set(e) & set(f)):
        if e[name] != f[name]:
            add(f'settings.{name}', e[name], f[name])
    return found
