"""The cluster's folder, its processes, its number, its cgroups."""

from typing import Set

import contextlib
import errno
import json
import os
import pathlib
import signal
import subprocess
import time

import pytest

from .. import cgroups, claims, namespaces, status, teardown
from ..messages import ClusterError
from ..state import Cluster, Process
from . import helpers


def test_settings_survive_a_round_trip(tmp_path: pathlib.Path) -> None:
    cluster = helpers.cluster(tmp_path, net='ns', numpy=False)
    assert Cluster(cluster.dir).settings == cluster.settings


def test_folder_with_foreign_files_is_never_taken(
    tmp_path: pathlib.Path,
) -> None:
    (tmp_path / 'precious').write_text('x', encoding='utf-8')
    with pytest.raises(ClusterError, match='not empty'):
        Cluster(tmp_path).create()
    with pytest.raises(ClusterError, match='nothing removed'):
        teardown.down(Cluster(tmp_path))
    assert (tmp_path / 'precious').exists()


def test_second_up_in_a_folder_says_how_to_go_on(
    tmp_path: pathlib.Path,
) -> None:
    cluster = helpers.cluster(tmp_path)
    with pytest.raises(ClusterError, match='down') as caught:
        cluster.create()
    assert caught.value.errno == errno.EEXIST


def test_no_cluster_says_what_to_run(tmp_path: pathlib.Path) -> None:
    with pytest.raises(ClusterError, match='up') as caught:
        Cluster(tmp_path / 'none').settings
    assert caught.value.errno == errno.ENOENT


def test_lock_ends_though_a_child_being_started_has_its_file(
    tmp_path: pathlib.Path,
) -> None:
    cluster = helpers.cluster(tmp_path)
    with cluster.lock():
        (lock,) = [
            int(path.name)
            for path in pathlib.Path('/proc/self/fd').iterdir()
            if path.exists() and path.samefile(cluster.dir / 'lock')
        ]
        kept = os.dup(lock)
    try:
        with cluster.lock():
            pass
    finally:
        os.close(kept)


def test_daemons_that_are_gone_are_quoted(tmp_path: pathlib.Path) -> None:
    cluster = helpers.cluster(tmp_path)
    (cluster.dir / 'procs').mkdir(exist_ok=True)
    (cluster.dir / 'log').mkdir(exist_ok=True)
    mine = Process.of(os.getpid())
    assert mine
    gone = {'pid': mine.pid, 'start': mine.start - 1}
    for name, data in {
        'osd.0': {'pid': mine.pid, 'start': mine.start},
        'mgr.x': gone,
        'mgr.y': gone,
    }.items():
        (cluster.dir / 'procs' / name).write_text(json.dumps(data), 'utf-8')
        if name != 'mgr.y':
            words = f'first of {name}\nlast of {name}\n'
            path = cluster.dir / 'log' / (name + '.out')
            path.write_text(words, 'utf-8')
    crash = ['before', '*** Caught signal (Aborted) **', ' 1: here()', 'dump']
    log = cluster.dir / 'log' / 'mgr.x.log'
    log.write_text('\n'.join(crash * 2 + ['end']), 'utf-8')
    said = status.last_words(cluster, 2)
    assert said.count('(Aborted)') == 1 and said.count(' 1: here()') == 1
    assert 'before' not in said
    said = status.last_words(cluster, 1)
    assert 'last of mgr.x' in said and 'first of' not in said
    assert "no log of 'mgr.y'" in said and 'osd.0' not in said


def test_only_one_program_at_a_time(tmp_path: pathlib.Path) -> None:
    cluster = helpers.cluster(tmp_path)
    with cluster.lock():
        with pytest.raises(ClusterError) as caught:
            with Cluster(cluster.dir).lock():
                pass
    assert caught.value.errno == errno.EBUSY


def test_reused_pid_is_not_the_recorded_process() -> None:
    mine = Process.of(os.getpid())
    assert mine and mine.alive()
    assert not Process(mine.pid, mine.start - 1).alive()


@pytest.mark.process
def test_zombie_counts_as_gone() -> None:
    child = subprocess.Popen(['true'])
    try:
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        assert Process.of(child.pid) is None
    finally:
        child.wait()


def test_broken_record_is_passed_over(tmp_path: pathlib.Path) -> None:
    cluster = helpers.cluster(tmp_path)
    cluster.record('mgr.x', os.getpid())
    (cluster.dir / 'procs/osd.0').write_text('{"pi', encoding='utf-8')
    (cluster.dir / 'procs/osd.1.new').write_text('{}', encoding='utf-8')
    assert list(cluster.processes()) == ['mgr.x']


def test_nobody_is_a_member_of_an_unknown_cluster() -> None:
    assert namespaces.members('no such token') == []


@pytest.fixture(name='registry')
def _registry(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> pathlib.Path:
    folder = tmp_path / 'claims'
    monkeypatch.setattr(claims, 'CLAIMS', folder)
    return folder


def test_numbers_differ_and_come_back(
    registry: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    folders = []
    for name in ('one', 'two'):
        folder = tmp_path / name
        folder.mkdir()
        (folder / 'token').write_text(name, encoding='utf-8')
        folders.append(folder)
    first = claims.claim(folders[0], 'one')
    second = claims.claim(folders[1], 'two')
    assert first != second
    claims.release('one')
    assert list(claims.taken()) == [second]
    claims.release('two')
    assert not registry.exists()


def test_number_of_a_vanished_cluster_is_taken_over(
    registry: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    registry.mkdir()
    stale = {'dir': str(tmp_path / 'gone'), 'token': 'x'}
    path = registry / str(claims.NUMBERS[0])
    path.write_text(json.dumps(stale), encoding='utf-8')
    assert claims.claim(tmp_path / 'new', 'y') == claims.NUMBERS[0]


def test_claim_that_is_being_written_is_respected(
    registry: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    registry.mkdir()
    (registry / str(claims.NUMBERS[0])).write_text('', encoding='utf-8')
    assert claims.claim(tmp_path, 'y') == claims.NUMBERS[1]


@pytest.mark.parametrize('present', ['.', 'unified', 'cpuacct'])
def test_hierarchy_of_either_version(
    tmp_path: pathlib.Path, present: str
) -> None:
    (tmp_path / present).mkdir(exist_ok=True)
    (tmp_path / present / 'cgroup.procs').write_text('', encoding='utf-8')
    found = cgroups.hierarchy(tmp_path)
    assert found and found.resolve() == (tmp_path / present).resolve()


def test_no_hierarchy_is_no_error(tmp_path: pathlib.Path) -> None:
    assert cgroups.hierarchy(tmp_path) is None


def test_cpu_seconds_of_either_version(tmp_path: pathlib.Path) -> None:
    v1, v2 = tmp_path / 'v1', tmp_path / 'v2'
    v1.mkdir()
    v2.mkdir()
    (v1 / 'cpuacct.usage_user').write_text('2500000000\n', 'utf-8')
    (v1 / 'cpuacct.usage_sys').write_text('500000000\n', 'utf-8')
    text = 'usage_usec 3000000\nuser_usec 2500000\nsystem_usec 500000\n'
    (v2 / 'cpu.stat').write_text(text, encoding='utf-8')
    expected = {'user': 2.5, 'system': 0.5}
    assert cgroups.read_cpu(v1) == expected
    assert cgroups.read_cpu(v2) == expected
    assert cgroups.read_cpu(tmp_path) == {'user': 0.0, 'system': 0.0}


def open_files(pid: int) -> Set[str]:
    """Return what a process has open now."""
    found = set()
    for path in pathlib.Path('/proc/%d/fd' % pid).iterdir():
        with contextlib.suppress(FileNotFoundError):
            found.add(os.readlink(str(path)))
    return found


@pytest.mark.process
def test_holder_keeps_nothing_that_the_caller_has_open(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A lock of the caller would else be held as long as the cluster."""
    monkeypatch.setattr(cgroups, 'enter', lambda token, group: None)
    lock = os.open(str(tmp_path / 'lock'), os.O_RDWR | os.O_CREAT)
    os.set_inheritable(lock, True)
    cluster = helpers.cluster(tmp_path)
    pid = namespaces.hold(cluster, 'holder', lambda: None)
    try:
        # it closes what it has when it has begun, which nobody waits for
        deadline = time.monotonic() + 30.0
        while open_files(pid) != {'/dev/null'}:
            assert time.monotonic() < deadline, open_files(pid)
            time.sleep(0.01)
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        os.close(lock)
