"""An agent clears a folder of its own, and never the one it is given."""

import dataclasses
import errno
import json
import os
import time
import types

import pytest

from ...worker.agent import run
from ...worker.wire.agents import (
    AGENT_PROTOCOL,
    ENDED,
    RESULT,
    START,
    Answer,
    Line,
    Order,
)


@pytest.mark.parametrize('again', [False, True])
def test_what_else_is_in_the_folder_stays(tmp_path, monkeypatch, again):
    seen = []
    monkeypatch.setattr(run.signal, 'signal', lambda *_: None)
    monkeypatch.setattr(
        run.Agent, 'main', lambda self: seen.append(self._folder)
    )
    (tmp_path / 'precious').write_text('x')
    run.serve(lambda text: '', '/c', str(tmp_path))
    (own,) = seen
    if again:
        run.clear(own)
        (tmp_path / own / 'keyring').write_text('left by a former one')
    run.clear(own)
    assert own.startswith(str(tmp_path) + '/perfcompare-agent-')
    assert [p.name for p in (tmp_path / own).iterdir()] == []
    assert (tmp_path / 'precious').read_text() == 'x'


def test_a_start_that_comes_late_is_not_obeyed(tmp_path, monkeypatch):
    """Nobody would renew its lease, and it would have the keys."""
    started = []
    monkeypatch.setattr(run.Agent, '_start', lambda _, o: started.append(o))
    agent = run.Agent(lambda text: '', '/c', str(tmp_path))
    order = Order(1, START, 'w1', '', {'kind': 'trial'}, {})
    for number, lease in ((1, 0.0), (2, 15.0)):
        agent._sent = run.now()
        agent._take(
            Answer(
                protocol=AGENT_PROTOCOL,
                epoch='',
                got=0,
                period=1.0,
                now=time.time(),
                orders=(dataclasses.replace(order, number=number),),
                lease=lease,
            )
        )
    assert [o.number for o in started] == [2]


def test_time_in_which_a_host_is_suspended_is_of_the_lease(
    tmp_path, monkeypatch
):
    """Its answer waits meanwhile, and the monotonic clock stands still."""
    renewed, times = [], [1000.0]
    monkeypatch.setattr(run, 'now', lambda: times[0])
    agent = run.Agent(lambda text: '', '/c', str(tmp_path))
    monkeypatch.setattr(agent, '_caller', types.SimpleNamespace(ask=print))
    agent._child = types.SimpleNamespace(renew=renewed.append)
    agent._wanted = False
    for seconds in (1.0, 40.0):
        agent._ask(run.now())
        times[0] += seconds
        answer = Answer(AGENT_PROTOCOL, '', 0, 1.0, 0.0, (), 15.0)
        agent._take(answer)
    assert renewed == [14.0, -25.0]  # the latter is none


def test_what_a_worker_left_is_sent_in_haste(tmp_path):
    agent = run.Agent(lambda text: '', '/c', str(tmp_path))
    agent._sent = run.now()
    agent._due = agent._sent + 10.0
    agent._talk.add([Line('w1', RESULT, 'x'), Line('w1', ENDED, '{}')])
    agent._wake()
    agent._turn()  # there is no worker any more
    assert agent._due <= agent._sent + run.SHORTEST


def test_a_full_disk_is_named_with_its_folder(tmp_path, monkeypatch):
    def full(name, folder):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(run, 'Child', full)
    agent = run.Agent(lambda text: '', '/c', str(tmp_path))
    agent._order(Order(1, START, '0001-trial', '', {'kind': 'trial'}, {}))
    told, ended = agent._talk.message(None, None).lines
    assert json.loads(told.text)['error'] == (
        f"cannot start a worker in '{tmp_path}/0001-trial': No space left "
        'on device'
    )
    assert json.loads(ended.text)['code'] == 1
