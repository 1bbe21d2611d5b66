"""ceph.conf, the hosts' /proc, and what counts as healthy."""

from typing import Any, Dict

import configparser
import pathlib

from .. import bringup, conf, hostproc
from . import helpers


def _parse(text: str) -> configparser.ConfigParser:
    parser = configparser.ConfigParser(strict=True)
    parser.read_string(text)
    return parser


def test_conf_has_an_address_for_every_daemon(tmp_path: pathlib.Path) -> None:
    cluster = helpers.cluster(tmp_path)
    parsed = _parse(conf.render(cluster, ['x', 'y']))
    names = ['mgr.x', 'mgr.y', 'osd.0', 'osd.1', 'osd.2', 'osd.3']
    found = [parsed[name]['public addr'] for name in names]
    assert len(set(found)) == 6
    assert all(address.startswith('127.77.') for address in found)


def test_every_mon_has_an_address_that_clients_know(
    tmp_path: pathlib.Path,
) -> None:
    cluster = helpers.cluster(tmp_path, mons=3)
    addresses = [conf.mon_address(cluster, name) for name in 'abc']
    assert len(set(addresses)) == 3
    parsed = _parse(conf.render(cluster, ['x']))
    assert parsed['global']['mon host'] == ','.join(addresses)


def test_only_emulated_osds_get_a_class_folder(
    tmp_path: pathlib.Path,
) -> None:
    parsed = _parse(conf.render(helpers.cluster(tmp_path), ['x']))
    with_folder = [name for name in parsed if 'osd class dir' in parsed[name]]
    assert with_folder == ['osd.2', 'osd.3']


def test_clients_are_limited_only_where_that_is_asked_for(
    tmp_path: pathlib.Path,
) -> None:
    free = _parse(conf.render(helpers.cluster(tmp_path / 'free'), ['x']))
    assert free['osd']['osd mclock profile'] == 'high_recovery_ops'
    assert 'osd mclock scheduler client lim' not in free['osd']
    limited = helpers.cluster(tmp_path / 'limited', client_iops=500)
    parsed = _parse(conf.render(limited, ['x']))['osd']
    assert parsed['osd mclock profile'] == 'custom'
    # a share of the capacity
    assert parsed['osd mclock scheduler client lim'] == '0.1'
    assert parsed['osd mclock max capacity iops ssd'] == '5000'
    # an operation of 4 MiB costs no more than one of 4 KiB
    bandwidth = int(parsed['osd mclock max sequential bandwidth ssd'])
    assert bandwidth / 5000 == 4 << 20


def test_pool_deletion_is_as_clusters_come(tmp_path: pathlib.Path) -> None:
    text = conf.render(helpers.cluster(tmp_path), ['x'])
    # false is the default; in the file, it could not be changed at run time
    assert 'pool delete' not in text.replace('_', ' ')


def test_a_mgr_keeps_its_address_when_others_come(
    tmp_path: pathlib.Path,
) -> None:
    cluster = helpers.cluster(tmp_path)
    one = _parse(conf.render(cluster, ['y']))['mgr.y']['public addr']
    two = _parse(conf.render(cluster, ['x', 'y']))['mgr.y']['public addr']
    assert one == two


def _status(**changes: Any) -> Dict[str, Any]:
    status: Dict[str, Any] = {
        'health': {'status': 'HEALTH_OK', 'checks': {}},
        'mgrmap': {'available': True},
        'osdmap': {'num_up_osds': 4},
        'pgmap': {
            'num_pgs': 1,
            'pgs_by_state': [{'state_name': 'active+clean', 'count': 1}],
        },
    }
    status.update(changes)
    return status


def test_reports_from_before_a_restart_tell_nothing() -> None:
    osds = [{'osd': 0, 'up_from': 12}, {'osd': 1, 'up_from': 5}]
    old = {'up': [0, 1], 'reported_epoch': 11}
    other = {'up': [1], 'reported_epoch': 11}
    assert not bringup.told(osds, [old, other])
    assert bringup.told(osds, [{**old, 'reported_epoch': 12}, other])


def test_clean_needs_everything() -> None:
    assert bringup.clean(_status(), 4)
    assert not bringup.clean(_status(osdmap={'num_up_osds': 3}), 4)
    assert not bringup.clean(_status(mgrmap={'available': False}), 4)
    assert not bringup.clean(_status(pgmap={'num_pgs': 0}), 4)
    half = [{'state_name': 'active+clean', 'count': 1}]
    half.append({'state_name': 'peering', 'count': 1})
    pgmap = {'num_pgs': 2, 'pgs_by_state': half}
    assert not bringup.clean(_status(pgmap=pgmap), 4)


def test_stat_of_a_host_adds_up_to_the_machine() -> None:
    cpu = {'user': 2.0, 'system': 1.0}
    first = hostproc.stat_text(cpu, 100.0, 2, 5).splitlines()[0].split()[1:]
    assert sum(map(int, first)) == 200 * hostproc.HERTZ
    assert int(first[0]) == 2 * hostproc.HERTZ


def test_meminfo_of_a_host_is_the_machine_less_its_daemons() -> None:
    machine = 'MemTotal:  1000 kB\nMemFree:  10 kB\nMemAvailable: 5 kB\n'
    text = hostproc.meminfo_text(machine + 'Cached: 7 kB\n', 100)
    assert 'MemTotal:  1000 kB' in text and 'Cached: 7 kB' in text
    assert 'MemFree:  900 kB' in text and 'MemAvailable: 900 kB' in text


def test_module_is_enabled_at_once_where_that_is_asked_for(
    tmp_path: pathlib.Path,
) -> None:
    cluster = helpers.cluster(tmp_path, enabled=True)
    parsed = _parse(conf.render(cluster, ['x']))
    assert parsed['mon']['mgr initial modules'] == 'iostat perfcompare'
