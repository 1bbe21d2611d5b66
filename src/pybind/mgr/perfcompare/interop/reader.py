"""Have a file of another tool read, in a process that can do no harm.

The file is written to a private folder, as the child must not depend on
how fast we feed it; folder and child are gone when the call returns.
"""

from typing import List, Optional, Protocol

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
import time

from ..errors import Busy, InvalidArgument, NotFound, PerfcompareError
from ..worker.interop.reading import Reading
from ..worker.strict import Malformed, decode
from ..workers import environment

log = logging.getLogger(__name__)

SECONDS = 30.0  # commands of the module wait meanwhile
RESULT_MAX = 128 * 1024 * 1024
STALE = 600.0
PREFIX = 'perfcompare-import-'
_HERE = os.path.dirname(os.path.abspath(__file__))


class Reader(Protocol):
    """Read a file of another tool."""

    def read(self, text: str, tool: str) -> Reading:
        """Return what it says; InvalidArgument says what is wrong."""


class ProcessReader:
    """Read files in a child process, one at a time."""

    def __init__(
        self, python: Optional[str] = None, seconds: float = SECONDS
    ) -> None:
        self._python = python
        self._seconds = seconds
        self._lock = threading.Lock()

    def read(self, text: str, tool: str) -> Reading:
        """Return what a file says."""
        if not self._lock.acquire(blocking=False):
            raise Busy('another file is being imported; try again')
        try:
            _clear_stale()
            folder = tempfile.mkdtemp(prefix=PREFIX)
            try:
                return self._read(folder, text, tool)
            finally:
                shutil.rmtree(folder, ignore_errors=True)
        except OSError as error:
            raise PerfcompareError(
                f'cannot read the file: {error}', error.errno
            ) from None
        finally:
            self._lock.release()

    def _read(self, folder: str, text: str, tool: str) -> Reading:
        path = os.path.join(folder, 'file')
        result = os.path.join(folder, 'result')
        with open(path, 'wb') as file:
            # in parts: encoding all at once needs as much memory again
            for at in range(0, len(text), 1 << 20):
                part = text[at : at + (1 << 20)]
                file.write(part.encode('utf-8', 'surrogatepass'))
        code = self._run(folder, [tool, path, result])
        if not os.path.exists(result):
            raise InvalidArgument(
                f'the file cannot be read (its reader ended with {code})'
            )
        if os.path.getsize(result) > RESULT_MAX:
            raise InvalidArgument('the file holds too many samples')
        with open(result, encoding='ascii') as answer:
            data = json.load(answer)
        if 'error' in data:
            raise InvalidArgument(f'the file is refused: {data["error"]}')
        try:
            return decode(Reading, data['reading'])
        except Malformed as error:
            raise InvalidArgument(f'the file is refused: {error}') from None

    def _run(self, folder: str, words: List[str]) -> str:
        python = self._python or shutil.which('python3')
        if python is None:
            raise NotFound(
                "program 'python3' was not found: install Python 3 on the "
                "manager's host"
            )
        child = subprocess.Popen(
            [python, '-E', '-s', '-B', '-m', 'worker.interop', *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            cwd=os.path.dirname(_HERE),
            env=dict(environment(), TMPDIR=folder),
            close_fds=True,
            start_new_session=True,
        )
        try:
            _, errors = child.communicate(timeout=self._seconds)
        except subprocess.TimeoutExpired:
            raise InvalidArgument(
                f'the file took more than {self._seconds:.0f} s to read; '
                'import a summary instead, such as of '
                '`warp analyze --json`'
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
            and found.st_mtime < time.time() - STALE
        ):
            shutil.rmtree(path, ignore_errors=True)
