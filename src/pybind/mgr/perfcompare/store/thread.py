"""The one thread that talks to the result database.

The database lives in pool .mgr, whose single placement group may be on the
very OSDs under test: any statement may hang. So a hang costs this thread
and nobody else: writes are queued and never waited for, reads are waited
for with a limit.

Jobs run in order. A write that fails for a reason that can pass (the
connection was blocklisted, the pool is full, …) stays first in the queue
and is tried again, after the connection was opened anew. While it waits,
reads go ahead of it. A write that can never succeed is dropped and logged.
"""

from typing import (
    Any,
    Callable,
    Deque,
    Optional,
    Tuple,
    TypeVar,
    cast,
)

import collections
import dataclasses
import logging
import sqlite3
import threading

from ..common.clock import SYSTEM
from ..common.errors import PerfcompareError, TryAgain
from ..common.units import count
from ..ports.clock import Clock
from .job import Job, Written
from .results import Store

log = logging.getLogger(__name__)
T = TypeVar('T')

# texts of errors that pass by themselves or with a new connection
_PASSING = (
    'disk i/o error',
    'locked',
    'unable to open database file',
    'is full',
    'readonly',
)
_ATTEMPTS = 3  # of writes whose error is none of these
_STUCK = 10.0  # seconds after which a job counts as hanging
_STUCK_WAIT = 0.5  # seconds that a read waits behind a hanging job
_PAUSE = 1.0  # seconds between two attempts of a patient read


@dataclasses.dataclass(frozen=True)
class DbStatus:
    """Say how the database does, without asking it."""

    waiting: int  # writes in the queue
    dropped: int  # writes lost since the module started
    last_dropped: str  # what the last of them was
    busy: float  # seconds that the present job has taken, 0 when idle
    failing: str  # last error, '' when the last job succeeded

    @property
    def stuck(self) -> bool:
        """Say whether a job hangs."""
        return self.busy > _STUCK

    @property
    def problems(self) -> Tuple[str, ...]:
        """Return what an operator should know of stored results."""
        found = []
        if self.dropped:
            found.append(
                'results were lost since this Manager became active: '
                f'{count(self.dropped, "write")}, the last of '
                f'{self.last_dropped}; its log says why'
            )
        if self.stuck or self.failing:
            found.append(
                f'{count(self.waiting, "write")} of results wait for the '
                f'result database ({self.failing or "it does not answer"}); '
                "see 'ceph pg ls-by-pool .mgr'"
            )
        return tuple(found)


class DbThread:
    """Run jobs on a store in a thread of its own."""

    def __init__(
        self,
        store: Store,
        max_jobs: int = 2048,
        max_bytes: int = 64 * 1024 * 1024,
        backoff: float = 0.2,
        max_backoff: float = 30.0,
        clock: Clock = SYSTEM,
    ) -> None:
        self._clock = clock
        self._store = store
        self._max_jobs = max_jobs
        self._max_bytes = max_bytes
        self._backoff = backoff
        self._max_backoff = max_backoff
        self._cond = threading.Condition()
        self._writes: Deque[Job[Any]] = collections.deque()
        self._reads: Deque[Job[Any]] = collections.deque()
        self._number = 0
        self._bytes = 0
        self._dropped = 0
        self._last_dropped = ''
        self._retry_at = 0.0
        self._since: Optional[float] = None
        self._failing = ''
        self._used = False
        self._stopping = False
        self._thread: Optional[threading.Thread] = None

    def start(self) -> None:
        """Start the thread."""
        self._thread = threading.Thread(
            target=self._main, name='perfcompare-db', daemon=True
        )
        self._thread.start()

    def stop(self, timeout: float = 2.0) -> int:
        """Finish the queue and the thread, within ``timeout`` seconds.

        Returns the number of writes that were not done.
        """
        with self._cond:
            self._stopping = True
            self._cond.notify_all()
        if self._thread is not None:
            self._thread.join(timeout)
        with self._cond:
            lost = len(self._writes)
            for write in self._writes:
                write.lost = True
            self._writes.clear()
            self._bytes = 0
            waiting, self._reads = self._reads, collections.deque()
        for job in waiting:
            job.error = TryAgain('the module is shutting down; try again')
            job.done.set()
        if lost:
            log.warning('%d writes to the result database are lost', lost)
        return lost

    def submit(
        self, work: Callable[[Store], Any], what: str, size: int = 0
    ) -> Written:
        """Queue a write and return at once; ``work`` may run repeatedly.

        ``what`` names it in logs; ``size`` is the bytes it keeps alive.
        What is returned tells what becomes of it. When the queue is full
        it is lost.
        """
        with self._cond:
            self._number += 1
            job: Job[Any] = Job(work, what, self._number, size)
            full = (
                len(self._writes) >= self._max_jobs
                or self._bytes + size > self._max_bytes
            )
            if full or self._stopping:
                self._drop(job)
                why = self._failing or 'it does not answer'
                log.error(
                    'lost %s: %d writes wait for the result database (%s)',
                    what,
                    len(self._writes),
                    why,
                )
                return job
            self._writes.append(job)
            self._bytes += size
            self._cond.notify_all()
        return job

    def call(self, work: Callable[[Store], T], timeout: float = 5.0) -> T:
        """Run ``work`` after what was queued before and return its result.

        Raises TryAgain when the database does not answer in ``timeout``
        seconds, or sooner when it is known to hang; work that was not
        begun by then is never done.
        """
        if self.status().stuck:
            timeout = min(timeout, _STUCK_WAIT)
        with self._cond:
            if self._stopping:
                raise TryAgain('the module is shutting down; try again')
            self._number += 1
            job: Job[T] = Job(work, 'a query', self._number, 0)
            self._reads.append(job)
            self._cond.notify_all()
        if not job.done.wait(timeout):
            with self._cond:
                job.abandoned = True
                begun = job.started
            raise TryAgain(self._timeout_text(timeout, begun))
        if job.error is not None:
            raise job.error
        return cast(T, job.result)

    def insist(self, work: Callable[[Store], T], seconds: float) -> T:
        """Read like ``call``, again and again while there is no answer.

        For whoever cannot ask again later; a Manager that died may hold
        the database for a while. Raises TryAgain after ``seconds``.
        """
        deadline = self._clock.monotonic() + seconds
        while True:
            try:
                return self.call(work, deadline - self._clock.monotonic())
            except TryAgain:
                with self._cond:
                    ending = self._cond.wait_for(
                        lambda: self._stopping, _PAUSE
                    )
                if ending or self._clock.monotonic() >= deadline:
                    raise

    @property
    def used(self) -> bool:
        """Say whether the database was asked for something, and did it."""
        return self._used

    def status(self) -> DbStatus:
        """Return how the database does; never waits."""
        with self._cond:
            since = self._since
            return DbStatus(
                waiting=len(self._writes),
                dropped=self._dropped,
                last_dropped=self._last_dropped,
                busy=(
                    self._clock.monotonic() - since
                    if since is not None
                    else 0.0
                ),
                failing=self._failing,
            )

    def _timeout_text(self, timeout: float, begun: bool) -> str:
        status = self.status()
        text = f'the result database did not answer within {timeout:g} s'
        if status.failing:
            text += f' (last error: {status.failing})'
        elif status.waiting:
            text += f' ({status.waiting} writes wait)'
        if begun:
            text += ' and may still do it'
        return text + "; see 'ceph pg ls-by-pool .mgr', then try again"

    def _main(self) -> None:
        while True:
            job = self._next()
            if job is None:
                return
            try:
                self._run(job)
            finally:
                with self._cond:
                    self._since = None
                job.done.set()

    def _next(self) -> Optional[Job[Any]]:
        """Wait for the job whose turn it is; None when all is done."""
        with self._cond:
            while True:
                job = self._choose()
                if job is not None:
                    job.started = True
                    self._since = self._clock.monotonic()
                    return job
                if self._stopping and not self._writes:
                    return None
                wait = None
                if self._writes:
                    wait = max(0.01, self._retry_at - self._clock.monotonic())
                self._cond.wait(wait)

    def _choose(self) -> Optional[Job[Any]]:
        while self._reads and self._reads[0].abandoned:
            self._reads.popleft()
        write = self._writes[0] if self._writes else None
        if write is not None and self._clock.monotonic() < self._retry_at:
            write = None
        if self._reads and (
            write is None or self._reads[0].number < write.number
        ):
            return self._reads.popleft()
        return write

    def _run(self, job: Job[Any]) -> None:
        is_write = self._is_write(job)
        while True:
            job.attempts += 1
            try:
                job.result = job.work(self._store)
            except Exception as err:
                passing = _passes(err)
                if passing or isinstance(err, sqlite3.Error):
                    self._reopen(err)
                    # a blocklisted connection is healed by the reopening
                    if job.attempts == 1:
                        continue
                if is_write:
                    self._write_failed(job, err, passing)
                else:
                    job.error = self._read_error(err, passing)
                return
            with self._cond:
                self._used = True
                if is_write:
                    job.stored = True
                    self._remove(job)
                    self._retry_at = 0.0
                if is_write or not self._writes:
                    self._failing = ''
            return

    def _is_write(self, job: Job[Any]) -> bool:
        with self._cond:
            return bool(self._writes) and self._writes[0] is job

    def _remove(self, job: Job[Any]) -> None:
        if self._writes and self._writes[0] is job:
            self._writes.popleft()
            self._bytes -= job.size

    def _drop(self, job: Job[Any]) -> None:
        job.lost = True
        self._dropped += 1
        self._last_dropped = job.what

    def _write_failed(
        self, job: Job[Any], err: Exception, passing: bool
    ) -> None:
        retry = passing or (
            isinstance(err, sqlite3.DatabaseError)
            and not isinstance(err, sqlite3.IntegrityError)
            and job.attempts < _ATTEMPTS
        )
        with self._cond:
            if retry:
                self._failing = _line(err)
                exponent = min(job.attempts, 16)
                wait = min(self._max_backoff, self._backoff * 2**exponent)
                self._retry_at = self._clock.monotonic() + wait
            else:
                self._remove(job)
                self._retry_at = 0.0
                self._drop(job)
        if retry:
            log.warning('%s is tried again: %s', job.what, _line(err))
        else:
            log.error('lost %s', job.what, exc_info=err)

    def _read_error(self, err: Exception, passing: bool) -> Exception:
        if isinstance(err, PerfcompareError) or not passing:
            return err
        with self._cond:
            self._failing = _line(err)
        return TryAgain(
            f'the result database does not answer ({_line(err)}); '
            "see 'ceph pg ls-by-pool .mgr', then try again"
        )

    def _reopen(self, err: Exception) -> None:
        log.info('opening the result database again: %s', _line(err))
        try:
            self._store.database.reopen()
        except Exception as again:
            log.warning('cannot close the database: %s', _line(again))


def _passes(err: Exception) -> bool:
    if isinstance(err, TryAgain):
        return True
    text = str(err).lower()
    return isinstance(err, sqlite3.DatabaseError) and any(
        part in text for part in _PASSING
    )


def _line(err: Exception) -> str:
    return ' '.join(str(err).split()) or type(err).__name__
