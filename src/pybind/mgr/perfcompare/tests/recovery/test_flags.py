"""Flags of the OSD map that somebody sets while a recovery test goes on."""

import dataclasses

import pytest

from ...analysis.verdict import Verdict
from ...common.errors import InvalidArgument, PerfcompareError
from ...model.recovery import StepKind, TestState
from ...recovery.judge.comparison import compare
from ...recovery.plan.precautions import Precautions
from ..data.recovery_rig import request
from ..fakes.clock import FakeClock


def checked(rig, scenario, kind, **fields):
    """Check the first step of a kind, as before it is made."""
    wanted = request(scenario, groups=('x86',), **fields)
    test = rig.service.tests.draft(wanted).plan.recovery
    step = next(s for s in test.of('x86').steps if s.kind is kind)
    parts = rig.cluster, test, lambda: None, FakeClock(), lambda: True

    def check(flag=''):
        rig.cluster.flags[:] = [flag] if flag else []
        Precautions(*parts).check(step)

    return check


@pytest.mark.parametrize(
    'scenario, kind, flag, said',
    [
        ('osd-down', StepKind.DOWN, 'noup', 'ceph osd unset noup'),
        ('osd-stop', StepKind.STOP, 'nodown', 'ceph osd unset nodown'),
        ('osd-stop', StepKind.STOP, 'noup:x86-1', 'unset-group noup x86-1'),
        ('osd-out', StepKind.OUT, 'norebalance', 'ceph osd unset noreb'),
        ('backfill', StepKind.MOVE, 'nobackfill', 'ceph osd unset nobackf'),
        ('backfill', StepKind.MOVE, 'pausewr', 'ceph osd unset pause'),
    ],
)
def test_nothing_is_taken_while_a_flag_is_in_the_way(
    rig, scenario, kind, flag, said
):
    check = checked(rig, scenario, kind)
    check()
    check('noscrub')
    check('noout')  # not where the mons are to mark nothing out
    with pytest.raises(PerfcompareError, match=f'is refused: .*{said}'):
        check(flag)


def test_what_was_taken_comes_back_under_any_flag(rig):
    checked(rig, 'osd-stop', StepKind.START)('norecover')
    checked(rig, 'backfill', StepKind.MOVE_BACK)('nobackfill')


def test_nothing_is_marked_out_under_noout(rig):
    check = checked(rig, 'osd-stop', StepKind.STOP, auto_out=True, hold=601)
    with pytest.raises(PerfcompareError, match='ceph osd unset noout'):
        check('noout')
    with pytest.raises(InvalidArgument, match='ceph osd unset noout'):
        checked(rig, 'osd-stop', StepKind.STOP, auto_out=True, hold=601)


def test_a_flag_that_is_set_in_mid_step_is_told_and_takes_the_verdict(rig):
    out = rig.cluster.osd_out

    def flagged(osd):
        out(osd)
        if len(rig.cluster.called('osd_out')) == 1:
            rig.cluster.flags.append('norebalance')

    def in_again(osd, original=rig.cluster.osd_in):
        rig.cluster.flags[:] = []
        original(osd)

    rig.cluster.osd_out, rig.cluster.osd_in = flagged, in_again
    test = rig.execute(request('osd-out'))
    assert test.state is TestState.COMPLETED
    told = [
        s for s in test.steps if 'flags set meanwhile: norebalance' in s.notes
    ]
    kinds = [(s.kind, s.repetition) for s in told]
    assert kinds == [(StepKind.OUT, 1), (StepKind.IN, 1)]
    indexes = {s.index for s in told}
    rows = [r for r in compare(test).times if r.step in indexes]
    assert any(r.verdict for r in rows)
    for row in rows:
        if row.verdict is not None and not row.cut:
            assert row.verdict is Verdict.INCONCLUSIVE
            assert row.reason == 'flags set meanwhile'
    quiet = dataclasses.replace(
        test, steps=[dataclasses.replace(s, notes=()) for s in test.steps]
    )
    rows = compare(quiet).times
    assert not any(r.reason == 'flags set meanwhile' for r in rows)
