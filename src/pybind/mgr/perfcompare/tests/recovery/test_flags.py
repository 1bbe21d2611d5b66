"""Flags of the OSD map that somebody sets while a recovery test goes on."""

import dataclasses

import pytest

from ...common.errors import InvalidArgument, PerfcompareError
from ...model.recovery import (
    RecoveryTest,
    Scenario,
    StepKind,
    StepResult,
    TestState,
)
from ...recovery.judge import flags_seen
from ...recovery.judge.comparison import compare
from ...recovery.judge.flags import NOTE
from ...recovery.plan.precautions import Precautions
from ...recovery.run.flag_watch import FlagWatch
from ..data.recovery_rig import Watched, request
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


@pytest.mark.parametrize(
    'flag, auto_out, hinders',
    [('norebalance', False, True), ('noout', False, False),
     ('noout', True, True)],
)  # fmt: skip
def test_a_flag_that_is_set_in_mid_step_is_told_once_and_takes_the_verdict(
    rig, monkeypatch, flag, auto_out, hinders
):
    end = Watched.end

    def ended(watch):
        """Do as the watch of a cluster does: the first step is hindered."""
        found = end(watch)
        monkeypatch.setattr(Watched, 'end', end)
        return dataclasses.replace(found, notes=(f'{NOTE}{flag} (5 min)',))

    monkeypatch.setattr(Watched, 'end', ended)
    rig.cluster.flags.append('noscrub')
    test = rig.execute(request('osd-out'))
    assert test.state is TestState.COMPLETED
    planned = dict(test.plan['recovery'], auto_out=auto_out)
    test = dataclasses.replace(test, plan={'recovery': planned})
    compared = compare(test)
    told = [n for n in compared.notes if flag in n]
    assert len(told) == hinders
    rows = [r for r in compared.times if r.step == 1]
    assert any(r.verdict for r in rows)
    for row in rows:
        if row.verdict is not None and not row.cut:
            assert (row.reason == 'flags set meanwhile') == hinders
    rest = [r for r in compared.times + compared.client if r.step != 1]
    assert not any(r.reason == 'flags set meanwhile' for r in rest)


def test_a_flag_while_nothing_is_taken_is_told(rig):
    watch = FlagWatch(rig.cluster, FakeClock(), False)
    watch.begin()
    rig.cluster.flags.append('norecover')
    notes = watch.end()
    assert notes == ('flags set meanwhile: norecover',)
    step = StepResult('x86', 1, 0, StepKind.BASELINE, 'no failure')
    test = RecoveryTest(
        '0000000b', TestState.COMPLETED, Scenario.OSD_OUT, ('x86',), 0.0, 1.0
    )
    flagged = dataclasses.replace(step, notes=notes)
    assert flags_seen.flagged(test, [flagged]) == {0}
    assert flags_seen.flagged(test, [step]) == set()
