"""Forked processes that say what became of them before they go on."""

from typing import Callable, TextIO, Tuple

import contextlib
import os


def fork(work: Callable[[int], None]) -> Tuple[int, TextIO]:
    """Fork a process in a session of its own; return its id and a pipe.

    What the work writes to the file descriptor that it gets, and the error
    that ended it, can be read from the pipe. The work does not return: it
    becomes another program or exits.
    """
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.close(reader)
            os.setsid()
            work(writer)
        except BaseException as error:  # nothing may return from a fork
            with contextlib.suppress(OSError):
                os.write(writer, str(error).encode())
        finally:
            os._exit(1)
    os.close(writer)
    return pid, os.fdopen(reader, encoding='utf-8')


def close_others(kept: int) -> None:
    """Close what came from the caller: locks and pipes among it."""
    os.closerange(3, kept)
    os.closerange(kept + 1, os.sysconf('SC_OPEN_MAX'))
