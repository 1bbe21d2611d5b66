"""Recoveries in the result database: episodes and tests, with series.

Each function is one transaction on the database of a Store, and may be
repeated. What has ended changes no more.
"""

from typing import Any, Collection, Dict, List, Mapping, Sequence, Tuple, cast

import json
import logging
import re
import sqlite3
import zlib

from ...common.codec import from_data, to_data
from ...common.errors import (
    AlreadyExists,
    Busy,
    NotFound,
    PerfcompareError,
)
from ...common.version import made_by
from ...model.recovery import Episode, RecoveryTest, TestState
from ...model.series import Table
from ...store import series_codec
from ...store.damaged import ReadableParts, mapping
from ...store.results import Retention, Store
from ...store.retention import IMPORTED, Kept, beyond
from ..judge.unawaited import cleared
from .briefs import (
    EPISODE,
    TEST,
    Item,
    RecoveryPage,
    began_of,
    info_of,
    is_ended,
    kind_of,
    may_be_former,
    stored_brief,
)

log = logging.getLogger(__name__)


SOURCE = re.compile(r'[^\x00-\x1f]{1,200}\Z')


def put(
    store: Store,
    item: Item,
    tables: Mapping[str, Table],
    now: float = 0.0,
) -> None:
    """Store a recovery or its new state, and series beside those it has.

    A series of a name that is there already is replaced. An item that has
    ended stays as it is, but may get series that came late.
    """
    with store.database.transaction(write=True) as conn:
        _put(conn, item, tables, now or store.clock())


def add(store: Store, item: Item, tables: Mapping[str, Table]) -> None:
    """Store a recovery of a file; AlreadyExists when its id is taken."""
    with store.database.transaction(write=True) as conn:
        query = 'SELECT 1 FROM recovery WHERE id = ?'
        if conn.execute(query, (item.id,)).fetchone():
            raise AlreadyExists(f'recovery {item.id} is stored already')
        _put(conn, item, tables, store.clock())


def _put(
    conn: sqlite3.Connection,
    item: Item,
    tables: Mapping[str, Table],
    now: float,
) -> None:
    query = 'SELECT num, ended FROM recovery WHERE id = ?'
    row = conn.execute(query, (item.id,)).fetchone()
    body = zlib.compress(json.dumps(to_data(item)).encode(), 9)
    values = (
        kind_of(item),
        item.state.value,
        int(is_ended(item)),
        began_of(item),
        stored_brief(item),
        item.fsid,
        body,
    )
    if row is None:
        num = conn.execute(
            'INSERT INTO recovery (kind, state, ended, began, brief, fsid, '
            'body, id, stored, bytes) VALUES (?,?,?,?,?,?,?,?,?,0)',
            values + (item.id, now),
        ).lastrowid
    else:
        num = row['num']
        if not row['ended']:
            conn.execute(
                'UPDATE recovery SET kind=?, state=?, ended=?, began=?, '
                'brief=?, fsid=?, body=? WHERE num=?',
                values + (num,),
            )
    for source, table in tables.items():
        conn.execute(
            'INSERT OR REPLACE INTO recovery_series (recovery, source, body)'
            ' VALUES (?, ?, ?)',
            (num, source, series_codec.encode(table)),
        )
    conn.execute(
        'UPDATE recovery SET bytes = length(body) + (SELECT '
        'coalesce(sum(length(s.body)), 0) FROM recovery_series AS s '
        'WHERE s.recovery = recovery.num) WHERE num = ?',
        (num,),
    )


NOT_ENDED = (
    'SELECT num, id, brief, body FROM recovery WHERE kind=? AND NOT ended'
)
NEWEST_TESTS = 100  # recoveries that are looked at for a test without an end


def end(
    store: Store, test: str, now: float, state: TestState, reason: str
) -> None:
    """End a test, whatever version wrote it; an ended one stays."""
    with store.database.transaction(write=True) as conn:
        rows = conn.execute(f'{NOT_ENDED} AND id=?', (TEST, test)).fetchall()
        _end(conn, rows, now, state, reason)


def interrupt(store: Store, now: float, reason: str) -> None:
    """End all tests that have not ended, whatever version wrote them."""
    with store.database.transaction(write=True) as conn:
        rows = conn.execute(NOT_ENDED, (TEST,)).fetchall()
        _end(conn, rows, now, TestState.STOPPED, reason)


def give_up(
    store: Store, now: float, reason: str, but: Collection[str]
) -> None:
    """End the newest tests that have not ended, ``but`` some.

    Those that began after ``now`` stay as they are, and the table is not
    read as a whole.
    """
    with store.database.transaction(write=True) as conn:
        rows = conn.execute(
            f'{NOT_ENDED} AND began <= ? AND num IN '
            '(SELECT num FROM recovery ORDER BY num DESC LIMIT ?)',
            (TEST, now, NEWEST_TESTS),
        ).fetchall()
        left = [row for row in rows if row['id'] not in but]
        _end(conn, left, now, TestState.STOPPED, reason)


def _end(
    conn: sqlite3.Connection,
    rows: Sequence[sqlite3.Row],
    now: float,
    state: TestState,
    reason: str,
) -> None:
    for row in rows:
        conn.execute(
            'UPDATE recovery SET state=?, ended=1 WHERE num=?',
            (state.value, row['num']),
        )
        try:
            body = mapping(json.loads(zlib.decompress(row['body'])))
            shown = mapping(json.loads(row['brief']))
        except Exception as error:  # damaged: it ends nevertheless
            log.warning('a recovery test that was cut: %s', error)
            continue
        body.update(state=state.value, ended=now, reason=reason)
        shown.update(state=state.value, ended=True)
        conn.execute(
            'UPDATE recovery SET brief=?, body=? WHERE num=?',
            (
                json.dumps(shown),
                zlib.compress(json.dumps(body).encode(), 9),
                row['num'],
            ),
        )


def ls(
    store: Store, limit: int, offset: int, kind: str = '', but: str = ''
) -> RecoveryPage:
    """Return a page of recoveries, the newest first; not that of id ``but``.

    It is no part of the total, nor of what ``offset`` counts.
    """
    where, values = 'id != ?', [but]
    if kind:
        where, values = f'{where} AND kind = ?', [but, kind]
    with store.database.transaction() as conn:
        total = conn.execute(
            f'SELECT count(*) FROM recovery WHERE {where}', values
        ).fetchone()[0]
        rows = conn.execute(
            'SELECT id, kind, state, ended, began, brief, bytes '
            f'FROM recovery WHERE {where} '
            'ORDER BY began DESC, num DESC LIMIT ? OFFSET ?',
            [*values, limit, offset],
        ).fetchall()
    infos = tuple(info_of(row) for row in rows)
    return RecoveryPage(infos, int(total), offset)


def renew(store: Store) -> None:
    """Write anew what lists show of tests, as far as it may be wrong.

    That is once in the life of a Manager: bodies are large.
    """
    query = 'SELECT * FROM recovery WHERE kind = ? AND ended AND num = ?'
    for num in _former(store):
        with store.database.transaction(write=True) as conn:
            row = conn.execute(query, (TEST, num)).fetchone()
            if row is None:
                continue
            try:
                shown = stored_brief(_item(row))
            except PerfcompareError:  # damaged: what is known of it is shown
                continue
            conn.execute(
                'UPDATE recovery SET brief = ? WHERE num = ?', (shown, num)
            )


def _former(store: Store) -> List[int]:
    with store.database.transaction() as conn:
        rows = conn.execute(
            'SELECT num, id, kind, state, ended, began, brief, bytes '
            'FROM recovery WHERE kind = ? AND ended',
            (TEST,),
        ).fetchall()
    return [row['num'] for row in rows if may_be_former(info_of(row))]


def get(store: Store, ident: str) -> Item:
    """Return a recovery; NotFound when there is none of this id."""
    with store.database.transaction() as conn:
        return _item(_row(conn, ident))


def _row(conn: sqlite3.Connection, ident: str) -> sqlite3.Row:
    query = 'SELECT * FROM recovery WHERE id = ?'
    row = conn.execute(query, (ident,)).fetchone()
    if row is None:
        raise NotFound(
            f'recovery {ident!r} does not exist; see ceph perfcompare '
            'recovery ls'
        )
    return cast(sqlite3.Row, row)


def _item(row: sqlite3.Row) -> Item:
    def item() -> Item:
        data = mapping(json.loads(zlib.decompress(row['body'])))
        with made_by(data.get('module_version')):
            return decoded(row['kind'], data)

    return ReadableParts.whole(
        f'recovery {row["id"]}', 'what is stored of it', item
    )


def decoded(kind: str, data: Any) -> Item:
    """Return an item of its plain data."""
    if kind == EPISODE:
        return from_data(Episode, data, 'episode')
    return cleared(from_data(RecoveryTest, data, 'test'))


def sources(store: Store, ident: str) -> Tuple[str, ...]:
    """Return the names of the series of a recovery."""
    with store.database.transaction() as conn:
        rows = conn.execute(
            'SELECT source FROM recovery_series WHERE recovery = ? '
            'ORDER BY source',
            (_row(conn, ident)['num'],),
        ).fetchall()
    return tuple(r['source'] for r in rows)


def series(store: Store, ident: str, source: str) -> List[Table]:
    """Return a series with its later parts ('<name>#1', …) in order.

    Each mgr that watched an episode made one part. NotFound when there is
    no such series.
    """
    with store.database.transaction() as conn:
        # later parts lie between '#' and the character after it
        rows = conn.execute(
            'SELECT source, body FROM recovery_series WHERE recovery = ? '
            'AND (source = ? OR source > ? AND source < ?)',
            (_row(conn, ident)['num'], source, f'{source}#', f'{source}$'),
        ).fetchall()
    parts = {
        int(r['source'][len(source) + 1 :] or 0): r['body']
        for r in rows
        if r['source'] == source
        or re.fullmatch(re.escape(source) + r'#\d+', r['source'])
    }
    if not parts:
        raise NotFound(f'recovery {ident} has no series {source!r}')
    return [series_codec.decode(parts[n]) for n in sorted(parts)]


def whole(store: Store, ident: str) -> Tuple[Item, Dict[str, Table]]:
    """Return a recovery with all its series, as of one moment."""
    with store.database.transaction() as conn:
        row = _row(conn, ident)
        rows = conn.execute(
            'SELECT source, body FROM recovery_series WHERE recovery = ?',
            (row['num'],),
        ).fetchall()
    found = {r['source']: series_codec.decode(r['body']) for r in rows}
    return _item(row), found


def rm(store: Store, ident: str, keep: Collection[str] = ()) -> None:
    """Remove a recovery; Busy while it is in ``keep``: under way."""
    with store.database.transaction(write=True) as conn:
        row = _row(conn, ident)
        if ident in keep:
            raise Busy(f'recovery {ident} is under way; wait for its end')
        conn.execute('DELETE FROM recovery WHERE num = ?', (row['num'],))


def expire(
    store: Store,
    now: float,
    retention: Retention,
    keep: Collection[str] = (),
) -> Tuple[str, ...]:
    """Remove the oldest recoveries beyond ``retention``; name them.

    Tests are results that somebody asked for: ``retention`` counts them
    apart from episodes.
    """
    gone: List[str] = []
    with store.database.transaction(write=True) as conn:
        for kind in (EPISODE, TEST):
            rows = conn.execute(
                'SELECT num, id, kind, state, ended, began, brief, stored, '
                'bytes FROM recovery WHERE kind = ?',
                (kind,),
            ).fetchall()
            known = [
                Kept(
                    row['num'],
                    row['id'],
                    row['stored'],
                    row['bytes'],
                    info_of(row).origin.startswith(IMPORTED),
                    row['id'] in keep,
                )
                for row in rows
            ]
            for one in beyond(known, retention, now):
                conn.execute('DELETE FROM recovery WHERE num = ?', (one.num,))
                gone.append(one.id)
    return tuple(gone)
