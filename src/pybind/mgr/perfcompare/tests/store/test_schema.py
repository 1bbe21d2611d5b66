"""Tests of the tables and their versions."""

import sqlite3

import pytest

from ...common.errors import PerfcompareError
from ...store import schema
from ...store.database import FileDatabase, begin


@pytest.fixture
def conn():
    found = sqlite3.connect(':memory:', isolation_level=None)
    yield found
    found.close()


def tables(conn):
    rows = conn.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table'"
    ).fetchall()
    return {r[0] for r in rows}


def test_new_database_gets_all_tables(conn):
    with begin(conn, True):
        schema.upgrade(conn)
    assert {'run', 'plan', 'event', 'trial', 'manifest', 'series'} <= tables(
        conn
    )
    assert schema.version(conn) == len(schema.STEPS)


def test_upgrade_twice_changes_nothing(conn):
    for _ in range(2):
        with begin(conn, True):
            schema.upgrade(conn)
    assert schema.version(conn) == len(schema.STEPS)


def test_steps_start_where_the_database_is(conn):
    one = (('CREATE TABLE a (x)',),)
    two = one + (('ALTER TABLE a ADD COLUMN y', 'CREATE TABLE b (z)'),)
    with begin(conn, True):
        schema.upgrade(conn, one)
    conn.execute('INSERT INTO a VALUES (1)')
    with begin(conn, True):
        schema.upgrade(conn, two)
    assert schema.version(conn) == 2
    assert conn.execute('SELECT x, y FROM a').fetchall() == [(1, None)]


def test_a_step_that_fails_leaves_the_former_version(conn):
    one = (('CREATE TABLE a (x)',),)
    bad = one + (('CREATE TABLE b (z)', 'CREATE TABLE a (x)'),)
    with begin(conn, True):
        schema.upgrade(conn, one)
    with pytest.raises(sqlite3.OperationalError):
        with begin(conn, True):
            schema.upgrade(conn, bad)
    assert schema.version(conn) == 1
    assert 'b' not in tables(conn)


def test_a_newer_database_is_refused_in_one_line(conn):
    with begin(conn, True):
        schema.upgrade(conn, (('CREATE TABLE a (x)',),) * 1)
        conn.execute(
            "UPDATE PerfcompareMeta SET value = 99 WHERE key = 'schema'"
        )
    with pytest.raises(PerfcompareError, match='schema 99') as info:
        with begin(conn, True):
            schema.upgrade(conn)
    assert '\n' not in str(info.value)


def test_mgr_schema_is_a_list_of_repeatable_statements(conn):
    # not every release ran them in a transaction
    for _ in range(2):
        for sql in schema.MGR_SCHEMA:
            conn.execute(sql)
    # MgrModule marks a new database as version 1 whatever the schema is
    assert len(schema.MGR_SCHEMA_VERSIONED) == 1


def test_rows_of_a_run_go_with_it(conn):
    conn.execute('PRAGMA FOREIGN_KEYS = 1')
    with begin(conn, True):
        schema.upgrade(conn)
    for table in ('plan', 'event', 'trial', 'manifest', 'series'):
        keys = conn.execute(f'PRAGMA foreign_key_list({table})').fetchall()
        assert [k[6] for k in keys] == ['CASCADE'], table


def test_statements_fit_the_sqlite_of_the_oldest_image():
    # SQLite 3.26 knows neither RETURNING, STRICT nor generated columns
    text = ' '.join(s for step in schema.STEPS for s in step).upper()
    for word in ('STRICT', 'RETURNING', 'GENERATED'):
        assert word not in text


def test_transaction_is_undone_on_error():
    database = FileDatabase()
    with pytest.raises(KeyError):
        with database.transaction(write=True) as conn:
            conn.execute("INSERT INTO PerfcompareMeta VALUES ('x', 1)")
            raise KeyError('x')
    with database.transaction() as conn:
        rows = conn.execute(
            "SELECT * FROM PerfcompareMeta WHERE key = 'x'"
        ).fetchall()
    assert rows == []


def test_transaction_starts_over_after_a_failed_rollback():
    database = FileDatabase()
    with database.transaction(write=True) as conn:
        pass
    conn.execute('BEGIN')
    with database.transaction(write=True) as conn:
        assert conn.in_transaction
    assert not conn.in_transaction
