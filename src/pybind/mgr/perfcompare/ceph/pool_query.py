"""The OSD perf query by which the mgr knows each pool's latency.

OSDs add up operations and their time per pool, as long as the query is
there; each read returns what came since the one before.
"""

from typing import Any, Dict, List, Mapping

from ..model.topology import PoolLatency

COUNTERS = ('read_ops', 'read_latency', 'write_ops', 'write_latency')

# for MgrModule.add_osd_perf_query()
QUERY: Dict[str, Any] = {
    'key_descriptor': [{'type': 'pool_id', 'regex': '^(.+)$'}],
    'performance_counter_descriptors': list(COUNTERS),
}


def pool_latencies(answer: Mapping[str, Any]) -> Dict[int, PoolLatency]:
    """Return get_osd_perf_counters(id of QUERY) by pool id.

    Each counter is a pair: operations as (number, -), latencies as (sum in
    nanoseconds, number).
    """
    found: Dict[int, PoolLatency] = {}
    for entry in answer.get('counters') or []:
        pool = int(entry['k'][0][0])
        pairs: List[Any] = entry['c']
        values = dict(zip(COUNTERS, pairs))
        former = found.get(pool, PoolLatency())
        found[pool] = PoolLatency(
            reads=former.reads + int(values['read_latency'][1]),
            read_seconds=former.read_seconds
            + values['read_latency'][0] / 1e9,
            writes=former.writes + int(values['write_latency'][1]),
            write_seconds=former.write_seconds
            + values['write_latency'][0] / 1e9,
        )
    return found
