"""Limits that are provoked on real OSDs are found, and clean trials clean.

A slow link or a slow interface cannot be provoked without the kernel's
traffic shaping, nor can swapping, stolen CPU time and heat on any machine:
those rules are tested on recorded pages of node_exporter only, among the
unit tests of the module.
"""

from typing import Any, Dict, Iterator, List, Tuple

import contextlib
import os
import pathlib
import subprocess
import sys
import threading

import pytest

from cluster import cgroups
from cluster.state import Cluster

from . import holding, mclock, processes, runs
from .live import LiveCluster
from .provision import LIMITED, Provider

CLUSTER = LIMITED.name
SMALL_WRITES = (
    '--profile', 'smoke', '--workload', 'write', '--size', '4K',
    '--duration', '5', '--rounds', '1',
)  # fmt: skip

Trial = Dict[str, Any]

pytestmark = pytest.mark.skipif(
    bool(holding.missing('cpu') or holding.missing('blkio')),
    reason='needs the controllers cpu and blkio of cgroup version 1',
)


@pytest.fixture(scope='module')
def cluster(provider: Provider) -> LiveCluster:
    """Return a cluster with two OSDs on each host, exporters and disks."""
    found = provider.get(LIMITED)
    found.ceph('perfcompare', 'group', 'set', 'held', '--hosts', 'a1,a2',
               '--watts', '100')  # fmt: skip
    found.ceph('perfcompare', 'group', 'set', 'free', '--hosts', 'b1,b2',
               '--watts', '50')  # fmt: skip
    return found


def run(
    cluster: LiveCluster, groups: List[str], concurrency: int
) -> Dict[str, Dict[str, Any]]:
    """Run small writes; return what limited each group, and its id."""
    started = runs.start(
        cluster, groups, *SMALL_WRITES, '--concurrency', str(concurrency)
    )
    ended = runs.ended(cluster, started)
    assert (ended['state'], ended['reason']) == ('completed', '')
    found = cluster.ceph('perfcompare', 'show', started, '--findings')
    cells = {c['group']: c['limited'] for c in found['cells']}
    assert set(cells) == set(groups)
    text = cluster.ceph('perfcompare', 'show', started, '--findings', fmt='')
    print(text)
    for trial in runs.judged(runs.trials(cluster, started, 'ok')):
        for osd, figures in trial['evidence']['osds'].items():
            print('%s osd.%s: %.1f writes/s, %.0f ms, of them %.0f ms queued'
                  % (trial['group'], osd, *writes(figures)))  # fmt: skip
    for limited in cells.values():
        assert limited['limit'] in text
    return cells


def writes(figures: Dict[str, Any]) -> Tuple[float, float, float]:
    """Return writes a second of an OSD, their latency and wait (ms)."""
    latency = figures['op_w_latency'] or 0.0
    queued = latency - (figures['op_w_process_latency'] or 0.0)
    return figures['op_w'] / figures['seconds'], 1e3 * latency, 1e3 * queued


def ids(limited: Dict[str, Any]) -> List[str]:
    """Return the rules that held."""
    return [one['id'] for one in limited['findings']]


def osds(cluster: LiveCluster, *hosts: str) -> List[int]:
    """Return the OSDs of hosts."""
    return [
        osd
        for host in cluster.status()['hosts']
        if host['name'] in hosts
        for osd in host['osds']
    ]


def pids(cluster: LiveCluster, numbers: List[int]) -> List[int]:
    """Return the processes of OSDs."""
    return [cluster.pid('osd.%d' % osd) for osd in numbers]


def disk(cluster: LiveCluster, osd: int) -> str:
    """Return the block device of an OSD."""
    return os.readlink(str(cluster.dir / 'osd' / str(osd) / 'block'))


@pytest.mark.slow
def test_osds_without_cpu_are_limited_by_it(cluster: LiveCluster) -> None:
    """Hosts of a fraction of a core: CPU; the other group has no limit."""
    with contextlib.ExitStack() as stack:
        for host in ('a1', 'a2'):
            held = pids(cluster, osds(cluster, host))
            stack.enter_context(holding.cpu(held, 0.08))
        cells = run(cluster, ['held', 'free'], 16)
    assert cells['held']['limit'] == 'CPU', cells['held']
    assert cells['free']['limit'] == 'none found', cells['free']
    first = cells['held']['findings'][0]
    assert first['sources'] and first['direction'] and first['places']
    assert first['share'] is not None


@pytest.mark.slow
def test_slow_drives_are_the_limit_and_one_alone_an_outlier(
    cluster: LiveCluster,
) -> None:
    """All drives of one group held: disk; one of the other: outlier."""
    slow = osds(cluster, 'b1')[0]
    with contextlib.ExitStack() as stack:
        for osd in osds(cluster, 'a1', 'a2') + [slow]:
            held = pids(cluster, [osd])
            stack.enter_context(holding.device(held, disk(cluster, osd), 60))
        cells = run(cluster, ['held', 'free'], 8)
    assert cells['held']['limit'] == 'disk', cells['held']
    assert cells['held']['outliers'] == []
    assert [one['osd'] for one in cells['free']['outliers']] == [slow]
    assert cells['free']['limit'] != 'disk', cells['free']


@pytest.mark.slow
def test_clients_that_mclock_limits_are_told(cluster: LiveCluster) -> None:
    """A custom profile of 60 operations a second for each OSD: QoS.

    With two in flight for each OSD a busy machine takes as long as mClock.
    """
    with mclock.limited(cluster, osds(cluster, 'a1', 'a2'), 60):
        cells = run(cluster, ['held', 'free'], 32)
    assert cells['held']['limit'] == 'QoS', cells['held']
    assert cells['free']['limit'] != 'QoS', cells['free']


# reads a file that is larger than the memory that it may have
THRASH = '''
import os, random, sys
size = 32 << 20
path = sys.argv[1]
with open(path, 'wb') as file:
    for _ in range(size >> 20):
        file.write(os.urandom(1 << 20))
    file.flush()
    os.fsync(file.fileno())
    os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
file = os.open(path, os.O_RDONLY)
os.unlink(path)
while True:
    os.pread(file, 4096, random.randrange(size))
'''


@contextlib.contextmanager
def short_of_memory(cluster: LiveCluster, host: str) -> Iterator[None]:
    """Have a process of a host read back again and again what it lost."""
    path = str(cluster.dir / 'tmp' / ('thrash-' + host))
    child = subprocess.Popen(
        [sys.executable, '-c', THRASH, path], stdin=subprocess.DEVNULL
    )
    folder = cgroups.folder_of(Cluster(cluster.dir).settings.token)
    try:
        assert folder is not None
        (folder / host / 'cgroup.procs').write_text(str(child.pid))
        with holding.memory([child.pid], 32 << 20):
            yield
            assert child.poll() is None, 'killed for want of memory'
            child.kill()
    finally:
        child.kill()
        child.wait()


@pytest.mark.slow
@pytest.mark.skipif(
    bool(holding.missing('memory')),
    reason='needs the controller memory of cgroup version 1',
)
def test_hosts_without_memory_are_limited_by_it(cluster: LiveCluster) -> None:
    """Tasks of the hosts stand still for want of memory: memory."""
    with contextlib.ExitStack() as stack:
        for host in ('a1', 'a2'):
            stack.enter_context(short_of_memory(cluster, host))
        cells = run(cluster, ['held', 'free'], 2)
    assert cells['held']['limit'] == 'memory', cells['held']
    assert 'memory-pressure' in ids(cells['held'])
    assert cells['free']['limit'] != 'memory', cells['free']


@contextlib.contextmanager
def held_clients(cluster: LiveCluster, cores: float) -> Iterator[None]:
    """Hold every `rados bench` that comes up, as soon as it does."""
    ended = threading.Event()

    def catch(folder: pathlib.Path) -> None:
        while not ended.wait(0.1):
            for pid, line in processes.of_runs(cluster).items():
                if ' bench ' in line:
                    with contextlib.suppress(OSError):  # it just ended
                        (folder / 'cgroup.procs').write_text(str(pid))

    with holding.cpu([], cores) as folder:
        thread = threading.Thread(target=catch, args=(folder,))
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()


@pytest.mark.slow
def test_a_client_without_cpu_is_the_limit(cluster: LiveCluster) -> None:
    """The load processes share a fraction of a core: client."""
    with held_clients(cluster, 0.02):
        cells = run(cluster, ['free'], 16)
    assert cells['free']['limit'] == 'client', cells['free']
    assert 'client-quota' in ids(cells['free'])


@contextlib.contextmanager
def neighbor(cluster: LiveCluster) -> Iterator[None]:
    """Write to another pool on the OSDs of the group `held`."""
    rule = 'neighbor'
    cluster.ceph('osd', 'crush', 'rule', 'create-replicated', rule,
                 'default', 'host', 'x86', fmt='')  # fmt: skip
    cluster.ceph('osd', 'pool', 'create', rule, '16', '16', 'replicated',
                 rule, '--size', '2', '--autoscale-mode', 'off',
                 fmt='')  # fmt: skip
    cluster.ceph('osd', 'pool', 'application', 'enable', rule, 'rbd', fmt='')
    cluster.wait_clean()
    ended = threading.Event()

    def write() -> None:
        # without gaps: removing objects of the last one takes its time
        while not ended.is_set():
            cluster.exec(
                ['rados', '-p', rule, 'bench', '60', 'write', '-b', '4096',
                 '-O', '4096', '-t', '4', '--no-cleanup']
            )  # fmt: skip

    thread = threading.Thread(target=write)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
        cluster.pool_rm(rule)
        cluster.ceph('osd', 'crush', 'rule', 'rm', rule, fmt='')


@pytest.mark.slow
def test_a_busy_neighbor_pool_is_told(cluster: LiveCluster) -> None:
    """Other clients write on the OSDs of one group: tenants, and `busy`."""
    with neighbor(cluster):
        cells = run(cluster, ['held', 'free'], 2)
    assert cells['held']['limit'] == 'tenants', cells['held']
    assert cells['free']['limit'] == 'none found', cells['free']


@pytest.mark.slow
def test_ten_clean_trials_have_no_finding(cluster: LiveCluster) -> None:
    """At two operations in flight nothing is at its limit."""
    started = runs.start(
        cluster, ['held', 'free'], '--profile', 'smoke', '--workload',
        'write', '--size', '4K', '--duration', '5', '--rounds', '5',
        '--concurrency', '2',
    )  # fmt: skip
    runs.wait_end(cluster, 900)
    assert runs.ended(cluster, started)['state'] == 'completed'
    judged = [
        t for t in runs.trials(cluster, started, 'ok') if t['round'] > 0
    ]
    assert len(judged) == 10
    for trial in judged:
        found = trial['evidence']['findings']
        assert found['limit'] == 'none found', found['items']
        assert found['outliers'] == [], found['outliers']
