import dataclasses
import json
import math
import random
import re
from array import array

import pytest

from ...analysis.evidence import Limits
from ...analysis.findings import outliers as outliers_module
from ...analysis.findings.evaluate import evaluate
from ...analysis.findings.facts import facts_of
from ...analysis.findings.figures import FIGURES
from ...analysis.findings.sources import SOURCES
from ...analysis.findings.table import (
    OUTLIER_SOURCES,
    OUTLIERS,
    RULES,
    VERSION,
    Limit,
)
from ...model.series import Table, column
from ..data.findings_data import (
    a_host,
    an_osd,
    make_trial,
    on_disks,
    on_hosts,
    on_osds,
)


def no_db(trial):
    """Keep all metadata on the data drives."""
    for host in trial.evidence['hosts'].values():
        host['disks'].pop('nvme0n1')
    return trial


# rule -> a trial for which it holds, and alone
HELD = {
    'client-thread': lambda: make_trial({'client_thread_cores': 0.97}),
    'client-cpu': lambda: make_trial({'host_busy': 0.93}),
    'client-quota': lambda: make_trial(client={'throttled': 0.9}),
    'gateway-acks': lambda: make_trial(
        client={'nagle': {'trap': True, 'get': 0.044, 'head': 0.001}}
    ),
    'client-network': lambda: make_trial(client={'nic': {'share': 0.95}}),
    'tenants': lambda: make_trial(tenants={'ops_per_s': 900.0}),
    'network-link': lambda: on_hosts(
        make_trial(),
        nics={
            'eth0': {
                'rx_bytes_per_s': 1.2e9,
                'tx_bytes_per_s': 2e8,
                'speed_bytes_per_s': 1.25e9,
            }
        },
    ),
    'memory-swap': lambda: on_hosts(make_trial(), swap_in_bytes_per_s=4e6),
    'memory-available': lambda: on_hosts(make_trial(), mem_available=1e9),
    'memory-pressure': lambda: on_hosts(make_trial(), psi_memory=0.3),
    'memory-target': lambda: on_osds(make_trial(), mem_mapped=6e9),
    'cpu-busy': lambda: on_hosts(make_trial(), cpu_busy=0.97),
    'cpu-quota': lambda: on_hosts(make_trial(), psi_cpu=0.95),
    'cpu-steal': lambda: on_hosts(make_trial(), cpu_steal=0.3),
    'cpu-throttled': lambda: on_hosts(make_trial(), throttled=20.0),
    'db-busy': lambda: on_disks(make_trial(), 'nvme0n1', util=0.99),
    'db-await': lambda: on_disks(make_trial(), 'nvme0n1', **{'await': 0.08}),
    'db-commit': lambda: on_osds(make_trial(), kv_commit_lat=0.06),
    'disk-busy': lambda: on_disks(make_trial(), 'sda', util=0.99),
    'disk-await': lambda: on_disks(make_trial(), 'sda', **{'await': 0.08}),
    'disk-write': lambda: on_osds(make_trial(), aio_wait_lat=0.2),
    'disk-read': lambda: on_osds(make_trial(), read_aio_lat=0.05),
    'disk-commit': lambda: on_osds(no_db(make_trial()), kv_commit_lat=0.06),
    'disk-commit-any': lambda: on_osds(
        make_trial(hosts={}), kv_commit_lat=0.06
    ),
    'qos-capacity': lambda: on_osds(
        make_trial(),
        op_w=7e5,
        op_w_process_latency=0.001,
        op_r=0.0,
    ),
    'osd-throttle': lambda: on_osds(make_trial(), throttle_lat=0.002),
    'osd-queue': lambda: on_osds(
        make_trial(), op_w_process_latency=0.001, op_r_process_latency=0.0002
    ),
}


def ids(found):
    return [item['id'] for item in found['items']]


@pytest.mark.parametrize('rule', RULES, ids=lambda rule: rule.id)
def test_each_rule_finds_its_limit_and_names_the_evidence(rule):
    found = evaluate(HELD[rule.id]())
    assert found['limit'] == rule.limit.value
    assert rule.id == ids(found)[0]
    item = found['items'][0]
    assert item['metric'] == rule.figure
    assert item['threshold'] == rule.threshold
    assert (item['value'] >= rule.threshold) is rule.above
    assert rule.direction == item['direction']
    names = [source.name for source in SOURCES.values()]
    assert item['sources']
    assert all(source['name'] in names for source in item['sources'])
    json.dumps(found, allow_nan=False)


@pytest.mark.parametrize('rule', RULES, ids=lambda rule: rule.id)
def test_a_rule_without_evidence_neither_holds_nor_fails(rule):
    bare = make_trial(client={}, osds={}, hosts={}, tenants={})
    bare = dataclasses.replace(bare, summary=None)
    assert FIGURES[rule.figure](facts_of(bare)) in ([], tenants_before(bare))


def tenants_before(trial):
    return FIGURES['tenants.ops_per_s'](facts_of(trial))


def test_ids_are_unique_and_sources_exist():
    every = [rule.id for rule in RULES]
    assert len(set(every)) == len(every)
    assert set(HELD) == set(every)
    assert {rule.figure for rule in RULES} <= set(FIGURES)
    assert set(OUTLIER_SOURCES) <= set(SOURCES)
    for source in SOURCES.values():
        assert not source.url or re.match('https://', source.url)
        assert source.url or source.name.startswith('study ')


def test_rules_stand_in_the_order_of_precedence():
    order = [rule.limit for rule in RULES]
    assert order == sorted(order, key=list(Limit).index)


def queued(**figures):
    """Return a trial whose writes wait in the OSDs' queues."""
    waits = {'op_w_process_latency': 0.001, 'op_r': 0.0}
    return on_osds(make_trial(), **{**waits, **figures})


def set_on_osds(trial, **settings):
    trial.manifest['settings'].update(settings)
    return trial


@pytest.mark.parametrize('lim', ['0.000000', ''])
def test_a_profile_that_limits_no_client_is_never_the_limit(lim):
    """As all built-in ones: clients are only given their share."""
    trial = queued(op_w=7e5)
    set_on_osds(trial, osd_mclock_scheduler_client_lim=lim)
    found = evaluate(trial)
    assert found['limit'] == 'OSD queue'
    assert ('QoS' in found['unknown']) is (not lim)


def test_a_limit_is_a_share_of_the_capacity():
    trial = queued(op_w=0.5 * 7e5)
    assert 'qos-capacity' not in ids(evaluate(trial))
    set_on_osds(trial, osd_mclock_scheduler_client_lim='0.5')
    assert evaluate(trial)['limit'] == 'QoS'


def test_of_several_shards_one_is_at_its_limit_before_the_osd_is():
    trial = queued(op_w=0.5 * 7e5)
    set_on_osds(trial, osd_op_num_shards_ssd='8')
    assert evaluate(trial)['limit'] == 'QoS'
    trial = queued(op_w=0.3 * 7e5)
    set_on_osds(trial, osd_op_num_shards_ssd='8')
    assert 'qos-capacity' not in ids(evaluate(trial))


def test_large_writes_cost_their_bytes():
    """1200 MiB/s in 1 MiB writes are 1200 a second, not 21500."""
    trial = queued(op_w=1200 * 30.0, op_in_bytes=1200 * 30.0 * 2**20)
    found = evaluate(trial)
    assert found['limit'] == 'QoS'
    assert found['items'][0]['value'] == pytest.approx(1.0, rel=0.01)


def test_replicas_pass_by_the_queue():
    trial = queued(op_w=0.4 * 7e5, subop_w=7e5)
    assert 'qos-capacity' not in ids(evaluate(trial))


def test_four_real_osds_that_were_held_to_60_operations_a_second():
    """Eight operations in flight on all: none ran at its limit always."""
    trial = set_on_osds(
        make_trial(),
        osd_mclock_max_capacity_iops_hdd='60.000000',
        osd_mclock_max_sequential_bandwidth_hdd='157286400',
        osd_mclock_scheduler_client_lim='1.000000',
        osd_op_num_shards_hdd='1',
    )
    trial.manifest['rotational'] = [True]
    for osd, (ops, latency, inside, seconds) in {
        '0': (212.0, 0.02029828, 0.003250254, 4.416),
        '1': (237.0, 0.04742544, 0.003067902, 4.411412),
        '2': (213.0, 0.02727351, 0.003318958, 4.412455),
        '3': (244.0, 0.05510797, 0.003068585, 4.413743),
    }.items():
        trial.evidence['osds'][osd] = an_osd(
            op_w=ops,
            op_r=0.0,
            op_w_latency=latency,
            op_w_process_latency=inside,
            op_in_bytes=4096.0 * ops,
            seconds=seconds,
        )
    found = evaluate(trial)
    assert found['limit'] == 'QoS'
    assert found['items'][0]['places'] == [4, 4]
    assert found['items'][0]['value'] == pytest.approx(0.85, abs=0.01)


def test_what_runs_past_the_capacity_is_not_held_by_it():
    """Three times what mClock lets through: the queue is not its doing."""
    trial = on_osds(make_trial(), op_w=2e6, op_w_process_latency=0.001)
    found = evaluate(trial)
    assert found['limit'] == 'OSD queue'
    assert 'qos-capacity' not in ids(found)


def nic(share, speed):
    return {
        'rx_bytes_per_s': share * speed,
        'tx_bytes_per_s': 0.1 * share * speed,
        'speed_bytes_per_s': speed,
    }


def test_interfaces_that_are_idle_make_no_host_less_limited():
    full, idle = nic(0.986, 3.125e9), nic(0.01, 3.125e9)
    nics = {'ens1f0': full, 'ens1f1': idle, 'eno1': nic(0.01, 1.25e8)}
    found = evaluate(on_hosts(make_trial(), nics=nics))
    assert found['limit'] == 'network'
    (item,) = found['items']
    assert item['places'] == [2, 2]
    assert '(ens1f0 of x86-1, ens1f0 of x86-2)' in item['text']
    assert item['series'][0] == 'host.x86-1 nic.ens1f0.rx_bytes_per_s'


def test_a_trial_at_ease_has_no_limit():
    found = evaluate(make_trial())
    assert found['limit'] == 'none found'
    assert not found['items'] and not found['outliers']
    assert not found['unknown']
    assert found['version'] == VERSION


def test_ten_noisy_clean_trials_have_no_finding():
    for seed in range(10):
        rng = random.Random(seed)
        trial = make_trial()
        for osd in trial.evidence['osds'].values():
            for name in osd:
                if name.endswith(('_lat', '_latency')):
                    osd[name] *= math.exp(rng.gauss(0.0, 0.25))
        found = evaluate(trial)
        assert found['limit'] == 'none found', found['items']
        assert found['outliers'] == []


def test_without_exporters_no_limit_can_be_excluded():
    trial = make_trial()
    trial.evidence.pop('hosts')
    found = evaluate(trial)
    assert found['limit'] == 'not available'
    assert 'CPU' in found['unknown'] and 'network' in found['unknown']
    # but what the OSDs themselves say is heard
    found = evaluate(on_osds(trial, aio_wait_lat=0.3, kv_commit_lat=0.1))
    assert found['limit'] == 'disk'
    assert ids(found) == ['disk-write', 'disk-commit-any']


def test_hosts_that_did_other_work_between_are_no_evidence():
    # a burst of deletes, and the writes of what the next one takes
    busy = on_hosts(make_trial(client={'between': 20.0}), cpu_busy=0.99)
    found = evaluate(busy)
    assert found['limit'] == 'not available'
    assert {'CPU', 'disk', 'memory'} <= set(found['unknown'])
    # the client was measured while it deleted only
    full = {'between': 20.0, 'nic': {'share': 0.95}}
    assert evaluate(make_trial(client=full))['limit'] == 'client'
    assert evaluate(make_trial(client={'between': 0.0}))['limit'] == (
        'none found'
    )


def test_without_any_evidence_nothing_is_claimed():
    trial = dataclasses.replace(make_trial(), evidence={}, summary=None)
    found = evaluate(trial)
    assert found['limit'] == 'not available'
    assert found['outliers'] == [] and found['imbalance'] == {}


@pytest.mark.parametrize(
    'evidence',
    [
        {'osds': None},
        {'osds': {'0': None, '1': None}},
        {'hosts': {'x86-1': None}},
        {'hosts': {'x86-1': {'role': 'osd', 'disks': None, 'nics': 3}}},
        {'hosts': 'gone'},
        {'client': None},
        {'tenants': None},
        {'osds': {'0': an_osd(aio_wait_lat=float('nan'))}},
        {'osds': {'0': an_osd(aio_wait_lat='slow')}},
    ],
)
def test_odd_evidence_is_left_out(evidence):
    found = evaluate(make_trial(**evidence))
    left = dict.fromkeys(evidence, {})
    if isinstance((evidence.get('osds') or {}).get('0'), dict):
        left = {'osds': {'0': an_osd()}}
        del left['osds']['0']['aio_wait_lat']
    assert found == evaluate(make_trial(**left))


def test_other_hosts_do_not_count():
    trial = make_trial()
    trial.evidence['hosts']['y'] = a_host('x86-1', cpu_busy=1.0)
    trial.evidence['hosts']['c1'] = a_host(
        'x86-1', cpu_busy=1.0, role='client'
    )
    assert evaluate(trial)['limit'] == 'none found'


def test_one_host_of_two_is_the_limit_and_one_of_four_is_not():
    assert (
        evaluate(on_hosts(make_trial(), ['x86-1'], cpu_busy=0.99))['limit']
        == 'CPU'
    )
    four = make_trial(
        manifest={'hosts': ['x86-1', 'x86-2', 'x86-3', 'x86-4']},
        hosts={f'x86-{n}': a_host('x86-1') for n in range(1, 5)},
    )
    assert (
        evaluate(on_hosts(four, ['x86-4'], cpu_busy=0.99))['limit']
        == 'none found'
    )


def test_waiting_for_a_cpu_on_a_busy_host_is_no_quota():
    trial = on_hosts(make_trial(), psi_cpu=0.9, cpu_busy=0.7)
    assert evaluate(trial)['limit'] == 'none found'


def test_the_client_comes_before_what_it_hides():
    trial = on_hosts(make_trial({'client_thread_cores': 0.99}), cpu_busy=0.99)
    found = evaluate(trial)
    assert found['limit'] == 'client'
    assert ids(found) == ['client-thread', 'cpu-busy']


def test_beside_osds_the_clients_own_share_counts():
    near = {'client_local_osds': [0, 1, 2, 3]}
    busy = {'host_busy': 0.99, 'client_cores': 0.8, 'host_cores': 8}
    assert evaluate(make_trial(busy, near))['limit'] == 'none found'
    busy['client_cores'] = 7.5
    assert evaluate(make_trial(busy, near))['limit'] == 'client'


def test_of_several_load_hosts_those_without_osds_count_by_all_they_did():
    near = {'client_local_osds': [0], 'client_local_hosts': ['a']}
    beside = {'host': 'a', 'busy': 0.99, 'cores': 0.8, 'host_cores': 8}
    other = {'host': 'b', 'busy': 0.3, 'cores': 2.0, 'host_cores': 8}
    busiest = {'host_busy': 0.99, 'client_cores': 0.8, 'host_cores': 8}

    def limit(*hosts):
        client = {'throttled': 0.0, 'nic': {'share': 0.2}, 'hosts': [*hosts]}
        return evaluate(make_trial(busiest, near, client=client))['limit']

    assert limit(beside, other) == 'none found'
    assert limit(beside, {**other, 'busy': 0.95}) == 'client'
    assert limit({**beside, 'cores': 7.5}, other) == 'client'


def test_the_limit_of_other_tenants_is_an_option():
    trial = make_trial(tenants={'ops_per_s': 80.0})
    assert evaluate(trial)['limit'] == 'tenants'
    relaxed = Limits(tenant_ops_per_s=100.0)
    assert evaluate(trial, None, relaxed)['limit'] == 'none found'


def test_an_await_without_a_queue_is_no_limit():
    trial = on_disks(make_trial(), 'sda', queue=0.2, **{'await': 0.5})
    assert evaluate(trial)['limit'] == 'none found'


def test_loopback_and_links_without_speed_are_no_evidence():
    nics = {
        'lo': {'rx_bytes_per_s': 9e9, 'speed_bytes_per_s': 1.0},
        'veth0': {'rx_bytes_per_s': 9e9},
    }
    found = evaluate(on_hosts(make_trial(), nics=nics))
    assert found['limit'] == 'none found'
    assert 'network' in found['unknown']


def table(name, values, start=1000.0):
    t = array('d', [5.0 * (i + 1) for i in range(len(values))])
    return Table(start, t, (column(name, '', values),))


def test_the_share_of_the_window_comes_from_the_series():
    trial = on_hosts(make_trial(), cpu_busy=0.9)
    trial.evidence['client']['window'] = [[1005.0, 1025.0]]
    values = [0.1, 0.2, 0.95, 0.99, 0.99, 0.1]
    series = {
        f'host.{host}': table('cpu_busy', values)
        for host in ('x86-1', 'x86-2')
    }
    item = evaluate(trial, series)['items'][0]
    assert item['share'] == 0.75  # 3 of the 4 samples inside
    assert item['series'] == ['host.x86-1 cpu_busy', 'host.x86-2 cpu_busy']
    assert evaluate(trial)['items'][0]['share'] is None


def test_network_samples_are_held_against_the_link():
    trial = HELD['network-link']()
    trial.evidence['client']['window'] = [[1000.0, 1010.0]]
    series = {
        f'host.{host}': table('nic.eth0.rx_bytes_per_s', [1.2e9, 1e8])
        for host in ('x86-1', 'x86-2')
    }
    assert evaluate(trial, series)['items'][0]['share'] == 0.5


# outliers and imbalance


@pytest.mark.parametrize('rule', OUTLIERS, ids=lambda rule: rule.id)
def test_one_slow_osd_is_an_outlier_and_no_limit(rule):
    trial = on_osds(make_trial(), ['2'], **{rule.column: 0.018})
    found = evaluate(trial)
    assert found['limit'] == 'none found'
    [one] = found['outliers']
    assert (one['osd'], one['metric']) == ('2', rule.column)
    assert one['z'] > 3.5 and 'osd.2' in one['text']


def test_an_outlier_has_one_entry_by_what_stands_out_most():
    trial = on_osds(make_trial(), ['2'], commit_lat=0.02, aio_wait_lat=0.019)
    [one] = evaluate(trial)['outliers']
    assert one['metric'] == 'aio_wait_lat'


def test_of_two_osds_none_can_be_unlike_the_others():
    trial = make_trial(osds={'0': an_osd(), '1': an_osd(commit_lat=9.0)})
    assert evaluate(trial)['outliers'] == []


def test_idle_osds_have_no_mean_worth_comparing():
    trial = on_osds(make_trial(), ['1'], commit_lat=1.0, op_w=2, subop_w=3)
    assert evaluate(trial)['outliers'] == []


def test_a_mean_of_a_few_operations_is_no_evidence():
    trial = on_osds(make_trial(), aio_wait_lat=0.5, op_w=3, op_r=0, subop_w=4)
    trial.evidence.pop('hosts')
    found = evaluate(trial)
    assert found['limit'] == 'not available' and 'disk' in found['unknown']


def test_z_scores_have_a_floor():
    assert outliers_module.z_scores({}) == {}
    nearly = outliers_module.z_scores({'a': 1.0, 'b': 1.0, 'c': 1.2})
    assert nearly['c'] < 1.0
    far = outliers_module.z_scores({'a': 1.0, 'b': 1.1, 'c': 1.2, 'd': 9.0})
    assert far['d'] > 3.5 and abs(far['a']) < 1.0


def test_uneven_work_is_told():
    trial = on_osds(make_trial(), ['3'], op_w=90000.0)
    found = evaluate(trial)['imbalance']['osds']
    assert found['busiest'] == 'osd.3' and found['uneven']
    even = evaluate(make_trial())['imbalance']
    assert even['osds']['max_mean'] == even['hosts']['max_mean'] == 1.0


def test_osds_of_which_less_is_known_do_not_seem_to_do_less():
    """In groups above 256 OSDs, the others tell no writes of replicas."""
    light = an_osd()
    del light['subop_w']
    osds = {str(i): an_osd() if i < 4 else light for i in range(10)}
    found = evaluate(make_trial(osds=osds))['imbalance']['osds']
    assert (found['max_mean'], found['places']) == (1.0, [4, 10])
    osds = {str(i): light for i in range(10)}
    found = evaluate(make_trial(osds=osds))['imbalance']['osds']
    assert (found['max_mean'], found['places']) == (1.0, [10, 10])
