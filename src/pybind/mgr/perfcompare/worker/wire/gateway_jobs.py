"""The job that keeps private gateways for a group."""

from typing import Dict, Tuple

import dataclasses
import os

from .jobs import KINDS, Load
from .strict import Malformed

LONGEST = 14 * 86400.0  # seconds; the run ends it much earlier
COUNT_MAX = 16
NAME = 'perfcompare'  # of realm, zonegroup, zone and user
ROOTS = (
    'rgw_realm_root_pool',
    'rgw_zonegroup_root_pool',
    'rgw_zone_root_pool',
    'rgw_period_root_pool',
)
IDLE = (
    # what runs beside requests, and has no use in a zone of some hours
    'rgw_enable_lc_threads',
    'rgw_run_sync_thread',
    'rgw_enable_quota_threads',
    'rgw_enable_usage_log',
    'rgw_enable_ops_log',
)


@dataclasses.dataclass(frozen=True)
class Target:
    """Name the pools of a placement target."""

    name: str
    index: str
    data: str


@dataclasses.dataclass(frozen=True)
class Gateway(Load):
    """Start gateways, keep them until `stop`, and leave none behind.

    ``access.pool`` is the pool for all that is no object; ``credentials``
    is the file that is made for the S3 keys.
    """

    targets: Tuple[Target, ...] = ()
    credentials: str = ''
    count: int = 1
    address: str = '127.0.0.1'
    tls: bool = False  # with a certificate of its own, made for it
    radosgw: str = 'radosgw'
    radosgw_admin: str = 'radosgw-admin'
    openssl: str = 'openssl'

    def check(self) -> None:
        """Raise Malformed where values cannot be right."""
        self.access.check()
        if not self.targets:
            raise Malformed('a gateway without pools')
        if not os.path.isabs(self.credentials):
            raise Malformed(f'{self.credentials!r} is not an absolute path')
        if not 1 <= self.count <= COUNT_MAX:
            raise Malformed(f'{self.count} gateways: give 1 to {COUNT_MAX}')
        for program in (self.radosgw, self.radosgw_admin, self.openssl):
            if not program or program.startswith('-'):
                raise Malformed(f'{program!r} is not a program')


@dataclasses.dataclass(frozen=True)
class Zone(Gateway):
    """Make realm, zone and user for gateways that somebody else starts."""


def options(pool: str) -> Dict[str, str]:
    """Return what a gateway that others start needs in its config."""
    return {**dict.fromkeys(ROOTS, pool), **dict.fromkeys(IDLE, 'false')}


KINDS['gateway'] = Gateway
KINDS['zone'] = Zone
