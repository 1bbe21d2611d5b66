"""What opens exporters is kept in the mon store, and never shown."""

import json
import os

import pytest

from perfcompare.app.exporters import ExporterService
from perfcompare.common.errors import InvalidArgument, PerfcompareError
from perfcompare.common.settings import Settings
from perfcompare.drivers.s3.gateways.repository import GatewayRepository
from perfcompare.hosts import access
from perfcompare.hosts.access import ExporterAccess, ShownAccess
from perfcompare.workers.load_hosts import LoadHosts

from ..fakes.clock import FakeClock
from ..fakes.cluster import FakeCluster

PEM = f'{access.BEGIN}\n' + 'QUJD' * 2000 + f'\n{access.END}\n'
FILE = 'username: prom\npassword: "s3cret:pass"\nca: |\n' + ''.join(
    f'  {line}\n' for line in PEM.splitlines()
)


@pytest.fixture
def cluster():
    return FakeCluster()


def test_it_comes_back_from_the_store(cluster):
    given = access.parse(FILE)
    access.save(cluster, given)
    assert access.load(cluster) == given
    assert given.exporter == ('prom', 's3cret:pass')
    assert given.ca == PEM
    assert given.secure
    # values above 4 KiB would be lost
    assert max(map(len, cluster.kv_list('exporter/').values())) < 4096


def test_setting_again_replaces_all(cluster):
    access.save(cluster, access.parse(FILE))
    only = access.parse('prometheus_username: a\nprometheus_password: b\n')
    access.save(cluster, only)
    assert access.load(cluster) == ExporterAccess(prometheus=('a', 'b'))


def test_what_cannot_be_kept_replaces_nothing(cluster):
    kept = access.parse(FILE)
    access.save(cluster, kept)
    word = 'ä' * 800  # six bytes each, as it is kept
    more = access.parse(f'username: a\npassword: {word}\n').over(kept)
    with pytest.raises(InvalidArgument, match='too long') as caught:
        access.save(cluster, more)
    assert word not in str(caught.value)
    assert access.load(cluster) == kept
    # a mon that does not answer leaves what was there, or a part anew
    cluster.fail_on('kv_set', times=1)
    with pytest.raises(PerfcompareError):
        access.save(cluster, access.parse('username: c\npassword: d\n'))
    assert access.load(cluster) == kept


def test_what_is_not_given_stays_as_it_was(cluster):
    service = ExporterService(
        cluster,
        Settings,
        lambda: 'host',
        LoadHosts(cluster, FakeClock()),
        GatewayRepository(cluster),
    )
    service.set(FILE)
    shown = service.set('prometheus_username: a\nprometheus_password: b\n')
    assert shown == ShownAccess(True, True, True)
    kept = access.parse(FILE)
    assert access.load(cluster) == ExporterAccess(
        kept.ca, kept.exporter, ('a', 'b')
    )
    service.set('username: c\npassword: d\n')
    assert access.load(cluster).exporter == ('c', 'd')
    assert service.forget() is True
    assert access.load(cluster) == ExporterAccess()


def test_removing_leaves_nothing(cluster):
    access.save(cluster, access.parse(FILE))
    assert access.clear(cluster) is True
    assert cluster.kv_list('exporter/') == {}
    assert access.clear(cluster) is False
    assert not access.load(cluster).secure


def test_no_form_of_it_shows_a_secret():
    given = access.parse(FILE)
    assert 's3cret' not in f'{given!r} {given} {given.shown()!r}'


@pytest.mark.parametrize(
    'text, message',
    [
        (None, 'nothing is given'),
        ('  \n', 'nothing is given'),
        ('- a\n', 'give one of'),
        ('user: s3cret\n', "unknown key 'user'"),
        ('username: a\n', 'go together'),
        ('password: s3cret\n', 'go together'),
        ('username: a\npassword: 12345\n', 'quote it'),
        ('username: "a:b"\npassword: s3cret\n', 'not one of basic auth'),
        ('ca: s3cret\n', 'not a certificate'),
        ('ca: "-----BEGIN PRIVATE KEY-----"\n', 'private key'),
        ('password: [s3cret\n', 'not valid YAML'),
        ('password: s3cret\npassword: s3cret\n', 'not valid YAML'),
    ],
)
def test_files_that_cannot_be_used_are_refused(text, message):
    with pytest.raises(InvalidArgument, match=message) as info:
        access.parse(text)
    assert 's3cret' not in info.value.message


def test_a_ca_of_any_size_is_not_taken():
    text = f'{access.BEGIN}\n' + 'QUJD' * 20000 + f'\n{access.END}\n'
    file = 'ca: |\n' + ''.join(f'  {x}\n' for x in text.splitlines())
    with pytest.raises(InvalidArgument, match='signing CA'):
        access.parse(file)


def test_a_worker_gets_private_files(tmp_path):
    files = access.write(access.parse(FILE), str(tmp_path))
    assert files.prometheus == ''
    for path in (files.ca, files.exporter):
        assert os.stat(path).st_mode & 0o777 == 0o600
    with open(files.exporter, encoding='utf-8') as file:
        assert json.load(file)['password'] == 's3cret:pass'
    assert access.write(ExporterAccess(), str(tmp_path)) == (
        access.AccessFiles()
    )
