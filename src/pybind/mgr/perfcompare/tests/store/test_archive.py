"""Tests of export and import of runs."""

import copy
import dataclasses
import hashlib
import json
import os
import random
import tempfile
from array import array

import pytest

from ...common.errors import AlreadyExists, Busy, InvalidArgument, NotFound
from ...hosts.tables import DISK
from ...interop import rows
from ...model.run import RunState
from ...model.series import Table, column
from ...store import archive, archive_tables
from ...store import export_file as exportfile
from ...store import series_codec
from ...store.database import FileDatabase
from ...store.results import Store, TrialRecord
from ..data.run_data import FSID, make_records, make_run, make_trial

RUN = '0a1b2c3d'


@pytest.fixture
def store():
    return Store(FileDatabase())


@pytest.fixture
def text():
    records = make_records(RUN, rounds=1, n=20)
    table = Table(
        5.25,
        array('d', [0.1, 0.30000000000000004, 1e-9]),
        (column('op_w_latency', 's', [None, 0.1, -0.0]),),
    )
    blob = series_codec.encode(table)
    records[0] = TrialRecord(
        records[0].trial, {**records[0].series, 'osd.12': blob}
    )
    records.append(
        TrialRecord(make_trial(round=5, manifest={}, summary=None))
    )
    return archive.export(make_run(RUN, label='größe'), records)


def export_run(store, run):
    return archive.export(store.get_run(run), store.records(run))


def import_run(store, text):
    """Store the run of a file by the way of all imports: its rows."""
    run, records = archive.parse(text)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'rows')
        database = FileDatabase(path)
        Store(database).add_run(run, records)
        database.close()
        return rows.add_run(store, path, True)


def sealed(data):
    """Return the text of changed data with a fitting checksum."""
    body = json.dumps(data['content'], sort_keys=True, separators=(',', ':'))
    digest = hashlib.sha256(body.encode()).hexdigest()
    return json.dumps(dict(data, checksum=f'sha256:{digest}'))


def test_round_trip_is_exact_over_two_clusters(store, text):
    run, records = archive.parse(text)
    assert archive.export(run, records) == text
    assert import_run(store, text) == RUN
    assert store.records(RUN) == list(records)
    assert store.get_run(RUN) == dataclasses.replace(
        run, origin=f'import:{FSID}'
    )
    # what is exported again differs by the origin alone, and stays so
    again = export_run(store, RUN)
    third = Store(FileDatabase())
    import_run(third, again)
    assert export_run(third, RUN) == again


def test_an_imported_run_is_found_by_its_workloads(store, text):
    name = import_run(store, text)
    (info,) = store.list_runs(find='rand-64K').runs
    assert info.id == name and 'rand-64K-c4/osd' in info.workloads
    # and it waits to be judged here, whatever was judged elsewhere
    assert info.verdicts is None
    assert store.unjudged('1') == (name,)


def test_series_of_a_host_with_many_disks_can_be_imported():
    records = make_records(RUN, rounds=1, n=20)
    names = [f'disk.sd{i}.{name}' for i in range(60) for name in DISK]
    table = Table(
        5.0, array('d', [1.0]), tuple(column(n, '', [0.5]) for n in names)
    )
    series = {'host.dense': series_codec.encode(table)}
    records[0] = TrialRecord(records[0].trial, series)
    found = archive.parse(archive.export(make_run(RUN), records))
    assert found.records[0].series == series


def test_export_says_what_it_is(text):
    data = json.loads(text)
    assert text.isascii()
    assert list(data) == ['checksum', 'format', 'fsid', 'version', 'content']
    assert data['format'] == 'perfcompare-run'
    assert data['version'] == 1
    assert data['fsid'] == FSID
    body = text[text.index('"content":') + len('"content":') : -2]
    assert (
        data['checksum']
        == 'sha256:' + hashlib.sha256(body.encode()).hexdigest()
    )
    assert len(data['content']['manifests']) == 2
    series = data['content']['trials'][0]['series']
    assert series['client']['step'] == 1.0
    assert series['client']['columns'][1]['values'][3] is None
    assert series['osd.12']['t'] == [0.1, 0.30000000000000004, 1e-9]


def test_export_of_what_is_not_there_or_not_ended(store):
    with pytest.raises(NotFound):
        export_run(store, RUN)
    store.put_run(make_run(RUN, RunState.TRIAL))
    with pytest.raises(Busy, match='has not ended'):
        export_run(store, RUN)


def test_same_run_twice_is_refused(store, text):
    import_run(store, text)
    before = store.list_runs()
    with pytest.raises(AlreadyExists, match=RUN):
        import_run(store, text)
    assert store.list_runs() == before


def test_import_where_the_run_was_measured_is_refused(store, text):
    store.put_run(archive.parse(text).run)
    with pytest.raises(AlreadyExists, match=RUN):
        import_run(store, text)
    assert store.get_run(RUN).origin == 'cli'


def test_id_of_another_run_gives_way_to_an_unambiguous_one(store, text):
    mine = make_run(RUN, created=5.0, fsid='00000000' + FSID[8:])
    store.put_run(mine)
    name = import_run(store, text)
    assert name != RUN and len(name) == 8
    found = store.get_run(name)
    assert found.origin == f'import:{FSID}/{RUN}'
    assert found.plan.run == name
    assert {t.run for t in store.trials(name)} == {name}
    assert store.get_run(RUN) == mine
    with pytest.raises(AlreadyExists, match=name):
        import_run(store, text)
    # and such a run can be exported and imported elsewhere
    other = Store(FileDatabase())
    assert import_run(other, export_run(store, name)) == name


def test_every_truncation_is_refused(text):
    rng = random.Random(3)
    cuts = [0, 1, len(text) // 2, len(text) - 2]
    for end in cuts + [rng.randrange(len(text) - 1) for _ in range(100)]:
        with pytest.raises(InvalidArgument) as info:
            archive.parse(text[:end])
        assert '\n' not in str(info.value)


def test_every_changed_digit_is_noticed(text):
    rng = random.Random(4)
    places = [i for i, c in enumerate(text) if c in '12345678']
    noticed = 0
    for i in rng.sample(places, 200):
        changed = text[:i] + str(int(text[i]) + 1) + text[i + 1 :]
        try:
            archive.parse(changed)
        except InvalidArgument:
            noticed += 1
        else:  # beyond the precision of a number
            assert json.loads(changed) == json.loads(text)
    assert noticed > 150


def test_reformatted_file_is_the_same(text):
    pretty = json.dumps(json.loads(text), indent=2, ensure_ascii=False)
    assert archive.parse(pretty) == archive.parse(text)


def as_pages_write(value):
    """Return data as a browser writes it again: 1 in place of 1.0."""
    if isinstance(value, dict):
        return {k: as_pages_write(v) for k, v in value.items()}
    if isinstance(value, list):
        return [as_pages_write(v) for v in value]
    whole = isinstance(value, float) and value.is_integer()
    return int(value) if whole else value


def test_what_a_browser_wrote_again_is_told_apart_from_damage(text):
    again = json.dumps(as_pages_write(json.loads(text)))
    with pytest.raises(InvalidArgument) as info:
        archive.parse(again)
    assert 'that makes 1 of 1.0, as the dashboard page' in str(info.value)
    assert 'export the run again' in str(info.value)
    with pytest.raises(InvalidArgument, match='changed or damaged'):
        archive.parse(text.replace('größe', 'groesse').replace('0.1', '0.2'))


@pytest.mark.parametrize(
    'wrong, message',
    [
        ('', 'not complete JSON'),
        ('{"a": 1', 'truncated'),
        ('[]', 'not an export of a run'),
        ('null', 'not an export of a run'),
        ('{"format": "other"}', 'not an export of a run'),
        ('{"format": "perfcompare-run"}', 'no valid version: None'),
        ('{"format": "perfcompare-run", "version": true}', 'True'),
        ('{"format": "perfcompare-run", "version": "1"}', "'1'"),
        ('{"format": "perfcompare-run", "version": 2}', 'update the module'),
        ('{"format": "perfcompare-run", "version": 1}', "lacks 'checksum'"),
        ('{"a": NaN}', 'NaN is not a number'),
        ('[' * 100000, 'nested too deeply'),
        ('<html>', 'not complete JSON'),
        ('\0', 'not complete JSON'),
    ],
)
def test_wrong_files(wrong, message):
    with pytest.raises(InvalidArgument, match=message) as info:
        archive.parse(wrong)
    assert '\n' not in str(info.value)


def change(data, path, value):
    *way, last = path
    for step in way:
        data = data[step]
    if value is DELETE:
        del data[last]
    else:
        data[last] = value


DELETE = object()
TRIAL = ('content', 'trials', 0)
SERIES = TRIAL + ('series', 'client')


@pytest.mark.parametrize(
    'path, value, message',
    [
        (('extra',), 1, "has 'extra'"),
        (('fsid',), 'x', 'fsid'),
        (('content', 'more'), 1, "has 'more'"),
        (('content', 'run', 'id'), '../../x', 'not a run id'),
        (('content', 'run', 'id'), 'ffffffff', "'0a1b2c3d' is not"),
        (('content', 'run', 'id'), 5, 'not a text'),
        (('content', 'run', 'state'), 'trial', 'have ended'),
        (('content', 'run', 'state'), 'lost', "'lost' is not one of"),
        (('content', 'run', 'created'), '1', 'not a number'),
        (('content', 'run', 'created'), 10**400, 'out of range'),
        (('content', 'run', 'secret'), 'x', "unknown field 'secret'"),
        (('content', 'run', 'plan'), DELETE, "'plan' is missing"),
        (('content', 'run', 'reason'), '\ud800', 'no export has'),
        (('content', 'manifests'), [], 'not a mapping'),
        (('content', 'manifests', 'x'), {'a': 1}, "'x' is damaged"),
        (('content', 'trials'), {}, 'not a list'),
        (TRIAL, 5, 'not a mapping'),
        (TRIAL + ('run',), 'ffffffff', "unknown field 'run'"),
        (TRIAL + ('manifest',), 'abc', "'abc' is not there"),
        (TRIAL + ('manifest',), {}, 'is not there'),
        (TRIAL + ('group',), 'other', "'other' is not in the plan"),
        (TRIAL + ('workload',), 'x', "'x' is not in the plan"),
        (TRIAL + ('round',), -1, 'out of range'),
        (TRIAL + ('block',), 2**63, 'out of range'),
        (TRIAL + ('round',), 1, 'twice'),
        (TRIAL + ('state',), None, 'None is not one of ok, void'),
        (TRIAL + ('state',), ['x'] * 10**5, 'is not one of|not a'),
        (TRIAL + ('summary', 'ops'), 1.5, 'whole number'),
        (TRIAL + ('series',), None, 'not a mapping'),
        (TRIAL + ('series',), DELETE, 'not a mapping'),
        (TRIAL + ('series', 'a b'), {}, "'a b' is not a source"),
        (SERIES, [], 'not a mapping'),
        (SERIES + ('t',), [1.0], "has 't'"),
        (SERIES + ('n',), 19, 'not a list of 19'),
        (SERIES + ('n',), 10**12, 'more than'),
        (SERIES + ('n',), True, 'out of range'),
        (SERIES + ('step',), 0, 'out of range'),
        (SERIES + ('step',), '1', 'not a number'),
        (SERIES + ('wall_start',), None, 'not a number'),
        (SERIES + ('columns',), None, 'not a list'),
        (SERIES + ('columns', 0, 'values', 2), 'x', "'x' is not a number"),
        (SERIES + ('columns', 0, 'values', 2), 10**400, 'cannot be read'),
        (SERIES + ('columns', 0, 'unit'), None, 'not a name'),
        (SERIES + ('columns', 0, 'dtype'), 'd', "has 'dtype'"),
    ],
)
def test_wrong_content_is_named(store, text, path, value, message):
    data = copy.deepcopy(json.loads(text))
    change(data, path, value)
    with pytest.raises(InvalidArgument, match=message) as info:
        import_run(store, sealed(data))
    assert '\n' not in str(info.value)
    assert len(str(info.value)) < 400
    assert store.list_runs().total == 0


def test_sizes_are_bounded(text, monkeypatch):
    for module in (archive, archive_tables):
        monkeypatch.setattr(module, 'MAX_SAMPLES', 100)
    with pytest.raises(InvalidArgument, match='more than 100 samples'):
        archive.parse(text)
    monkeypatch.setattr(archive, 'MAX_TRIALS', 3)
    with pytest.raises(InvalidArgument, match='3 trials at most'):
        archive.parse(text)
    monkeypatch.setattr(exportfile, 'MAX_CHARS', 1000)
    with pytest.raises(InvalidArgument, match='1000 at most'):
        archive.parse(text)
