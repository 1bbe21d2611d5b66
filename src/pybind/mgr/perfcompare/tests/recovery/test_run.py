"""Recovery tests from their start to verified cleanup, on fakes."""

import pytest

from ...common.errors import CommandFailed, PerfcompareError
from ...model.recovery import Fate, Mark, StepKind, TestState
from ...recovery.observe.handover import STEP
from ...recovery.run import waiting
from ...report.recovery.plan import describe
from ..data.recovery_rig import (
    TAKEN_UP,
    TestRig,
    Watched,
    osds_called,
    request,
)
from ..fakes.clock import LaterClock


def test_backfill_moves_every_pg_there_and_back(rig):
    before = rig.cluster.snapshot()
    test = rig.execute(request('backfill'))
    assert (test.state, test.reason) == (TestState.COMPLETED, '')
    titles = [s.title for s in test.steps if s.group == 'x86']
    assert (
        titles
        == [
            'no failure',
            'PGs moved',
            'PGs moved back',
            'recovered',
        ]
        * 2
    )
    moved = len(rig.cluster.called('pg_upmap'))
    assert moved == 8 * 2 * 2
    assert len(rig.cluster.called('pg_upmap_items_clear')) == moved
    assert _kept(rig.cluster.snapshot()) == _kept(before)


def test_pgs_that_were_placed_by_name_go_back_at_once(rig):
    """Moved by items, they are left with neither: the monitors see to it."""
    cluster = rig.cluster
    move = cluster.pg_upmap
    dropped = []

    def moved(pool, ps, moves):
        key = (cluster.pool_table[pool].id, ps)
        up = cluster._map(cluster.pool_table[pool])[ps].up
        move(pool, ps, moves)
        if ps == 3:  # CRUSH alone has it where it is moved to
            del cluster.upmap_items[key]
            cluster.upmaps[key] = tuple(moves.get(o, o) for o in up)
            dropped.append((pool, ps, up))

    cluster.pg_upmap = moved
    test = rig.execute(request('backfill', repetitions=1))
    assert (test.state, test.reason) == (TestState.COMPLETED, '')
    names = [call.verb for call in cluster.calls]
    assert len(dropped) == 2
    for wanted in dropped:
        sent = max(
            i
            for i, call in enumerate(cluster.calls)
            if call.verb == 'pg_upmap_order' and call.args == wanted
        )
        cleared = max(
            i
            for i, name in enumerate(names[:sent])
            if name == 'pg_upmap_items_clear'
        )
        assert names[cleared:sent].count('pg_map') <= 2


def _kept(snapshot):
    snapshot.pop('upmaps')  # of pools that are gone
    snapshot['kv'] = {
        k: v for k, v in snapshot['kv'].items() if 'journal' in k
    }
    return snapshot


def test_groups_take_turns(rig):
    test = rig.execute(request('backfill'))
    turns = list(dict.fromkeys((s.repetition, s.group) for s in test.steps))
    assert sorted(turns) == [(r, g) for r in (1, 2) for g in ('arm', 'x86')]
    assert turns[0][1] != turns[2][1]  # each group begins once


def test_osd_goes_out_and_in_journaled(rig):
    seen = []
    out = rig.cluster.osd_out

    def spy(osd):
        seen.append([k for k in rig.cluster.kv if k.startswith('journal/')])
        out(osd)

    rig.cluster.osd_out = spy
    test = rig.execute(request('osd-out'))
    assert test.state is TestState.COMPLETED
    kinds = [
        v for keys in seen for k in keys for v in [rig.cluster.kv.get(k)]
    ]
    assert len(seen) == 4 and not any(kinds)  # entries are gone by now
    assert all(o.in_ for o in rig.cluster.osds.values())
    assert osds_called(rig.cluster, 'osd_in')


def test_osd_that_stays_unclean_comes_in_and_ends_the_test(rig, monkeypatch):
    monkeypatch.setattr(Watched, 'clean', False)
    test = rig.execute(request('osd-out', limit=10.0))
    assert test.state is TestState.FAILED
    assert 'is not clean again' in test.reason
    assert all(o.in_ for o in rig.cluster.osds.values())
    (step,) = [s for s in test.steps if s.title.endswith('out')][:1]
    assert 'given up' in step.notes[0]
    assert step.timeline.mark(Mark.T5).fate is Fate.CENSORED


def test_limit_is_that_of_the_whole_step(rig, monkeypatch):
    def peered(watch):
        return watch.wall() >= watch.made + 8.0

    def ended(watch):
        took.append(watch.wall() - watch.made)
        return end(watch)

    took, end = [], Watched.end
    begin = Watched.__init__

    def made(watch, *parts):
        watch.made = parts[1].wall()
        begin(watch, *parts)

    seen = property(peered, lambda watch, value: None)
    monkeypatch.setattr(Watched, '__init__', made)
    monkeypatch.setattr(Watched, 'peered', seen, raising=False)
    monkeypatch.setattr(Watched, 'end', ended)
    monkeypatch.setattr(Watched, 'clean', False)
    test = rig.execute(request('osd-out', limit=10.0))
    assert test.state is TestState.FAILED
    assert 10.0 <= max(took) < 12.0


def test_a_test_whose_pool_somebody_removes_measures_nothing(rig):
    out = rig.cluster.osd_out

    def gone(osd):
        out(osd)
        for name in list(rig.cluster.pool_table):
            if name.startswith('perfcompare.'):
                del rig.cluster.pool_table[name]

    rig.cluster.osd_out = gone
    test = rig.execute(request('osd-out', repetitions=1))
    assert test.state is TestState.FAILED
    assert 'of the test is gone: somebody removed it' in test.reason
    assert [s.title for s in test.steps] == ['no failure']
    assert all(o.in_ for o in rig.cluster.osds.values())


def test_failed_step_brings_the_osd_back_by_the_journal(rig):
    rig.cluster.fail_on(
        'osd_in', times=1, error=PerfcompareError('no quorum')
    )
    test = rig.execute(request('osd-out'))
    assert test.state is TestState.FAILED
    assert all(o.in_ for o in rig.cluster.osds.values())


def test_failover_brings_the_osd_in_and_goes_on(rig, monkeypatch):
    # what follows a cut step does so in real time, and so must the test
    monkeypatch.setattr(
        'perfcompare.execution.takeover.SILENCE_MARGIN', -15.0
    )
    monkeypatch.setattr(waiting, 'PULSE', 0.01)
    monkeypatch.setattr(waiting.Waiting, 'hold', lambda self, seconds: None)
    monkeypatch.setattr(
        'perfcompare.recovery.observe.interrupted_step.QUIET', 0.1
    )
    monkeypatch.setattr('perfcompare.recovery.observe.watch.POLL', 0.1)
    rig.cluster.add_pool('data', pg_num=8, objects=80)
    out = rig.cluster.osd_out

    def cut(osd):
        out(osd)
        rig.cluster.osd_out = out
        monkeypatch.setattr(Watched, 'clean', False)
        rig.stopping.set()
        rig.service.shutdown()

    rig.cluster.osd_out = cut
    run = rig.launch(request('osd-out', repetitions=1))
    rig.thread.join(20)
    monkeypatch.setattr(Watched, 'clean', True)
    rig.cluster.kv = dict(rig.cluster.kv)
    again = TestRig(
        rig.cluster, rig.folder, rig.store, clock=LaterClock(rig.clock)
    )
    again.settings = rig.settings
    try:
        test = again.stored(run)
        assert (test.state, test.reason) == (TestState.COMPLETED, '')
        assert all(o.in_ for o in rig.cluster.osds.values())
        # what was seen of the step that was cut is kept apart
        (cut,) = again.service.recoveries.list(kind='episode').items
        (again_made,) = [
            s for s in test.steps for n in s.notes if n.endswith(cut.id)
        ]
        assert again_made.kind is StepKind.BASELINE
        texts = [e['message'] for e in test.settings['events']]
        assert texts.index('checks') < texts.index(TAKEN_UP)
        assert texts[texts.index(TAKEN_UP) + 1 :][:2] == [
            'waiting for recovery of the cut test',
            'checks',
        ]
        episode = again.service.recoveries.show(cut.id).item
        assert f'repetition 1 of test {run}' in episode.notes[0]
        assert episode.timelines[0].mark(Mark.T0).source == 'order'
        assert len(episode.handovers) == 1
        assert STEP not in rig.cluster.kv
    finally:
        again.stop()


def test_limits_of_recovery_are_recorded(rig):
    rig.cluster.osd_runtime[0] = {'osd_mclock_profile': 'high_client_ops'}
    steps = rig.execute(request('osd-down')).steps
    first = {s.group: s for s in steps if s.kind is StepKind.BASELINE}
    told = first['x86'].settings['osd_mclock_profile']
    assert told == 'balanced, high_client_ops'
    assert 'osd_max_backfills' in first['arm'].settings


def test_emulated_group_is_labelled(rig, monkeypatch):
    monkeypatch.setattr('platform.machine', lambda: 'x86_64')
    for osd in list(rig.cluster.osds):
        rig.cluster.set_osd(osd, addresses=('127.0.1.1',))
    notes = rig.execute(request('osd-down')).notes
    found = [note for note in notes if 'emulated' in note]
    assert len(found) == 1 and found[0].startswith("group 'arm' is emulated")


@pytest.mark.parametrize('cut', [False, True])
def test_upmaps_of_others_are_as_before_when_osds_were_out(rig, cut):
    data = rig.cluster.add_pool('data', pg_num=8, objects=80)
    before = {(data.id, 1): {0: 1}, (data.id, 2): {2: 3}}
    rig.cluster.upmap_items.update(before)
    gone = []

    def in_again(osd, original=rig.cluster.osd_in):
        gone.append(dict(rig.cluster.upmap_items))
        if cut and len(gone) == 1:
            raise CommandFailed('osd in', 5, 'no such luck')
        original(osd)

    rig.cluster.osd_in = in_again
    test = rig.execute(request('osd-out', groups=('x86',), repetitions=1))
    assert test.state is (TestState.FAILED if cut else TestState.COMPLETED)
    own = {k: v for k, v in rig.cluster.upmap_items.items() if k in before}
    assert (data.id, 1) not in gone[0] and own == before
    assert 'PERFCOMPARE_LEFTOVERS' not in rig.cluster.warnings


@pytest.mark.parametrize(
    'scenario, named', [('osd-out', True), ('osd-down', False)]
)
def test_upmaps_that_go_meanwhile_are_told_before(rig, scenario, named):
    data = rig.cluster.add_pool('data', pg_num=8, objects=80)
    rig.cluster.upmap_items[(data.id, 1)] = {0: 1}
    rig.cluster.upmap_items[(data.id, 2)] = {1: 0, 2: 3}
    rig.cluster.upmap_items[(data.id, 3)] = {2: 3}
    rig.cluster.upmaps[(data.id, 4)] = (0, 2)
    wanted = request(scenario, groups=('x86',))
    plan = rig.service.tests.draft(wanted).plan
    (own,) = plan.recovery.groups
    assert own.steps[0].osds == (0,)
    assert own.forecast.upmaps == (3 if named else 0)
    text = describe(plan)
    assert ('may drop upmaps of 3 PGs of others' in text) is named
    assert [line for line in text.splitlines() if len(line) > 100] == []
