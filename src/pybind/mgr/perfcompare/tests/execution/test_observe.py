"""What a trial's manifest says of where it ran."""

import dataclasses

import pytest

from perfcompare.common.errors import CommandFailed
from perfcompare.execution.observer import OSD_OPTIONS, Observer
from perfcompare.guard.collect.facts import Machine, this_machine
from perfcompare.metrics.osd_settings import settings
from perfcompare.model.manifest import added

from ..data.bench_data import run_plan
from ..fakes.cluster import FakeCluster


@pytest.fixture
def cluster():
    found = FakeCluster()
    for osd in found.osds:
        found.set_osd(osd, addresses=('127.0.1.1',))
    return found


def manifest(cluster, name, **fields):
    plan = run_plan(cluster)
    group = dataclasses.replace(plan.group(name), **fields)
    pool = group.pools[0]
    observer = Observer(cluster, plan, this_machine(), 'x86_64')
    return observer.manifest(group, pool, None, 0.0)


def test_foreign_architecture_on_this_machine_is_emulated(cluster):
    assert manifest(cluster, 'arm').emulated is True
    assert manifest(cluster, 'x86').emulated is False


def test_other_machines_are_not_guessed_about(cluster):
    for osd in cluster.osds:
        cluster.set_osd(osd, addresses=('192.0.2.77',))
    assert manifest(cluster, 'arm').emulated is None
    assert manifest(cluster, 'arm', note='Emulated ARM').emulated is True
    for note in ('bare metal, not emulated', 'non-emulated', 'Unemulated'):
        assert manifest(cluster, 'arm', note=note).emulated is None


def test_osds_on_this_machine_are_local_whatever_their_host_is_called(
    cluster,
):
    found = manifest(cluster, 'x86')
    assert found.client_local_osds == tuple(
        sorted(o for o, d in cluster.osds.items() if d.host.startswith('x86'))
    )


def test_of_a_large_group_some_osds_are_asked_for_settings(
    cluster, monkeypatch
):
    cluster.osd_runtime[0] = {'osd_mclock_profile': 'custom'}
    asked = []
    config = cluster.osd_config

    def counted(osd, options):
        asked.append(osd)
        return config(osd, options)

    monkeypatch.setattr(cluster, 'osd_config', counted)
    found = settings(cluster, range(10000), OSD_OPTIONS)
    assert found['osd_mclock_profile'] == 'balanced, custom'
    assert len(asked) == 64 and max(asked) > 9000


@pytest.mark.parametrize(
    'mode, algorithm, shown',
    [
        ('none', 'snappy', 'none'),
        ('aggressive', 'lz4', 'aggressive (lz4)'),
        ('force', '', 'force'),
    ],
)
def test_compression_is_what_the_osds_have(cluster, mode, algorithm, shown):
    for osd in cluster.osds:
        cluster.osd_runtime[osd] = {
            'bluestore_compression_mode': mode,
            'bluestore_compression_algorithm': algorithm,
        }
    assert manifest(cluster, 'x86').compression == shown


def test_compression_is_not_recorded_where_no_osd_tells(cluster):
    # the fake's OSDs have no such option
    assert not manifest(cluster, 'x86').compression


def test_what_varies_within_a_group_is_counted(cluster):
    osds = sorted(o for o, d in cluster.osds.items() if d.host[0] == 'x')
    for osd in osds:
        cluster.set_osd(osd, bdev_type='hdd')
        cluster.osd_runtime[osd] = {
            'bluestore_compression_mode': 'none',
            'osd_mclock_profile': 'balanced',
        }
    assert manifest(cluster, 'x86').mixed == {}
    cluster.set_osd(osds[0], bdev_type='ssd')
    cluster.osd_runtime[osds[1]] = {
        'bluestore_compression_mode': 'force',
        'osd_mclock_profile': 'custom',
    }
    found = manifest(cluster, 'x86')
    most = len(osds) - 1
    assert found.compression == 'force, none'
    assert found.mixed == {
        'drives': {'ssd': 1, 'hdd': most},
        'compression': {'none': most, 'force': 1},
        'settings.bluestore_compression_mode': {'none': most, 'force': 1},
        'settings.osd_mclock_profile': {'balanced': most, 'custom': 1},
    }


def test_load_hosts_that_carry_osds_of_the_group_are_named(cluster):
    for osd in cluster.osds:
        cluster.set_osd(osd, addresses=('192.0.2.77',))
    plan = run_plan(cluster)
    group = plan.group('x86')
    one = cluster.topology().osds[group.osds[0]]
    observer = Observer(
        cluster,
        plan,
        [
            Machine(f'{one.host}.example.com', (), None, 'load-1'),
            Machine('elsewhere', (), None, 'load-2'),
        ],
        'x86_64',
    )
    found = observer.manifest(group, group.pools[0], None, 0.0)
    assert one.id in found.client_local_osds
    assert found.client_local_hosts == ('load-1',)


def test_where_metadata_is_comes_from_the_osds(cluster):
    assert manifest(cluster, 'x86').separate_db is None
    for osd in cluster.osds:
        cluster.set_osd(
            osd, data_devices=(f'sd{osd}',), db_devices=('nvme0n1',)
        )
    assert manifest(cluster, 'x86').separate_db == (True,)


def test_figures_of_hosts_join_those_of_osds():
    osds, hosts = {'drives': {'hdd': 2, 'ssd': 1}}, {'cores': {'8': 1}}
    assert added(
        {'osds': 3, 'mixed': osds}, {'cores': [8], 'mixed': hosts}
    ) == {
        'osds': 3,
        'cores': [8],
        'mixed': {**osds, **hosts},
    }
    assert added({'osds': 3}, {'cores': [8]}) == {'osds': 3, 'cores': [8]}


def test_options_are_asked_for_anew_in_each_round(cluster, monkeypatch):
    plan = run_plan(cluster)
    group = plan.group('x86')
    observer = Observer(cluster, plan, this_machine(), 'x86_64')

    def profile(round_):
        found = observer.manifest(group, group.pools[0], None, 0.0, round_)
        return found.settings and found.settings['osd_mclock_profile']

    before = profile(1)
    for osd in group.osds:
        cluster.osd_runtime[osd] = {'osd_mclock_profile': 'custom'}
    assert [profile(1), profile(2)] == [before, 'custom']

    def silent(osd, options):
        raise CommandFailed('config get', -110, 'no answer')

    monkeypatch.setattr(cluster, 'osd_config', silent)
    assert profile(3) is None


@pytest.mark.parametrize(
    'more, shown',
    [
        ({}, 'k=4 m=2 plugin=isa'),
        ({'stripe_unit': '4K'}, 'k=4 m=2 plugin=isa'),
        ({'stripe_unit': '16Ki'}, 'k=4 m=2 plugin=isa stripe_unit=16384'),
        ({'plugin': 'clay', 'd': '5'}, 'k=4 m=2 d=5 plugin=clay'),
        ({'plugin': 'shec', 'c': '2'}, 'k=4 m=2 c=2 plugin=shec'),
    ],
)
def test_profiles_of_erasure_codes_are_told_apart(cluster, more, shown):
    cluster.ec_profiles['ours'] = {
        'k': '4',
        'm': '2',
        'plugin': 'isa',
        'crush-root': 'default',
        **more,
    }
    plan = run_plan(cluster)
    group = plan.group('x86')
    pool = dataclasses.replace(group.pools[0], ec_profile='ours')
    observer = Observer(cluster, plan, this_machine(), 'x86_64')
    assert observer.manifest(group, pool, None, 0.0).ec_profile == shown


@pytest.mark.parametrize(
    'more, chunk, shown',
    [
        ({'plugin': 'isa'}, 4096, ''),
        ({'plugin': 'isa'}, 16384, ' stripe_unit=16384'),
        ({'technique': 'cauchy_good'}, 65536, ''),
        ({'technique': 'cauchy_good'}, 131072, ' stripe_unit=131072'),
    ],
)
def test_stripe_unit_of_the_mons_is_told(cluster, more, chunk, shown):
    profile = {'k': '4', 'm': '2', 'plugin': 'jerasure', **more}
    cluster.ec_profiles['ours'] = profile
    plan = run_plan(cluster)
    group = plan.group('x86')
    pool = dataclasses.replace(
        group.pools[0],
        ec_profile='ours',
        data_chunks=4,
        stripe_width=4 * chunk,
    )
    observer = Observer(cluster, plan, this_machine(), 'x86_64')
    text = ' '.join(f'{key}={value}' for key, value in profile.items())
    found = observer.manifest(group, pool, None, 0.0).ec_profile
    assert found == text + shown


def test_stripes_are_told_as_the_pool_has_them(cluster):
    """Pools of gateways may have others than planned."""
    cluster.ec_profiles['ours'] = {'k': '4', 'm': '2', 'plugin': 'isa'}
    plan = run_plan(cluster)
    group = plan.group('x86')
    pool = dataclasses.replace(
        group.pools[0], ec_profile='ours', data_chunks=4, stripe_width=16384
    )
    observer = Observer(cluster, plan, this_machine(), 'x86_64')

    def told():
        return observer.manifest(group, pool, None, 0.0).ec_profile

    assert told() == 'k=4 m=2 plugin=isa'  # not made yet
    made = cluster.add_pool(pool.name, pg_num=4)
    cluster.pool_table[pool.name] = dataclasses.replace(
        made, stripe_width=4 * 16384
    )
    assert told() == 'k=4 m=2 plugin=isa stripe_unit=16384'
