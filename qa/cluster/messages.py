"""What the program says: progress lines and one-line errors."""

import errno
import sys
import time


class ClusterError(Exception):
    """An error that is one line for the user, with an errno."""

    def __init__(self, message: str, code: int = errno.EINVAL) -> None:
        super().__init__(message)
        self.errno = code


_started = time.monotonic()


def say(text: str) -> None:
    """Print one progress line to stderr, with the seconds since the start."""
    elapsed = time.monotonic() - _started
    print('[%5.1f s] %s' % (elapsed, text), file=sys.stderr, flush=True)


def last_line(text: str) -> str:
    """Return the last non-empty line of a tool's output, for a message."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else 'no output'
