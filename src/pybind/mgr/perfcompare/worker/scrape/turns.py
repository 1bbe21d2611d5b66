"""Ask many exporters again and again, each by one thread at a time."""

from typing import Any, Dict, Generic, Iterable, List, Protocol, TypeVar

import concurrent.futures

THREADS = 64  # that ask at the same time, at most
# of all hosts, until the time between two of one host grows
READINGS = 20000
OF_ONE = 20, 1000  # least and most of these


def apart(period: float, elapsed: float, hosts: int) -> float:
    """Return the seconds to the next turn, ``elapsed`` s after the first.

    It is a ``period`` for long; then it grows with the time that went by,
    so that e times the time costs but as many readings again.
    """
    least, most = OF_ONE
    return max(
        period, elapsed / max(least, min(most, READINGS / max(1, hosts)))
    )


class Asked(Protocol):
    """Be asked, and know when it may be asked again."""

    due: float  # monotonic seconds
    pause: float  # seconds that it got after it gave nothing, else 0

    def poll(self, timeout: float) -> None:
        """Ask once, within ``timeout`` s; never raise."""


One = TypeVar('One', bound=Asked)


class Turns(Generic[One]):
    """Ask those that are due; one that still answers skips its turn."""

    def __init__(self, every: Iterable[One], threads: int = THREADS) -> None:
        self._every: List[One] = list(every)
        self._busy: Dict[One, 'concurrent.futures.Future[Any]'] = {}
        self._pool = concurrent.futures.ThreadPoolExecutor(
            max_workers=max(1, min(threads, len(self._every)))
        )

    def ask(self, now: float, timeout: float) -> None:
        """Ask those that are due at ``now``, those that answered first."""
        due = [one for one in self._idle() if one.due <= now]
        self._submit(due, timeout)

    def last(self, those: Iterable[One], timeout: float) -> None:
        """Ask ``those`` once more, due or not; wait ``timeout`` s at most.

        What others are still asked is not waited for.
        """
        for one, future in self._busy.items():
            if one.pause:
                future.cancel()
        wanted = set(those)
        self._submit([o for o in self._idle() if o in wanted], timeout)
        concurrent.futures.wait(
            [future for one, future in self._busy.items() if one in wanted],
            timeout,
        )

    def _idle(self) -> List[One]:
        return [
            one
            for one in self._every
            if one not in self._busy or self._busy[one].done()
        ]

    def _submit(self, those: List[One], timeout: float) -> None:
        for one in sorted(those, key=lambda one: one.pause):
            self._busy[one] = self._pool.submit(one.poll, timeout)
