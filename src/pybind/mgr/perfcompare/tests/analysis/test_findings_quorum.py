"""A group is limited where half of all its places are; fewer are outliers."""

from ...analysis.findings.evaluate import evaluate
from ...analysis.findings.summary import limited
from ..data.findings_data import a_disk, a_host, an_osd, make_trial


def ids(found):
    return [item['id'] for item in found['items']]


def with_drives(role, *drives):
    """Return a trial of one host, with a drive for each OSD."""
    disks = {
        f'sd{osd}': a_disk([osd], role=role, **figures)
        for osd, figures in enumerate(drives)
    }
    return make_trial(
        manifest={'hosts': ['x86-1']},
        hosts={'x86-1': a_host('x86-1', disks=disks)},
        osds={str(osd): an_osd() for osd in range(len(drives))},
    )


QUIET = {'queue': 0.3, 'await': 0.004}
IDLE = {'queue': 0.0, 'await': None}
SLOW = {'queue': 2.0, 'await': 0.05}


def test_one_slow_drive_of_twelve_is_no_limit_of_the_group():
    for role in ('data', 'db'):
        found = evaluate(with_drives(role, SLOW, *[QUIET] * 9, IDLE, IDLE))
        assert (ids(found), found['limit']) == ([], 'none found')


def test_half_of_the_drives_are_held_against_all_of_them():
    found = evaluate(with_drives('data', *[SLOW] * 6, *[QUIET] * 5, IDLE))
    assert ids(found) == ['disk-await']
    assert found['items'][0]['places'] == [6, 12]


def with_hosts(*hosts, told=None):
    """Return a trial of a group of hosts of which the first ones told."""
    names = [f'x86-{i}' for i in range(1, len(hosts) + 1)]
    return make_trial(
        manifest={'hosts': names},
        hosts={
            name: a_host('x86-1', **figures)
            for name, figures in list(zip(names, hosts))[:told]
        },
    )


def test_one_idle_host_that_waits_is_no_quota_of_nine_busy_ones():
    busy = {'cpu_busy': 0.6, 'psi_cpu': 0.9}
    held = {'cpu_busy': 0.4, 'psi_cpu': 0.8}
    found = evaluate(with_hosts(held, *[busy] * 9))
    assert (ids(found), found['limit']) == ([], 'none found')
    found = evaluate(with_hosts(*[held] * 5, *[busy] * 5))
    assert ids(found) == ['cpu-quota']
    assert found['items'][0]['places'] == [5, 10]


BUSY = {'cpu_busy': 0.95}


def test_one_host_of_ten_that_answers_speaks_for_none_of_the_others():
    found = evaluate(with_hosts(*[BUSY] * 10, told=1))
    assert (ids(found), found['limit']) == ([], 'not available')
    assert 'CPU' in found['unknown']
    found = evaluate(with_hosts(*[{}] * 10, told=1))
    assert found['limit'] == 'not available'
    assert {'CPU', 'network'} <= set(found['unknown'])


def test_most_hosts_are_enough_where_the_others_cannot_change_it():
    found = evaluate(with_hosts(*[{}] * 10, told=6))
    assert (found['limit'], found['unknown']) == ('none found', [])
    found = evaluate(with_hosts(*[BUSY] * 10, told=6))
    assert found['limit'] == 'CPU'
    assert '(told by 6 of 10 hosts)' in found['items'][0]['text']
    assert limited([with_hosts(*[BUSY] * 10, told=6)]).text == (
        'CPU: the CPUs of the OSD hosts were busy (told by 6 of 10 hosts): '
        '95%'
    )


def test_a_host_whose_kernel_lacks_a_figure_is_heard_as_well():
    """Only x86 counts throttling: the others do not decide it."""
    warm, cool = {'throttled': 5.0}, {'throttled': 0.0}
    arm = {'throttled': None}
    found = evaluate(with_hosts(warm, cool, *[arm] * 2))
    assert found['items'][0]['limit'] == 'CPU'
    assert 'told by' not in found['items'][0]['text']
    found = evaluate(with_hosts(warm, *[cool] * 3, *[arm] * 6))
    assert (ids(found), found['limit']) == ([], 'none found')


def test_what_silent_hosts_would_decide_is_not_said():
    found = evaluate(with_hosts(BUSY, *[{}] * 9, told=6))
    assert (ids(found), found['limit']) == ([], 'not available')
    assert found['unknown'] == ['CPU']


def test_drives_of_few_hosts_are_no_drives_of_the_group():
    slow = {
        'disks': {
            'sda': a_disk((0, 1), util=0.99),
            'nvme0n1': a_disk((0, 1), role='db', util=0.99),
        }
    }
    found = evaluate(with_hosts(*[slow] * 10, told=4))
    assert (ids(found), found['limit']) == ([], 'not available')
    assert {'disk', 'metadata device'} <= set(found['unknown'])
    found = evaluate(with_hosts(*[slow] * 10, told=5))
    assert ids(found) == ['db-busy', 'disk-busy']
    assert '(told by 5 of 10 hosts)' in found['items'][0]['text']
