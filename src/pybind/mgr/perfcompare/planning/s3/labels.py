"""What every reader of S3 results has to know."""

from typing import List

from ...model import s3_clients as s3clients
from ...model.plan import RunOptions
from ...model.workload import Profile
from . import addressing
from .plan import workloads

WARP = (
    'S3 load by warp',
    'warp tells its errors when a trial is over: ERROR_BUDGET cannot end one',
)


def labels(
    profile: Profile, options: RunOptions, client_host: str, arch: str = ''
) -> List[str]:
    """Return what every reader of S3 results has to know.

    ``arch`` is the architecture of the client's host.
    """
    if not workloads(profile):
        return []
    warp = any(w.tool == s3clients.WARP for w in workloads(profile))
    made = list(WARP) if warp else []
    if options.existing_gateways:
        found = [
            'S3 goes through gateways of the operator, who says which group '
            'they serve and where they place objects'
        ]
        if addressing.wanted(options):
            found.append('S3 buckets are named in hosts (virtual-host)')
        return found + made
    number = options.driver('gateways') or 1
    if options.orch_gateways:
        found = [
            "S3 gateways run on the groups' own hosts, beside their OSDs"
        ]
        if number > 1:
            found.append(f'{number} S3 gateways on each host')
    else:
        where = f'{client_host} ({arch})' if arch else client_host
        found = [f'S3 gateways run on {where}, not on the groups']
        if number > 1:
            found.append(f'{number} S3 gateways for each group')
    found += made
    if options.driver('s3_tls'):
        found.append('S3 through TLS')
    if options.driver('rgw_index_class'):
        index = options.driver('rgw_index_class')
        found.append(f'S3 bucket indexes are on device class {index}')
    return found
