"""Tests of how commands are waited for no longer than a moment."""

import contextlib
import errno
import threading
import time

import pytest

from ...app.errands import LEFT, Errands
from ...app.service import Service
from ...common.errors import Busy, NotFound, TryAgain

pytest.importorskip('mgr_module', reason='needs CEPH_MGR_PATH')
from ...cli.registry import (  # noqa: E402
    Answer,
    _guarded,
    only_planned,
    only_proposed,
)


class Slow:
    """Be work that ends when it is told to."""

    def __init__(self, found='found'):
        self.go = threading.Event()
        self.entered = threading.Condition()
        self.begun = 0
        self.found = found

    def wait_begun(self, count):
        """Wait until it was begun so often."""
        with self.entered:
            assert self.entered.wait_for(lambda: self.begun >= count, 60)

    def __call__(self):
        with self.entered:
            self.begun += 1
            self.entered.notify_all()
        self.go.wait(60)
        if isinstance(self.found, Exception):
            raise self.found
        return self.found


@pytest.fixture
def slow():
    found = Slow()
    yield found
    found.go.set()


def fetched(errands, key, work):
    end = time.monotonic() + 60
    while time.monotonic() < end:
        try:
            return errands.do('it', key, work)
        except TryAgain:
            time.sleep(0.001)
    raise AssertionError('never done')


def wait_over(errands, key):
    end = time.monotonic() + 60
    while not errands._jobs[key].over:
        assert time.monotonic() < end
        time.sleep(0.001)


def test_what_is_done_in_time_is_answered_at_once():
    assert Errands(patience=60.0).do('it', 'key', lambda: 7) == 7


def test_what_takes_longer_goes_on_and_is_fetched_by_the_same_key(slow):
    errands = Errands(patience=0.01)
    for _ in range(3):
        with pytest.raises(TryAgain, match='it takes a moment.*same command'):
            errands.do('it', 'key', slow)
    slow.go.set()
    assert fetched(errands, 'key', slow) == 'found'
    assert slow.begun == 1
    # fetched is fetched: who asks then asks anew
    assert fetched(errands, 'key', slow) == 'found'
    assert slow.begun == 2


def test_an_error_is_for_whoever_asks_again(slow):
    slow.found = NotFound('no such run')
    errands = Errands(patience=0.01)
    with pytest.raises(TryAgain):
        errands.do('it', 'key', slow)
    slow.go.set()
    with pytest.raises(NotFound, match='no such run'):
        fetched(errands, 'key', slow)


def test_an_answer_that_nobody_fetches_is_dropped():
    clock = [0.0]
    errands = Errands(patience=0.0, now=lambda: clock[0])
    first = Slow('first')
    with pytest.raises(TryAgain):
        errands.do('it', 'key', first)
    first.go.set()
    while not errands._jobs['key'].over:
        pass
    clock[0] = 61.0
    assert fetched(errands, 'key', lambda: 'second') == 'second'


def test_many_that_take_long_are_not_all_waited_for(slow):
    errands = Errands(patience=0.1, most=30)
    began = time.monotonic()
    for key in range(20):
        with pytest.raises(TryAgain, match='takes a moment'):
            errands.do('it', key, slow)
    assert errands._patience._calm_at > began
    slow.go.set()


def test_few_are_under_way_at_one_time(slow):
    errands = Errands(patience=0.0, most=2)
    for key in (1, 2):
        with pytest.raises(TryAgain, match='takes a moment'):
            errands.do('it', key, slow)
    with pytest.raises(TryAgain, match='2 other answers are being made'):
        errands.do('it', 3, slow)
    slow.go.set()
    assert fetched(errands, 3, lambda: 'third') == 'third'


def test_what_was_begun_before_a_run_ended_is_read_anew():
    """A page asks for a run that ended, and joins what was begun before."""
    ended = ['a (completed)']
    errands = Errands(patience=0.01, ended=lambda: ended[0])
    before, after = Slow('measuring'), Slow('completed')
    with pytest.raises(TryAgain):
        errands.do('it', 'key', before)
    ended[0] = 'b (completed)'
    after.go.set()
    assert fetched(errands, 'key', after) == 'completed'
    before.go.set()


def test_what_is_read_while_something_is_changed_is_read_anew():
    errands = Errands(patience=0.01)
    before = Slow('before')
    with pytest.raises(TryAgain):
        errands.do('it', 'key', before)
    errands.outdate()
    assert fetched(errands, 'key', lambda: 'after') == 'after'
    before.go.set()


def test_what_changes_something_is_not_begun_twice(slow):
    """Another change came, or a run ended, while it was under way."""
    ended = ['']
    errands = Errands(patience=0.01, ended=lambda: ended[0])
    with pytest.raises(TryAgain):
        errands.do('it', 'key', slow, changes=True)
    errands.outdate()
    ended[0] = 'b (completed)'
    slow.go.set()
    end = time.monotonic() + 60
    while time.monotonic() < end:
        with contextlib.suppress(TryAgain):
            errands.do('it', 'key', slow, changes=True)
            break
    assert slow.begun == 1


def test_pages_that_went_elsewhere_leave_nothing_for_the_next():
    clock = [0.0]
    errands = Errands(patience=0.0, most=2, now=lambda: clock[0], left=3.0)
    first, second = Slow('first'), Slow('second')
    for _ in range(3):  # it is asked for all the time
        with pytest.raises(TryAgain):
            errands.do('it', 'key', first)
        clock[0] += 0.7
    clock[0] += 2.5
    with pytest.raises(TryAgain):
        errands.do('it', 'key', second)
    first.wait_begun(1)
    second.wait_begun(1)
    assert (first.begun, second.begun) == (1, 1)
    with pytest.raises(TryAgain, match='2 other answers'):
        errands.do('it', 'other', second)  # both are still being made
    first.go.set()
    second.go.set()
    assert fetched(errands, 'key', second) == 'second'


@pytest.mark.parametrize('every', [0.8, 3.5, 20.0, 55.0])
@pytest.mark.parametrize('takes', [1.0, 50.0])
def test_who_asks_seldom_gets_the_answer_all_the_same(every, takes):
    """A page over a slow way, or a script: nothing begins anew."""
    clock = [0.0]
    errands = Errands(patience=0.0, now=lambda: clock[0], left=LEFT)
    work = Slow()
    with pytest.raises(TryAgain):
        errands.do('it', 'key', work)
    asks = every
    while asks < takes:
        clock[0] = asks
        with pytest.raises(TryAgain):
            errands.do('it', 'key', work)
        asks += every
    clock[0] = takes
    work.go.set()
    wait_over(errands, 'key')
    clock[0] = asks
    assert fetched(errands, 'key', work) == 'found'
    assert work.begun == 1


@pytest.mark.parametrize('late, again', [(500.0, False), (601.0, True)])
def test_a_file_that_is_sent_again_for_minutes_is_imported_once(late, again):
    clock = [0.0]
    errands = Errands(patience=0.0, now=lambda: clock[0])
    work = Slow('id')
    with pytest.raises(TryAgain):
        errands.do('it', 'key', work, once=True, changes=True)
    work.go.set()
    while not errands._jobs['key'].over:
        pass
    clock[0] = late
    end = time.monotonic() + 60
    while time.monotonic() < end:
        with contextlib.suppress(TryAgain):
            errands.do('it', 'key', work, once=True, changes=True)
            break
    assert work.begun == (2 if again else 1)


def test_a_failure_that_nobody_fetched_is_not_told_for_minutes():
    clock = [0.0]
    for later in (lambda e: e.outdate(), lambda e: clock.append(0.0)):
        errands = Errands(patience=0.0, now=lambda: clock[0])
        failed, work = Slow(Busy('a run is active')), Slow('id')
        with pytest.raises(TryAgain):
            errands.do('it', 'key', failed, once=True, changes=True)
        failed.go.set()
        while not errands._jobs['key'].over:
            pass
        later(errands)
        clock[0] += 61.0 if len(clock) > 1 else 0.0
        work.go.set()
        for _ in range(10_000):
            try:
                found = errands.do('it', 'key', work, True, True)
                break
            except TryAgain:
                pass
        assert found == 'id' and work.begun == 1


class Module:
    """Be as much of a module as a command needs."""

    def __init__(self, errands):
        self.service = self
        self.errands = errands


def test_a_command_that_takes_long_ends_with_eagain(slow):
    def handler(self, run, format=None) -> None:
        return Answer([run], lambda: slow() + ' ' + run)

    module = Module(Errands(patience=0.01))
    command = _guarded('show', handler, False)
    result = command(module, run='a')
    assert (result.retval, result.stdout) == (-11, '')
    assert "'show' takes a moment" in result.stderr
    # another run is another command
    assert command(module, run='b').retval == -11
    slow.wait_begun(2)
    assert slow.begun == 2
    slow.go.set()
    for run in ('a', 'b'):
        result = command(module, run=run)
        while result.retval:
            result = command(module, run=run)
        assert result.stdout == f'found {run}'


def test_what_ends_load_waits_for_no_other_command(slow):
    def handler(self) -> None:
        return Answer(None, lambda: 'stopped')

    module = Module(Errands(patience=0.0, most=1))
    with pytest.raises(TryAgain):
        module.errands.do('it', 1, slow)
    assert _guarded('stop', handler, True)(module).stdout == 'stopped'


def test_errors_of_commands_come_through(slow):
    def handler(self) -> None:
        raise Busy('run a is active')

    module = Module(Errands(patience=60.0))
    result = _guarded('run', handler, False)(module)
    assert (result.retval, result.stderr) == (-16, 'run a is active')


class Changed(Module):
    """Be as much of a module as commands need that change something."""

    outdate = Service.outdate
    changing = Service.changing

    def __init__(self):
        super().__init__(Errands(patience=0.0))
        self.calls = Errands(patience=0.0)
        self.done = []
        self.go = threading.Event()

    def command(self, name, changes=True, at_once=False):
        def handler(self) -> None:
            at_once or self.go.wait(60)
            self.done.append(name)
            return Answer(None, lambda: f'{name} {len(self.done)}')

        return _guarded(name, handler, at_once, changes)

    def unfetched(self, command):
        """Give a command whose answer nobody fetches."""
        self.go.clear()
        assert command(self).retval == -errno.EAGAIN
        self.go.set()
        deadline = time.monotonic() + 10
        while not all(job.over for job in self.errands._jobs.values()):
            assert time.monotonic() < deadline
            time.sleep(0.001)


@pytest.mark.process
def test_what_was_made_before_a_change_is_not_told_after_it():
    """An answer of before, or 'disabled' where somebody enabled it since."""
    module = Changed()
    disable, enable = module.command('disable'), module.command('enable')
    show = module.command('show', changes=False)
    for command in (show, disable, enable, disable, show):
        module.unfetched(command)
    assert module.done == ['show', 'disable', 'enable', 'disable', 'show']
    assert show(module).stdout == 'show 5'


@pytest.mark.process
@pytest.mark.parametrize('reads', [only_planned, only_proposed])
def test_what_is_only_planned_or_proposed_outdates_nothing(reads):
    module = Changed()
    show = module.command('show', changes=False)

    def handler(self, dry_run=False, apply=False) -> None:
        return Answer(None, lambda: 'planned')

    command = _guarded('run', handler, False, True, reads)
    module.unfetched(show)
    wishes = {'dry_run': reads is only_planned}
    while command(module, **wishes).retval:
        time.sleep(0.001)
    assert show(module).stdout == 'show 1'
    module.unfetched(show)
    wishes = {'apply': reads is only_proposed}
    while command(module, **wishes).retval:
        time.sleep(0.001)
    module.unfetched(show)
    assert module.done == ['show'] * 3


@pytest.mark.process
def test_a_run_does_not_begin_twice_unless_it_was_ended():
    module = Changed()
    run, other = module.command('run'), module.command('group set')
    cancel = module.command('cancel', at_once=True)
    module.unfetched(run)
    module.unfetched(other)
    assert run(module).stdout.startswith('run')  # it is fetched
    assert module.done == ['run', 'group set']
    module.unfetched(run)
    assert cancel(module).retval == 0
    module.unfetched(run)
    assert module.done == ['run', 'group set', 'run', 'cancel', 'run']
