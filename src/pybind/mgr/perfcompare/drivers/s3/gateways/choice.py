"""Decide where the S3 gateways of a run come from, before its plan."""

from typing import Dict, Optional, Protocol, Sequence, Tuple

import logging

from ....common.errors import InvalidArgument, PerfcompareError
from ....model import s3_clients as s3clients
from ....model.group import Group
from ....model.plan import RunOptions
from ....model.s3_gateways import ORCH
from ....model.workload import Profile
from ....planning.profiles import applied
from ....planning.s3 import plan as s3plan
from ....ports import orchestration
from ....ports.config import ConfigReads
from ....ports.orchestration import ClusterOrchestration
from ....ports.pools import PoolReads

log = logging.getLogger(__name__)

ROOT_POOL = '.rgw.root'
# cephadm has the dashboard look for realms after each change of gateways,
# which makes the root pool where there is none
DASHBOARD = 'mgr/cephadm/config_dashboard'

Hosts = Dict[str, Tuple[str, ...]]  # group -> the orchestrator's hosts


class Needs(ClusterOrchestration, ConfigReads, PoolReads, Protocol):
    """Name what is asked of a cluster here."""


def choose(
    cluster: Needs,
    groups: Sequence[Group],
    profile: Profile,
    options: RunOptions,
) -> Tuple[RunOptions, Hosts]:
    """Return the options with the source decided, and hosts for `orch`.

    Without --gateway-source it is the orchestrator, where it can place
    gateways on all hosts of the groups, else `private`. Raises
    InvalidArgument where `orch` was asked for and cannot be.
    """
    source = options.driver('gateway_source')
    if source not in (None, ORCH):
        return options, {}
    if not s3plan.workloads(applied.apply(profile, options)):
        return options, {}
    hosts: Hosts = {}
    why: Optional[str]
    if source is None and (
        options.driver('s3_tls')
        or s3clients.WARP == options.driver('s3_client')
    ):
        why = 'not for TLS or warp unless it is asked for'
    else:
        why = _refusal(cluster, groups, hosts)
    if why and source == ORCH:
        raise InvalidArgument(f'--gateway-source orch: {why}')
    if why:
        log.info('gateways are private: %s', why)
        return options.with_driver(gateway_source=None), {}
    return options.with_driver(gateway_source=ORCH), hosts


def _refusal(
    cluster: Needs, groups: Sequence[Group], hosts: Hosts
) -> Optional[str]:
    """Fill ``hosts``; return why the orchestrator cannot place gateways."""
    backend = cluster.gateway_backend()
    if backend is None:
        return (
            'no orchestrator is available that can place gateways (ceph '
            'orch status); give --gateway-source private'
        )
    if backend == 'cephadm' and not _dashboard_is_kept_out(cluster):
        return (
            'cephadm would have the dashboard make pool .rgw.root, which '
            'would stay; `ceph config set mgr mgr/cephadm/config_dashboard '
            'false` keeps it from that, or give --gateway-source private'
        )
    try:
        known = cluster.orchestrator_hosts()
    except PerfcompareError as error:
        return f'its hosts are not known: {error.message}'
    for group in groups:
        found, lacking = orchestration.hosts_of(group.hosts, known)
        if found is None:
            return (
                f'host {lacking!r} of group {group.name!r} is none of the '
                'orchestrator (ceph orch host ls); give --gateway-source '
                'private'
            )
        hosts[group.name] = found
    return None


def _dashboard_is_kept_out(cluster: Needs) -> bool:
    if any(pool.name == ROOT_POOL for pool in cluster.pools()):
        return True
    return cluster.config_get('mgr', DASHBOARD) == 'false'
