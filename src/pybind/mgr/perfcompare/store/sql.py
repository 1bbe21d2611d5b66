"""Statements that transactions of the store share."""

from typing import Any, Dict, Iterable, Optional, Sequence

import contextlib
import dataclasses
import re
import sqlite3

from ..common.codec import to_data
from ..common.errors import InvalidArgument, NotFound
from ..common.printable import shown, some
from ..model.run import Run, RunEvent
from .damaged import mapping
from .rows import (
    ENDED_SQL,
    TrialKey,
    TrialRecord,
    dump,
    pack,
    run_of,
    run_values,
    trial_values,
    unpack,
)

# a name of DNS has at most 253 characters, and 'host.' before it
SOURCE = re.compile(r'[a-z0-9][A-Za-z0-9._:-]{0,259}\Z')
# the columns of a trial, without what is large
_COLUMNS = (
    'num, run, round, block, attempt, position, workload, grp, started, '
    'ended, state, reason, analysis, summary'
)
BLOCK = 'run = ? AND round = ? AND block = ? AND attempt = ?'


def run_row(conn: sqlite3.Connection, run: str) -> sqlite3.Row:
    """Return the row of a run; NotFound when there is none."""
    query = 'SELECT * FROM run WHERE id = ?'
    row: Optional[sqlite3.Row] = conn.execute(query, (run,)).fetchone()
    if row is None:
        raise NotFound(f"no run {run!r}; 'ceph perfcompare ls' lists them")
    return row


def run_num(conn: sqlite3.Connection, run: str) -> int:
    """Return the number of a run in this database."""
    return int(run_row(conn, run)['num'])


def load_run(conn: sqlite3.Connection, run: str) -> Run:
    """Return a run with its plan and events."""
    row = run_row(conn, run)
    plan = conn.execute(
        'SELECT body FROM plan WHERE run = ?', (row['num'],)
    ).fetchone()
    events = conn.execute(
        'SELECT * FROM event WHERE run = ? ORDER BY at, num', (row['num'],)
    ).fetchall()
    return run_of(row, plan['body'], events)


def put_run(conn: sqlite3.Connection, run: Run, now: float) -> None:
    """Insert a run or update it; an ended run stays as it is."""
    values = run_values(run, now)
    kept = ('id', 'created', 'stored', 'started')
    conn.execute(
        f'''
        INSERT INTO run ({', '.join(values)})
        VALUES ({', '.join(':' + name for name in values)})
        ON CONFLICT (id) DO UPDATE SET
        {', '.join(f'{n} = excluded.{n}' for n in values if n not in kept)},
        started = coalesce(run.started, excluded.started)
        WHERE run.state NOT IN ({ENDED_SQL})
        ''',
        values,
    )
    num = run_num(conn, run.id)
    plan = pack(to_data(run.plan))
    added = conn.execute(
        'INSERT INTO plan (run, body) VALUES (?, ?) '
        'ON CONFLICT (run) DO NOTHING',
        (num, plan),
    ).rowcount
    if added == 1:
        grow(conn, num, len(plan))
        names = [w.name for w in run.plan.profile.workloads]
        conn.execute(
            'INSERT OR IGNORE INTO outcome (run, rule, workloads, verdicts) '
            "VALUES (?, '', ?, '[]')",
            (num, dump(names)),
        )
    put_events(conn, num, run.events)


def grow(
    conn: sqlite3.Connection, num: int, size: int, trials: int = 0
) -> None:
    """Add to the counted bytes and trials of a run."""
    conn.execute(
        'UPDATE run SET bytes = bytes + ?, trials = trials + ? '
        'WHERE num = ?',
        (size, trials, num),
    )


def put_events(
    conn: sqlite3.Connection, num: int, events: Sequence[RunEvent]
) -> None:
    """Insert events that are not there yet."""
    conn.executemany(
        'INSERT INTO event (run, at, state, message) VALUES (?, ?, ?, ?) '
        'ON CONFLICT (run, at, state, message) DO NOTHING',
        [(num, e.at, e.state.value, e.message) for e in events],
    )


def put_trials(
    conn: sqlite3.Connection, run: str, records: Sequence[TrialRecord]
) -> None:
    """Insert trials that are not there yet; count their bytes.

    A series whose name cannot be stored is left out, which a note says.
    """
    num = run_num(conn, run)
    size = count = 0
    for record in records:
        added = _put_trial(conn, num, run, _storable(record))
        if added is not None:
            size += added
            count += 1
    if count:
        grow(conn, num, size, count)


def _storable(record: TrialRecord) -> TrialRecord:
    """Return a record without series that would cost its whole block."""
    lost = [name for name in record.series if not SOURCE.match(name)]
    if not lost:
        return record
    names = some([shown(name) for name in sorted(lost)])
    evidence = dict(record.trial.evidence)
    evidence['notes'] = [
        *evidence.get('notes', ()),
        f'not stored, as their names cannot be: series {names}',
    ]
    return TrialRecord(
        dataclasses.replace(record.trial, evidence=evidence),
        {n: blob for n, blob in record.series.items() if n not in lost},
    )


def _put_trial(
    conn: sqlite3.Connection, num: int, run: str, record: TrialRecord
) -> Optional[int]:
    """Insert one trial; return its bytes, None when it was there."""
    trial = record.trial
    if trial.run != run:
        raise InvalidArgument(f'trial of run {trial.run} given for {run}')
    values = trial_values(num, trial)
    cursor = conn.execute(
        f'''
        INSERT INTO trial ({', '.join(values)})
        VALUES ({', '.join(':' + name for name in values)})
        ON CONFLICT (run, round, block, attempt, position) DO NOTHING
        ''',
        values,
    )
    if cursor.rowcount != 1:
        return None
    row = cursor.lastrowid
    size = 100 + len(values['summary'] or '') + len(values['evidence'] or '')
    if values['manifest']:
        body = pack(to_data(trial.manifest))
        new = conn.execute(
            'INSERT INTO manifest (run, digest, body) VALUES (?, ?, ?) '
            'ON CONFLICT (run, digest) DO NOTHING',
            (num, values['manifest'], body),
        ).rowcount
        size += len(body) if new == 1 else 0
    for source, blob in sorted(record.series.items()):
        conn.execute(
            'INSERT INTO series (trial, source, body) VALUES (?, ?, ?)',
            (row, source, blob),
        )
        size += len(blob)
    return size


def trial_num(conn: sqlite3.Connection, run: str, key: TrialKey) -> int:
    """Return the number of a trial in this database."""
    return int(trial_row(conn, run, key, 'num')['num'])


def trial_row(
    conn: sqlite3.Connection, run: str, key: TrialKey, columns: str = '*'
) -> sqlite3.Row:
    """Return the row of a trial; NotFound when there is none."""
    row: Optional[sqlite3.Row] = conn.execute(
        f'SELECT {columns} FROM trial WHERE {BLOCK} AND position = ?',
        (run_num(conn, run), *key),
    ).fetchone()
    if row is None:
        name = '/'.join(str(k) for k in key)
        raise NotFound(f'run {run} has no trial {name}')
    return row


def trial_columns(manifests: bool, evidence: bool) -> str:
    """Return the columns to read of trials, with or without what is large."""
    return ', '.join(
        (
            _COLUMNS,
            'manifest' if manifests else "'' AS manifest",
            'evidence' if evidence else 'NULL AS evidence',
        )
    )


def load_manifests(
    conn: sqlite3.Connection, num: int, names: Iterable[str]
) -> Dict[str, Any]:
    """Return those manifests of a run, by digest; not damaged ones."""
    found = {}
    for name in dict.fromkeys(names):
        row = conn.execute(
            'SELECT body FROM manifest WHERE run = ? AND digest = ?',
            (num, name),
        ).fetchone()
        if row is not None:
            with contextlib.suppress(Exception):  # what damage makes of it
                found[name] = mapping(unpack(row['body']))
    return found


def load_series(
    conn: sqlite3.Connection, trials: Sequence[int]
) -> Dict[int, Dict[str, bytes]]:
    """Return the blobs of trials by number of the trial and source."""
    found: Dict[int, Dict[str, bytes]] = {}
    for start in range(0, len(trials), 500):
        part = trials[start : start + 500]
        marks = ', '.join('?' for _ in part)
        for row in conn.execute(
            'SELECT trial, source, body FROM series '
            f'WHERE trial IN ({marks})',
            list(part),
        ).fetchall():
            found.setdefault(row['trial'], {})[row['source']] = row['body']
    return found
