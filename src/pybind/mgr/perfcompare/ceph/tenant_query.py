"""The OSD perf query by which the mgr knows traffic of other pools.

It counts operations by pool and OSD where they are served. Ours match its
first expression no more, so they cost the OSDs next to nothing, and the
rest is the tenants'. Replica writes whose primary is elsewhere are not
seen. OSDs report with the mgr's statistics, so the edges are blurred by up
to one ``mgr_stats_period``.
"""

from typing import Any, Dict, Mapping, Sequence, Tuple

from ..model.topology import Traffic

COUNTERS = ('read_ops', 'read_bytes', 'write_ops', 'write_bytes')


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


def traffic(answer: Mapping[str, Any]) -> Dict[Tuple[int, int], Traffic]:
    """Return get_osd_perf_counters(id of the query) by pool and OSD."""
    found: Dict[Tuple[int, int], Traffic] = {}
    for entry in answer.get('counters') or []:
        key = (int(entry['k'][0][0]), int(entry['k'][1][0]))
        values = [int(pair[0]) for pair in entry['c']]
        found[key] = found.get(key, Traffic()) + Traffic(*values)
    return found
