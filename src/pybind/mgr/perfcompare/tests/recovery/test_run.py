"""Recovery tests from their start to verified cleanup, on fakes."""

import dataclasses
import pathlib
import tempfile

import pytest

from ...common.errors import (
    CommandFailed,
    InvalidArgument,
    NotPermitted,
    PerfcompareError,
    TryAgain,
)
from ...execution.heartbeat import PERIOD
from ...guard.checks.preflight import text
from ...model.recovery import (
    Episode,
    Fate,
    Mark,
    Moment,
    Size,
    State,
    StepKind,
    TestState,
    Timeline,
)
from ...model.recovery_plan import PlannedStep
from ...model.topology import PgCounts
from ...ports.faults import StopAdvice
from ...recovery.observe.handover import STEP, Left
from ...recovery.plan import precautions
from ...recovery.plan.precautions import Precautions
from ...recovery.plan.request import RecoveryRequest
from ...recovery.run import assembly, markdowns, waiting
from ...recovery.run.stopping import Stopper
from ...report.recovery.plan import describe
from ...undo.config import restore
from ...undo.entries import Entry, Kind
from ..fakes.clock import FakeClock, LaterClock
from ..fakes.cluster import FakeCluster
from ..fakes.running import Rig

HOSTS = [
    ('x86-1', 'x86', 'x86_64', 2),
    ('x86-2', 'x86', 'x86_64', 2),
    ('arm-1', 'arm', 'aarch64', 2),
    ('arm-2', 'arm', 'aarch64', 2),
]
TAKEN_UP = 'taken up again after a failover'
BASE = RecoveryRequest(
    groups=('x86', 'arm'),
    workloads=('none',),
    repetitions=2,
    pg_num=8,
    size='4K',
    data='64K',
    seed=3,
    consent=True,
)


class Watched:
    """Be a watch that sees a recovery at once."""

    clean = True

    def __init__(self, cluster, clock, scope, ordered, step):
        self.wall = clock.wall
        self.scope = scope
        self.ordered = ordered
        self.peered = True
        self.settled = self.clean

    def tick(self):
        pass

    def forget_order(self):
        self.ordered = Moment()

    def table(self):
        return None

    def so_far(self, ident, note):
        now = self.wall()
        timeline = Timeline(
            self.scope.name,
            now,
            now,
            {Mark.T0.value: self.ordered},
            size=Size(pgs=1),
        )
        episode = Episode(
            ident, State.OPEN, now, timelines=(timeline,), notes=(note,)
        )
        return Left(episode, 1, 1, self.scope)

    def end(self):
        now = self.wall()
        fate = Fate.REACHED if self.clean else Fate.CENSORED
        marks = {
            Mark.T0.value: self.ordered,
            Mark.T1.value: Moment(Fate.REACHED, now, 0.1),
            Mark.T2.value: Moment(Fate.REACHED, now, 0.1),
            Mark.T5.value: Moment(fate, now, 0.1),
        }
        return Timeline(self.scope.name, now, now, marks)


class TestRig(Rig):
    __test__ = False

    def stored(self, run):
        self.wait(lambda: self.service.status().last.startswith(run))

        def look():
            item = self.service.recoveries.show(run).item
            return item if item.state.ended else None

        self.wait(lambda: look() is not None)
        return look()

    def launch(self, request):
        self.wait(lambda: not self.service.status().warnings)
        return self.service.tests.start(request).run

    def execute(self, request):
        return self.stored(self.launch(request))


@pytest.fixture
def rig(monkeypatch):
    monkeypatch.setattr(assembly, 'StepWatch', Watched)
    cluster = FakeCluster(HOSTS)
    cluster.mgrs = dataclasses.replace(cluster.mgrs, active_hostname='m')
    for name in ('osd_min_pg_log_entries', 'osd_max_pg_log_entries'):
        cluster.osd_defaults[name] = '10'
    with tempfile.TemporaryDirectory() as path:
        found = TestRig(cluster, pathlib.Path(path))
        found.settings = dataclasses.replace(
            found.settings, allow_failure_tests=True
        )
        yield found
        found.stop()


def request(scenario, **fields):
    return dataclasses.replace(BASE, scenario=scenario, **fields)


def osds_called(cluster, verb):
    return [call.args[0] for call in cluster.called(verb)]


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


def test_osds_of_a_host_are_stopped_and_started_by_the_orchestrator(rig):
    rig.cluster.backend = 'test'
    flags = []
    orchestrate = rig.cluster.orchestrate

    def spy(action, daemon):
        flags.append((action, list(rig.cluster.flags)))
        orchestrate(action, daemon)

    rig.cluster.orchestrate = spy
    test = rig.execute(request('host-stop', repetitions=1))
    assert (test.state, test.reason) == (TestState.COMPLETED, '')
    actions = [action for action, _ in rig.cluster.orchestrated]
    assert actions == ['stop', 'stop', 'start', 'start'] * 2
    assert all(found for action, found in flags)  # noout, before the stop
    assert not rig.cluster.flags
    assert all(o.up for o in rig.cluster.osds.values())


def test_noout_that_somebody_sets_meanwhile_stays_and_is_told(rig):
    rig.cluster.backend = 'test'
    rig.cluster.noout_by = {'x86-1': 'client.admin'}
    test = rig.execute(request('host-stop', groups=('x86',), repetitions=1))
    assert (test.state, test.reason) == (TestState.COMPLETED, '')
    assert rig.cluster.flags == ['noout:x86-1']
    (start,) = [s for s in test.steps if s.kind is StepKind.START]
    (note,) = start.notes
    assert note == 'noout stays: client.admin set it for x86-1 meanwhile'


@pytest.mark.parametrize(
    'fields, stopped', [(dict(up=False), []), (dict(up=True), [1])]
)
def test_osd_that_was_out_before_its_host_stopped_stays_out(
    rig, fields, stopped
):
    """A dead disk that waits for its replacement is none of our doing."""
    rig.cluster.backend = 'test'
    rig.cluster.set_osd(1, in_=False, **fields)
    test = rig.execute(request('host-stop', groups=('x86',), repetitions=1))
    assert (test.state, test.reason) == (TestState.COMPLETED, '')
    (stop,) = [s for s in test.steps if s.kind is StepKind.STOP]
    assert stop.target == 'x86-1'
    assert rig.cluster.orchestrated == [
        (action, f'osd.{osd}')
        for action in ('stop', 'start')
        for osd in [0] + stopped
    ]
    assert not rig.cluster.osds[1].in_
    assert rig.cluster.osds[1].up is fields['up']
    assert 'PERFCOMPARE_LEFTOVERS' not in rig.cluster.warnings


def test_operator_is_asked_and_cancel_reports_what_is_down(rig):
    run = rig.launch(request('osd-stop', repetitions=1))

    def asked(word):
        progress = rig.service.status().progress
        return progress is not None and word in progress.message

    rig.wait(lambda: asked('to be stopped by you'))
    message = rig.service.status().progress.message
    osd = int(message.split('osd.')[1].split()[0])
    rig.cluster.set_osd(osd, up=False)
    rig.wait(lambda: asked('to be started by you'))
    rig.service.tests.cancel(run)
    test = rig.stored(run)
    assert test.state is TestState.STOPPED
    assert 'PERFCOMPARE_LEFTOVERS' in rig.cluster.warnings
    assert rig.cluster.flags  # else the mons would soon move its data
    rig.cluster.set_osd(osd, up=True)
    assert rig.service.cleanup().clean
    assert not rig.cluster.flags


def test_orders_that_were_lost_are_repeated_and_void_the_time(rig):
    rig.cluster.backend = 'test'
    rig.cluster.loses_orders = 2
    test = rig.execute(request('osd-stop', groups=('x86',), repetitions=1))
    assert (test.state, test.reason) == (TestState.COMPLETED, '')
    actions = [action for action, _ in rig.cluster.orchestrated]
    assert actions[:3] == ['stop'] * 3 and actions[-1] == 'start'
    (stop,) = [s for s in test.steps if s.kind is StepKind.STOP]
    assert any('told 3 times to stop osd.' in note for note in stop.notes)
    assert not stop.timeline.mark(Mark.T0).reached
    (start,) = [s for s in test.steps if s.kind is StepKind.START]
    assert start.timeline.mark(Mark.T0).reached


def test_orders_that_are_ignored_end_the_test_with_that_reason(rig):
    rig.cluster.backend = 'test'
    rig.cluster.obeys = False
    test = rig.execute(request('osd-stop', groups=('x86',), repetitions=1))
    assert test.state is TestState.FAILED
    assert 'without effect; it says nothing of it: see' in test.reason
    assert 'PERFCOMPARE_LEFTOVERS' not in rig.cluster.warnings


def test_orders_that_would_be_kept_are_not_given(rig):
    """They would stop an OSD when nobody waits for it any more."""
    rig.cluster.backend = 'test'
    rig.cluster.held = 'test is paused (ceph orch resume)'
    with pytest.raises(InvalidArgument, match='test is paused'):
        rig.launch(request('osd-stop', groups=('x86',), repetitions=1))
    assert not rig.cluster.orchestrated


def test_orders_that_are_kept_since_are_not_given(rig):
    rig.cluster.backend = 'test'
    create = rig.cluster.pool_create

    def pause(*args, **named):
        rig.cluster.held = 'test is paused (ceph orch resume)'
        create(*args, **named)

    rig.cluster.pool_create = pause
    test = rig.execute(request('osd-stop', groups=('x86',), repetitions=1))
    assert test.state is TestState.FAILED
    assert 'test is paused (ceph orch resume)' in test.reason
    assert not rig.cluster.orchestrated and not rig.cluster.flags


def test_operator_has_so_long_and_no_longer():
    said, clock = [], FakeClock()
    stopper = Stopper(
        FakeCluster(HOSTS), 'operator', 2.0, said.append,
        lambda: clock.wait(0.5), clock,
    )  # fmt: skip
    step = PlannedStep(
        StepKind.STOP, 'OSD stopped', 'osd.0', (0,), ('x86-1',)
    )
    with pytest.raises(TryAgain, match='osd.0 not stopped within 2 s'):
        stopper.stop(step)
    assert said == [
        'waiting for osd.0 on x86-1 to be stopped by you (2 s left)',
        'waiting for osd.0 on x86-1 to be stopped by you (1 s left)',
    ]


def test_advice_is_asked_again_before_each_step(rig):
    rig.cluster.backend = 'test'
    run = rig.launch(request('osd-stop', repetitions=1))
    rig.cluster.advice = StopAdvice(False, bad_pgs=3)
    test = rig.stored(run)
    assert test.state is TestState.FAILED
    assert '3 PGs would serve no I/O' in test.reason
    assert all(o.up for o in rig.cluster.osds.values())


def test_advice_from_before_the_last_step_is_waited_out(rig):
    """The mons judge by reports of PGs, which are seconds old."""
    rig.cluster.backend = 'test'
    plan = rig.service.tests.draft(request('osd-stop', groups=('x86',))).plan
    step = plan.recovery.of('x86').steps[0]
    rig.cluster.set_osd(3, up=False)
    rig.cluster.advice = StopAdvice(False, bad_pgs=3)
    clock = FakeClock()

    def pulse():
        clock.wait(0.2)
        if len(clock.waits) == 5:
            rig.cluster.advice = None

    check = Precautions(rig.cluster, plan.recovery, pulse, clock).check
    check(step)
    assert clock.now < 1000.0 + precautions.FRESH
    # what stays so is refused, and at once where all OSDs run
    rig.cluster.advice = StopAdvice(False, bad_pgs=3)
    with pytest.raises(PerfcompareError, match='3 PGs would serve no I/O'):
        check(step)
    assert clock.now > 1000.0 + precautions.FRESH
    rig.cluster.set_osd(3, up=True)
    asked = clock.now
    with pytest.raises(PerfcompareError, match='3 PGs would serve no I/O'):
        check(step)
    assert clock.now == asked


def test_osd_is_not_marked_down_so_often_that_it_ends(rig):
    """An OSD shuts itself down after osd_max_markdown_count in a period."""
    rig.cluster.osd_defaults['osd_max_markdown_count'] = '3'
    rig.cluster.osd_defaults['osd_max_markdown_period'] = '900'
    times = []
    down = rig.cluster.osd_down

    def spy(osd):
        times.append(rig.clock.wall())
        down(osd)

    rig.cluster.osd_down = spy
    signs = signs_of_life(rig)
    test = rig.execute(request('osd-down', groups=('x86',), repetitions=5))
    assert max(b - a for a, b in zip(signs, signs[1:])) <= 2 * PERIOD
    assert (test.state, test.reason) == (TestState.COMPLETED, '')
    assert len(times) == 5
    assert min(b - a for a, b in zip(times, times[2:])) >= 900.0
    texts = [e['message'] for e in test.settings['events']]
    assert any('shuts itself down' in text for text in texts)


def signs_of_life(rig):
    """Return when a Manager that takes over would know of the test."""
    signs = []
    keep = rig.cluster.kv_set

    def spy(key, value):
        if key == 'active/seen':
            signs.append(float(value))
        keep(key, value)

    rig.cluster.kv_set = spy
    return signs


def times_down(rig, cut_after=99):
    """Return when OSDs are marked down, by their numbers."""
    times = {}
    down = rig.cluster.osd_down

    def spy(osd):
        times.setdefault(osd, []).append(rig.clock.wall())
        down(osd)
        if sum(map(len, times.values())) == cut_after:
            raise PerfcompareError('no answer')

    rig.cluster.osd_down = spy
    return times


def test_osd_counts_what_a_test_before_did_to_it(rig):
    """The next test takes the same OSD, which counts on."""
    times = times_down(rig)
    for _ in range(3):
        test = rig.execute(request('osd-down', groups=('x86',)))
        assert test.state is TestState.COMPLETED
    (found,) = times.values()
    assert len(found) == 6
    # 4 of 5 within 10 minutes
    assert min(b - a for a, b in zip(found, found[4:])) >= 600.0


def test_osd_counts_steps_that_were_cut_and_have_no_result(rig):
    times = times_down(rig, cut_after=4)
    wanted = request('osd-down', groups=('x86',), repetitions=4)
    test = rig.execute(wanted)
    assert test.state is TestState.FAILED
    assert sum(s.kind is StepKind.DOWN for s in test.steps) == 3
    rig.execute(request('osd-down', groups=('x86',), repetitions=1))
    (found,) = times.values()
    assert found[4] - found[0] >= 600.0


def test_osd_that_ends_when_it_is_marked_down_is_a_leftover(rig, monkeypatch):
    monkeypatch.setattr(Watched, 'clean', False)
    down = rig.cluster.osd_down

    def ends(osd):
        down(osd)
        rig.cluster.set_osd(osd, up=False)

    rig.cluster.osd_down = ends
    test = rig.execute(request('osd-down', groups=('x86',)))
    assert test.state is TestState.FAILED
    (osd,) = osds_called(rig.cluster, 'osd_down')
    warning = str(rig.cluster.warnings['PERFCOMPARE_LEFTOVERS'])
    assert f'osd_down {osd}' in warning


def test_osd_is_not_marked_down_where_nobody_will_remember_it(rig):
    keep = rig.cluster.kv_set

    def lost(key, value):
        if key == markdowns.KEY:
            raise PerfcompareError('the mon store is silent')
        keep(key, value)

    rig.cluster.kv_set = lost
    test = rig.execute(request('osd-down', groups=('x86',)))
    assert test.state is TestState.FAILED
    assert not rig.cluster.called('osd_down')


def test_room_is_asked_for_again_before_an_osd_goes_out(rig):
    """What is written after the plan was made may have taken it."""
    rig.cluster.add_pool('data', size=2, stored_bytes=1000)
    plan = rig.service.tests.draft(request('osd-out', groups=('x86',))).plan
    step = plan.recovery.of('x86').steps[0]
    check = Precautions(
        rig.cluster, plan.recovery, lambda: None, FakeClock()
    ).check
    check(step)
    for osd in (0, 1):
        rig.cluster.set_osd(osd, used_bytes=5 << 30)
    with pytest.raises(PerfcompareError, match='osd.1 would be 100% full'):
        check(step)


def test_room_that_is_not_known_yet_is_a_matter_of_time(rig):
    """A mgr that just took over has not heard of the OSDs."""
    for osd in rig.cluster.topology().osds:
        rig.cluster.set_osd(osd, used_bytes=0, size_bytes=0)
    with pytest.raises(TryAgain, match='not known yet; try again in a'):
        rig.service.tests.draft(request('osd-out', groups=('x86',)))


def test_room_is_asked_for_where_stopped_osds_may_be_marked_out(rig):
    rig.cluster.add_pool('data', size=2, stored_bytes=1000)
    wanted = request('osd-stop', groups=('x86',), auto_out=True)
    plan = rig.service.tests.draft(wanted)
    assert '  once they are out, it moves about' in describe(plan.plan)
    step = plan.plan.recovery.of('x86').steps[0]
    for osd in (0, 1):
        rig.cluster.set_osd(osd, used_bytes=5 << 30)
    check = Precautions(
        rig.cluster, plan.plan.recovery, lambda: None, FakeClock()
    ).check
    with pytest.raises(PerfcompareError, match='osd.1 would be 100% full'):
        check(step)
    with pytest.raises(InvalidArgument, match='osd-stop --auto-out is not'):
        rig.service.tests.draft(wanted)
    # else noout keeps them in, and nothing moves
    plan = rig.service.tests.draft(request('osd-stop', groups=('x86',)))
    assert 'moves about' not in describe(plan.plan)


def test_repetition_begins_when_nothing_recovers_any_more(rig):
    """A host that was stopped had OSDs of the other group, too."""
    looks = []

    counts = rig.cluster.pg_counts

    def moving():
        # once the first group's PGs are back
        back = len(rig.cluster.called('pg_upmap_items_clear')) == 8
        found = counts()
        if back:
            looks.append(rig.clock.now)
        # the abort rules look in the meantime, too
        if back and looks[-1] - looks[0] < 200.0:
            for states in found.by_osd.values():
                states['active+recovering'] = 8
        return found

    rig.cluster.pg_counts = moving
    test = rig.execute(request('backfill', repetitions=1))
    assert (test.state, test.reason) == (TestState.COMPLETED, '')
    texts = [e['message'] for e in test.settings['events']]
    assert texts.count('waiting for recovery to end') == 1


def test_pgs_that_ceph_leaves_where_they_are_are_not_waited_for(
    rig, monkeypatch
):
    """Somebody took a host out of the root of the group."""
    counts = rig.cluster.pg_counts

    def staying():
        found = counts()
        if rig.cluster.called('pg_upmap_items_clear'):
            for states in found.by_osd.values():
                states['active+clean+remapped'] = 4
        return found

    rig.cluster.pg_counts = staying
    test = rig.execute(request('backfill', repetitions=2))
    assert test.state is not TestState.COMPLETED
    assert 'their rule finds too few OSDs' in test.reason


# refusals


@pytest.mark.parametrize('scenario', ('osd-down', 'osd-stop', 'host-stop'))
def test_no_pool_loses_its_io_whatever_ok_to_stop_says(rig, scenario):
    rig.cluster.add_pool('tight', size=2, min_size=2, pg_num=32)
    assert rig.cluster.ok_to_stop([0]).ok
    with pytest.raises(InvalidArgument, match="pool 'tight' would serve no"):
        rig.launch(request(scenario, groups=('x86',)))


def test_failures_need_the_option_first(rig):
    rig.settings = dataclasses.replace(
        rig.settings, allow_failure_tests=False
    )
    with pytest.raises(NotPermitted, match='allow_failure_tests'):
        rig.launch(request('osd-down'))
    assert not rig.cluster.called('osd_down')


@pytest.mark.parametrize(
    'allowed, consent, ident, said',
    [
        (False, True, 'FAILURES', 'A run is refused'),
        (True, False, 'CONSENT', 'needs --yes-i-really-mean-it'),
        (True, True, '', 'A run may start'),
    ],
)
def test_dry_run_says_what_failures_still_need(
    rig, allowed, consent, ident, said
):
    rig.settings = dataclasses.replace(
        rig.settings, allow_failure_tests=allowed
    )
    wanted = request('osd-down', consent=consent)
    report = rig.service.tests.draft(wanted).preflight
    refused = [c.id for c in report.checks if c.severity.value == 'refuse']
    assert refused == [ident] * bool(ident)
    assert said in text(report)
    if ident:
        with pytest.raises(NotPermitted, match='osd-down'):
            rig.launch(wanted)


def test_backfill_needs_neither_option_nor_consent(rig):
    rig.settings = dataclasses.replace(
        rig.settings, allow_failure_tests=False
    )
    wanted = request('backfill', consent=False)
    assert rig.service.tests.draft(wanted).preflight.may_run


def test_backfill_without_another_place_is_refused(rig):
    rig.cluster.set_osd(1, crush_weight=0.0)
    rig.cluster.set_osd(3, crush_weight=0.0)
    with pytest.raises(InvalidArgument, match='backfill not possible'):
        rig.launch(request('backfill', groups=('x86',)))


@pytest.mark.parametrize('size, word', [(2, "pool 'data'"), (1, 'no other')])
def test_osd_that_nobody_can_stand_in_for_does_not_go_out(rig, size, word):
    """Its PGs would stay where they are, and the step wait for its limit."""
    rig.cluster.add_pool('data', size=size)
    for osd in (1, 3):
        rig.cluster.set_osd(osd, crush_weight=0.0, in_=False)
    with pytest.raises(InvalidArgument, match='osd-out.*' + word):
        rig.launch(request('osd-out', groups=('x86',)))


def test_backfill_without_upmaps_is_refused(rig):
    rig.cluster.allows_upmap = False
    with pytest.raises(InvalidArgument, match='min-compat-client luminous'):
        rig.launch(request('backfill'))


def test_second_node_needs_a_pool_that_survives_it(rig):
    with pytest.raises(InvalidArgument, match='can lose 1'):
        rig.launch(request('host-stop', nodes=2))


def test_host_of_the_active_manager_is_not_chosen(rig):
    rig.cluster.mgrs = dataclasses.replace(
        rig.cluster.mgrs, active_hostname='x86-1'
    )
    plan = rig.service.tests.draft(request('host-stop', groups=('x86',))).plan
    assert plan.recovery.of('x86').steps[0].target == 'x86-2'


def test_run_and_test_exclude_each_other(rig):
    rig.launch(request('osd-stop', repetitions=1))
    with pytest.raises(PerfcompareError, match='is active'):
        rig.launch(request('backfill'))


# failover


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


# options


MODE = 'mgr/balancer/mode'
ACTIVE = 'mgr/balancer/active'


def test_balancer_is_idle_meanwhile_and_as_before_after(rig):
    # as it says within a minute of another test
    rig.cluster.balancer = {'active': False, 'mode': 'upmap'}
    seen = []
    down = rig.cluster.osd_down

    def spy(osd):
        seen.append(dict(rig.cluster.config))
        down(osd)

    rig.cluster.osd_down = spy
    before = dict(rig.cluster.config)
    test = rig.execute(
        request('osd-down', mclock_profile='high_recovery_ops')
    )
    assert test.state is TestState.COMPLETED, test.reason
    for config in seen:
        assert config[('mgr', MODE)] == 'none'
        assert config[('osd', 'osd_mclock_profile')] == 'high_recovery_ops'
    assert seen and rig.cluster.config == before
    # a running mgr is not told that an option is unset again
    assert rig.cluster.module_options[MODE] == 'upmap'


def test_balancer_that_is_switched_off_in_mid_test_stays_off(rig):
    down = rig.cluster.osd_down

    def operator(osd):
        rig.cluster.config_set('mgr', ACTIVE, 'false')
        down(osd)

    rig.cluster.osd_down = operator
    test = rig.execute(request('osd-down'))
    assert test.state is TestState.COMPLETED, test.reason
    assert rig.cluster.config[('mgr', ACTIVE)] == 'false'
    assert ('mgr', MODE) not in rig.cluster.config
    assert rig.cluster.module_options[MODE] == 'upmap'


def test_mode_that_an_operator_gave_the_balancer_stays(rig):
    rig.cluster.config[('mgr', MODE)] = 'crush-compat'
    down = rig.cluster.osd_down

    def operator(osd):
        rig.cluster.config_set('mgr', MODE, 'upmap-read')
        down(osd)

    rig.cluster.osd_down = operator
    rig.execute(request('osd-down'))
    assert rig.cluster.config[('mgr', MODE)] == 'upmap-read'


def test_undo_that_was_cut_between_two_settings_goes_on(rig):
    cluster = rig.cluster
    cluster.config_set('mgr', MODE, 'upmap')  # on the way to its removal
    entry = Entry(
        'deadbeef', 1, Kind.CONFIG, MODE,
        detail={'who': 'mgr', 'default': 'upmap', 'leaving': 'yes'},
        value='none',
    )  # fmt: skip
    assert restore(cluster, entry, FakeClock()) == ''
    assert ('mgr', MODE) not in cluster.config


def test_default_that_an_operator_set_meanwhile_stays(rig):
    """It is what would be there without it, but it is theirs."""
    down = rig.cluster.osd_down

    def operator(osd):
        rig.cluster.config_set('mgr', MODE, 'upmap')
        down(osd)

    rig.cluster.osd_down = operator
    rig.execute(request('osd-down'))
    assert rig.cluster.config[('mgr', MODE)] == 'upmap'


def test_removal_of_an_option_is_noted_before_it_begins(rig):
    cluster = rig.cluster
    cluster.config_set('mgr', MODE, 'none')
    entry = Entry(
        'deadbeef', 1, Kind.CONFIG, MODE,
        detail={'who': 'mgr', 'default': 'upmap'}, value='none',
    )  # fmt: skip
    noted = []

    def note(changed):
        noted.append((changed.detail['leaving'], cluster.config['mgr', MODE]))

    assert restore(cluster, entry, FakeClock(), note) == ''
    assert noted == [('yes', 'none')]
    assert ('mgr', MODE) not in cluster.config


def test_balancer_that_is_off_is_left_alone(rig):
    rig.cluster.module_options[ACTIVE] = 'false'
    before = len(rig.cluster.called('config_set'))
    rig.execute(request('osd-down'))
    assert len(rig.cluster.called('config_set')) == before


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


def small_osds(cluster):
    """Have PG logs as long as Ceph has them, on OSDs of 10 GiB."""
    cluster.osd_defaults.update(
        osd_min_pg_log_entries='250',
        osd_max_pg_log_entries='10000',
        osd_target_pg_log_entries_per_osd='300000',
    )
    for osd in cluster.topology().osds:
        cluster.set_osd(osd, used_bytes=0, size_bytes=10 << 30)


def test_defaults_fit_small_osds(rig):
    small_osds(rig.cluster)
    wanted = request('backfill', size=None, data=None, pg_num=None)
    draft = rig.service.tests.draft(wanted)
    test = draft.plan.recovery
    assert test.size == 64 << 10
    # more writes than logs hold, and few objects to be recovered
    own = test.of('arm')
    pgs = draft.plan.groups[0].pools[0].pg_num
    assert own.fill_ops(test.size) > 10100 * pgs > 2 * own.all_objects
    check, *_ = [c for c in draft.preflight.checks if c.id == 'CAPACITY']
    assert check.severity.value == 'ok'
    assert any('chosen for room and time' in t for t in draft.plan.labels)
    assert f'{pgs} PGs in place of 64' in describe(draft.plan)


def test_defaults_of_osds_out_fit_small_osds(rig):
    small_osds(rig.cluster)
    wanted = request('osd-out', size=None, data=None, pg_num=None)
    plan = rig.service.tests.draft(wanted).plan
    assert plan.recovery.of('arm').forecast.fill < 0.5


def test_first_test_on_small_osds_takes_minutes(rig, monkeypatch):
    """Also where they are emulated: what takes long is told, and fewer."""
    small_osds(rig.cluster)
    monkeypatch.setattr('platform.machine', lambda: 'x86_64')
    for osd in list(rig.cluster.osds):
        rig.cluster.set_osd(osd, addresses=('127.0.1.1',))
    for scenario in ('backfill', 'osd-out', 'osd-down'):
        wanted = request(
            scenario,
            size=None,
            data=None,
            pg_num=None,
            repetitions=None,
            workloads=(),
        )
        plan = rig.service.tests.draft(wanted).plan
        assert any("'arm' is emulated" in label for label in plan.labels)
        assert plan.seconds < 30 * 60


def test_large_osds_keep_the_usual_defaults(rig):
    """Real clusters have other PGs: logs are shorter, and room is there."""
    small_osds(rig.cluster)
    for osd in rig.cluster.topology().osds:
        rig.cluster.set_osd(osd, size_bytes=4 << 40)
    rig.cluster.osd_defaults['osd_target_pg_log_entries_per_osd'] = '60000'
    wanted = request('backfill', size=None, data=None, pg_num=None)
    plan = rig.service.tests.draft(wanted).plan
    own = plan.recovery.of('x86')
    assert (plan.recovery.size, own.log_objects) == (64 << 10, 0)
    assert plan.groups[0].pools[0].pg_num == 64
    assert not any('chosen' in label for label in plan.labels)


def test_what_was_asked_for_stays_and_is_refused_with_its_own_options(rig):
    small_osds(rig.cluster)
    wanted = request('backfill', size='64K', data=None, pg_num=64)
    draft = rig.service.tests.draft(wanted)
    assert draft.plan.recovery.size == 64 << 10
    check, *_ = [c for c in draft.preflight.checks if c.id == 'CAPACITY']
    assert check.severity.value == 'refuse'
    assert '--data' in check.remedy and '--profile' not in check.remedy


def test_logs_are_as_long_as_on_the_osd_with_the_fewest_pgs(rig, monkeypatch):
    """A primary trims logs by how many PGs are on its own OSD."""
    small_osds(rig.cluster)
    rig.cluster.osd_defaults['osd_target_pg_log_entries_per_osd'] = '60000'
    own = {str(osd): {'active+clean': 200} for osd in rig.cluster.osds}
    own['1'] = {'active+clean': 16}
    found = PgCounts({'active+clean': 400}, {}, own)
    monkeypatch.setattr(rig.cluster, 'pg_counts', lambda: found)
    test = rig.service.tests.draft(request('backfill')).plan.recovery
    assert test.log_entries == {'x86': 60000 // 18, 'arm': 60000 // 202}


def large_osds(cluster):
    for osd in cluster.topology().osds:
        cluster.set_osd(osd, used_bytes=2 << 40, size_bytes=8 << 40)


def test_data_that_would_not_be_home_in_time_is_not_sent_away(rig):
    large_osds(rig.cluster)
    rig.cluster.add_pool('data', size=2, stored_bytes=1 << 40)
    with pytest.raises(InvalidArgument, match='give --limit 4194'):
        rig.service.tests.draft(request('osd-out', groups=('x86',)))
    wanted = request('osd-out', groups=('x86',), limit=43200.0)
    plan = rig.service.tests.draft(wanted).plan
    # there and back, twice
    assert 4 * 41943 <= plan.seconds <= plan.seconds_max
    assert 'and back in about 11 h 39 min' in describe(plan)


def test_plan_tells_where_stopped_osds_may_not_be_clean_in_time(rig):
    large_osds(rig.cluster)
    rig.cluster.add_pool('data', size=2, stored_bytes=1 << 40)
    wanted = request('osd-stop', groups=('x86',), auto_out=True)
    plan = rig.service.tests.draft(wanted).plan
    assert 'if all of it moves, its data needs about' in describe(plan)
    # each step is given up then
    assert plan.seconds < plan.seconds_max


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
