"""Load by `rbd bench`, for hosts without fio: one direction at full speed.

It tells whole seconds and a rolling mean; librbd's own counters, which its
admin socket tells, have the operations and their latencies together. There
are no percentiles. All that it writes is one repeated byte.
"""

from typing import Any, Dict, List, Optional, Tuple

import re
import time

from ...runtime.context import Context
from ...runtime.failure import Failure
from ...runtime.processes import Child
from ...wire.rbd_jobs import RbdTrial
from ..rados import rados_bench
from ..rados.rados_bench import Sample
from ..rados.windows import Segment
from . import jobfile, programs
from .monitor import Monitor
from .process import Counters, Process
from .reduce import Reduction, client_cpu, host_evidence
from .site import Site, environment
from .start import start

LAST = 1.5  # seconds in which there is one more look
ENDLESS = 1 << 60  # bytes: it ends by bytes only, or when it is told to
NOTES = (
    'by rbd bench: latency percentiles and the maximum are not available',
    'rbd bench writes one repeated byte, which compresses',
)
_END = re.compile(r'^elapsed:\s+(\d+)\s+ops:\s+(\d+)\s', re.M)


class Bench(Process):
    """Run `rbd bench`."""

    program = 'rbd bench'

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.polls: List[Tuple[float, Counters]] = []  # monotonic
        self._bytes = 0

    def heard(self, at: float, found: Counters) -> None:
        """Keep what librbd counted."""
        super().heard(at, found)
        self.polls.append((at, found))

    def trial(self, job: RbdTrial, depth: int) -> None:
        """Begin the load of a trial; it goes on until it is ended."""
        size = job.read_size if job.reads else job.write_size
        pattern = 'rand' if job.random else 'seq'
        self._start(job.writes, size, depth, ENDLESS, pattern)

    def once(self, write: bool, depth: int) -> None:
        """Begin to write or to read the image from end to end."""
        size = self._job.images[self.index].size
        block = jobfile.block(self._job, self.index)
        self._bytes = size
        self._start(write, block, min(depth, size // block), size, 'seq')

    def _start(
        self, write: bool, size: int, depth: int, total: int, pattern: str
    ) -> None:
        self.depth = depth
        argv = self._site.connect_args()
        # else librbd's cache would answer
        argv += ['--admin-socket', self.socket, '--rbd-cache=false']
        argv += rados_bench.raised_limits(depth, size)
        argv += ['bench', '--io-type', 'write' if write else 'read']
        argv += ['--io-size', f'{size}B', '--io-threads', str(depth)]
        argv += ['--io-total', f'{total}B', '--io-pattern', pattern]
        argv.append(self._site.spec(self._job.images[self.index]))
        self._launch(argv, environment())

    def passed(self) -> Optional[Tuple[int, float]]:
        """Return bytes and seconds of `once`, when it ended."""
        child = self.ended()
        if child is None:
            return None
        self.counted(child)
        return self._bytes, (child.ended or 0.0) - child.started

    def counted(self, child: Child) -> int:
        """Return how many operations it says it did."""
        match = _END.search(child.output())
        if match is None:
            raise Failure('load', f'{self.what} printed no result')
        return int(match.group(2))

    def segment(self, stop: float) -> Segment:
        """Return what librbd counted until ``stop`` (monotonic)."""
        (start, first), rest = self.polls[0], self.polls[1:]
        samples = [Sample(0.0, 0, 0, 0.0)]
        for at, found in rest:
            ops = found.ops - first.ops
            if at - start > samples[-1].t and ops >= samples[-1].finished:
                waited = found.waited - first.waited
                samples.append(
                    Sample(at - start, ops + self.depth, ops, waited)
                )
        last = samples[-1]
        bench = rados_bench.Bench(samples, last.t, last.finished, 0, None)
        return Segment(bench, start, stop - start, self.depth)


class BenchTrialRun:
    """Drive one `rbd bench` for each image."""

    def __init__(self, job: RbdTrial, context: Context) -> None:
        self._job = job
        self._context = context
        self._site = Site(job, context)
        self._processes = [
            Bench(job, index, self._site, context)
            for index in range(len(job.images))
        ]

    def tools(self) -> Dict[str, str]:
        """Return the program's version."""
        return programs.versions(self._job)

    def prepare(self) -> None:
        """Check that the images are there; raise Failure if not."""
        self._site.require()

    def run(self) -> Dict[str, Any]:
        """Make the load; return the result as plain data."""
        job, context = self._job, self._context
        monitor = start(job, self._processes, context)
        end = self._follow(monitor)
        counted = 0
        for process in self._processes:
            if process.child is not None:
                process.child.terminate()
        waiting = list(self._processes)
        while waiting:
            context.pause(0.1)
            for process in list(waiting):
                child = process.ended()
                if child is not None:
                    counted += process.counted(child)
                    waiting.remove(process)
        return self._result(monitor, end, counted)

    def _follow(self, monitor: Monitor) -> float:
        """Let it load; return when its measured time ended."""
        job, context = self._job, self._context
        begun: Optional[float] = None
        while True:
            monitor.tick()
            for process in self._processes:
                if process.ended() is not None:
                    raise Failure('load', f'{process.what} ended by itself')
            if begun is None and all(p.polls for p in self._processes):
                begun = time.monotonic()
            if begun is not None:
                end = begun + job.warmup + job.duration
                if time.monotonic() > end + LAST:
                    return end
            context.pause(0.1)

    def _result(
        self, monitor: Monitor, end: float, counted: int
    ) -> Dict[str, Any]:
        job = self._job
        segments = [[p.segment(end + LAST)] for p in self._processes]
        found = Reduction(job, segments, self._context.start, job.warmup)
        if not found.total.ops:
            raise Failure('load', 'no operation succeeded')
        size = job.read_size if job.reads else job.write_size
        rate = found.total.rate or 0.0
        meter = found.used(monitor.cpu, self._context.start)
        figures: Dict[str, Any] = {
            'bytes_per_s': rate * size,
            'latency_avg': found.total.latency,
            'latency_max': None,
            'percentiles': {},
        }
        row = {'ops': round(found.total.ops), 'ops_per_s': rate, **figures}
        return found.result(
            # the first error ends `rbd bench`
            {**figures, **client_cpu(meter), 'errors': 0},
            {
                **host_evidence(job, self._context, meter, self._processes),
                'tool': 'rbd bench',
                'operations': {'read' if job.reads else 'write': row},
                'errors': {},
                'counted': counted,  # by the programs, in all their time
            },
            NOTES[: 2 if job.writes else 1],
        )
