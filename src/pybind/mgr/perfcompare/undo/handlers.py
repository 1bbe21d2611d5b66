"""How one entry of the journal is undone, for each kind of entry.

A handler returns why something is kept, or ''. What it undoes may be gone
already, or may never have been made.
"""

from typing import Callable, Dict, Optional, Protocol

import errno
import functools

from ..common.errors import (
    CommandFailed,
    NotPermitted,
    PerfcompareError,
    TryAgain,
)
from ..model.ownership import APPLICATION
from ..ports.auth import AuthReads, AuthWrites
from ..ports.clock import Clock
from ..ports.config import ConfigReads, ConfigWrites
from ..ports.faults import DaemonOrders, FaultReads, FaultWrites
from ..ports.health import HealthReads
from ..ports.orchestration import ClusterOrchestration
from ..ports.osd_map import OsdMapReads
from ..ports.pgs import PgReads
from ..ports.pools import PoolReads, PoolWrites
from ..ports.rules import RuleWrites
from . import links, osds, primaries, services, upmaps
from .config import restore
from .entries import Entry, EntryStore, Kind
from .pools import PoolDeletion, remove_rule

Handler = Callable[[Entry], str]


class Needs(
    AuthReads,
    AuthWrites,
    ClusterOrchestration,
    ConfigReads,
    ConfigWrites,
    DaemonOrders,
    FaultReads,
    FaultWrites,
    HealthReads,
    OsdMapReads,
    PgReads,
    PoolReads,
    PoolWrites,
    RuleWrites,
    Protocol,
):
    """Name what is asked of a cluster here."""


def handlers(
    cluster: Needs,
    journal: EntryStore,
    clock: Clock,
    remove_bucket: Optional[Handler],
) -> Dict[Kind, Handler]:
    """Return the handler of each kind but pools, which go together."""

    def blocklisted(entry: Entry) -> str:
        if not entry.was_set:
            cluster.blocklist_remove(entry.name)
        return ''

    return {
        Kind.BUCKET: remove_bucket or _no_access,
        Kind.SERVICE: services.Services(cluster, clock),
        Kind.RULE: _removed(lambda e: remove_rule(cluster, e.name)),
        Kind.EC_PROFILE: _removed(
            lambda e: cluster.ec_profile_remove(e.name)
        ),
        **links.handlers(cluster),
        Kind.ROOT: _removed(lambda e: _remove_root(cluster, e.name)),
        Kind.KEY: _removed(lambda e: cluster.auth_remove(e.name)),
        Kind.CONFIG: lambda e: restore(
            cluster, e, clock, journal.done, journal.all_entries
        ),
        Kind.BLOCKLIST: blocklisted,
        Kind.CONSENT: lambda e: '',
        **osds.handlers(cluster, clock),
        Kind.UPMAPS: _mapped(cluster, clock),
    }


def _remove_root(cluster: Needs, root: str) -> None:
    """Remove a root, with hosts that have other names than when linked.

    Each of them keeps another parent, or the root stays as well.
    """
    topology = cluster.topology()
    found = topology.buckets.get(root)
    for bucket in topology.buckets.values():
        if found is not None and bucket.id in found.items:
            try:
                cluster.crush_unlink_host(bucket.name, root)
            except CommandFailed as error:
                if error.errno != errno.ENOENT:
                    raise
    cluster.crush_remove_root(root)


def _no_access(entry: Entry) -> str:
    raise PerfcompareError('there is no access to its gateways here')


def _removed(remove: Callable[[Entry], None]) -> Handler:
    def handler(entry: Entry) -> str:
        remove(entry)
        return ''

    return handler


def remove_pool(
    cluster: Needs, run: str, deletion: PoolDeletion, entry: Entry
) -> str:
    """Remove a pool of ``run``, with the rule that Ceph made for it."""
    pools = {p.name: p for p in cluster.pools()}
    pool = pools.get(entry.name)
    if pool is not None:
        mine = pool.application.get(APPLICATION, {})
        if not mine and set(pool.application) <= {APPLICATION}:
            _claim(cluster, run, entry.name)
    try:
        deletion.remove(entry.name)
    except NotPermitted as error:
        if pool is not None:
            raise
        # younger than the mgr's map: it can be claimed when it shows
        raise TryAgain(error.message)
    if entry.detail.get('erasure'):
        # Ceph removes it with the pool, but only if it lived to be used
        try:
            remove_rule(cluster, entry.name)
        except PerfcompareError as error:
            raise PerfcompareError(
                f'its rule is left: {error.message}', error.errno
            )
    return ''


def _claim(cluster: Needs, run: str, pool: str) -> None:
    """Mark a pool that was cut off between creation and its mark.

    Only an empty one: whatever holds objects without our mark stays.
    """
    if cluster.pool_df(pool)['objects']:
        raise NotPermitted(
            'it holds objects, but no application metadata of the run'
        )
    cluster.pool_set_application(pool, APPLICATION, 'run', run)


def _mapped(cluster: Needs, clock: Clock) -> Handler:
    """Return the handler of how PGs of others were mapped."""
    mapped = upmaps.handlers(cluster, clock)[Kind.UPMAPS]
    settle = functools.partial(upmaps.settled, clock)

    def undo(entry: Entry) -> str:
        chosen = entry.detail.get(primaries.KEY)
        if chosen is None:
            return mapped(entry)
        wanted = primaries.read(chosen)
        return '; '.join(primaries.restore(cluster, wanted, settle))

    return undo
