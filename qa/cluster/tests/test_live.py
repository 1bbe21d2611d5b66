"""What tests do to daemons, without a program of its own for each."""

from typing import Callable

import errno
import os
import pathlib

import pytest

from integration.live import LiveCluster

from ..api import CommandFailed
from . import helpers

Act = Callable[[LiveCluster], object]


def test_pid_is_of_what_runs(tmp_path: pathlib.Path) -> None:
    cluster = helpers.cluster(tmp_path)
    (cluster.dir / 'procs').mkdir(exist_ok=True)
    cluster.record('osd.0', os.getpid())
    live = LiveCluster(cluster.dir)
    assert live.pid('osd.0') == os.getpid()
    assert live.pid('osd.1') is None


@pytest.mark.parametrize(
    'act, told, code',
    [
        (lambda live: live.osd_stop(99), 'no osd.99', errno.ENOENT),
        (lambda live: live.osd_kill(0), 'osd.0 is not running', errno.ESRCH),
        (lambda live: live.osd_freeze(0), 'not running', errno.ESRCH),
        (lambda live: live.mon_start('q'), "no mon 'q'", errno.ENOENT),
        (lambda live: live.mgr_start('q'), "no mgr 'q'", errno.ENOENT),
        (lambda live: live.mgr_kill('x'), 'mgr.x is not', errno.ESRCH),
    ],
)
def test_what_cannot_be_done_fails_as_a_verb_does(
    tmp_path: pathlib.Path, act: Act, told: str, code: int
) -> None:
    cluster = helpers.cluster(tmp_path)
    (cluster.dir / 'mgr' / 'x').mkdir(parents=True)
    with pytest.raises(CommandFailed, match=told) as info:
        act(LiveCluster(cluster.dir))
    assert info.value.returncode == code
