"""Edges of undo/engine.py: what is repeated, what is spared, what raises."""

import errno

import pytest

from ...common.errors import CommandFailed, TryAgain
from ...ports.orchestration import GatewayOrder
from ...undo.engine import ATTEMPTS
from ...undo.journal import Journal, Kind
from ..data.bench_data import RUN
from ..data.undo_data import KEY, make_placed
from ..fakes.clock import FakeClock
from ..fakes.cluster import FakeCluster

SERVICE = f'perfcompare-{RUN}-arm'
OTHER = f'perfcompare-{RUN}-x86'
WHO = f'client.rgw.{SERVICE}'


@pytest.fixture
def cluster():
    found = FakeCluster()
    found.backend = 'cephadm'
    found.orchestrator_places = {'arm-1': '10.0.0.1'}
    found.lets_go = False
    return found


@pytest.fixture
def clock():
    return FakeClock()


@pytest.fixture
def journal(cluster, clock):
    return Journal(cluster, clock)


def _serve(cluster, journal, service):
    """Make gateways that do not go; return their entry."""
    entry = journal.intend(RUN, Kind.SERVICE, service)
    cluster.gateways_apply(GatewayOrder(service, ('arm-1',), 1, 80, 'z'))
    return entry


def _set(cluster, journal, who, name='rgw_zone'):
    journal.intend(RUN, Kind.CONFIG, name, {'who': who}, value='z')
    cluster.config_set(who, name, 'z')


def _reasons(report):
    return {item.what: item.reason for item in report.leftovers}


# what is repeated


def test_what_can_yet_succeed_is_tried_three_times_a_second_apart(
    cluster, journal, clock
):
    make_placed(cluster, journal)
    busy = CommandFailed('auth rm', -errno.EBUSY, 'busy')
    cluster.fail_on('auth_remove', 99, busy)
    assert [i.what for i in journal.undo_all(RUN).leftovers] == [f'key {KEY}']
    assert len(cluster.called('auth_remove')) == ATTEMPTS == 3
    assert clock.waits == [1.0, 1.0]


def test_what_cannot_succeed_is_tried_once(cluster, journal, clock):
    make_placed(cluster, journal)
    denied = CommandFailed('auth rm', -errno.EACCES, 'denied')
    cluster.fail_on('auth_remove', 99, denied)
    assert not journal.undo_all(RUN).clean
    assert len(cluster.called('auth_remove')) == 1 and clock.waits == []


# what raises, and what does not


def test_an_entry_that_cannot_be_forgotten_is_told(cluster, journal):
    make_placed(cluster, journal)
    full = CommandFailed('config-key rm', -errno.ENOSPC, 'full')
    cluster.fail_on('kv_remove', 1, full)
    report = journal.undo_all(RUN)
    (item,) = report.leftovers
    assert item.reason.startswith('its journal entry stays: ')
    assert len(journal.entries(RUN)) == 1
    assert journal.undo_all(RUN).clean


def test_mons_that_are_silent_as_entries_are_forgotten_are_an_error(
    cluster, journal
):
    make_placed(cluster, journal)
    cluster.fail_on('kv_remove', 1)
    with pytest.raises(TryAgain):
        journal.undo_all(RUN)
    assert len(journal.entries(RUN)) == 1


def test_mons_that_are_silent_as_gateways_are_looked_for_are_an_error(
    cluster, journal
):
    """None of what the gateways may use is touched before that."""
    make_placed(cluster, journal)
    cluster.kv_set(f'journal/{RUN}/000099', '{"kind": "serv')
    cluster.fail_on('auth_entities', 1)
    before = set(cluster.pool_table)
    with pytest.raises(TryAgain):
        journal.undo_all(RUN)
    assert set(cluster.pool_table) == before


# whose options they are


@pytest.mark.parametrize(
    'who, stays',
    [
        (WHO, True),
        (f'{WHO}.arm-1.0', True),
        (f'{WHO}-2', False),
        (f'{WHO}x', False),
        ('client.rgw', False),
        ('client', False),
        ('osd', False),
    ],
)
def test_sections_of_gateways_that_stay_are_theirs_by_whole_words(
    cluster, journal, who, stays
):
    _serve(cluster, journal, SERVICE)
    _set(cluster, journal, who)
    told = _reasons(journal.undo_all(RUN))
    assert (f'config rgw_zone ({who})' in told) == stays
    assert (cluster.config_get(who, 'rgw_zone') == 'z') == stays


def _hide(cluster, entry):
    cluster.kv_set(entry.key, '{"kind": "serv')


def test_options_alone_tell_of_gateways_whose_entry_cannot_be_read(
    cluster, journal
):
    _hide(cluster, _serve(cluster, journal, SERVICE))
    _set(cluster, journal, WHO)
    for key in [k for k in cluster.auth if k.startswith(WHO)]:
        del cluster.auth[key]
    told = _reasons(journal.undo_all(RUN))
    assert 'cannot be read' in told[f'service {SERVICE}']
    assert cluster.config_get(WHO, 'rgw_zone') == 'z'


def test_gateways_whose_entry_can_be_read_are_not_told_to_be_hidden(
    cluster, journal
):
    """Whether options and keys name them, or nothing does."""
    _hide(cluster, _serve(cluster, journal, SERVICE))
    _set(cluster, journal, WHO)
    _serve(cluster, journal, OTHER)
    keys = [k for k in cluster.auth if OTHER in k]
    for named in (True, False):
        if not named:
            for key in keys:
                del cluster.auth[key]
        told = _reasons(journal.undo_all(RUN))
        assert 'cannot be read' in told[f'service {SERVICE}']
        assert 'cannot be read' not in told[f'service {OTHER}']


def test_gateways_that_are_gone_hide_no_others(cluster, journal):
    """Their section sorts before that of those that are there."""
    _hide(cluster, _serve(cluster, journal, SERVICE))
    gone = f'client.rgw.perfcompare-{RUN}-aaa'
    _set(cluster, journal, gone)
    _set(cluster, journal, WHO)
    told = _reasons(journal.undo_all(RUN))
    assert [t for t in told if t.startswith('service')] == [
        f'service {SERVICE}'
    ]
    assert cluster.config_get(gone, 'rgw_zone') is None
    assert cluster.config_get(WHO, 'rgw_zone') == 'z'
