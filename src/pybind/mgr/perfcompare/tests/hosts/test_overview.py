"""Hosts side by side: medians over trials, the worst device of each."""

import dataclasses

import pytest

from perfcompare.common.codec import to_data
from perfcompare.hosts.access import ShownAccess
from perfcompare.hosts.exporters import (
    ExporterList,
    FoundExporter,
    FurtherExporter,
)
from perfcompare.hosts.overview import nic_share, overview
from perfcompare.model.trial import TrialState
from perfcompare.report import hosts as report

from ..data.run_data import make_run, make_trial


def figures(busy, role='osd', **values):
    return {
        'role': role,
        'roles': [role],
        'cores': 8,
        'cpu_busy': busy,
        'cpu_iowait': 0.02,
        'mem_total': 64e9,
        'mem_available': 48e9,
        'psi_cpu': 0.1,
        'psi_io': 0.2,
        'watts': None,
        'disks': {
            'sda': {'util': busy / 2, 'await': 0.004, 'queue': 1.0},
            'sdb': {'util': busy, 'await': 0.006, 'queue': 2.0},
        },
        'nics': {
            'mgmt': {'rx_bytes_per_s': 5e8, 'speed_bytes_per_s': None},
            'eth0': {
                'rx_bytes_per_s': 1e8,
                'tx_bytes_per_s': 3e8,
                'speed_bytes_per_s': 1.25e9,
            },
        },
        **values,
    }


@pytest.fixture
def run():
    return make_run()


def trial(run, group, hosts, **values):
    workload = run.plan.profile.workloads[0].name
    base = make_trial(run.id, workload=workload, group=group)
    return dataclasses.replace(
        base, evidence={'hosts': hosts, **values.pop('more', {})}, **values
    )


def test_of_a_trial_that_was_not_covered_only_what_the_host_is_is_known(run):
    group = run.plan.groups[0].name
    bare = {'role': 'osd', 'roles': ['osd'], 'samples': 0, 'cores': 8}
    some, none = figures(0.4, watts=90.0, watts_source='rapl'), dict(bare)
    trials = [
        trial(run, group, {'h1': some, 'h2': none}, round=1),
        trial(run, group, {'h1': none, 'h2': none}, round=2),
    ]
    found = overview(run, trials)
    first, second = found.rows
    assert (first.trials, first.cpu_busy, first.cores) == (1, 0.4, 8)
    assert (first.watts, first.watts_source) == (90.0, 'rapl')
    assert (second.trials, second.cpu_busy, second.cores) == (0, None, 8)
    assert not [n for n in found.notes if 'network interface' in n]


def test_medians_over_the_trials_that_count(run):
    group = run.plan.groups[0].name
    trials = [
        trial(run, group, {'h1': figures(busy)}, round=number)
        for number, busy in ((1, 0.2), (2, 0.9), (3, 0.4))
    ]
    trials.append(trial(run, group, {'h1': figures(1.0)}, round=0))
    trials.append(
        trial(run, group, {'h1': figures(1.0)}, round=4,
              state=TrialState.VOID)
    )  # fmt: skip
    (row,) = overview(run, trials).rows
    assert (row.cpu_busy, row.trials) == (0.4, 3)
    assert row.memory_used == pytest.approx(0.25)
    assert (row.disk, row.disk_util, row.disk_await) == ('sdb', 0.4, 0.006)
    assert (row.nic, row.nic_share) == ('eth0', pytest.approx(0.24))
    assert row.watts is None


@pytest.mark.parametrize(
    'sources, told',
    [
        (('ipmi', 'rapl', 'ipmi', 'rapl', 'rapl'), ('rapl', 40.0)),
        (('rapl', 'ipmi', 'ipmi', 'rapl'), ('rapl', 25.0)),
        (('ipmi', None, 'ipmi', 'rapl', None), ('ipmi', 20.0)),
    ],
)
def test_power_is_of_one_source_that_most_trials_have(run, sources, told):
    group = run.plan.groups[0].name
    trials = [
        trial(
            run,
            group,
            {
                'h1': figures(
                    0.4,
                    watts=source and 10.0 * number,
                    watts_source=source or '',
                )
            },
            round=number,
        )
        for number, source in enumerate(sources, 1)
    ]
    (row,) = overview(run, trials).rows
    assert (row.watts_source, row.watts) == told


def test_hosts_stand_by_group_and_the_client_comes_last(run):
    first, second = (g.name for g in run.plan.groups[:2])
    client = figures(0.1, 'client', disks={}, nics={})
    trials = [
        trial(run, second, {'b1': figures(0.2), 'a-client': client}),
        trial(run, first, {'a1': figures(0.2), 'a-client': client}),
    ]
    found = overview(run, trials)
    assert [(r.group, r.host) for r in found.rows] == [
        (first, 'a1'),
        (first, 'a-client'),
        (second, 'b1'),
        (second, 'a-client'),
    ]
    text = report.render(found)
    assert f'group {second}' in text and '24.0%' in text
    assert max(map(len, text.splitlines())) <= 120
    assert to_data(found)['rows'][0]['host'] == 'a1'


def test_heat_and_power_stand_where_they_are_there(run):
    group = run.plan.groups[0].name
    hot = figures(
        0.2, temperature=92.4, throttled=2.0, watts=310.2, watts_source='ipmi',
        cpu_steal=0.12, swap_in_bytes_per_s=3e6, psi_memory=0.31,
    )  # fmt: skip
    found = overview(
        run, [trial(run, group, {'hot': hot, 'mute': figures(0.2)})]
    )
    by_host = {r.host: r for r in found.rows}
    assert (by_host['hot'].temperature, by_host['hot'].throttled) == (92.4, 2)
    assert by_host['mute'].throttled is None
    lines = report.render(found).splitlines()
    first, second = [text for text in lines if text.startswith('hot')]
    assert '31.0%' in first
    assert second.split()[5:] == [
        '12.0%', '3.00', 'MB/s', '310', 'W', 'ipmi', '92', 'C', '2.0', '/s',
    ]  # fmt: skip
    second = [text for text in lines if text.startswith('mute')][1]
    assert second.split()[1:] == ['-'] * 10
    assert lines[-1] == '-  not available'


def test_a_link_of_no_known_speed_has_no_share():
    assert nic_share({'rx_bytes_per_s': 1.0}) is None
    assert nic_share({'speed_bytes_per_s': 1.0}) is None


def test_notes_of_all_trials_are_said_once(run):
    group = run.plan.groups[0].name
    notes = {'notes': ['hosts: not available (x)', 'another']}
    trials = [
        trial(run, group, {}, more=notes, round=number) for number in (1, 2)
    ]
    found = overview(run, trials)
    assert found.notes == ('hosts: not available (x)',)
    text = report.render(found)
    assert 'not available' in text and 'another' not in text


def test_hosts_without_a_network_interface_are_named(run):
    group = run.plan.groups[0].name
    silent = {f'h{number}': figures(0.2, nics={}) for number in range(7)}
    found = overview(run, [trial(run, group, {**silent, 'b1': figures(0.2)})])
    assert found.notes == (
        'hosts: no network interface but loopback and virtual ones was told '
        'of by h0, h1, h2, h3, h4 and 2 more',
    )
    assert overview(run, [trial(run, group, {'b1': figures(1)})]).notes == ()


def test_exporters_are_listed_without_secrets():
    found = ExporterList(
        'exporters',
        'http://10.0.0.5:9095',
        ShownAccess(True, True, False),
        (
            FoundExporter('h1', ('osd',), 'https://h1/', 'option', None),
            FoundExporter(
                'h2', ('osd', 'client'), 'https://1.2.3.4/', 'OSD address',
                False, 'Connection refused',
            ),
        ),
    )  # fmt: skip
    text = report.exporters(found)
    assert 'not checked' in text and 'Connection refused' in text
    assert 'osd+client' in text


def listed(source='exporters', url='', origin='option', **values):
    one = FoundExporter('h1', ('osd',), 'http://h1/', origin, None, **values)
    access = ShownAccess(False, False, False)
    return report.exporters(ExporterList(source, url, access, (one,)))


def test_a_second_exporter_is_listed_beside_the_first():
    away = FurtherExporter('http://h1:9290/', False, 'Connection refused')
    line = listed(more=(away,)).split('\n')[-1]
    words = line.split()
    assert words[:4] == ['h1', 'osd', 'http://h1:9290/', 'option']
    assert line.endswith('Connection refused')


def test_the_list_says_what_a_prometheus_server_will_change():
    server = 'http://10.0.0.5:9095'
    text = listed(url=server)
    assert 'its targets replace' in text
    assert all(len(line) <= 80 for line in text.split('\n'))
    assert 'No exporter is read' in listed('prometheus', server)
    assert 'prometheus_url' not in listed('prometheus', server)
    without = listed('prometheus')
    assert 'No exporter is read' in without
    assert 'prometheus_url is not set' in without
    for told in (
        listed(url=server, origin='orchestrator'),
        listed('off', server),
        listed(),
    ):
        assert 'replace' not in told and 'No exporter' not in told
