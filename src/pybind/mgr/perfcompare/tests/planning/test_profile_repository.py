"""Profiles of operators: kept, used, exported, removed, and refused."""

import base64
import contextlib
import errno
import json
import random
import threading
import zlib

import pytest

from perfcompare.app.requests import RunRequest
from perfcompare.common.codec import to_data
from perfcompare.common.errors import (
    AlreadyExists,
    CommandFailed,
    InvalidArgument,
    NotFound,
)
from perfcompare.common.version import VERSION
from perfcompare.planning.profiles import catalog, texts
from perfcompare.planning.profiles.repository import ProfileRepository
from perfcompare.remote import calls as api
from perfcompare.report import profiles as profile_text

from ..fakes.cluster import FakeCluster
from ..fakes.running import folder, rig  # noqa: F401

TEXT = '''# what our clients do
name: anything
description: Small writes
rounds: 6
workloads:
- op: write   # most of it
  size: [4K, 16K]
  concurrency: 8
'''


@pytest.fixture
def cluster():
    return FakeCluster()


@pytest.fixture
def book(cluster):
    return ProfileRepository(cluster)


def stored(text, **more):
    """Return an entry of the store, as a version of the module wrote it."""
    packed = base64.b64encode(zlib.compress(text.encode())).decode()
    return json.dumps({'text': packed, 'module': VERSION, **more})


def entry(book, name):
    return {e.name: e for e in book.list()}[name]


def test_what_was_set_is_used_under_its_name_and_comes_back_whole(book):
    assert book.set('mine', TEXT).name == 'mine'
    found = book.get('mine')
    assert [w.name for w in found.workloads] == [
        'write-4K-c8',
        'write-16K-c8',
    ]
    assert (found.rounds, found.builtin) == (6, False)
    assert book.export('mine') == TEXT.rstrip('\n')
    assert entry(book, 'mine').problem == ''
    assert entry(book, 'quick').builtin


def test_a_built_in_profile_is_exported_to_begin_with(book):
    text = book.export('quick')
    assert text.startswith('#')
    assert book.set('mine', text).version == catalog.get('quick').version


def test_a_profile_is_set_again_and_removed(book, cluster):
    book.set('mine', TEXT)
    book.set('mine', TEXT.replace('rounds: 6', 'rounds: 8'))
    assert book.get('mine').rounds == 8
    book.remove('mine')
    assert cluster.kv == {}
    with pytest.raises(NotFound, match="'mine' does not exist; .*quick"):
        book.get('mine')
    with pytest.raises(NotFound):
        book.remove('mine')


@pytest.mark.parametrize('call', ['get', 'export', 'remove'])
@pytest.mark.parametrize('name', ['../smoke', 'x' * 5000, '', 'Ä', 'a\n'])
def test_names_that_no_profile_has_are_not_looked_up(
    book, cluster, call, name
):
    with pytest.raises(NotFound) as raised:
        getattr(book, call)(name)
    assert len(raised.value.message) < 400
    assert not [c for c in cluster.calls if c.verb == 'kv_get']


@pytest.mark.parametrize(
    'name, text, error, words',
    [
        ('quick', TEXT, AlreadyExists, 'built in'),
        ('Mine', TEXT, InvalidArgument, "'Mine' is not valid"),
        ('mine', None, InvalidArgument, 'give one with -i'),
        ('mine', ' \n', InvalidArgument, 'profile export quick'),
        ('mine', 'x: [', InvalidArgument, 'not valid YAML in line'),
        ('mine', TEXT + 'round: 3', InvalidArgument, "unknown key 'round'"),
        (
            'mine',
            TEXT.replace('size:', 'szie:'),
            InvalidArgument,
            "workload 1: unknown key 'szie'; known are op, size",
        ),
        (
            'mine',
            TEXT.replace('op: write', 'op: wirte'),
            InvalidArgument,
            "'wirte' is not one of write, rand",
        ),
        ('mine', TEXT + '  duration: 1', InvalidArgument, 'duration of 1 s'),
        ('mine', TEXT + '# \u202e', InvalidArgument, 'text direction'),
        ('mine', TEXT + '#' * 131072, InvalidArgument, 'at most 131,072'),
    ],
)
def test_what_cannot_be_used_is_refused_and_nothing_is_kept(
    book, cluster, name, text, error, words
):
    with pytest.raises(error) as raised:
        book.set(name, text)
    assert words in raised.value.message
    assert '\n' not in raised.value.message
    assert cluster.kv == {}


IDLE = """\
rounds: 6
workloads:
- {op: write, size: 4K, concurrency: 8}
- {op: OP, size: 64K, concurrency: 8, KEY}
"""


def with_key(operation, key):
    return IDLE.replace('OP', operation).replace('KEY', key)


@pytest.mark.parametrize(
    'operation, key',
    [
        ('rand', 'tags: 3'),
        ('rand', 'encryption: sse-c'),
        ('write', 'cache: device'),
        ('s3-get', 'mix: {get: 60, put: 40}'),
        ('s3-get', 'checksum: crc32'),
        ('[s3-put, write]', 'keys: zipf'),
        ('s3-put', 'arrivals: poisson'),
        ('s3-delete', 'think_time: 10ms'),
    ],
)
def test_a_key_that_does_nothing_is_refused_when_it_is_set(
    book, cluster, operation, key
):
    text = with_key(operation, key)
    with pytest.raises(InvalidArgument) as raised:
        book.set('mine', text)
    name = key.split(':')[0]
    assert f'workload 2: {name} ' in raised.value.message
    assert 'does nothing for ' in raised.value.message
    assert cluster.kv == {}
    # one that a former version kept is used as it was
    cluster.kv['profile/mine'] = stored(text)
    assert book.get('mine').rounds == 6 and not entry(book, 'mine').problem


@pytest.mark.parametrize(
    'operation, key',
    [
        ('[rand, s3-put]', 'tags: 3'),
        ('[write, rand]', 'cache: device'),
        ('s3-mixed', 'mix: {get: 60, put: 40}'),
        ('s3-get', 'keys: uniform'),
        ('s3-put', 'rate: 100, arrivals: poisson'),
    ],
)
def test_a_key_that_one_operation_takes_is_kept(book, operation, key):
    assert book.set('mine', with_key(operation, key)).rounds == 6


@pytest.mark.parametrize('name', catalog.builtin())
def test_no_key_of_a_built_in_profile_does_nothing(book, name):
    assert book.set('mine', book.export(name)).workloads


def noise(lines, seed=1):
    """Return comments that hardly compress."""
    drawn = random.Random(seed)
    return ''.join(f'# {drawn.getrandbits(240):060x}\n' for _ in range(lines))


LONG = (TEXT + noise(2078)).rstrip('\n')  # 128 KiB but a few bytes


def test_a_text_of_128_kib_is_kept_in_parts_and_goes_with_them(book, cluster):
    assert 130_900 < len(LONG) <= 131_072
    book.set('mine', LONG)
    assert len(cluster.kv) > 10
    assert book.export('mine') == LONG
    assert book.get('mine').rounds == 6
    assert entry(book, 'mine').problem == ''
    book.remove('mine')
    assert cluster.kv == {}


def test_a_text_that_is_set_again_leaves_no_part_of_the_former(book, cluster):
    book.set('mine', LONG)
    book.set('minor', LONG)  # begins with the same letters
    book.set('mine', TEXT + noise(200, seed=2))
    assert book.export('mine') == (TEXT + noise(200, seed=2)).rstrip('\n')
    assert book.export('minor') == LONG
    book.set('mine', TEXT)
    assert book.export('mine') == TEXT.rstrip('\n')
    book.remove('minor')
    assert list(cluster.kv) == [texts.PREFIX + 'mine']


def test_what_was_cut_off_while_it_was_set_is_not_read(book, cluster):
    book.set('mine', TEXT)
    before = dict(cluster.kv)
    keep = cluster.kv_set

    def cut(key, value):
        if len(cluster.kv) == 5:
            raise CommandFailed('config-key set', errno.EIO, 'no mon')
        keep(key, value)

    cluster.kv_set = cut
    with pytest.raises(CommandFailed):
        book.set('mine', LONG)
    assert book.export('mine') == TEXT.rstrip('\n')
    assert [e.name for e in book.list() if not e.builtin] == ['mine']
    cluster.kv_set = keep
    book.set('mine', TEXT)
    assert cluster.kv == before


def test_a_part_that_is_missing_or_of_others_is_told(book, cluster):
    book.set('mine', LONG)
    key = sorted(k for k in cluster.kv if k.startswith(texts.PARTS))[3]
    part = cluster.kv.pop(key)
    for value in (None, 'x' + part[1:]):
        if value:
            cluster.kv[key] = value
        assert 'damaged where it is stored' in entry(book, 'mine').problem
        with pytest.raises(InvalidArgument, match='set it again'):
            book.export('mine')
    book.set('mine', LONG)
    assert book.export('mine') == LONG


def test_who_reads_while_it_is_set_again_gets_the_new_text(book, cluster):
    book.set('mine', LONG)
    stale = cluster.kv[texts.PREFIX + 'mine']
    book.set('mine', TEXT)
    kept = texts.ProfileTexts(cluster)
    assert kept.read('mine', stale) == TEXT.rstrip('\n')


def test_all_profiles_together_have_their_limit(book, cluster):
    names = [f'p{n}' for n in range(40)]
    with pytest.raises(InvalidArgument) as raised:
        for name in names:
            book.set(name, LONG)
    assert '1,048,576 are the limit for all' in raised.value.message
    assert sum(map(len, cluster.kv.values())) < 1.1 * texts.ROOM
    book.set('p1', TEXT)
    book.set('p2', LONG)


def test_a_profile_as_large_as_one_can_be_is_kept(book):
    """64 workloads, each of its own entry with all there is to say."""
    entries = '\n'.join(
        f'- {{op: s3-get, size: {size}K, concurrency: {load}, rate: {load}00,'
        f' duration: {30 + size}, warmup: 5, prefill: {size}G,'
        ' keys: "zipf:0.99", arrivals: poisson}'
        for size in range(1, 9)
        for load in range(1, 9)
    )
    head = 'rounds: 6\nworkloads:\n'
    assert len(book.set('mine', head + entries).workloads) == 64


def test_profiles_are_counted(book, monkeypatch):
    monkeypatch.setattr(texts, 'MOST', 2)
    book.set('a', TEXT)
    book.set('b', TEXT)
    book.set('b', TEXT)
    with pytest.raises(InvalidArgument, match='2 profiles are set'):
        book.set('c', TEXT)


@pytest.mark.parametrize(
    'value, words',
    [
        (stored(TEXT + '  later: 1', module='9.1'), "unknown key 'later'"),
        (stored(TEXT + '  later: 1', module='9.1'), 'set by version'),
        (stored(TEXT, sealed=True), 'form that this version'),
        ('{', 'form that this version'),
        ('{}', 'form that this version'),
        ('{"parts": 4, "module": "0.1.0"}', 'form that this version'),
        ('{"parts": -1, "digest": "../x", "module": "0.1.0"}', 'damaged'),
        ('{"parts": 9e99, "digest": "x"}', 'form that this version'),
        ('{"text": "????", "module": "0.1.0"}', 'damaged'),
    ],
)
def test_what_another_version_stored_is_told_and_hurts_no_other(
    book, cluster, value, words
):
    cluster.kv[texts.PREFIX + 'theirs'] = value
    book.set('mine', TEXT)
    with pytest.raises(InvalidArgument) as raised:
        book.get('theirs')
    assert words in raised.value.message
    assert words in entry(book, 'theirs').problem
    assert 'not usable: ' in profile_text.profiles(book.list())
    assert book.get('mine').workloads and book.get('quick').workloads
    book.remove('theirs')
    assert list(cluster.kv) == [texts.PREFIX + 'mine']


def test_a_field_of_another_version_can_be_taken_elsewhere(book, cluster):
    text = TEXT + '  later: 1'
    cluster.kv[texts.PREFIX + 'theirs'] = stored(text, module='9.1')
    assert book.export('theirs') == text


def test_what_unpacks_without_end_is_not_made(book, cluster):
    bomb = stored('#' * 50_000_000)
    cluster.kv[texts.PREFIX + 'bomb'] = bomb
    assert 'more than 131,072 bytes' in entry(book, 'bomb').problem


def test_one_that_was_there_before_a_built_in_one_stays_itself(book, cluster):
    cluster.kv[texts.PREFIX + 'quick'] = stored(TEXT)
    assert book.get('quick').rounds == 6
    assert not entry(book, 'quick').builtin
    book.remove('quick')
    assert book.get('quick') == catalog.get('quick')
    with pytest.raises(InvalidArgument, match='built in'):
        book.remove('quick')


def test_a_run_plans_it_and_the_dashboard_sets_it(rig):  # noqa: F811
    service = rig.service

    def ask(name, **args):
        return api.call(service, name, args)

    assert ask('profile_set', profile='mine', text=TEXT)['data']
    listed = {p['name']: p for p in ask('profile_ls')['data']}
    assert [w['size'] for w in listed['mine']['workloads']] == [4096, 16384]
    assert listed['mine']['problem'] == ''
    draft = service.draft(RunRequest(groups=('x86',), profile='mine'))
    assert [w.name for w in draft.plan.profile.workloads] == [
        'write-4K-c8',
        'write-16K-c8',
    ]
    assert 'problem' not in to_data(draft.plan.profile)
    report = service.preflight(RunRequest(groups=('x86',), profile='mine'))
    assert report.checks
    text = ask('profile_export', profile='mine')['data']['text']
    assert text == TEXT.rstrip('\n')
    assert ask('profile_set', profile='mine')['errno'] == errno.EINVAL
    assert 'data' in ask('profile_rm', profile='mine')
    assert ask('profile_show', profile='mine')['errno'] == errno.ENOENT


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
            book.create('mine', TEXT)
        except AlreadyExists as error:
            refused.append(error)

    threads = [threading.Thread(target=create) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10.0)
    assert len(refused) == 1
