"""Copy the rows of an import into the result database, as they are."""

from typing import Any, Dict, Optional, Sequence, Tuple

import contextlib
import hashlib
import sqlite3

from ..common.errors import AlreadyExists
from ..recovery.store.briefs import RecoveryInfo, info_of
from ..store.archive import IMPORT
from ..store.results import Store

_PART = 20  # rows that are held at a time


class Placed:
    """Remember the id that was free for an import when it was written.

    Writes are repeated after errors of the connection, when nobody knows
    whether COMMIT arrived: what has that id then is the import itself.
    """

    name = ''


def add_run(
    store: Store,
    path: str,
    exported: bool,
    placed: Optional[Placed] = None,
) -> str:
    """Store the run of ``path``; return the id that it is found by.

    The id is kept where it is free. One that another run has is replaced by
    one derived of fsid and id, for runs that were exported. Raises
    AlreadyExists when this very run is stored, but by ``placed`` not where
    that was done here.
    """
    placed = placed or Placed()
    with _opened(path) as rows, store.database.transaction(True) as conn:
        run = dict(rows.execute('SELECT * FROM run').fetchone())
        old = run.pop('num')
        if placed.name and _known(conn, placed.name) is not None:
            return placed.name
        run['id'], run['origin'] = _place(conn, run, exported)
        placed.name = str(run['id'])
        run['stored'] = store.clock()
        new = _insert(conn, 'run', run)
        # outcome: by its workloads, judged or not, it is found
        for table in ('plan', 'event', 'manifest', 'outcome'):
            _copy(rows, conn, table, 'run', old, new)
        trials = _copy(rows, conn, 'trial', 'run', old, new)
        for there, here in trials.items():
            _copy(rows, conn, 'series', 'trial', there, here)
        return str(run['id'])


def add_recovery(
    store: Store, path: str, placed: Optional[Placed] = None
) -> RecoveryInfo:
    """Store the recovery of ``path``; AlreadyExists if its id is taken.

    But by ``placed`` not where that was done here.
    """
    placed = placed or Placed()
    with _opened(path) as rows, store.database.transaction(True) as conn:
        found = rows.execute('SELECT * FROM recovery').fetchone()
        item = dict(found)
        old = item.pop('num')
        query = 'SELECT 1 FROM recovery WHERE id = ?'
        if conn.execute(query, (item['id'],)).fetchone():
            if placed.name:
                return info_of(found)
            raise AlreadyExists(f'recovery {item["id"]} is stored already')
        placed.name = str(item['id'])
        item['stored'] = store.clock()
        new = _insert(conn, 'recovery', item)
        _copy(rows, conn, 'recovery_series', 'recovery', old, new)
        return info_of(found)


def _opened(path: str) -> 'contextlib.closing[sqlite3.Connection]':
    rows = sqlite3.connect(f'file:{path}?mode=ro', uri=True)
    rows.row_factory = sqlite3.Row
    return contextlib.closing(rows)


def _place(
    conn: sqlite3.Connection, run: Dict[str, Any], exported: bool
) -> Tuple[str, str]:
    """Return the id and the origin that the run gets here."""
    name, origin = str(run['id']), str(run['origin'])
    if not origin.startswith(IMPORT):
        origin = IMPORT + (run['fsid'] or 'unknown')
    other = _known(conn, name)
    if other is None:
        return name, origin
    if not exported:
        raise AlreadyExists(f'this file is stored already, as run {name}')
    if (other['fsid'], other['created']) == (run['fsid'], run['created']):
        raise AlreadyExists(f'run {name} is stored already')
    seed = f'{run["fsid"]}/{name}/{run["created"]!r}'
    derived = hashlib.sha256(seed.encode()).hexdigest()[:8]
    if _known(conn, derived) is not None:
        raise AlreadyExists(f'run {derived} is stored already')
    return derived, f'{origin}/{name}'


def _known(conn: sqlite3.Connection, name: str) -> Optional[sqlite3.Row]:
    query = 'SELECT fsid, created FROM run WHERE id = ?'
    row: Optional[sqlite3.Row] = conn.execute(query, (name,)).fetchone()
    return row


def _insert(
    conn: sqlite3.Connection, table: str, values: Dict[str, Any]
) -> int:
    names: Sequence[str] = list(values)
    cursor = conn.execute(
        f'INSERT INTO {table} ({", ".join(names)}) '
        f'VALUES ({", ".join("?" for _ in names)})',
        list(values.values()),
    )
    return int(cursor.lastrowid or 0)


def _copy(
    rows: sqlite3.Connection,
    conn: sqlite3.Connection,
    table: str,
    owner: str,
    old: int,
    new: int,
) -> Dict[int, int]:
    """Copy the rows of one owner; return new numbers by old ones."""
    numbers: Dict[int, int] = {}
    cursor = rows.execute(f'SELECT * FROM {table} WHERE {owner} = ?', (old,))
    cursor.arraysize = _PART
    for part in iter(cursor.fetchmany, []):
        for row in part:
            values = dict(row)
            there = values.pop('num', None)
            values[owner] = new
            here = _insert(conn, table, values)
            if there is not None:
                numbers[there] = here
    return numbers
