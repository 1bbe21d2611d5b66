"""What a recovery test took away comes back, whatever became of it."""

import pytest

from ..errors import NotFound, TryAgain
from ..journal import Journal, Kind
from .bench_data import RUN
from .fake_cluster import FakeCluster


@pytest.fixture
def cluster():
    return FakeCluster()


@pytest.fixture
def journal(cluster):
    return Journal(cluster, sleep=lambda seconds: None)


def test_osd_that_was_marked_out_is_in_again(cluster, journal):
    journal.intend(RUN, Kind.OSD_OUT, '1', {'weight': '1.0'})
    cluster.osd_out(1)
    report = journal.undo_all(RUN)
    assert cluster.osds[1].in_
    assert report.removed == ('osd_out 1',)
    assert not journal.entries(RUN)


def test_osd_that_is_in_already_is_left_alone(cluster, journal):
    journal.intend(RUN, Kind.OSD_OUT, '1', {'weight': '1.0'})
    journal.undo_all(RUN)
    assert not cluster.called('osd_in')


def test_stopped_osd_is_started_by_the_orchestrator(cluster, journal):
    cluster.backend = 'test'
    journal.intend(RUN, Kind.OSD_STOP, '2', {'by': 'orchestrator'})
    cluster.set_osd(2, up=False)
    journal.undo_all(RUN)
    assert cluster.orchestrated == [('start', 'osd.2')]
    assert cluster.osds[2].up


def test_osd_that_was_marked_out_while_stopped_is_in_again(cluster, journal):
    cluster.backend = 'test'
    journal.intend(
        RUN, Kind.OSD_STOP, '2', {'by': 'orchestrator', 'weight': '1.0'}
    )
    cluster.set_osd(2, up=False, in_=False)
    journal.undo_all(RUN)
    assert cluster.osds[2].up and cluster.osds[2].in_


def test_osd_that_was_out_when_it_was_stopped_stays_out(cluster, journal):
    cluster.backend = 'test'
    journal.intend(
        RUN, Kind.OSD_STOP, '2', {'by': 'orchestrator', 'weight': '0.0'}
    )
    cluster.set_osd(2, up=False, in_=False)
    assert not journal.undo_all(RUN).leftovers
    assert cluster.osds[2].up and not cluster.osds[2].in_
    assert not cluster.called('osd_in')


def test_osd_stopped_by_an_operator_is_reported_until_it_is_up(
    cluster, journal
):
    journal.intend(RUN, Kind.OSD_STOP, '2', {'by': 'operator'})
    cluster.set_osd(2, up=False)
    (left,) = journal.undo_all(RUN).leftovers
    assert 'osd.2 is still down' in left.reason
    assert 'ceph orch daemon start osd.2' in left.remedy
    cluster.set_osd(2, up=True)
    assert not journal.undo_all(RUN).leftovers
    assert not journal.entries(RUN)


def test_osd_without_its_orchestrator_is_never_forgotten(cluster, journal):
    journal.intend(RUN, Kind.OSD_STOP, '2', {'by': 'orchestrator'})
    cluster.set_osd(2, up=False)
    cluster.fail_on(
        'orchestrate', times=9, error=NotFound('no orchestrator configured')
    )
    (left,) = journal.undo_all(RUN).leftovers
    assert 'osd.2 is still down' in left.reason
    assert journal.entries(RUN)


def test_noout_is_taken_from_the_host_only_if_it_was_ours(cluster, journal):
    journal.intend(RUN, Kind.NOOUT, 'arm-1')
    cluster.noout_set('arm-1')
    journal.intend(RUN, Kind.NOOUT, 'arm-2', was_set=True)
    cluster.noout_set('arm-2')
    journal.undo_all(RUN)
    assert cluster.flags == ['noout:arm-2']


def test_osds_come_back_before_anything_else_is_undone(cluster, journal):
    journal.intend(RUN, Kind.KEY, f'client.perfcompare.{RUN}')
    journal.intend(RUN, Kind.OSD_OUT, '1', {'weight': '1.0'})
    cluster.osd_out(1)
    cluster.fail_on('auth_remove', times=3, error=TryAgain('no answer'))
    report = journal.undo_all(RUN)
    assert cluster.osds[1].in_
    assert [item.what for item in report.leftovers]
