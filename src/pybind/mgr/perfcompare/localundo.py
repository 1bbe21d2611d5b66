"""Undo what a run left on this machine: private folders, processes."""

from typing import Optional

import errno
import os
import re
import shutil
import signal
import socket
import stat

from .errors import NotPermitted

_FOLDER = re.compile(r'perfcompare-[0-9a-f]{8}\Z')


def machine() -> str:
    """Return the name by which journal entries know this machine."""
    return socket.gethostname()


def remove_folder(path: str) -> None:
    """Remove a run's private folder; fine when it is absent.

    Raises NotPermitted for a path that no run made.
    """
    name = os.path.basename(path)
    if not os.path.isabs(path) or not _FOLDER.match(name):
        raise NotPermitted(f'{path!r} is not a private folder of a run')
    try:
        found = os.lstat(path)
    except FileNotFoundError:
        return
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid():
        raise NotPermitted(f'{path!r} is not a folder of this user')
    shutil.rmtree(path)


def start_of(pid: int) -> Optional[str]:
    """Return the start time of a process in ticks, None without it.

    With the pid it names a process for as long as the machine runs.
    """
    try:
        with open(f'/proc/{pid}/stat', encoding='utf-8') as file:
            # the command in parentheses can hold anything
            return file.read().rpartition(')')[2].split()[19]
    except (OSError, IndexError):
        return None


def kill_group(pid: int, start: str) -> None:
    """Kill the process group that ``pid`` leads; fine when it is gone.

    ``start`` is what ``start_of`` said when the process was young: a pid
    that was used again is left alone.
    """
    if pid <= 1 or start_of(pid) != start:
        return
    try:
        os.killpg(pid, signal.SIGKILL)
    except OSError as error:
        if error.errno != errno.ESRCH:
            raise
