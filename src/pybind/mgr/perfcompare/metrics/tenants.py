"""Traffic of other pools on the OSDs of a group, told apart from ours.

An OSD perf query counts operations by pool and OSD where they are served.
Ours match its first expression no more, so they cost the OSDs next to
nothing, and the rest is the tenants'. Replica writes whose primary is
elsewhere are not seen. OSDs report with the mgr's statistics, so the edges
are blurred by up to one ``mgr_stats_period``.
"""

from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

from ..topology import Traffic

COUNTERS = ('read_ops', 'read_bytes', 'write_ops', 'write_bytes')

Key = Tuple[int, int]  # pool id, OSD id


def query(ours: Sequence[int]) -> Dict[str, Any]:
    """Return the query that counts all pools but ``ours``."""
    pools = '^([0-9]+)$'
    if ours:
        mine = '|'.join(str(pool) for pool in sorted(ours))
        pools = f'^(?!(?:{mine})$)([0-9]+)$'
    return {
        'key_descriptor': [
            {'type': 'pool_id', 'regex': pools},
            {'type': 'osd_id', 'regex': '^([0-9]+)$'},
        ],
        'performance_counter_descriptors': list(COUNTERS),
    }


def traffic(answer: Mapping[str, Any]) -> Dict[Key, Traffic]:
    """Return get_osd_perf_counters(id of the query) by pool and OSD."""
    found: Dict[Key, Traffic] = {}
    for entry in answer.get('counters') or []:
        key = (int(entry['k'][0][0]), int(entry['k'][1][0]))
        values = [int(pair[0]) for pair in entry['c']]
        found[key] = found.get(key, Traffic()) + Traffic(*values)
    return found


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
