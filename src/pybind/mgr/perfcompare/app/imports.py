"""Import files: read by a process of its own, stored as rows.

The process (interop/reader.py) reads and checks the file; the database gets
its rows as they are.
"""

from typing import Any, Callable, ContextManager, Dict, Tuple, TypeVar

import contextlib
import dataclasses

from ..common.clock import SYSTEM
from ..common.errors import InvalidArgument
from ..common.units import count
from ..interop import rows
from ..interop.reader import Reader
from ..interop.request import RECOVERY, RUN, ImportRequest
from ..model.run import Run
from ..recovery.store.briefs import RecoveryInfo
from ..store.results import Store
from ..store.thread import DbThread

LIMIT = 256 * 1024 * 1024  # characters of a file
WRITE = 300.0  # seconds that the database may take
T = TypeVar('T')


class Imports:
    """Read files and store what they hold, one at a time."""

    def __init__(
        self,
        database: DbThread,
        reader: Reader,
        stored: Callable[[], None] = lambda: None,
        wall: Callable[[], float] = SYSTEM.wall,
        alone: Callable[[], ContextManager[None]] = contextlib.nullcontext,
    ) -> None:
        """Call ``stored`` after something was stored.

        ``alone`` keeps runs out while a file is read and stored.
        """
        self._wall = wall
        self._alone = alone
        self.under_way = False  # a file is read, or stored
        self._writing = False
        self._database = database
        self._reader = reader
        self._stored = stored

    def run(self, request: ImportRequest) -> Run:
        """Store the run of a file; takes as long as reading it does."""
        words = {
            'kind': RUN,
            'exported': request.exported,
            'tool': request.tool,
            'group': request.group,
            'label': request.label,
        }

        placed = rows.Placed()

        def write(store: Store, path: str) -> Run:
            name = rows.add_run(store, path, request.exported, placed)
            return store.get_run(name)

        return self._do(request.text, words, write)

    def recovery(self, text: str) -> RecoveryInfo:
        """Store the recovery of a file, as `run` does."""
        words = {'kind': RECOVERY, 'exported': True}
        placed = rows.Placed()

        def write(store: Store, path: str) -> RecoveryInfo:
            return rows.add_recovery(store, path, placed)

        return self._do(text, words, write)

    def _do(
        self,
        text: str,
        words: Dict[str, Any],
        write: Callable[[Store, str], T],
    ) -> T:
        if len(text) > LIMIT:
            raise InvalidArgument(
                f'the file has {len(text)} characters; at most {LIMIT} are '
                'read'
            )
        request = dict(words, now=self._wall())

        def work(store: Store) -> T:
            self._writing = True
            try:
                return write(store, path)
            finally:
                self._writing = False

        with self._alone():
            self.under_way = True
            try:
                with self._reader.rows(text, request) as path:
                    found = self._database.call(work, WRITE)
            finally:
                self.under_way = False
        self._stored()
        return found

    def problems(self) -> Tuple[str, ...]:
        """Return what an operator should know of stored results.

        A database that stores a large file does not answer, but works.
        """
        status = self._database.status()
        if not (self._writing and status.stuck) or status.failing:
            return status.problems
        lost = dataclasses.replace(status, busy=0.0).problems
        return lost + (
            f'a file is being imported: for {status.busy:.0f} s now the '
            f'result database stores it; {count(status.waiting, "write")} of '
            'other results wait for that',
        )
