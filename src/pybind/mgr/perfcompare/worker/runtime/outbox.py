"""Events on their way out, which nobody ever waits for."""

from typing import Deque, Tuple

import collections
import os
import threading
import time

from ..wire.protocol import Beat, Event, Live, event_line

LIMIT = 64  # live events kept for a reader that does not read


class Outbox:
    """Write events to a pipe from a thread of its own.

    Live events beyond LIMIT push out the oldest ones, which are counted;
    all others are few and are kept. A full or dead pipe blocks nobody.
    """

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._queue: Deque[Tuple[bool, Event]] = collections.deque()
        self._changed = threading.Condition()
        self._live = 0
        self._busy = False
        self.dropped = 0
        self.broken = False
        threading.Thread(
            target=self._write, name='outbox', daemon=True
        ).start()

    def emit(self, event: Event) -> None:
        """Queue ``event``; return at once."""
        live = isinstance(event, (Live, Beat))
        with self._changed:
            if live and self._live >= LIMIT:
                self._drop_oldest()
            self._queue.append((live, event))
            self._live += live
            self._changed.notify_all()

    def _drop_oldest(self) -> None:
        for index, (live, _) in enumerate(self._queue):
            if live:
                del self._queue[index]
                self._live -= 1
                self.dropped += 1
                return

    def flush(self, timeout: float) -> bool:
        """Wait until all is written; False when it was not in time."""
        end = time.monotonic() + timeout
        with self._changed:
            while (self._queue or self._busy) and not self.broken:
                left = end - time.monotonic()
                if left <= 0:
                    return False
                self._changed.wait(left)
            return not self.broken

    def _write(self) -> None:
        while True:
            with self._changed:
                self._busy = False
                self._changed.notify_all()
                while not self._queue:
                    self._changed.wait()
                live, event = self._queue.popleft()
                self._live -= live
                self._busy = True
            data = event_line(event)
            try:
                while data:
                    data = data[os.write(self._fd, data) :]
            except OSError:
                with self._changed:
                    self.broken = True
                    self._changed.notify_all()
                return
