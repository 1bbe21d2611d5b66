"""What a job may use while it runs, and what can cut it short."""

from typing import TYPE_CHECKING, Any, Callable, Dict, Optional, Tuple

import os
import queue
import time

from ..wire.protocol import Ack
from .failure import Failure
from .outbox import Outbox
from .processes import Children

if TYPE_CHECKING:  # the class itself is no generic one in Python 3.9
    Inbox = queue.SimpleQueue[Optional[Dict[str, Any]]]


class Context:
    """Give a job its folder, children, clock, and the manager's wishes.

    ``inbox`` brings commands; None wakes a pause up (a child ended).
    """

    def __init__(
        self, folder: str, inbox: 'Inbox', outbox: Outbox, children: Children
    ) -> None:
        self.folder = folder
        self.children = children
        self.outbox = outbox
        self.start: Tuple[float, float] = (time.time(), time.monotonic())
        self.deadline = float('inf')  # monotonic
        # Unix time at which all hosts of a load begin; None: there is one
        self.agreed: Optional[float] = None
        self.stuck: Callable[[], str] = lambda: ''
        self._inbox = inbox

    def begin(self, seconds: float) -> None:
        """Read the clock pair and start counting to the deadline."""
        self.start = (time.time(), time.monotonic())
        self.deadline = self.start[1] + seconds

    def wall(self, mono: float) -> float:
        """Return the Unix time of monotonic time ``mono``."""
        return self.start[0] + mono - self.start[1]

    def now(self) -> float:
        """Return the Unix time by the clock pair."""
        return self.wall(time.monotonic())

    def left(self) -> float:
        """Return the seconds to the deadline; Failure when it passed."""
        left = self.deadline - time.monotonic()
        if left <= 0:
            allowed = self.deadline - self.start[1]
            why = self.stuck()
            raise Failure(
                'deadline',
                f'the load did not end within {allowed:.0f} s'
                + (f': {why}' if why else ''),
            )
        return left

    def pause(self, seconds: float) -> Optional[Dict[str, Any]]:
        """Wait, at most ``seconds`` s; return a command other than stop.

        Raises Failure on `stop` and when the deadline passed.
        """
        try:
            command = self._inbox.get(
                timeout=max(0.0, min(seconds, self.left()))
            )
        except queue.Empty:
            self.left()
            return None
        if command is None:
            return None
        self.outbox.emit(Ack(command['id']))
        if command['cmd'] == 'stop':
            failure = Failure('stopped', 'stopped on request')
            failure.window = _window(command.get('window'))
            failure.within = _seconds(command.get('within'))
            raise failure
        return command

    def path(self, name: str) -> str:
        """Return the path of ``name`` in the spool folder."""
        return os.path.join(self.folder, name)


def _seconds(data: Any) -> Optional[float]:
    """Return the time that a stop gives; None when it gives none."""
    return float(data) if type(data) in (int, float) else None


def _window(data: Any) -> Optional[Tuple[float, float]]:
    """Return the span that a stop names; None when it names none."""
    if not isinstance(data, list) or len(data) != 2:
        return None
    if not all(type(v) in (int, float) for v in data):
        return None
    return float(data[0]), float(data[1])
