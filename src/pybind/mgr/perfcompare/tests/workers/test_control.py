"""The brakes of a run."""

import threading
import time

import pytest

from perfcompare.model.run import RunState
from perfcompare.workers.control import Control, Stopped


def test_first_request_stands():
    control = Control()
    control.request(RunState.CANCELLED, 'cancelled')
    control.request(RunState.ABORTED, 'later')
    with pytest.raises(Stopped) as caught:
        control.check()
    assert caught.value.state is RunState.CANCELLED
    assert caught.value.reason == 'cancelled'


def test_request_with_kill_kills_in_the_requesting_thread():
    control = Control()
    killed = []
    control.attach(lambda: killed.append(threading.get_ident()))
    control.request(RunState.CANCELLED, 'stop', kill=True)
    assert killed == [threading.get_ident()]


def test_request_after_detach_kills_nothing():
    control = Control()
    killed = []
    control.attach(lambda: killed.append(1))
    control.detach()
    control.request(RunState.CANCELLED, 'stop', kill=True)
    assert killed == []


def test_load_that_starts_after_the_request_is_refused():
    control = Control()
    control.request(RunState.CANCELLED, 'stop', kill=True)
    with pytest.raises(Stopped):
        control.attach(lambda: None)


def test_wait_ends_as_soon_as_the_run_is_asked_to_end():
    control = Control()
    timer = threading.Timer(
        0.1, lambda: control.request(RunState.CANCELLED, 'stop')
    )
    timer.start()
    began = time.monotonic()
    with pytest.raises(Stopped):
        control.wait(30)
    assert time.monotonic() - began < 10
    timer.join()


def test_wait_until_gives_up_after_its_timeout():
    assert not Control().wait_until(lambda: False, 0.05, 0.01)
    assert Control().wait_until(lambda: True, 0.05, 0.01)
