"""The latency probe's own program, beside a cluster that hangs."""

from typing import Any, Callable, List

import json
import pathlib
import subprocess
import sys
import time

import pytest

from perfcompare.worker.loads.rados import latency_probe, probe_client
from perfcompare.worker.loads.rados.probe_client import (
    IN_FLIGHT_BYTES,
    NOT_ENDED,
    Asking,
)

LEAST = 16  # operations that are under way at most, of any size
HANGING = '''
class Rados:
    def __init__(self, **how):
        self.connect = lambda: None
        self.open_ioctx = lambda pool: self

    def aio_read(self, name, size, offset, ended):
        pass
'''


class Hanging:
    """Take reads, and answer them when it is told to."""

    def __init__(self) -> None:
        self.asked: List[Callable[..., None]] = []

    def aio_read(
        self, name: str, size: int, offset: int, ended: Callable[..., None]
    ) -> None:
        """Keep who is to be told of the end."""
        self.asked.append(ended)


def spec(seconds: float, rate: float = 1000.0) -> Any:
    return {
        'op': 'read', 'size': IN_FLIGHT_BYTES // LEAST, 'rate': rate,
        'seed': 1, 'prefix': 'p', 'objects': 8,
        'until': time.monotonic() + seconds,
    }  # fmt: skip


def test_a_hang_is_not_followed_by_a_burst(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(probe_client, 'GRACE', 0.2)
    cluster, how = Hanging(), spec(0.5)
    asking = Asking(cluster, how)
    asking.run(how['until'])
    assert len(cluster.asked) == asking.flying == LEAST
    # what was never begun is part of the stall, and no lateness of ours
    assert len(asking.due) == pytest.approx(500, rel=0.3)
    assert set(asking.took) == {None}
    assert max(asking.late[LEAST:]) == 0.0


@pytest.mark.process
def test_it_ends_before_it_is_killed(tmp_path: pathlib.Path) -> None:
    (tmp_path / 'rados.py').write_text(HANGING)
    how = {
        # a busy machine takes its time to start a program
        **spec(5.0), 'conf': 'c', 'keyring': 'k', 'entity': 'client.x',
        'pool': 'p',
    }  # fmt: skip
    run = (
        'import runpy, sys; sys.path.insert(0, sys.argv.pop(1)); '
        'runpy.run_path(sys.argv.pop(1), run_name="__main__")'
    )
    argv = [str(tmp_path), str(probe_client.__file__), json.dumps(how)]
    done = subprocess.run(
        [sys.executable, '-c', run, *argv],
        stdout=subprocess.PIPE,
        timeout=60.0,
        check=True,
    )
    found = json.loads(done.stdout)
    assert found['ended'] - how['until'] < latency_probe.WAIT - 2.0
    assert set(found['took']) == {NOT_ENDED}
