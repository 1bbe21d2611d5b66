"""The options of `recovery run`."""

from ...common.option import Option, Options
from ...model.recovery import Scenario
from ...planning.options import (
    EC_PROFILE,
    LEAVE,
    MAX_LABEL,
    PG_NUM,
    REPLICAS,
    SEED,
)

MAX_LIMIT = 604800.0  # seconds; a large OSD takes days to be filled again
MAX_TIMEOUT = 86400.0

SCENARIO = Option(
    'scenario',
    str,
    'backfill, osd-down, osd-out, osd-stop, host-stop',
    default=Scenario.BACKFILL.value,
    choices=tuple(s.value for s in Scenario),
    otherwise=Scenario.BACKFILL.value,
)
REPETITIONS = Option(
    'repetitions',
    int,
    'Times that each group is tested',
    default='3',
    least=1,
    most=20,
)
SIZE = Option(
    'size', str, 'Size of an object and of an operation', default='64K'
)
CONCURRENCY = Option(
    'concurrency',
    int,
    'Operations in flight of each workload',
    default='8',
    least=1,
    most=1024,
)
BLOCK_SIZE = Option(
    'block_size',
    str,
    'Size of an operation on images',
    default='4K',
)
IMAGES = Option(
    'images',
    int,
    'Images of each workload that loads such',
    default='1',
    least=1,
    most=16,
)
# the Reef study holds 2 h
HOLD = Option(
    'hold',
    float,
    'Seconds of load before the first step, after the last, and while '
    'OSDs are stopped',
    default='30',
    least=3.0,
    most=21600.0,
)
LIMIT = Option(
    'limit',
    float,
    'Seconds that a step may take to be clean',
    default='1800',
    least=10.0,
    most=MAX_LIMIT,
)
NODES = Option(
    'nodes',
    int,
    'Hosts or OSDs to stop, one after the other',
    default='1',
    least=1,
    most=8,
)
STOP_BY = Option(
    'stop_by',
    str,
    'auto, orchestrator or operator',
    default='auto',
    choices=('auto', 'orchestrator', 'operator'),
)
STEP_TIMEOUT = Option(
    'step_timeout',
    float,
    'Seconds that an operator has to act',
    default='900',
    least=10.0,
    most=MAX_TIMEOUT,
)
MCLOCK_PROFILE = Option(
    'mclock_profile',
    str,
    'mClock profile during the test',
    default='as it is set',
    choices=('balanced', 'high_recovery_ops', 'high_client_ops'),
)

RECOVERY_RUN: Options = (
    Option(
        'groups',
        str,
        'Groups to test, in any order',
        many=True,
        required=True,
        cli='group',
    ),
    SCENARIO,
    Option(
        'workloads',
        str,
        'Load meanwhile, of RADOS, S3 or RBD alone; none is without',
        many=True,
        default='write and rand',
        cli='workload',
    ),
    REPETITIONS,
    SIZE,
    BLOCK_SIZE,
    IMAGES,
    CONCURRENCY,
    Option(
        'data',
        str,
        'Bytes for each OSD, written before',
        default='what the scenario needs',
    ),
    HOLD,
    LIMIT,
    NODES,
    STOP_BY,
    STEP_TIMEOUT,
    Option('auto_out', bool, 'Let the Monitors mark stopped OSDs out'),
    MCLOCK_PROFILE,
    SEED,
    REPLICAS,
    EC_PROFILE,
    PG_NUM,
    Option(
        'label',
        str,
        f'Free text shown with the test, at most {MAX_LABEL} characters',
        otherwise='',
    ),
    *LEAVE,
)
