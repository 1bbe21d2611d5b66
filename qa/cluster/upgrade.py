"""Upgrade a cluster in place: its data stay, its programs change.

All daemons stop and start again with the programs of another release, since
they share one root. A real upgrade takes one daemon after the other; what
the cluster has afterwards is the same.
"""

import errno
import pathlib
import signal

from . import (
    bringup,
    conf,
    daemons,
    exporters,
    launch,
    mgrs,
    namespaces,
    network,
    teardown,
)
from .messages import ClusterError, say
from .settings import Release, release_named
from .state import Cluster

PATIENCE = 60.0


def upgrade(cluster: Cluster, release: Release, roots: pathlib.Path) -> None:
    """Stop all, start it with a newer release, and wait until it is clean."""
    settings = cluster.settings
    have = release_named(settings.release)
    if release.major <= have.major:
        raise ClusterError(
            'the cluster has %s (%d) already; %s (%d) is no upgrade'
            % (have.name, have.major, release.name, release.major)
        )
    if settings.disks == 'loop':
        raise ClusterError(
            'disks that are loop devices go with their processes; only a '
            'cluster with --disks file can be upgraded',
            errno.ENOTSUP,
        )
    names = mgrs.names(cluster)
    _stop(cluster)
    settings.release, settings.roots = release.name, str(roots)
    cluster.save(settings)
    say('starting on %s' % release.name)
    namespaces.start_cell(cluster)
    network.build(cluster)
    for name in conf.mon_names(cluster):
        daemons.start_mon(cluster, name)
    with bringup.connect(cluster) as admin:
        for name in names:
            daemons.start_mgr(cluster, name)
        for osd in settings.osds:
            daemons.start_osd(cluster, osd)
        if settings.exporters:
            exporters.start(cluster)
        bringup.wait_clean(cluster, admin, bringup.PATIENCE, healthy=False)
        admin.mon('osd require-osd-release', release=release.name)


def _stop(cluster: Cluster) -> None:
    """End daemons, stores last, as Ceph asks; then all the rest."""
    say('stopping all daemons')
    for kind in ('rgw.', 'mgr.', 'osd.', 'mon.'):
        found = [
            process
            for name, process in cluster.processes().items()
            if name.startswith(kind)
        ]
        for process in found:
            launch.end(process, signal.SIGTERM, 0)
        if not launch.wait_gone(found, PATIENCE):
            raise ClusterError(
                'a daemon %s* did not end in %d s' % (kind, PATIENCE),
                errno.ETIMEDOUT,
            )
    teardown.end_all(cluster)
    for name in cluster.processes():
        cluster.forget(name)
    for path in (cluster.dir / 'run').glob('*.asok'):
        path.unlink()
