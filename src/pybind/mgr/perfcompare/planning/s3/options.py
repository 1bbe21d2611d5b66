"""Which options of a run S3 workloads can have, and which need them."""

from ...common.errors import InvalidArgument
from ...model import s3_clients as s3clients
from ...model.plan import RunOptions
from ...model.workload import Profile
from . import addressing
from .plan import workloads


def check(profile: Profile, options: RunOptions) -> None:
    """Raise InvalidArgument for options that S3 workloads cannot have."""
    source = options.driver('gateway_source')
    number = options.driver('gateways')
    if workloads(profile):
        _check_source(profile, options)
        _check_vault(profile, options)
        _check_warp(options)
        return
    for option, value in (
        ('--gateways', number),
        ('--rgw-index-class', options.driver('rgw_index_class')),
        ('--s3-tls', options.driver('s3_tls')),
        ('--s3-addressing', options.driver('s3_addressing')),
        ('--gateway-source', source),
        ('--s3-client', options.driver('s3_client')),
    ):
        if value:
            raise InvalidArgument(
                f'{option} is for S3 workloads, and none is run; give e.g. '
                '--workload s3-mixed'
            )


def _check_warp(options: RunOptions) -> None:
    if options.driver('s3_client') != s3clients.WARP:
        return
    if addressing.wanted(options):
        raise InvalidArgument(
            '--s3-addressing virtual and --s3-client warp exclude each '
            'other: warp names buckets in paths here; leave one of them out'
        )
    if options.clients is not None:
        raise InvalidArgument(
            f'--clients {options.clients} and --s3-client warp exclude each '
            'other: warp is one process, with as many threads as it needs'
        )


def _check_vault(profile: Profile, options: RunOptions) -> None:
    if options.existing_gateways or options.orch_gateways:
        return  # their gateways say whether they have one
    if any(w.s3 and w.s3.encryption == 'sse-s3' for w in workloads(profile)):
        raise InvalidArgument(
            '--encryption sse-s3 needs gateways with a Vault, which those of '
            'a run have not; give sse-c, or --gateway-source existing'
        )


def _check_source(profile: Profile, options: RunOptions) -> None:
    reachable = options.existing_gateways or options.orch_gateways
    if options.load_hosts and workloads(profile) and not reachable:
        raise InvalidArgument(
            '--load-hosts and gateways of the run exclude each other: these '
            "listen on the Manager's host alone; give --gateway-source "
            'existing or orch, or leave out --load-hosts'
        )
    if addressing.wanted(options) and not options.existing_gateways:
        raise InvalidArgument(
            '--s3-addressing virtual is for gateways that have a name; give '
            '--gateway-source existing, or leave the option out'
        )
    if options.orch_gateways and options.driver('s3_tls'):
        raise InvalidArgument(
            '--s3-tls and --gateway-source orch exclude each other; give '
            '--gateway-source private, or existing with https'
        )
    if not options.existing_gateways:
        return
    alone = len(workloads(profile)) == len(profile.workloads)
    for option, value in (
        ('--gateways', options.driver('gateways')),
        ('--rgw-index-class', options.driver('rgw_index_class')),
        ('--s3-tls', options.driver('s3_tls')),
        ('--ec-profile', options.ec_profile),
        # of pools of the run, of which no workload uses one
        ('--replicas', options.replicas if alone else None),
        ('--pg-num', options.pg_num if alone else None),
    ):
        if value:
            raise InvalidArgument(
                f'{option} and --gateway-source existing exclude each '
                'other: those gateways are as their operator set them up'
            )
