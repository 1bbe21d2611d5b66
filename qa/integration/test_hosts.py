"""Figures of hosts, from real node_exporters, against accounts of our own."""

from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

import contextlib
import dataclasses
import json
import os
import signal

import pytest

from . import loads, processes, runs, secured
from .accounts import CpuAccounts
from .live import LiveCluster
from .provision import HOSTS, Provider, wait_answers
from .waiting import wait_for

CLUSTER = HOSTS.name
LOAD = (
    '--profile', 'smoke', '--workload', 'write', '--size', '64K',
    '--concurrency', '8', '--duration', '12', '--rounds', '1',
    # its bytes would be told by the hosts, and not by the client
    '--replicas', '2', '--probe-rate', '0',
)  # fmt: skip
SHORT = (
    '--profile', 'smoke', '--workload', 'write', '--size', '64K',
    '--concurrency', '4', '--duration', '3', '--rounds', '1',
    '--replicas', '2',
)  # fmt: skip
OSD_HOSTS = {'x86': ['x86-1', 'x86-2'], 'alt': ['alt-1', 'alt-2']}
SIZE = 65536
Trial = Dict[str, Any]


@pytest.fixture(scope='module')
def cluster(provider: Provider) -> LiveCluster:
    """Return a cluster with exporters and two groups of stated power."""
    found = provider.get(HOSTS)
    for name, watts in (('x86', '100'), ('alt', '50')):
        found.ceph('perfcompare', 'group', 'set', name, '--hosts',
                   ','.join(OSD_HOSTS[name]), '--watts', watts)  # fmt: skip
    return found


@dataclasses.dataclass(frozen=True)
class Seen:
    """Hold a run, its trials, and the CPU of the hosts meanwhile."""

    run: str
    trials: List[Trial]
    series: List[Dict[str, Any]]  # of each trial, by 'host.NAME'
    accounts: CpuAccounts


@pytest.fixture(scope='module')
def seen(cluster: LiveCluster) -> Seen:
    """Return a run whose hosts were looked at meanwhile."""
    return observe(cluster)


def observe(cluster: LiveCluster) -> Seen:
    """Execute a run, and look at the hosts meanwhile."""
    hosts = [h for names in OSD_HOSTS.values() for h in names]
    with CpuAccounts(cluster, hosts) as accounts:
        run = runs.start(cluster, ['x86', 'alt'], *LOAD)
        found = runs.ended(cluster, run)
    assert (found['state'], found['reason']) == ('completed', '')
    text = runs.export(cluster, run)
    exported = json.loads(text)['content']['trials']
    trials = runs.trials(cluster, run)
    ok = [i for i, trial in enumerate(trials) if trial['state'] == 'ok']
    return Seen(
        run,
        [trials[i] for i in ok],
        [exported[i]['series'] for i in ok],
        accounts,
    )


def window(trial: Trial) -> Tuple[float, float]:
    """Return the measured window of a trial."""
    pieces = trial['evidence']['client']['window']
    return pieces[0][0], pieces[-1][1]


def osd_hosts(trial: Trial) -> Dict[str, Dict[str, Any]]:
    """Return the figures of a trial's OSD hosts."""
    hosts: Dict[str, Dict[str, Any]] = trial['evidence']['hosts']
    return {h: f for h, f in hosts.items() if f['role'] == 'osd'}


def test_each_trial_has_its_group_s_hosts_and_the_client(seen: Seen) -> None:
    """No host of the other group, and none is missing."""
    for trial in seen.trials:
        assert sorted(osd_hosts(trial)) == sorted(OSD_HOSTS[trial['group']])
        roles = [f['role'] for f in trial['evidence']['hosts'].values()]
        assert roles.count('client') == 1
        for figures in trial['evidence']['hosts'].values():
            # a machine that is busy may skip a few scrapes of twelve
            assert figures['covered'] > 0.7
            assert figures['samples'] >= 4
            assert 0 <= figures['psi_cpu'] <= 1
            # what these hosts do not have
            assert figures['watts'] is None


def test_what_limited_each_side_stands_in_a_comparison(
    cluster: LiveCluster, seen: Seen
) -> None:
    """`compare` names limits and further metrics of a real run."""
    sides_of = ('x86', 'alt', '--run', seen.run)
    [row] = cluster.ceph('perfcompare', 'compare', *sides_of)['rows']
    sides = [row[side]['limited'] for side in ('baseline', 'candidate')]
    assert all(side['of'] == 1 for side in sides)
    # the machine may be slow, but nothing that is needed is missing
    assert all(side['limit'] != 'not available' for side in sides), sides
    metrics = {one['id']: one for one in row['metrics']}
    assert {'ops-per-core', 'ops-per-tb', 'ops-per-watt'} <= set(metrics)
    per_watt = metrics['ops-per-watt']['estimate']['ratio']
    assert per_watt == pytest.approx(2.0 * row['estimate']['ratio'])
    text = cluster.ceph('perfcompare', 'compare', *sides_of, fmt='')
    assert 'What limited each side' in text
    assert 'ops-per-watt' not in text
    text = cluster.ceph('perfcompare', 'compare', *sides_of, '--metrics',
                        'ops-per-watt', fmt='')  # fmt: skip
    assert 'ops-per-watt' in text and 'ops-per-core' not in text
    wrong = cluster.exec(['ceph', 'perfcompare', 'compare', 'x86', 'alt',
                          '--metrics', 'speed'])  # fmt: skip
    assert (
        wrong.returncode == 22 and "'speed' is not a metric" in wrong.stderr
    )


def notes_of(cluster: LiveCluster, run: str) -> List[str]:
    """Return the notes, but for gaps: an exporter may be late when busy."""
    data = cluster.ceph('perfcompare', 'show', run, '--hosts')
    return [note for note in data['notes'] if 'gaps' not in note]


def scrapes(
    table: Dict[str, Any], column: str = ''
) -> List[Tuple[float, float, Optional[float]]]:
    """Return start, end and a column's value of each interval of a host."""
    ends = [table['wall_start'] + t for t in table['t']]
    columns = {c['name']: c['values'] for c in table['columns']}
    values = columns[column] if column else [None] * len(ends)
    return list(zip([table['wall_start']] + ends, ends, values))


def test_cpu_agrees_with_the_cgroup_s_own_account(seen: Seen) -> None:
    """Over the measured windows of the run, host by host."""
    hold_against_account(seen)


def hold_against_account(seen: Seen) -> None:
    """Compare the CPU that hosts tell with what their cgroups used.

    The account is taken at the edges of the same scrapes, so that no luck
    of the clock is in it.
    """
    for name in OSD_HOSTS['x86'] + OSD_HOSTS['alt']:
        told = truth = 0.0
        for trial, series in zip(seen.trials, seen.series):
            figures = osd_hosts(trial).get(name)
            if figures is None:
                continue
            low, high = window(trial)
            known = [
                (min(end, high) - max(start, low), cores)
                for start, end, _ in scrapes(series['host.' + name])
                if start < high and end > low
                for cores in [seen.accounts.cores(name, start, end)]
                if cores is not None
            ]
            seconds = sum(inside for inside, _ in known)
            assert seconds > 0.5 * (high - low)
            told += figures['cpu_busy'] * figures['cores'] * seconds
            truth += sum(inside * cores for inside, cores in known)
        print('%s: CPU %.3f s told, %.3f s by its cgroup (%+.1f %%)'
              % (name, told, truth, 100 * (told / truth - 1)))  # fmt: skip
        assert told == pytest.approx(truth, rel=0.10)


def carried(
    seen: Seen, figure: Callable[[Dict[str, Any]], str]
) -> Tuple[float, float]:
    """Return the bytes that OSD hosts tell, and two of each written one.

    `figure` names the column of a host. Each interval counts from one
    write of the files that its exporter reads to another, and so does
    what the client wrote.
    """
    told = wanted = 0.0
    for trial, series in zip(seen.trials, seen.series):
        edges = []
        low, high = window(trial)
        for name in osd_hosts(trial):
            column = figure(trial['evidence']['hosts'][name])
            inside = [
                (start, end, rate)
                for start, end, rate in scrapes(
                    series['host.' + name], column
                )
                if start >= low and end <= high
            ]
            told += sum((e - s) * (rate or 0.0) for s, e, rate in inside)
            edges.append(
                (
                    seen.accounts.shown(name, inside[0][0]),
                    seen.accounts.shown(name, inside[-1][1]),
                )
            )
        start, end = (sum(e) / len(e) for e in zip(*edges))
        ops = loads.operations(series['client'], start, end)
        wanted += 2 * ops * SIZE
    return told, wanted


def test_networks_carry_what_the_client_wrote(seen: Seen) -> None:
    """Each byte reaches a primary and, from there, a replica."""
    for trial in seen.trials:
        for figures in osd_hosts(trial).values():
            assert figures['nics']['eth0']['rx_bytes_per_s'] > 0
            assert figures['nics']['eth0']['speed_bytes_per_s'] > 0
    told, wanted = carried(seen, lambda host: 'nic.eth0.rx_bytes_per_s')
    print('network: %.3f of 2 × what the client wrote' % (told / wanted))
    # one that is counted twice, or not at all, is far off; heads and
    # heartbeats are 3 %, and a busy machine moves the edges by some tenths
    assert 0.9 < told / wanted < 1.25


def test_disks_are_told_with_their_osds(seen: Seen) -> None:
    """Disks took at least what was written, and each names its OSD."""
    osds = set()
    for trial in seen.trials:
        for figures in osd_hosts(trial).values():
            (disk,) = figures['disks'].values()
            assert (disk['role'], len(disk['osds'])) == ('data', 1)
            osds.update(disk['osds'])
            assert 0 < disk['util'] <= 1
            assert disk['await'] > 0
    assert osds == {0, 1, 2, 3}

    def figure(host: Dict[str, Any]) -> str:
        return 'disk.%s.write_bytes_per_s' % next(iter(host['disks']))

    told, wanted = carried(seen, figure)
    print('disks: %.3f of 2 × what the client wrote' % (told / wanted))
    assert 0.9 < told / wanted < 4


def test_hosts_are_shown_side_by_side(
    cluster: LiveCluster, seen: Seen
) -> None:
    """The same in a table and as data; doctor knows the exporters."""
    run = seen.run
    text = cluster.ceph('perfcompare', 'show', run, '--hosts', fmt='')
    for name in ('x86-1', 'alt-2', 'client', 'loop', 'group alt'):
        assert name in text
    data = cluster.ceph('perfcompare', 'show', run, '--hosts')
    assert len(data['rows']) == 6 and notes_of(cluster, run) == []
    exporters = cluster.ceph('perfcompare', 'exporter', 'ls')['exporters']
    assert all(e['reachable'] for e in exporters) and len(exporters) == 5
    assert '5 of 5 hosts' in cluster.ceph('perfcompare', 'doctor', fmt='')
    exported = runs.export(cluster, run)
    assert 'host.x86-1' in exported


@pytest.mark.slow
def test_exporters_behind_tls_and_a_password_are_read(
    cluster: LiveCluster,
) -> None:
    """Real exporters that refuse everyone without CA and password."""
    with secured.secured_exporters(cluster) as template:
        with options(cluster, node_exporter_url=template):
            cluster.ceph('perfcompare', 'exporter', 'set', '-i', '-',
                         fmt='', stdin=secured.access(cluster))  # fmt: skip
            run = runs.start(cluster, ['x86'], *SHORT)
            runs.ended(cluster, run)
            cluster.ceph('perfcompare', 'exporter', 'rm', fmt='')
    assert notes_of(cluster, run) == []
    for trial in runs.trials(cluster, run, 'ok'):
        hosts = trial['evidence']['hosts']
        assert {'x86-1', 'x86-2'} < set(hosts) and len(hosts) == 3
        for figures in hosts.values():
            assert figures['source'].startswith('https://')
            assert figures['cpu_busy'] is not None


@pytest.mark.slow
@pytest.mark.skipif(
    secured.PROMETHEUS is None,
    reason='needs Prometheus (PERFCOMPARE_PROMETHEUS names the program)',
)
def test_a_prometheus_server_tells_what_the_cgroups_tell(
    cluster: LiveCluster,
) -> None:
    """No exporter is read; the server, behind TLS, has all samples."""
    with secured.prometheus(cluster) as url:
        values = {'prometheus_url': url, 'host_metrics': 'prometheus'}
        with options(cluster, **values):
            text = secured.access(cluster, 'prometheus_')
            cluster.ceph('perfcompare', 'exporter', 'set', '-i', '-',
                         fmt='', stdin=text)  # fmt: skip
            seen = observe(cluster)
            cluster.ceph('perfcompare', 'exporter', 'rm', fmt='')
    for trial in seen.trials:
        hosts = trial['evidence']['hosts']
        assert set(osd_hosts(trial)) == set(OSD_HOSTS[trial['group']])
        assert len(hosts) == 3
        assert {figures['source'] for figures in hosts.values()} == {url}
        assert all(f['covered'] > 0.7 for f in hosts.values())
    hold_against_account(seen)


@contextlib.contextmanager
def options(cluster: LiveCluster, **values: str) -> Iterator[None]:
    """Set options of the module; then have the Manager begin without.

    It keeps what it was told of an option of a module until it begins anew.
    """
    try:
        for name, value in values.items():
            cluster.ceph('config', 'set', 'mgr', 'mgr/perfcompare/' + name,
                         value, fmt='')  # fmt: skip
        yield
    finally:
        for name in values:
            cluster.ceph('config', 'rm', 'mgr', 'mgr/perfcompare/' + name,
                         fmt='')  # fmt: skip
        cluster.mgr_fail()
        wait_answers(cluster)


def test_an_exporter_that_is_gone_is_a_gap_and_one_note(
    cluster: LiveCluster, seen: Seen
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
    run = runs.start(cluster, ['alt'], *SHORT)
    found = runs.ended(cluster, run)
    assert (found['state'], found['reason']) == ('completed', '')
    (note,) = notes_of(cluster, run)
    assert note == 'hosts: not available of alt-2 (Connection refused)'
    for trial in runs.trials(cluster, run, 'ok'):
        assert sorted(osd_hosts(trial)) == ['alt-1']

    wait_for(lambda: not processes.of_runs(cluster), 10, 'no worker is left')
