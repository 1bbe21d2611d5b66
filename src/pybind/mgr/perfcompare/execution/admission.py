"""Decide whether a run can be accepted now: one is there at a time."""

from typing import Iterator, List, Optional, Sequence

import contextlib
import dataclasses
import threading

from ..common.errors import Busy
from ..model.run import Run
from ..model.trial import Trial
from ..workers.control import Control
from .notice import Notice


@dataclasses.dataclass(frozen=True, eq=False)
class Admitted:
    """Hold a run that is active with what is its own and no other's.

    Whoever ends it takes all of it at one time: the next run may be
    admitted in between.
    """

    run: Run
    control: Control
    notice: Notice
    done: Sequence[Trial] = ()


class Attempt:
    """Be the way of a run from its request to its admission."""

    refused: Optional[Exception] = None  # why it ends before


class Admission:
    """Own which run is active, and what keeps others out meanwhile."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._current: Optional[Admitted] = None
        self._attempts: List[Attempt] = []
        self._undoing = False
        self._importing = False
        self._recovering = True  # until `recovered`

    @property
    def current(self) -> Optional[Admitted]:
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
    def attempting(self) -> Iterator[Attempt]:
        """Let a run be stopped from here on, while it is being checked."""
        attempt = Attempt()
        with self._lock:
            self._attempts.append(attempt)
        try:
            yield attempt
        finally:
            with self._lock:
                self._attempts.remove(attempt)

    def refuse_attempts(self, why: Exception) -> bool:
        """Admit no run that is being checked now; say whether one is."""
        with self._lock:
            for attempt in self._attempts:
                attempt.refused = why
            return bool(self._attempts)

    def admit(
        self, admitted: Admitted, attempt: Optional[Attempt] = None
    ) -> None:
        """Make a run the active one; Busy while another is.

        Raises what its ``attempt`` was refused with.
        """
        with self._lock:
            if attempt is not None and attempt.refused is not None:
                raise attempt.refused
            self._refuse_busy()
            self._current = admitted

    def take_up(self, admitted: Admitted) -> None:
        """Note that a run is active which nothing must keep out."""
        with self._lock:
            self._current = admitted

    def release(self, admitted: Admitted) -> None:
        """Note that a run is not active any more; fine if it is not."""
        with self._lock:
            if self._current is admitted:
                self._current = None

    def recovered(self) -> None:
        """Note that what a former mgr left was looked at."""
        self._recovering = False

    @contextlib.contextmanager
    def undoing_alone(self) -> Iterator[None]:
        """Keep runs out while something is undone; Busy while one is in."""
        with self._lock:
            self._refuse_beside_import()  # undoing waits for no file
            self._undoing = True
        try:
            yield
        finally:
            with self._lock:
                self._undoing = False

    @contextlib.contextmanager
    def importing(self) -> Iterator[None]:
        """Keep runs out while a file is read; Busy while one is in.

        Reading takes CPU where the load's client runs, and storing the
        database that a run writes to.
        """
        with self._lock:
            self._refuse_busy()
            self._importing = True
        try:
            yield
        finally:
            with self._lock:
                self._importing = False

    @contextlib.contextmanager
    def between_runs(self) -> Iterator[None]:
        """Have runs wait for a moment, not refused; Busy while one is in."""
        with self._lock:
            self._refuse_busy()
            yield

    def _refuse_busy(self) -> None:
        if self._importing:
            raise Busy('a file is being imported; try again in a minute')
        self._refuse_beside_import()

    def _refuse_beside_import(self) -> None:
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
                f'run {self._current.run.id} is active; wait for it or '
                f'cancel it: ceph perfcompare cancel {self._current.run.id}'
            )
