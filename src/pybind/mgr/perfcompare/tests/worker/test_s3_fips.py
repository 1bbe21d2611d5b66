"""Hosts in FIPS mode, where MD5 is there for checksums only."""

import hashlib

import pytest

from perfcompare.worker.loads.s3 import removal
from perfcompare.worker.loads.s3.bucket import Client
from perfcompare.worker.loads.s3.extras import extras
from perfcompare.worker.loads.s3.keys import Key
from perfcompare.worker.loads.s3.tasks import batch

MD5 = hashlib.md5


@pytest.fixture(autouse=True)
def fips(monkeypatch):
    def md5(data=b'', *, usedforsecurity=True):
        if usedforsecurity:
            raise ValueError('[digital envelope routines] unsupported')
        return MD5(data)

    monkeypatch.setattr(hashlib, 'md5', md5)


class Gateway(Client):
    def __init__(self):
        self.sent = []

    def request(self, method, path, body=b'', query='', extra=None):
        self.sent.append((method, extra))
        return 200, b'<Status>Enabled</Status>'


def test_objects_of_a_run_are_removed():
    gateway = Gateway()
    removal.delete_objects(gateway, 'b', [('own-00000001', '')])
    ((method, extra),) = gateway.sent
    assert method == 'POST' and len(extra['Content-MD5']) == 24


def test_buckets_keep_versions():
    gateway = Gateway()
    gateway.keep_versions('b')
    assert len(gateway.sent[0][1]['Content-MD5']) == 24


def test_loads_delete_in_batches_and_encrypt():
    assert len(batch([Key(b'/b/own-00000001', 1, 10)]).md5) == 24
    assert b'x-amz-server-side-encryption-customer-key-md5' in (
        extras('sse-c', 0, 1).reads
    )
