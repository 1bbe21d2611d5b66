"""Tests of stored recoveries: list, show, remove, files, text."""

import dataclasses
import hashlib
import json
import sqlite3

import pytest

from ...app.recoveries import RecoveryDetail, RecoveryList
from ...common.errors import AlreadyExists, Busy, InvalidArgument, NotFound
from ...model.group import emulated_label
from ...model.recovery import (
    Cause,
    CauseKind,
    Episode,
    RecoveryTest,
    Scenario,
    State,
    StepKind,
    StepResult,
    TestState,
)
from ...recovery.judge.timeline import make_timeline
from ...recovery.observe.episodes import ObserverStatus
from ...recovery.observe.watch import table
from ...recovery.store import archive, briefs
from ...recovery.store import recoveries as store
from ...report.recovery import text
from ...store import schema
from ...store.damaged import Damaged
from ...store.database import begin
from ...store.results import FileDatabase, Retention, Store
from ...store.series_codec import encode
from .test_timeline import T, down_up


def episode(ident='0000000a', began=T, state=State.CLEAN):
    events, polls = down_up()
    timeline = make_timeline('x86', T, T + 60, events, polls)
    cause = Cause(CauseKind.OSD_DOWN, began, (0,), 'osd.0 down')
    return Episode(
        ident, state, began,
        ended=None if state is State.OPEN else began + 60,
        causes=(cause,), timelines=(timeline,), fsid='f',
    )  # fmt: skip


def series():
    return {'x86': table(down_up()[1])}


def same(found, wanted):
    """Compare series, in which nothing equals "not available"."""
    assert [encode(t) for t in found] == [encode(t) for t in wanted]


def recovery_test(ident='0000000b', state=TestState.COMPLETED):
    step = StepResult(
        'x86', 1, 0, StepKind.OUT, 'osd out',
        timeline=episode().timelines[0],
    )  # fmt: skip
    return RecoveryTest(
        ident, state, Scenario.OSD_OUT, ('x86', 'arm'), T + 5, steps=(step,)
    )


@pytest.fixture
def db():
    return Store(FileDatabase())


def test_an_episode_comes_back_as_it_was(db):
    store.put(db, episode(), series())
    assert store.get(db, '0000000a') == episode()
    assert store.sources(db, '0000000a') == ('x86',)
    same(store.series(db, '0000000a', 'x86'), series().values())


def test_an_open_episode_is_replaced_and_an_ended_one_stays(db):
    store.put(db, episode(state=State.OPEN), {})
    store.put(db, episode(), series())
    assert store.get(db, '0000000a').state is State.CLEAN
    store.put(db, episode(state=State.STOPPED), {})
    assert store.get(db, '0000000a').state is State.CLEAN


def test_the_parts_of_several_managers_are_one_series(db):
    parts = {'x86': series()['x86'], 'x86#1': series()['x86']}
    store.put(db, episode(), dict(parts, **{'x86-2': series()['x86']}))
    assert len(store.series(db, '0000000a', 'x86')) == 2
    with pytest.raises(NotFound, match="series 'arm'"):
        store.series(db, '0000000a', 'arm')


def test_names_like_those_of_parts_are_no_parts(db):
    names = ('x86', 'x86#2', 'x86#10', 'x86#x', 'x86#1/load', 'x86$', 'x8')
    store.put(db, episode(), {name: series()['x86'] for name in names})
    assert len(store.series(db, '0000000a', 'x86')) == 3


def test_the_newest_come_first_and_kinds_can_be_chosen(db):
    store.put(db, episode(), series())
    store.put(db, recovery_test(), {})
    page = store.ls(db, 10, 0)
    assert [i.id for i in page.items] == ['0000000b', '0000000a']
    assert page.total == 2
    (only,) = store.ls(db, 10, 0, 'episode').items
    assert only.title == 'osd.0 down'
    group = only.groups[0]
    assert group.clean.seconds == pytest.approx(35.5)
    assert group.bytes_recovered == 200e6
    assert only.bytes > 500


def test_removed_is_gone_with_its_series(db):
    store.put(db, episode(), series())
    with pytest.raises(Busy):
        store.rm(db, '0000000a', keep=('0000000a',))
    store.rm(db, '0000000a')
    with pytest.raises(NotFound, match='recovery ls'):
        store.get(db, '0000000a')
    with db.database.transaction() as conn:
        query = 'SELECT count(*) FROM recovery_series'
        assert conn.execute(query).fetchone()[0] == 0


def test_retention_counts_episodes_and_tests_apart(db):
    for i in range(4):
        store.put(db, episode(f'0000000{i}', T + i), {})
    store.put(db, recovery_test(), {})
    gone = store.expire(db, T, Retention(runs=2), keep=('00000000',))
    assert gone == ('00000001', '00000002')
    assert store.ls(db, 10, 0, 'test').total == 1
    old = Retention(age=60.0)
    assert len(store.expire(db, 1e12, old)) == 3


@pytest.mark.parametrize('item', [episode(), recovery_test()])
def test_a_file_holds_all_of_it(db, item):
    store.put(db, item, series())
    content = archive.dump(*store.whole(db, item.id))
    found, tables = archive.parse(content)
    compared = json.loads(content).get('comparison', {'test': ''})
    assert compared['test'] in ('', item.id)
    assert bool(compared['test']) == (briefs.kind_of(item) == 'test')
    assert found.origin.startswith('import:') or item.origin == 'cli'
    assert dataclasses.replace(found, origin=item.origin) == item
    same(tables.values(), series().values())
    with pytest.raises(AlreadyExists):
        store.add(db, found, tables)
    other = Store(FileDatabase())
    store.add(other, found, tables)
    assert store.sources(other, item.id) == ('x86',)


def test_what_goes_on_is_not_exported():
    with pytest.raises(Busy, match='has not ended'):
        archive.dump(episode(state=State.OPEN), {})


@pytest.mark.parametrize(
    'change, message',
    [
        (lambda d: d.update(format='other'), 'not an export of a recovery'),
        (lambda d: d.update(version=9), 'version 9'),
        (lambda d: d['content'].update(kind='x'), 'changed or damaged'),
        (lambda d: d['content']['item'].update(id='1'), 'damaged'),
    ],
)
def test_a_wrong_file_is_refused_in_one_line(change, message):
    data = json.loads(archive.dump(episode(), series()))
    change(data)
    with pytest.raises(InvalidArgument, match=message) as info:
        archive.parse(json.dumps(data))
    assert '\n' not in info.value.message


@pytest.mark.parametrize(
    'value, message',
    [('half \ud800', 'no export has'), (['x'] * 1000, 'fsid')],
)
def test_wrong_content_is_named_in_one_short_line(value, message):
    data = json.loads(archive.dump(episode(), series()))
    data['content']['item']['fsid'] = value
    body = json.dumps(data['content'], sort_keys=True, separators=(',', ':'))
    digest = hashlib.sha256(body.encode()).hexdigest()
    data['checksum'] = f'sha256:{digest}'
    with pytest.raises(InvalidArgument, match=message) as info:
        archive.parse(json.dumps(data))
    assert '\n' not in info.value.message
    assert len(info.value.message) < 400


def test_a_file_that_is_no_json_is_refused():
    with pytest.raises(InvalidArgument, match='not complete JSON'):
        archive.parse('{"format"')


def test_an_old_database_gets_the_tables(tmp_path):
    path = str(tmp_path / 'old.db')
    conn = sqlite3.connect(path, isolation_level=None)
    with begin(conn, True):
        schema.upgrade(conn, schema.STEPS[:2])
    conn.close()
    db = Store(FileDatabase(path))
    store.put(db, episode(), {})
    assert store.ls(db, 1, 0).total == 1


STATUS = ObserverStatus(True, 'watching')


def test_the_list_has_a_line_for_each_group(db):
    store.put(db, episode(), series())
    page = store.ls(db, 10, 0)
    shown = text.listed(RecoveryList(STATUS, None, page.items, 3, 0))
    assert 'osd.0 down' in shown and '35.5 s' in shown
    assert 'observer: watching' in shown
    assert '2 older ones: --offset 1' in shown
    assert all(len(line) <= 120 for line in shown.splitlines())


def test_an_empty_list_says_so():
    shown = text.listed(RecoveryList(STATUS, None, (), 0, 0))
    assert 'no recovery is recorded' in shown


def test_show_names_moments_and_how_well_they_are_known():
    shown = text.shown(RecoveryDetail('episode', episode(), ()))
    assert 'cause:' in shown and 'osd.0 down' in shown
    assert '0.95 s' in shown and '± 0.1 s' in shown and 'pg stats' in shown
    assert '50.0 MB/s' in shown or '50 MB/s' in shown
    assert 't0      fault, or order   not available' in shown


def test_show_marks_what_was_not_reached():
    events, polls = down_up()
    cut = make_timeline('x86', T, T + 20, events[:2], polls[:2])
    found = dataclasses.replace(
        episode(), state=State.STOPPED, timelines=(cut,)
    )
    shown = text.shown(RecoveryDetail('episode', found, ()))
    assert '> 20.0 s' in shown and 'observation ended' in shown


def test_show_has_the_steps_of_a_test():
    shown = text.shown(RecoveryDetail('test', recovery_test(), ()))
    assert 'x86, repetition 1: osd out' in shown


def test_damage_in_one_recovery_does_not_hide_the_others(db):
    store.put(db, episode(), series())
    store.put(db, recovery_test(state=TestState.RUNNING), {})
    with db.database.transaction(write=True) as conn:
        conn.execute(
            "UPDATE recovery SET brief = '{', body = ? WHERE id = ?",
            (b'no body', '0000000b'),
        )
    listed = {i.id: i for i in store.ls(db, 10, 0).items}
    assert listed['0000000a'].title == 'osd.0 down'
    assert 'cannot be read' in listed['0000000b'].title
    with pytest.raises(Damaged, match='recovery 0000000b: what is stored'):
        store.get(db, '0000000b')
    store.interrupt(db, T + 99, 'its Manager went away')
    (info,) = [i for i in store.ls(db, 10, 0).items if i.id == '0000000b']
    assert info.ended and info.state == 'stopped'
    gone = store.expire(db, T + 99, Retention(runs=0))
    assert sorted(gone) == ['0000000a', '0000000b']


def test_a_list_shows_the_first_fault_of_a_test(db):
    """Of several repetitions that of the median time until clean."""
    one = recovery_test()
    step = one.steps[0]
    quiet = dataclasses.replace(step, index=0, timeline=None)
    faults = [
        dataclasses.replace(step, index=1, repetition=n) for n in (1, 2)
    ]
    later = dataclasses.replace(step, index=2)
    item = dataclasses.replace(one, steps=(quiet, *faults, later))
    store.put(db, item, {})
    (found,) = store.ls(db, 10, 0).items
    x86, arm = found.groups
    assert x86 == dataclasses.replace(
        briefs.brief(episode()).groups[0], group='x86'
    )
    assert x86.clean is not None and x86.bytes_recovered is not None
    assert arm == briefs.GroupBrief('arm')


def test_a_list_says_which_groups_are_emulated(db):
    said = (emulated_label('x86'),)
    store.put(db, dataclasses.replace(episode(), notes=said), {})
    store.put(db, dataclasses.replace(recovery_test(), notes=said), {})
    page = store.ls(db, 10, 0)
    for info in page.items:
        told = [group.group for group in info.groups if group.emulated]
        assert told == ['x86'], info.kind
    found = RecoveryList(STATUS, None, page.items, 2, 0)
    assert text.listed(found).count('x86 (emulated)') == 2


def test_an_older_manager_reads_a_list_where_nothing_is_emulated(db):
    said = (emulated_label('x86'),)
    store.put(db, dataclasses.replace(recovery_test(), notes=said), {})
    with db.database.transaction() as conn:
        (row,) = conn.execute('SELECT brief FROM recovery').fetchall()
    x86, arm = json.loads(row['brief'])['groups']
    assert x86['emulated'] is True
    assert 'emulated' not in arm


def test_label_notes_and_abort_rules_of_a_test_are_shown():
    item = dataclasses.replace(
        recovery_test(),
        plan={'options': {'label': 'before the upgrade'}},
        settings={
            'rules': [
                {
                    'rule': 'NEARFULL',
                    'threshold': '85 %',
                    'worst': '12 %',
                    'fired': False,
                }
            ]
        },
        notes=('emulated',),
    )
    told = text.shown(RecoveryDetail('test', item, ()))
    assert 'before the upgrade' in told
    assert 'note: emulated' in told
    assert 'NEARFULL' in told and '85 %' in told and '12 %' in told
