"""Have a file that is imported read, in a process that can do no harm.

The file is written to a private folder, as the child must not depend on
how fast we feed it; folder and child are gone when the reader is left.
"""

from typing import Any, ContextManager, Dict, Iterator, Optional, Protocol

import contextlib
import json
import logging
import os
import re
import shutil
import signal
import stat
import subprocess
import tempfile
import threading

from ..common.clock import SYSTEM
from ..common.errors import Busy, InvalidArgument, NotFound, PerfcompareError
from ..workers.process import environment
from .request import FILE, REQUEST, RESULT, ROWS

log = logging.getLogger(__name__)

SECONDS = 60.0
ROWS_MAX = 1 << 30  # bytes
STALE = 600.0
PREFIX = 'perfcompare-import-'
_HERE = os.path.dirname(os.path.abspath(__file__))


class Reader(Protocol):
    """Read a file that is imported."""

    def rows(self, text: str, request: Dict[str, Any]) -> ContextManager[str]:
        """Give the path of a database with its rows, for a while.

        InvalidArgument says what is wrong with the file.
        """


class ProcessReader:
    """Read files in a child process, one at a time."""

    def __init__(
        self, python: Optional[str] = None, seconds: float = SECONDS
    ) -> None:
        self._python = python
        self._seconds = seconds
        self._lock = threading.Lock()

    @contextlib.contextmanager
    def rows(self, text: str, request: Dict[str, Any]) -> Iterator[str]:
        """Give the rows of a file; see `prepare` for the request."""
        if not self._lock.acquire(blocking=False):
            raise Busy('another file is being imported; try again')
        try:
            _clear_stale()
            folder = tempfile.mkdtemp(prefix=PREFIX)
            try:
                yield self._rows(folder, text, request)
            finally:
                shutil.rmtree(folder, ignore_errors=True)
        except OSError as error:
            raise PerfcompareError(
                f'cannot read the file: {error}', error.errno
            ) from None
        finally:
            self._lock.release()

    def _rows(self, folder: str, text: str, request: Dict[str, Any]) -> str:
        with open(os.path.join(folder, FILE), 'wb') as file:
            # in parts: encoding all at once needs as much memory again
            for at in range(0, len(text), 1 << 20):
                part = text[at : at + (1 << 20)]
                file.write(part.encode('utf-8', 'surrogatepass'))
        with open(os.path.join(folder, REQUEST), 'w') as words:
            json.dump(request, words)
        code = self._run(folder)
        result = os.path.join(folder, RESULT)
        if not os.path.exists(result):
            raise InvalidArgument(
                f'the file cannot be read (its reader ended with {code})'
            )
        with open(result, encoding='ascii') as answer:
            error = json.load(answer)['error']
        if error:
            raise InvalidArgument(error)
        rows = os.path.join(folder, ROWS)
        if os.path.getsize(rows) > ROWS_MAX:
            raise InvalidArgument('the file holds too many samples')
        return rows

    def _run(self, folder: str) -> str:
        python = self._python or shutil.which('python3')
        if python is None:
            raise NotFound(
                "program 'python3' was not found: install Python 3 on the "
                "Manager's host"
            )
        package = os.path.dirname(_HERE)
        name = f'{os.path.basename(package)}.importer'
        child = subprocess.Popen(
            [python, '-E', '-s', '-B', '-m', name, folder],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            cwd=os.path.dirname(package),
            env=dict(environment(), TMPDIR=folder),
            close_fds=True,
            start_new_session=True,
        )
        try:
            _, errors = child.communicate(timeout=self._seconds)
        except subprocess.TimeoutExpired:
            raise InvalidArgument(
                f'the file took more than {self._seconds:.0f} s to read; '
                'import less at a time, of another tool a summary, such as '
                'of `warp analyze --json`'
            ) from None
        finally:
            _end(child)
        if child.returncode:
            log.warning(
                'reader: %s', errors[-2000:].decode('utf-8', 'replace')
            )
        return f'code {child.returncode}'


def _end(child: 'subprocess.Popen[bytes]') -> None:
    """Kill what is left of the child's group, and reap it."""
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except OSError:
        pass
    try:
        child.communicate(timeout=1.0)
    except (subprocess.TimeoutExpired, ValueError):
        pass


def _clear_stale() -> None:
    """Remove folders of a mgr that was killed while it imported."""
    base = tempfile.gettempdir()
    pattern = re.compile(re.escape(PREFIX) + r'[A-Za-z0-9_]{8}')
    for name in os.listdir(base):
        path = os.path.join(base, name)
        try:
            found = os.lstat(path)
        except OSError:
            continue
        if (
            pattern.fullmatch(name)
            and stat.S_ISDIR(found.st_mode)
            and found.st_uid == os.geteuid()
            and found.st_mtime < SYSTEM.wall() - STALE
        ):
            shutil.rmtree(path, ignore_errors=True)
