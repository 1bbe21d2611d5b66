"""A run that is taken up again waits for the agents of its load hosts."""

import pytest

from ...app.requests import RunRequest
from ...common.errors import PerfcompareError
from ...execution.active_run import ActiveRun
from ...model.run import Run, RunEvent, RunState
from ...worker.agent.conversation import Conversation
from ...worker.wire.agents import HostFacts, program_digest, sync_text
from ..fakes import running
from ..fakes.clock import FakeClock
from ..fakes.running import Rig, left

folder = running.folder
cluster = running.cluster

FACTS = HostFacts(
    'h1', 'x86_64', '6.1', 'cpu', 8.0, 1 << 34, 1 << 33, ('10.9.0.9',),
    '3.11', True, '20.2.4',
)  # fmt: skip
REQUEST = RunRequest(
    groups=('x86', 'arm'), profile='smoke', load_hosts=('h1',)
)


def say(rig):
    """Be heard as an idle agent is."""
    talk = Conversation('b' * 16, program_digest())
    try:
        rig.service.load_hosts.sync(
            'h1', sync_text(talk.message(FACTS, None))
        )
    except PerfcompareError:  # more often than it may
        pass


def left_over(cluster, folder):
    """Leave a run that was cut, as a former Manager does; return its id."""
    first = Rig(cluster, folder)
    first.service.load_hosts.add('h1')
    say(first)
    plan = first.service.draft(REQUEST).plan
    first.stop()
    now = first.clock.wall()
    run = Run(
        id=plan.run,
        state=RunState.TRIAL,
        plan=plan,
        created=now,
        started=now,
        origin='cli',
        fsid=cluster.fsid(),
        events=(RunEvent(now, RunState.TRIAL, ''),),
    )
    first.store.put_run(run)
    ActiveRun(cluster, first.clock).save(run)
    return first, run.id


@pytest.mark.parametrize('away, goes_on', [(90.0, True), (3600.0, False)])
def test_an_agent_has_minutes_to_come_back(cluster, folder, away, goes_on):
    first, run = left_over(cluster, folder)
    back = first.clock.now + 30.0 + away  # its load ends before, by its lease
    rigs, told = [], []

    def waited(seconds):
        if rigs and clock.now > back:
            say(rigs[0])
        if rigs:
            progress = rigs[0].service.status().progress
            told.append(progress.message if progress else '')

    clock = FakeClock(first.clock.now, waited, nap=0.001)
    second = Rig(cluster, folder, first.store, clock=clock)
    rigs.append(second)
    try:
        found = second.ended(run).run
    finally:
        second.stop()
    assert 'until its load hosts are heard of' in told
    assert left(cluster) == ['client.perfcompare.agent.h1']
    # an agent that only says that it is there starts nothing
    assert found.state is RunState.FAILED
    assert ('started no worker' in found.reason) is goes_on, found.reason
    assert ('never seen' in found.reason) is not goes_on


def test_a_cancel_ends_the_wait(cluster, folder):
    first, run = left_over(cluster, folder)
    rigs = []

    def waited(seconds):
        progress = rigs[0].service.status().progress if rigs else None
        if progress and 'load hosts' in progress.message:
            rigs[0].service.cancel(run)

    clock = FakeClock(first.clock.now, waited, nap=0.001)
    second = Rig(cluster, folder, first.store, clock=clock)
    rigs.append(second)
    try:
        found = second.ended(run).run
    finally:
        second.stop()
    assert found.state is RunState.CANCELLED
    assert left(cluster) == ['client.perfcompare.agent.h1']
