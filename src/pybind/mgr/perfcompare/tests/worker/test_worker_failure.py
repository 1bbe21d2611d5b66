"""A worker tells why it failed, whatever else it cannot do."""

import errno
import io
import os
import sys

from perfcompare.worker.supervisor import Supervisor


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
