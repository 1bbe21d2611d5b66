"""An agent gives its worker a job of any size, and waits for none that hangs."""

import json
import os
import signal
import time

import pytest

from ...worker.agent import child, run
from ...worker.wire.agents import ENDED, EVENT, SAY, START, Order

pytestmark = pytest.mark.process

# more than a pipe takes at once; that it has no keyring is told by a worker
# that has read it whole
JOB = {'kind': 'trial', 'access': {}, 'what': 'x' * 300_000}


@pytest.fixture
def agent(tmp_path):
    made = run.Agent(lambda text: '', '/c', str(tmp_path))
    made._due = float('inf')
    yield made
    made._kill()


def begin(agent, stopped=False):
    """Start a worker with the job; return it."""
    if not stopped:
        agent._order(Order(1, START, 'w1', '', JOB, {}))
        return agent._child
    agent._child = found = child.Child('w1', os.path.join(agent._folder, 'w'))
    os.kill(found._process.pid, signal.SIGSTOP)
    found.prepare(JOB)
    return found


def until_over(agent):
    """Return its events, and with which code it ended."""
    end = time.monotonic() + 30.0
    while agent._child is not None and time.monotonic() < end:
        agent._turn()
    *lines, ended = agent._talk.message(None, None).lines
    assert ended.kind == ENDED
    events = [json.loads(one.text) for one in lines if one.kind == EVENT]
    return events, json.loads(ended.text)['code']


def test_a_job_may_be_larger_than_a_pipe(agent):
    worker = begin(agent)
    assert worker.unheard
    events, code = until_over(agent)
    (failed,) = [one for one in events if one['event'] == 'failed']
    assert failed['kind'] == 'protocol' and 'keyring' in failed['error']
    assert code != -signal.SIGKILL


def test_a_worker_that_reads_nothing_is_killed_in_the_end(agent, monkeypatch):
    monkeypatch.setattr(child, 'PATIENCE', 0.5)
    worker = begin(agent, stopped=True)
    began = time.monotonic()
    assert not worker.over
    assert until_over(agent)[1] == -signal.SIGKILL
    assert 0.5 < time.monotonic() - began < 20.0


def test_keys_go_as_soon_as_a_worker_is_killed(agent):
    worker = begin(agent, stopped=True)
    job = {'kind': 'trial', 'access': {}}
    files = {'access.keyring': 'SECRET', 'credentials': 'SECRET'}
    job = child.localized(job, files, worker._folder, '/c')
    assert os.path.exists(job['access']['keyring'])
    # what generators of S3 loads have not read yet
    for name in ('s3.0.spec', 's3.1.spec.new'):
        with open(os.path.join(worker._folder, name), 'w') as file:
            file.write('SECRET')
    worker.kill()
    assert os.listdir(worker._folder) == [child.LOG_FILE]


def test_a_killed_worker_that_does_not_go_is_told_of_when_it_went(
    agent, monkeypatch
):
    """One that waits for a disk, in the kernel, may take long to go."""
    monkeypatch.setattr(run, 'REAP', 0.05)
    worker = begin(agent, stopped=True)
    gone = []
    monkeypatch.setattr(child.Child, 'over', property(lambda _: bool(gone)))
    agent._kill()
    agent._turn()
    assert agent._child is None
    assert agent._talk.message(None, None).lines == ()
    assert os.path.exists(worker._folder)
    gone.append(True)
    agent._turn()
    (ended,) = agent._talk.message(None, None).lines
    assert (ended.worker, ended.kind) == ('w1', ENDED)
    assert json.loads(ended.text)['code'] == -signal.SIGKILL
    assert not os.path.exists(worker._folder)


def test_what_waits_for_a_worker_is_bounded(agent):
    worker = begin(agent, stopped=True)
    worker.renew(15.0)  # it would count from when it is read
    waits = len(worker._unsaid)
    assert waits < len(JOB['what'])
    agent._order(Order(2, SAY, 'w1', 'x' * (child.UNSAID_MAX - waits - 1)))
    assert not worker.over and worker.unheard
    agent._order(Order(3, SAY, 'w1', 'x'))
    assert until_over(agent)[1] == -signal.SIGKILL
