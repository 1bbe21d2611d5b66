"""An agent that others replace ends; with new files it is started anew."""

import errno
import os
import shutil
import time

import pytest

from ...worker.agent import main, run
from ...worker.wire import agents
from ...worker.wire.agents import START, Order, program_digest

ORDER = Order(1, START, '0001-trial', '', {'kind': 'trial'}, {})


@pytest.fixture
def program(tmp_path, monkeypatch):
    """Return a copy of the worker's files, which the agent takes as its own."""
    top = os.path.dirname(os.path.dirname(agents.__file__))
    copy = tmp_path / 'worker'
    shutil.copytree(top, copy, ignore=shutil.ignore_patterns('__pycache__'))
    monkeypatch.setattr(agents, '_TOP', str(copy))
    return copy


@pytest.fixture
def agent(program, tmp_path):
    return run.Agent(lambda text: '', '/c', str(tmp_path / 'own'))


def refuse(agent, again=False):
    code = errno.EAGAIN if again else errno.EINVAL
    error = run.Refused('another program', code)
    agent._told(error, time.monotonic(), time.time())


def replace(program):
    (program / 'supervisor.py').write_text('# the next version')


def lose(program):
    shutil.rmtree(program)


@pytest.mark.parametrize('change', [replace, lose])
def test_it_ends_when_it_is_refused(agent, program, change):
    refuse(agent)  # by a Manager that was upgraded before
    change(program)
    with pytest.raises(run.Replaced, match='another version'):
        refuse(agent)


def test_it_starts_no_worker_of_another_version(agent, program, monkeypatch):
    started = []
    monkeypatch.setattr(run, 'Child', lambda *words: started.append(words))
    replace(program)
    with pytest.raises(run.Replaced):
        agent._order(ORDER)
    assert not started


@pytest.fixture
def asked(agent, monkeypatch):
    """Return what it tells the Manager, which nobody hears."""
    found = []
    monkeypatch.setattr(agent._caller, 'ask', found.append)
    monkeypatch.setattr(run, 'host_facts', lambda _: None)
    return found


@pytest.mark.parametrize('change', [replace, lose])
def test_an_idle_one_ends_when_its_host_is_to_be_described(
    agent, program, asked, change
):
    """A load host that was upgraded before the Managers says so by itself."""
    agent._ask(0.0)
    assert len(asked) == 1
    change(program)
    with pytest.raises(run.Replaced):
        agent._ask(10.0)
    assert len(asked) == 1


def test_one_whose_host_is_known_goes_on(agent, program, asked):
    agent._wanted = False
    replace(program)
    agent._ask(0.0)
    assert len(asked) == 1


def test_one_that_makes_load_ends_it_first(agent, program, asked):
    agent._child = object()
    replace(program)
    agent._ask(0.0)
    assert len(asked) == 1


def test_what_nobody_replaced_stays(agent, program):
    """Byte code is no part of it; a Manager that starts says nothing of it."""
    (program / '__pycache__').mkdir()
    (program / '__pycache__' / 'supervisor.pyc').write_text('x')
    refuse(agent)
    replace(program)
    refuse(agent, again=True)


def test_a_file_that_goes_while_it_is_read_is_another_version(
    agent, program, monkeypatch
):
    def gone():
        raise FileNotFoundError(2, 'No such file or directory')

    monkeypatch.setattr(run, 'program_digest', gone)
    with pytest.raises(run.Replaced):
        refuse(agent)


def test_one_that_another_one_replaced_ends(agent):
    """A Manager that takes over may hear it first, and refuse the other."""
    error = run.Refused('another agent serves it', errno.EEXIST)
    with pytest.raises(run.Outdone, match='another agent serves'):
        agent._told(error, time.monotonic(), time.time())


def test_its_files_are_of_no_account_then(agent, program):
    """Started anew it would be the last one."""
    replace(program)
    with pytest.raises(run.Outdone):
        agent._told(run.Refused('no', errno.EEXIST), 0.0, 0.0)


@pytest.mark.parametrize(
    'error, code', [(run.Replaced(), 1), (run.Outdone(), 0)]
)
def test_its_exit_code_has_systemd_start_it_anew_or_not(
    tmp_path, monkeypatch, capsys, error, code
):
    def serve(*words):
        raise error

    monkeypatch.setattr(main, '_channel', lambda *words: None)
    monkeypatch.setattr(main, 'serve', serve)
    file = tmp_path / 'file'
    file.touch()
    words = ['--host', 'load-1', '--conf', str(file), '--keyring', str(file)]
    assert main.main(words) == code
    (line,) = capsys.readouterr().err.splitlines()
    assert line == str(error)


def test_a_digest_is_of_the_files_as_they_are(program):
    before = program_digest()
    assert program_digest() == before
    replace(program)
    assert program_digest() != before
