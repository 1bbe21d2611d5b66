"""Tests of what ceph-mgr's data become: ceph/osdmap.py and model/ownership.py.

The shapes are copied from a real 20.2.4 cluster.
"""

import pytest

from ...ceph import clients as clients_data
from ...ceph import osdmap as osdmap_data
from ...common.errors import NotPermitted
from ...model.ownership import check_own, looks_ours, run_of
from ...model.topology import Rule
from ...ports.faults import Upmap

CRUSH = {
    'types': [{'type_id': 0, 'name': 'osd'}, {'type_id': 3, 'name': 'cage'}],
    'devices': [
        {'id': 0, 'name': 'osd.0', 'class': 'x86'},
        {'id': 1, 'name': 'osd.1'},
    ],
    'buckets': [
        {
            'id': -1,
            'name': 'default',
            'type_name': 'root',
            'items': [{'id': -3, 'weight': 131072, 'pos': 0}],
        },
        {
            'id': -2,
            'name': 'default~x86',
            'type_name': 'root',
            'items': [{'id': -4, 'weight': 65536, 'pos': 0}],
        },
        {
            'id': -3,
            'name': 'x86-1',
            'type_name': 'host',
            'items': [
                {'id': 0, 'weight': 65536, 'pos': 0},
                {'id': 1, 'weight': 32768, 'pos': 1},
            ],
        },
        {
            'id': -4,
            'name': 'x86-1~x86',
            'type_name': 'host',
            'items': [{'id': 0, 'weight': 65536, 'pos': 0}],
        },
        {
            'id': -16,
            'name': 'perfcompare-0a1b2c3d-x86',
            'type_name': 'root',
            'items': [{'id': -3, 'weight': 98304, 'pos': 0}],
        },
    ],
    'rules': [
        {
            'rule_id': 1,
            'rule_name': 'only-x86',
            'type': 1,
            'steps': [
                {'op': 'take', 'item': -2, 'item_name': 'default~x86'},
                {'op': 'chooseleaf_firstn', 'num': 0, 'type': 'host'},
                {'op': 'emit'},
            ],
        },
        {
            'rule_id': 4,
            'rule_name': 'ec',
            'type': 3,
            'steps': [
                {'op': 'set_chooseleaf_tries', 'num': 5},
                {'op': 'set_choose_tries', 'num': 100},
                {'op': 'take', 'item': -1, 'item_name': 'default'},
                {'op': 'choose_indep', 'num': 0, 'type': 'osd'},
                {'op': 'emit'},
            ],
        },
    ],
}
OSD_MAP = {
    'epoch': 65,
    'osds': [
        {
            'osd': 0,
            'up': 1,
            'in': 1,
            'public_addrs': {
                'addrvec': [
                    {'type': 'v2', 'nonce': 37, 'addr': '127.0.1.1:6800'},
                    {'type': 'v1', 'nonce': 37, 'addr': '127.0.1.1:6801'},
                ]
            },
        },
        {
            'osd': 1,
            'up': 0,
            'in': 1,
            'primary_affinity': 0.25,
            'public_addrs': {'addrvec': [{'addr': '[fd00::7]:6800'}]},
        },
    ],
    'pools': [
        {
            'pool': 4,
            'pool_name': 'perfcompare.0a1b2c3d.x86.write',
            'flags_names': 'hashpspool,noscrub,nodeep-scrub',
            'size': 2,
            'min_size': 1,
            'crush_rule': 1,
            'pg_autoscale_mode': 'off',
            'pg_num': 64,
            'pg_num_target': 64,
            'pg_placement_num': 64,
            'pg_placement_num_target': 64,
            'erasure_code_profile': '',
            'application_metadata': {
                'perfcompare': {'run': '0a1b2c3d', 'group': 'x86'}
            },
        }
    ],
}
METADATA = {
    '0': {
        'hostname': 'node-1.example.com',
        'arch': 'x86_64',
        'cpu': 'Xeon',
        'mem_total_kb': '24684096',
        'bluestore_bdev_rotational': '1',
        'bluestore_bdev_type': 'hdd',
        'ceph_version_short': '20.2.4',
        'devices': 'vda',
    }
}
STATS = [{'osd': 0, 'statfs': {'total': 1000, 'available': 900}}]


@pytest.fixture
def topology():
    return osdmap_data.topology(
        osdmap_data.shortened(OSD_MAP), CRUSH, METADATA, STATS
    )


def test_osds_have_the_name_of_their_crush_host(topology):
    osd = topology.osds[0]
    assert (osd.host, osd.hostname) == ('x86-1', 'node-1.example.com')
    assert (osd.device_class, osd.crush_weight) == ('x86', 1.0)
    assert (osd.size_bytes, osd.used_bytes) == (1000, 100)
    assert osd.addresses == ('127.0.1.1',)
    assert osd.rotational is True and osd.mem_total_kb == 24684096


def test_an_osd_that_was_never_up_has_no_facts(topology):
    osd = topology.osds[1]
    assert (osd.up, osd.in_, osd.device_class) == (False, True, None)
    assert (osd.arch, osd.rotational, osd.size_bytes) == (None, None, 0)
    assert osd.addresses == ('fd00::7',)
    assert osd.crush_weight == 0.5
    assert osd.primary_affinity == 0.25


def test_shadow_buckets_are_left_out(topology):
    assert set(topology.buckets) == {
        'default',
        'x86-1',
        'perfcompare-0a1b2c3d-x86',
    }
    assert topology.types == {'osd': 0, 'cage': 3}
    assert topology.parents('x86-1') == [
        'default',
        'perfcompare-0a1b2c3d-x86',
    ]
    assert topology.osds_under('default') == [0, 1]


def bucket(ident, name, kind, *items):
    return {
        'id': ident,
        'name': name,
        'type_name': kind,
        'items': [{'id': item, 'weight': 65536} for item in items],
    }


def test_a_host_is_the_nearest_one_above_an_osd_at_any_depth():
    crush = {
        'devices': [],
        'buckets': [
            bucket(-2, 'flash', 'diskgroup', 0),
            bucket(-3, 'disks', 'diskgroup', 1),
            bucket(-4, 'node1', 'host', -2, -3),
            bucket(-5, 'rack1', 'rack', -4, 2),
            bucket(-1, 'default', 'root', -5, 3),
            bucket(-6, 'flash~ssd', 'diskgroup', 0),
        ],
        'rules': [],
    }
    osds = [
        {'osd': n, 'up': 1, 'in': 1, 'public_addrs': {}} for n in range(5)
    ]
    found = osdmap_data.topology(
        osdmap_data.shortened({'epoch': 1, 'osds': osds}), crush, {}, []
    ).osds
    hosts = [found[n].host for n in range(5)]
    assert hosts == ['node1', 'node1', '', '', '']
    weights = [found[n].crush_weight for n in range(5)]
    assert weights == [1.0, 1.0, 1.0, 1.0, 0.0]


def test_rules_name_root_class_and_failure_domain(topology):
    assert topology.rules == {
        'only-x86': Rule(1, 'only-x86', 'default', 'x86', 'host'),
        'ec': Rule(4, 'ec', 'default', None, 'osd'),
    }


def test_pools_with_and_without_statistics():
    stats = {'pools': [{'id': 4, 'stats': {'stored': 7, 'objects': 2}}]}
    (pool,) = osdmap_data.pools(OSD_MAP, stats)
    assert (pool.stored_bytes, pool.objects) == (7, 2)
    assert pool.application['perfcompare']['run'] == '0a1b2c3d'
    assert 'noscrub' in pool.flags
    (young,) = osdmap_data.pools(OSD_MAP, {})
    assert (young.stored_bytes, young.objects) == (0, 0)


def test_pg_ids_are_hexadecimal():
    assert osdmap_data.pgid(4, 26) == '4.1a'


def test_holes_of_erasure_coded_sets():
    hole = 0x7FFFFFFF
    found = osdmap_data.pg_mapping(3, {'up': [2, hole], 'acting': [2, 1]})
    assert (found.ps, found.up, found.acting) == (3, (2, -1), (2, 1))


def test_mon_state_names_the_quorum():
    status = {
        'election_epoch': 6,
        'quorum': [0, 2],
        'monmap': {
            'stretch_mode': False,
            'mons': [
                {'rank': r, 'name': n} for r, n in enumerate(('a', 'b', 'c'))
            ],
        },
    }
    found = osdmap_data.mon_state(status)
    assert found.quorum == ('a', 'c')
    assert found.monitors == ('a', 'b', 'c')


def test_mgr_state_says_who_could_take_over():
    mgr_map = {
        'active_name': 'x',
        'standbys': [
            {
                'name': 'y',
                'available_modules': [
                    {'name': 'perfcompare', 'can_run': True}
                ],
            },
            {
                'name': 'z',
                'available_modules': [
                    {'name': 'perfcompare', 'can_run': False}
                ],
            },
            {'name': 'old'},
        ],
    }
    metadata = {
        'x': {'ceph_version_short': '20.2.4', 'hostname': 'h1'},
        'y': {'ceph_version_short': '20.2.3'},
        'z': {},
    }
    found = osdmap_data.mgr_state(mgr_map, 'perfcompare', metadata)
    assert found.standby_has_module == {'y': True, 'z': False, 'old': False}
    assert found.versions == {'x': '20.2.4', 'y': '20.2.3'}
    assert found.active_hostname == 'h1'


def test_clients_are_known_by_their_operations_on_our_pools():
    def op(description, address):
        info = {'client_info': {'client_addr': address}} if address else {}
        return {'description': description, 'type_data': info}

    dump = {
        'ops': [
            op(
                'osd_op(client.4311.0:6588 4.3d 4:bf0:::x:head [write])',
                '127.0.0.1:0/40',
            ),
            op(
                'osd_op(client.4311.0:6588 44.3d 4:bf0:::x:head [write])',
                '127.0.0.1:0/44',
            ),
            op('osd_repop(client.4111.0:47 4.0 e10/9 1:303)', ''),
            # rbd-mirror looks into each pool
            op(
                'osd_op(client.4312.0:7 4.1 4:8ac:::rbd_mirroring:head '
                '[call rbd.mirror_mode_get in=0b])',
                '127.0.0.1:0/45',
            ),
            op(
                'osd_op(client.4313.0:7 4.1 4:8ac:::rbd_data.1f.03:head '
                '[write 0~4096])',
                '127.0.0.1:0/46',
            ),
            op(
                'osd_op(client.4314.0:7 4.1 4.1 (undecoded) ondisk+read)',
                '127.0.0.1:0/47',
            ),
        ]
    }
    assert clients_data.client_addresses(dump, {4}) == {
        '127.0.0.1:0/40',
        '127.0.0.1:0/46',
        '127.0.0.1:0/47',
    }


# names


@pytest.mark.parametrize(
    'name',
    [
        'perfcompare.0a1b2c3d.x86.write',
        'perfcompare.0a1b2c3d.a_b-c.read-4K',
        'perfcompare-0a1b2c3d-x86',
        'client.perfcompare.0a1b2c3d',
    ],
)
def test_names_of_runs(name):
    assert check_own(name) == run_of(name) == '0a1b2c3d'
    assert looks_ours(name)


@pytest.mark.parametrize(
    'name',
    [
        '',
        'rbd',
        'default',
        'client.admin',
        'perfcompare',
        'perfcompare-x86',
        'perfcompare.0a1b2c3d',
        'perfcompare.0A1B2C3D.x86.write',
        'perfcompare-0a1b2c3d-x86\n',
        'perfcompare-0a1b2c3d-x86 default',
        'my-perfcompare-0a1b2c3d-x86',
        'client.perfcompare.0a1b2c3d4',
    ],
)
def test_other_names_are_left_alone(name):
    assert run_of(name) is None
    with pytest.raises(NotPermitted):
        check_own(name)


def test_default_of_another_modules_option():
    options = {
        'mode': {'type': 'str', 'default_value': 'upmap'},
        'active': {'type': 'bool', 'default_value': 'True'},
    }
    mgr_map = {
        'available_modules': [
            {'name': 'alerts', 'module_options': {}},
            {'name': 'balancer', 'module_options': options},
        ]
    }
    found = osdmap_data.module_default
    assert found(mgr_map, 'balancer', 'mode') == 'upmap'
    assert found(mgr_map, 'balancer', 'active') == 'true'
    assert found(mgr_map, 'balancer', 'pools') == ''
    assert found(mgr_map, 'telemetry', 'mode') == ''


def test_modules_of_the_manager_are_no_clients_of_a_run():
    addresses = [{'type': 'v2', 'addr': '10.0.0.1:0', 'nonce': 99}]
    told = {'active_clients': [{'name': 'rbd_support', 'addrvec': addresses}]}
    assert clients_data.mgr_clients(told) == {'10.0.0.1:0/99'}
    assert clients_data.mgr_clients({}) == set()


def test_upmaps_are_those_of_pools_that_are_not_ours():
    found = {
        'pools': [
            {'pool': 1, 'pool_name': 'rbd'},
            {'pool': 2, 'pool_name': 'perfcompare.0a1b2c3d.x86.write'},
        ],
        'pg_upmap': [
            {'pgid': '1.0', 'osds': [1, 2, 3]},
            {'pgid': '2.1', 'osds': [2, 4, 5]},
        ],
        'pg_upmap_items': [
            {
                'pgid': '1.3',
                'mappings': [{'from': 2, 'to': 6}, {'from': 4, 'to': 1}],
            },
            {'pgid': '2.4', 'mappings': [{'from': 2, 'to': 6}]},
        ],
    }
    assert osdmap_data.upmaps(found) == {
        '1.0': Upmap('1.0', (1, 2, 3)),
        '1.3': Upmap('1.3', (), ((2, 6), (4, 1))),
    }
    assert osdmap_data.upmaps({'pools': []}) == {}
