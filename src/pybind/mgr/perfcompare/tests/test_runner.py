"""Runs from submission to verified cleanup, on fakes."""

import dataclasses
import pathlib
import tempfile
import threading
import time

import pytest

from perfcompare import cleanup
from perfcompare import runner as runner_module
from perfcompare import trialrun
from perfcompare.activerun import ActiveRun
from perfcompare.dbthread import DbThread
from perfcompare.errors import Busy, NotFound, NotPermitted, TryAgain
from perfcompare.execution import Execution
from perfcompare.guard import doctor
from perfcompare.journal import Journal, Kept, UndoReport
from perfcompare.models.run import RunState
from perfcompare.models.trial import TrialState
from perfcompare.outcomes import WorkerFailed
from perfcompare.report import listing
from perfcompare.settings import Settings
from perfcompare.store import FileDatabase, Store
from perfcompare.usecases import RunRequest
from perfcompare.wiring import assemble

from .fake_cluster import FakeCluster
from .fake_workers import FakeLauncher
from .guard_data import FakeToolbox

REQUEST = RunRequest(groups=('x86', 'arm'), profile='smoke')


@pytest.fixture
def folder():
    # pytest's own folders are too long for sockets
    with tempfile.TemporaryDirectory() as path:
        yield pathlib.Path(path)


class Rig:
    """One mgr's life over a cluster that outlives it."""

    def __init__(self, cluster, folder, store=None, launcher=None):
        self.cluster = cluster
        self.folder = folder
        self.launcher = launcher or FakeLauncher()
        self.store = store or Store(FileDatabase())
        self.settings = Settings()
        self.service = assemble(
            cluster,
            DbThread(self.store),
            FakeToolbox(),
            lambda: self.settings,
            lambda: str(folder),
            lambda path: self.launcher,
            lambda: 'client-1',
        )
        self.stopping = threading.Event()
        self.thread = threading.Thread(
            target=self.service.serve, args=(self.stopping,), daemon=True
        )
        self.thread.start()

    def wait(self, condition, seconds=30.0):
        deadline = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < deadline, self.service.status()
            time.sleep(0.02)

    def start(self, request=REQUEST):
        self.wait(lambda: not self.service.status().warnings)
        return self.service.start(request).run

    def ended(self, run):
        self.wait(lambda: self.service.status().last.startswith(run))
        return self.service.results.show(run)

    def execute(self, request=REQUEST):
        return self.ended(self.start(request))

    def stop(self):
        self.stopping.set()
        self.service.shutdown()
        self.thread.join(20)
        assert not self.thread.is_alive()


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr('perfcompare.loadrun.POLL', 0.001)
    monkeypatch.setattr('perfcompare.loadrun.WATCH', 0.02)
    monkeypatch.setattr('perfcompare.placement.POLL_SECONDS', 0.001)
    monkeypatch.setattr(trialrun, 'COOLING_LIMIT', 0.05)
    monkeypatch.setattr(runner_module, 'SILENCE_MARGIN', -15.0)


@pytest.fixture
def cluster():
    return FakeCluster()


@pytest.fixture
def rig(cluster, folder):
    found = Rig(cluster, folder)
    yield found
    found.stop()


def left(cluster):
    """Return what carries the name of a run in the cluster."""
    names = [p.name for p in cluster.pools()]
    names += list(cluster.rule_names()) + list(cluster.ec_profile_names())
    names += list(cluster.auth_entities()) + list(cluster.topology().buckets)
    names += list(cluster.kv_list('journal/'))
    names += list(cluster.kv_list('active/'))
    return [n for n in names if 'perfcompare' in n or '/' in n]


def test_run_completes_and_leaves_nothing(rig, cluster, folder):
    detail = rig.execute()
    assert detail.run.state is RunState.COMPLETED, detail.run.reason
    # a conditioning round and three judged ones, of two workloads
    assert len(detail.trials) == 4 * 2 * 2
    assert all(t.state is TrialState.OK for t in detail.trials)
    assert left(cluster) == []
    assert list(folder.iterdir()) == []
    assert cluster.progress == {}


def test_each_trial_carries_its_findings(rig):
    run = rig.execute().run.id
    for trial in rig.service.results.show(run).trials:
        found = trial.evidence['findings']
        assert found['version'] and 'limit' in found
        assert 'CPU' in found['unknown']  # no exporters here
    cells = rig.service.results.findings(run).cells
    assert cells and all(cell.limited.of for cell in cells)


def test_trials_that_begin_before_osds_settle_say_so(rig, cluster):
    rig.launcher.steps = 3
    run = rig.start()
    rig.wait(lambda: rig.launcher.started)
    cluster.perf[0] = {'osd': {'numpg_removing': 3}}
    detail = rig.ended(run)
    marked = [t for t in detail.trials if 'unsettled' in t.evidence]
    assert marked and {t.group for t in marked} == {'x86'}
    assert marked[0].evidence['unsettled'] == ['osd.0 removes 3 PGs']
    shown = listing.run(detail)
    assert 'more trials): began after 0 s of cooling on OSDs' in shown
    assert 'osd.0 removes 3 PGs' in shown
    warnings = rig.service.results.compare('x86', 'arm', []).warnings
    assert any('of x86 began on OSDs that had not' in w for w in warnings)
    assert not any('of arm began' in w for w in warnings)


def test_a_fault_in_findings_costs_no_trial(rig, monkeypatch):
    def broken(*_):
        raise RuntimeError('no such thing')

    monkeypatch.setattr(
        'perfcompare.analysis.findings.conclude.evaluate', broken
    )
    detail = rig.execute()
    assert detail.run.state is RunState.COMPLETED
    assert all('findings' not in t.evidence for t in detail.trials)
    assert rig.service.results.findings(detail.run.id).cells  # made anew


def test_each_round_has_each_block_once_in_the_planned_order(rig):
    detail = rig.execute()
    planned = [
        (b.round, b.index, i, b.workload, g)
        for b in detail.run.plan.blocks
        for i, g in enumerate(b.order)
    ]
    done = [
        (t.round, t.block, t.position, t.workload, t.group)
        for t in detail.trials
    ]
    assert done == planned


def test_write_pools_are_new_in_each_round(rig, cluster):
    rig.execute()
    created = [c.args[0] for c in cluster.called('pool_create')]
    writes = [name for name in created if name.endswith('.write')]
    assert len(writes) == 4 * 2
    reads = [name for name in created if name.endswith('.read-4K')]
    assert len(reads) == 2


def test_cut_trial_voids_and_repeats_its_whole_block(rig):
    launcher = rig.launcher
    original = launcher.failure
    hits = []

    def failure(worker):
        # the second trial of the first judged block
        if '-trial' in worker.name and len(hits) < 6:
            hits.append(worker.name)
            if len(hits) == 6:
                return WorkerFailed('load', 'rados bench died')
        return original(worker)

    launcher.failure = failure
    detail = rig.execute()
    assert detail.run.state is RunState.COMPLETED
    cut = [t for t in detail.trials if t.state is TrialState.VOID]
    assert len(cut) == 2
    assert {(t.round, t.block, t.attempt) for t in cut} == {(1, 0, 1)}
    assert any('rados bench died' in t.reason for t in cut)
    again = [t for t in detail.trials if t.attempt == 2]
    assert [t.group for t in again] == [t.group for t in cut]
    assert all(t.state is TrialState.OK for t in again)


def test_block_that_is_always_cut_fails_the_run(rig, cluster):
    rig.launcher.failure = lambda worker: (
        WorkerFailed('load', 'no luck') if '-trial' in worker.name else None
    )
    detail = rig.execute()
    assert detail.run.state is RunState.FAILED
    assert 'no luck' in detail.run.reason
    assert left(cluster) == []


def test_cancel_keeps_results_and_leaves_nothing(rig, cluster):
    rig.launcher.steps = 40
    run = rig.start()
    rig.wait(lambda: len(rig.launcher.started) > 6)
    rig.service.cancel(run)
    detail = rig.ended(run)
    assert detail.run.state is RunState.CANCELLED
    assert left(cluster) == []
    assert all(w.ended for w in rig.launcher.started)


def test_stop_now_kills_load_before_it_returns(rig, cluster):
    rig.launcher.steps = 10**6
    run = rig.start()
    rig.wait(lambda: rig.launcher.started)
    rig.wait(lambda: rig.launcher.started[-1]._going)
    rig.service.stop(now=True)
    assert rig.launcher.started[-1].ended
    assert rig.ended(run).run.state is RunState.CANCELLED
    assert left(cluster) == []


def test_nothing_is_imported_while_a_run_is_active(rig):
    """Commands come one by one: `stop --now` must not wait for a file."""
    run = rig.execute().run.id
    text = rig.service.results.export(run)
    rig.service.results.remove(run)
    rig.launcher.steps = 10**6
    active = rig.start()
    with pytest.raises(Busy, match=active):
        rig.service.results.import_run(text)
    rig.service.stop(now=True)
    rig.ended(active)
    assert rig.service.results.import_run(text).id == run


def test_osd_that_goes_down_aborts_by_its_rule(rig, cluster):
    rig.launcher.steps = 10**6
    run = rig.start()
    rig.wait(lambda: len(rig.launcher.started) > 0)
    cluster.set_osd(0, up=False)
    detail = rig.ended(run)
    assert detail.run.state is RunState.ABORTED
    assert detail.run.reason.startswith('OSD_DOWN')
    fired = [r for r in detail.run.rules if r.fired]
    assert [r.rule for r in fired] == ['OSD_DOWN']
    assert left(cluster) == []


def test_stop_is_not_lost_while_a_run_is_accepted(rig, monkeypatch):
    save = ActiveRun.save

    def saved(active, run):
        save(active, run)
        rig.service.stop(now=True)

    monkeypatch.setattr(ActiveRun, 'save', saved)
    assert rig.execute().run.state is RunState.CANCELLED
    assert rig.launcher.started == []


def test_a_run_ends_as_soon_as_the_mons_answer_again(
    rig, cluster, monkeypatch
):
    monkeypatch.setattr('perfcompare.control.RETRY', 0.01)
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
    rig.service.cleanup()
    assert rig.execute().run.state is RunState.COMPLETED


def test_emergency_stop_aborts_and_refuses_new_runs(rig, cluster):
    rig.launcher.steps = 10**6
    run = rig.start()
    rig.wait(lambda: rig.launcher.started)
    rig.settings = dataclasses.replace(rig.settings, emergency_stop=True)
    rig.service.options_changed()
    assert rig.ended(run).run.state is RunState.ABORTED
    with pytest.raises(NotPermitted, match='emergency_stop'):
        rig.service.start(REQUEST)


def test_accepted_run_can_be_shown_at_once(rig):
    rig.launcher.steps = 10**6
    run = rig.start()
    assert rig.service.results.show(run).run.id == run
    rig.service.stop(now=True)
    rig.ended(run)


def test_second_run_is_refused_while_one_is_active(rig):
    rig.launcher.steps = 10**6
    run = rig.start()
    with pytest.raises(Busy, match=run):
        rig.service.start(REQUEST)
    rig.service.stop(now=True)
    rig.ended(run)


def test_command_that_names_another_run_is_refused(rig):
    with pytest.raises(NotFound, match='not active'):
        rig.service.cancel('00000000')
    with pytest.raises(NotFound, match='no run'):
        rig.service.stop(now=True)


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
    cluster.kv['active/seen'] = repr(time.time() - 3600)
    second = Rig(cluster, folder, first.store)
    try:
        detail = second.ended(run)
    finally:
        second.stop()
    assert detail.run.state is RunState.INTERRUPTED
    assert left(cluster) == []


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
    report = rig.service.cleanup()
    assert report.clean
    assert cluster.warnings == {}
    assert left(cluster) == []


def test_leftovers_are_undone_again_until_nothing_is_left(
    rig, cluster, monkeypatch
):
    monkeypatch.setattr(runner_module, 'IDLE', 0.01)
    monkeypatch.setattr('perfcompare.cleanup.AGAIN', 0.02)
    run = rig.start()
    rig.wait(lambda: rig.launcher.started)
    cluster.fail_on('auth_remove', 10**6, TryAgain('the mon is silent'))
    rig.wait(lambda: rig.service.status().last.startswith(run), 60)
    assert 'PERFCOMPARE_LEFTOVERS' in cluster.warnings
    tried = len(cluster.called('auth_remove'))
    rig.wait(lambda: len(cluster.called('auth_remove')) > tried)
    assert 'PERFCOMPARE_LEFTOVERS' in cluster.warnings
    cluster.failures.clear()
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
    monkeypatch.setattr(runner_module, 'IDLE', 0.01)
    monkeypatch.setattr('perfcompare.cleanup.Cleanup.again', slow)
    rig.service._runner._cleanup.report(('pool p: it stays',))
    assert going.wait(20)
    for ask in (lambda: rig.service.start(REQUEST), rig.service.cleanup):
        with pytest.raises(Busy, match='being undone; try again'):
            ask()
    go.set()


def test_pauses_between_attempts_grow_and_are_bounded(cluster, monkeypatch):
    now = [100.0]
    monkeypatch.setattr(cleanup.time, 'monotonic', lambda: now[0])
    undoing = cleanup.Cleanup(cluster, Journal(cluster))
    tried = []

    def undo(runs):
        tried.append(now[0])
        raise TryAgain('the mon is silent')

    monkeypatch.setattr(undoing, 'undo', undo)
    undoing.again()
    assert not tried  # nothing is left
    undoing.report(('pool p: it stays',))
    for _ in range(2000):
        undoing.again()
        now[0] += 1.0
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


def test_lost_results_are_told(rig, cluster):
    def broken(store):
        raise KeyError('x')

    assert rig.service.doctor().results == ()
    rig.service.results._database.submit(broken, 'trials of run 1')
    rig.wait(lambda: rig.service.doctor().results)
    (told,) = rig.service.status().warnings
    assert told == rig.service.doctor().results[0]
    assert 'results were lost' in told and 'trials of run 1' in told
    assert f'Results: {told}.' in doctor.text(rig.service.doctor())


def test_silent_database_never_holds_a_run_up(cluster, folder):
    hold = threading.Event()

    class Silent(Store):
        def put_run(self, run):
            hold.wait(30)

        def put_trials(self, run, records):
            hold.wait(30)

    rig = Rig(cluster, folder, Silent(FileDatabase()))
    run = rig.start()
    rig.wait(lambda: rig.service.status().last.startswith(run))
    assert 'completed' in rig.service.status().last
    assert left(cluster) == []
    hold.set()
    rig.stop()
