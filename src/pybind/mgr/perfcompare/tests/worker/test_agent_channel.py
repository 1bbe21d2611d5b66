"""How an agent reaches the Manager."""

from typing import Any, Dict, List

import errno
import sys
import time
import types

import pytest

from perfcompare.worker.agent import main, run
from perfcompare.worker.wire import agents


def test_a_connection_that_is_silent_is_made_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """TCP alone takes as long again as a network was cut."""
    given: Dict[str, Any] = {}

    class Rados:
        def __init__(self, **words: Any) -> None:
            given.update(words)

        def connect(self, timeout: int) -> None:
            """Be connected."""

        def mgr_command(self, command: str, data: bytes) -> Any:
            """Answer."""
            return 0, b'{}', ''

    fake = types.SimpleNamespace(Rados=Rados, Error=OSError)
    monkeypatch.setitem(sys.modules, 'rados', fake)
    call = main._channel('load-1', '/ceph.conf', '/keyring')
    assert call('') == '{}'
    seconds = int(given['conf']['ms_connection_idle_timeout'])
    # it must bear the pause between two exchanges of an idle agent
    assert agents.IDLE < seconds < 30
    assert run.IDLE == agents.IDLE


@pytest.fixture
def channel(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return what is called, and the connections that it made."""
    made: List[Any] = []

    class Rados:
        answer = (0, b'{}', '')
        ended = False

        def __init__(self, **words: Any) -> None:
            made.append(self)

        def connect(self, timeout: int) -> None:
            """Be connected."""

        def mgr_command(self, command: str, data: bytes) -> Any:
            """Answer."""
            return Rados.answer

        def shutdown(self) -> None:
            """Be no connection any more."""
            self.ended = True

    fake = types.SimpleNamespace(Rados=Rados, Error=OSError)
    monkeypatch.setitem(sys.modules, 'rados', fake)
    call = main._channel('load-1', '/ceph.conf', '/keyring')
    return types.SimpleNamespace(call=call, made=made, rados=Rados)


@pytest.mark.parametrize(
    'code, anew',
    [
        (errno.ENOENT, True),  # it was removed
        (errno.EPERM, True),  # or removed and added again
        (errno.EACCES, True),
        (errno.EINVAL, False),  # another version
        (errno.EAGAIN, False),
        (errno.EHOSTDOWN, False),  # it is disabled
    ],
)
def test_a_key_that_counts_no_more_is_read_anew(
    channel: Any, code: int, anew: bool
) -> None:
    """A connection outlives its key, which may be another one by now."""
    channel.call('')
    channel.rados.answer = (-code, b'', 'no')
    with pytest.raises(run.Refused) as refused:
        channel.call('')
    assert refused.value.shut_out is anew
    assert channel.made[0].ended is anew
    channel.rados.answer = (0, b'{}', '')
    assert channel.call('') == '{}'
    assert len(channel.made) == 1 + anew


@pytest.mark.parametrize(
    'code, anew', [(errno.EPERM, True), (errno.EINVAL, False)]
)
def test_one_with_another_key_is_another_agent(
    tmp_path: Any, code: int, anew: bool
) -> None:
    agent = run.Agent(lambda text: '', '/c', str(tmp_path / 'own'))
    before = agent._talk.message(None, None).boot
    agent._told(run.Refused('no', code), time.monotonic(), time.time())
    assert (agent._talk.message(None, None).boot != before) is anew
