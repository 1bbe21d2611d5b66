"""Show gateways of operators; keys are never shown."""

from typing import Sequence

from ..model.group import GatewaySet
from .table import table


def listed(found: Sequence[GatewaySet]) -> str:
    """Return one line for each group."""
    if not found:
        return (
            'no gateways are set; S3 workloads start their own. To set some: '
            'ceph perfcompare gateways set <group> --endpoint <url> -i <keys>'
        )
    return table(
        ('GROUP', 'PLACEMENT', 'REGION', 'CA', 'DNS NAME', 'ENDPOINTS'),
        [
            (
                item.group,
                item.placement or "the user's",
                item.region,
                'given' if item.own_ca else "the host's",
                item.dns_name or '-',
                ','.join(item.endpoints)
                or 'cannot be read by this version: set them again',
            )
            for item in found
        ],
    )
