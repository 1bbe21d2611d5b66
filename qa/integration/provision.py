"""Bring up the clusters that tests ask for, one at a time."""

from typing import Optional, Sequence, Type

import dataclasses
import os
import pathlib
import socket

from .live import LiveCluster
from .orchestrated import CephadmCluster
from .waiting import wait_for

KEEP = 'PERFCOMPARE_KEEP'  # leave the last cluster running; take it up again


@dataclasses.dataclass(frozen=True)
class Spec:
    """Say what a cluster must have; `options` are words for `up`."""

    name: str
    options: Sequence[str]
    release: str = ''  # else the one that is tested
    make: Type[LiveCluster] = LiveCluster
    enabled: bool = True  # else the tests install the module


# where no test looks at what a cluster can do, its OSDs do not do all they
# can: load that needs all of the machine has all other tests wait
HELD = ('--client-iops', '300')
ENABLED = ('--enabled',)
# three hosts on each side: enough for replicas 3 and an erasure code 2+1
WIDE = Spec(
    'wide',
    (
        '--hosts', 'n1:x86', 'n2:x86', 'n3:x86', 'o1:alt', 'o2:alt', 'o3:alt',
    ),
)  # fmt: skip
# two of them on each side, for what takes long: it can be up beside the other
GATEWAYS = Spec(
    'gateways',
    ('--hosts', 'n1:x86', 'n2:x86', 'o1:alt', 'o2:alt', *HELD),
)
# two hosts on each side, all native: the quickest
SMALL = Spec('small', ('--no-arm', *HELD))
# the same again, for runs whose figures are looked at
FIGURES = Spec('figures', SMALL.options)
# the same again, for runs that are cut
CUT = Spec('cut', SMALL.options)
# the same with a dashboard, for what is thrown at its routes
HOSTILE = Spec('hostile', ('--no-arm', '--dashboard'))
# the same with the orchestrator that Ceph ships, which does nothing
CEPH_ORCH = Spec('ceph-orch', ('--no-arm', '--ceph-orchestrator'))
# the same with programs that somebody brought
WITH_WARP = Spec('with-warp', ('--no-arm',))
# hosts that can be told apart: CPU, pressure, links and disks of their own
HOSTS = Spec(
    'hosts',
    ('--no-arm', '--exporters', '--net', 'ns', '--disks', 'loop'),
)
# the same with two OSDs on each host, so that one can be unlike the others
LIMITED = Spec(
    'limited',
    (
        '--no-arm', '--hosts', 'a1:x86', 'a2:x86', 'b1:alt', 'b2:alt',
        '--osds-per-host', '2', '--exporters', '--disks', 'loop',
    ),
)  # fmt: skip
# OSDs whose metadata has a device of its own
WITH_DB = Spec(
    'with-db',
    (
        '--no-arm', '--hosts', 'd1:x86', 'd2:x86', '--exporters',
        '--disks', 'loop', '--db-size', '2G',
    ),
)  # fmt: skip
# as qa/demo brings one up: real arm64 OSDs beside native ones
MIXED = Spec('mixed', ('--exporters', '--osds-per-host', '2'))
# two OSDs on each of two hosts a side: PGs can move inside a group
PAIRS = Spec(
    'pairs',
    (
        '--hosts', 'p1:x86:2', 'p2:x86:2', 'q1:alt:2', 'q2:alt:2',
        '--mgrs', '2',
    ),
)  # fmt: skip
# the same, one of them named as this machine, where mgr and mon run
HERE = socket.gethostname()
SHARED = Spec(
    'shared',
    ('--hosts', HERE + ':x86:2', 'p2:x86:2', 'q1:alt:2', 'q2:alt:2'),
)
# four hosts a side: two can stop, and a pool of four copies goes on
QUADS = Spec(
    'quads',
    (
        '--hosts', 'q1:x86', 'q2:x86', 'q3:x86', 'q4:x86',
        'r1:alt', 'r2:alt', 'r3:alt', 'r4:alt', '--mgrs', '2',
    ),
)  # fmt: skip
# two hosts of two OSDs a side, with real arm64 ones, which are emulated
ARM_PAIRS = Spec(
    'arm-pairs', ('--hosts', 'p1:x86:2', 'p2:x86:2', 'q1:arm:2', 'q2:arm:2')
)
# hosts with networks of their own, two of them to make load
LOAD_HOSTS = Spec(
    'load-hosts',
    (
        '--hosts', 'x86-1:x86', 'x86-2:x86', 'alt-1:alt', 'alt-2:alt',
        'load-1:spare', 'load-2:spare', '--net', 'ns', '--mgrs', '2', *HELD,
    ),
)  # fmt: skip
# without the module, the page and the controller of the sources
NOTHING = '/nonexistent'
PACKAGED = Spec(
    'packaged',
    (
        '--hosts', 'x86-1:x86', 'x86-2:x86', 'alt-1:alt', 'alt-2:alt',
        'load-1:spare', '--net', 'ns', '--dashboard',
        '--module', NOTHING, '--ui', NOTHING, '--controller', NOTHING,
    ),
    enabled=False,
)  # fmt: skip
# of the oldest release, to be upgraded
OLD = Spec('old', ('--no-arm',), 'reef')
# as an administrator may well have it
BARE = Spec('bare', ('--no-arm', '--without-numpy'))
# two hosts that the real cephadm manages
CEPHADM = Spec('cephadm', (), 'tentacle', make=CephadmCluster, enabled=False)


class Provider:
    """Own the cluster that is up; another takes its place when asked for."""

    def __init__(self, base: pathlib.Path) -> None:
        self.base = base
        self._spec: Optional[Spec] = None
        self._cluster: Optional[LiveCluster] = None

    def get(self, spec: Spec) -> LiveCluster:
        """Return a cluster with the module enabled."""
        if self._cluster is not None and self._spec == spec:
            return self._cluster
        self.close()
        tested = os.environ.get('PERFCOMPARE_RELEASE', 'tentacle')
        cluster = spec.make(
            self.base / spec.name,
            spec.release or tested,
            options=[*spec.options, *_enabled(spec)],
        )
        self._spec, self._cluster = spec, cluster
        if not (os.environ.get(KEEP) and (cluster.dir / 'token').exists()):
            cluster.up()
        if spec.enabled:
            enable(cluster)
        if spec.enabled and spec != BARE:
            consent(cluster)
        return cluster

    def close(self) -> None:
        """Take down what is up."""
        cluster, self._cluster, self._spec = self._cluster, None, None
        if cluster is not None and not os.environ.get(KEEP):
            cluster.down()


def _enabled(spec: Spec) -> Sequence[str]:
    """Return the words that have the module enabled at once.

    It is enabled later by who tests just that, and where an administrator
    would: that starts the mgr anew, with all of its modules.
    """
    managed = spec.make is not LiveCluster
    return () if managed or not spec.enabled or spec == BARE else ENABLED


def enable(cluster: LiveCluster) -> None:
    """Enable the module and wait until it answers."""
    cluster.ceph('mgr', 'module', 'enable', 'perfcompare', '--force', fmt='')
    wait_answers(cluster)


def consent(cluster: LiveCluster) -> None:
    """Let all runs remove their pools, as an administrator does, once."""
    option = 'mgr/perfcompare/enable_pool_delete'
    cluster.ceph('config', 'set', 'mgr', option, 'true', fmt='')


def wait_answers(cluster: LiveCluster, seconds: float = 60) -> None:
    """Wait until the module of the active mgr answers and drives runs."""

    def ready() -> bool:
        found = cluster.look('perfcompare status', to='mgr')
        if not found:
            return False
        return not any('former' in text for text in found['warnings'])

    wait_for(ready, seconds, 'the module answers')
