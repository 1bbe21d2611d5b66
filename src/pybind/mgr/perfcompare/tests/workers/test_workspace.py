"""The private folder of a run."""

import errno
import io
import os
import pathlib
import stat
import tempfile

import pytest

from perfcompare.common.errors import PerfcompareError
from perfcompare.workers.workspace import Workspace, clear_stale


@pytest.fixture
def tmp_path():
    # pytest's own folders are too long for sockets
    with tempfile.TemporaryDirectory() as path:
        yield pathlib.Path(path)


def mode(path):
    return stat.S_IMODE(os.stat(path).st_mode)


def test_folder_and_keyring_are_private(tmp_path):
    workspace = Workspace.create(str(tmp_path), '0123abcd')
    path = workspace.keyring('[client.x]\n')
    assert mode(workspace.path) == 0o700
    assert mode(path) == 0o600
    workspace.remove()
    assert os.listdir(tmp_path) == []


def test_key_that_does_not_fit_on_the_disk_is_said_and_not_kept(
    tmp_path, monkeypatch
):
    workspace = Workspace.create(str(tmp_path), '0123abcd')
    real = os.fdopen

    class Full(io.StringIO):
        def __exit__(self, *args):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def fdopen(number, how):
        real(number, how).close()
        return Full()

    monkeypatch.setattr(os, 'fdopen', fdopen)
    with pytest.raises(PerfcompareError, match='keyring.: No space left'):
        workspace.keyring('[client.x]\n')
    monkeypatch.undo()
    with open(workspace.keyring('[client.x]\n')) as file:
        assert file.read() == '[client.x]\n'


def test_folder_of_the_same_run_is_made_anew(tmp_path):
    Workspace.create(str(tmp_path), '0123abcd').keyring('old')
    again = Workspace.create(str(tmp_path), '0123abcd')
    assert os.listdir(again.path) == []


def test_stale_folders_go_and_nothing_else(tmp_path):
    Workspace.create(str(tmp_path), '0123abcd')
    (tmp_path / 'perfcompare-notours').mkdir()
    (tmp_path / 'perfcompare-12345678').write_text('a file')
    gone = clear_stale(str(tmp_path))
    assert [os.path.basename(p) for p in gone] == ['perfcompare-0123abcd']
    assert len(os.listdir(tmp_path)) == 2


def test_path_too_long_for_sockets_is_refused(tmp_path):
    with pytest.raises(PerfcompareError, match='run_dir'):
        Workspace.create(str(tmp_path / ('x' * 80)), '0123abcd')


def test_folder_that_cannot_be_made_is_one_clear_line(tmp_path):
    (tmp_path / 'file').write_text('')
    with pytest.raises(PerfcompareError, match='set option run_dir'):
        Workspace.create(str(tmp_path / 'file'), '0123abcd')
