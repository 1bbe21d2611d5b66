"""Runs from submission to verified cleanup, on fakes."""

import dataclasses
import errno
import threading

import pytest

from perfcompare.common.errors import (
    Busy,
    NotFound,
    NotPermitted,
    PerfcompareError,
)
from perfcompare.drivers.rados.driver import RadosDriver
from perfcompare.execution.active_run import ActiveRun
from perfcompare.execution.cooling import Cooling
from perfcompare.execution.heartbeat import PERIOD
from perfcompare.guard import doctor
from perfcompare.model.run import RunState
from perfcompare.model.trial import TrialState
from perfcompare.report import listing
from perfcompare.store.results import FileDatabase, Store
from perfcompare.workers.outcomes import WorkerFailed

from ..fakes import running
from ..fakes.running import REQUEST, Rig, left

folder = running.folder
cluster = running.cluster
rig = running.rig


def test_run_completes_and_leaves_nothing(rig, cluster, folder):
    detail = rig.execute()
    assert detail.run.state is RunState.COMPLETED, detail.run.reason
    # a conditioning round and three judged ones, of two workloads
    assert len(detail.trials) == 4 * 2 * 2
    assert all(t.state is TrialState.OK for t in detail.trials)
    assert left(cluster) == []
    assert list(folder.iterdir()) == []
    assert cluster.progress == {}


def test_the_cluster_log_says_how_a_run_is_ended(rig, cluster):
    """It is what is left to read when the module is disabled under it."""
    run = rig.execute().run.id
    (told,) = [m for _, m in cluster.log if ' starts: ' in m]
    assert f'ceph perfcompare cancel {run}' in told
    assert 'never disable the module before' in told


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
    assert 'more trials): began after 60 s of cooling on OSDs' in shown
    assert 'osd.0 removes 3 PGs' in shown
    warnings = rig.service.results.compare('x86', 'arm', []).warnings
    assert any('of x86 began on OSDs that had not' in w for w in warnings)
    assert not any('of arm began' in w for w in warnings)


def test_a_run_says_that_it_is_driven_while_a_trial_lasts(rig, cluster):
    """Whether it is taken up again depends on when it was cut."""
    seen, original = [], cluster.kv_set

    def kv_set(key, value):
        original(key, value)
        if key == 'active/seen':
            seen.append(rig.clock.now)

    cluster.kv_set = kv_set
    rig.launcher.steps = 120  # a job lasts 24 s
    rig.execute()
    assert max(b - a for a, b in zip(seen, seen[1:])) < 2 * PERIOD


def test_a_plan_whose_answer_got_lost_is_started_by_nobody(rig, cluster):
    """The mons stored it, and their answer did not come."""
    original = cluster.kv_set

    def kv_set(key, value):
        original(key, value)
        if key == 'active/head':
            raise PerfcompareError('the mons did not answer', errno.EAGAIN)

    cluster.kv_set = kv_set
    with pytest.raises(PerfcompareError):
        rig.start()
    rig.wait(lambda: not cluster.kv_list('active/'))
    cluster.kv_set = original
    assert rig.execute().run.state is RunState.COMPLETED


def test_what_a_round_left_is_removed_before_osds_are_waited_for(
    rig, monkeypatch
):
    """Buckets in gateways of others: OSDs work on millions of objects."""
    done = []
    for owner, name in ((RadosDriver, 'new_round'), (Cooling, 'settle')):
        original = getattr(owner, name)

        def noted(*args, name=name, original=original):
            done.append(name)
            return original(*args)

        monkeypatch.setattr(owner, name, noted)
    rig.execute()
    # before the first round, the gentle start; before each other one
    first, others = done[:2], done[2:]
    assert first == ['settle', 'new_round']
    assert len(others) > 3 and len(others) % 3 == 0
    assert others == ['new_round', 'settle', 'new_round'] * (len(others) // 3)


def test_what_an_execution_holds_is_given_back_when_it_cannot_be_made(
    rig, cluster, folder, monkeypatch
):
    def broken(*_):
        raise RuntimeError('no such driver')

    monkeypatch.setattr('perfcompare.drivers.registry.drivers', broken)
    detail = rig.execute()
    assert detail.run.state is RunState.FAILED
    assert list(folder.iterdir()) == [] and left(cluster) == []


def test_results_go_when_less_is_to_be_kept_and_when_they_are_old(rig):
    def stored():
        return [run.id for run in rig.service.results.list().runs]

    first, second = rig.execute().run.id, rig.execute().run.id
    assert set(stored()) == {first, second}
    rig.settings = dataclasses.replace(rig.settings, retention_runs=1)
    rig.service.options_changed()
    rig.wait(lambda: stored() == [second])
    third = rig.execute().run.id
    rig.settings = dataclasses.replace(rig.settings, retention_runs=9)
    rig.service.options_changed()
    fourth = rig.execute().run.id
    assert set(stored()) == {third, fourth}
    rig.settings = dataclasses.replace(rig.settings, retention_days=30)
    rig.service.options_changed()
    rig.clock.now += 31 * 86400
    rig.wait(lambda: stored() == [])


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


def test_what_comes_before_a_trial_is_repeated_with_it(rig):
    """A pass over objects that is lost, as with its load host."""
    original = rig.launcher.failure
    passes = []

    def failure(worker):
        if '-warm' in worker.name:
            passes.append(worker.job.access.pool)
            if len(passes) == 2:
                return WorkerFailed('load', 'load host h1 was lost')
        return original(worker)

    rig.launcher.failure = failure
    detail = rig.execute()
    assert detail.run.state is RunState.COMPLETED, detail.run.reason
    _, lost, done = passes
    assert lost == done
    cut = [t for t in detail.trials if t.state is TrialState.VOID]
    assert any(t.reason == 'load host h1 was lost' for t in cut)
    blocks = {(t.round, t.block) for t in cut}
    assert len(blocks) == 1
    again = [
        t
        for t in detail.trials
        if (t.round, t.block) in blocks and t.attempt == 2
    ]
    assert len(again) == 2
    assert all(t.state is TrialState.OK for t in again)


def test_what_a_cut_trial_wrote_is_counted(rig, monkeypatch):
    plain = RadosDriver.cut
    seen = []

    def cut(driver, workload, group, ops, bound):
        before = driver.stored(group)
        further = plain(driver, workload, group, ops, bound)
        seen.append((workload, ops, bound, driver.stored(group) - before))
        return further

    monkeypatch.setattr(RadosDriver, 'cut', cut)
    original = rig.launcher.failure
    trials, failed = [], []

    def failure(worker):
        if '-trial' in worker.name:
            trials.append(worker)
            # not in the first round: its bound is all that there is room for
            if len(trials) > 4 and worker.job.op not in {
                w.job.op for w in failed
            }:
                failed.append(worker)
                kind = 'bound' if worker.job.op == 'write' else 'load'
                return WorkerFailed(kind, 'x')
        return original(worker)

    rig.launcher.failure = failure
    run = rig.execute().run
    assert run.state is RunState.COMPLETED, run.reason
    assert sorted(bound for _, _, bound, _ in seen) == [False, True]
    for (workload, ops, _, more), worker in zip(seen, failed):
        # two live figures, what was in flight, a second until the next one
        rate = rig.launcher.rate(worker.job)
        assert ops == int(2 * rate) + worker.job.concurrency + int(rate)
        # and the objects of the probe, which may all be there
        wrote = ops + worker.job.probe_objects
        assert more == (0 if workload.reads else wrote * workload.size)
    assert {w.reads for w, _, _, _ in seen} == {True, False}


def test_block_that_is_always_cut_fails_the_run(rig, cluster):
    rig.launcher.failure = lambda worker: (
        WorkerFailed('load', 'no luck') if '-trial' in worker.name else None
    )
    detail = rig.execute()
    assert detail.run.state is RunState.FAILED
    assert 'no luck' in detail.run.reason
    assert left(cluster) == []


@pytest.mark.parametrize('which, attempts', [('first', 1), ('second', 2)])
def test_a_load_that_has_no_more_room_is_not_repeated(
    rig, cluster, which, attempts
):
    """The room of its pool is a bound that no repetition raises."""
    original = rig.launcher.failure
    writes, full = [], []

    def failure(worker):
        if '-trial' in worker.name and worker.job.op == 'write':
            writes.append(worker)
            # from the second round on the bound is what was seen before
            if which == 'first' or len(writes) > 2:
                full.append(worker)
                return WorkerFailed('bound', 'met its bound of 8 objects')
        return original(worker)

    rig.launcher.failure = failure
    detail = rig.execute()
    assert detail.run.state is RunState.FAILED
    assert 'met its bound of 8 objects; give a shorter' in detail.run.reason
    assert len(full) == attempts
    void = [t for t in detail.trials if t.state is TrialState.VOID]
    assert any('its bound of 8' in t.reason for t in void)
    assert left(cluster) == []


def test_cancel_keeps_results_and_leaves_nothing(rig, cluster):
    rig.launcher.steps = 40
    run = rig.start()
    rig.wait(lambda: len(rig.launcher.started) > 6)
    with pytest.raises(NotFound, match=f'is not active, {run} is; give that'):
        rig.service.cancel('0a1b2c3d')
    rig.service.cancel(run)
    detail = rig.ended(run)
    assert detail.run.state is RunState.CANCELLED
    assert left(cluster) == []
    assert all(w.ended for w in rig.launcher.started)
    rig.wait(lambda: rig.service._runner.current is None)
    with pytest.raises(NotFound, match='no other is; `ceph perfcompare ls`'):
        rig.service.cancel(run)


def test_stop_now_kills_load_before_it_returns(rig, cluster):
    rig.launcher.steps = 10**6
    run = rig.start()
    rig.wait(lambda: rig.launcher.started)
    rig.wait(lambda: rig.launcher.started[-1]._going)
    with pytest.raises(NotFound, match=f"'0a1b2c3d' is not active, {run} is"):
        rig.service.stop(now=True, run='0a1b2c3d')
    assert not rig.launcher.started[-1].ended
    rig.service.stop(now=True, run=run)
    assert rig.launcher.started[-1].ended
    assert rig.ended(run).run.state is RunState.CANCELLED
    assert left(cluster) == []


@pytest.mark.process
def test_nothing_is_imported_while_a_run_is_active(rig):
    """Its reader would take CPU where the load's client runs."""
    run = rig.execute().run.id
    text = rig.service.results.export(run)
    rig.service.results.remove(run)
    rig.launcher.steps = 10**6
    active = rig.start()
    with pytest.raises(Busy, match=active):
        rig.service.results.import_run(text)
    rig.service.stop(now=True)
    rig.ended(active)
    imported = rig.service.results.import_run(text)
    assert imported.id == run


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


@pytest.mark.process
def test_lost_results_are_told(rig, cluster):
    def broken(store):
        raise KeyError('x')

    rig.wait(lambda: not rig.service.status().warnings)  # it has begun
    assert rig.service.doctor().results == ()
    rig.service.results._database.submit(broken, 'trials of run 1')
    rig.wait(lambda: rig.service.doctor().results)
    (told,) = rig.service.status().warnings
    assert told == rig.service.doctor().results[0]
    assert 'results were lost' in told and 'trials of run 1' in told
    assert f'Results: {told}.' in doctor.text(rig.service.doctor())


@pytest.mark.process
@pytest.mark.parametrize(
    'changed, told',
    [
        ({'node_exporter_url': 'ftp://{nobody}'}, 'exporter URL'),
        ({'host_metrics': 'off'}, 'host_metrics is off'),
        ({'host_metrics': 'prometheus'}, 'prometheus_url is not set'),
        (
            {
                'host_metrics': 'prometheus',
                'prometheus_url': 'http://10.0.0.5:9095',
            },
            'not read: option host_metrics is prometheus',
        ),
    ],
)
def test_doctor_says_why_no_exporter_is_looked_for(rig, changed, told):
    rig.settings = dataclasses.replace(rig.settings, **changed)
    found = rig.service.doctor()
    assert found.exporters == () and told in found.exporters_problem
    assert found.tools
    assert found.exporters_problem in doctor.text(found)


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


def test_what_is_left_is_told_as_a_range(rig, monkeypatch):
    told = []
    monkeypatch.setattr(
        'perfcompare.execution.announcement.Announcement.show',
        lambda self, progress: told.append(progress),
    )
    rig.execute()
    known = [p for p in told if p.eta is not None]
    assert known and all(p.eta_least <= p.eta for p in known[1:])
    during = [p for p in told if p.state is RunState.TRIAL]
    assert during and not any(p.ending for p in during)
    assert all(p.ending for p in told if p.state is RunState.FINISHING)
