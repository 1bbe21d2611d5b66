"""The options of S3 loads."""

from ...common.option import Option, Options
from ...model.s3_gateways import (
    ADDRESSING,
    EXISTING,
    MAX_GATEWAYS,
    ORCH,
    PATH,
)
from ...worker.wire.s3_spec import (
    BATCH_MAX,
    BUCKETS_MAX,
    LIST_MAX,
    PREFIXES_MAX,
    RAMP_MAX,
    STREAMS_MAX,
    TAGS_MAX,
)

SOURCES = ('private', ORCH, EXISTING)

GATEWAYS = Option(
    'gateways',
    int,
    'S3: gateways of each group, or of each host with orch',
    default='1',
    least=1,
    most=MAX_GATEWAYS,
)
RGW_INDEX_CLASS = Option(
    'rgw_index_class', str, 'S3: device class of bucket indexes'
)
GATEWAY_SOURCE = Option(
    'gateway_source',
    str,
    'S3: whose gateways, private, orch or existing',
    default='orch where it can',
    choices=SOURCES,
)
S3_TLS = Option('s3_tls', bool, 'S3: TLS between clients and gateways')
S3_ADDRESSING = Option(
    's3_addressing',
    str,
    'S3: where a request names its bucket, path or virtual (host)',
    choices=ADDRESSING,
    default=PATH,
)

# how operations are done: read by planning/s3/shape.py, keys of profiles too
SHAPE: Options = (
    Option(
        'mix',
        str,
        'S3: shares of s3-mixed, as get=70,put=30 or get=70:4K,put=30:1M',
    ),
    Option(
        'range_size',
        str,
        'S3: bytes of a range read, as 64K',
        default='64K',
    ),
    Option(
        'list_keys',
        int,
        'S3: names of a listing',
        default='1000',
        least=1,
        most=LIST_MAX,
    ),
    Option(
        'delete_batch',
        int,
        'S3: objects of a multi-delete',
        default='100',
        least=1,
        most=BATCH_MAX,
    ),
    Option(
        'part_size', str, 'S3: bytes of a part of an upload', default='8M'
    ),
    Option(
        'part_streams',
        int,
        'S3: parts of an upload at a time',
        default='4',
        least=1,
        most=STREAMS_MAX,
    ),
    Option(
        'keys',
        str,
        'S3: keys, uniform, zipf:0.99 or hot:20:80',
        default='uniform',
    ),
    Option(
        'arrivals',
        str,
        'S3: arrivals at a rate, constant or poisson',
        default='constant',
    ),
    Option(
        'ramp_steps',
        int,
        'S3: steps in which the rate of a trial grows',
        default='1',
        least=1,
        most=RAMP_MAX,
    ),
    Option(
        'buckets',
        int,
        'S3: buckets that objects are spread over',
        default='1',
        least=1,
        most=BUCKETS_MAX,
    ),
    Option(
        'prefixes',
        int,
        'S3: prefixes of names in each bucket',
        default='1',
        least=1,
        most=PREFIXES_MAX,
    ),
    Option(
        'checksum',
        str,
        'S3: checksum, none, crc32 or crc64nvme',
        default='none',
    ),
    Option(
        'encryption',
        str,
        'S3: encryption, none, sse-c or sse-s3',
        default='none',
    ),
    Option(
        'tags',
        int,
        'S3: tags of an object that is written',
        default='0',
        least=0,
        most=TAGS_MAX,
    ),
    Option('think_time', str, 'S3: pauses of users, 10ms or exp:10ms'),
    Option(
        'versioning',
        str,
        'S3: versions in buckets, none or enabled',
        default='none',
    ),
)

OPTIONS: Options = (
    GATEWAYS,
    RGW_INDEX_CLASS,
    GATEWAY_SOURCE,
    S3_TLS,
    S3_ADDRESSING,
    *SHAPE,
)
