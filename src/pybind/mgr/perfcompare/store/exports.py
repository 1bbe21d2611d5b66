"""Make the files of runs: a thread's work, which no command waits out.

Commands of the module come one after the other, so a command gets a file
that is made in a moment; of a larger one it is told how far it is, and the
next command fetches it. Others that ask for it by then get the same file.
"""

from typing import Callable, Iterator, List, Optional

import errno
import logging
import threading

from ..common.clock import SYSTEM
from ..common.errors import Busy, InProgress, PerfcompareError
from ..ports.clock import Clock
from . import archive
from .results import TrialRecord
from .thread import DbThread

log = logging.getLogger(__name__)

PAGE = 25  # trials that are read at a time
KEPT = 300.0  # seconds that a file waits to be fetched
SHARED = 5.0  # seconds, from when it is fetched, that others get it as well
YIELD = 0.001  # seconds between trials: other modules need the mgr as well


class Exports:
    """Make one file at a time, and keep it until it is fetched."""

    def __init__(self, database: DbThread, clock: Clock = SYSTEM) -> None:
        self._database = database
        self._clock = clock
        self._lock = threading.Lock()
        self._job: Optional[_Job] = None

    def text(self, run: str, patience: float) -> str:
        """Return the file of a run, complete with raw samples.

        Raises InProgress when it takes longer than ``patience`` seconds: it
        goes on being made. Busy while that of another run is made.
        """
        with self._lock:
            job = self._job
            if job is not None and job.run != run and not job.over:
                raise Busy(
                    f'run {job.run} is being exported ({job.done:.0%}); '
                    'try again when that is done'
                )
            if job is None or job.run != run:
                job = self._job = _Job(
                    self._database, run, self._forget, self._clock
                )
                job.start()
        if not job.wait(patience):
            raise InProgress(
                f'the file of run {run} is being made ({job.done:.0%}); give '
                'the same command again until it is there'
            )
        job.fetched.set()
        return job.result()

    def removed(self, run: str) -> None:
        """Forget the file of a run that is no more."""
        with self._lock:
            if self._job is not None and self._job.run == run:
                self._job = None

    def _forget(self, job: '_Job') -> None:
        with self._lock:
            if self._job is job:
                self._job = None


class _Job:
    """Make one file in a thread of its own."""

    def __init__(
        self,
        database: DbThread,
        run: str,
        forget: Callable[['_Job'], None],
        clock: Clock,
    ) -> None:
        self._clock = clock
        self.run = run
        self.done = 0.0
        self.fetched = threading.Event()
        self._forget = forget
        self._database = database
        self._ended = threading.Event()
        self._text = ''
        self._error: Optional[PerfcompareError] = None

    def start(self) -> None:
        threading.Thread(
            target=self._main, name='perfcompare-export', daemon=True
        ).start()

    @property
    def over(self) -> bool:
        return self._ended.is_set()

    def wait(self, seconds: float) -> bool:
        return self._ended.wait(seconds)

    def result(self) -> str:
        if self._error is not None:
            raise self._error
        return self._text

    def _main(self) -> None:
        try:
            run = self._database.call(lambda s: s.get_run(self.run))
            self._text = archive.export(run, self._records())
        except PerfcompareError as error:
            self._error = error
        except Exception as error:
            log.exception('export of run %s', self.run)
            self._error = PerfcompareError(
                f'internal error: {type(error).__name__}; see the log of the '
                'active Manager',
                errno.EIO,
            )
        self._ended.set()
        if self.fetched.wait(KEPT) and self._error is None:
            self._clock.wait(SHARED)
        self._forget(self)

    def _records(self) -> Iterator[TrialRecord]:
        total = self._database.call(lambda s: s.count_trials(self.run))
        for first in range(0, total, PAGE):
            for record in self._page(first):
                yield record
                self._clock.wait(YIELD)
            self.done = first / total

    def _page(self, first: int) -> List[TrialRecord]:
        return self._database.call(
            lambda s: s.records(self.run, first, PAGE), timeout=30.0
        )
