"""Make a cluster by cephadm's own commands, as an administrator does."""

from typing import Any, List

import errno
import json
import time

from cluster import launch
from cluster.messages import ClusterError, say

from . import disks
from .state import HOSTS, Host, Managed

USER, PASSWORD = 'admin', 'perfcompare-tests'
CONF_FILE = '/root/bootstrap.conf'
KEYS = '/root/.ssh/authorized_keys'
# Two copies in each group of two OSDs, and little memory. The disk is that of
# the machine, however full; and Ceph 20.2 counts its own modules without
# notifications as crashed.
CONF = '''[global]
osd_pool_default_size = 2
osd_pool_default_min_size = 1
mon_warn_on_pool_no_redundancy = false
mon_data_avail_warn = 2

[osd]
osd_memory_target = 939524096
osd_memory_target_autotune = false
bluestore_cache_autotune = false

[mgr]
mgr/cephadm/use_repo_digest = false
mgr/cephadm/container_init = true
mgr/crash/warn_recent_interval = 0
'''
# The first OSD of each host is of one device class, the second of another.
CLASSES = ('x86', 'alt')
PATIENCE = 180.0


def bootstrap(cluster: Managed, image: str) -> None:
    """Make the cluster of the first host, with a dashboard."""
    say('cephadm bootstrap')
    _write(cluster, HOSTS[0], CONF_FILE, CONF)
    launch.run(
        cluster,
        [
            'cephadm', '--image', image, 'bootstrap',
            '--mon-ip', HOSTS[0].address, '--config', CONF_FILE,
            '--initial-dashboard-user', USER,
            '--initial-dashboard-password', PASSWORD,
            '--dashboard-password-noupdate',
            '--skip-pull', '--skip-monitoring-stack', '--skip-firewalld',
            '--no-cleanup-on-failure', '--no-minimize-config',
        ],
        timeout=600,
    )  # fmt: skip


def add_hosts(cluster: Managed) -> None:
    """Add the other hosts; Managers go to all of them."""
    names = [host.name for host in HOSTS]
    # of two mons none may be down
    ceph(cluster, 'orch', 'apply', 'mon', '--placement=' + names[0])
    key = ceph(cluster, 'cephadm', 'get-pub-key')
    for host in HOSTS[1:]:
        _write(cluster, host, KEYS, key)
        ceph(cluster, 'orch', 'host', 'add', host.name, host.address)
    ceph(cluster, 'orch', 'apply', 'mgr', '--placement=' + ' '.join(names))


def add_osds(cluster: Managed) -> None:
    """Make an OSD of each loop device."""
    say('making OSDs')
    made = 0
    for host in HOSTS:
        for number in disks.numbers(cluster, host):
            place = '%s:/dev/loop%d' % (host.name, number)
            said = ceph(cluster, 'orch', 'daemon', 'add', 'osd', place, 'raw')
            if 'Created osd' not in said:  # it fails with exit code 0
                raise ClusterError(
                    'no OSD on %s; see exec ceph log last cephadm' % place,
                    errno.EIO,
                )
            made += 1
            _wait_osds(cluster, made)
    by_class: List[List[str]] = [[] for _ in CLASSES]
    for node in _json(cluster, 'osd', 'tree')['nodes']:
        if node['type'] == 'host':
            # children come with the highest first
            for index, osd in enumerate(sorted(node['children'])):
                by_class[index].append('osd.%d' % osd)
    for name, osds in zip(CLASSES, by_class):
        ceph(cluster, 'osd', 'crush', 'rm-device-class', *osds)
        ceph(cluster, 'osd', 'crush', 'set-device-class', name, *osds)


def _wait_osds(cluster: Managed, number: int) -> None:
    deadline = time.monotonic() + PATIENCE
    while _json(cluster, 'osd', 'stat')['num_up_osds'] < number:
        if time.monotonic() > deadline:
            raise ClusterError(
                'osd.%d is not up after %d s' % (number - 1, PATIENCE),
                errno.ETIMEDOUT,
            )
        time.sleep(1)


def wait_healthy(cluster: Managed) -> None:
    """Wait for two Managers and HEALTH_OK."""
    deadline = time.monotonic() + PATIENCE
    while True:
        status = _json(cluster, 'status')
        standbys = status['mgrmap']['num_standbys']
        health = status['health']
        if health['status'] == 'HEALTH_OK' and standbys == len(HOSTS) - 1:
            say('HEALTH_OK')
            return
        if time.monotonic() > deadline:
            raise ClusterError(
                'not healthy after %d s: %d standby Managers, %s'
                % (PATIENCE, standbys, ', '.join(health['checks'])),
                errno.ETIMEDOUT,
            )
        time.sleep(2)


def ceph(cluster: Managed, *words: str) -> str:
    """Run a command of the cluster; return its output."""
    return launch.run(cluster, ['ceph', *words], timeout=PATIENCE)


def _write(cluster: Managed, host: Host, path: str, text: str) -> None:
    words = ['sh', '-c', 'install -D -m 600 /dev/stdin "$1"', 'write', path]
    launch.run(cluster, words, host.name, text)


def _json(cluster: Managed, *words: str) -> Any:
    return json.loads(ceph(cluster, *words, '--format', 'json'))
