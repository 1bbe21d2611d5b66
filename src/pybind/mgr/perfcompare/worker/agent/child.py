"""One worker process as its agent leads it, from its job to its result."""

from typing import Any, Dict, List, Optional

import base64
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import zlib

from ..runtime.failure import printable, scrub
from ..wire.agents import (
    ENDED,
    EVENT,
    FILES,
    LINE_BOUND,
    PACKED_MAX,
    PIECE,
    PROGRAMS,
    REMOTE_KINDS,
    RESULT,
    Line,
)
from ..wire.protocol import (
    LEASE_MAX,
    LINE_MAX,
    LOG_FILE,
    PROTOCOL,
    RESULT_FILE,
    RESULT_MAX,
    command_line,
)
from ..wire.s3_spec import SPEC
from ..wire.strict import Malformed

_PROGRAM = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
KEPT = ('PATH', 'LD_LIBRARY_PATH', 'TMPDIR')
FILE_MAX = 1 << 16  # characters of a file that comes with a job
UNSAID_MAX = 2 * LINE_MAX  # bytes that wait for a worker to read
PATIENCE = 10.0  # seconds that it may read nothing of them


def localized(
    data: Dict[str, Any], files: Dict[str, str], folder: str, conf: str
) -> Dict[str, Any]:
    """Return a job whose paths are ours; its files are written, mode 0600.

    Only kinds that a load host does, and no program but our own.
    """
    if data.get('kind') not in REMOTE_KINDS:
        raise Malformed(
            f'jobs of kind {data.get("kind")!r} are not done here'
        )
    job: Dict[str, Any] = json.loads(json.dumps(data))
    access = job.get('access')
    if not isinstance(access, dict):
        raise Malformed('job: no access')
    access.update(conf=conf, rados='rados')
    job.update({name: name for name in PROGRAMS if name in job})
    for path in FILES:
        name = '.'.join(path)
        place = job if len(path) == 1 else access
        if name not in files:
            if place.get(path[-1]):
                raise Malformed(f'job: file {name} is missing')
            continue
        text = files[name]
        if len(text) > FILE_MAX:
            raise Malformed(f'job: file {name} is too long')
        where = _place(folder, name)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        with os.fdopen(os.open(where, flags, 0o600), 'w') as file:
            file.write(text)
        place[path[-1]] = where
    return job


def _place(folder: str, name: str) -> str:
    return os.path.join(folder, f'file.{name}')


class Child:
    """Lead one worker process; nothing here waits for long."""

    def __init__(self, name: str, folder: str) -> None:
        """Keep its files in ``folder``, which is made, for us alone."""
        self.name = name
        self._folder = folder
        self._buffer = b''
        self._unsaid = b''
        self._heard = 0.0  # monotonic time at which it last took some of it
        self._ident = 0
        self._dropped = 0
        os.mkdir(folder, 0o700)
        path = os.path.join(folder, LOG_FILE)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        environment = {'LC_ALL': 'C.UTF-8', 'OPENBLAS_NUM_THREADS': '1'}
        environment['PATH'] = os.defpath
        environment.update(
            {n: os.environ[n] for n in KEPT if os.environ.get(n)}
        )
        with os.fdopen(os.open(path, flags, 0o600), 'wb') as errors:
            self._process = subprocess.Popen(
                [sys.executable, '-E', '-s', '-B', '-m', 'worker'],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                bufsize=0,
                cwd=os.path.dirname(_PROGRAM),
                env=environment,
                close_fds=True,
                start_new_session=True,
            )
        assert self._process.stdin and self._process.stdout
        os.set_blocking(self._process.stdin.fileno(), False)
        os.set_blocking(self._process.stdout.fileno(), False)

    def fileno(self) -> int:
        """Return what a select waits for."""
        assert self._process.stdout is not None
        return self._process.stdout.fileno()

    def prepare(self, job: Dict[str, Any]) -> None:
        """Give it its job."""
        self._ident += 1
        self.say(
            command_line(
                'prepare',
                self._ident,
                protocol=PROTOCOL,
                job=job,
                spool=self._folder,
            ).decode()
        )

    def renew(self, seconds: float) -> None:
        """Let it go on for so long, unless that would have to wait.

        It counts the seconds from when it reads of them.
        """
        if seconds > 0 and not self._unsaid:
            self._ident += 1
            self.say(
                command_line(
                    'lease', self._ident, ttl=min(seconds, LEASE_MAX)
                ).decode()
            )

    def say(self, line: str) -> None:
        """Pass a command on, by and by where the pipe is full."""
        if not self._unsaid:
            self._heard = time.monotonic()
        self._unsaid += line.rstrip('\n').encode() + b'\n'
        self.drain()

    def drain(self) -> None:
        """Pass on what waits; one that does not listen is killed."""
        if not self._unsaid:
            return
        assert self._process.stdin is not None
        now = time.monotonic()
        try:
            taken = os.write(self._process.stdin.fileno(), self._unsaid)
            self._unsaid, self._heard = self._unsaid[taken:], now
            deaf = False
        except BlockingIOError:
            deaf = now - self._heard > PATIENCE
        except OSError:
            deaf = True
        if deaf or len(self._unsaid) > UNSAID_MAX:
            self._unsaid = b''
            self.kill()

    @property
    def unheard(self) -> List[int]:
        """Return what a select waits for while something is unsaid."""
        assert self._process.stdin is not None
        return [self._process.stdin.fileno()] if self._unsaid else []

    def lines(self) -> List[Line]:
        """Return the events that came in."""
        found = []
        for _ in range(16):
            try:
                data = os.read(self.fileno(), 65536)
            except OSError:
                break
            if not data:
                break
            self._buffer += data
        *lines, self._buffer = self._buffer.split(b'\n')
        if len(self._buffer) > LINE_MAX:
            self._buffer = b''
            self.kill()
        for line in lines:
            text = line.decode('utf-8', 'replace')
            if len(text) <= LINE_BOUND:
                found.append(Line(self.name, EVENT, text))
            elif not text.startswith(('{"event":"live"', '{"event":"beat"')):
                self.kill()
        return found

    @property
    def over(self) -> bool:
        """Say whether the process ended; it is not reaped by that."""
        try:
            flags = os.WEXITED | os.WNOHANG | os.WNOWAIT
            return os.waitid(os.P_PID, self._process.pid, flags) is not None
        except ChildProcessError:
            return True

    def kill(self) -> None:
        """Send SIGKILL to all of its processes; its keys go at once.

        A process that waits in the kernel may stay for long.
        """
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass
        for path in self._secret():
            try:
                os.unlink(path)
            except OSError:
                pass

    def _secret(self) -> List[str]:
        """Return the files that keys are in, or may be."""
        found = [_place(self._folder, '.'.join(path)) for path in FILES]
        try:
            names = os.listdir(self._folder)
        except OSError:
            names = []
        # also of one that is not written to its end
        return found + [
            os.path.join(self._folder, name)
            for name in names
            if name.endswith((SPEC, SPEC + '.new'))
        ]

    def last(self) -> List[Line]:
        """Return what is left to say of a process that ended; reap it.

        Its events, its result in pieces, and how it ended. Its files go.
        """
        found = self.lines()
        self.kill()  # whom it may have left behind
        code = self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()
        problem = ''
        try:
            found += self._result()
        except OSError as error:
            problem = f'its result cannot be read: {error}'
        told = {'code': code, 'log': problem or self._log()}
        found.append(Line(self.name, ENDED, json.dumps(told)))
        shutil.rmtree(self._folder, ignore_errors=True)
        return found

    def _result(self) -> List[Line]:
        path = os.path.join(self._folder, RESULT_FILE)
        if not os.path.exists(path):
            return []
        packer = zlib.compressobj(6)
        packed = bytearray()
        with open(path, 'rb') as file:
            left: Optional[int] = RESULT_MAX
            while left:
                data = file.read(min(left, 1 << 20))
                if not data:
                    break
                left -= len(data)
                packed += packer.compress(data)
        packed += packer.flush()
        if len(packed) > PACKED_MAX:
            raise OSError(f'{len(packed)} bytes are too many')
        text = base64.b64encode(bytes(packed)).decode()
        return [
            Line(self.name, RESULT, text[i : i + PIECE])
            for i in range(0, len(text), PIECE)
        ]

    def _log(self) -> str:
        try:
            with open(os.path.join(self._folder, LOG_FILE), 'rb') as file:
                size = os.fstat(file.fileno()).st_size
                file.seek(max(0, size - 500))
                text = file.read().decode('utf-8', 'replace')
        except OSError:
            return ''
        return scrub(printable(' '.join(text.split())))
