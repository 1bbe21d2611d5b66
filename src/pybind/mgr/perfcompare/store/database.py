"""Transactions over the manager's SQLite database, or over a file.

Everything here may block for as long as the .mgr pool does, so only the
database thread (store/thread.py) calls it inside the manager.
"""

from typing import Any, ContextManager, Iterator, Optional

import abc
import contextlib
import logging
import sqlite3
import threading

from ..common.errors import TryAgain
from . import schema

log = logging.getLogger(__name__)


class Database(abc.ABC):
    """Give out connections, one transaction at a time."""

    def __init__(self) -> None:
        self._prepared: Optional[sqlite3.Connection] = None

    @contextlib.contextmanager
    def transaction(
        self, write: bool = False
    ) -> Iterator[sqlite3.Connection]:
        """Run the body in a transaction; it is undone on any exception.

        The tables exist in their newest version. Fetch all rows of a query
        inside the body. Raises TryAgain when there is no database yet.
        """
        with self._exclusive():
            conn = self._connection()
            if conn is not self._prepared:
                conn.row_factory = sqlite3.Row
                with begin(conn, True):
                    schema.upgrade(conn)
                self._prepared = conn
            with begin(conn, write):
                yield conn

    @abc.abstractmethod
    def reopen(self) -> None:
        """Drop the connection, so that the next transaction gets a new one."""

    @abc.abstractmethod
    def _exclusive(self) -> ContextManager[Any]:
        """Return the lock that guards the connection."""

    @abc.abstractmethod
    def _connection(self) -> sqlite3.Connection:
        """Return the open connection, opening it if need be."""


@contextlib.contextmanager
def begin(
    conn: sqlite3.Connection, write: bool
) -> Iterator[sqlite3.Connection]:
    """Run the body between BEGIN and COMMIT, with ROLLBACK on exceptions.

    Connections are in autocommit mode (isolation_level None), in which
    ``with conn`` neither begins nor undoes anything.
    """
    if conn.in_transaction:  # what a failed ROLLBACK left
        conn.execute('ROLLBACK')
    conn.execute('BEGIN IMMEDIATE' if write else 'BEGIN')
    try:
        yield conn
        conn.execute('COMMIT')
    except BaseException:
        if conn.in_transaction:
            try:
                conn.execute('ROLLBACK')
            except sqlite3.Error as err:
                log.warning('cannot roll back: %s', err)
        raise


class FileDatabase(Database):
    """Keep the database in a file, or in memory with path ':memory:'."""

    def __init__(self, path: str = ':memory:') -> None:
        super().__init__()
        self._path = path
        self._lock = threading.Lock()
        self._conn: Optional[sqlite3.Connection] = None

    def reopen(self) -> None:
        """Close the file; a database in memory is kept."""
        if self._path != ':memory:':
            self.close()

    def close(self) -> None:
        """Close the database."""
        with self._lock:
            if self._conn is not None:
                self._conn.close()
                self._conn = None

    def _exclusive(self) -> ContextManager[Any]:
        return self._lock

    def _connection(self) -> sqlite3.Connection:
        if self._conn is None:
            conn = sqlite3.connect(
                self._path, check_same_thread=False, isolation_level=None
            )
            # as MgrModule.configure_db does
            conn.execute('PRAGMA FOREIGN_KEYS = 1')
            conn.execute('PRAGMA JOURNAL_MODE = PERSIST')
            conn.execute('PRAGMA PAGE_SIZE = 65536')
            conn.execute('PRAGMA CACHE_SIZE = 64')
            conn.execute('PRAGMA TEMP_STORE = memory')
            self._conn = conn
        return self._conn


class MgrDatabase(Database):
    """Use the database that ceph-mgr keeps for the module in pool .mgr.

    The manager's lock is held during a transaction: nothing but the
    database thread may call db_ready, get_kv, set_kv or close_db.
    """

    def __init__(self, mgr: Any) -> None:
        super().__init__()
        self._mgr = mgr

    def reopen(self) -> None:
        """Close the connection; needed after it was blocklisted."""
        self._prepared = None
        try:
            self._mgr.close_db()  # takes the lock itself
        except sqlite3.Error as err:
            log.warning('cannot close the database: %s', err)
            with self._mgr._db_lock:
                self._mgr._db = None

    def _exclusive(self) -> ContextManager[Any]:
        lock: ContextManager[Any] = self._mgr._db_lock
        return lock

    def _connection(self) -> sqlite3.Connection:
        try:
            conn: sqlite3.Connection = self._mgr.db
        except RuntimeError as err:  # MgrDBNotReady, a failed mon command
            why = ' '.join(str(err).split()) or type(err).__name__
            raise TryAgain(
                'the result database cannot be opened yet '
                f"({why}); see 'ceph health detail' and "
                "'ceph config get mgr mgr_pool'"
            ) from None
        return conn
