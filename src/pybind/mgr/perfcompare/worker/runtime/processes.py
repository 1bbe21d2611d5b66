"""Load programs as children: started, watched and killed without fail."""

from typing import BinaryIO, Dict, List, Optional

import os
import subprocess
import sys
import threading
import time

from ..wire.protocol import RESULT_MAX

_HERE = os.path.dirname(os.path.abspath(__file__))
_STUB = os.path.join(_HERE, 'exec_child.py')


def leashed(
    argv: List[str], nice: int = 0, limit: int = RESULT_MAX
) -> List[str]:
    """Return ``argv`` so that it dies with this process.

    None of its files can have more than ``limit`` bytes.
    """
    stub = [sys.executable, '-I', '-S', '-B', _STUB, str(os.getpid())]
    return stub + [str(nice), str(limit)] + argv


class Child:
    """Hold one child with its output in files of the spool folder."""

    def __init__(
        self, process: 'subprocess.Popen[bytes]', folder: str, label: str
    ) -> None:
        self._process = process
        self._folder = folder
        self.label = label
        self.pid = process.pid
        self.started = time.monotonic()
        self.ended: Optional[float] = None

    def poll(self) -> Optional[int]:
        """Return the exit code, or None while it runs."""
        code = self._process.poll()
        if code is not None and self.ended is None:
            self.ended = time.monotonic()
        return code

    def terminate(self) -> None:
        """Send SIGTERM, unless it was reaped already."""
        try:
            self._process.terminate()
        except ProcessLookupError:
            pass

    def kill(self) -> None:
        """Send SIGKILL, unless it was reaped already."""
        try:
            self._process.kill()
        except ProcessLookupError:
            pass

    def output(self) -> str:
        """Return all that it wrote to standard output."""
        return self._read('out', RESULT_MAX)

    def errors(self) -> str:
        """Return the end of what it wrote to standard error."""
        return self._read('err', 16384, tail=True)

    def _read(self, kind: str, limit: int, tail: bool = False) -> str:
        path = os.path.join(self._folder, f'{self.label}.{kind}')
        try:
            with open(path, 'rb') as file:
                if tail:
                    size = os.fstat(file.fileno()).st_size
                    file.seek(max(0, size - limit))
                return file.read(limit).decode('utf-8', 'replace')
        except OSError:
            return ''


class Children:
    """Start children and know all that live; safe to use from threads."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self._lock = threading.Lock()
        self._all: Dict[int, Child] = {}
        self._closed = False

    def start(
        self,
        label: str,
        argv: List[str],
        nice: int = 0,
        env: Optional[Dict[str, str]] = None,
        limit: int = RESULT_MAX,
    ) -> Child:
        """Start ``argv`` with its output in files named by ``label``.

        ``env`` is its whole environment; None is ours. ``limit`` are the
        bytes that each of its files can have.
        """
        with self._lock:
            if self._closed:
                raise RuntimeError('the worker is ending')
            with (
                self._create(label, 'out') as out,
                self._create(label, 'err') as err,
            ):
                # Relative paths: a socket's path has 107 bytes at most.
                process = subprocess.Popen(
                    leashed(argv, nice, limit),
                    stdin=subprocess.DEVNULL,
                    stdout=out,
                    stderr=err,
                    cwd=self.folder,
                    env=env,
                    close_fds=True,
                )
            child = Child(process, self.folder, label)
            self._all[child.pid] = child
            return child

    def _create(self, label: str, kind: str) -> BinaryIO:
        path = os.path.join(self.folder, f'{label}.{kind}')
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        return os.fdopen(os.open(path, flags, 0o600), 'wb')

    def alive(self) -> List[Child]:
        """Return the children that have not been reaped yet."""
        with self._lock:
            for pid in [
                p for p, c in self._all.items() if c.poll() is not None
            ]:
                del self._all[pid]
            return list(self._all.values())

    def kill_all(self, close: bool = False) -> None:
        """Send SIGKILL to all; with ``close`` no new one can start."""
        # never wait for ever: a start may hang on a dead file system
        held = self._lock.acquire(timeout=0.5)
        try:
            self._closed = self._closed or close
            for child in list(self._all.values()):
                child.kill()
        finally:
            if held:
                self._lock.release()

    def kill_and_reap(self, timeout: float) -> List[Child]:
        """Kill all and wait; return those that did not go in time."""
        self.kill_all(close=True)
        end = time.monotonic() + timeout
        left = self.alive()
        while left and time.monotonic() < end:
            time.sleep(0.01)
            left = self.alive()
        return left
