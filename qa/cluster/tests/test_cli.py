"""Command lines: wrong ones are one line each and change nothing."""

from typing import List

import pathlib

import pytest

from ..cli import main
from . import helpers, lines


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
        (['up', '--client-iops', '5001'], '1 … 5000'),
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
    folder = tmp_path / 'cluster'
    text = lines.told_and_unchanged(main, words, folder, capsys, monkeypatch)
    assert expected in text and text.startswith('minicluster: ')


def test_a_mon_that_is_not_there_is_one_line(
    tmp_path: pathlib.Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cluster = helpers.cluster(tmp_path, mons=3)
    words = ['--dir', str(cluster.dir), 'mon', 'stop', 'z']
    text = lines.told(main, words, capsys, monkeypatch)
    assert "no mon 'z'; this cluster has: a, b, c" in text


@pytest.mark.parametrize('verb', ['fetch', 'up', 'down', 'status'])
def test_not_root_is_one_line(
    verb: str,
    tmp_path: pathlib.Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = lines.told_without_root(main, verb, tmp_path, capsys, monkeypatch)
    assert 'needs root' in text


@pytest.mark.parametrize('name', ['a b', 'a:b', 'a,b', 'a"b'])
def test_folder_name_that_mount_would_misread(
    name: str, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(['--dir', str(tmp_path / name), 'status']) == 1
    assert 'choose another name' in capsys.readouterr().err
