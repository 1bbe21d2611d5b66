"""Tests of the store on real SQLite."""

import dataclasses
import sqlite3
import zlib

import pytest

from ...app.requests import RunDetail
from ...common.errors import (
    AlreadyExists,
    Busy,
    InvalidArgument,
    NotFound,
    TryAgain,
)
from ...model.run import RunEvent, RunState
from ...model.trial import TrialState
from ...report import listing
from ...store.damaged import Damaged
from ...store.database import FileDatabase, MgrDatabase
from ...store.results import (
    ORDERS,
    Retention,
    Store,
    TrialKey,
    TrialRecord,
    key_of,
)
from ..data.run_data import (
    client_series,
    make_manifest,
    make_records,
    make_run,
    make_series,
    make_summary,
    make_trial,
)

RUN = '0a1b2c3d'


@pytest.fixture
def store():
    return Store(FileDatabase(), clock=lambda: 1700000000.0)


def fill(store, run, **kwargs):
    records = kwargs.pop('records', None)
    store.put_run(make_run(run, **kwargs))
    if records is None:
        records = make_records(run, rounds=1)
    store.put_trials(run, records)
    return records


def test_run_round_trip(store):
    run = make_run(RUN, label='größer', reason='fine')
    store.put_run(run)
    assert store.get_run(RUN) == run


def test_run_state_is_updated_and_events_are_added(store):
    run = make_run(RUN, RunState.QUEUED)
    store.put_run(run)
    event = RunEvent(run.created + 9, RunState.COMPLETED, 'done')
    done = dataclasses.replace(
        run,
        state=RunState.COMPLETED,
        ended=run.created + 9,
        events=run.events + (event,),
    )
    store.put_run(done)
    store.put_run(done)
    assert store.get_run(RUN) == done


def test_run_that_is_taken_up_again_began_when_it_began(store):
    run = dataclasses.replace(make_run(RUN, RunState.TRIAL), started=50.0)
    store.put_run(run)
    store.put_run(dataclasses.replace(run, started=90.0))
    assert store.get_run(RUN).started == 50.0


def test_ended_run_does_not_come_back_to_life(store):
    run = make_run(RUN, RunState.ABORTED, reason='HEALTH')
    store.put_run(run)
    store.put_run(dataclasses.replace(run, state=RunState.TRIAL, ended=None))
    assert store.get_run(RUN) == run


def test_trials_round_trip_with_series(store):
    records = fill(store, RUN)
    assert store.trials(RUN) == tuple(r.trial for r in records)
    for i, record in enumerate(records):
        key = key_of(record.trial)
        table = store.series(RUN, key)
        n = record.trial
        seed = n.round * 10000 + n.block * 10 + n.position
        assert client_series(table) == make_series(seed)
    found, same = store.get_run(RUN), tuple(store.records(RUN))
    assert found == store.get_run(RUN)
    assert list(same) == records


def test_trial_without_anything_is_stored(store):
    trial = make_trial(
        summary=None, manifest={}, evidence={}, state=TrialState.VOID
    )
    fill(store, RUN, records=[TrialRecord(trial)])
    assert store.trials(RUN) == (trial,)
    with pytest.raises(NotFound, match="no series 'client'"):
        store.series(RUN, key_of(trial))


def test_writes_can_be_repeated(store):
    records = fill(store, RUN)
    size = store.run_size(RUN)
    fill(store, RUN)
    store.put_trials(RUN, records[:2])
    assert store.run_size(RUN) == size
    assert store.list_runs().runs[0].trials == len(records)
    assert len(store.trials(RUN)) == len(records)


def test_raw_samples_and_trials_never_change(store):
    records = fill(store, RUN)
    other = dataclasses.replace(
        records[0].trial, summary=None, state=TrialState.VOID
    )
    store.put_trials(RUN, [TrialRecord.of(other, make_series(999))])
    assert store.records(RUN) == list(records)


def test_block_is_stored_as_a_whole_or_not_at_all(store):
    store.put_run(make_run(RUN))
    good = TrialRecord(make_trial())
    bad = TrialRecord(make_trial('ffffffff', position=1))
    with pytest.raises(InvalidArgument, match='trial of run ffffffff'):
        store.put_trials(RUN, [good, bad])
    assert store.trials(RUN) == ()
    assert store.list_runs().runs[0].trials == 0


def test_trial_of_another_run_is_refused(store):
    store.put_run(make_run(RUN))
    with pytest.raises(InvalidArgument, match='deadbeef'):
        store.put_trials(RUN, [TrialRecord(make_trial('deadbeef'))])


@pytest.mark.parametrize(
    'use',
    [
        lambda s: s.get_run('ffffffff'),
        lambda s: s.trials('ffffffff'),
        lambda s: s.rm_run('ffffffff'),
        lambda s: s.run_size('ffffffff'),
        lambda s: s.records('ffffffff'),
        lambda s: s.put_trials('ffffffff', []),
        lambda s: s.series('ffffffff', TrialKey(1, 0, 1, 0)),
    ],
)
def test_missing_run_is_one_clear_line(store, use):
    with pytest.raises(NotFound, match="no run 'ffffffff'; .*ls") as info:
        use(store)
    assert '\n' not in str(info.value)


def test_not_finite_evidence_becomes_null(store):
    nan = float('nan')
    trial = make_trial(
        evidence={'a': [nan, 1.0]}, manifest={'b': float('inf')}
    )
    fill(store, RUN, records=[TrialRecord(trial)])
    (found,) = store.trials(RUN)
    assert (found.evidence, found.manifest) == (
        {'a': [None, 1.0]},
        {'b': None},
    )


def test_summary_that_could_not_be_read_is_refused(store):
    store.put_run(make_run(RUN))
    bad = dataclasses.replace(make_summary(), window=float('nan'))
    with pytest.raises(InvalidArgument, match='window'):
        store.put_trials(RUN, [TrialRecord(make_trial(summary=bad))])


def damage(store, table, **values):
    with store.database.transaction(write=True) as conn:
        for name, value in values.items():
            conn.execute(f'UPDATE {table} SET {name} = ?', (value,))


@pytest.mark.parametrize(
    'table, value, part',
    [
        ('trial', {'evidence': b'\x00damaged'}, 'its evidence'),
        ('trial', {'evidence': zlib.compress(b'[1]')}, 'its evidence'),
        ('manifest', {'body': b'\x00damaged'}, 'its manifest'),
        ('trial', {'summary': '{"ops": '}, 'its figures'),
        ('trial', {'summary': '{}'}, 'its figures'),
    ],
)
def test_a_damaged_part_of_a_trial_is_named_and_the_rest_is_shown(
    store, table, value, part
):
    before = fill(store, RUN)
    damage(store, table, **value)
    for trial in store.trials(RUN):
        assert any(part in note for note in trial.evidence['notes'])
    found = store.trial(RUN, key_of(trial))
    assert found.started and 'cannot be read' in found.evidence['notes'][-1]
    text = listing.run(RunDetail(store.get_run(RUN), store.trials(RUN)))
    assert f'{part} cannot be read' in text
    good = [t.state for t in store.trials(RUN)]
    if part == 'its figures':
        # what has no figures is no result
        assert set(good) == {TrialState.VOID}
    else:
        assert good == [r.trial.state for r in before]
    # a file of a part of it would pass for the whole
    with pytest.raises(Damaged, match=f'{part} cannot be read'):
        store.records(RUN)


def test_damaged_rules_and_events_do_not_hide_a_run(store):
    fill(store, RUN)
    damage(store, 'run', rules='[{"x": 1}]')
    damage(store, 'event', state='unheard')
    found = store.get_run(RUN)
    told = [e.message for e in found.events]
    assert any('its abort rules cannot be read' in text for text in told)
    assert any('an event cannot be read' in text for text in told)
    assert found.plan.groups and not found.rules


def test_a_run_without_its_plan_says_so_and_lists_stand(store):
    fill(store, RUN)
    damage(store, 'plan', body=b'no plan')
    with pytest.raises(Damaged, match=f'run {RUN}: its plan cannot be read'):
        store.get_run(RUN)
    damage(store, 'run', groups='[', state='unheard')
    (info,) = store.list_runs().runs
    assert 'its groups cannot be read' in info.reason
    assert "'unheard'" in info.reason and info.state.ended


def test_manifests_are_stored_once_per_run(store):
    fill(store, RUN, records=make_records(RUN, rounds=5))
    with store.database.transaction() as conn:
        count = conn.execute('SELECT count(*) FROM manifest').fetchone()[0]
    assert count == 2
    groups = {t.group: t.manifest for t in store.trials(RUN)}
    assert groups == {g: make_manifest(g) for g in ('x86', 'arm')}


def test_list_has_pages_newest_first(store):
    for i in range(7):
        store.put_run(make_run(f'0000000{i}', created=1000.0 + i))
    page = store.list_runs(limit=3, offset=2)
    assert [r.id[-1] for r in page.runs] == ['4', '3', '2']
    assert (page.total, page.offset) == (7, 2)
    assert store.list_runs(limit=3, offset=7).runs == ()


def test_list_filters(store):
    store.put_run(make_run('00000001', created=1.0, label='Before 50%'))
    store.put_run(make_run('00000002', created=2.0, groups=('ssd', 'a_m')))
    store.put_run(make_run('00000003', RunState.TRIAL, created=3.0))
    store.put_run(make_run('00000004', created=4.0, origin='import:x'))

    def ids(**filters):
        page = store.list_runs(**filters)
        assert page.total == len(page.runs)
        return [r.id[-1] for r in page.runs]

    assert ids(group='a_m') == ['2']
    assert ids(group='arm') == ['4', '3', '1']
    assert ids(group='a') == []
    assert ids(group="'; DROP TABLE run; --") == []
    assert ids(find='before') == ['1']
    assert ids(find='50% BEFORE arm') == ['1']
    assert ids(find='before ssd') == []
    assert ids(find='import') == ['4']
    assert ids(find='trial') == ['3']
    assert ids(find="' OR 1=1 --") == []
    assert ids(find='  ') == ['4', '3', '2', '1']


def test_list_is_sorted_by_what_is_looked_for(store):
    first = make_run('00000001', created=1.0, label='b')
    second = make_run('00000002', RunState.TRIAL, created=2.0, label='A')
    third = make_run('00000003', created=3.0)
    for run, length in ((first, 9.0), (second, None), (third, 5.0)):
        ended = None if length is None else 10.0 + length
        store.put_run(dataclasses.replace(run, started=10.0, ended=ended))
    store.put_trials('00000001', make_records('00000001', rounds=1))

    def ids(sort):
        return ''.join(r.id[-1] for r in store.list_runs(sort=sort).runs)

    assert ids('largest')[0] == '1'
    assert {sort: ids(sort) for sort in ORDERS if sort != 'largest'} == {
        'newest': '321',
        'oldest': '123',
        'longest': '132',
        'state': '312',
        'label': '213',
    }


def test_info_counts_bytes_and_trials(store):
    records = fill(store, RUN)
    (info,) = store.list_runs().runs
    blobs = sum(len(b) for r in records for b in r.series.values())
    assert info.trials == len(records)
    assert blobs < info.bytes < blobs + 2000 * len(records)
    assert store.run_size(RUN) == info.bytes
    assert info.groups == ('x86', 'arm')


def test_rm_takes_everything_and_only_of_that_run(store):
    fill(store, RUN)
    kept = fill(store, 'ffffffff')
    store.rm_run(RUN)
    with pytest.raises(NotFound):
        store.get_run(RUN)
    assert store.records('ffffffff') == kept
    with store.database.transaction() as conn:
        for table in ('plan', 'trial', 'event', 'manifest'):
            runs = conn.execute(f'SELECT DISTINCT run FROM {table}')
            assert len(runs.fetchall()) == 1, table
        count = conn.execute('SELECT count(*) FROM series').fetchone()[0]
    assert count == len(kept)


def test_running_run_cannot_be_removed(store):
    store.put_run(make_run(RUN, RunState.COOLING))
    with pytest.raises(Busy, match='cooling.*cancel'):
        store.rm_run(RUN)


def test_run_can_be_stored_as_a_whole_once(store):
    records = make_records(RUN, rounds=1)
    store.add_run(make_run(RUN), records)
    assert store.records(RUN) == records
    with pytest.raises(AlreadyExists, match=RUN):
        store.add_run(make_run(RUN), [])


def old_runs(store, count=5):
    for i in range(count):
        fill(store, f'0000000{i}', created=1000.0 + 100 * i, records=[])
        # ended at created + 600; store's clock is frozen long before
    return [f'0000000{i}' for i in range(count)]


@pytest.fixture
def early():
    return Store(FileDatabase(), clock=lambda: 0.0)


def test_expire_keeps_the_newest(early):
    ids = old_runs(early)
    assert early.expire(5000.0, Retention(runs=2)) == tuple(ids[:3])
    assert early.expire(5000.0, Retention(runs=2)) == ()


def test_expire_by_age(early):
    ids = old_runs(early)
    gone = early.expire(1601.0 + 1000, Retention(age=1000.0))
    assert gone == tuple(ids[:1])


def test_expire_without_limits_keeps_all(early):
    old_runs(early)
    assert early.expire(1e12, Retention()) == ()


def test_expire_never_takes_a_running_run(early):
    ids = old_runs(early)
    early.put_run(make_run('ffffffff', RunState.TRIAL, created=1.0))
    assert early.expire(1e9, Retention(0, 0.0)) == tuple(ids)
    assert early.get_run('ffffffff').id == 'ffffffff'


def test_old_run_imported_today_is_not_expired_by_age():
    store = Store(FileDatabase(), clock=lambda: 1e9)
    store.add_run(make_run(RUN, created=1000.0), [])
    assert store.expire(1e9 + 50, Retention(age=100.0)) == ()
    assert store.expire(1e9 + 101, Retention(age=100.0)) == (RUN,)


def test_results_survive_reopening(tmp_path):
    database = FileDatabase(str(tmp_path / 'main.db'))
    store = Store(database)
    records = fill(store, RUN)
    database.reopen()
    assert store.records(RUN) == records


def test_killed_writer_leaves_whole_blocks(tmp_path):
    path = str(tmp_path / 'main.db')
    store = Store(FileDatabase(path))
    records = fill(store, RUN)
    with store.database.transaction(write=True) as conn:
        # copies as they are on disk in the middle of a transaction
        conn.execute('DELETE FROM trial')
        conn.execute('PRAGMA cache_spill = 1')
        for name in ('main.db', 'main.db-journal'):
            (tmp_path / ('x' + name)).write_bytes(
                (tmp_path / name).read_bytes()
            )
    copy = Store(FileDatabase(str(tmp_path / 'xmain.db')))
    assert copy.records(RUN) == records


class Mgr:
    """Stand for MgrModule as far as its database goes."""

    def __init__(self, path):
        import threading

        self._path = path
        self._db = None
        self._db_lock = threading.Lock()
        self.opened = 0
        self.ready = True

    @property
    def db(self):
        assert self._db_lock.locked()
        if self._db is None:
            if not self.ready:
                raise RuntimeError('not enough osds')
            self._db = sqlite3.connect(
                self._path, check_same_thread=False, isolation_level=None
            )
            self._db.execute('PRAGMA FOREIGN_KEYS = 1')
            self.opened += 1
        return self._db

    def close_db(self):
        with self._db_lock:
            if self._db is not None:
                self._db.close()
                self._db = None


def test_mgr_database(tmp_path):
    mgr = Mgr(str(tmp_path / 'main.db'))
    store = Store(MgrDatabase(mgr))
    records = fill(store, RUN)
    assert not mgr._db_lock.locked()
    store.database.reopen()
    assert store.records(RUN) == records
    assert mgr.opened == 2


def test_mgr_database_not_ready_is_try_again(tmp_path):
    mgr = Mgr(str(tmp_path / 'main.db'))
    mgr.ready = False
    store = Store(MgrDatabase(mgr))
    with pytest.raises(TryAgain, match='not enough osds') as info:
        store.list_runs()
    assert '\n' not in str(info.value)
    mgr.ready = True
    assert store.list_runs().total == 0


def test_mgr_database_that_cannot_be_closed_is_replaced(tmp_path):
    mgr = Mgr(str(tmp_path / 'main.db'))
    store = Store(MgrDatabase(mgr))
    fill(store, RUN)
    real = mgr._db

    class Broken:
        def close(self):
            raise sqlite3.OperationalError('disk I/O error')

    mgr._db = Broken()
    store.database.reopen()
    assert store.get_run(RUN).id == RUN
    real.close()


@pytest.fixture
def ceph_module_db(tmp_path):
    """Return a module of the real mgr_module.py, its database in a file."""
    mgr_module = pytest.importorskip('mgr_module')
    from ...store import schema

    class Module(mgr_module.MgrModule):
        SCHEMA = schema.MGR_SCHEMA
        SCHEMA_VERSIONED = schema.MGR_SCHEMA_VERSIONED
        COMMANDS = []
        MODULE_OPTIONS = []
        MODULE_OPTION_DEFAULTS = {}
        opened = 0
        pool = True

        def open_db(self):
            if not self.pool:
                return None
            self.opened += 1
            db = sqlite3.connect(
                str(tmp_path / 'main.db'),
                check_same_thread=False,
                isolation_level=None,
            )
            self.configure_db(db)
            return db

    Module._register_options('perfcompare')
    return Module('perfcompare', 0, 0)


def test_on_the_real_mgr_module(ceph_module_db):
    mgr = ceph_module_db
    store = Store(MgrDatabase(mgr))
    mgr.pool = False
    with pytest.raises(TryAgain, match='cannot be opened yet'):
        store.list_runs()
    mgr.pool = True
    records = fill(store, RUN)
    for _ in range(2):
        # a second opening meets MgrModule's own version 1 and upgrades
        store.database.reopen()
        assert store.records(RUN) == records
    assert mgr.opened == 3
    mgr.set_kv('other', 'value')
    with pytest.raises(KeyError):
        with store.database.transaction(write=True) as conn:
            conn.execute('DELETE FROM run')
            raise KeyError
    assert store.get_run(RUN).id == RUN
    assert mgr.get_kv('other') == 'value'
