"""Workers of this host: started, led, listened to, killed.

No call here waits longer than about two seconds, and only `kill` that long;
`start` waits until the worker has read a job that is larger than a pipe.
"""

from typing import Any, Dict, List, Optional, Tuple

import fcntl
import logging
import os
import shutil
import signal
import subprocess
import threading

from ..common.clock import SYSTEM
from ..common.errors import InvalidArgument, NotFound
from ..model.outcome import Outcome
from ..ports.clock import Clock
from ..worker.wire.jobs import Job, job_to_data
from ..worker.wire.protocol import (
    LEASE_LOST,
    LEASE_TTL,
    LINE_MAX,
    LOG_FILE,
    PROTOCOL,
    RESULT_MAX,
    Ended,
    Event,
    command_line,
    parse_event,
)
from ..worker.wire.strict import Malformed
from .ending import Ending
from .last_words import tail, why
from .outcomes import WorkerFailed, read_outcome
from .worker import refuse_unsound

log = logging.getLogger(__name__)

# the folder of the module
_MODULE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

READ_MAX = 1 << 18  # bytes of events handled in one poll
KILL_WAIT = 1.5  # seconds
PATIENCE = 10.0  # seconds for a worker to begin to read


class ProcessLauncher:
    """Make workers that are processes of this host."""

    def __init__(self, folder: str, python: Optional[str] = None) -> None:
        """Keep the workers' files below ``folder``, private to us."""
        self._folder = folder
        self._python = python

    def worker(self, name: str) -> 'WorkerProcess':
        """Return a worker, not yet started, whose files are ``name``."""
        # in a manager sys.executable is empty
        python = self._python or shutil.which('python3')
        if python is None:
            raise NotFound(
                "program 'python3' was not found: install Python 3 on the "
                "Manager's host"
            )
        return WorkerProcess(python, os.path.join(self._folder, name))


class WorkerProcess:
    """Lead one worker process through one job."""

    def __init__(
        self, python: str, folder: str, clock: Clock = SYSTEM
    ) -> None:
        self._clock = clock
        self._python = python
        self._folder = folder
        self._process: Optional['subprocess.Popen[bytes]'] = None
        self._buffer = b''
        self._ident = 0
        self._renewed = 0.0
        self._saying = False  # its job, which it has not read whole
        self._ttl = LEASE_TTL
        self._kill_at: Optional[float] = None
        self._ending = Ending('the worker', ': restart the Manager')
        self._told = False
        self._killed = False
        # `stop --now` kills from another thread than the runner's
        self._lock = threading.RLock()
        self.ended = False
        self.gathering = False  # a result is there when it is told of
        self.returncode: Optional[int] = None

    @property
    def pid(self) -> Optional[int]:
        """Return the process id, which is the group's as well."""
        return self._process.pid if self._process else None

    def start(self, job: Job) -> None:
        """Start the process and give it its job."""
        refuse_unsound(job)
        if self._process is not None:
            raise InvalidArgument('worker: a worker does one job only')
        try:
            os.makedirs(os.path.dirname(self._folder), 0o700, exist_ok=True)
            os.mkdir(self._folder, 0o700)
            self._process = self._spawn()
        except OSError as error:
            raise WorkerFailed(
                'spool', f'cannot start a worker in {self._folder!r}: {error}'
            ) from None
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            flags = fcntl.fcntl(pipe, fcntl.F_GETFL)
            fcntl.fcntl(pipe, fcntl.F_SETFL, flags | os.O_NONBLOCK)
        self._renewed = self._clock.monotonic()
        self._must('prepare', self._prepare(job))

    def _spawn(self) -> 'subprocess.Popen[bytes]':
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        path = os.path.join(self._folder, LOG_FILE)
        # No preexec_fn: sub-interpreters forbid it. No parent death signal:
        # it would fire when the thread that called us ends.
        with os.fdopen(os.open(path, flags, 0o600), 'wb') as errors:
            return subprocess.Popen(
                [self._python, '-E', '-s', '-B', '-m', 'worker'],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                bufsize=0,
                cwd=_MODULE,  # its package is worker/
                env=environment(),
                close_fds=True,
                start_new_session=True,
            )

    def _send(self, name: str, **values: Any) -> bool:
        with self._lock:
            if self._saying:  # this one would be in the middle of it
                return False
            self._ident += 1
            line = command_line(name, self._ident, **values)
            return self._write(line) == len(line)

    def _write(self, data: bytes) -> int:
        """Return how many bytes were taken; -1 when it is gone."""
        process = self._process
        if process is None or process.stdin is None or self.ended:
            return -1
        try:
            return os.write(process.stdin.fileno(), data)
        except BlockingIOError:
            return 0
        except OSError:
            return -1

    def _prepare(self, job: Job) -> bool:
        """Say the job, which may have more bytes than a pipe takes at once.

        Another thread may kill the worker meanwhile.
        """
        self._ident += 1
        left = command_line(
            'prepare',
            self._ident,
            protocol=PROTOCOL,
            job=job_to_data(job),
            spool=self._folder,
        )
        end = self._clock.monotonic() + PATIENCE
        self._saying = True
        while left and self._clock.monotonic() < end:
            with self._lock:
                taken = self._write(left)
            if taken < 0:
                return False
            left = left[taken:]
            if left:
                self._clock.wait(0.02)
        self._saying = False
        return not left

    def _must(self, name: str, told: bool) -> None:
        if not told:
            self.kill()
            raise WorkerFailed(
                'died',
                f'the worker cannot be told to {name}: '
                + why(self._folder, self.returncode),
            )

    def renew(self, ttl: float = LEASE_TTL) -> bool:
        """Renew the lease; False when the worker cannot be reached."""
        # before it is sent: the worker's clock starts when it arrives
        now = self._clock.monotonic()
        if not self._send('lease', ttl=ttl):
            return False
        self._renewed, self._ttl = now, ttl
        return True

    def go(self) -> None:
        """Start the load."""
        self._must('go', self._send('go'))

    def stop(
        self, grace: float = 2.0, window: Optional[Tuple[float, float]] = None
    ) -> None:
        """Ask for an orderly end; after ``grace`` s poll() kills it."""
        self._kill_at = self._clock.monotonic() + grace
        if not self._send('stop', window=window, within=grace):
            self._kill_at = self._clock.monotonic()

    def poll(self) -> List[Event]:
        """Return the events that came in; the last one of all is Ended."""
        with self._lock:
            return self._poll()

    def _poll(self) -> List[Event]:
        if self._process is None or self._told:
            return []
        if self.ended:
            self._told = True
            return [Ended(self.returncode or 0)]
        gone = self._exited()
        events = self._read(READ_MAX if not gone else LINE_MAX)
        if not gone and self._kill_at is not None:
            if self._clock.monotonic() >= self._kill_at:
                self.kill()
                gone = True
        if gone:
            self.kill()  # what it may have left behind
            self._told = True
            events.append(Ended(self.returncode or 0))
        return events

    def _exited(self) -> bool:
        """Say whether the process ended, without reaping it.

        Until it is reaped its process group cannot become another's.
        """
        assert self._process is not None
        if self._process.returncode is not None:
            return True
        try:
            flags = os.WEXITED | os.WNOHANG | os.WNOWAIT
            return os.waitid(os.P_PID, self._process.pid, flags) is not None
        except ChildProcessError:
            return True

    def _read(self, limit: int) -> List[Event]:
        assert self._process is not None and self._process.stdout is not None
        while limit > 0:
            try:
                data = os.read(self._process.stdout.fileno(), 65536)
            except OSError:  # nothing there now
                break
            if not data:
                break
            self._buffer += data
            limit -= len(data)
        *lines, self._buffer = self._buffer.split(b'\n')
        events = []
        for line in lines:
            try:
                events.append(self._note(parse_event(line)))
            except Malformed as error:
                log.warning('worker: %s', error)
        if len(self._buffer) > LINE_MAX:
            self._buffer = b''
            self._ending.fail('protocol', 'a line without end')
            self._kill_at = self._clock.monotonic()
        return events

    def _note(self, event: Event) -> Event:
        if not self._ending.note(event):
            self._kill_at = self._clock.monotonic()
        return event

    def kill(self) -> None:
        """Kill the process group with SIGKILL and reap; bounded in time."""
        with self._lock:
            if self._process is not None and not self.ended:
                self._kill(self._process)

    def halt(self) -> None:
        """Kill it: it is at hand."""
        self.kill()

    def _kill(self, process: 'subprocess.Popen[bytes]') -> None:
        end = self._clock.monotonic() + KILL_WAIT
        self._killed = not self._exited()
        if process.returncode is None:
            self._signal()
            while not self._exited() and self._clock.monotonic() < end:
                self._clock.wait(0.005)
            self._signal()  # who was started in the meantime
        try:
            process.wait(timeout=max(0.01, end - self._clock.monotonic()))
        except subprocess.TimeoutExpired:
            log.error('worker %d does not end after SIGKILL', process.pid)
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()
        self._reap_group(end)
        self.returncode = process.returncode
        if self.returncode is None:
            self.returncode = -signal.SIGKILL
        self.ended = True

    def _signal(self) -> None:
        assert self._process is not None
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass

    def _reap_group(self, end: float) -> None:
        """Reap the worker's children where they became ours.

        They do where the manager is process 1 of a container.
        """
        assert self._process is not None
        while True:
            try:
                pid, _ = os.waitpid(-self._process.pid, os.WNOHANG)
            except OSError:
                return
            if pid == 0:
                if self._clock.monotonic() >= end:
                    return
                self._clock.wait(0.005)

    def outcome(self, most: int = RESULT_MAX) -> Outcome:
        """Return the result; raise WorkerFailed when there is none."""
        done = self._ending.result(self.ended, self._death)
        return read_outcome(
            os.path.join(self._folder, done.file), done.sha256, most
        )

    def _death(self) -> Tuple[str, str]:
        if self._killed or self._kill_at is not None:
            return 'stopped', 'the worker was killed on request'
        silent = self._clock.monotonic() - self._renewed
        if self.returncode == -signal.SIGKILL:
            if silent > self._ttl:
                return 'lease', (
                    f'the worker ended itself: its lease was last renewed '
                    f'{silent:.0f} s ago'
                )
            # it was renewed once more, when it was too late
            last = tail(self._folder)
            if LEASE_LOST in last:
                return 'lease', f'the worker ended itself: {last}'
        told = why(self._folder, self.returncode)
        return 'died', f'the worker ended without a result: {told}'

    def discard(self) -> None:
        """Remove the files of a worker that ended."""
        if self._process is None or self.ended:
            shutil.rmtree(self._folder, ignore_errors=True)


def environment() -> Dict[str, str]:
    """Return the little of our environment that a worker needs.

    CEPH_ARGS in particular would change every `rados` command.
    """
    kept = {'PATH': os.defpath, 'LC_ALL': 'C.UTF-8'}
    kept['OPENBLAS_NUM_THREADS'] = '1'  # numpy needs no pool of threads
    for name in ('PATH', 'LD_LIBRARY_PATH', 'TMPDIR'):
        if os.environ.get(name):
            kept[name] = os.environ[name]
    return kept
