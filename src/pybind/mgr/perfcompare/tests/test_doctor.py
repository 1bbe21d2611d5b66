"""Tools and exporters, with real programs and real sockets."""

from typing import Iterator, Tuple

import contextlib
import os
import pathlib
import socket
import stat
import time

import pytest

from ..guard.doctor import (
    Exporter,
    doctor,
    exporter_addresses,
    reach,
    text,
)
from ..guard.tools import SPECS, Toolbox, ToolSpec
from .fake_cluster import FakeCluster
from .guard_data import FakeToolbox


def _program(folder: pathlib.Path, name: str, script: str) -> None:
    path = folder / name
    path.write_text('#!/bin/sh\n' + script + '\n')
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


def _toolbox(folder: pathlib.Path, timeout: float = 5.0) -> Toolbox:
    return Toolbox(path=str(folder), timeout=timeout)


RADOS = (
    'echo "ceph version 20.2.4 (0123abc) tentacle (stable - RelWithDebInfo)"'
)


@pytest.mark.parametrize(
    'name, answer, version',
    [
        ('rados', 'ceph version 18.2.7 (6b0e) reef (stable)', '18.2.7'),
        ('python3', 'Python 3.13.5', '3.13.5'),
        ('radosgw', 'ceph version 20.2.4-1 (c0de) tentacle', '20.2.4-1'),
        ('fio', 'fio-3.33', '3.33'),
        ('warp', 'warp version 1.0.0 - 7f2a', '1.0.0'),
    ],
)
def test_versions(
    tmp_path: pathlib.Path, name: str, answer: str, version: str
) -> None:
    _program(tmp_path, name, f'echo "{answer}"')
    tool = _toolbox(tmp_path).get(name)
    assert tool.usable
    assert tool.version == version
    assert tool.path == str(tmp_path / name)
    assert tool.remedy == ''


def test_this_machine_has_python3() -> None:
    tool = Toolbox().get('python3')
    assert tool.usable
    assert tool.version and tool.version.startswith('3.')


def test_missing_tools_name_their_package(tmp_path: pathlib.Path) -> None:
    tools = _toolbox(tmp_path).all()
    assert list(tools) == [spec.name for spec in SPECS]
    assert all(t.problem == 'not installed' for t in tools.values())
    assert tools['rados'].remedy == 'install the package ceph-common'
    assert tools['radosgw'].remedy == (
        'install radosgw (Debian) or ceph-radosgw (RPM)'
    )
    assert tools['warp'].remedy.startswith('no distribution packages it')


def test_numpy_is_asked_of_the_system_python(
    tmp_path: pathlib.Path,
) -> None:
    _program(
        tmp_path,
        'python3',
        'test "$1" = -c && { echo "Traceback"; '
        "echo \"ModuleNotFoundError: No module named 'numpy'\"; exit 1; }; "
        'echo Python 3.9.2',
    )
    tools = _toolbox(tmp_path).all(('python3', 'numpy'))
    assert tools['python3'].usable
    assert tools['numpy'].problem == 'not installed'


def test_a_tool_that_fails_says_how(tmp_path: pathlib.Path) -> None:
    _program(tmp_path, 'rados', 'echo "librados.so.2: not found"; exit 127')
    tool = _toolbox(tmp_path).get('rados')
    assert not tool.usable
    assert tool.problem == 'failed: librados.so.2: not found'


def test_a_tool_that_hangs_takes_no_longer_than_the_limit(
    tmp_path: pathlib.Path,
) -> None:
    for name in ('rados', 'fio'):
        _program(tmp_path, name, 'sleep 30 & sleep 30')
    began = time.monotonic()
    tools = _toolbox(tmp_path, timeout=0.5).all(('rados', 'fio'))
    assert time.monotonic() - began < 4.0
    assert tools['rados'].problem == 'did not answer in time'
    assert tools['fio'].problem == 'did not answer in time'


def test_answers_are_kept_until_the_program_changes(
    tmp_path: pathlib.Path,
) -> None:
    log = tmp_path / 'log'
    _program(tmp_path, 'rados', f'echo asked >> {log}; {RADOS}')
    toolbox = _toolbox(tmp_path)
    assert toolbox.get('rados').version == '20.2.4'
    assert toolbox.get('rados').version == '20.2.4'
    assert log.read_text().count('asked') == 1
    _program(tmp_path, 'rados', 'echo "ceph version 20.2.5 (0) x"')
    os.utime(tmp_path / 'rados', (1, 1))
    assert toolbox.get('rados').version == '20.2.5'
    (tmp_path / 'rados').unlink()
    assert toolbox.get('rados').problem == 'not installed'


def test_what_is_installed_later_is_found(tmp_path: pathlib.Path) -> None:
    toolbox = _toolbox(tmp_path)
    assert not toolbox.get('rados').usable
    _program(tmp_path, 'rados', RADOS)
    assert toolbox.get('rados').usable


def test_a_failed_answer_is_not_asked_for_at_every_call(
    tmp_path: pathlib.Path,
) -> None:
    log = tmp_path / 'log'
    _program(tmp_path, 'rados', f'echo asked >> {log}; exit 1')
    toolbox = _toolbox(tmp_path)
    for _ in range(3):
        assert toolbox.get('rados').problem == 'failed: exit code 1'
    assert log.read_text().count('asked') == 1


def test_programs_are_asked_at_the_same_time(
    tmp_path: pathlib.Path,
) -> None:
    specs = [ToolSpec(f't{i}', (f't{i}',), 'x', 'x', 'x') for i in range(6)]
    for spec in specs:
        _program(tmp_path, spec.name, 'sleep 0.5; echo version 1')
    began = time.monotonic()
    Toolbox(specs, str(tmp_path)).all()
    assert time.monotonic() - began < 2.5


# exporters


@pytest.fixture
def listener() -> Iterator[Tuple[str, int]]:
    with socket.socket() as server:
        server.bind(('127.0.0.1', 0))
        server.listen(8)
        yield server.getsockname()


def test_exporters_that_listen_are_reachable(
    listener: Tuple[str, int],
) -> None:
    found = reach({'h1': '127.0.0.1'}, listener[1])
    assert found == (Exporter('h1', '127.0.0.1', True),)


def test_exporters_that_do_not_listen_are_not(
    listener: Tuple[str, int],
) -> None:
    found = reach({'h1': '127.0.0.1', 'h2': '127.0.0.2'}, listener[1])
    assert [e.reachable for e in found] == [True, False]
    assert found[1].problem == 'Connection refused'


def test_hosts_that_do_not_answer_cost_one_time_limit() -> None:
    with socket.socket() as server, contextlib.ExitStack() as stack:
        server.bind(('127.0.0.1', 0))
        server.listen(0)
        # a full backlog drops further connections without a word
        for _ in range(4):
            client = stack.enter_context(socket.socket())
            client.setblocking(False)
            client.connect_ex(server.getsockname())
        addresses = {f'h{i}': '127.0.0.1' for i in range(20)}
        began = time.monotonic()
        found = reach(addresses, server.getsockname()[1], timeout=0.5)
        assert time.monotonic() - began < 2.0
    assert len(found) == 20
    assert {e.problem for e in found} == {'no answer in 0.5 s'}


def test_wrong_addresses_are_a_problem_of_their_host() -> None:
    (found,) = reach({'h1': 'nowhere'}, 9100)
    assert not found.reachable
    assert found.problem


def test_one_address_for_each_host() -> None:
    cluster = FakeCluster([('a', 'ssd', 'x', 2), ('b', 'ssd', 'x', 1)])
    cluster.set_osd(2, addresses=())
    assert exporter_addresses(cluster.topology()) == {'a': '10.0.0.1'}


# the report


def test_a_ready_machine(listener: Tuple[str, int]) -> None:
    report = doctor(FakeToolbox())
    assert report.ready
    lines = text(report).splitlines()
    assert lines[0].split() == ['TOOL', 'STATE', 'VERSION', 'NOTES']
    assert lines[1].split() == ['rados', 'ok', '20.2.4', '/usr/bin/rados']
    assert lines[-1] == 'Runs can start.'


def test_a_machine_that_lacks_things() -> None:
    toolbox = FakeToolbox(
        problems={'rados': 'not installed', 'numpy': 'not installed'}
    )
    cluster = FakeCluster()
    for osd in range(4):
        cluster.set_osd(osd, addresses=('127.0.0.9',))
    report = doctor(toolbox, cluster.topology(), timeout=1.0)
    assert not report.ready
    shown = text(report)
    assert 'No run can start without rados.' in shown
    assert 'needed for reducing long series in the worker' in shown
    assert 'python3-numpy' in shown
    assert '0 of 4 hosts' in shown
    assert 'prometheus-node-exporter (Debian)' in ' '.join(shown.split())


def test_what_no_workload_needs_is_only_absent() -> None:
    toolbox = FakeToolbox(problems={'warp': 'not installed'})
    line = next(
        line
        for line in text(doctor(toolbox)).splitlines()
        if line.startswith('warp')
    )
    assert line.split()[1] == 'absent'
    assert 'no workload of this version needs it' in line


def test_hosts_that_are_not_known_are_said() -> None:
    report = doctor(FakeToolbox(), problem='no answer of the monitors')
    assert 'no answer of the monitors' in text(report)
