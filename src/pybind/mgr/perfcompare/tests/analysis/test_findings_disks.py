"""What a drive is to the OSDs of a group decides what limited them."""

from ...analysis.findings.evaluate import evaluate
from ...analysis.findings.facts import facts_of
from ...hosts import finding, tables
from ...model.topology import Osd
from ..data.findings_data import a_disk, a_host, an_osd, make_trial


def osd(ident, device_class='hdd', **devices):
    return Osd(ident, 'x86-1', device_class, True, True, 1.0, **devices)


def trial(osds, tested, figures):
    """Return a trial on ``tested``, with disks as a worker tells them."""
    place = finding.HostPlace(
        'x86-1',
        ('osd',),
        '10.0.0.1',
        'http://10.0.0.1:9100/metrics',
        'option',
        disks=finding.disks_of(osds),
    )
    host = {**a_host('x86-1'), 'disks': figures}
    return make_trial(
        manifest={'hosts': ['x86-1']},
        osds={str(o): an_osd() for o in tested},
        hosts={'x86-1': tables.evidence(host, place)},
    )


def busy(**figures):
    return {'util': 0.99, 'await': 0.03, 'queue': 60.0, **figures}


def quiet():
    return {'util': 0.4, 'await': 0.005, 'queue': 1.0}


def test_a_db_device_that_is_data_of_an_osd_of_others_is_none_of_ours():
    osds = [
        osd(i, data_devices=(f'sd{i}',), db_devices=('nvme0n1',))
        for i in range(12)
    ] + [osd(12, 'nvme', data_devices=('nvme0n1',))]
    figures = {f'sd{i}': quiet() for i in range(12)}
    figures['nvme0n1'] = busy()
    found = evaluate(trial(osds, range(12), figures))
    assert found['limit'] == 'metadata device'
    found = evaluate(trial(osds, [12], figures))
    assert found['limit'] == 'disk'


def test_disks_of_earlier_versions_have_one_role_for_all():
    host = a_host('x86-1', disks={'nvme0n1': a_disk([0, 9], **busy())})
    assert 'roles' not in host['disks']['nvme0n1']
    found = evaluate(
        make_trial(osds={'0': an_osd()}, hosts={'x86-1': host}),
    )
    assert found['limit'] == 'disk'


def alone(drives):
    """Return ten OSDs that each have ``drives``, and these, as told."""
    osds = [
        osd(i, data_devices=tuple(f'{name}{i}' for name in drives))
        for i in range(10)
    ]
    figures = {
        f'{name}{i}': dict(told)
        for name, told in drives.items()
        for i in range(10)
    }
    return osds, figures


def test_an_idle_path_to_a_drive_is_no_drive_that_has_room():
    idle = {'util': 0.0, 'queue': 0.0}
    osds, figures = alone({'sd': busy(), 'sx': idle})
    figures['sd9'].update(quiet())  # one of ten has room
    found = evaluate(trial(osds, range(10), figures))
    assert found['limit'] == 'disk'
    (item,) = [i for i in found['items'] if i['id'] == 'disk-busy']
    assert item['places'] == [9, 10]
    assert 'sx' not in item['text']


def test_of_two_drives_under_one_volume_the_busier_one_counts():
    osds, figures = alone({'sda': quiet(), 'sdb': busy(util=0.95)})
    item, *_ = evaluate(trial(osds, range(10), figures))['items']
    assert (item['id'], item['places']) == ('disk-busy', [10, 10])
    osds, figures = alone({'sda': quiet(), 'sdb': quiet()})
    assert evaluate(trial(osds, range(10), figures))['limit'] == 'none found'


def test_a_drive_that_is_shared_is_none_of_those_of_its_osds():
    osds = [
        osd(i, data_devices=(f'sd{i}',), db_devices=('nvme0n1',))
        for i in range(2)
    ]
    figures = {'sd0': quiet(), 'sd1': quiet(), 'nvme0n1': quiet()}
    seen = facts_of(trial(osds, range(2), figures)).disks()
    assert [name for _, name, _ in seen] == ['nvme0n1', 'sd0', 'sd1']


def commits(separate, slow=range(4)):
    """Return a trial without exporters whose metadata is so by plan."""
    osds = {
        str(i): an_osd(kv_commit_lat=0.06 if i in slow else 0.002)
        for i in range(4)
    }
    return make_trial(manifest={'separate_db': separate}, osds=osds, hosts={})


def test_without_exporters_slow_commits_are_of_the_device_that_has_them():
    found = evaluate(commits([True]))
    assert found['limit'] == 'metadata device'
    assert [i['id'] for i in found['items']] == ['db-commit']
    found = evaluate(commits([False]))
    assert [i['id'] for i in found['items']] == ['disk-commit']
    found = evaluate(commits([False, True]))
    assert [i['id'] for i in found['items']] == ['disk-commit-any']


def test_one_osd_with_a_db_device_gives_the_others_none():
    osds = [osd(0, data_devices=('sd0',), db_devices=('nvme0n1',))]
    osds += [osd(i, data_devices=(f'sd{i}',)) for i in range(1, 6)]
    figures = {f'sd{i}': quiet() for i in range(6)}
    figures['nvme0n1'] = quiet()
    mixed = trial(osds, range(6), figures)
    for slow, expected in (([0], []), (range(1, 6), ['disk-commit'])):
        for i in range(6):
            late = 0.06 if i in slow else 0.002
            mixed.evidence['osds'][str(i)]['kv_commit_lat'] = late
        assert [i['id'] for i in evaluate(mixed)['items']] == expected


def test_a_db_on_the_drive_of_the_data_is_not_separate():
    assert osd(0).separate_db is None
    assert osd(0, data_devices=('sda',)).separate_db is False
    same = osd(0, data_devices=('sda',), db_devices=('sda',))
    assert same.separate_db is False
    wal = osd(0, data_devices=('sda',), wal_devices=('nvme0n1',))
    assert wal.separate_db is True
