"""What a load host says of its programs."""

import time

import pytest

from ...worker.agent import facts
from ...worker.agent.facts import host_facts

pytestmark = pytest.mark.process
FIO = """#!/bin/sh
case $1 in
--version) echo fio-3.41 ;;
--enghelp=rbd) [ -e "$0.rbd" ] && echo rbdname || exit 1 ;;
esac
"""

RADOS = """#!/bin/sh
[ -e "$0.libs" ] || exit 127
echo ceph version 20.2.4 tentacle
"""


@pytest.fixture
def programs(tmp_path, monkeypatch):
    """Return a folder that has all programs that are found."""
    monkeypatch.setenv('PATH', str(tmp_path))
    return tmp_path


def test_fio_counts_with_its_rbd_engine_only(programs):
    """The engine is a package of its own, which may come later."""
    assert host_facts().programs == {}
    path = programs / 'fio'
    path.write_text(FIO)
    path.chmod(0o755)
    assert host_facts().programs == {}
    (programs / 'fio.rbd').touch()
    assert host_facts().programs == {'fio': 'fio-3.41'}


def test_a_version_that_was_not_said_is_asked_for_again(programs):
    """A program may fail while its libraries are being replaced."""
    path = programs / 'rados'
    path.write_text(RADOS)
    path.chmod(0o755)
    assert host_facts().rados == ''
    (programs / 'rados.libs').touch()
    assert host_facts().rados == '20.2.4'
    (programs / 'rados.libs').unlink()
    assert host_facts().rados == '20.2.4'  # it is not asked again


def test_programs_are_not_asked_again_under_load(programs):
    """An agent that waits for them is silent meanwhile."""
    path = programs / 'fio'
    path.write_text(FIO.replace('#!/bin/sh', '#!/bin/sh\necho >> $0.asked'))
    path.chmod(0o755)
    (programs / 'fio.rbd').touch()
    for _ in range(3):
        assert host_facts().programs == {'fio': 'fio-3.41'}
    asked = (programs / 'fio.asked').read_text()
    assert asked.count('\n') == 2  # for its engine, and its version


HANGS = """#!/bin/sh
echo >> $0.asked
[ -e "$0.well" ] || sleep 30
echo warp version 1.0.0 Zstandard
"""


@pytest.fixture
def hanging(programs, monkeypatch):
    """Return how often each of two programs was asked, which both hang."""
    (programs / 'sleep').symlink_to('/bin/sleep')
    monkeypatch.setattr(facts, 'LOADED_ROOM', 0.5)
    for name in ('warp', 'zstd'):
        (programs / name).write_text(HANGS)
        (programs / name).chmod(0o755)

    def asked(name):
        path = programs / f'{name}.asked'
        return path.read_text().count('\n') if path.exists() else 0

    return asked


def test_programs_that_hang_silence_a_loaded_host_once(hanging):
    """It tells of its load again long before the load would end."""
    began = time.monotonic()
    assert host_facts(loaded=True).programs == {}
    assert time.monotonic() - began < 3.0
    assert (hanging('warp'), hanging('zstd')) == (1, 1)
    for _ in range(3):
        assert host_facts(loaded=True).programs == {}
    assert (hanging('warp'), hanging('zstd')) == (1, 1)


def test_an_idle_host_asks_them_again(hanging, programs):
    assert host_facts(loaded=True).programs == {}
    for name in ('warp', 'zstd'):
        (programs / f'{name}.well').touch()
    found = host_facts().programs
    assert found == dict.fromkeys(
        ('warp', 'zstd'), 'warp version 1.0.0 Zstandard'
    )
    assert host_facts(loaded=True).programs == found


def test_an_idle_host_is_not_silent_for_long(hanging, monkeypatch):
    assert facts.IDLE_ROOM < 25.0
    monkeypatch.setattr(facts, 'IDLE_ROOM', 0.5)
    began = time.monotonic()
    assert host_facts().programs == {}
    assert time.monotonic() - began < 3.0
