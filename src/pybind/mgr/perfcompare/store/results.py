"""Results of runs: queries and writes over the result database.

Every method is one transaction, and every write may be repeated: after an
error nobody knows whether COMMIT arrived. Trials and raw series are
written once and never changed; an ended run changes no more.
"""

from typing import (
    Callable,
    Collection,
    Dict,
    List,
    Optional,
    Sequence,
    Tuple,
)

import sqlite3

from ..common.clock import SYSTEM
from ..common.codec import to_data
from ..common.errors import AlreadyExists, Busy, NotFound
from ..model.run import Run, RunEvent, RunState
from ..model.series import Table
from ..model.trial import Trial
from . import series_codec
from .database import Database, FileDatabase, MgrDatabase
from .retention import IMPORTED, Kept, beyond
from .rows import (
    CLIENT,
    ENDED_SQL,
    OPEN_SQL,
    Retention,
    RunInfo,
    RunPage,
    RunVerdicts,
    TrialKey,
    TrialRecord,
    dump,
    info_of,
    key_of,
    trial_of,
)
from .search import NEWEST, ORDERS, matching
from .sql import (
    load_manifests,
    load_run,
    load_series,
    put_events,
    put_run,
    put_trials,
    run_num,
    run_row,
    trial_columns,
    trial_num,
    trial_row,
)

__all__ = [
    'CLIENT',
    'Database',
    'NEWEST',
    'ORDERS',
    'FileDatabase',
    'MgrDatabase',
    'Retention',
    'RunInfo',
    'RunPage',
    'Store',
    'TrialKey',
    'TrialRecord',
    'key_of',
]


LISTED = 'FROM run LEFT JOIN outcome ON outcome.run = run.num'
NOT_ENDED = f'SELECT num, id FROM run WHERE state IN ({OPEN_SQL})'
ENDED = frozenset(s.value for s in RunState if s.ended)
NEWEST_RUNS = 100  # that are looked at for an end that was lost


class Store:
    """Keep runs, their trials and their raw series."""

    def __init__(
        self,
        database: Database,
        clock: Callable[[], float] = SYSTEM.wall,
    ) -> None:
        self.database = database
        self.clock = clock

    def ready(self) -> None:
        """Raise what keeps results from being stored; changes none."""
        with self.database.transaction() as conn:
            conn.execute('SELECT num FROM run LIMIT 1').fetchall()

    # runs

    def put_run(self, run: Run) -> None:
        """Store a run, or its new state; an ended run stays as it is."""
        with self.database.transaction(write=True) as conn:
            put_run(conn, run, self.clock())

    def end(self, run: str, event: RunEvent) -> None:
        """End a run, unread; one that has ended stays as it is."""
        with self.database.transaction(write=True) as conn:
            rows = conn.execute(f'{NOT_ENDED} AND id = ?', (run,)).fetchall()
            _end(conn, rows, event)

    def interrupt(self, now: float, reason: str) -> Tuple[str, ...]:
        """End all runs that have not ended, unread; name them."""
        with self.database.transaction(write=True) as conn:
            rows = conn.execute(NOT_ENDED).fetchall()
            _end(conn, rows, RunEvent(now, RunState.INTERRUPTED, reason))
        return tuple(row['id'] for row in rows)

    def give_up(self, event: RunEvent, but: Collection[str]) -> None:
        """End the newest runs that have not ended, ``but`` some.

        Those that were made after ``event`` stay as they are, and the table
        is not read as a whole.
        """
        with self.database.transaction(write=True) as conn:
            rows = conn.execute(
                f'{NOT_ENDED} AND created <= ? AND num IN '
                '(SELECT num FROM run ORDER BY num DESC LIMIT ?)',
                (event.at, NEWEST_RUNS),
            ).fetchall()
            _end(conn, [row for row in rows if row['id'] not in but], event)

    def get_run(self, run: str) -> Run:
        """Return a run; NotFound when there is no such run."""
        with self.database.transaction() as conn:
            return load_run(conn, run)

    def list_runs(
        self,
        limit: int = 50,
        offset: int = 0,
        group: Optional[str] = None,
        find: str = '',
        sort: str = NEWEST,
    ) -> RunPage:
        """List runs; with ``group`` those that have it.

        Each word of ``find`` is in the id, label, workloads, ... of a run;
        ``sort`` is one of ORDERS.
        """
        where, values = matching(group, find)
        with self.database.transaction() as conn:
            total = conn.execute(
                f'SELECT count(*) {LISTED} WHERE {where}', values
            ).fetchone()[0]
            rows = conn.execute(
                'SELECT run.*, rule, workloads, verdicts '
                f'{LISTED} WHERE {where} '
                f'ORDER BY {ORDERS[sort]} LIMIT ? OFFSET ?',
                values + [max(0, limit), max(0, offset)],
            ).fetchall()
        return RunPage(tuple(info_of(r) for r in rows), total, offset)

    def unjudged(self, rule: str) -> Tuple[str, ...]:
        """Return the ended runs not judged by ``rule``, the newest first."""
        with self.database.transaction() as conn:
            rows = conn.execute(
                f'SELECT id {LISTED} WHERE state IN ({ENDED_SQL}) '
                "AND coalesce(rule, '') <> ? "
                'ORDER BY created DESC, num DESC',
                (rule,),
            ).fetchall()
        return tuple(row['id'] for row in rows)

    def put_verdicts(
        self,
        run: str,
        rule: str,
        workloads: Sequence[str],
        verdicts: Sequence[RunVerdicts],
    ) -> None:
        """Store what a run came to, in the place of what was stored."""
        with self.database.transaction(write=True) as conn:
            conn.execute(
                'INSERT OR REPLACE INTO outcome (run, rule, workloads, '
                'verdicts) VALUES (?, ?, ?, ?)',
                (
                    run_num(conn, run),
                    rule,
                    dump(list(workloads)),
                    dump(to_data(tuple(verdicts))),
                ),
            )

    def rm_run(self, run: str, cut: bool = False) -> None:
        """Remove a run with all its results.

        Busy while it has not ended, unless it was ``cut``: nobody drives it.
        """
        with self.database.transaction(write=True) as conn:
            row = run_row(conn, run)
            if row['state'] not in ENDED and not cut:
                raise Busy(
                    f'run {run} has not ended ({row["state"]}); '
                    f"use 'ceph perfcompare cancel {run}' first"
                )
            conn.execute('DELETE FROM run WHERE num = ?', (row['num'],))

    def run_size(self, run: str) -> int:
        """Return the bytes that the results of a run occupy."""
        with self.database.transaction() as conn:
            return int(run_row(conn, run)['bytes'])

    def expire(self, now: float, retention: Retention) -> Tuple[str, ...]:
        """Remove the oldest ended runs beyond ``retention``; name them.

        A run that has not ended is never removed.
        """
        with self.database.transaction(write=True) as conn:
            rows = conn.execute(
                'SELECT num, id, bytes, origin, stored, '
                'max(coalesce(ended, created), stored) AS at '
                f'FROM run WHERE state IN ({ENDED_SQL})'
            ).fetchall()
            known = []
            for row in rows:
                imported = row['origin'].startswith(IMPORTED)
                at = row['stored'] if imported else row['at']
                known.append(
                    Kept(row['num'], row['id'], at, row['bytes'], imported)
                )
            gone = beyond(known, retention, now)
            for one in gone:
                conn.execute('DELETE FROM run WHERE num = ?', (one.num,))
        return tuple(one.id for one in gone)

    def usage(self) -> Tuple[int, int]:
        """Return the bytes of all runs, and of all recoveries."""
        with self.database.transaction() as conn:
            runs, recoveries = conn.execute(
                'SELECT (SELECT coalesce(sum(bytes), 0) FROM run), '
                '(SELECT coalesce(sum(bytes), 0) FROM recovery)'
            ).fetchone()
        return int(runs), int(recoveries)

    # trials

    def put_trials(self, run: str, records: Sequence[TrialRecord]) -> None:
        """Store trials of a run, a whole block in one transaction.

        A trial that is stored already stays as it is. NotFound when there
        is no such run.
        """
        with self.database.transaction(write=True) as conn:
            put_trials(conn, run, records)

    def trials(
        self,
        run: str,
        brief: bool = False,
        first: int = 0,
        number: int = -1,
        manifests: bool = True,
        evidence: bool = True,
    ) -> Tuple[Trial, ...]:
        """Return the trials of a run in the order of their execution.

        At most ``number`` of them from the ``first`` on, all if negative.
        ``brief`` leaves manifests and evidence out, unread; so does either
        of ``manifests`` and ``evidence`` where it is false.
        """
        columns = trial_columns(
            manifests and not brief, evidence and not brief
        )
        with self.database.transaction() as conn:
            num = run_num(conn, run)
            rows = conn.execute(
                f'''
                SELECT {columns} FROM trial WHERE run = :run
                ORDER BY round, block, attempt, position
                LIMIT :number OFFSET :first
                ''',
                {'run': num, 'number': number, 'first': first},
            ).fetchall()
            known = load_manifests(conn, num, _digests(rows))
        return tuple(trial_of(run, r, known) for r in rows)

    def trial(self, run: str, key: TrialKey) -> Trial:
        """Return one trial; NotFound when there is no such trial."""
        with self.database.transaction() as conn:
            row = trial_row(conn, run, key)
            known = load_manifests(conn, row['run'], _digests([row]))
        return trial_of(run, row, known)

    def series(self, run: str, key: TrialKey, source: str = CLIENT) -> Table:
        """Return a raw series of a trial; NotFound when there is none."""
        with self.database.transaction() as conn:
            row = conn.execute(
                'SELECT body FROM series WHERE trial = ? AND source = ?',
                (trial_num(conn, run, key), source),
            ).fetchone()
        if row is None:
            raise NotFound(
                f'run {run} has no series {source!r} of trial '
                + '/'.join(str(k) for k in key)
            )
        return series_codec.decode(row['body'])

    def blobs(
        self, run: str, key: TrialKey, sources: Sequence[str]
    ) -> Dict[str, bytes]:
        """Return raw series of a trial as they are stored, if they are."""
        wanted = frozenset(sources)
        with self.database.transaction() as conn:
            num = trial_num(conn, run, key)
            rows = conn.execute(
                'SELECT source FROM series WHERE trial = ?', (num,)
            ).fetchall()
            found = [r['source'] for r in rows if r['source'] in wanted]
            return {
                source: conn.execute(
                    'SELECT body FROM series WHERE trial = ? AND source = ?',
                    (num, source),
                ).fetchone()['body']
                for source in found
            }

    def count_trials(self, run: str) -> int:
        """Return how many trials of a run are stored."""
        with self.database.transaction() as conn:
            return int(run_row(conn, run)['trials'])

    def records(
        self, run: str, first: int = 0, number: int = -1
    ) -> List[TrialRecord]:
        """Return trials of a run in their order, with raw series.

        They begin with the one at ``first``; -1 is all that follow.
        """
        with self.database.transaction() as conn:
            num = run_num(conn, run)
            rows = conn.execute(
                'SELECT * FROM trial WHERE run = ? '
                'ORDER BY round, block, attempt, position LIMIT ? OFFSET ?',
                (num, number, first),
            ).fetchall()
            manifests = load_manifests(conn, num, _digests(rows))
            series = load_series(conn, [r['num'] for r in rows])
        return [
            TrialRecord(
                trial_of(run, r, manifests, strict=True),
                series.get(r['num'], {}),
            )
            for r in rows
        ]

    def add_run(self, run: Run, records: Sequence[TrialRecord]) -> None:
        """Store an ended run as a whole; AlreadyExists if its id is taken."""
        with self.database.transaction(write=True) as conn:
            query = 'SELECT 1 FROM run WHERE id = ?'
            if conn.execute(query, (run.id,)).fetchone():
                raise AlreadyExists(f'run {run.id} is stored already')
            put_run(conn, run, self.clock())
            put_trials(conn, run.id, records)


def _digests(rows: Sequence[sqlite3.Row]) -> Tuple[str, ...]:
    """Return what the manifests of these trials are found by."""
    return tuple(row['manifest'] for row in rows if row['manifest'])


def _end(
    conn: sqlite3.Connection, rows: Sequence[sqlite3.Row], event: RunEvent
) -> None:
    for row in rows:
        conn.execute(
            'UPDATE run SET state = ?, ended = ?, reason = ? WHERE num = ?',
            (event.state.value, event.at, event.message, row['num']),
        )
        put_events(conn, row['num'], (event,))
