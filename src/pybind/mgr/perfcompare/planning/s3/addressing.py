"""Where requests name their bucket: in paths, or in the names of hosts."""

from typing import Optional

from ...common.errors import InvalidArgument
from ...model.group import GatewaySet
from ...model.plan import RunOptions
from ...model.s3_gateways import VIRTUAL


def wanted(options: RunOptions) -> bool:
    """Say whether a run asks for buckets that are hosts."""
    return bool(options.driver('s3_addressing') == VIRTUAL)


def domain(options: RunOptions, gateways: Optional[GatewaySet]) -> str:
    """Return in which domain a group's buckets are hosts, '' for none.

    Raises InvalidArgument where its gateways have no name for that.
    """
    if gateways is None or not wanted(options):
        return ''
    if not gateways.dns_name:
        raise InvalidArgument(
            '--s3-addressing virtual needs the rgw_dns_name of the gateways '
            f'of group {gateways.group!r}; set them again with --dns-name, '
            'or leave the option out'
        )
    return gateways.dns_name
