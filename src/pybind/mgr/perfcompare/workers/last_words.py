"""What a worker that ended without a result left to say why."""

from typing import Optional

import os

from ..worker.wire.protocol import LOG_FILE

ROOM = 1 << 20  # bytes without which a worker cannot write its result


def tail(folder: str) -> str:
    """Return the end of the log of the worker in a folder, in one line."""
    try:
        with open(os.path.join(folder, LOG_FILE), 'rb') as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - 500))
            return ' '.join(file.read().decode('utf-8', 'replace').split())
    except OSError:
        return ''


def why(folder: str, code: Optional[int]) -> str:
    """Return the exit code and the end of the log, in one line."""
    last = tail(folder)
    how = f'code {code}'
    if code is not None and code < 0:
        how = f'killed by signal {-code} (is the host out of memory?)'
    return how + (f', {last}' if last else '') + _full(folder)


def _full(folder: str) -> str:
    """Say whether there was no room for what it had to write."""
    try:
        found = os.statvfs(os.path.dirname(folder))
    except OSError:
        return ''
    if found.f_bavail * found.f_frsize >= ROOM:
        return ''
    return (
        f'; no space is left in {os.path.dirname(folder)!r}: set '
        'option run_dir to a folder with room'
    )
