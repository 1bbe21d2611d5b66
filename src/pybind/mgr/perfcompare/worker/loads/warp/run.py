"""Carry out a trial by warp: bucket, load, its own result in our form."""

from typing import Any, Dict, List, Tuple

import bisect
import os
import platform
import shutil
import time

from ...interop.content import Content
from ...interop.detect import warp_benchdata
from ...interop.warp_csv import measure
from ...interop.warp_rows import Load
from ...runtime import procstat
from ...runtime.context import Context
from ...runtime.failure import Failure, one_line, scrub
from ...runtime.processes import Child
from ...wire.protocol import REPORT_PERIOD, Live
from ...wire.reading import Measured, windows
from ...wire.s3_spec import PUT
from ...wire.strict import Malformed
from ...wire.warp_jobs import WarpTrial
from ..s3 import buckets, removal
from ..s3.bucket import Client, nagle, read_keys
from ..s3.fleet import HEAD_START
from ..s3.part import told
from ..s3.results import ANALYSIS, Result
from . import command
from .told import process

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
            found = measure(load, job.warmup)
            self._check(found)
            result = self._result(found)
            if job.hosts > 1:
                row = self._told(load, zero, self._created(found))
                result['evidence']['told'] = told([row], 0)
        except Malformed as error:
            raise Failure(
                'load', f'the result of warp is of no use: {error}'
            ) from None
        return result

    def _told(self, load: Load, zero: float, created: int) -> Result:
        row = process(self._job, load, round(zero * 1e9))
        begin, end = (zero + row[name] / 1e9 for name in ('begin', 'end'))
        used = self._within(begin, end) or [0.0, 0.0]
        return dict(row, seconds=used[0], cpu=used[1], created=created)

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

    def _check(self, found: Measured) -> None:
        job = self._job
        if not found.ops:
            raise Failure('load', 'no operation of warp succeeded')
        if job.mix[PUT] and (found.ops_per_s or 0.0) >= AT_BOUND * (
            command.limit(job)
        ):
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

    def _result(self, found: Measured) -> Dict[str, Any]:
        job, context = self._job, self._context
        seconds = found.duration or 0.0
        begin = found.started or context.start[0]
        used = self._within(begin, begin + seconds)
        samples = found.samples
        moves = bool(job.mix[0] or job.mix[1])
        notes = list(found.notes)
        return {
            'started': begin - job.warmup,
            'ended': begin + seconds,
            'summary': {
                'ops_per_s': found.ops_per_s,
                'bytes_per_s': found.bytes_per_s if moves else None,
                'latency_avg': found.latency_avg,
                'latency_max': found.latency_max,
                'window': seconds,
                'ops': found.ops,
                'errors': found.errors or 0,
                'percentiles': found.percentiles,
                'windows': windows(samples),
                # it has many threads, none of which submits alone
                'client_thread_cores': None,
                'client_cores': used[1] / used[0] if used else None,
                'host_busy': procstat.busy_share(*used[2:]) if used else None,
                'host_cores': max(1, round(procstat.cores())),
                'analysis': ANALYSIS,
            },
            'series': {
                'wall_start': samples.start if samples else begin,
                't': list(samples.t) if samples else [],
                'ops': list(samples.ops) if samples else [],
                'latency': list(samples.latency) if samples else [],
            },
            'notes': notes,
            'evidence': {
                'tool': 'warp',
                'window': [[begin, begin + seconds]],
                'operations': found.operations,
                'errors': found.failures,
                'nagle': self._probe,
                'processes': 1,
                'created': self._created(found),
                'nice': job.nice,
                'events_dropped': context.outbox.dropped,
            },
        }

    def _created(self, found: Measured) -> int:
        """Return the most objects that it may have written."""
        job = self._job
        if not job.mix[PUT]:
            return 0
        share = job.mix[PUT] / sum(job.mix)
        seconds = job.warmup + (found.duration or 0.0) + 1.0
        return command.begins_with(job) + int(
            (found.ops_per_s or 0.0) * share * seconds
        )


def _size(path: str) -> int:
    try:
        return os.path.getsize(path)
    except OSError:
        return 0
