"""Command lines: wrong ones are one line each and change nothing."""

from typing import List

import os
import pathlib

import pytest

from ..cli import main
from . import helpers


@pytest.mark.process
@pytest.mark.parametrize(
    'words, expected',
    [
        (['--release', 'squid', 'fetch'], 'tentacle, reef'),
        (['--release', 'squid', 'up'], 'squid'),
        (['up', '--hosts', 'a'], 'HOST:CLASS'),
        (['up', '--osd-size', 'big'], "'big'"),
        (['up', '--osds-per-host', '0'], '1 to 64'),
        (['up', '--db-size', '1G'], '--disks loop'),
        (['up', '--programs', '/no/folder'], 'is no folder'),
        (['status'], 'no cluster'),
        (['exec', 'ceph', '-s'], 'no cluster'),
        (['exec'], 'exec what'),
        (['osd', 'kill', '0'], 'no cluster'),
        (['mgr', 'fail'], 'no cluster'),
        (['mon', 'stop', 'a'], 'no cluster'),
        (['rgw', 'start'], 'no cluster'),
        (['wait', '1'], 'no cluster'),
        (['logs'], 'no cluster'),
    ],
)
def test_one_clear_line(
    words: List[str],
    expected: str,
    tmp_path: pathlib.Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(os, 'geteuid', lambda: 0)
    folder = tmp_path / 'cluster'
    assert main(['--dir', str(folder)] + words) == 1
    text = capsys.readouterr().err
    assert expected in text
    assert text.startswith('minicluster: ') and text.count('\n') == 1
    assert not folder.exists()


def test_a_mon_that_is_not_there_is_one_line(
    tmp_path: pathlib.Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(os, 'geteuid', lambda: 0)
    cluster = helpers.cluster(tmp_path, mons=3)
    assert main(['--dir', str(cluster.dir), 'mon', 'stop', 'z']) == 1
    text = capsys.readouterr().err
    assert "no mon 'z'; this cluster has: a, b, c" in text
    assert text.count('\n') == 1


@pytest.mark.parametrize('verb', ['fetch', 'up', 'down', 'status'])
def test_not_root_is_one_line(
    verb: str,
    tmp_path: pathlib.Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(os, 'geteuid', lambda: 1000)
    words = ['--dir', str(tmp_path / 'c'), '--cache', str(tmp_path / 'k')]
    assert main(words + [verb]) == 1
    text = capsys.readouterr().err
    assert 'needs root' in text and text.count('\n') == 1


@pytest.mark.parametrize('name', ['a b', 'a:b', 'a,b', 'a"b'])
def test_folder_name_that_mount_would_misread(
    name: str, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(['--dir', str(tmp_path / name), 'status']) == 1
    assert 'choose another name' in capsys.readouterr().err
