"""Decide whether a run can be accepted now: one is there at a time."""

from typing import Iterator, Optional

import contextlib
import threading

from ..common.errors import Busy
from ..model.run import Run


class Admission:
    """Own which run is active, and what keeps others out meanwhile."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._current: Optional[Run] = None
        self._undoing = False
        self._recovering = True  # until `recovered`

    @property
    def current(self) -> Optional[Run]:
        """Return the run that is active."""
        return self._current

    @property
    def recovering(self) -> bool:
        """Say whether what a former mgr left is being looked at."""
        return self._recovering

    def refuse_busy(self) -> None:
        """Raise Busy when no run can be accepted now."""
        with self._lock:
            self._refuse_busy()

    @contextlib.contextmanager
    def admitting(self, run: Run) -> Iterator[None]:
        """Do something just before a run is active; Busy while one is."""
        with self._lock:
            self._refuse_busy()
            yield
            self._current = run

    def take_up(self, run: Run) -> None:
        """Note that a run is active which nothing must keep out."""
        with self._lock:
            self._current = run

    def release(self) -> None:
        """Note that no run is active any more."""
        with self._lock:
            self._current = None

    def recovered(self) -> None:
        """Note that what a former mgr left was looked at."""
        self._recovering = False

    @contextlib.contextmanager
    def undoing_alone(self) -> Iterator[None]:
        """Keep runs out while something is undone; Busy while one is in."""
        with self._lock:
            self._refuse_busy()
            self._undoing = True
        try:
            yield
        finally:
            with self._lock:
                self._undoing = False

    def _refuse_busy(self) -> None:
        if self._undoing:
            raise Busy(
                'what an earlier run left is being undone; try again in a '
                'minute'
            )
        if self._recovering:
            raise Busy(
                'a former run is being undone or taken up again; '
                'try again in a minute'
            )
        if self._current is not None:
            raise Busy(
                f'run {self._current.id} is active; wait for it or '
                f'cancel it: ceph perfcompare cancel {self._current.id}'
            )
