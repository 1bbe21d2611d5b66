"""Figures of hosts, from real node_exporters, against accounts of our own."""

from typing import Any, Dict, List, Tuple

import os
import signal

import pytest

from . import processes, runs
from .accounts import CpuAccounts
from .live import LiveCluster
from .provision import HOSTS, Provider
from .waiting import wait_for

CLUSTER = HOSTS.name
LOAD = (
    '--profile', 'smoke', '--workload', 'write', '--size', '64K',
    '--concurrency', '8', '--duration', '8', '--rounds', '1',
    '--replicas', '2',
)  # fmt: skip
OSD_HOSTS = {'x86': ['x86-1', 'x86-2'], 'alt': ['alt-1', 'alt-2']}
Trial = Dict[str, Any]


@pytest.fixture(scope='module')
def cluster(provider: Provider) -> LiveCluster:
    """Return a cluster whose hosts have exporters."""
    return provider.get(HOSTS)


@pytest.fixture(scope='module')
def seen(
    cluster: LiveCluster,
) -> Tuple[str, List[Trial], CpuAccounts]:
    """Return a run, its trials, and the CPU of the hosts meanwhile."""
    hosts = [h for names in OSD_HOSTS.values() for h in names]
    with CpuAccounts(cluster, hosts) as accounts:
        run = runs.start(cluster, ['x86', 'alt'], *LOAD)
        found = runs.ended(cluster, run)
    assert (found['state'], found['reason']) == ('completed', '')
    return run, runs.trials(cluster, run, 'ok'), accounts


def window(trial: Trial) -> Tuple[float, float]:
    """Return the measured window of a trial."""
    pieces = trial['evidence']['client']['window']
    return pieces[0][0], pieces[-1][1]


def osd_hosts(trial: Trial) -> Dict[str, Dict[str, Any]]:
    """Return the figures of a trial's OSD hosts."""
    hosts: Dict[str, Dict[str, Any]] = trial['evidence']['hosts']
    return {h: f for h, f in hosts.items() if f['role'] == 'osd'}


def test_each_trial_has_its_group_s_hosts_and_the_client(seen: Any) -> None:
    """No host of the other group, and none is missing."""
    for trial in seen[1]:
        assert sorted(osd_hosts(trial)) == sorted(OSD_HOSTS[trial['group']])
        roles = [f['role'] for f in trial['evidence']['hosts'].values()]
        assert roles.count('client') == 1
        for figures in trial['evidence']['hosts'].values():
            assert figures['covered'] > 0.95
            assert figures['samples'] >= 4
            assert 0 <= figures['psi_cpu'] <= 1
            # what these hosts do not have
            assert figures['watts'] is None


def test_cpu_agrees_with_the_cgroup_s_own_account(seen: Any) -> None:
    """Over the measured windows of the run, host by host."""
    _, trials, accounts = seen
    for name in OSD_HOSTS['x86'] + OSD_HOSTS['alt']:
        told = truth = 0.0
        for trial in trials:
            figures = osd_hosts(trial).get(name)
            if figures is None:
                continue
            start, end = window(trial)
            told += figures['cpu_busy'] * figures['cores'] * (end - start)
            truth += accounts.spent(name, start, end)
        print('%s: CPU %.3f s told, %.3f s by its cgroup (%+.1f %%)'
              % (name, told, truth, 100 * (told / truth - 1)))  # fmt: skip
        assert told == pytest.approx(truth, rel=0.10)


def test_networks_carry_what_the_client_wrote(seen: Any) -> None:
    """Each byte reaches a primary and, from there, a replica."""
    told = written = 0.0
    for trial in seen[1]:
        start, end = window(trial)
        written += trial['summary']['bytes_per_s'] * (end - start)
        for figures in osd_hosts(trial).values():
            rate = figures['nics']['eth0']['rx_bytes_per_s']
            told += rate * (end - start)
            assert figures['nics']['eth0']['speed_bytes_per_s'] > 0
    print('network: %.3f of 2 × what the client wrote' % (told / written / 2))
    assert 0.95 < told / written / 2 < 1.12


def test_disks_are_told_with_their_osds(seen: Any) -> None:
    """Disks took at least what was written, and each names its OSD."""
    told = written = 0.0
    osds = set()
    for trial in seen[1]:
        start, end = window(trial)
        written += trial['summary']['bytes_per_s'] * (end - start)
        for figures in osd_hosts(trial).values():
            (disk,) = figures['disks'].values()
            assert (disk['role'], len(disk['osds'])) == ('data', 1)
            osds.update(disk['osds'])
            assert 0 < disk['util'] <= 1
            assert disk['await'] > 0
            told += disk['write_bytes_per_s'] * (end - start)
    assert osds == {0, 1, 2, 3}
    print('disks: %.3f of 2 × what the client wrote' % (told / written / 2))
    assert 0.9 < told / written / 2 < 4


def test_hosts_are_shown_side_by_side(
    cluster: LiveCluster, seen: Any
) -> None:
    """The same in a table and as data; doctor knows the exporters."""
    run = seen[0]
    text = cluster.ceph('perfcompare', 'show', run, '--hosts', fmt='')
    for name in ('x86-1', 'alt-2', 'client', 'loop', 'group alt'):
        assert name in text
    data = cluster.ceph('perfcompare', 'show', run, '--hosts')
    assert len(data['rows']) == 6 and data['notes'] == []
    exporters = cluster.ceph('perfcompare', 'exporter', 'ls')['exporters']
    assert all(e['reachable'] for e in exporters) and len(exporters) == 5
    assert '5 of 5 hosts' in cluster.ceph('perfcompare', 'doctor', fmt='')
    exported = cluster.ceph('perfcompare', 'export', run, fmt='')
    assert 'host.x86-1' in exported


def test_an_exporter_that_is_gone_is_a_gap_and_one_note(
    cluster: LiveCluster, seen: Any
) -> None:
    """The run completes; credentials that are set are never shown."""
    secret = 'username: prom\npassword: verysecret\n'
    cluster.exec(
        ['ceph', 'perfcompare', 'exporter', 'set', '-i', '-'], stdin=secret
    )
    listed = cluster.ceph('perfcompare', 'exporter', 'ls', fmt='')
    assert 'verysecret' not in listed and 'https://' in listed
    cluster.ceph('perfcompare', 'exporter', 'rm', fmt='')
    os.kill(cluster.pid('exporter.alt-2'), signal.SIGKILL)
    run = runs.start(
        cluster, ['alt'], '--profile', 'smoke', '--workload', 'write',
        '--size', '64K', '--concurrency', '4', '--duration', '3',
        '--rounds', '1', '--replicas', '2',
    )  # fmt: skip
    found = runs.ended(cluster, run)
    assert (found['state'], found['reason']) == ('completed', '')
    (note,) = cluster.ceph('perfcompare', 'show', run, '--hosts')['notes']
    assert note == 'hosts: not available of alt-2 (Connection refused)'
    for trial in runs.trials(cluster, run, 'ok'):
        assert sorted(osd_hosts(trial)) == ['alt-1']

    wait_for(lambda: not processes.of_runs(cluster), 10, 'no worker is left')
