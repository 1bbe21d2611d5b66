"""The options that every run takes, whatever makes its load."""

from ..common.option import Option, Options
from .load_hosts import LOAD_HOSTS
from .profiles.limits import (
    MAX_CLIENTS,
    MAX_DURATION,
    MAX_RATE,
    MAX_ROUNDS,
    MIN_DURATION,
)

MAX_GROUPS = 8
MAX_SEED = 2**32 - 1
MAX_PG_NUM = 65536
MAX_LABEL = 120  # characters

SEED = Option(
    'seed',
    int,
    'Seed of all orders',
    default='drawn at random',
    least=0,
    most=MAX_SEED,
)
REPLICAS = Option(
    'replicas',
    int,
    'Replicas of the benchmark pools',
    default='up to 3',
    least=2,
    most=10,
)
EC_PROFILE = Option(
    'ec_profile', str, 'Erasure code profile, instead of replicas'
)
PG_NUM = Option(
    'pg_num',
    int,
    'PGs of each benchmark pool',
    default='about 32 per OSD',
    least=1,
    most=MAX_PG_NUM,
    unit='PGs, a power of two',
)
LEAVE: Options = (
    Option('allow_local_client', bool, 'Accept load from a host with OSDs'),
    Option(
        'enable_pool_delete',
        bool,
        'Set mon_allow_pool_delete while pools are removed',
    ),
    Option(
        'consent',
        bool,
        'Start although checks need consent',
        cli='yes_i_really_mean_it',
    ),
)

STATS_PERIOD = Option(
    'stats_period',
    int,
    'Seconds between reports of OSDs',
    default='as it is set',
    least=1,
    most=60,
    unit='seconds',
)

RUN: Options = (
    Option(
        'groups',
        str,
        'Groups to load, in any order',
        many=True,
        required=True,
        cli='group',
    ),
    Option(
        'profile',
        str,
        'Profile, or NAME@RUN: as that run had it; the default is quick',
        default='quick',
    ),
    Option(
        'workloads',
        str,
        'Operations, in place of those of the profile',
        many=True,
        default='those of the profile',
        cli='workload',
    ),
    Option(
        'sizes',
        str,
        'Object sizes, in place of those of the profile, as 4K',
        many=True,
        default='those of the profile',
        cli='size',
    ),
    Option(
        'concurrency',
        str,
        'Operations in flight, in place of those of the profile, as 16 or '
        '4/osd',
        many=True,
        default='those of the profile',
    ),
    Option(
        'curve',
        str,
        'Response curve over what is in flight, as 1..64, or over what is '
        'offered, as 100..800/s',
        default='that of the profile',
    ),
    Option(
        'slo',
        str,
        'Latency that curves are read at, as p99=10ms; none for their peak',
        default='that of the profile',
    ),
    Option(
        'duration',
        float,
        'Seconds of each trial',
        default='that of the profile',
        least=MIN_DURATION,
        most=MAX_DURATION,
        unit='s',
    ),
    Option(
        'rounds',
        int,
        'Number of rounds',
        default='that of the profile',
        least=1,
        most=MAX_ROUNDS,
    ),
    Option(
        'clients',
        int,
        'Number of load clients',
        default='that of the profile',
        least=1,
        most=MAX_CLIENTS,
    ),
    Option(
        'cache',
        str,
        'Where reads of RADOS, RBD and (if given) S3 come from',
        choices=('cached', 'device', 'both'),
        default='that of the profile',
    ),
    SEED,
    REPLICAS,
    EC_PROFILE,
    PG_NUM,
    Option(
        'label',
        str,
        f'Free text shown with the run, at most {MAX_LABEL} characters',
        otherwise='',
    ),
    STATS_PERIOD,
    Option(
        'control', bool, 'Compare one group with itself; give one --group'
    ),
    Option('adaptive', bool, 'Stop repeating when the verdict is clear'),
    LOAD_HOSTS,
    *LEAVE,
    Option(
        'rate',
        float,
        'S3: operations begun per second',
        default='that of the profile',
        least=0,
        most=MAX_RATE,
        beyond=True,
        unit='operations per second',
    ),
    Option(
        'read_sizes',
        str,
        'S3: sizes read, weighted, as 4M:80,1M:20',
        default='those of the profile',
    ),
    Option(
        'write_sizes',
        str,
        'S3: sizes written, weighted, as 4M:80',
        default='those of the profile',
    ),
    Option(
        'prefill',
        str,
        'S3: objects read, or their bytes, as 10G',
        default='that of the profile',
    ),
)
