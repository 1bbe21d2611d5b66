"""What a recovery test took away comes back, whatever became of it."""

import dataclasses

import pytest

from ...common.errors import NotFound, TryAgain
from ...undo.journal import Journal, Kind
from ..data.bench_data import RUN
from ..fakes.clock import FakeClock
from ..fakes.cluster import FakeCluster

START_BY_HAND = (
    'see that osd.2 is up (`systemctl start ceph-osd@2` on its host, or with '
    'an orchestrator `ceph orch daemon start osd.2`), then '
    '`ceph perfcompare cleanup`'
)


@pytest.fixture
def cluster():
    return FakeCluster()


@pytest.fixture
def journal(cluster):
    return Journal(cluster, FakeClock())


def test_osd_that_was_marked_out_is_in_again(cluster, journal):
    journal.intend(RUN, Kind.OSD_OUT, '1', {'weight': '1.0'})
    cluster.osd_out(1)
    report = journal.undo_all(RUN)
    assert cluster.osds[1].in_
    assert report.removed == ('osd_out 1',)
    assert not journal.entries(RUN)


def test_osd_that_is_in_already_is_left_alone(cluster, journal):
    journal.done(journal.intend(RUN, Kind.OSD_OUT, '1', {'weight': '1.0'}))
    journal.undo_all(RUN)
    assert not cluster.called('osd_in')


def test_an_order_out_that_may_be_on_its_way_is_answered(cluster, journal):
    """It is in, as far as can be seen; what is told now comes after it."""
    journal.intend(RUN, Kind.OSD_OUT, '1', {'weight': '1.0'})
    assert journal.undo_all(RUN).clean
    assert cluster.called('osd_in')


@pytest.mark.parametrize('started', [False, True])
def test_hosts_keep_noout_while_stopped_osds_are_down(
    cluster, journal, started
):
    """Ten minutes later the mons would move all that they hold."""
    host = cluster.osds[2].host
    detail = {'by': 'operator', 'weight': '1.0'}
    journal.done(journal.intend(RUN, Kind.NOOUT, host))
    cluster.noout_set(host)
    journal.done(journal.intend(RUN, Kind.OSD_STOP, '2', detail))
    cluster.set_osd(2, up=started)
    found = journal.undo_all(RUN)
    assert found.clean is started
    assert bool(cluster.called('noout_unset')) is started
    if not started:
        cluster.set_osd(2, up=True)  # as the operator was told
        assert journal.undo_all(RUN).clean
        assert cluster.called('noout_unset')


def test_stopped_osd_is_started_by_the_orchestrator(cluster, journal):
    cluster.backend = 'test'
    journal.intend(RUN, Kind.OSD_STOP, '2', {'by': 'orchestrator'})
    cluster.set_osd(2, up=False)
    journal.undo_all(RUN)
    assert cluster.orchestrated == [('start', 'osd.2')]
    assert cluster.osds[2].up


def test_an_order_to_start_that_was_lost_is_repeated(cluster, journal):
    cluster.backend = 'test'
    cluster.loses_orders = 2
    detail = {'by': 'orchestrator', 'weight': '1.0'}
    journal.done(journal.intend(RUN, Kind.OSD_STOP, '2', detail))
    cluster.set_osd(2, up=False)
    assert journal.undo_all(RUN).clean
    assert cluster.orchestrated == [('start', 'osd.2')] * 3
    cluster.obeys = False
    journal.done(journal.intend(RUN, Kind.OSD_STOP, '2', detail))
    cluster.set_osd(2, up=False)
    (left,) = journal.undo_all(RUN).leftovers
    assert 'osd.2 is still down' in left.reason
    assert 'the orchestrator was told 3 times' in left.reason


def test_a_stop_that_comes_late_is_undone_too(cluster):
    def late(_):
        if 10 < clock.now < 11:
            cluster.set_osd(2, up=False)

    clock = FakeClock(0.0, late)
    journal = Journal(cluster, clock)
    cluster.backend = 'test'
    journal.intend(RUN, Kind.OSD_STOP, '2', {'by': 'orchestrator'})
    assert journal.undo_all(RUN).clean
    assert cluster.orchestrated == [('start', 'osd.2')]
    assert cluster.osds[2].up
    # where the stop was seen to be done, nothing is waited for
    clock.now = 100.0
    entry = journal.intend(RUN, Kind.OSD_STOP, '2', {'by': 'orchestrator'})
    journal.done(entry)
    assert journal.undo_all(RUN).clean
    assert clock.now == 100.0


def test_a_stop_that_the_orchestrator_keeps_is_not_forgotten(cluster):
    """It is carried out when its service is managed again, days later."""
    clock = FakeClock()
    journal = Journal(cluster, clock)
    cluster.backend = 'test'
    cluster.held = "the service 'osd.all' of osd.2 is unmanaged"
    cluster.kept_stops = [2]
    host = cluster.osds[2].host
    journal.intend(RUN, Kind.OSD_STOP, '2', {'by': 'orchestrator'})
    journal.done(journal.intend(RUN, Kind.NOOUT, host))
    cluster.noout_set(host)
    found = journal.undo_all(RUN)
    reasons = [left.reason for left in found.leftovers]
    assert len(reasons) == 2 and clock.now == 1000.0  # not waited for
    assert (
        "stop it: the service 'osd.all' of osd.2 is unmanaged" in reasons[0]
    )
    assert 'may yet go down' in reasons[1]
    cluster.backend = None  # it does not answer any more
    found = journal.undo_all(RUN)
    assert 'it does not answer' in found.leftovers[0].reason
    cluster.backend = 'test'
    cluster.held, cluster.kept_stops = '', []
    cluster.set_osd(2, up=False)
    assert journal.undo_all(RUN).clean
    assert cluster.osds[2].up and not cluster.flags


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
    cluster.ordered_out = (2,)
    report = journal.undo_all(RUN)
    assert report.clean and not report.kept
    assert cluster.osds[2].up and not cluster.osds[2].in_
    assert not cluster.called('osd_in')


def test_osd_stopped_by_an_operator_is_reported_until_it_is_up(
    cluster, journal
):
    journal.intend(RUN, Kind.OSD_STOP, '2', {'by': 'operator'})
    cluster.set_osd(2, up=False)
    (left,) = journal.undo_all(RUN).leftovers
    assert 'osd.2 is still down' in left.reason
    assert left.remedy == START_BY_HAND
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


def test_noout_that_somebody_set_meanwhile_stays_and_is_told(
    cluster, journal
):
    journal.intend(RUN, Kind.NOOUT, 'arm-1', {'at': '1795210800.5'})
    cluster.noout_set('arm-1')
    cluster.noout_by = {'arm-1': 'client.admin'}
    (kept,) = journal.undo_all(RUN).kept
    assert kept.reason == 'client.admin set it for arm-1 meanwhile'
    assert cluster.flags == ['noout:arm-1'] and not journal.entries(RUN)


def test_noout_stays_where_nobody_knows_who_wants_it(cluster, journal):
    """The audit log is 10,000 lines, which may be of an hour of a day."""
    journal.intend(RUN, Kind.NOOUT, 'arm-1', {'at': '1795210800.5'})
    cluster.noout_set('arm-1')
    cluster.audit_from = 1795217000.0
    (kept,) = journal.undo_all(RUN).kept
    assert kept.reason.endswith('ceph osd unset-group noout arm-1')
    assert cluster.flags == ['noout:arm-1'] and not journal.entries(RUN)


def test_noout_that_is_gone_already_is_no_matter_of_logs(cluster, journal):
    journal.intend(RUN, Kind.NOOUT, 'arm-1', {'at': '1795210800.5'})
    cluster.audit_from = 1795217000.0
    report = journal.undo_all(RUN)
    assert report.clean and not report.kept


def _renamed(cluster, old, new):
    bucket = cluster.buckets.pop(old)
    cluster.buckets[new] = dataclasses.replace(bucket, name=new)
    cluster.flags = [f.replace(f':{old}', f':{new}') for f in cluster.flags]


@pytest.mark.parametrize('wanted', ['', 'arm-1', 'arm-9'])
def test_noout_goes_from_a_host_that_was_renamed_meanwhile(
    cluster, journal, wanted
):
    detail = {
        'at': '1795210800.5',
        'bucket': str(cluster.buckets['arm-1'].id),
    }
    journal.intend(RUN, Kind.NOOUT, 'arm-1', detail)
    cluster.noout_set('arm-1')
    _renamed(cluster, 'arm-1', 'arm-9')
    cluster.noout_by = {wanted: 'client.admin'}
    report = journal.undo_all(RUN)
    assert report.clean and not journal.entries(RUN)
    assert bool(cluster.flags) is bool(report.kept) is bool(wanted)


def test_noout_of_a_host_that_is_gone_is_no_leftover(cluster, journal):
    journal.intend(RUN, Kind.NOOUT, 'arm-9', {'bucket': '-99'})
    report = journal.undo_all(RUN)
    assert report.clean and not cluster.called('noout_unset')


def test_osds_come_back_before_anything_else_is_undone(cluster, journal):
    journal.intend(RUN, Kind.KEY, f'client.perfcompare.{RUN}')
    journal.intend(RUN, Kind.OSD_OUT, '1', {'weight': '1.0'})
    cluster.osd_out(1)
    cluster.fail_on('auth_remove', times=3, error=TryAgain('no answer'))
    report = journal.undo_all(RUN)
    assert cluster.osds[1].in_
    assert [item.what for item in report.leftovers]


def test_osd_that_was_marked_down_comes_up_by_itself(cluster):
    def back(_):
        if clock.now > 1003:
            cluster.set_osd(2, up=True)

    clock = FakeClock(1000.0, back)
    journal = Journal(cluster, clock)
    journal.intend(RUN, Kind.OSD_DOWN, '2', {'weight': '1.0'})
    cluster.set_osd(2, up=False)
    assert journal.undo_all(RUN).clean
    assert not cluster.orchestrated and clock.now < 1005
    assert not journal.entries(RUN)


@pytest.mark.parametrize('kind', [Kind.OSD_DOWN, Kind.OSD_STOP])
def test_osd_that_an_operator_marked_out_meanwhile_stays_out(
    cluster, journal, kind
):
    detail = {'by': 'operator', 'weight': '1.0'}
    journal.intend(RUN, kind, '2', detail)
    cluster.osd_out(2)
    report = journal.undo_all(RUN)
    (kept,) = report.kept
    assert 'is out by an order' in kept.reason
    assert report.clean and not cluster.osds[2].in_


@pytest.mark.parametrize('backend', ['test', None])
def test_osd_that_stays_down_is_started_or_told(cluster, journal, backend):
    """It may have shut itself down: nothing else starts it then."""
    cluster.backend = backend
    journal.intend(RUN, Kind.OSD_DOWN, '2', {'weight': '1.0'})
    cluster.set_osd(2, up=False, in_=False)  # by the mons, minutes later
    found = journal.undo_all(RUN)
    assert found.clean is bool(backend)
    if not backend:
        (left,) = found.leftovers
        assert 'osd.2 is still down' in left.reason
        assert left.remedy == START_BY_HAND
        cluster.set_osd(2, up=True)
        assert journal.undo_all(RUN).clean
    assert cluster.osds[2].up and cluster.osds[2].in_
