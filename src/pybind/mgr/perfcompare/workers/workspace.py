"""The private folder of a run on the mgr's host: keyring, sockets, spool.

Nothing in it outlives the run: it is removed at its end, and folders that
a killed mgr left are removed when the module starts.
"""

from typing import List

import contextlib
import logging
import os
import re
import shutil
import stat
import tempfile

from ..common.errors import PerfcompareError

log = logging.getLogger(__name__)

_NAME = re.compile(r'perfcompare-[0-9a-f]{8}')
# a socket's path may have 107 characters; sockets are '<folder>/<short>'
MAX_PATH = 80


class Workspace:
    """Own the folder of one run."""

    def __init__(self, path: str) -> None:
        self.path = path

    @classmethod
    def create(cls, base: str, run: str) -> 'Workspace':
        """Make the folder, mode 0700; an old one of this run goes first."""
        path = os.path.join(base, f'perfcompare-{run}')
        if len(path) > MAX_PATH:
            raise PerfcompareError(
                f'run_dir {base!r} is too long for sockets; set option '
                f'run_dir to a path of at most {MAX_PATH - 21} characters'
            )
        try:
            os.makedirs(base, mode=0o755, exist_ok=True)
            _remove(path)
            os.mkdir(path, 0o700)
        except OSError as error:
            raise PerfcompareError(
                f'cannot make {path!r}: {error.strerror}; set option '
                'run_dir to a folder that the Manager can write',
                error.errno,
            )
        return cls(path)

    def keyring(self, text: str) -> str:
        """Return the path of the file that holds a key, mode 0600."""
        path = os.path.join(self.path, 'keyring')
        if not os.path.exists(path):
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
            try:
                with os.fdopen(os.open(path, flags, 0o600), 'w') as file:
                    file.write(text)
            except OSError as error:
                with contextlib.suppress(OSError):
                    os.unlink(path)  # half a key would be taken for one
                raise PerfcompareError(
                    f'cannot write {path!r}: {error.strerror}', error.errno
                ) from None
        return path

    def remove(self) -> None:
        """Remove the folder with all that is in it."""
        _remove(self.path)


def default_base(ceph_run_dir: str) -> str:
    """Return where folders go when the option run_dir is empty.

    The run_dir of Ceph where the mgr can write there, else the temporary
    folder of the host.
    """
    if ceph_run_dir and os.access(ceph_run_dir, os.W_OK):
        return ceph_run_dir
    return tempfile.gettempdir()


def clear_stale(base: str) -> List[str]:
    """Remove folders of former runs that this user owns; name them."""
    gone = []
    try:
        names = os.listdir(base)
    except OSError:
        return []
    for name in sorted(names):
        path = os.path.join(base, name)
        if not _NAME.fullmatch(name):
            continue
        try:
            found = os.lstat(path)
            if stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid():
                _remove(path)
                gone.append(path)
        except OSError as error:
            log.warning('cannot remove %s: %s', path, error)
    return gone


def _remove(path: str) -> None:
    try:
        shutil.rmtree(path)
    except FileNotFoundError:
        pass
