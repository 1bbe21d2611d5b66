"""The fields of requests, in one place.

A handler that is `taking` such fields is documented, checked and called as
if its `def` named each of them.
"""

from typing import Any, Callable, Dict, TypeVar

import inspect

Handler = TypeVar('Handler', bound=Callable[..., Any])
# name -> (type, description[, whether it may be absent[, default]])
Fields = Dict[str, Any]

GROUP: Fields = {
    'hosts': ([str], 'CRUSH hosts', True),
    'device_class': (str, 'Device class, alone or as a filter', True),
    'watts': (float, 'Power of the whole group in watts', True),
    'price': (float, 'Price of the whole group', True),
    'note': (str, 'Free text', True),
}

# usecases.RunRequest, but for where a request comes from
REQUEST: Fields = {
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
    'stats_period': (int, 'Seconds between reports of OSDs', True),
    'control': (bool, 'Repeat the baseline as a control', True),
    'adaptive': (bool, 'Stop repeating when the verdict is clear', True),
    'allow_local_client': (bool, 'Accept load from a host with OSDs', True),
    'enable_pool_delete': (bool, 'Set mon_allow_pool_delete meanwhile', True),
    'consent': (bool, 'Start although checks need consent', True),
    'rate': (float, 'S3: operations begun per second', True),
    'read_sizes': (str, 'S3: sizes with weights, as 4M:80,1M:20', True),
    'write_sizes': (str, 'S3: sizes with weights, as 4M:80,1M:20', True),
    'prefill': (str, 'S3: objects read, or their bytes, as 10G', True),
    'gateways': (int, 'S3: gateways of each group', True),
    'rgw_index_class': (str, 'S3: device class of bucket indexes', True),
    's3_client': (str, 'S3: own, or warp', True),
    'gateway_source': (str, 'S3: private, orch or existing', True),
    's3_tls': (bool, 'S3: TLS between clients and gateways', True),
}

# recovery.request.RecoveryRequest, but for where a request comes from
RECOVERY: Fields = {
    'groups': ([str], 'Groups to test, in any order'),
    'scenario': (
        str,
        'backfill, osd-down, osd-out, osd-stop, host-stop',
        True,
    ),
    'workloads': ([str], 'Load meanwhile: write, rand; or none', True),
    'repetitions': (int, 'Times that each group is tested', True),
    'size': (str, 'Size of an object and of an operation', True),
    'concurrency': (int, 'Operations in flight of each workload', True),
    'data': (str, 'Bytes for each OSD, written before', True),
    'hold': (float, 'Seconds of load before the first step', True),
    'limit': (float, 'Seconds that a step may take to be clean', True),
    'nodes': (int, 'Hosts or OSDs to stop, one after the other', True),
    'stop_by': (str, 'auto, orchestrator or operator', True),
    'step_timeout': (float, 'Seconds that an operator has to act', True),
    'auto_out': (bool, 'Let the monitors mark stopped OSDs out', True),
    'mclock_profile': (str, 'mClock profile during the test', True),
    'seed': (int, 'Seed of all orders; drawn when absent', True),
    'replicas': (int, 'Replicas of the benchmark pools', True),
    'ec_profile': (str, 'Erasure code profile, instead of replicas', True),
    'pg_num': (int, 'PGs of each benchmark pool', True),
    'label': (str, 'Free text shown with the test', True),
    'allow_local_client': (bool, 'Accept load from a host with OSDs', True),
    'enable_pool_delete': (bool, 'Set mon_allow_pool_delete meanwhile', True),
    'consent': (bool, 'Start although checks need consent', True),
}


def taking(fields: Fields) -> Callable[[Handler], Handler]:
    """Let a handler with ``**fields`` take exactly these; None is absent."""

    def decorate(func: Handler) -> Handler:
        found = inspect.signature(func)
        named = [
            inspect.Parameter(
                name,
                inspect.Parameter.POSITIONAL_OR_KEYWORD,
                default=None if spec[2:3] == (True,) else inspect._empty,
                annotation=spec[0],
            )
            for name, spec in fields.items()
        ]
        own = [
            one
            for one in found.parameters.values()
            if one.kind is not inspect.Parameter.VAR_KEYWORD
        ]
        # by this the dashboard learns the names, as OpenAPI does
        func.__signature__ = (  # type: ignore[attr-defined]
            found.replace(parameters=own + named)
        )
        return func

    return decorate
