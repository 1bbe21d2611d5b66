"""Traffic of other pools on the OSDs of a group, told apart from ours."""

from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

from ..model.topology import Traffic

Key = Tuple[int, int]  # pool id, OSD id


def evidence(
    seen: Mapping[Key, Traffic],
    osds: Sequence[int],
    names: Mapping[int, str],
    seconds: float,
    own_ops_per_s: Optional[float],
) -> Optional[Dict[str, Any]]:
    """Return the tenants' traffic on ``osds`` within ``seconds``.

    ``share`` is theirs of all operations on the group; ``pools`` names the
    busiest first. None when nothing was measured.
    """
    if seconds <= 0.0:
        return None
    group = set(osds)
    by_pool: Dict[int, Traffic] = {}
    for (pool, osd), found in seen.items():
        if osd in group:
            by_pool[pool] = by_pool.get(pool, Traffic()) + found
    whole = sum(by_pool.values(), Traffic())
    rate = whole.ops / seconds
    ours = own_ops_per_s or 0.0
    pools: List[Dict[str, Any]] = [
        {
            'pool': names.get(pool, f'pool {pool}'),
            'ops_per_s': round(found.ops / seconds, 3),
            'bytes_per_s': round(found.bytes / seconds, 1),
        }
        for pool, found in sorted(
            by_pool.items(), key=lambda item: -item[1].ops
        )
        if found.ops
    ]
    return {
        'ops_per_s': round(rate, 3),
        'bytes_per_s': round(whole.bytes / seconds, 1),
        'share': round(rate / (rate + ours), 5) if rate + ours else 0.0,
        'seconds': round(seconds, 3),
        'pools': pools[:10],
    }
