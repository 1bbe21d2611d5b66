"""Do what takes long in threads, and keep it for whoever asks again.

ceph-mgr runs the commands of a module one after the other: while one reads
results for seconds, `stop --now` waits; and the dashboard has few threads. So
an answer is waited for no longer than PATIENCE. What takes longer goes on in
its thread; the same command, given again, fetches what came of it. What nobody
has fetched when something is changed is of before, and is forgotten.
"""

from typing import (
    Any,
    Callable,
    Dict,
    Generic,
    Hashable,
    Mapping,
    Optional,
    TypeVar,
)

import logging
import threading

from ..common.clock import SYSTEM
from ..common.errors import InProgress, PerfcompareError

log = logging.getLogger(__name__)
T = TypeVar('T')

PATIENCE = 0.1  # seconds that a command or a REST call may be waited for
BRIEF = 0.01  # seconds, soon after one that was waited for in vain
CALM = 1.0  # seconds
KEPT = 60.0  # seconds that an answer waits to be fetched
MOST = 4  # that are under way at one time
# what must not begin twice where its answer was not fetched: it is kept until
# a run is ended
ONCE = frozenset(('run', 'recovery run', 'import', 'recovery import'))


class Patience:
    """Say how long to wait: soon after what was in vain, only briefly.

    Else each of many is waited for, and all of them take a thread's time.
    """

    def __init__(
        self,
        most: Optional[float] = None,
        now: Callable[[], float] = SYSTEM.monotonic,
    ) -> None:
        self._most = most
        self._now = now
        self._calm_at = float('-inf')

    def seconds(self) -> float:
        """Return how long the next one may be waited for."""
        most = PATIENCE if self._most is None else self._most
        return min(most, BRIEF) if self._now() < self._calm_at else most

    def in_vain(self) -> None:
        """Note that one was not done in time."""
        self._calm_at = self._now() + CALM


class Errands:
    """Run work by key: each key's work once, until it is fetched."""

    def __init__(
        self,
        patience: Optional[float] = None,
        kept: float = KEPT,
        most: int = MOST,
        now: Callable[[], float] = SYSTEM.monotonic,
    ) -> None:
        self._patience = Patience(patience, now)
        self._kept = kept
        self._most = most
        self._now = now
        self._lock = threading.Lock()
        self._jobs: Dict[Hashable, _Job[Any]] = {}

    def do(
        self,
        what: str,
        key: Hashable,
        work: Callable[[], T],
        once: bool = False,
    ) -> T:
        """Return or raise what ``work`` does.

        InProgress says that it is not done yet: ``do`` with the same ``key``
        fetches it. ``what`` names it in that text; ``once`` says that it is
        of ONCE.
        """
        with self._lock:
            self._forget()
            job: Optional[_Job[T]] = self._jobs.get(key)
            if job is None:
                busy = sum(not j.over for j in self._jobs.values())
                if busy >= self._most:
                    raise InProgress(
                        f'{busy} other answers are being made; give the same '
                        'command again in a moment'
                    )
                job = self._jobs[key] = _Job(what, work, self._now, once)
        if not job.wait(self._patience.seconds()):
            self._patience.in_vain()
            raise InProgress(
                f'{what} takes a moment ({self._now() - job.began:.0f} s so '
                'far); give the same command again to have the answer'
            )
        with self._lock:
            if self._jobs.get(key) is job:
                del self._jobs[key]
        return job.result()

    def outdate(self, ended: bool = False) -> None:
        """Drop answers that nobody fetched: something is changed.

        Those of ONCE only when a run is ``ended``.
        """
        with self._lock:
            for key, job in list(self._jobs.items()):
                if job.over and (ended or not job.once):
                    del self._jobs[key]

    def _forget(self) -> None:
        """Drop answers that nobody fetched; the lock is held."""
        oldest = self._now() - self._kept
        for key, job in list(self._jobs.items()):
            if job.ended is not None and job.ended < oldest:
                del self._jobs[key]


class _Job(Generic[T]):
    """Do one thing in a thread of its own."""

    def __init__(
        self,
        what: str,
        work: Callable[[], T],
        now: Callable[[], float],
        once: bool,
    ) -> None:
        self.began = now()
        self.once = once
        self.ended: Optional[float] = None
        self._now = now
        self._work: Optional[Callable[[], T]] = work
        self._what = what
        self._done = threading.Event()
        self._answer: Optional[T] = None
        self._error: Optional[Exception] = None
        threading.Thread(
            target=self._main, name='perfcompare-errand', daemon=True
        ).start()

    @property
    def over(self) -> bool:
        """Say whether it is done."""
        return self.ended is not None

    def wait(self, seconds: float) -> bool:
        """Return whether it was done in time."""
        return self._done.wait(seconds)

    def result(self) -> T:
        """Return or raise what came of it."""
        if self._error is not None:
            raise self._error
        return self._answer  # type: ignore[return-value]

    def _main(self) -> None:
        assert self._work is not None
        try:
            self._answer = self._work()
        except PerfcompareError as error:
            self._error = error
        except Exception as error:
            log.exception('%s failed', self._what)
            self._error = error
        self._work = None  # with all that it holds, such as a file
        self.ended = self._now()
        self._done.set()


def key_of(name: str, args: Mapping[str, Any]) -> Hashable:
    """Return what tells one question from another.

    A file is told by its hash: it can have 100 MB.
    """
    return (name,) + tuple(
        (n, hash(v) if isinstance(v, str) else repr(v))
        for n, v in sorted(args.items())
    )
