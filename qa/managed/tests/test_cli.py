"""Wrong words and unfit machines are one line each, and change nothing."""

from typing import List

import pathlib

import pytest

from cluster.messages import ClusterError
from cluster.tests import lines

from .. import machine
from ..cli import main
from ..state import HOSTS, Managed


@pytest.mark.parametrize(
    'words, expected',
    [
        (['exec'], 'exec what'),
        (['exec', 'ceph', '-s'], "no cluster in"),
        (['exec', '--host', 'host9', 'ls'], "no host 'host9'"),
        (['--cache', 'a:b', 'up'], 'contains a colon'),
    ],
)
def test_one_clear_line(
    words: List[str],
    expected: str,
    tmp_path: pathlib.Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = tmp_path / 'cluster'
    text = lines.told_and_unchanged(main, words, folder, capsys, monkeypatch)
    assert expected in text and text.startswith('cephadm: ')


@pytest.mark.parametrize('verb', ['fetch', 'up', 'down'])
def test_not_root_is_one_line(
    verb: str,
    tmp_path: pathlib.Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = lines.told_without_root(main, verb, tmp_path, capsys, monkeypatch)
    assert 'needs root' in text


def test_a_machine_without_cgroup2_is_told(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine.cgroups, 'hierarchy', lambda: tmp_path)
    with pytest.raises(ClusterError, match='no cgroup2 file system'):
        machine.check_cgroups()


def test_too_few_loop_devices_are_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(machine, 'free_loops', lambda: ['loop7'])
    monkeypatch.setattr(machine, 'more_loops', lambda: False)
    with pytest.raises(ClusterError, match='1 loop devices are free'):
        machine.check_loops()
    monkeypatch.setattr(machine, 'more_loops', lambda: True)


def test_a_host_that_is_gone_is_told(tmp_path: pathlib.Path) -> None:
    cluster = Managed(tmp_path / 'cluster')
    cluster.create()
    with pytest.raises(ClusterError, match='host1 is not running'):
        cluster.first_process(HOSTS[0].name)
