"""Ends of runs that the database takes late, or never by this Manager."""

import json
import sqlite3
import threading

import pytest

from ...common.errors import TryAgain
from ...execution import unstored
from ...execution.active_run import Ending
from ...execution.unstored import (
    AGAIN,
    LATE,
    LOST,
    MOST,
    PREFIX,
    UnstoredEnds,
)
from ...model.ownership import APPLICATION
from ...model.recovery import RecoveryTest, Scenario, TestState
from ...model.run import RunEvent, RunState
from ...recovery.store import recoveries
from ...store.results import Store
from ...undo.journal import Journal, Kind
from ..fakes import running
from ..fakes.clock import FakeClock
from ..fakes.running import Rig, left

folder = running.folder
cluster = running.cluster


@pytest.fixture
def broken(monkeypatch):
    """Have the database refuse ends until told otherwise."""
    real, refused = Store.put_run, [True]

    def put_run(store, run):
        if run.state.ended and refused[0]:
            raise sqlite3.OperationalError('disk I/O error')
        real(store, run)

    monkeypatch.setattr(Store, 'put_run', put_run)
    return refused


def _noted(cluster):
    return [k for k in list(cluster.kv) if k.startswith(PREFIX)]


def _end_unstored(cluster, folder):
    first = Rig(cluster, folder)
    run = first.start()
    first.wait(lambda: first.service.status().last.startswith(run))
    first.stop()
    return first, run


def test_a_later_manager_stores_how_a_run_ended(cluster, folder, broken):
    first, run = _end_unstored(cluster, folder)
    assert _noted(cluster) == [PREFIX + run] and left(cluster) == []
    assert not first.store.get_run(run).state.ended
    second = Rig(cluster, folder, first.store)
    try:
        second.wait(lambda: not _noted(cluster))
        found = second.service.results.show(run).run
        assert (found.state, found.reason) == (RunState.COMPLETED, LATE)
        assert found.ended == pytest.approx(found.events[-1].at)
        assert found.ended >= found.started
    finally:
        second.stop()


def test_what_is_stored_after_all_is_forgotten(cluster, folder, broken):
    first = Rig(cluster, folder)
    try:
        run = first.start()
        first.wait(lambda: _noted(cluster))
        broken[0] = False
        first.wait(lambda: not _noted(cluster), 60.0)
        found = first.service.results.show(run).run
        assert (found.state, found.reason) == (RunState.COMPLETED, '')
    finally:
        first.stop()


DAMAGE = {
    'no JSON': '{',
    'another shape': '[1, 2]',
    'no end': json.dumps(['trial', '', 1000.0]),
    'no time': json.dumps(['completed', '', None]),
    'no number': '["completed", "", NaN]',
    'another state': json.dumps(['upgraded', '', 1000.0]),
}


def test_an_end_that_cannot_be_read_is_an_end(cluster, folder, broken):
    first, run = _end_unstored(cluster, folder)
    for key in (run, 'nonsense'):
        cluster.kv[PREFIX + key] = DAMAGE['another shape']
    second = Rig(cluster, folder, first.store)
    try:
        second.wait(lambda: not _noted(cluster))
        found = second.service.results.show(run).run
    finally:
        second.stop()
    assert found.state is RunState.INTERRUPTED
    assert 'how cannot be read' in found.reason and LATE in found.reason


@pytest.mark.parametrize('name', list(DAMAGE))
def test_whatever_stands_there_is_taken_up_as_an_end(cluster, name):
    for key in ('0000000a', 'nonsense'):
        cluster.kv[PREFIX + key] = DAMAGE[name]
    records = _Records()
    ends = UnstoredEnds(cluster, records, FakeClock())
    ends.take_up()
    ((run, event),) = records.ends
    assert (run, event.state) == ('0000000a', RunState.INTERRUPTED)
    assert 'how cannot be read' in event.message and LATE in event.message
    assert event.at == 1000.0  # when it was found
    ends.settle()
    assert not _noted(cluster)


@pytest.mark.parametrize(
    'fault', [RuntimeError('a fault of ours'), TryAgain('no mon answers')]
)
def test_a_fault_in_what_is_not_stored_stops_no_undo(
    cluster, folder, broken, monkeypatch, fault
):
    first, run = _end_unstored(cluster, folder)
    name = f'perfcompare.{run}.x86.write'
    cluster.pool_create(name, 8, 'replicated_rule', 2, 1, None)
    cluster.pool_set_application(name, APPLICATION, 'run', run)
    Journal(cluster).intend(run, Kind.POOL, name)

    def take_up(ends):
        raise fault

    monkeypatch.setattr(UnstoredEnds, '_take_up', take_up)
    second = Rig(cluster, folder, first.store)
    try:
        second.wait(lambda: second.service.status().progress is None)
        assert left(cluster) == []
        assert _noted(cluster) == [PREFIX + run]  # for the next one
    finally:
        second.stop()


class _Write:
    def __init__(self, stored=True):
        self.stored, self.lost = stored, not stored


class _Records:
    def __init__(self, stores=True):
        self.ends = []
        self.stores = stores

    def end(self, run, event):
        self.ends.append((run, event))
        return _Write(self.stores)


def test_no_more_ends_are_taken_up_than_can_be_ours(cluster):
    text = json.dumps(['completed', '', 1000.0])
    for number in range(10 * MOST):
        cluster.kv[f'{PREFIX}{number:08x}'] = text
    records = _Records()
    ends = UnstoredEnds(cluster, records, FakeClock())
    ends.take_up()
    assert len(records.ends) == MOST
    ends.settle()
    assert len(_noted(cluster)) == 9 * MOST


def test_the_end_of_a_recovery_test_is_stored_by_its_id(cluster, folder):
    rig = Rig(cluster, folder)
    try:
        for ident in ('0000000a', '0000000b'):
            test = RecoveryTest(
                ident, TestState.RUNNING, Scenario.OSD_OUT, ('x86',), 1e12
            )
            recoveries.put(rig.store, test, {})
        records = rig.service._runner._records
        write = records.end(
            '0000000a', RunEvent(2000.0, RunState.COMPLETED, LATE)
        )
        rig.wait(lambda: write.stored)
        found = recoveries.get(rig.store, '0000000a')
        other = recoveries.get(rig.store, '0000000b')
    finally:
        rig.stop()
    assert found.state is TestState.COMPLETED
    assert (found.ended, found.reason) == (2000.0, LATE)
    assert other.state is TestState.RUNNING


@pytest.fixture
def hopeless(monkeypatch):
    """Have the database drop ends at once, until told otherwise."""
    real, refused = Store.put_run, [True]

    def put_run(store, run):
        if run.state.ended and refused[0]:
            raise KeyError('x')
        real(store, run)

    monkeypatch.setattr(Store, 'put_run', put_run)
    return refused


def test_an_end_that_was_dropped_is_stored_after_all(
    cluster, folder, hopeless
):
    rig = Rig(cluster, folder)
    try:
        run = rig.start()
        rig.wait(lambda: rig.service.status().last.startswith(run))
        rig.wait(lambda: not _noted(cluster))
        found = rig.service.results.show(run).run
        assert (found.state, found.reason) == (RunState.COMPLETED, LOST)
    finally:
        rig.stop()


def test_a_later_manager_stores_an_end_that_was_dropped(
    cluster, folder, hopeless, monkeypatch
):
    monkeypatch.setattr(unstored, 'AGAIN', float('inf'))
    first, run = _end_unstored(cluster, folder)
    assert _noted(cluster) == [PREFIX + run]
    assert not first.store.get_run(run).state.ended
    second = Rig(cluster, folder, first.store)
    try:
        second.wait(lambda: not _noted(cluster))
        found = second.service.results.show(run).run
        assert (found.state, found.reason) == (RunState.COMPLETED, LATE)
    finally:
        second.stop()


def test_what_was_dropped_is_not_stored(cluster):
    clock, never = FakeClock(), threading.Event()
    ends = UnstoredEnds(cluster, _Records(), clock)
    assert ends.stored(_Write(), never)
    assert not ends.stored(_Write(False), never)
    assert clock.waits == []


def test_an_end_that_is_dropped_again_stays_with_the_mons(cluster):
    clock, records = FakeClock(), _Records(False)
    ends = UnstoredEnds(cluster, records, clock)
    ending = Ending(RunState.FAILED, 'no room')
    ends.note('0000000a', ending, 1000.0, _Write(False))
    for _ in range(3):
        ends.settle()
    assert not records.ends and _noted(cluster)
    clock.now += AGAIN
    ends.settle()
    ends.settle()
    ((run, event),) = records.ends
    assert (run, event.at, event.state) == ('0000000a', 1000.0, ending.state)
    assert event.message == f'no room; {LOST}'
    assert _noted(cluster) == [PREFIX + '0000000a']
    assert not ends.waits('0000000a')  # for a database that dropped it
    clock.now += AGAIN
    records.stores = True
    ends.settle()
    ends.settle()
    assert len(records.ends) == 2 and not _noted(cluster)


def test_an_end_in_the_queue_is_waited_for(cluster):
    write = _Write(False)
    write.lost = False
    ends = UnstoredEnds(cluster, _Records(), FakeClock())
    ending = Ending(RunState.COMPLETED, '')
    ends.note('0000000a', ending, 1000.0, write)
    ends.settle()
    assert ends.waits('0000000a') and not ends.waits('0000000b')
    assert ends.runs() == {'0000000a'}
    write.stored = True
    ends.settle()
    assert not ends.waits('0000000a') and not ends.runs()
