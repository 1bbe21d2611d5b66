"""What a trial's manifest says of where it ran."""

import dataclasses

import pytest

from perfcompare.execution.observer import OSD_OPTIONS, Observer
from perfcompare.guard.collect.facts import this_machine
from perfcompare.metrics.osd_settings import settings

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
