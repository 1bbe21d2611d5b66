"""Whether what a run writes may leave the cluster through its gateways."""

from ..layout import names
from .finding import CheckContext, Findings, info, warn

REMEDY = (
    'see `radosgw-admin sync status`; use gateways of a zone group with one '
    'zone, or disable sync of the zone group by its sync policy meanwhile'
)


def multisite(s: CheckContext) -> Findings:
    """Warn where an operator's gateways may sync buckets to other zones.

    Whether a zone group has several zones stands in the period, and which
    zone an endpoint is of nowhere: realms of all gateways are what is known.
    """
    if not any(g.gateways for g in s.plan.groups):
        return []
    zones = s.facts.gateway_zones
    if not zones:
        return [
            warn(
                'no gateway of this cluster is known: where the zone group '
                'of the endpoints has several zones, all that is written '
                'is synced to the others',
                REMEDY,
            )
        ]
    realms = sorted(
        f'zone {z.zone} of zone group {z.zonegroup} in realm {z.realm}'
        for z in zones
        if z.realm
    )
    if not realms:
        return [info('gateways of this cluster are in no realm')]
    return [
        warn(
            f'gateways of this cluster are in {names(realms)}: where the '
            'zone group has several zones, all that is written is synced to '
            'the others, and removed there by sync only',
            REMEDY,
        )
    ]
