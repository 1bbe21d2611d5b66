"""How runs end, are undone, and are taken up by the next mgr."""

import dataclasses
import errno
import os
import threading

import pytest

from perfcompare.common.errors import Busy, TryAgain
from perfcompare.execution import cleanup, notice
from perfcompare.execution.active_run import ActiveRun, Ending
from perfcompare.execution.end_state import end_of
from perfcompare.execution.notice import Notice
from perfcompare.execution.run import Execution
from perfcompare.model.run import RunState
from perfcompare.model.trial import TrialState
from perfcompare.report import listing
from perfcompare.undo.journal import Journal, Kept, UndoReport

from ..fakes import running
from ..fakes.clock import FakeClock
from ..fakes.running import REQUEST, Rig, left
from ..fakes.workers import FakeWorker

folder = running.folder
cluster = running.cluster
rig = running.rig


def test_a_run_ends_as_soon_as_the_mons_answer_again(
    rig, cluster, monkeypatch
):
    clear, refused = ActiveRun.clear, []

    def cleared(active):
        if rig.launcher.started and len(refused) < 3:
            refused.append(True)
            raise TryAgain('no mon answers')
        clear(active)

    monkeypatch.setattr(ActiveRun, 'clear', cleared)
    assert rig.execute().run.state is RunState.COMPLETED
    assert refused and left(cluster) == []
    assert rig.execute().run.state is RunState.COMPLETED


@pytest.mark.parametrize(
    'fault', [(Execution, 'close'), (Journal, 'undo_all')]
)
def test_a_fault_of_ours_at_the_end_does_not_hold_the_next_run_up(
    rig, monkeypatch, fault
):
    def broken(*_):
        raise RuntimeError('a fault of ours')

    with monkeypatch.context() as patch:
        patch.setattr(*fault, broken)
        assert rig.execute().run.state is RunState.COMPLETED
    rig.clean_up()
    assert rig.execute().run.state is RunState.COMPLETED


def test_a_cancel_stands_whatever_fails_before_it_is_heard(
    rig, cluster, monkeypatch
):
    """The operator was told so."""

    def measure(execution):
        rig.service.cancel(execution.run.id)
        raise TryAgain('mon did not answer within 30 s')

    monkeypatch.setattr(Execution, 'measure', measure)
    found = rig.execute().run
    assert found.state is RunState.CANCELLED
    assert found.reason == (
        'cancelled by an operator; meanwhile: mon did not answer within 30 s'
    )
    assert left(cluster) == []


@pytest.mark.parametrize(
    'fault, traced',
    [(RuntimeError('a fault of ours'), True), (TryAgain('no mon'), False)],
)
def test_only_a_fault_of_ours_is_logged_with_its_traceback(
    rig, monkeypatch, caplog, fault, traced
):
    def broken(*_):
        raise fault

    monkeypatch.setattr(Execution, 'measure', broken)
    found = rig.execute().run
    assert found.state in (RunState.FAILED, RunState.INTERRUPTED)
    told = [r for r in caplog.records if r.getMessage() == f'run {found.id}']
    assert [bool(r.exc_info) for r in told] == [True] * traced


def test_a_fault_of_the_host_is_told_as_such():
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), '/run/x')
    assert end_of(full) == (
        RunState.FAILED,
        "on the Manager's host: '/run/x': No space left on device",
    )
    assert end_of(KeyError('x'))[1] == 'internal error: KeyError'


def test_run_goes_on_in_the_next_mgr_and_repeats_the_cut_block(
    cluster, folder
):
    first = Rig(cluster, folder)
    first.launcher.steps = 3
    run = first.start()
    first.wait(lambda: len(first.launcher.started) > 12)
    first.stop()
    before = first.store.trials(run)
    assert before and len(before) < 16
    second = Rig(cluster, folder, first.store)
    try:
        detail = second.ended(run)
    finally:
        second.stop()
    assert detail.run.state is RunState.COMPLETED, detail.run.reason
    good = [t for t in detail.trials if t.state is TrialState.OK]
    assert len({(t.round, t.block, t.group) for t in good}) == 16
    assert all(t in detail.trials for t in before)
    assert left(cluster) == []


def test_run_that_was_cut_long_ago_is_undone_and_not_resumed(cluster, folder):
    first = Rig(cluster, folder)
    first.launcher.steps = 3
    run = first.start()
    first.wait(lambda: len(first.launcher.started) > 8)
    first.stop()
    cluster.kv['active/seen'] = repr(first.clock.wall() - 3600)
    second = Rig(cluster, folder, first.store)
    try:
        detail = second.ended(run)
    finally:
        second.stop()
    assert detail.run.state is RunState.INTERRUPTED
    assert left(cluster) == []


def test_a_run_goes_on_however_long_its_undo_takes(
    cluster, folder, monkeypatch
):
    """A bucket may have millions of objects; its Manager is at it."""
    first = Rig(cluster, folder)
    first.launcher.steps = 3
    run = first.start()
    first.wait(lambda: len(first.launcher.started) > 8)
    first.stop()
    undo = Journal.undo_all

    def slow(journal, name):
        first.clock.now += 3600
        return undo(journal, name)

    with monkeypatch.context() as patch:
        patch.setattr(Journal, 'undo_all', slow)
        second = Rig(cluster, folder, first.store)
        try:
            detail = second.ended(run)
        finally:
            second.stop()
    assert detail.run.state is RunState.COMPLETED, detail.run.reason


def test_cancelled_run_that_is_being_undone_is_not_taken_up_again(
    cluster, folder
):
    first = Rig(cluster, folder)
    first.launcher.steps = 10**6
    run = first.start()
    first.wait(lambda: first.launcher.started)
    kept = []
    undo = Journal.undo_all

    def undone(journal, name):
        kept.append(dict(cluster.kv))  # what kill -9 would leave here
        return undo(journal, name)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Journal, 'undo_all', undone)
        first.service.cancel(run)
        first.ended(run)
    first.stop()
    cluster.kv.update(kept[0])
    first.store.rm_run(run)
    second = Rig(cluster, folder, first.store)
    try:
        detail = second.ended(run)
    finally:
        second.stop()
    assert detail.run.state is RunState.CANCELLED
    assert detail.run.reason == 'cancelled by an operator'
    assert second.launcher.started == []
    assert left(cluster) == []


def test_an_end_that_cannot_be_written_is_told(rig, cluster, monkeypatch):
    told = []

    def end(active, ending):
        raise TryAgain('mon did not answer within 30 s')

    def clear(active):
        if rig.launcher.started and not told:
            told.extend(rig.service.status().warnings)
        cleared(active)

    cleared = ActiveRun.clear
    rig.launcher.steps = 10**6
    run = rig.start()
    rig.wait(lambda: rig.launcher.started)
    monkeypatch.setattr(ActiveRun, 'end', end)
    monkeypatch.setattr(ActiveRun, 'clear', clear)
    rig.service.cancel(run)
    rig.ended(run)
    assert 'could not be written: mon did not answer' in told[0]
    assert run in told[0] and 'cancel it there again' in told[0]
    assert not rig.service.status().warnings


def test_killed_mgr_leaves_a_journal_that_the_next_one_replays(
    cluster, folder
):
    first = Rig(cluster, folder)
    first.launcher.steps = 10**6
    run = first.start()
    first.wait(lambda: len(first.launcher.started) > 0)
    # what kill -9 leaves: the stores as they are, and the pools
    kept = dict(cluster.kv)
    assert any(k.startswith('journal/') for k in kept)
    assert left(cluster)
    first.service.stop(now=True)
    first.ended(run)
    first.stop()
    assert left(cluster) == []


def test_leftovers_become_a_health_warning_and_cleanup_takes_it_back(
    rig, cluster
):
    cluster.fail_on('auth_remove', 100, TryAgain('the mon is silent'))
    run = rig.start()
    rig.wait(lambda: rig.service.status().last.startswith(run), 60)
    assert 'PERFCOMPARE_LEFTOVERS' in cluster.warnings
    cluster.failures.clear()
    assert rig.clean_up().clean
    assert cluster.warnings == {}
    assert left(cluster) == []


def test_leftovers_are_undone_again_until_nothing_is_left(rig, cluster):
    run = rig.start()
    rig.wait(lambda: rig.launcher.started)
    cluster.fail_on('auth_remove', 10**6, TryAgain('the mon is silent'))
    rig.wait(lambda: rig.service.status().last.startswith(run), 60)
    assert 'PERFCOMPARE_LEFTOVERS' in cluster.warnings
    tried = len(cluster.called('auth_remove'))
    rig.clock.now += cleanup.AGAIN
    rig.wait(lambda: len(cluster.called('auth_remove')) > tried)
    assert 'PERFCOMPARE_LEFTOVERS' in cluster.warnings
    cluster.failures.clear()
    rig.clock.now += cleanup.SELDOM
    rig.wait(lambda: not cluster.warnings)
    assert left(cluster) == []
    assert not rig.service.status().warnings
    assert rig.execute().run.state is RunState.COMPLETED


def test_no_run_is_accepted_while_leftovers_are_undone(
    rig, cluster, monkeypatch
):
    going, go = threading.Event(), threading.Event()

    def slow(_):
        going.set()
        go.wait(20)
        return UndoReport()

    rig.execute()
    monkeypatch.setattr('perfcompare.execution.cleanup.Cleanup.again', slow)
    rig.service._runner._cleanup.report(('pool p: it stays',))
    assert going.wait(20)
    for ask in (lambda: rig.service.start(REQUEST), rig.service.cleanup):
        with pytest.raises(Busy, match='being undone; try again'):
            ask()
    go.set()


def test_pauses_between_attempts_grow_and_are_bounded(cluster, monkeypatch):
    clock = FakeClock(100.0)
    undoing = cleanup.Cleanup(cluster, Journal(cluster), clock)
    tried = []

    def undo(runs):
        tried.append(clock.now)
        raise TryAgain('the mon is silent')

    monkeypatch.setattr(undoing, 'undo', undo)
    undoing.again()
    assert not tried  # nothing is left
    undoing.report(('pool p: it stays',))
    for _ in range(2000):
        undoing.again()
        clock.now += 1.0
    pauses = [b - a for a, b in zip([100.0, *tried], tried)]
    assert pauses[:6] == [10, 20, 40, 80, 160, 300]
    assert set(pauses[6:]) == {300}


def test_what_is_kept_is_told(rig, cluster, monkeypatch):
    kept = UndoReport(kept=(Kept('bucket b', 'it is precious'),))
    real = Journal.undo_all
    monkeypatch.setattr(
        Journal, 'undo_all', lambda self, run: real(self, run).merge(kept)
    )
    found = rig.execute()
    (told,) = [e for e in found.run.events if 'precious' in e.message]
    assert told.message.startswith('kept: ') and told.state == 'finishing'
    assert any(
        level == 'warn' and told.message in m for level, m in cluster.log
    )


def test_a_cancelled_run_is_known_as_such_before_its_load_is_dead(
    rig, cluster, monkeypatch
):
    """A mgr that dies in between must not have its next go on with it."""
    rig.launcher.steps = 10**6
    run = rig.start()
    rig.wait(lambda: rig.launcher.started)
    dying, dead = threading.Event(), []
    kill = FakeWorker.kill

    def slow(worker):
        dying.wait(10)
        dead.append(worker)
        kill(worker)

    monkeypatch.setattr(FakeWorker, 'kill', slow)
    rig.service.cancel(run)
    try:
        rig.wait(lambda: 'active/end' in cluster.kv)
        assert 'cancelled by an operator' in cluster.kv['active/end']
        assert dead == []
    finally:
        dying.set()
    assert rig.ended(run).run.state is RunState.CANCELLED
    assert left(cluster) == []


@pytest.mark.parametrize('now', [True, False])
@pytest.mark.parametrize('hosts', [None, ('load-1', 'load-2')])
def test_load_that_is_not_at_hand_is_not_called_dead(
    rig, monkeypatch, hosts, now
):
    """An order to kill it arrives with the next exchange."""
    rig.launcher.steps = 10**6
    run = rig.start()
    rig.wait(lambda: rig.launcher.started)
    runner = rig.service._runner
    plan = runner.current.plan
    options = dataclasses.replace(plan.options, load_hosts=hosts)
    item = dataclasses.replace(
        runner.current, plan=dataclasses.replace(plan, options=options)
    )
    monkeypatch.setattr(type(runner), 'current', property(lambda _: item))
    asked = rig.service.stop(now)
    assert asked.run == run
    assert asked.killed == (now and not hosts)
    assert asked.load_hosts == ((hosts or ()) if now else ())
    text = listing.stopping(asked)
    assert ('its load is dead' in text) == asked.killed
    told = 'any load on load-1, load-2 is being killed there (about a second'
    assert (told in text) == (now and hosts is not None)
    rig.wait(lambda: rig.service.status().last.startswith(run))


def test_cancel_does_not_wait_for_the_mons(rig, cluster, monkeypatch):
    rig.launcher.steps = 10**6
    run = rig.start()
    rig.wait(lambda: rig.launcher.started)
    answering = threading.Event()
    end = ActiveRun.end

    def slow(active, ending):
        answering.wait(10)
        end(active, ending)

    monkeypatch.setattr(ActiveRun, 'end', slow)
    monkeypatch.setattr(notice, 'PATIENCE', 0.0)
    asked = rig.service.cancel(run)  # or it would wait for what comes next
    assert not asked.noted
    assert 'give the same command again' in listing.stopping(asked)
    answering.set()
    assert rig.ended(run).run.state is RunState.CANCELLED


def test_cancel_says_whether_it_outlives_the_manager(monkeypatch):
    monkeypatch.setattr(notice, 'PATIENCE', 10.0)
    ending = Ending(RunState.CANCELLED, 'cancelled by an operator')
    written = []
    found = Notice(lambda end: not written.append(end))
    assert found.give(ending) and found.give(ending)
    assert written == [ending]
    assert not Notice(lambda end: False).give(ending)


def test_a_cancel_that_comes_too_late_writes_nothing():
    written = []
    found = Notice(written.append)
    found.settle()
    ending = Ending(RunState.CANCELLED, 'cancelled by an operator')
    assert not found.give(ending)
    assert written == []
