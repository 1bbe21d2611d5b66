"""Write down how a run is to end as soon as an operator says so.

The thread that drives the run kills its load first, which takes seconds; a
mgr that dies meanwhile must not have its successor go on with the run.
"""

from typing import Callable, Optional

import threading

from .active_run import Ending

PATIENCE = 0.1  # seconds that a command waits for the mons


class Notice:
    """Write the end of one run, once, beside the command that wants it."""

    def __init__(
        self, write: Callable[[Ending], bool], ready: bool = True
    ) -> None:
        """Write nothing until begin(), if it is not ``ready``."""
        self._write = write
        self._ready = ready
        self._wanted: Optional[Ending] = None  # before it was ready
        self._written = False
        self._lock = threading.Lock()
        self._thread: Optional[threading.Thread] = None
        self._settled = False

    def give(self, ending: Ending) -> bool:
        """Write it in a thread of its own; return whether it is written.

        No command waits long for the mons. The first one stands, and none is
        written any more once the run itself knows how it ends.
        """
        with self._lock:
            if not self._ready:
                self._wanted = self._wanted or ending
                return False
            self._start(ending)
            thread = self._thread
        if thread is not None:
            thread.join(PATIENCE)
        return self._written

    def begin(self) -> None:
        """Write from now on, and what was given before: the run is saved.

        Saving it would remove an end that was written before.
        """
        with self._lock:
            self._ready = True
            if self._wanted is not None:
                self._start(self._wanted)

    def _start(self, ending: Ending) -> None:
        if self._thread is None and not self._settled:
            self._thread = threading.Thread(
                target=self._main, args=(ending,), daemon=True
            )
            self._thread.start()

    def _main(self, ending: Ending) -> None:
        self._written = self._write(ending)

    def settle(self) -> None:
        """Wait for what is being written; from now on nothing is."""
        with self._lock:
            self._settled = True
            thread = self._thread
        if thread is not None:
            thread.join()
