"""What a new mgr does with the run of a former one."""

import dataclasses
import json
import threading
import zlib

import pytest

from ...app.requests import Status
from ...common.errors import Busy, TryAgain
from ...execution.active_run import RESUMES, ActiveRun, Ending
from ...execution.cleanup import AGAIN
from ...execution.takeover import HOME, LOOKING
from ...model.ownership import APPLICATION
from ...model.recovery import RecoveryTest, Scenario, TestState
from ...model.run import RunState
from ...recovery.store import recoveries as recoveries_store
from ...report import listing
from ...undo.journal import Journal, Kind
from ..data.bench_data import RUN
from ..fakes import damage, running
from ..fakes.running import Rig, left

folder = running.folder
cluster = running.cluster


def _cut(cluster, folder, launcher=None):
    """Return what kill -9 in a run leaves: its mgr, its id, the store."""
    first = Rig(cluster, folder)
    first.launcher.steps = 10**6
    run = first.start()
    first.wait(lambda: first.launcher.started)
    first.stopping.set()
    # what a mgr undoes that is shut down in order is put back
    kept = dict(cluster.kv)
    first.stop()
    cluster.kv.update(kept)
    cluster.pool_create(
        f'perfcompare.{run}.x86.write', 8, 'replicated_rule', 2, 1, None
    )
    cluster.pool_set_application(
        f'perfcompare.{run}.x86.write', APPLICATION, 'run', run
    )
    return first, run


RECORDS = {
    'a plan of another version': lambda kv: kv.update(
        damage.parts(zlib.compress(b'{"id": "x"}'))
    ),
    'a part is missing': lambda kv: kv.pop('active/plan/0000'),
    'a part is damaged': lambda kv: kv.update(
        {'active/plan/0000': '?' + kv['active/plan/0000'][1:]}
    ),
    'the head is damaged': lambda kv: kv.update({'active/head': '[1]'}),
    'the head is missing': lambda kv: kv.pop('active/head'),
}


@pytest.mark.parametrize('name', list(RECORDS))
def test_a_run_that_cannot_be_read_is_undone_and_ends(cluster, folder, name):
    first, run = _cut(cluster, folder)
    RECORDS[name](cluster.kv)
    second = Rig(cluster, folder, first.store)
    try:
        second.wait(lambda: not second.service.status().warnings)
        second.wait(lambda: second.service.status().progress is None)
        assert left(cluster) == [] and cluster.warnings == {}
        found = second.service.results.show(run).run
        assert found.state is RunState.INTERRUPTED, found
        assert 'not resumed' in found.reason or 'went away' in found.reason
        assert second.launcher.started == []
        assert second.execute().run.state is RunState.COMPLETED
    finally:
        second.stop()


@pytest.mark.parametrize('name', list(RECORDS))
def test_how_a_run_had_ended_is_stored_though_it_cannot_be_read(
    cluster, folder, name
):
    first, run = _cut(cluster, folder)
    ActiveRun(cluster).end(Ending(RunState.COMPLETED, ''))
    RECORDS[name](cluster.kv)
    second = Rig(cluster, folder, first.store)
    try:
        second.wait(lambda: second.service.status().progress is None)
        found = second.service.results.show(run).run
    finally:
        second.stop()
    known = name.startswith('a part')  # the others lose its id
    ended = RunState.COMPLETED if known else RunState.INTERRUPTED
    assert found.state is ended, found.reason
    assert found.ended and left(cluster) == []


@pytest.mark.parametrize('resumes, goes_on', [('1', True), ('2', False)])
def test_a_run_is_taken_up_twice_at_most(cluster, folder, resumes, goes_on):
    first, run = _cut(cluster, folder)
    cluster.kv['active/resumes'] = resumes
    second = Rig(cluster, folder, first.store)
    try:
        second.wait(lambda: second.service.status().last.startswith(run))
        found = second.service.results.show(run).run
    finally:
        second.stop()
    if goes_on:
        assert found.state is RunState.COMPLETED, found.reason
    else:
        assert found.state is RunState.INTERRUPTED
        assert f'taken up {RESUMES} times already' in found.reason
        assert second.launcher.started == []
    assert left(cluster) == []


def test_a_run_of_which_something_is_left_does_not_go_on(cluster, folder):
    first, run = _cut(cluster, folder)
    key = next(k for k, v in cluster.kv.items() if '"kind": "key"' in v)
    cluster.kv[key] = '{"kind": "key"'
    second = Rig(cluster, folder, first.store)
    try:
        second.wait(lambda: second.service.status().last.startswith(run))
        found = second.service.results.show(run).run
    finally:
        second.stop()
    assert found.state is RunState.INTERRUPTED
    assert 'not resumed: 1 objects of it could not be undone' in found.reason
    assert second.launcher.started == []
    assert key in cluster.kv


def _chosen(cluster, run, home):
    """Journal a primary whose PG is elsewhere until ``home`` says not."""
    pool = cluster.add_pool('data', pg_num=4)
    pg_map = cluster.pg_map
    wanted = {(pool.id, 1): pg_map(pool.name)[1].up[-1]}
    word = f'{pool.id}.1={wanted[(pool.id, 1)]}'
    Journal(cluster).intend(
        run, Kind.UPMAPS, 'o.primaries.0', {'primaries': word}
    )

    def mapped(name):
        return [
            pg if home() else dataclasses.replace(pg, acting=(97, 98))
            for pg in pg_map(name)
        ]

    cluster.pg_map = mapped
    return wanted


def test_a_run_waits_for_primaries_that_wait_for_their_data(cluster, folder):
    first, run = _cut(cluster, folder)
    began = cluster.clock.monotonic()
    wanted = _chosen(
        cluster, run, lambda: cluster.clock.monotonic() > began + 300
    )
    second = Rig(cluster, folder, first.store)
    try:
        found = second.ended(run).run
    finally:
        second.stop()
    assert found.state is RunState.COMPLETED, found.reason
    assert cluster.primaries == wanted
    assert left(cluster) == [] and cluster.warnings == {}


def test_a_run_whose_primaries_stay_away_does_not_go_on(cluster, folder):
    first, run = _cut(cluster, folder)
    began = cluster.clock.monotonic()
    _chosen(cluster, run, lambda: False)
    second = Rig(cluster, folder, first.store)
    try:
        found = second.ended(run).run
    finally:
        second.stop()
    assert found.state is RunState.INTERRUPTED
    assert 'not resumed: 1 objects of it could not be undone' in found.reason
    assert second.clock.monotonic() - began >= HOME
    assert 'PERFCOMPARE_LEFTOVERS' in cluster.warnings


def test_an_operator_ends_a_run_that_waits_for_primaries(cluster, folder):
    first, run = _cut(cluster, folder)
    began = cluster.clock.monotonic()
    asked = []

    def home():
        if cluster.clock.monotonic() > began + 60 and not asked:
            asked.append(second.service.cancel(run))
        return False

    _chosen(cluster, run, home)
    second = Rig(cluster, folder, first.store)
    try:
        second.wait(lambda: second.service.status().progress is None)
        found = second.service.results.show(run).run
    finally:
        second.stop()
    assert asked and second.launcher.started == []
    assert second.clock.monotonic() - began < HOME
    assert found.state is RunState.CANCELLED, found.reason


def test_fields_that_a_later_version_adds_stop_nothing(cluster, folder):
    first, run = _cut(cluster, folder)
    for key, text in list(cluster.kv.items()):
        if key.startswith('journal/'):
            cluster.kv[key] = json.dumps({**json.loads(text), 'new': [1]})
    second = Rig(cluster, folder, first.store)
    try:
        second.wait(lambda: second.service.status().last.startswith(run))
        found = second.service.results.show(run).run
    finally:
        second.stop()
    assert found.state is RunState.COMPLETED, found.reason
    assert left(cluster) == [] and cluster.warnings == {}


def test_a_resume_is_counted_before_anything_else(
    cluster, folder, monkeypatch
):
    first, run = _cut(cluster, folder)
    counted = []

    def trials(records, ident, timeout):
        counted.append(cluster.kv['active/resumes'])
        return first.store.trials(ident)

    monkeypatch.setattr('perfcompare.store.records.Records.trials', trials)
    second = Rig(cluster, folder, first.store)
    try:
        second.ended(run)
    finally:
        second.stop()
    assert counted == ['1']


@pytest.mark.parametrize('fault', ['kv_list', 'pools', 'topology'])
def test_a_fault_in_taking_over_ends_no_thread(cluster, folder, fault):
    first, run = _cut(cluster, folder)
    cluster.fail_on(fault, 3, RuntimeError('a fault of ours'))
    second = Rig(cluster, folder, first.store)

    def undone():
        second.clock.now += AGAIN
        return not second.service.status().warnings

    try:
        second.wait(lambda: second.service.status().progress is None)
        second.wait(undone)
        second.service.cleanup()
        assert second.thread.is_alive()
        names = [n for n in left(cluster) if not n.startswith('active/')]
        assert names == []
    finally:
        second.stop()


# what is said meanwhile


def test_a_run_that_is_taken_over_is_resuming_until_it_goes_on(
    cluster, folder, monkeypatch
):
    first, run = _cut(cluster, folder)
    seen = []
    known = threading.Event()
    real = Journal.undo_all

    def undo(self, ident):
        assert known.wait(30.0)  # it may begin before the Rig is returned
        service = second.service
        seen.append(
            (
                service.status().progress,
                service.results.show(run).run.state,
                service.results.list().runs[0].state,
                dict(cluster.warnings),
            )
        )
        return real(self, ident)

    monkeypatch.setattr(Journal, 'undo_all', undo)
    second = Rig(cluster, folder, first.store)
    known.set()
    try:
        detail = second.ended(run)
    finally:
        second.stop()
    progress, shown, listed, warnings = seen[0]
    assert (progress.run, progress.state) == (run, RunState.RESUMING)
    assert shown is listed is RunState.RESUMING
    summary, _ = warnings['PERFCOMPARE_RUN_CUT']
    assert run in summary and 'ceph perfcompare status' in summary
    assert detail.run.state is RunState.COMPLETED
    assert cluster.warnings == {} and not RunState.RESUMING.ended


def test_a_recovery_test_that_is_taken_over_is_resuming(
    cluster, folder, monkeypatch
):
    seen = []
    known = threading.Event()
    real = Journal.undo_all

    def undo(self, ident):
        assert known.wait(30.0)  # it may begin before the Rig is returned
        recoveries = second.service.recoveries
        with pytest.raises(Busy):
            recoveries.remove(run)
        shown = recoveries.show(run).item.state
        stored = recoveries_store.get(first.store, run).state
        seen.append((recoveries.list().items[0].state, shown, stored))
        return real(self, ident)

    first, run = _cut(cluster, folder)
    test = RecoveryTest(
        run, TestState.RUNNING, Scenario.OSD_OUT, ('x86',), 1000.0
    )
    recoveries_store.put(first.store, test, {})
    monkeypatch.setattr(Journal, 'undo_all', undo)
    second = Rig(cluster, folder, first.store)
    known.set()
    try:
        second.wait(lambda: second.service.status().progress is None)
    finally:
        second.stop()
    # that is no matter of what is stored
    assert seen[0] == ('resuming', TestState.RESUMING, TestState.RUNNING)
    assert not TestState.RESUMING.ended


def test_before_it_is_known_status_says_no_end():
    text = listing.status(Status(LOOKING))
    assert 'resuming' in text and 'no run is active' not in text
    text = listing.status(Status(dataclasses.replace(LOOKING, run=RUN)))
    assert RUN in text


@pytest.mark.parametrize('how', ['cancel', 'stop', 'emergency'])
def test_an_operator_ends_a_run_that_is_taken_over(
    cluster, folder, monkeypatch, how
):
    first, run = _cut(cluster, folder)
    known = threading.Event()
    asked = []
    real = Journal.undo_all

    def undo(self, ident):
        assert known.wait(30.0)  # it may begin before the Rig is returned
        if how == 'cancel':
            second.service.cancel(run)
        elif how == 'stop':
            asked.append(second.service.stop(now=True))
        else:
            second.service._runner.emergency_stop()
        return real(self, ident)

    monkeypatch.setattr(Journal, 'undo_all', undo)
    second = Rig(cluster, folder, first.store)
    known.set()
    try:
        found = second.ended(run).run
    finally:
        second.stop()
    ended = RunState.ABORTED if how == 'emergency' else RunState.CANCELLED
    assert found.state is ended
    assert second.launcher.started == [] and left(cluster) == []
    for stopping in asked:  # a load of the former Manager was not at hand
        assert stopping.run == run and not stopping.killed
        told = listing.stopping(stopping)
        assert 'is dead' not in told and 'within worker_lease' in told


def test_an_end_that_is_asked_for_meanwhile_outlives_this_mgr(
    cluster, folder, monkeypatch
):
    first, run = _cut(cluster, folder)
    noted = []
    known = threading.Event()
    real = Journal.undo_all

    def undo(self, ident):
        assert known.wait(30.0)  # it may begin before the Rig is returned
        second.service.cancel(run)
        second.wait(lambda: 'active/end' in cluster.kv)
        noted.append(cluster.kv['active/end'])
        return real(self, ident)

    monkeypatch.setattr(Journal, 'undo_all', undo)
    second = Rig(cluster, folder, first.store)
    known.set()
    try:
        assert second.ended(run).run.state is RunState.CANCELLED
    finally:
        second.stop()
    assert 'cancelled by an operator' in noted[0]
    assert left(cluster) == []


def test_mons_that_are_silent_are_waited_for(cluster, folder, monkeypatch):
    first, run = _cut(cluster, folder)
    told = []
    monkeypatch.setattr(
        cluster,
        'set_health_warning',
        lambda code, summary, detail: told.append(summary),
    )
    cluster.fail_on('auth_entities', 4, TryAgain('the mon is silent'))
    second = Rig(cluster, folder, first.store)
    try:
        assert second.ended(run).run.state is RunState.COMPLETED
    finally:
        second.stop()
    assert left(cluster) == []
    assert any('not undone yet: the mon is silent' in text for text in told)
