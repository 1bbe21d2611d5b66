"""A worker tells why it failed, whatever else it cannot do."""

import errno
import io
import os
import sys
import types

import pytest

from perfcompare.worker import supervisor
from perfcompare.worker.runtime.processes import Children
from perfcompare.worker.supervisor import ROOM, Supervisor


class _Full(io.StringIO):
    def write(self, text):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_failure_is_told_where_its_log_has_no_space(monkeypatch):
    reads, writes = os.pipe()
    worker = Supervisor(reads, writes)
    monkeypatch.setattr(sys, 'stderr', _Full())
    worker._fail('spool', 'no space')
    assert worker.outbox.flush(5.0)
    assert os.read(reads, 4096) == (
        b'{"event":"failed","kind":"spool","error":"no space"}\n'
    )
    os.close(reads)
    os.close(writes)


@pytest.mark.parametrize('free', [12 << 10, 4 << 30])
def test_a_disk_that_is_full_is_named_whatever_failed(
    monkeypatch, tmp_path, free
):
    sizes = types.SimpleNamespace(f_bavail=free >> 12, f_frsize=4096)
    monkeypatch.setattr(supervisor.os, 'statvfs', lambda path: sizes)
    worker = Supervisor(0, 1)
    told = []
    monkeypatch.setattr(worker.outbox, 'emit', told.append)
    worker._children = Children(str(tmp_path))
    worker._fail('load', 'rados bench printed no result')
    full = f"; only 12 KiB are free in '{tmp_path}'"
    assert [t.error for t in told] == [
        'rados bench printed no result' + (full if free < ROOM else '')
    ]
