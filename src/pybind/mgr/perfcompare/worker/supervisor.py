"""The worker's life: hello, prepare, ready, go, load, result, end.

What carries out a job is imported once the job is known: there are many
trials, and all that workers can do is half of a worker's start.
"""

from typing import TYPE_CHECKING, Any, Dict, Optional, Tuple, Union, cast

import hashlib
import importlib.util
import json
import os
import platform
import queue
import signal
import stat
import sys
import threading
import time
import traceback

from .runtime import procstat
from .runtime.context import Context
from .runtime.failure import Failure, printable, scrub
from .runtime.lease import Lease
from .runtime.outbox import Outbox
from .runtime.processes import Children
from .wire.gateway_jobs import Gateway, Zone
from .wire.jobs import Job, Load, Prefill, Trial, Warm, job_from_data, kind_of
from .wire.join_jobs import Join
from .wire.protocol import (
    PROTOCOL,
    RESULT_FILE,
    RESULT_MAX,
    Ack,
    Beat,
    Done,
    Failed,
    Hello,
    Ready,
    Started,
)
from .wire.rbd_jobs import RbdJob, RbdPrefill, RbdTrial, RbdWarm
from .wire.rbd_join_jobs import RbdJoin
from .wire.s3_jobs import S3Load, S3Look
from .wire.s3_join_jobs import S3Join
from .wire.scrape_jobs import Scrape
from .wire.strict import Malformed
from .wire.warp_jobs import WarpTrial

if TYPE_CHECKING:
    from .gateway.run import GatewayRun
    from .loads.joined_hosts import JoinRun
    from .loads.rados.populations import PopulationRun
    from .loads.rados.trial import TrialRun
    from .loads.rbd.bench import BenchTrialRun
    from .loads.rbd.fill import FillRun
    from .loads.rbd.trial import RbdTrialRun
    from .loads.s3.buckets import BucketRun
    from .loads.s3.run import S3Run
    from .loads.warp.run import WarpRun
    from .runtime.context import Inbox
    from .scrape.run import ScrapeRun

REAP = 2.0  # seconds that killed children get to disappear
FLUSH = 30.0  # seconds that the last events get to be read
# bytes; where less is free, programs fail at what they cannot write
ROOM = 1 << 20
AHEAD = 10.0  # seconds that a load may have to wait for its begin

ImagesRun = Union['RbdTrialRun', 'BenchTrialRun', 'FillRun']
Driver = Union[
    'TrialRun',
    'PopulationRun',
    'BucketRun',
    'S3Run',
    'WarpRun',
    'GatewayRun',
    'ScrapeRun',
    'JoinRun[Any]',
    ImagesRun,
]


class Supervisor:
    """Carry out one job, as told over a pair of pipes."""

    def __init__(self, stdin: int, stdout: int) -> None:
        self._inbox: 'Inbox' = queue.SimpleQueue()
        self.outbox = Outbox(stdout)
        self._children: Optional[Children] = None
        self._ending = threading.Event()
        self._lease = Lease(
            stdin, self._inbox.put, self.outbox.emit, self._lost
        )

    def main(self) -> int:
        """Run to the end; return the exit code."""
        signal.signal(signal.SIGCHLD, lambda *_: self._inbox.put(None))
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.signal(signal.SIGTERM, lambda *_: self._terminated())
        self.outbox.emit(
            Hello(
                PROTOCOL,
                os.getpid(),
                platform.python_version(),
                importlib.util.find_spec('numpy') is not None,
            )
        )
        self._lease.start()
        try:
            self._job()
            code = 0
        except Failure as failure:
            self._fail(failure.kind, str(failure))
            code = 1
        except Exception as error:
            _log(traceback.format_exc())
            self._fail('internal', f'{type(error).__name__}: {error}')
            code = 1
        self.outbox.flush(FLUSH)
        return code

    def _terminated(self) -> None:
        """End as _lost() does, in the thread that was interrupted.

        It may hold what starting a thread needs: SIGALRM ends us then, and
        the kernel our children.
        """
        signal.setitimer(signal.ITIMER_REAL, REAP)
        self._lost('terminated')

    def _lost(self, reason: str) -> None:
        """End at once, with all children, whatever else goes on."""
        self._ending.set()
        if self._children is not None:
            self._children.kill_all(close=True)
        # a disk that hangs must not keep us from ending
        note = f'ending: {reason}\n'.encode()
        writer = threading.Thread(target=os.write, args=(2, note))
        writer.daemon = True
        writer.start()
        writer.join(0.2)
        os.killpg(0, signal.SIGKILL)

    def _fail(self, kind: str, message: str) -> None:
        if self._ending.is_set():
            # what failed was killed with us: SIGKILL is under way
            time.sleep(REAP)
        left = []
        if self._children is not None:
            left = self._children.kill_and_reap(REAP)
        message = scrub(printable(' '.join(message.split())))
        message += self._crowded()
        if left:
            message += f' ({len(left)} killed processes do not end)'
        self.outbox.emit(Failed(kind, message))
        _log(f'{kind}: {message}\n')

    def _crowded(self) -> str:
        """Say that our folder has no room left; '' while it has."""
        if self._children is None:
            return ''
        folder = self._children.folder
        try:
            disk = os.statvfs(folder)
        except OSError:
            return ''
        free = disk.f_bavail * disk.f_frsize
        if free >= ROOM:
            return ''
        return f'; only {free >> 10} KiB are free in {folder!r}'

    def _next(self, wanted: str) -> Dict[str, Any]:
        """Wait for command ``wanted``; the lease bounds the wait."""
        while True:
            try:
                command = self._inbox.get(timeout=1.0)
            except queue.Empty:
                self.outbox.emit(
                    Beat(time.time(), f'awaits {wanted}', self.outbox.dropped)
                )
                continue
            if command is None:
                continue
            name = command['cmd']
            if name == 'stop':
                self.outbox.emit(Ack(command['id']))
                raise Failure('stopped', 'stopped on request')
            if name != wanted:
                self.outbox.emit(
                    Ack(command['id'], f'{name!r} came before {wanted!r}')
                )
                continue
            return command

    def _job(self) -> None:
        command = self._next('prepare')
        if command.get('protocol') != PROTOCOL:
            raise Failure(
                'protocol',
                f'the Manager speaks protocol {command.get("protocol")!r}, '
                f'this worker {PROTOCOL}: restart the Manager',
            )
        try:
            job = job_from_data(command.get('job'))
            folder = _private(command.get('spool'))
        except Malformed as error:
            raise Failure('protocol', str(error)) from None
        self.outbox.emit(Ack(command['id']))
        self._children = Children(folder)
        context = Context(folder, self._inbox, self.outbox, self._children)
        context.begin(job.deadline)  # counts anew from `go`
        driver, tools = _driver(job, context)
        driver.prepare()
        facts = procstat.facts()
        if isinstance(job, Gateway):
            facts = cast('GatewayRun', driver).facts()
        self.outbox.emit(Ready(tools, facts))
        order = self._next('go')
        self.outbox.emit(Ack(order['id']))
        context.begin(job.deadline)
        _await(order.get('at'), context)
        context.begin(job.deadline)
        self.outbox.emit(Started(*context.start))
        result = driver.run()
        result.update(kind=kind_of(job), tools=tools)
        self.outbox.emit(spool(folder, result))


def _log(text: str) -> None:
    """Write to the log, which may have no space any more."""
    try:
        sys.stderr.write(text)
    except OSError:
        pass


def _await(at: Any, context: Context) -> None:
    """Wait until Unix time ``at``, at which all hosts of a load begin."""
    if at is None:
        return
    ahead = at - time.time() if type(at) in (int, float) else AHEAD + 1
    if not ahead <= AHEAD:
        raise Failure('clock', f'it is to begin at {at!r}: is a clock wrong?')
    context.agreed = at
    end = time.monotonic() + ahead
    while time.monotonic() < end:
        context.pause(end - time.monotonic())


def _driver(job: Job, context: Context) -> Tuple[Driver, Dict[str, str]]:
    """Return what carries out a job, and the versions of its tools."""
    if isinstance(job, Scrape):
        from .scrape.run import ScrapeRun

        return ScrapeRun(job, context), {}
    if isinstance(job, Join):
        from .loads.rados.join import join_run as join_rados

        return join_rados(job), {}
    if isinstance(job, S3Join):
        from .loads.s3.join import join_run as join_s3

        return join_s3(job), {}
    if isinstance(job, RbdJoin):
        from .loads.rbd.join import join_run as join_rbd

        return join_rbd(job), {}
    if isinstance(job, WarpTrial):
        from .loads.warp.run import WarpRun

        warp = WarpRun(job, context)
        return warp, warp.tools()
    if isinstance(job, S3Look):
        from .loads.s3.buckets import BucketRun

        look = BucketRun(job, context)
        return look, look.tools()
    if isinstance(job, S3Load):
        from .loads.s3.run import S3Run

        s3 = S3Run(job, context)
        return s3, s3.tools()
    if isinstance(job, Gateway):
        from .gateway.run import GatewayRun
        from .gateway.zonerun import ZoneRun

        _readable(job)
        make = ZoneRun if isinstance(job, Zone) else GatewayRun
        gateway = make(job, context)
        return gateway, gateway.tools()
    if isinstance(job, RbdJob):
        _readable(job)
        images = _images(job, context)
        return images, images.tools()
    if not isinstance(job, Load):
        raise Failure(
            'protocol', f'jobs of kind {kind_of(job)!r} are unknown'
        )
    return _rados(job, context)


def _rados(job: Load, context: Context) -> Tuple[Driver, Dict[str, str]]:
    from .loads.rados import rados_bench

    tools = {'rados': rados_bench.version(job.access)}
    _readable(job)
    if isinstance(job, Trial):
        from .loads.rados.trial import TrialRun

        return TrialRun(job, context), tools
    if isinstance(job, (Prefill, Warm)):
        from .loads.rados.populations import PopulationRun

        return PopulationRun(job, context), tools
    raise Failure('protocol', f'jobs of kind {kind_of(job)!r} are unknown')


def _images(job: RbdJob, context: Context) -> ImagesRun:
    if isinstance(job, RbdTrial):
        from .loads.rbd.bench import BenchTrialRun
        from .loads.rbd.trial import RbdTrialRun

        make = RbdTrialRun if job.tool == 'fio' else BenchTrialRun
        return make(job, context)
    if isinstance(job, (RbdPrefill, RbdWarm)):
        from .loads.rbd.fill import FillRun

        return FillRun(job, context)
    raise Failure('protocol', f'jobs of kind {kind_of(job)!r} are unknown')


def _private(folder: Any) -> str:
    """Return the spool folder; Malformed unless it is ours alone."""
    if not isinstance(folder, str) or not os.path.isabs(folder):
        raise Malformed(f'spool: {folder!r} is not an absolute path')
    try:
        info = os.stat(folder)
    except OSError as error:
        raise Malformed(f'spool: {folder!r}: {error.strerror}') from None
    if not stat.S_ISDIR(info.st_mode) or info.st_mode & 0o077:
        raise Malformed(f'spool: {folder!r} is not a private folder')
    if info.st_uid != os.geteuid():
        raise Malformed(f'spool: {folder!r} belongs to another user')
    return folder


def _readable(job: Load) -> None:
    for path in (job.access.conf, job.access.keyring):
        try:
            with open(path, 'rb'):
                pass
        except OSError as error:
            raise Failure(
                'access', f'cannot read {path!r}: {error.strerror}'
            ) from None


def spool(folder: str, result: Dict[str, Any]) -> Done:
    """Write the result to its file, complete or not at all."""
    data = json.dumps(result, separators=(',', ':')).encode()
    if len(data) > RESULT_MAX:
        raise Failure('spool', f'a result of {len(data)} bytes is too large')
    path = os.path.join(folder, RESULT_FILE)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
    try:
        fd = os.open(path + '.new', flags, 0o600)
        with os.fdopen(fd, 'wb') as file:
            file.write(data)
        os.rename(path + '.new', path)
    except OSError as error:
        raise Failure(
            'spool', f'cannot write {path!r}: {error.strerror}'
        ) from None
    return Done(RESULT_FILE, len(data), hashlib.sha256(data).hexdigest())
