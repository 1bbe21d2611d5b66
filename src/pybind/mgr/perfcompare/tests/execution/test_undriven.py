"""Rows of runs whose end was lost, and what may be done to them."""

import dataclasses
import json

import pytest

from ...common.errors import Busy, NotFound
from ...execution import undriven
from ...execution.run_end import GONE
from ...execution.takeover import TakeOver
from ...execution.unstored import PREFIX, UnstoredEnds
from ...model.recovery import RecoveryTest, Scenario, TestState
from ...model.run import RunEvent, RunState
from ...recovery.store import recoveries
from ...store import results
from ...store.results import FileDatabase, Store
from ..data.run_data import make_run
from ..fakes import running
from ..fakes.running import Rig
from ..fakes.workers import FakeLauncher

folder = running.folder
cluster = running.cluster

RUN, OTHER, TEST = '0a1b2c3d', '0a1b2c3e', '0a1b2c3f'


def _row(store, run=RUN, **fields):
    made = dataclasses.replace(
        make_run(run), state=RunState.TRIAL, ended=None, **fields
    )
    store.put_run(made)
    return made


@pytest.fixture
def store():
    """Hold a run and a test that a former Manager drove."""
    found = Store(FileDatabase())
    _row(found)
    test = RecoveryTest(
        TEST, TestState.RUNNING, Scenario.OSD_OUT, ('x86',), 1000.0
    )
    recoveries.put(found, test, {})
    return found


def _state(store, run=RUN):
    return store.get_run(run).state


def _looks(rig, number=30):
    """Let the thread that serves look as often as that."""
    rig.clock.now += undriven.AGAIN
    waits = len(rig.clock.waits)
    rig.wait(lambda: len(rig.clock.waits) > waits + number)


def test_what_nobody_drives_ends_when_the_database_is_used(
    cluster, folder, store
):
    rig = Rig(cluster, folder, store)
    try:
        _looks(rig)
        assert not _state(store).ended  # the database is not opened for it
        rig.service.results.list()
        rig.wait(lambda: _state(store).ended)
        rig.wait(lambda: recoveries.get(store, TEST).state.value == 'stopped')
        found = store.get_run(RUN)
    finally:
        rig.stop()
    assert (found.state, found.reason) == (RunState.INTERRUPTED, GONE)
    assert recoveries.get(store, TEST).reason == GONE


def test_nothing_ends_beside_a_run_that_is_under_way(cluster, folder):
    store = Store(FileDatabase())
    rig = Rig(cluster, folder, store)
    try:
        rig.launcher.steps = 10**6
        run = rig.start()
        rig.wait(lambda: rig.launcher.started)
        _row(store)
        rig.service._runner.undriven._ended = False
        _looks(rig)
        assert not _state(store).ended and not _state(store, run).ended
        with pytest.raises(Busy, match='cancel it'):
            rig.service.results.remove(run)
        rig.service.stop(now=True)
        rig.ended(run)
        rig.wait(lambda: _state(store).ended)
        assert _state(store, run) is RunState.CANCELLED
    finally:
        rig.stop()


def test_a_run_that_another_manager_may_resume_stays(
    cluster, folder, monkeypatch
):
    """Here because this one could not take it over."""
    first = Rig(cluster, folder)
    first.launcher.steps = 10**6
    run = first.start()
    first.wait(lambda: first.launcher.started)
    first.stop()
    assert cluster.kv['active/head']

    def broken(takeover, stopping):
        raise RuntimeError('a fault of ours')

    with monkeypatch.context() as patch:
        patch.setattr(TakeOver, 'execute', broken)
        second = Rig(cluster, folder, first.store)
        try:
            second.wait(lambda: second.service.status().progress is None)
            second.service.results.list()
            for _ in range(3):
                _looks(second)
            assert not _state(first.store, run).ended
            with pytest.raises(Busy, match='has not ended'):
                second.service.results.remove(run)
        finally:
            second.stop()
    cluster.kv['active/seen'] = repr(second.clock.wall())
    launcher = FakeLauncher(clock=second.clock.wall)
    launcher.steps = 10**6
    third = Rig(cluster, folder, first.store, launcher)
    try:
        third.wait(lambda: third.launcher.started)
        third.wait(lambda: third.service.status().progress.run == run)
        assert not _state(first.store, run).ended
    finally:
        third.stop()


def test_an_end_that_the_mons_know_is_the_end(
    cluster, folder, store, monkeypatch
):
    ended = ['completed', '', 2000.0]
    cluster.kv[PREFIX + RUN] = json.dumps(ended)
    _row(store, OTHER)

    def take_up(ends):
        raise RuntimeError('a fault of ours')

    with monkeypatch.context() as patch:
        patch.setattr(UnstoredEnds, '_take_up', take_up)
        rig = Rig(cluster, folder, store)
        try:
            rig.service.results.list()
            rig.wait(lambda: _state(store, OTHER).ended)
            assert not _state(store).ended
        finally:
            rig.stop()
    rig = Rig(cluster, folder, store)
    try:
        rig.wait(lambda: _state(store).ended)
    finally:
        rig.stop()
    assert _state(store) is RunState.COMPLETED


def test_what_nobody_drives_can_be_removed(cluster, folder, store):
    """Also what was not looked at, or has a state of another version."""
    _row(store, OTHER)
    with store.database.transaction(write=True) as conn:
        conn.execute("UPDATE run SET state = 'frozen' WHERE id = ?", (RUN,))
        conn.execute('UPDATE run SET created = 1e12 WHERE id = ?', (OTHER,))
    rig = Rig(cluster, folder, store)
    try:
        rig.wait(lambda: not rig.service.status().warnings)
        rig.service.results.list()
        rig.wait(lambda: recoveries.get(store, TEST).state.value == 'stopped')
        assert not _state(store, OTHER).ended
        for run in (RUN, OTHER):
            rig.service.results.remove(run)
            with pytest.raises(NotFound):
                store.get_run(run)
    finally:
        rig.stop()


def test_nothing_is_removed_before_a_takeover_is_decided(
    cluster, folder, store
):
    rig = Rig(cluster, folder, store)
    try:
        rig.wait(lambda: not rig.service.status().warnings)
        rig.service._runner._admission._recovering = True
        with pytest.raises(Busy, match='has not ended'):
            rig.service.results.remove(RUN)
    finally:
        rig.stop()
    assert store.get_run(RUN)


def test_only_the_newest_that_have_no_end_are_given_up(store, monkeypatch):
    monkeypatch.setattr(results, 'NEWEST_RUNS', 3)
    names = [f'0000000{n}' for n in range(5)]
    for name in names:
        _row(store, name, created=1000.0 if name != names[3] else 9000.0)
    done = dataclasses.replace(
        make_run(names[2]), state=RunState.FAILED, reason='r', ended=1500.0
    )
    store.put_run(done)
    event = RunEvent(2000.0, RunState.INTERRUPTED, GONE)
    for _ in range(2):  # a write may be repeated
        store.give_up(event, ())
    # the first are old, one had ended, one was made after it
    assert [_state(store, n).value for n in names] == [
        'trial', 'trial', 'failed', 'trial', 'interrupted',
    ]  # fmt: skip
    assert store.get_run(names[2]).ended == 1500.0
    store.give_up(dataclasses.replace(event, at=1e4), (names[3],))
    assert not _state(store, names[3]).ended


def test_a_state_of_another_version_is_not_overwritten(store):
    with store.database.transaction(write=True) as conn:
        conn.execute("UPDATE run SET state = 'frozen'")
    event = RunEvent(2e9, RunState.INTERRUPTED, GONE)
    store.give_up(event, ())
    store.interrupt(2e9, GONE)
    store.end(RUN, event)
    with store.database.transaction() as conn:
        (row,) = conn.execute('SELECT state, ended FROM run').fetchall()
    assert tuple(row) == ('frozen', None)
