"""Wait for a condition, with a limit."""

from typing import Callable, Optional, TypeVar

import time

Found = TypeVar('Found')


def wait_for(
    look: Callable[[], Optional[Found]],
    seconds: float,
    what: str,
    step: float = 0.5,
) -> Found:
    """Return the first true answer of `look`; fail after `seconds`."""
    deadline = time.monotonic() + seconds
    while True:
        found = look()
        if found:
            return found
        if time.monotonic() > deadline:
            raise AssertionError('not within %d s: %s' % (seconds, what))
        time.sleep(step)
