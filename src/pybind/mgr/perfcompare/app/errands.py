"""Do what takes long in threads, and keep it for whoever asks again.

ceph-mgr runs the commands of a module one after the other: while one reads
results for seconds, `stop --now` waits; and the dashboard has few threads. So
an answer is waited for no longer than PATIENCE. What takes longer goes on in
its thread; the same command, given again, fetches what came of it. What nobody
has fetched when something is changed, or when a run ends, is of before, and is
forgotten; so is what was begun to be read before that.
"""

from typing import (
    Any,
    Callable,
    Dict,
    Generic,
    Hashable,
    List,
    Mapping,
    Optional,
    Tuple,
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
KEPT_ONCE = 600.0  # seconds; a file that is sent again can take minutes
LEFT = 12.0  # seconds after which the page that asked has gone elsewhere
SLOWER = 3  # times as long may who asks again need as ever before
MOST = 4  # that are under way at one time
# what must not begin twice where its answer was not fetched: it is kept for
# KEPT_ONCE, or until a run is ended; where it failed it is as any other
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
        ended: Callable[[], str] = str,
        left: float = float('inf'),
    ) -> None:
        """Have nothing to do yet.

        ``ended`` names the run that ended last. Who asked again and again,
        and then for ``left`` seconds no more, will not, and what is read is
        read anew; who comes seldom has SLOWER times as long as before.
        """
        self._patience = Patience(patience, now)
        self._kept = kept
        self._left = left
        self._most = most
        self._now = now
        self._ended = ended
        self._changes = 0
        self._lock = threading.Lock()
        self._jobs: Dict[Hashable, _Job[Any]] = {}
        self._busy: List[_Job[Any]] = []  # nobody may want some any more

    def do(
        self,
        what: str,
        key: Hashable,
        work: Callable[[], T],
        once: bool = False,
        changes: bool = False,
    ) -> T:
        """Return or raise what ``work`` does.

        InProgress says that it is not done yet: ``do`` with the same ``key``
        fetches it. ``what`` names it in that text; ``once`` says that it is
        of ONCE; ``changes`` that it changes something, so that it is not done
        again while it is under way.
        """
        with self._lock:
            self._forget()
            job: Optional[_Job[T]] = self._jobs.get(key)
            if job is None:
                self._busy = [j for j in self._busy if not j.over]
                if len(self._busy) >= self._most:
                    raise InProgress(
                        f'{len(self._busy)} other answers are being made; '
                        'give the same command again in a moment'
                    )
                job = _Job(what, work, self._now, once, changes, self._of())
                self._jobs[key] = job
                self._busy.append(job)
            else:
                job.gap = max(job.gap, self._now() - job.asked)
            job.asked = self._now()
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

        Those of ONCE only when a run is ``ended``, or where they failed.
        """
        with self._lock:
            self._changes += 1
            for key, job in list(self._jobs.items()):
                if job.over and (ended or not job.once or job.failed):
                    del self._jobs[key]

    def _of(self) -> Tuple[int, str]:
        """Return what tells before from after."""
        return self._changes, self._ended()

    def _forget(self) -> None:
        """Drop what nobody fetches, or is of before; the lock is held."""
        for key, job in list(self._jobs.items()):
            if self._outdated(job):
                del self._jobs[key]

    def _outdated(self, job: '_Job[Any]') -> bool:
        now = self._now()
        if not job.changes:
            if job.of != self._of() or self._has_left(job):
                return True
        if job.ended is None:
            return False
        if not job.once or job.failed:
            return job.ended < now - self._kept
        return job.ended < now - KEPT_ONCE or job.of[1] != self._ended()

    def _has_left(self, job: '_Job[Any]') -> bool:
        """Say whether nobody will ask again; of who asked once none knows."""
        silent = self._now() - job.asked
        return job.gap > 0 and silent > max(self._left, SLOWER * job.gap)


class _Job(Generic[T]):
    """Do one thing in a thread of its own."""

    def __init__(
        self,
        what: str,
        work: Callable[[], T],
        now: Callable[[], float],
        once: bool,
        changes: bool,
        of: Tuple[int, str],
    ) -> None:
        self.began = self.asked = now()
        self.gap = 0.0  # the longest between two questions for it
        self.once = once
        self.changes = changes
        self.of = of  # changes, and the run that had ended, when it began
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

    @property
    def failed(self) -> bool:
        """Say whether it is done and nothing came of it."""
        return self.over and self._error is not None

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
