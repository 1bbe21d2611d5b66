"""What a load host says of its programs."""

import pytest

from ...worker.agent.facts import host_facts

pytestmark = pytest.mark.process
FIO = """#!/bin/sh
case $1 in
--version) echo fio-3.41 ;;
--enghelp=rbd) [ -e "$0.rbd" ] && echo rbdname || exit 1 ;;
esac
"""


@pytest.fixture
def programs(tmp_path, monkeypatch):
    """Return a folder that has all programs that are found."""
    monkeypatch.setenv('PATH', str(tmp_path))
    return tmp_path


def test_fio_counts_with_its_rbd_engine_only(programs):
    """The engine is a package of its own, which may come and go."""
    assert host_facts().fio == ''
    path = programs / 'fio'
    path.write_text(FIO)
    path.chmod(0o755)
    assert host_facts().fio == ''
    (programs / 'fio.rbd').touch()
    assert host_facts().fio == 'fio-3.41'
    (programs / 'fio.rbd').unlink()
    assert host_facts().fio == ''
