"""A run is stopped from its request on, and no other in its place."""

from typing import Any, Callable, Dict, Iterator

import dataclasses
import json

import pytest

from ...app.submission import Submission
from ...common.errors import Busy, NotFound, NotPermitted, TryAgain
from ...execution import notice
from ...execution.active_run import ActiveRun, Ending
from ...execution.notice import Notice
from ...execution.run_end import RunEnds
from ...execution.runner import Runner
from ...model.run import RunState
from ...report import listing
from ..data.recovery_rig import BASE, HOSTS
from ..fakes import running
from ..fakes.cluster import FakeCluster
from ..fakes.running import REQUEST, Rig, left

folder = running.folder
rig = running.rig

ENDING = Ending(RunState.CANCELLED, 'cancelled by an operator')


@pytest.fixture
def cluster() -> FakeCluster:
    return FakeCluster(HOSTS)


@pytest.fixture
def between(
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Dict[str, Callable[[], Any]]]:
    """Do something between the checks of a plan and its admission."""
    found: Dict[str, Callable[[], Any]] = {}
    check = Submission.check

    def checked(submission: Submission, plan: Any) -> Any:
        report = check(submission, plan)
        found.pop('do', lambda: None)()
        return report

    monkeypatch.setattr(Submission, 'check', checked)
    yield found


def starters(rig: Rig) -> Dict[str, Callable[[], Any]]:
    return {
        'run': lambda: rig.service.start(REQUEST),
        'test': lambda: rig.service.tests.start(BASE),
    }


@pytest.mark.parametrize('kind', ['run', 'test'])
def test_stop_is_heard_while_a_run_is_checked(
    rig: Rig, between: Dict[str, Any], kind: str
) -> None:
    rig.wait(lambda: not rig.service.status().warnings)
    told = []
    between['do'] = lambda: told.append(rig.service.stop(now=True))
    with pytest.raises(Busy, match='stopped by an operator before'):
        starters(rig)[kind]()
    assert 'being checked will not begin' in listing.stopping(told[0])
    assert rig.launcher.started == [] and left(rig.cluster) == []
    # that is over: the next one begins
    assert rig.execute().run.state is RunState.COMPLETED


@pytest.mark.parametrize('kind', ['run', 'test'])
def test_emergency_stop_is_heard_while_a_run_is_checked(
    rig: Rig, between: Dict[str, Any], kind: str
) -> None:
    rig.wait(lambda: not rig.service.status().warnings)
    before = rig.settings

    def stop() -> None:
        rig.settings = dataclasses.replace(before, emergency_stop=True)
        rig.service.options_changed()
        rig.settings = before  # and is cleared at once

    between['do'] = stop
    with pytest.raises(NotPermitted, match='EMERGENCY_STOP'):
        starters(rig)[kind]()
    assert rig.launcher.started == [] and left(rig.cluster) == []


def test_stop_of_another_run_lets_one_begin_that_is_checked(
    rig: Rig, between: Dict[str, Any]
) -> None:
    rig.wait(lambda: not rig.service.status().warnings)

    def stop() -> None:
        with pytest.raises(NotFound, match='no run is active'):
            rig.service.stop(now=True, run='0a1b2c3d')

    between['do'] = stop
    run = rig.service.start(REQUEST).run
    assert rig.ended(run).run.state is RunState.COMPLETED


def test_stop_without_any_run_says_so(rig: Rig) -> None:
    rig.wait(lambda: not rig.service.status().warnings)
    with pytest.raises(NotFound, match='no run is active'):
        rig.service.stop(now=True)


def test_a_cancel_before_the_run_is_saved_outlives_the_manager(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Saving a run removes whatever was noted before."""
    monkeypatch.setattr(notice, 'PATIENCE', 10.0)
    rig.execute()
    noted, ends = [], []
    save, end = ActiveRun.save, ActiveRun.end

    def saved(active: ActiveRun, run: Any) -> None:
        noted.append(rig.service.cancel(run.id).noted)
        save(active, run)

    def ended(active: ActiveRun, ending: Ending) -> None:
        end(active, ending)
        ends.append(rig.cluster.kv.get('active/end'))

    monkeypatch.setattr(ActiveRun, 'save', saved)
    monkeypatch.setattr(ActiveRun, 'end', ended)
    assert rig.execute().run.state is RunState.CANCELLED
    assert noted == [False]
    assert 'cancelled by an operator' in str(ends[0])


def test_an_end_is_written_as_soon_as_that_can_last() -> None:
    written = []
    found = Notice(lambda end: not written.append(end), ready=False)
    assert not found.give(ENDING) and written == []
    found.begin()
    assert found.give(ENDING._replace(reason='again'))
    assert written == [ENDING]


def test_a_cancel_of_a_run_that_ends_is_not_one_of_the_next(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the look at the id and the request the next is admitted."""
    rig.launcher.steps = 10**6
    first = rig.start()
    rig.wait(lambda: rig.launcher.started)
    brakes = getattr(Runner, '_brakes')
    second = []

    def late(runner: Runner) -> Any:
        found = brakes(runner)
        if not second:
            second.append('')
            rig.service.stop(now=True)
            rig.ended(first)
            second[0] = rig.start()
        return found

    monkeypatch.setattr(Runner, '_brakes', late)
    rig.service.cancel(first)
    rig.wait(lambda: len(rig.launcher.started) > 1)
    with pytest.raises(NotFound):
        rig.service.cancel(first)
    rig.launcher.steps = 2
    rig.service.stop(now=True)
    assert 'stopped by' in rig.ended(second[0]).run.reason


def test_a_fault_after_a_run_takes_nothing_from_the_next(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    accepted = []
    expire = RunEnds.expire

    def broken(ends: RunEnds) -> None:
        if accepted:
            return expire(ends)
        # the first one is over: the next one is admitted
        accepted.append('')
        accepted[0] = rig.service.start(REQUEST).run
        raise RuntimeError('a fault of ours')

    first = rig.start()
    monkeypatch.setattr(RunEnds, 'expire', broken)
    rig.wait(lambda: accepted and accepted[0])
    assert accepted[0] != first
    assert rig.ended(accepted[0]).run.state is RunState.COMPLETED


def test_gateways_of_a_run_stay_until_it_ends(rig: Rig) -> None:
    """Also before its first bucket: its plan has their addresses."""
    keys = json.dumps({'access_key': 'AK', 'secret_key': 'secret'})
    books = rig.service.gateways
    rig.wait(lambda: not rig.service.status().warnings)
    for group in ('x86', 'other'):
        books.set(group, ['http://gw-1'], None, None, keys)
    rig.launcher.steps = 10**6
    run = rig.start()
    admitted = rig.service._runner._admission.current
    groups = [
        dataclasses.replace(g, gateways=g.name)
        for g in admitted.run.plan.groups
    ]
    plan = dataclasses.replace(admitted.run.plan, groups=tuple(groups))
    rig.service._runner._admission._current = dataclasses.replace(
        admitted, run=dataclasses.replace(admitted.run, plan=plan)
    )
    with pytest.raises(Busy, match=f'run {run} uses the gateways'):
        books.remove('x86')
    with pytest.raises(Busy, match=f'run {run} uses the gateways'):
        books.set('x86', ['http://gw-2'], None, None, keys)
    books.set('x86', ['http://gw-1'], None, None, keys)  # new keys
    books.remove('other')
    rig.service._runner._admission._current = admitted
    rig.service.stop(now=True)
    rig.ended(run)
    books.remove('x86')


def test_gateways_stay_until_it_is_known_whether_a_run_goes_on(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = json.dumps({'access_key': 'AK', 'secret_key': 'secret'})
    books = rig.service.gateways
    rig.wait(lambda: not rig.service.status().warnings)
    books.set('x86', ['http://gw-1'], None, None, keys)
    rig.service._runner._admission._recovering = True
    with pytest.raises(Busy, match='taken up again'):
        books.remove('x86')
    rig.service._runner._admission.recovered()
    books.remove('x86')


def test_a_run_that_is_not_saved_is_no_longer_active(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(active: ActiveRun, run: Any) -> None:
        raise TryAgain('no mon')

    with monkeypatch.context() as patch:
        patch.setattr(ActiveRun, 'save', refused)
        with pytest.raises(TryAgain):
            rig.start()
    rig.wait(lambda: not rig.service.status().warnings)
    assert rig.execute().run.state is RunState.COMPLETED
