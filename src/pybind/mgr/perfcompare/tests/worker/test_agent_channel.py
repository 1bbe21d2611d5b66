"""How an agent reaches the Manager."""

from typing import Any, Dict

import sys
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
