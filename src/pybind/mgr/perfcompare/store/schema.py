"""The tables of the result database and the steps between their versions.

MgrModule has a schema mechanism of its own (SCHEMA, SCHEMA_VERSIONED). It
is given one table that never changes and nothing else, because

* it insists on a schema: opening the database fails without one;
* whether its statements run in a transaction, and whether SCHEMA is a list
  or one text, depended on the release;
* it marks a new database as version 1 whatever SCHEMA holds, and meets a
  newer version with a RuntimeError that no user can read.

The tables proper are made by STEPS, each step in one transaction together
with the version number it leads to. Pages are 64 KiB, so secondary indexes
are few: each costs a page in every transaction.
"""

from typing import List, Tuple

import sqlite3

from ..common.errors import PerfcompareError

# for MgrModule: class attributes SCHEMA and SCHEMA_VERSIONED
MGR_SCHEMA: List[str] = [
    'CREATE TABLE IF NOT EXISTS PerfcompareMeta ('
    'key TEXT PRIMARY KEY, value NOT NULL) WITHOUT ROWID',
]
MGR_SCHEMA_VERSIONED: List[List[str]] = [MGR_SCHEMA]

# each step leads from the version of its index to the next one; a step
# that was released is never changed
STEPS: Tuple[Tuple[str, ...], ...] = (
    (
        # one row per run; `stored` is when it came into this database
        '''
        CREATE TABLE run (
          num INTEGER PRIMARY KEY,
          id TEXT NOT NULL UNIQUE,
          state TEXT NOT NULL,
          label TEXT NOT NULL,
          profile TEXT NOT NULL,
          groups TEXT NOT NULL,
          created REAL NOT NULL,
          started REAL,
          ended REAL,
          reason TEXT NOT NULL,
          origin TEXT NOT NULL,
          fsid TEXT NOT NULL,
          ceph_version TEXT NOT NULL,
          module_version TEXT NOT NULL,
          stored REAL NOT NULL,
          trials INTEGER NOT NULL DEFAULT 0,
          bytes INTEGER NOT NULL DEFAULT 0
        )
        ''',
        # apart from `run`, so that listing runs reads no plan
        '''
        CREATE TABLE plan (
          run INTEGER PRIMARY KEY REFERENCES run (num) ON DELETE CASCADE,
          body BLOB NOT NULL
        )
        ''',
        '''
        CREATE TABLE event (
          num INTEGER PRIMARY KEY,
          run INTEGER NOT NULL REFERENCES run (num) ON DELETE CASCADE,
          at REAL NOT NULL,
          state TEXT NOT NULL,
          message TEXT NOT NULL,
          UNIQUE (run, at, state, message)
        )
        ''',
        # one summary row per trial; `summary` may be recomputed, the rest
        # is what happened
        '''
        CREATE TABLE trial (
          num INTEGER PRIMARY KEY,
          run INTEGER NOT NULL REFERENCES run (num) ON DELETE CASCADE,
          round INTEGER NOT NULL,
          block INTEGER NOT NULL,
          attempt INTEGER NOT NULL,
          position INTEGER NOT NULL,
          workload TEXT NOT NULL,
          grp TEXT NOT NULL,
          started REAL NOT NULL,
          ended REAL NOT NULL,
          state TEXT NOT NULL,
          reason TEXT NOT NULL,
          analysis INTEGER NOT NULL,
          summary TEXT,
          manifest TEXT NOT NULL,
          evidence BLOB,
          UNIQUE (run, round, block, attempt, position)
        )
        ''',
        # manifests repeat within a run: stored once, named by their content
        '''
        CREATE TABLE manifest (
          run INTEGER NOT NULL REFERENCES run (num) ON DELETE CASCADE,
          digest TEXT NOT NULL,
          body BLOB NOT NULL,
          PRIMARY KEY (run, digest)
        )
        ''',
        # raw samples, see series_codec; written once and never changed
        '''
        CREATE TABLE series (
          num INTEGER PRIMARY KEY,
          trial INTEGER NOT NULL REFERENCES trial (num) ON DELETE CASCADE,
          source TEXT NOT NULL,
          body BLOB NOT NULL,
          UNIQUE (trial, source)
        )
        ''',
    ),
    # what the abort rules saw
    ("ALTER TABLE run ADD COLUMN rules TEXT NOT NULL DEFAULT '[]'",),
    (
        # recoveries: `kind` is 'episode' or 'test', `body` the whole of it,
        # `brief` what a list shows
        '''
        CREATE TABLE recovery (
          num INTEGER PRIMARY KEY,
          id TEXT NOT NULL UNIQUE,
          kind TEXT NOT NULL,
          state TEXT NOT NULL,
          ended INTEGER NOT NULL,
          began REAL NOT NULL,
          brief TEXT NOT NULL,
          fsid TEXT NOT NULL,
          stored REAL NOT NULL,
          bytes INTEGER NOT NULL,
          body BLOB NOT NULL
        )
        ''',
        '''
        CREATE TABLE recovery_series (
          recovery INTEGER NOT NULL
            REFERENCES recovery (num) ON DELETE CASCADE,
          source TEXT NOT NULL,
          body BLOB NOT NULL,
          PRIMARY KEY (recovery, source)
        )
        ''',
    ),
    (
        # what a list shows of a run: made of its plan and its trials, by
        # the rules that `rule` names; empty ones are still to be judged
        '''
        CREATE TABLE outcome (
          run INTEGER PRIMARY KEY REFERENCES run (num) ON DELETE CASCADE,
          rule TEXT NOT NULL,
          workloads TEXT NOT NULL,
          verdicts TEXT NOT NULL
        )
        ''',
    ),
)


def version(conn: sqlite3.Connection) -> int:
    """Return the version of the tables; 0 means that there are none."""
    row = conn.execute(
        "SELECT value FROM PerfcompareMeta WHERE key = 'schema'"
    ).fetchone()
    return int(row[0]) if row else 0


def upgrade(
    conn: sqlite3.Connection,
    steps: Tuple[Tuple[str, ...], ...] = STEPS,
) -> None:
    """Bring the tables to the newest version; needs an open transaction.

    Raises PerfcompareError when the database is newer than the module.
    """
    conn.execute(MGR_SCHEMA[0])
    found = version(conn)
    if found > len(steps):
        raise PerfcompareError(
            f'the result database has schema {found}, this module knows '
            f'{len(steps)} at most; use the newer module again, or remove '
            'its database'
        )
    for number in range(found, len(steps)):
        for statement in steps[number]:
            conn.execute(statement)
        conn.execute(
            'INSERT OR REPLACE INTO PerfcompareMeta (key, value) '
            "VALUES ('schema', ?)",
            (number + 1,),
        )
