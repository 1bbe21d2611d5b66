"""OSDs and hosts that recovery tests stop and start, on fakes."""

import pytest

from ...common.errors import InvalidArgument, PerfcompareError, TryAgain
from ...model.recovery import Mark, StepKind, TestState
from ...model.recovery_plan import PlannedStep
from ...ports.faults import StopAdvice
from ...recovery.plan import precautions
from ...recovery.plan.precautions import Precautions
from ...recovery.run.stopping import Stopper
from ...report import listing
from ..data.recovery_rig import HOSTS, request
from ..fakes.clock import FakeClock
from ..fakes.cluster import FakeCluster


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


def test_an_osd_that_somebody_marks_out_meanwhile_stays_out(rig):
    """Its disk fails: that is no reason to fill it again."""
    rig.cluster.backend = 'test'
    orchestrate = rig.cluster.orchestrate

    def meanwhile(action, daemon):
        orchestrate(action, daemon)
        if action == 'stop':
            rig.cluster.osd_out(int(daemon.split('.')[1]))

    rig.cluster.orchestrate = meanwhile
    test = rig.execute(request('osd-stop', groups=('x86',), repetitions=1))
    assert (test.state, test.reason) == (TestState.COMPLETED, '')
    (start,) = [s for s in test.steps if s.kind is StepKind.START]
    assert any('out by an order' in note for note in start.notes)
    (osd,) = [o for o in rig.cluster.osds.values() if not o.in_]
    assert osd.up and f'osd.{osd.id}' == start.target


@pytest.mark.parametrize('stop', [False, True])
def test_operator_is_asked_and_an_end_reports_what_is_down(rig, stop):
    run = rig.launch(request('osd-stop', repetitions=1))

    def asked(word):
        progress = rig.service.status().progress
        return progress is not None and word in progress.message

    rig.wait(lambda: asked('to be stopped by you'))
    message = rig.service.status().progress.message
    osd = int(message.split('osd.')[1].split()[0])
    rig.cluster.set_osd(osd, up=False)
    rig.wait(lambda: asked('to be started by you'))
    service = rig.service
    ended = service.stop(now=True) if stop else service.tests.cancel(run)
    told = listing.stopping(ended)
    assert f'recovery test {run} is ending' in told
    assert 'OSDs that you stopped stay down' in told
    test = rig.stored(run)
    assert test.state is TestState.STOPPED
    assert 'PERFCOMPARE_LEFTOVERS' in rig.cluster.warnings
    assert rig.cluster.flags  # else the mons would soon move its data
    rig.cluster.set_osd(osd, up=True)
    assert rig.clean_up().clean
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

    check = Precautions(
        rig.cluster, plan.recovery, pulse, clock, lambda: True
    ).check
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
