"""Generator processes wait for their leader, and die with it."""

from typing import Iterator, List

import json
import os
import pathlib
import signal
import subprocess
import sys
import time

import pytest

from ...worker.loads.s3 import process, shared_state
from ...worker.loads.s3.shared_state import SharedState
from ...worker.wire.protocol import Ready
from ...worker.wire.s3_jobs import S3Trial
from ...worker.wire.s3_spec import (
    Endpoint,
    Objects,
    ProcessSpec,
    Target,
    Weighted,
    to_file,
)
from ..fakes.s3_server import S3Server
from ..fakes.worker_site import Site, drive, gone

pytestmark = pytest.mark.process

PACKAGE = pathlib.Path(__file__).parents[2]
# a day passes for it in a moment
AGING = '''
import sys, time
clock = time.monotonic
time.monotonic = lambda: 86400.0 * clock()
sys.path.insert(0, sys.argv.pop(1))
from worker.loads.s3 import process
sys.exit(process.main(sys.argv))
'''


# a leader that starts one, waits until it is ready, and goes
LEADER = '''
import os, subprocess, sys, time
sys.path.insert(0, sys.argv[1])
from worker.loads.s3 import shared_state
argv = [sys.executable, '-c', sys.argv[2], *sys.argv[1:2], *sys.argv[3:]]
print(subprocess.Popen(argv, stdout=subprocess.DEVNULL).pid)
board = shared_state.SharedState(sys.argv[3] + '/x.board')
while board.told().doing != shared_state.READY:
    time.sleep(0.02)
'''


@pytest.fixture
def server() -> Iterator[S3Server]:
    found = S3Server()
    yield found
    found.close()


def target(server: S3Server) -> Target:
    return Target((Endpoint(server.host, server.port),), 'A', 'S', 'b')


def prepared(folder: pathlib.Path, server: S3Server) -> SharedState:
    objects = Objects('r-', 0, (Weighted(10),))
    spec = ProcessSpec(0, 1, 1, 1, target(server), objects, objects)
    process.write_private(str(folder / 'x.spec'), to_file(spec))
    return SharedState(str(folder / 'x.board'), create=True)


def test_who_has_done_its_share_waits_for_the_others(
    tmp_path: pathlib.Path, server: S3Server
) -> None:
    board = prepared(tmp_path, server)
    child = subprocess.Popen(
        [sys.executable, '-c', AGING, str(PACKAGE), str(tmp_path), 'x']
    )
    try:
        end = time.monotonic() + 120.0
        while board.told().doing != shared_state.READY:
            assert time.monotonic() < end and child.poll() is None
            time.sleep(0.02)
        time.sleep(0.5)  # twelve hours of it
        assert child.poll() is None
        board.order(-1, 0)
        assert child.wait(60.0) == 0
    finally:
        child.kill()
        child.wait()


def test_keys_go_as_soon_as_they_are_read(
    tmp_path: pathlib.Path, server: S3Server
) -> None:
    board = prepared(tmp_path, server)
    assert '"S"' in (tmp_path / 'x.spec').read_text()
    child = subprocess.Popen(
        [sys.executable, '-c', AGING, str(PACKAGE), str(tmp_path), 'x']
    )
    try:
        end = time.monotonic() + 120.0
        while board.told().doing != shared_state.READY:
            assert time.monotonic() < end and child.poll() is None
            time.sleep(0.02)
        assert not (tmp_path / 'x.spec').exists()
    finally:
        child.kill()
        child.wait()


def test_who_is_not_killed_with_its_leader_ends_by_itself(
    tmp_path: pathlib.Path, server: S3Server
) -> None:
    prepared(tmp_path, server)
    argv = [sys.executable, '-c', LEADER, str(PACKAGE), AGING]
    done = subprocess.run(
        [*argv, str(tmp_path), 'x'],
        stdout=subprocess.PIPE,
        timeout=120.0,
        check=True,
    )
    pid = int(done.stdout)
    try:
        assert gone([pid])
    finally:
        if not gone([pid], 0.1):
            os.kill(pid, signal.SIGKILL)


def children(pid: int) -> List[int]:
    with open(f'/proc/{pid}/task/{pid}/children', encoding='ascii') as file:
        return [int(word) for word in file.read().split()]


def test_they_die_with_a_leader_that_is_killed(
    tmp_path: pathlib.Path, server: S3Server
) -> None:
    site = Site(tmp_path)
    keys = tmp_path / 'keys'
    keys.write_text(json.dumps({'access_key': 'A', 'secret_key': 'S'}))
    keys.chmod(0o600)
    worker = site.worker()
    job = S3Trial(
        access=site.access,
        deadline=60.0,
        concurrency=4,
        endpoints=target(server).endpoints,
        credentials=str(keys),
        bucket='b',
        prefix='own-',
        sizes=(Weighted(10),),
        processes=2,
        mix=(1.0, 0.0, 0.0, 0.0),
        duration=30.0,
        write_prefix='new-',
        max_objects=10**6,
    )
    try:
        # they are idle: no phase was ordered
        drive(worker, job, Ready, go=False)
        pids = children(worker.pid)
        assert len(pids) == 2 and not gone(pids, 0.1)
        os.kill(worker.pid, signal.SIGKILL)
        assert gone(pids)
    finally:
        worker.kill()
