"""Tests of the thread that talks to the database."""

import sqlite3
import threading
import time

import pytest

from ...common.errors import NotFound, TryAgain
from ...store import thread as dbthread
from ...store.database import FileDatabase
from ...store.records import Records
from ...store.results import Store
from ...store.thread import DbThread
from ..data.run_data import make_run

RUN = '0a1b2c3d'


class Flaky(FileDatabase):
    """Fail like a connection that was blocklisted, until reopened."""

    def __init__(self):
        super().__init__()
        self.blocklisted = False
        self.error = None
        self.after_commit = False
        self.reopened = 0
        self.heals = True

    def reopen(self):
        self.reopened += 1
        if self.heals:
            self.blocklisted = False

    def transaction(self, write=False):
        if self.blocklisted and not self.after_commit:
            raise sqlite3.OperationalError('disk I/O error')
        if self.error is not None:
            raise self.error
        return super().transaction(write)


@pytest.fixture
def database():
    return Flaky()


@pytest.fixture
def db(database):
    thread = DbThread(Store(database), backoff=0.01, max_backoff=0.05)
    thread.start()
    yield thread
    thread.stop()


def wait_for(condition, timeout=5.0):
    deadline = time.monotonic() + timeout
    while not condition():
        assert time.monotonic() < deadline, 'waited too long'
        time.sleep(0.005)


def written(db):
    """Wait until what was queued before is written."""
    db.call(lambda store: None)
    return db.status().waiting == 0


class Hang:
    """Block the thread as a hanging pool does, until let go."""

    def __init__(self, db):
        self._go = threading.Event()
        self._in = threading.Event()
        db.submit(self._work, 'a hang')
        assert self._in.wait(5)

    def _work(self, store):
        self._in.set()
        self._go.wait(20)

    def __enter__(self):
        return self

    def __exit__(self, *args):
        self._go.set()


def test_read_sees_what_was_submitted_before(db):
    for _ in range(50):
        db.submit(lambda s: s.put_run(make_run(RUN)), 'run')
    assert db.call(lambda s: s.get_run(RUN)).id == RUN


def test_errors_of_a_read_reach_the_caller(db):
    with pytest.raises(NotFound):
        db.call(lambda s: s.get_run(RUN))
    with pytest.raises(ZeroDivisionError):
        db.call(lambda s: 1 // 0)
    assert db.call(lambda s: 5) == 5


def test_submit_returns_at_once_while_the_database_hangs(db):
    with Hang(db):
        start = time.monotonic()
        for _ in range(100):
            db.submit(lambda s: s.put_run(make_run(RUN)), 'run')
        assert time.monotonic() - start < 1.0
        assert db.status().waiting == 101
    assert written(db)
    assert db.status().waiting == 0


def test_call_gives_up_in_time_with_one_line(db):
    with Hang(db):
        start = time.monotonic()
        with pytest.raises(TryAgain, match='did not answer within') as info:
            db.call(lambda s: s.list_runs(), timeout=0.1)
        assert time.monotonic() - start < 1.0
        assert '\n' not in str(info.value)
        assert 'may still do it' not in str(info.value)


def test_call_that_was_given_up_is_never_done(db):
    done = []
    with Hang(db):
        with pytest.raises(TryAgain):
            db.call(lambda s: done.append(1), timeout=0.05)
    assert written(db)
    assert done == []


def test_call_that_was_begun_says_so(db):
    go = threading.Event()
    db.call(lambda s: None)  # its thread is there, and has nothing to do
    with pytest.raises(TryAgain, match='may still do it'):
        db.call(lambda s: go.wait(30), timeout=2.0)
    go.set()


def test_known_hang_fails_reads_fast(db, monkeypatch):
    monkeypatch.setattr(dbthread, '_STUCK', 0.05)
    monkeypatch.setattr(dbthread, '_STUCK_WAIT', 0.05)
    with Hang(db):
        time.sleep(0.1)
        assert db.status().stuck
        start = time.monotonic()
        with pytest.raises(TryAgain):
            db.call(lambda s: s.list_runs(), timeout=5.0)
        assert time.monotonic() - start < 1.0


def test_blocklisted_connection_is_reopened_at_once(db, database):
    database.blocklisted = True
    db.submit(lambda s: s.put_run(make_run(RUN)), 'run')
    assert db.call(lambda s: s.get_run(RUN)).id == RUN
    assert database.reopened == 1
    database.blocklisted = True
    assert db.call(lambda s: s.get_run(RUN)).id == RUN
    assert database.reopened == 2
    assert db.status().dropped == 0


def test_write_is_kept_until_the_database_is_back(db, database):
    database.blocklisted, database.heals = True, False
    db.submit(lambda s: s.put_run(make_run(RUN)), 'run')
    wait_for(lambda: db.status().failing)
    assert db.status().waiting == 1
    (told,) = db.status().problems
    assert '1 write of results wait' in told and 'disk I/O error' in told
    with pytest.raises(TryAgain, match='disk I/O error'):
        db.call(lambda s: s.list_runs())
    wait_for(lambda: database.reopened > 8)
    database.blocklisted = False
    wait_for(lambda: db.status().waiting == 0)
    assert db.call(lambda s: s.get_run(RUN)).id == RUN
    assert (db.status().failing, db.status().dropped) == ('', 0)


def test_database_not_ready_is_waited_for(db, database):
    database.error = TryAgain('not enough osds')
    db.submit(lambda s: s.put_run(make_run(RUN)), 'run')
    wait_for(lambda: db.status().failing)
    database.error = None
    wait_for(lambda: db.status().waiting == 0)
    assert db.call(lambda s: s.get_run(RUN)).id == RUN


def test_commit_that_arrived_although_it_failed_is_harmless(db, database):
    first = []

    def work(store):
        store.put_run(make_run(RUN))
        if not first:
            first.append(1)
            raise sqlite3.OperationalError('disk I/O error')

    db.submit(work, 'run')
    assert written(db)
    assert db.call(lambda s: s.list_runs()).total == 1


def test_order_of_writes_is_kept_over_retries(db, database):
    order = []
    failures = [3]

    def first(store):
        if failures[0]:
            failures[0] -= 1
            raise sqlite3.OperationalError('database is locked')
        order.append(1)

    db.submit(first, 'first')
    db.submit(lambda s: order.append(2), 'second')
    wait_for(lambda: db.status().waiting == 0)
    assert order == [1, 2]


@pytest.mark.parametrize(
    'error',
    [
        sqlite3.OperationalError('no such table: x'),
        sqlite3.IntegrityError('NOT NULL constraint failed'),
        sqlite3.ProgrammingError('wrong number of bindings'),
        KeyError('x'),
        NotFound('no run'),
    ],
)
def test_write_that_cannot_succeed_is_dropped_and_logged(db, caplog, error):
    def work(store):
        raise error

    write = db.submit(work, 'the hopeless one')
    db.submit(lambda s: s.put_run(make_run(RUN)), 'run')
    wait_for(lambda: db.status().waiting == 0)
    assert db.status().dropped == 1
    assert write.lost and not write.stored
    assert db.status().failing == ''
    (told,) = db.status().problems
    assert '1 write, the last of the hopeless one' in told
    assert 'lost the hopeless one' in caplog.text
    assert db.call(lambda s: s.get_run(RUN)).id == RUN


def test_queue_is_bounded_by_count_and_bytes(database, caplog):
    db = DbThread(Store(database), max_jobs=3, max_bytes=100)
    taken = [db.submit(lambda s: None, 'a', size=60)]
    lost = [db.submit(lambda s: None, 'big', size=60)]
    taken.append(db.submit(lambda s: None, 'b', size=40))
    taken.append(db.submit(lambda s: None, 'c'))
    lost.append(db.submit(lambda s: None, 'd'))
    assert [w.lost for w in taken + lost] == [False] * 3 + [True] * 2
    assert not any(w.stored for w in taken + lost)
    assert db.status().dropped == 2
    assert 'lost big: 1 writes wait' in caplog.text
    db.start()
    assert written(db)
    assert all(w.stored and not w.lost for w in taken)
    assert not any(w.stored for w in lost)
    assert not db.submit(lambda s: None, 'e', size=100).lost
    assert db.stop() == 0


def test_stop_finishes_the_queue(database):
    db = DbThread(Store(database))
    db.start()
    done = []
    for i in range(100):
        db.submit(lambda s, i=i: done.append(i), 'job')
    assert db.stop(5) == 0
    assert done == list(range(100))
    assert db.submit(lambda s: None, 'late').lost
    with pytest.raises(TryAgain, match='shutting down'):
        db.call(lambda s: None)


def test_stop_does_not_wait_for_a_hang(database):
    db = DbThread(Store(database))
    db.start()
    with Hang(db):
        write = db.submit(lambda s: None, 'job')
        start = time.monotonic()
        assert db.stop(0.1) == 2
        assert write.lost
        assert time.monotonic() - start < 1.0


def test_stop_releases_waiting_readers(database):
    db = DbThread(Store(database))
    db.start()
    errors = []

    def read():
        try:
            db.call(lambda s: None, timeout=10)
        except TryAgain as err:
            errors.append(str(err))

    with Hang(db):
        reader = threading.Thread(target=read)
        reader.start()
        time.sleep(0.05)
        db.stop(0.1)
        reader.join(2)
    assert errors == ['the module is shutting down; try again']


def test_many_callers(db):
    db.submit(lambda s: s.put_run(make_run(RUN)), 'run')
    found = []

    def read():
        for _ in range(20):
            found.append(db.call(lambda s: s.get_run(RUN)).id)

    threads = [threading.Thread(target=read) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert found == [RUN] * 160


# whoever takes a run up after a failover waits out what hangs at first


def test_patient_read_outlasts_a_known_hang(db, monkeypatch):
    monkeypatch.setattr(dbthread, '_STUCK', 0.05)
    monkeypatch.setattr(dbthread, '_STUCK_WAIT', 0.05)
    monkeypatch.setattr(dbthread, '_PAUSE', 0.01)
    db.submit(lambda s: s.put_run(make_run(RUN)), 'run')
    hang = Hang(db)
    time.sleep(0.1)
    assert db.status().stuck
    timer = threading.Timer(0.5, hang.__exit__)
    timer.start()
    assert Records(db).trials(RUN, 10.0) == ()
    timer.join()


def test_patient_read_outlasts_errors_that_pass(db, database, monkeypatch):
    """The one who died may hold the database for a while."""
    monkeypatch.setattr(dbthread, '_PAUSE', 0.01)
    db.submit(lambda s: s.put_run(make_run(RUN)), 'run')
    assert written(db)
    database.error = sqlite3.OperationalError('unable to open database file')

    def heal():
        database.error = None

    timer = threading.Timer(0.3, heal)
    timer.start()
    assert Records(db).trials(RUN, 10.0) == ()
    timer.join()


def test_patience_ends(db, database, monkeypatch):
    monkeypatch.setattr(dbthread, '_PAUSE', 0.01)
    database.error = sqlite3.OperationalError('unable to open database file')
    with pytest.raises(TryAgain, match='unable to open'):
        Records(db).trials(RUN, 2.0)


def test_patient_read_ends_with_the_module(db, database):
    database.error = sqlite3.OperationalError('unable to open database file')
    threading.Timer(0.1, db.stop).start()
    start = time.monotonic()
    with pytest.raises(TryAgain):
        Records(db).trials(RUN, 60.0)
    assert time.monotonic() - start < 10
