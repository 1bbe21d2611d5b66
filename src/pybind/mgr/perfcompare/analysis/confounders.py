"""Find in what the sides differ beyond the groups that are compared."""

from typing import (
    Callable,
    Dict,
    Iterable,
    List,
    Optional,
    Sequence,
    Set,
    Tuple,
)

from ..manifest import Manifest
from .results import Confounder

Reader = Callable[[Manifest], Optional[Iterable[object]]]


def _one(name: str) -> Reader:
    def read(manifest: Manifest) -> Optional[Iterable[object]]:
        value = getattr(manifest, name)
        return None if value is None else (value,)

    return read


def _each(name: str) -> Reader:
    def read(manifest: Manifest) -> Optional[Iterable[object]]:
        values: Optional[Iterable[object]] = getattr(manifest, name)
        return values

    return read


def _mgr_pool(manifest: Manifest) -> Optional[Iterable[object]]:
    if manifest.mgr_pool_osds is None:
        return None
    return ('yes' if manifest.mgr_pool_osds else 'no',)


def _host_count(manifest: Manifest) -> Optional[Iterable[object]]:
    return None if manifest.hosts is None else (len(manifest.hosts),)


# What is compared by its distinct values, in the order of the report.
_FIELDS: Tuple[Tuple[str, Reader], ...] = (
    ('arch', _each('arch')),
    ('cpu', _each('cpu')),
    ('cores', _each('cores')),
    ('emulated', _one('emulated')),
    ('kernel', _each('kernel')),
    ('ceph_version', _each('ceph_version')),
    ('osds', _one('osds')),
    ('hosts', _host_count),
    ('drives', _each('drives')),
    ('rotational', _each('rotational')),
    ('size', _one('size')),
    ('min_size', _one('min_size')),
    ('ec_profile', _one('ec_profile')),
    ('pg_num', _one('pg_num')),
    ('compression', _one('compression')),
    ('cache_regime', _one('cache_regime')),
    ('client_host', _one('client_host')),
    ('client_arch', _one('client_arch')),
    ('balancer', _one('balancer')),
    ("holds the manager's pool", _mgr_pool),
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


def _distinct(manifests: Sequence[Manifest], read: Reader) -> List[str]:
    found: Set[object] = set()
    for manifest in manifests:
        found.update(read(manifest) or ())
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
        found.append(Confounder(name, tuple(a), tuple(b), name in intended))

    for name, read in _FIELDS:
        a, b = (_distinct(side, read) for side in sides)
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
