"""Every option of `run` is used by an operation, or refused for it."""

from typing import Any, Dict

import dataclasses

import pytest

from ...common.codec import to_data
from ...common.errors import InvalidArgument
from ...model import load
from ...model.group import GatewaySet
from ...model.plan import RunOptions
from ...model.workload import Op
from ...planning.plan import PlanSettings
from ..data.cluster_maps import build
from ..data.plans import hosts, make

SETTINGS = PlanSettings(
    ec_profile={'plugin': 'isa', 'k': '2', 'm': '1'},
    gateways={
        name: GatewaySet(name, (f'http://{name}-gw:8000',))
        for name in ('x86', 'arm')
    },
)
# a value that no built-in profile has
SAMPLES: Dict[str, Any] = {
    'replicas': 2,
    'ec_profile': 'mine',
    'pg_num': 8,
    'control': True,
    'adaptive': True,
    'workloads': ('write',),
    'sizes': ('12K',),
    'concurrency': ('3',),
    'curve': '1,3,5,7',
    'slo': 'p99=10ms',
    'duration': 37.0,
    'rounds': 9,
    'clients': 3,
    'cache': 'device',
    'rate': 123.0,
    'read_sizes': '8K:1,24K:1',
    'write_sizes': '8K:1,24K:1',
    'prefill': '777',
    'mix': 'get=7:8K,put=3:24K',
    'range_size': '1K',
    'list_keys': 7,
    'delete_batch': 7,
    'part_size': '5M',
    'part_streams': 2,
    'keys': 'zipf',
    'arrivals': 'poisson',
    'buckets': 3,
    'prefixes': 3,
    'checksum': 'crc32',
    'encryption': 'sse-c',
    'tags': 3,
    'think_time': '20ms',
    'versioning': 'enabled',
    'ramp_steps': 5,
    's3_client': 'warp',
    'probe_rate': 7.0,
    'gateways': 3,
    'rgw_index_class': 'ssd',
    's3_tls': True,
    's3_addressing': 'virtual',
    'gateway_source': 'existing',
    'images': 3,
    'image_size': '64M',
    'read_share': 33,
    'rbd_object_size': '8M',
    'rbd_read_size': '12K',
    'rbd_write_size': '20K',
    'random_share': 80,
    'rbd_distribution': 'zipf:1.2',
    'rbd_compress': 33,
    'rbd_rate': 321.0,
    'rbd_encryption': 'luks2',
    'rbd_client': 'bench',
}
# what is used while a run is under way, whatever its operations are
ALL_RUNS = frozenset(
    (
        'seed',  # of all orders, an argument of its own
        'label',
        'stats_period',
        'adaptive',  # when a round has ended
        'consent',
        'allow_local_client',
        'enable_pool_delete',
        'load_hosts',  # where load is made, not what it is
    )
)
# the same, by gateways that a run starts or has placed
GATEWAYS = frozenset(('gateways', 's3_tls', 'gateway_source'))
OPERATIONS = [
    Op(name)
    for name in Op.known()
    if name not in {operation.name for operation in load.IMPORTED}
]
MODES: Dict[str, Dict[str, Any]] = {
    'plain': {},
    'warp': {'s3_client': 'warp'},
    'existing': {'gateway_source': 'existing'},
    'orch': {'gateway_source': 'orch'},
    'bench': {'rbd_client': 'bench'},
}


def planned(op: Op, **options: Any) -> Dict[str, Any]:
    options.setdefault('workloads', (op.value,))
    topology = build([*hosts('x86', 4), *hosts('arm', 4), *hosts('ssd', 4)])
    names = ['arm'] if options.get('control') else ['x86', 'arm']
    found: Dict[str, Any] = to_data(
        make(
            topology,
            names=names,
            profile='quick',
            settings=SETTINGS,
            **options,
        )
    )
    return {k: v for k, v in found.items() if k != 'options'}


def test_every_option_has_a_sample() -> None:
    names = {field.name for field in dataclasses.fields(RunOptions)}
    names |= set(load.options())
    assert names - {'drivers'} == set(SAMPLES) | ALL_RUNS


@pytest.mark.parametrize('mode', sorted(MODES))
@pytest.mark.parametrize('op', OPERATIONS)
def test_an_option_is_used_or_refused(op: Op, mode: str) -> None:
    own = MODES[mode]
    try:
        without = planned(op, **own)
    except InvalidArgument:
        assert mode != 'plain'  # the mode is refused for this operation
        return
    ignored = []
    for name, value in SAMPLES.items():
        if name in own or name in ALL_RUNS or name == 'workloads':
            continue
        try:
            changed = planned(op, **own, **{name: value})
        except InvalidArgument:
            continue
        if changed != without:
            continue
        if not op.direct and name in GATEWAYS:
            continue
        ignored.append(name)
    assert ignored == []
