"""The OSD perf query that matches nothing, which stays when others end.

An OSD takes no notice of an empty set of queries: it goes on with the last
ones, counts each operation for them and reports it (seen with 20.2). So the
last one that it hears of must be one for which there is nothing to count.
"""

from typing import Any, Dict

# for MgrModule.add_osd_perf_query()
QUERY: Dict[str, Any] = {
    'key_descriptor': [{'type': 'osd_id', 'regex': '^(none)$'}],
    'performance_counter_descriptors': ['read_ops'],
}
