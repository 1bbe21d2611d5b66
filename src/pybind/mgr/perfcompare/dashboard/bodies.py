"""The body of a run request: its documentation and its fields."""

from typing import Any, Dict

REQUEST: Dict[str, Any] = {
    'groups': ([str], 'Groups to load, in any order'),
    'profile': (str, 'Profile; the default is quick', True),
    'workloads': ([str], 'Only these operations of the profile', True),
    'sizes': ([str], 'Only these object sizes, such as 4K', True),
    'concurrency': ([str], 'Only these concurrencies, as 16 or 4/osd', True),
    'duration': (float, 'Seconds of each trial', True),
    'rounds': (int, 'Number of rounds', True),
    'clients': (int, 'Number of load clients', True),
    'seed': (int, 'Seed of all orders; drawn when absent', True),
    'replicas': (int, 'Replicas of the benchmark pools', True),
    'ec_profile': (str, 'Erasure code profile, instead of replicas', True),
    'pg_num': (int, 'PGs of each benchmark pool', True),
    'label': (str, 'Free text shown with the run', True),
    'control': (bool, 'Repeat the baseline as a control', True),
    'adaptive': (bool, 'Stop repeating when the verdict is clear', True),
    'allow_local_client': (bool, 'Accept load from a host with OSDs', True),
    'enable_pool_delete': (bool, 'Set mon_allow_pool_delete meanwhile', True),
    'consent': (bool, 'Start although checks need consent', True),
}


def request_fields(names: Dict[str, Any]) -> Dict[str, Any]:
    """Return the fields of a request that have a value."""
    return {
        name: names[name] for name in REQUEST if names.get(name) is not None
    }
