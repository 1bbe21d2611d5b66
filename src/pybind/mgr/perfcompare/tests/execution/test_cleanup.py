"""Clients of a former Manager are shut out together, whatever fails."""

import errno
import threading

import pytest

from ...common.errors import CommandFailed
from ...execution.cleanup import Cleanup
from ...undo.journal import Journal, Kind
from ..data.bench_data import RUN
from ..fakes.clock import FakeClock
from ..fakes.cluster import FakeCluster

ADDRESSES = [f'10.0.0.{number}:0/7' for number in range(12)]


@pytest.fixture
def cluster():
    found = FakeCluster()
    found.sessions[f'client.perfcompare.{RUN}'] = ADDRESSES
    return found


@pytest.fixture
def journal(cluster):
    return Journal(cluster, FakeClock())


def test_all_clients_are_blocklisted_in_one_turn(
    cluster, journal, monkeypatch
):
    """A mon commits once a second: one after the other takes as many."""
    together = threading.Barrier(len(ADDRESSES))
    add = cluster.blocklist_add

    def wait_for_all(address, seconds):
        together.wait(timeout=10)
        add(address, seconds)

    monkeypatch.setattr(cluster, 'blocklist_add', wait_for_all)
    Cleanup(cluster, journal).silence([RUN])
    assert sorted(cluster.blocked) == sorted(ADDRESSES)
    entries = journal.entries(RUN)
    assert {e.name for e in entries} == set(ADDRESSES)
    assert {e.kind for e in entries} == {Kind.BLOCKLIST}
    assert len({e.key for e in entries}) == len(ADDRESSES)


def test_one_that_cannot_be_blocklisted_holds_up_no_other(cluster, journal):
    denied = CommandFailed('osd blocklist add', -errno.EPERM, 'denied')
    cluster.fail_on('blocklist_add', 1, denied)
    Cleanup(cluster, journal).silence([RUN])
    assert len(cluster.blocked) == len(ADDRESSES) - 1
    assert journal.undo_all(RUN).clean
    assert cluster.blocked == []


def test_a_later_run_does_not_make_an_earlier_one_forgotten(cluster, journal):
    cleanup = Cleanup(cluster, journal, FakeClock())
    first, second = 'aaaaaaaa', 'bbbbbbbb'
    detail = {'by': 'operator', 'weight': '1.0'}
    journal.done(journal.intend(first, Kind.OSD_STOP, '2', detail))
    cluster.set_osd(2, up=False)
    cleanup.undo([first])
    (line,) = cleanup.leftovers
    assert 'osd.2' in line
    assert cleanup.undo([second]).clean
    assert cleanup.leftovers == (line,)
    cluster.set_osd(2, up=True)
    cleanup.undo([first])
    assert cleanup.leftovers == ()


def test_what_somebody_else_undid_is_forgotten(cluster, journal):
    cleanup = Cleanup(cluster, journal, FakeClock())
    detail = {'by': 'operator', 'weight': '1.0'}
    entry = journal.intend('aaaaaaaa', Kind.OSD_STOP, '2', detail)
    cluster.set_osd(2, up=False)
    cleanup.undo(['aaaaaaaa'])
    assert cleanup.leftovers
    journal.forget(entry)
    cleanup.undo(['bbbbbbbb'])
    assert cleanup.leftovers == ()
