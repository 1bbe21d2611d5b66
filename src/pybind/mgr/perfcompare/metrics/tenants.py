"""Traffic of other pools on the OSDs of a group, told apart from ours."""

from typing import (
    Any,
    Collection,
    Dict,
    List,
    Mapping,
    Optional,
    Sequence,
    Tuple,
)

from ..model.topology import Traffic

Key = Tuple[int, int]  # pool id, OSD id


def evidence(
    seen: Mapping[Key, Traffic],
    osds: Sequence[int],
    names: Mapping[int, str],
    own: Collection[int],
    seconds: float,
) -> Optional[Dict[str, Any]]:
    """Return the tenants' traffic on ``osds`` within ``seconds``.

    ``names`` are of their pools by id, ``own`` the ids of the run's.
    ``share`` is theirs of both operations, as OSDs count them: one of a
    client may be several there. ``pools`` names the busiest first. None
    when nothing was measured.
    """
    if seconds <= 0.0:
        return None
    group = set(osds)
    by_pool: Dict[int, Traffic] = {}
    ours = 0
    for (pool, osd), found in seen.items():
        if osd in group and pool in names:
            by_pool[pool] = by_pool.get(pool, Traffic()) + found
        elif osd in group and pool in own:
            ours += found.ops
    whole = sum(by_pool.values(), Traffic())
    everything = whole.ops + ours
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
        'ops_per_s': round(whole.ops / seconds, 3),
        'bytes_per_s': round(whole.bytes / seconds, 1),
        'share': round(whole.ops / everything, 5) if everything else 0.0,
        'seconds': round(seconds, 3),
        'pools': pools[:10],
    }
