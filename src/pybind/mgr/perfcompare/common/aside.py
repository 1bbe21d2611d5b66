"""Have one thing done beside the thread that must not wait for it."""

from typing import Callable, Generic, Optional, TypeVar

import concurrent.futures
import threading

T = TypeVar('T')


class Aside(Generic[T]):
    """Do one thing at a time in a thread of its own; used by one thread."""

    def __init__(self) -> None:
        self._future: Optional['concurrent.futures.Future[T]'] = None

    def begin(self, call: Callable[[], T]) -> None:
        """Begin it, unless the last one is not taken yet."""
        if self._future is not None:
            return
        future: 'concurrent.futures.Future[T]' = concurrent.futures.Future()
        threading.Thread(
            target=_fill, args=(future, call), daemon=True
        ).start()
        self._future = future

    def ended(self, seconds: Optional[float] = 0.0) -> bool:
        """Say whether there is something to take; wait for it so long.

        Without ``seconds``, wait until there is.
        """
        if self._future is None:
            return False
        concurrent.futures.wait([self._future], seconds)
        return self._future.done()

    def take(self) -> T:
        """Return what ended; raise what it raised."""
        future, self._future = self._future, None
        assert future is not None
        return future.result()


def _fill(
    future: 'concurrent.futures.Future[T]', call: Callable[[], T]
) -> None:
    try:
        future.set_result(call())
    except BaseException as error:  # whoever takes it gets it
        future.set_exception(error)
