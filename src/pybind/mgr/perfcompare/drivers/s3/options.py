"""The options of S3 loads."""

from ...common.option import Option, Options

ORCH = 'orch'
SOURCES = ('private', ORCH, 'existing')

# Of a group, on one host. Of the ports of gateways that the orchestrator
# places each group has as many, as groups may share hosts.
MAX_GATEWAYS = 16

GATEWAYS = Option(
    'gateways',
    int,
    'S3: gateways of each group',
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
    'S3: private, orch or existing',
    choices=SOURCES,
)
S3_TLS = Option('s3_tls', bool, 'S3: TLS between clients and gateways')

OPTIONS: Options = (GATEWAYS, RGW_INDEX_CLASS, GATEWAY_SOURCE, S3_TLS)
