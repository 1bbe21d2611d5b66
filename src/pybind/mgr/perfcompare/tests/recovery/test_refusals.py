"""Room, consent and what else recovery tests need, on fakes."""

import dataclasses

import pytest

from ...common.errors import (
    InvalidArgument,
    NotPermitted,
    PerfcompareError,
    TryAgain,
)
from ...guard.checks.preflight import text
from ...model.recovery import StepKind, TestState
from ...recovery.plan.precautions import Precautions
from ...report.recovery.plan import describe
from ..data.recovery_rig import request
from ..fakes.clock import FakeClock


def test_room_is_asked_for_again_before_an_osd_goes_out(rig):
    """What is written after the plan was made may have taken it."""
    rig.cluster.add_pool('data', size=2, stored_bytes=1000)
    plan = rig.service.tests.draft(request('osd-out', groups=('x86',))).plan
    step = plan.recovery.of('x86').steps[0]
    check = Precautions(
        rig.cluster, plan.recovery, lambda: None, FakeClock(), lambda: True
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
    wanted = request('osd-stop', groups=('x86',), auto_out=True, hold=601)
    plan = rig.service.tests.draft(wanted)
    assert '  once they are out, it moves about' in describe(plan.plan)
    step = plan.plan.recovery.of('x86').steps[0]
    for osd in (0, 1):
        rig.cluster.set_osd(osd, used_bytes=5 << 30)
    check = Precautions(
        rig.cluster,
        plan.plan.recovery,
        lambda: None,
        FakeClock(),
        lambda: True,
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


def forbid(rig, verb):
    """Switch failures off when the cluster is asked for something first."""
    real = getattr(rig.cluster, verb)

    def asked(*args, **options):
        rig.settings = dataclasses.replace(
            rig.settings, allow_failure_tests=False
        )
        return real(*args, **options)

    setattr(rig.cluster, verb, asked)


@pytest.mark.parametrize('scenario', ('osd-down', 'osd-out', 'host-stop'))
def test_option_is_looked_at_before_each_step_that_takes(rig, scenario):
    """It is what an operator switches off in alarm."""
    rig.cluster.backend = 'test'
    forbid(rig, 'pool_create')
    test = rig.execute(request(scenario, groups=('x86',), repetitions=1))
    assert test.state is TestState.FAILED
    assert 'makes OSDs fail, which is switched off' in test.reason
    assert not rig.cluster.called('osd_down')
    assert not rig.cluster.called('osd_out')
    assert not rig.cluster.orchestrated and not rig.cluster.flags


def test_what_was_taken_is_given_back_whatever_the_option_says(rig):
    rig.cluster.backend = 'test'
    forbid(rig, 'orchestrate')
    test = rig.execute(request('osd-stop', groups=('x86',), repetitions=2))
    assert test.state is TestState.FAILED
    assert "step 'OSD stopped' is refused: scenario" in test.reason
    assert [s.kind for s in test.steps if s.repetition == 1] == [
        StepKind.BASELINE,
        StepKind.STOP,
        StepKind.START,
        StepKind.RECOVERED,
    ]
    actions = [action for action, _ in rig.cluster.orchestrated]
    assert actions == ['stop', 'start']
    assert all(o.up for o in rig.cluster.osds.values())


def test_moves_of_its_own_pool_need_no_option(rig):
    forbid(rig, 'pool_create')
    test = rig.execute(request('backfill', repetitions=1))
    assert (test.state, test.reason) == (TestState.COMPLETED, '')


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
