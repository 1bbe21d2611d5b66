"""Tests of localundo.py: what a run left on this machine."""

import os
import subprocess

import pytest

from .. import localundo
from ..errors import NotPermitted
from ..journal import Journal, Kind
from .bench_data import RUN
from .fake_cluster import FakeCluster


@pytest.fixture
def journal():
    return Journal(FakeCluster(), sleep=lambda seconds: None)


def test_a_private_folder_goes(tmp_path, journal):
    folder = tmp_path / f'perfcompare-{RUN}'
    folder.mkdir()
    (folder / 'keyring').write_text('secret')
    host = localundo.machine()
    journal.intend(RUN, Kind.FILES, str(folder), {'host': host})
    assert journal.undo_all(RUN).clean
    assert not folder.exists()


@pytest.mark.parametrize('name', ['other', 'perfcompare-x'])
def test_another_folder_stays(tmp_path, journal, name):
    (tmp_path / name).mkdir()
    host = localundo.machine()
    journal.intend(RUN, Kind.FILES, str(tmp_path / name), {'host': host})
    assert not journal.undo_all(RUN).clean
    assert (tmp_path / name).is_dir()


def test_a_link_in_place_of_a_folder_is_not_followed(tmp_path):
    (tmp_path / 'precious').mkdir()
    link = tmp_path / f'perfcompare-{RUN}'
    os.symlink(tmp_path / 'precious', link)
    with pytest.raises(NotPermitted):
        localundo.remove_folder(str(link))
    assert (tmp_path / 'precious').is_dir()


def test_things_on_another_machine_are_kept_and_forgotten(journal):
    journal.intend(RUN, Kind.FILES, '/run/perfcompare-x', {'host': 'other'})
    journal.intend(RUN, Kind.PROCESS, '4711', {'host': 'other'})
    report = journal.undo_all(RUN)
    assert report.clean and len(report.kept) == 2
    assert journal.runs() == []


def test_a_process_group_of_the_run_is_killed(journal):
    child = subprocess.Popen(['sleep', '60'], start_new_session=True)
    try:
        start = localundo.start_of(child.pid)
        detail = {'host': localundo.machine(), 'start': start}
        journal.intend(RUN, Kind.PROCESS, str(child.pid), detail)
        assert journal.undo_all(RUN).clean
        assert child.wait(5) == -9
    finally:
        child.kill()


def test_a_reused_pid_is_left_alone():
    child = subprocess.Popen(['sleep', '60'], start_new_session=True)
    try:
        localundo.kill_group(child.pid, '1')
        assert child.poll() is None
    finally:
        child.kill()
        child.wait()
