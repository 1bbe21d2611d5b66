"""Tools, with real programs, and the report of tools and exporters."""

from typing import Optional

import dataclasses
import os
import pathlib
import stat
import time

import pytest

from ...guard.collect.tools import SPECS, Toolbox, ToolSpec
from ...guard.doctor import doctor, text
from ..data.guard_data import FakeToolbox


def _program(folder: pathlib.Path, name: str, script: str) -> None:
    path = folder / name
    path.write_text('#!/bin/sh\n' + script + '\n')
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


def _toolbox(folder: pathlib.Path, timeout: float = 5.0) -> Toolbox:
    return Toolbox(path=str(folder), timeout=timeout)


RADOS = (
    'echo "ceph version 20.2.4 (0123abc) tentacle (stable - RelWithDebInfo)"'
)


@pytest.mark.process
@pytest.mark.parametrize(
    'name, answer, version',
    [
        ('rados', 'ceph version 18.2.7 (6b0e) reef (stable)', '18.2.7'),
        ('python3', 'Python 3.13.5', '3.13.5'),
        ('radosgw', 'ceph version 20.2.4-1 (c0de) tentacle', '20.2.4-1'),
        ('openssl', 'OpenSSL 3.5.1 1 Jul 2025 (Library: OpenSSL 3)', '3.5.1'),
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


@pytest.mark.process
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


@pytest.mark.process
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


@pytest.mark.process
def test_a_tool_that_fails_says_how(tmp_path: pathlib.Path) -> None:
    _program(tmp_path, 'rados', 'echo "librados.so.2: not found"; exit 127')
    tool = _toolbox(tmp_path).get('rados')
    assert not tool.usable
    assert tool.problem == 'failed: librados.so.2: not found'


@pytest.mark.process
def test_a_tool_that_hangs_takes_no_longer_than_the_limit(
    tmp_path: pathlib.Path,
) -> None:
    for name in ('rados', 'fio'):
        _program(tmp_path, name, 'sleep 30 & sleep 30')
    began = time.monotonic()
    tools = _toolbox(tmp_path, timeout=0.5).all(('rados', 'fio'))
    assert time.monotonic() - began < 20.0
    assert tools['rados'].problem == 'did not answer in time'
    assert tools['fio'].problem == 'did not answer in time'


@pytest.mark.process
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


@pytest.mark.process
def test_what_is_installed_later_is_found(tmp_path: pathlib.Path) -> None:
    toolbox = _toolbox(tmp_path)
    assert not toolbox.get('rados').usable
    _program(tmp_path, 'rados', RADOS)
    assert toolbox.get('rados').usable


@pytest.mark.process
def test_a_failed_answer_is_not_asked_for_at_every_call(
    tmp_path: pathlib.Path,
) -> None:
    log = tmp_path / 'log'
    _program(tmp_path, 'rados', f'echo asked >> {log}; exit 1')
    toolbox = _toolbox(tmp_path)
    for _ in range(3):
        assert toolbox.get('rados').problem == 'failed: exit code 1'
    assert log.read_text().count('asked') == 1


@pytest.mark.process
def test_programs_are_asked_at_the_same_time(
    tmp_path: pathlib.Path,
) -> None:
    specs = [ToolSpec(f't{i}', (f't{i}',), 'x', 'x', 'x') for i in range(6)]
    for spec in specs:
        _program(tmp_path, spec.name, 'sleep 5; echo version 1')
    began = time.monotonic()
    Toolbox(specs, str(tmp_path), timeout=60.0).all()
    assert time.monotonic() - began < 20.0


# the report


@dataclasses.dataclass(frozen=True)
class Silent:
    host: str
    reachable: Optional[bool]
    problem: str = ''


def test_a_ready_machine() -> None:
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
    hosts = [Silent(f'h{i}', False, 'Connection refused') for i in range(4)]
    report = doctor(toolbox, hosts)
    assert not report.ready
    shown = text(report)
    assert 'No run can start without rados.' in shown
    assert 'needed for reducing long series in the worker' in shown
    assert 'python3-numpy' in shown
    assert '0 of 4 hosts' in shown
    words = ' '.join(shown.split())
    assert 'prometheus-node-exporter (Debian)' in words
    assert 'with cephadm `ceph orch apply node-exporter`' in words
    assert 'an image with --build-arg WITH_NUMPY=yes' in words


def test_what_a_workload_may_need_has_its_ways_where_it_is_absent() -> None:
    absent = {'fio': 'not installed', 'radosgw': 'not installed'}
    shown = ' '.join(text(doctor(FakeToolbox(problems=absent))).split())
    assert 'an image with --build-arg WITH_FIO=yes' in shown
    assert 'S3 workloads through private gateways' in shown


def test_what_no_workload_needs_is_only_absent() -> None:
    toolbox = FakeToolbox(problems={'warp': 'not installed'})
    line = next(
        line
        for line in text(doctor(toolbox)).splitlines()
        if line.startswith('warp')
    )
    assert line.split()[1] == 'absent'
    assert 'only needed for' in line


def test_hosts_that_are_not_known_are_said() -> None:
    report = doctor(FakeToolbox(), problem='no answer of the monitors')
    assert 'no answer of the monitors' in text(report)


def test_exporters_that_were_not_tried_are_not_missing() -> None:
    hosts = [Silent('h0', True), Silent('h1', None)]
    words = ' '.join(text(doctor(FakeToolbox(), hosts)).split())
    assert 'node_exporter ok - 1 of 1 hosts tried; 1 not checked' in words
    assert 'names of exporters: h1' in words


def test_nothing_is_ok_where_no_exporter_was_tried() -> None:
    hosts = [Silent(f'h{number}', None) for number in range(300)]
    shown = text(doctor(FakeToolbox(), hosts))
    words = ' '.join(shown.split())
    assert 'node_exporter - - 0 of 0 hosts tried; 300 not checked' in words
    assert 'h0, h1, h2, h3, h4 and 295 more' in words
