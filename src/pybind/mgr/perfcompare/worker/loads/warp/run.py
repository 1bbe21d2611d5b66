"""Carry out a trial by warp: bucket, load, its own result in our form."""

from typing import Any, Dict, List, Tuple

import bisect
import os
import platform
import shutil
import time

from ...interop.content import Content
from ...interop.detect import warp_benchdata
from ...interop.warp_rows import Load
from ...runtime import procstat
from ...runtime.context import Context
from ...runtime.failure import Failure, one_line, scrub
from ...runtime.processes import Child
from ...wire.protocol import REPORT_PERIOD, Live
from ...wire.s3_spec import OPS, PUT
from ...wire.strict import Malformed
from ...wire.warp_jobs import WarpTrial
from ..s3 import buckets, removal
from ..s3.bucket import Client, nagle, read_keys
from ..s3.fleet import HEAD_START
from ..s3.outcome import Client as Seen
from ..s3.outcome import result as figures
from ..s3.part import told
from ..s3.results import Window
from . import command
from .told import NOT_TOLD, process

PERIOD = 1.0  # seconds between readings of the CPU
POLL = 0.2
AT_BOUND = 0.98  # of the rate that bounds the objects
# bytes of what warp keeps, compressed and not: 20 million operations, which
# take 1 GiB of memory to read, much less than warp took for them
FILE_MAX, TEXT_MAX = 1 << 30, 4 << 30
SHORTER = 'give a shorter --duration'


class WarpRun:
    """Drive one warp process."""

    def __init__(self, job: WarpTrial, context: Context) -> None:
        self._job = job
        self._context = context
        self._probe: Dict[str, Any] = {}
        self._keys: Tuple[str, str] = ('', '')
        # readings: Unix time, CPU-seconds of warp, busy and all of the host
        self._cpu: List[Tuple[float, float, float, float]] = []

    def tools(self) -> Dict[str, str]:
        """Return what makes the load, and what reads its result."""
        found = command.version(self._job.warp)
        return {
            'warp': found or 'version not available',
            'reader': f'perfcompare (Python {platform.python_version()})',
        }

    def prepare(self) -> None:
        """Make the bucket and look at the objects."""
        job = self._job
        for program in (job.warp, 'zstd'):
            if shutil.which(program) is None:
                raise Failure(
                    'tool',
                    f'program {program!r} was not found: --s3-client warp '
                    'needs it on the host that makes the load',
                )
        self._keys = read_keys(job.credentials)
        client = Client(
            buckets.target(job),
            left=self._context.left,
        )
        try:
            if job.host:
                buckets.await_made(client, job, self._context.pause)
            else:
                buckets.make(client, job)
                self._probe = nagle(client, job.bucket, removal.PROBE)
            if job.objects and not job.own:
                buckets.require(client, job)
        finally:
            client.close()

    def run(self) -> Dict[str, Any]:
        """Make the load; return the result as plain data."""
        job, context = self._job, self._context
        data = context.path('warp')
        zero = (context.agreed or context.start[0]) + HEAD_START
        while job.hosts > 1 and context.now() < zero:
            context.pause(zero - context.now())
        child = context.children.start(
            'warp.load',
            command.arguments(
                job, data, command.has_full(job.warp, command.verb(job))
            ),
            job.nice,
            command.environment(job, *self._keys),
            FILE_MAX,
        )
        code = self._wait(child)
        data += '.csv.zst'
        if _size(data) >= FILE_MAX:
            raise Failure(
                'load',
                f'warp kept more than {FILE_MAX >> 20} MiB of operations: '
                + SHORTER,
            )
        if code:
            raise Failure(
                'load', f'warp ended with {code}: {self._why(child)}'
            )
        try:
            content = Content(data, TEXT_MAX, SHORTER)
            with content as stream:
                load = warp_benchdata(stream)
                content.check()
            result = self.result(load, zero)
        except Malformed as error:
            raise Failure(
                'load', f'the result of warp is of no use: {error}'
            ) from None
        return result

    def result(self, load: Load, agreed: float) -> Dict[str, Any]:
        """Return the figures of a load; several hosts begin as agreed.

        Raises Failure for what is no trial.
        """
        job = self._job
        began = round(agreed * 1e9) if job.hosts > 1 else load.began
        row, zero = process(job, load, began), began / 1e9
        used = self._within(
            *[zero + row[name] / 1e9 for name in ('begin', 'end')]
        )
        seconds, cpu = used[:2] if used else (0.0, 0.0)
        row.update(seconds=seconds, cpu=cpu, created=self._created(load))
        window = Window([row], False)
        self._check(window)
        found = figures(
            job,
            (zero, 0.0),
            [window],
            Seen(
                procstat.busy_share(*used[2:]) if used else None,
                max(1, round(procstat.cores())),
                None,
                None,
                [],
                self._context.outbox.dropped,
            ),
            self._probe,
            [],
        )
        # it has many threads, none of which submits alone
        found['summary']['client_thread_cores'] = None
        for name in NOT_TOLD:
            found['evidence'].pop(name, None)
        if job.hosts > 1:
            found['evidence']['told'] = told([row], 0)
        return found

    def _wait(self, child: Child) -> int:
        job, due, began = self._job, 0.0, time.monotonic()
        while True:
            code = child.poll()
            now = time.monotonic()
            if now >= due or code is not None:
                due = now + PERIOD
                self._read(child.pid)
                self._context.outbox.emit(
                    Live(
                        wall=self._context.wall(now),
                        t=now - self._context.start[1],
                        phase='measure',
                        ops=0,
                        ops_per_s=None,  # warp tells at its end only
                        bytes_per_s=None,
                        latency=None,
                        in_flight=job.concurrency,
                        stalled=0.0,
                        clients=1,
                        dropped=self._context.outbox.dropped,
                        most=command.most(job, now - began + REPORT_PERIOD),
                    )
                )
            if code is not None:
                return code
            if self._context.left() < job.reading:
                raise Failure('deadline', 'warp did not end in its time')
            self._context.pause(POLL)

    def _read(self, pid: int) -> None:
        used, host = procstat.usage(pid), procstat.host_usage()
        if used is not None and host is not None and used.total:
            self._cpu.append(
                (
                    self._context.wall(used.at),
                    used.total,
                    host.busy,
                    host.total,
                )
            )

    def _why(self, child: Child) -> str:
        text = one_line(child.errors() or child.output()[-4000:])
        return scrub(text, self._keys) or 'no message'

    def _check(self, window: Window) -> None:
        job, done = self._job, window.inside.ops()
        if not done:
            raise Failure('load', 'no operation of warp succeeded')
        # what fails takes a turn, too; one more may be due at the end
        rate = (done + window.judged.failed() + 1) / window.seconds
        if job.mix[PUT] and rate >= AT_BOUND * command.limit(job):
            raise Failure(
                'bound',
                f'the load met its bound of {job.max_objects} objects: '
                'give a shorter --duration, or a larger --size',
            )

    def _within(self, begin: float, end: float) -> List[float]:
        """Return CPU-seconds of warp, busy and all of the host."""
        times = [row[0] for row in self._cpu]
        first = max(0, bisect.bisect_right(times, begin) - 1)
        last = min(len(times) - 1, bisect.bisect_left(times, end))
        if last <= first:
            return []
        a, b = self._cpu[first], self._cpu[last]
        return [b[i] - a[i] for i in range(4)]

    def _created(self, load: Load) -> int:
        """Return the most objects that it may have written.

        One that failed may be there all the same.
        """
        if not self._job.mix[PUT]:
            return 0
        return command.begins_with(self._job) + sum(
            len(rows.start) + len(rows.failed)
            for op, rows in load.found.items()
            if op.lower() == OPS[PUT]
        )


def _size(path: str) -> int:
    try:
        return os.path.getsize(path)
    except OSError:
        return 0
