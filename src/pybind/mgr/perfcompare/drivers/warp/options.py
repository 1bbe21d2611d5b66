"""The option that has warp make the load of S3 workloads."""

from ...common.option import Option, Options

OWN, WARP = CLIENTS = ('own', 'warp')

S3_CLIENT = Option(
    's3_client',
    str,
    'S3: load generator, own or warp',
    default=OWN,
    choices=CLIENTS,
)

OPTIONS: Options = (S3_CLIENT,)
