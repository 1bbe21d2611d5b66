"""A worker that is told to end does so, whatever its thread held."""

import multiprocessing
import os
import signal
import time

import pytest

from ...worker import supervisor
from ...worker.supervisor import Supervisor

pytestmark = pytest.mark.process


def _hangs() -> None:
    """Be interrupted where a thread is started, so that none can be."""
    setattr(Supervisor, '_lost', lambda self, reason: time.sleep(60.0))
    setattr(Supervisor, '_job', lambda self: time.sleep(60.0))
    stdin, _ = os.pipe()
    with open(os.devnull, 'wb') as sink:
        Supervisor(stdin, sink.fileno()).main()


def test_a_handler_that_hangs_is_ended_by_the_kernel() -> None:
    fork = multiprocessing.get_context('fork')
    child = fork.Process(target=_hangs, daemon=True)
    child.start()
    time.sleep(1.0)
    assert child.pid is not None and child.is_alive()
    os.kill(child.pid, signal.SIGTERM)
    try:
        child.join(supervisor.REAP + 8.0)
        assert child.exitcode == -signal.SIGALRM
    finally:
        child.kill()
