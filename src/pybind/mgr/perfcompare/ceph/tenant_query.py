"""The OSD perf query by which the mgr knows traffic of other pools.

It counts operations by pool and OSD where they are served, ours as well: a
query without our pools would be another one for each run, and ceph-mgr may
remember those that ended (see ``MgrOsdReads.perf_queries_forget``). Replica
writes whose primary is elsewhere are not seen. OSDs report with the mgr's
statistics, so the edges are blurred by up to one ``mgr_stats_period``.
"""

from typing import Any, Dict, Mapping, Tuple

from ..model.topology import Traffic

COUNTERS = ('read_ops', 'read_bytes', 'write_ops', 'write_bytes')

# for MgrModule.add_osd_perf_query()
QUERY: Dict[str, Any] = {
    'key_descriptor': [
        {'type': 'pool_id', 'regex': '^([0-9]+)$'},
        {'type': 'osd_id', 'regex': '^([0-9]+)$'},
    ],
    'performance_counter_descriptors': list(COUNTERS),
}


def traffic(answer: Mapping[str, Any]) -> Dict[Tuple[int, int], Traffic]:
    """Return get_osd_perf_counters(id of QUERY) by pool and OSD."""
    found: Dict[Tuple[int, int], Traffic] = {}
    for entry in answer.get('counters') or []:
        key = (int(entry['k'][0][0]), int(entry['k'][1][0]))
        values = [int(pair[0]) for pair in entry['c']]
        found[key] = found.get(key, Traffic()) + Traffic(*values)
    return found
