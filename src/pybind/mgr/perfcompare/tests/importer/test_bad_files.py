"""Files that are imported harm neither the Manager nor what is stored."""

import dataclasses
import gzip
import hashlib
import io
import json
import time
import tracemalloc

import hypothesis
import pytest
from hypothesis import strategies

from ...app.imports import Imports
from ...common.errors import InvalidArgument, PerfcompareError
from ...common.settings import Settings
from ...importer import bounds, prepare, usable
from ...interop.reader import ProcessReader
from ...interop.request import ImportRequest
from ...recovery.store import archive as recovery_archive
from ...report import listing
from ...store import archive
from ...store.results import FileDatabase, Retention, Store
from ...store.retention import of_runs
from ...store.thread import DbThread
from ...worker.interop import detect
from ...worker.wire.strict import Malformed
from ..data import interop_data as data
from ..data.elbencho_data import csv_of
from ..data.run_data import make_records, make_run
from ..data.vdbench_data import TOTALS, flatfile, intervals
from ..recovery.test_store import episode, series

RUN = 'ab12cd34'
OTHER = {'kind': 'run', 'exported': False, 'tool': 'auto', 'group': 'a'}
OTHER.update(label='', now=2e9)
WARP = data.warp_get()


def exported():
    return archive.export(make_run(RUN), make_records(RUN))


def sealed(found):
    """Return the text of changed data with a fitting checksum."""
    body = json.dumps(found['content'], sort_keys=True, separators=(',', ':'))
    digest = hashlib.sha256(body.encode()).hexdigest()
    return json.dumps(dict(found, checksum=f'sha256:{digest}'))


@pytest.fixture
def database():
    found = DbThread(Store(FileDatabase()))
    found.start()
    yield found
    found.stop()


@pytest.fixture
def imports(database):
    return Imports(database, ProcessReader())


def take(imports, text, **words):
    return imports.run(ImportRequest(text, **words))


@pytest.mark.process
def test_a_file_of_another_tool_becomes_a_run(imports, database):
    run = take(imports, WARP, group='arm', label='x')
    assert run.origin == 'import:warp'
    assert database.call(lambda s: s.get_run(run.id)) == run
    assert len(database.call(lambda s: s.records(run.id))) == 1
    with pytest.raises(PerfcompareError, match='stored already'):
        take(imports, WARP, group='arm', label='x')


@pytest.mark.process
def test_an_export_goes_through_the_process_as_it_is(imports, database):
    text = exported()
    run = take(imports, text)
    again = archive.export(
        dataclasses.replace(run, origin='cli'),
        database.call(lambda s: s.records(RUN)),
    )
    assert again == text


@pytest.mark.process
def test_a_recovery_goes_through_the_process_as_it_is(imports, database):
    text = recovery_archive.dump(episode(), series())
    found = imports.recovery(text)
    assert found.id == episode().id and found.origin.startswith('import:')
    with pytest.raises(PerfcompareError, match='stored already'):
        imports.recovery(text)


@pytest.mark.process
@pytest.mark.parametrize(
    'text, message',
    [
        ('x' * 5000 + '\udcff\0', 'refused'),
        ('{"format":"perfcompare-run"' + '[]' * 2_000_000, 'JSON'),
        (
            '{"format":"perfcompare-run","content":['
            + ','.join(['[]'] * 1_000_000)
            + ']}',
            'memory|lacks|version',
        ),
        ('{"perfcompare-run":' + '[' * 100_000, 'nested|JSON'),
        ('group,ops_per_s,op\n' + '\n' * 1_000_000, 'no row'),
    ],
    ids=['text', 'brackets', 'lists', 'nesting', 'empty rows'],
)
def test_a_file_is_refused_in_one_line(imports, text, message):
    with pytest.raises(InvalidArgument, match=message) as caught:
        take(imports, text)
    assert '\n' not in caught.value.message
    assert len(caught.value.message) < 4100


def test_empty_rows_of_a_small_gzip_take_no_memory():
    # more than the lines that are held, were these held
    number = detect.MAX_LINES + 1
    rows = gzip.compress(b'group,op,ops_per_s\n' + b'\n' * number)
    assert len(rows) < 4096
    stream = io.BufferedReader(gzip.open(io.BytesIO(rows)))
    tracemalloc.start()
    with pytest.raises(Malformed, match='no row'):
        detect.read(stream)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 1 << 20


@pytest.mark.process
def test_a_slow_reader_is_killed(tmp_path):
    slow = tmp_path / 'python'
    slow.write_text('#!/bin/sh\nsleep 60\n')
    slow.chmod(0o755)
    with pytest.raises(InvalidArgument, match='took more than'):
        with ProcessReader(str(slow), 0.3).rows('x', OTHER):
            pass


def changed(path, value):
    found = json.loads(exported())
    place = found['content']
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return sealed(found)


@pytest.mark.parametrize(
    'path, value, message',
    [
        (('run', 'created'), 1e300, 'out of range'),
        (('run', 'created'), -1e12, '1970'),
        (('run', 'ended'), 9e9, '1970'),
        (('run', 'events', 0, 'at'), -5, '1970'),
        (('trials', 0, 'started'), 1e11, '1970'),
        (('trials', 0, 'summary', 'ops_per_s'), 1e300, 'out of range'),
        (('trials', 0, 'evidence', 'osds'), [1], 'cannot be read'),
        (('trials', 0, 'evidence', 'osds'), {'x': {}}, 'cannot be read'),
        (('trials', 0, 'evidence', 'osds'), {'1': 5}, 'cannot be read'),
        (('trials', 0, 'evidence', 'hosts'), {'h': 'x'}, 'cannot be read'),
        (('trials', 0, 'evidence', 'hosts'), 7, 'cannot be read'),
        (('trials', 0, 'evidence', 'notes'), 7, 'cannot be read'),
        (('trials', 0, 'evidence', 'tenants'), 'x', 'cannot be read'),
        (('run', 'plan', 'labels'), ['x'] * 2000, '1,000 at most'),
        (('run', 'reason'), 'x' * 100_000, '65,536 at most'),
    ],
    ids=lambda v: str(v)[:40],
)
def test_an_export_that_could_not_be_shown_is_refused(path, value, message):
    run, records = archive.parse(changed(path, value))
    with pytest.raises(InvalidArgument, match=message):
        prepare.check(run, archive.Archive(run, records))
        usable.try_run(run, [r.trial for r in records])


def test_what_we_export_can_be_shown():
    run, records = archive.parse(exported())
    prepare.check(run, archive.Archive(run, records))
    usable.try_run(run, [r.trial for r in records])


def test_bounds_of_plain_data():
    deep = []
    for _ in range(50):
        deep = [deep]
    for value in (deep, 'x' * 70_000, float('inf'), {'a' * 2000: 1}, 2**70):
        with pytest.raises(InvalidArgument):
            bounds.check({'a': value}, 'x')
    bounds.check({'a': [1, 2.5, 'x', None, True]}, 'x')


def test_a_list_shows_what_was_stored_before_times_were_checked():
    store = Store(FileDatabase())
    for i, created in enumerate((1e300, -1e12, 5.0)):
        run = make_run(f'0000000{i}')
        store.put_run(dataclasses.replace(run, created=created, ended=1e300))
    text = listing.runs(store.list_runs())
    assert text.count('not a time') >= 2


def stored(store, name, at, size=1, origin='cli', ended=None):
    run = dataclasses.replace(
        make_run(name), created=at, ended=ended or at, origin=origin
    )
    store._clock = lambda: at
    store.add_run(run, ())
    with store.database.transaction(write=True) as conn:
        conn.execute('UPDATE run SET bytes = ? WHERE id = ?', (size, name))


def test_imports_never_drive_out_what_was_measured():
    store = Store(FileDatabase())
    for i in range(3):
        stored(store, f'0000000{i}', 100.0 + i)
    for i in range(5):
        stored(store, f'1000000{i}', 200.0 + i, 9, 'import:x', ended=4e9)
    gone = store.expire(300.0, Retention(runs=3, bytes=30))
    assert gone == ('10000000', '10000001')
    assert store.usage()[0] == 3 + 27


def test_the_oldest_go_when_bytes_are_too_many_but_never_the_newest():
    store = Store(FileDatabase())
    for i in range(4):
        stored(store, f'0000000{i}', 100.0 + i, size=10)
    assert store.expire(200.0, Retention(bytes=25)) == (
        '00000000',
        '00000001',
    )
    assert store.expire(200.0, Retention(bytes=5)) == ('00000002',)
    assert store.expire(200.0, Retention(bytes=5)) == ()


@pytest.mark.process
def test_an_import_is_followed_by_expiry(database):
    asked = []
    imports = Imports(database, ProcessReader(), lambda: asked.append(1))
    take(imports, WARP, group='arm')
    assert asked == [1]
    assert of_runs(Settings()).bytes == 4 << 30


# what other tools write, with anything in it

CELL = strategies.sampled_from(
    ['', '1', '-1', 'nan', 'inf', '1e308', str(2**70), 'x', '1,2', '"', 'a/b',
     '4K', '9' * 400, '2026-01-01', '0001-01-01T00:00:00', '\x1b[31m', 's3-get']
)  # fmt: skip
HEADERS = ['group', 'round', 'workload', 'op', 'size', 'concurrency',
           'started', 'duration', 'ops_per_s', 'p99_ms', 'ops', 'tool',
           'note', 'osds', 'bytes_per_s']  # fmt: skip
TABLE = strategies.tuples(
    strategies.lists(
        strategies.sampled_from(HEADERS), unique=True, min_size=2
    ),
    strategies.lists(strategies.lists(CELL, max_size=15), max_size=4),
).map(lambda t: '\n'.join(','.join(row) for row in [t[0], *t[1]]))
DOCUMENTS = strategies.dictionaries(
    strategies.sampled_from(HEADERS + ['series']),
    CELL | strategies.integers() | strategies.floats() | strategies.none(),
).map(
    lambda row: json.dumps(
        {'format': 'perfcompare-results', 'version': 1, 'trials': [row]}
    )
)
RECORDED = strategies.sampled_from(
    [WARP, data.TABLE, csv_of({}), flatfile(*intervals()), TOTALS]
)


@strategies.composite
def damaged(draw):
    text = draw(RECORDED)
    at = draw(strategies.integers(0, len(text) - 1))
    word = draw(CELL | strategies.text(max_size=5))
    return text[:at] + word + text[at + draw(strategies.integers(0, 30)) :]


@hypothesis.settings(max_examples=120, deadline=None, database=None)
@hypothesis.given(TABLE | DOCUMENTS | damaged() | strategies.text())
def test_files_of_other_tools_are_read_or_refused(text):
    content = text.encode('utf-8', 'surrogatepass')
    began = time.process_time()
    try:
        detect.read(io.BufferedReader(io.BytesIO(content)))
    except Malformed as error:
        assert len(str(error)) < 2000
    assert time.process_time() - began < 5
