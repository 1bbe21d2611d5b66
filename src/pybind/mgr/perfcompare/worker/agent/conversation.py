"""What an agent and its Manager have told each other: numbers and queues."""

from typing import Deque, List, Optional, Tuple

import collections

from ..wire.agents import (
    AGENT_PROTOCOL,
    EVENT,
    LINES_MAX,
    MESSAGE_MAX,
    Answer,
    ClockReading,
    HostFacts,
    Line,
    Order,
    Sync,
)

LIVE_MAX = 64  # lines of progress that wait; older ones are dropped
CHARS = MESSAGE_MAX // 4  # of a message's lines: JSON may double a quote
_LIVE = ('{"event":"live"', '{"event":"beat"')
STEP = 0.1  # seconds that a clock may be off what one that is never set says
READINGS = 8  # of which the one with the least bound counts


class Conversation:
    """Know which lines the Manager has, and which orders are new."""

    def __init__(self, boot: str, program: str) -> None:
        self.epoch = ''
        self._boot = boot
        self._program = program
        self._first = 1  # number of the first line that waits
        self._lines: Deque[Line] = collections.deque()
        self._got = 0

    def add(self, lines: List[Line]) -> None:
        """Queue lines; progress beyond LIVE_MAX pushes out none.

        Lines have numbers from the moment they are queued, so what waits
        stays, and progress that comes while too much waits is dropped.
        """
        for line in lines:
            live = line.kind == EVENT and line.text.startswith(_LIVE)
            if live and len(self._lines) >= LIVE_MAX:
                continue
            self._lines.append(line)

    @property
    def urgent(self) -> bool:
        """Say whether something else than progress waits."""
        return any(
            line.kind != EVENT or not line.text.startswith(_LIVE)
            for line in self._lines
        )

    def message(
        self,
        facts: Optional[HostFacts],
        clock: Optional[ClockReading],
    ) -> Sync:
        """Return what is to be said now."""
        lines: List[Line] = []
        room = CHARS
        for line in self._lines:
            room -= len(line.text)
            if lines and (room < 0 or len(lines) >= LINES_MAX):
                break
            lines.append(line)
        return Sync(
            AGENT_PROTOCOL,
            self._program,
            self._boot,
            self.epoch,
            self._first,
            self._got,
            tuple(lines),
            facts,
            clock,
        )

    def begin(self, epoch: str) -> None:
        """Speak to a Manager that knows nothing of former ones."""
        self.epoch = epoch
        self._lines.clear()
        self._first, self._got = 1, 0

    def take(self, answer: Answer) -> List[Order]:
        """Forget the lines that the Manager has; return new orders."""
        while self._lines and self._first <= answer.got:
            self._lines.popleft()
            self._first += 1
        new = []
        for order in answer.orders:
            if order.number > self._got:  # the Manager took some back
                self._got = order.number
                new.append(order)
        return new


class ClockWatch:
    """Compare the host's clock with the Manager's, and with itself."""

    def __init__(self) -> None:
        self._readings: Deque[Tuple[float, float]] = collections.deque(
            maxlen=READINGS
        )
        self._base: Optional[float] = None
        self._steps = 0

    def read(self, sent: float, got: float, told: float, wall: float) -> None:
        """Take the times of an exchange, and both clocks.

        ``sent`` and ``got`` are of a clock that is never set; ``told`` is
        the Manager's Unix time, ``wall`` ours at ``got``.
        """
        base = wall - got
        if self._base is not None and abs(base - self._base) > STEP:
            self._steps += 1
            self._readings.clear()
        self._base = base
        bound = (got - sent) / 2
        self._readings.append((bound, told - (wall - bound)))

    def forget(self) -> None:
        """Forget what was read: it was another Manager's clock."""
        self._readings.clear()

    @property
    def reading(self) -> Optional[ClockReading]:
        """Return the best of the last readings; None before the first."""
        if not self._readings:
            return None
        bound, offset = min(self._readings)
        return ClockReading(offset, bound, self._steps)
