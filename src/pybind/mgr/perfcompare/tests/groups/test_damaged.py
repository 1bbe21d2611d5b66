"""What another version, or damage, left of a group or of gateways."""

import base64
import contextlib
import json
import random
import threading
import zlib

import pytest

from ...common.errors import AlreadyExists, InvalidArgument, NotFound
from ...drivers.s3.gateways import repository as gateways
from ...drivers.s3.gateways.repository import GatewayRepository
from ...groups import kept
from ...groups.repository import PREFIX, GroupRepository
from ...model.group import GroupSpec
from ...report import gateways as gateways_text
from ...report import listing
from ..fakes.cluster import FakeCluster

BOMB = base64.b64encode(zlib.compress(b'[' * (2 << 20))).decode()
ODD = [
    '',
    'null',
    '[]',
    '{}',
    '[' * 50000,
    'zlib:',
    'zlib:!',
    'zlib:eJwDAAAAAAE',
    'zlib:' + BOMB,
    '9' * 5000,
    '{"name": 5}',
    '{"name": "other", "device_class": "alt"}',
    '{"name": "x86", "hosts": "n1"}',
]


@pytest.fixture
def cluster():
    return FakeCluster()


@pytest.fixture
def book(cluster):
    return GroupRepository(cluster)


@pytest.mark.parametrize('text', ODD)
def test_a_group_that_cannot_be_read_stops_no_other(cluster, book, text):
    host = cluster.osds[0].host
    book.set('good', [host], None, None, None, None)
    cluster.kv[PREFIX + 'x86'] = text
    found = {entry.spec.name: entry for entry in book.list()}
    assert found['good'].group is not None
    bad = found['x86']
    assert bad.defined and bad.group is None
    assert 'cannot be read' in bad.problem
    assert 'ceph perfcompare group rm x86' in bad.problem
    assert 'cannot be read' in listing.groups(book.list())
    assert book.resolve('good').hosts == (host,)
    assert book.show('x86') == bad
    assert set(book.specs()) == {'good'}


@pytest.mark.parametrize('text', ODD)
def test_a_group_that_cannot_be_read_is_no_device_class(cluster, book, text):
    """What an operator meant by the name is not known."""
    assert 'x86' in {e.spec.name for e in book.list()}  # the class
    cluster.kv[PREFIX + 'x86'] = text
    with pytest.raises(InvalidArgument, match='cannot be read'):
        book.resolve('x86')
    with pytest.raises(AlreadyExists):
        book.create('x86', None, 'x86', None, None, None)
    book.detect(True)
    assert cluster.kv[PREFIX + 'x86'] == text
    book.remove('x86')
    assert book.resolve('x86').osds


def test_of_two_that_define_one_name_at_a_time_one_is_refused(
    cluster, book, monkeypatch
):
    seen, refused = threading.Barrier(2), []
    kv_list = cluster.kv_list

    def slow(prefix):
        found = kv_list(prefix)
        with contextlib.suppress(threading.BrokenBarrierError):
            seen.wait(0.5)  # both have looked, where they can
        return found

    monkeypatch.setattr(cluster, 'kv_list', slow)

    def create():
        try:
            book.create('x86', None, 'x86', None, None, None)
        except AlreadyExists as error:
            refused.append(error)

    threads = [threading.Thread(target=create) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10.0)
    assert len(refused) == 1


@pytest.fixture
def doors(cluster):
    return GatewayRepository(cluster)


KEYS = json.dumps({'access_key': 'a' * 20, 'secret_key': 's' * 40})


@pytest.mark.parametrize('text', ODD)
def test_gateways_that_cannot_be_read_stop_no_others(cluster, doors, text):
    doors.set('good', ['http://127.0.0.1:1'], None, None, KEYS)
    cluster.kv[gateways.PREFIX + 'bad'] = text
    bad, good = doors.list()
    assert (bad.group, bad.endpoints) == ('bad', ())
    assert good.endpoints
    assert 'cannot be read' in gateways_text.listed([bad])
    assert doors.get('good') == good
    with pytest.raises(InvalidArgument, match='cannot be read.*gateways set'):
        doors.get('bad')
    doors.remove('bad')
    with pytest.raises(NotFound):
        doors.get('bad')


@pytest.mark.parametrize('text', ODD[:7])
def test_keys_that_cannot_be_read_are_said_to_be(cluster, doors, text):
    doors.set('good', ['http://127.0.0.1:1'], None, None, KEYS)
    cluster.kv[gateways.KEYS + 'good'] = text
    with pytest.raises(InvalidArgument, match='keys.*cannot be read'):
        doors.secrets('good')


def test_a_group_of_many_hosts_is_kept(cluster, book):
    hosts = tuple(f'ceph-x86-node{i:04d}' for i in range(800))
    spec = GroupSpec('x86', hosts=hosts, note='all of them')
    text = kept.text_of(spec)
    assert len(text) < 4096
    assert kept.spec_of(text) == spec
    cluster.kv[PREFIX + 'x86'] = text
    assert book.specs()['x86'].hosts == hosts


def test_names_that_cannot_be_kept_are_refused_with_what_to_do():
    draw = random.Random(1)
    hosts = tuple(f'{draw.getrandbits(128):032x}' for _ in range(400))
    with pytest.raises(InvalidArgument, match='400 hosts.*--device-class'):
        kept.text_of(GroupSpec('x86', hosts=hosts))
