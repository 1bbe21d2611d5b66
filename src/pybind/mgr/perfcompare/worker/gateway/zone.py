"""The description of the private zone, made from the release's own.

Releases differ in the pools that a zone names. Whatever is one is moved
into the run's pool, each to a namespace of its own, so that nothing is
created elsewhere.
"""

from typing import Any, Dict, List, Sequence

import copy

from ..runtime.failure import Failure
from ..wire.gateway_jobs import Target

DEFAULT = 'default-placement'


def rewrite(
    zone: Dict[str, Any], pool: str, targets: Sequence[Target]
) -> Dict[str, Any]:
    """Return ``zone`` with every pool replaced by ours.

    ``pool`` takes what is no object; the first target is the default
    placement. Raises Failure when a pool would be left.
    """
    found = copy.deepcopy(zone)
    for name, value in zone.items():
        if isinstance(value, str) and _is_pool(name):
            found[name] = f'{pool}:{_namespace(value, name)}'
    placements = zone.get('placement_pools') or []
    if not placements:
        raise Failure('gateway', 'the zone has no placement to start from')
    found['placement_pools'] = [
        _placement(placements[0], target, DEFAULT if not i else target.name)
        for i, target in enumerate(targets)
    ]
    allowed = {pool}.union(*({t.index, t.data} for t in targets))
    stray = [p for p in pools(found) if p not in allowed]
    if stray:
        raise Failure(
            'gateway', f'the zone still names pool {stray[0]!r}: not started'
        )
    return found


def _is_pool(name: str) -> bool:
    return name.endswith('_pool') or name == 'domain_root'


def _namespace(value: str, name: str) -> str:
    """Keep what tells the zone's pools apart, e.g. `meta.users.keys`."""
    pool, _, space = value.partition(':')
    last = pool.rpartition('.')[2] or name
    return f'{last}.{space}' if space else last


def _placement(
    pattern: Dict[str, Any], target: Target, key: str
) -> Dict[str, Any]:
    value = copy.deepcopy(pattern['val'])
    value['index_pool'] = target.index
    # multipart's own data must not go to an erasure-coded pool
    value['data_extra_pool'] = target.index
    value['storage_classes'] = {'STANDARD': {'data_pool': target.data}}
    return {'key': key, 'val': value}


def pools(value: Any, name: str = '') -> List[str]:
    """Return every pool that a zone names, without its namespace."""
    if isinstance(value, dict):
        return [p for k, v in value.items() for p in pools(v, k)]
    if isinstance(value, list):
        return [p for item in value for p in pools(item, name)]
    if isinstance(value, str) and value and _is_pool(name):
        return [value.partition(':')[0]]
    return []
