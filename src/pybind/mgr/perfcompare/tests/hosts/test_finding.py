"""Exporters are found by whoever knows best, and disks get their OSDs."""

import dataclasses
import time

import pytest

from perfcompare.ceph import osdmap as osdmap_data
from perfcompare.common.errors import InvalidArgument
from perfcompare.common.settings import Settings
from perfcompare.hosts.finding import (
    Disk,
    Machine,
    by_host,
    disks_of,
    expand,
    places,
)
from perfcompare.model.topology import Bucket, ExporterPlace, Osd, Topology

CLIENT = Machine('client-1', '10.0.0.9', 'client')


def osd(ident, host, address, **values):
    return Osd(
        id=ident,
        host=host,
        device_class='hdd',
        up=True,
        in_=True,
        crush_weight=1.0,
        hostname=f'{host}.example.com',
        addresses=(address,),
        **values,
    )


@pytest.fixture
def topology():
    osds = [
        osd(0, 'arm-1', '10.0.0.1', data_devices=('sda',),
            db_devices=('nvme0n1',)),
        osd(1, 'arm-1', '10.0.0.1', data_devices=('sdb',),
            db_devices=('nvme0n1',), wal_devices=('nvme1n1',)),
        osd(2, 'arm-2', 'fd00::2', data_devices=('sda', 'sdb')),
    ]  # fmt: skip
    buckets = {'arm-1': Bucket(-1, 'arm-1', 'host', (0, 1))}
    return Topology(1, {o.id: o for o in osds}, buckets, {})


def found(
    topology, hosts=('arm-1', 'arm-2'), machines=(), known=(), **options
):
    secure = options.pop('secure', False)
    result = places(
        topology, hosts, machines, known, Settings(**options), secure
    )
    return {p.host: p for p in result}


def test_without_any_word_the_address_of_its_osds_counts(topology):
    hosts = found(topology, node_exporter_port=9200)
    assert hosts['arm-1'].url == 'http://10.0.0.1:9200/metrics'
    assert hosts['arm-2'].url == 'http://[fd00::2]:9200/metrics'
    assert hosts['arm-1'].origin == 'OSD address'
    assert not hosts['arm-1'].settled


def test_the_template_counts_before_the_address(topology):
    hosts = found(
        topology, node_exporter_url='https://{host}.mon:9100/{addr}'
    )
    assert hosts['arm-1'].url == 'https://arm-1.mon:9100/10.0.0.1'
    assert hosts['arm-1'].origin == 'option'


def test_the_orchestrator_counts_before_the_template(topology):
    known = [
        ExporterPlace('arm-1.example.com', '192.168.0.1', 9101),
        ExporterPlace('other', 'fd00::2', 9100),
    ]
    hosts = found(
        topology, known=known, node_exporter_url='http://{addr}:1/m'
    )
    assert hosts['arm-1'].url == 'http://192.168.0.1:9101/metrics'
    assert hosts['arm-2'].url == 'http://[fd00::2]:9100/metrics'
    assert hosts['arm-1'].settled


def test_addresses_that_begin_alike_are_not_the_same_host(topology):
    known = [ExporterPlace('10.0.0.7', '10.0.0.7', 9100)]
    assert found(topology, known=known)['arm-1'].origin == 'OSD address'


def test_secrets_make_it_tls(topology):
    url = found(topology, secure=True)['arm-1'].url
    assert url == 'https://10.0.0.1:9100/metrics'


def test_the_client_is_a_host_as_well(topology):
    hosts = found(topology, machines=[CLIENT])
    assert hosts['client-1'].url == 'http://10.0.0.9:9100/metrics'
    assert hosts['client-1'].roles == ('client',)
    assert hosts['client-1'].origin == 'own address'


def test_a_client_on_an_osd_host_is_one_host_with_two_roles(topology):
    machine = Machine('arm-2.example.com', '10.0.0.9', 'client')
    hosts = found(topology, machines=[machine])
    assert set(hosts) == {'arm-1', 'arm-2'}
    assert hosts['arm-2'].roles == ('osd', 'client')


def test_a_client_on_a_host_of_another_group_keeps_its_crush_name(topology):
    machine = Machine('arm-2', '10.0.0.9', 'client')
    hosts = found(topology, hosts=('arm-1',), machines=[machine])
    assert hosts['arm-2'].roles == ('client',)
    assert hosts['arm-2'].url == 'http://[fd00::2]:9100/metrics'


def test_a_power_exporter_is_read_as_well(topology):
    hosts = found(topology, ipmi_exporter_url='http://{addr}:9290/metrics')
    assert hosts['arm-1'].more == ('http://10.0.0.1:9290/metrics',)


def test_disks_are_told_by_their_use(topology):
    assert disks_of(by_host(topology)['arm-1']) == {
        'sda': Disk({0: 'data'}),
        'sdb': Disk({1: 'data'}),
        'nvme0n1': Disk({0: 'db', 1: 'db'}),
        'nvme1n1': Disk({1: 'wal'}),
    }
    assert disks_of(by_host(topology)['arm-2'])['sdb'] == Disk({2: 'data'})


@pytest.mark.parametrize(
    'template',
    ['ftp://{addr}/', 'http://{ip}/', 'http://u:p@{addr}/', '{addr}:9100'],
)
def test_templates_that_make_no_url_are_refused(template):
    with pytest.raises(InvalidArgument, match='exporter URL'):
        expand(template, 'h', '10.0.0.1')


def test_what_the_orchestrator_says():
    daemons = [
        {'hostname': 'a', 'ip': '10.0.0.1', 'ports': [9100], 'status': 1},
        {'hostname': 'b', 'ports': [], 'status': 1},
        {'hostname': 'c', 'status': -1},
        {'hostname': 'd'},
    ]
    hosts = [{'hostname': 'b', 'addr': '10.0.0.2'}]
    assert osdmap_data.node_exporters(daemons, hosts) == [
        ExporterPlace('a', '10.0.0.1', 9100),
        ExporterPlace('b', '10.0.0.2', 9100),
        ExporterPlace('d', 'd', 9100),
    ]
    assert osdmap_data.node_exporters(None, None) == []


@pytest.mark.parametrize(
    'text, address',
    [
        ('10.0.0.1:6800/4711', '10.0.0.1'),
        ('[fd00::1]:6800/4711', 'fd00::1'),
        ('', ''),
        ('-', ''),
    ],
)
def test_the_address_of_the_active_mgr(text, address):
    assert osdmap_data.active_address({'active_addr': text}) == address


def test_devices_of_osds_come_from_their_metadata():
    facts = {
        'devices': 'nvme0n1,sdb',
        'bluestore_bdev_devices': 'sdb',
        'bluefs_db_devices': 'nvme0n1',
    }
    osd_map = {
        'epoch': 1,
        'osds': [{'osd': 0, 'up': 1, 'in': 1, 'addresses': ()}],
    }
    crush = {'buckets': [], 'devices': [], 'rules': []}
    seen = osdmap_data.topology(osd_map, crush, {'0': facts}, []).osds[0]
    assert seen.data_devices == ('sdb',)
    assert seen.db_devices == ('nvme0n1',)
    assert seen.wal_devices == ()
    facts = {'devices': 'vda'}
    seen = osdmap_data.topology(osd_map, crush, {'0': facts}, []).osds[0]
    assert dataclasses.replace(seen).data_devices == ('vda',)


def test_gateways_are_hosts_by_name_or_address(topology):
    machines = [
        Machine('10.0.0.1', '10.0.0.1', 'gateway'),
        Machine('10.0.0.77', '10.0.0.77', 'gateway'),
        Machine('arm-2', 'arm-2', 'gateway'),
    ]
    hosts = found(topology, hosts=('arm-1',), machines=machines)
    assert hosts['arm-1'].roles == ('osd', 'gateway')
    assert hosts['arm-2'].roles == ('gateway',)
    assert hosts['10.0.0.77'].url == 'http://10.0.0.77:9100/metrics'


def test_ten_thousand_osds_take_a_moment():
    osds = [
        osd(i, f'h{i // 20}', f'10.{i // 2000}.{i // 20 % 100}.1',
            data_devices=(f'sd{i % 20}',))
        for i in range(10000)
    ]  # fmt: skip
    large = Topology(1, {o.id: o for o in osds}, {}, {})
    known = [ExporterPlace(f'h{i}', f'1.2.3.{i}', 9100) for i in range(500)]
    names = [f'h{i}' for i in range(500)]
    began = time.process_time()
    hosts = found(large, hosts=names, known=known, machines=[CLIENT])
    assert len(hosts) == 501
    assert time.process_time() - began < 2.0


def two_sites():
    """Return hosts whose names are alike up to the first dot."""
    osds = [
        dataclasses.replace(
            osd(i, f'n1-{site}', f'10.{i}.0.1'), hostname=f'n1.{site}.x'
        )
        for i, site in enumerate(('dc1', 'dc2', 'dc3'))
    ]
    return Topology(1, {o.id: o for o in osds}, {}, {})


def test_hosts_of_two_sites_with_one_short_name_are_not_confused():
    known = [
        ExporterPlace('n1.dc1.x', '192.168.1.1', 9100),
        ExporterPlace('N1.dc2.x', '192.168.2.1', 9100),
    ]
    hosts = found(
        two_sites(), hosts=('n1-dc1', 'n1-dc2', 'n1-dc3'), known=known
    )
    assert [h.address for h in hosts.values()] == [
        '192.168.1.1',
        '192.168.2.1',
        '10.2.0.1',  # nobody knows that one
    ]


def test_a_short_name_of_several_hosts_is_none_of_them(topology):
    known = [
        ExporterPlace('arm-1.a', '192.168.1.1', 9100),
        ExporterPlace('arm-1.b', '192.168.2.1', 9100),
    ]
    plain = {
        ident: dataclasses.replace(one, hostname='arm-1')
        for ident, one in topology.osds.items()
        if one.host == 'arm-1'
    }
    short = dataclasses.replace(topology, osds=plain)
    assert found(short, ('arm-1',), known=known)['arm-1'].origin == (
        'OSD address'
    )
    one = found(short, ('arm-1',), known=known[1:])['arm-1']
    assert one.url == 'http://192.168.2.1:9100/metrics'


@pytest.mark.parametrize(
    'name, host',
    [
        ('n1.dc2.x', 'n1-dc2'),
        ('n1.dc4.x', 'n1.dc4.x'),
        ('n1', 'n1'),  # it may be any of three
    ],
)
def test_a_client_is_the_host_of_its_whole_name(name, host):
    machine = Machine(name, '10.9.0.1', 'client')
    hosts = found(two_sites(), hosts=(), machines=[machine])
    assert list(hosts) == [host]
