"""A trial on images: start fio, follow it, reduce what it measured."""

from typing import Any, Dict, List, Optional, Tuple

from ...runtime import procstat
from ...runtime.context import Context
from ...runtime.failure import Failure
from ...wire.jobs import split
from ...wire.rbd_jobs import RbdTrial
from ..rados.reduce import quantiles, series
from ..rados.windows import Interval, Segment, length, measured, pieces, sums
from . import programs
from .monitor import Monitor
from .output import SIDES, Load, merged, segment
from .process import Fio
from .site import Site

ANALYSIS = 1  # version of the reduction
WINDOWS = 6
SHARE = 0.8  # of the time asked for that must be measured
OPENING = 0.5  # seconds that fio needs until it makes load
APART = 0.02  # of the duration: images that begin further apart are noted
SHOWN = ('latency_avg', 'latency_max', 'percentiles')


class RbdTrialRun:
    """Drive one fio process for each image.

    fio's own figures are of what ended from the end of its warm-up on, and
    of what was under way at its end. Rates are of the time in which all
    images were measured.
    """

    def __init__(self, job: RbdTrial, context: Context) -> None:
        self._job = job
        self._context = context
        self._site = Site(job, context)
        self._tools: Dict[str, str] = {}
        self._loads: Dict[int, Load] = {}
        self._processes = [
            Fio(job, index, self._site, context)
            for index in range(len(job.images))
        ]

    def tools(self) -> Dict[str, str]:
        """Return the programs' versions; fio tells later of its librbd."""
        self._tools = programs.versions(self._job)
        return self._tools

    def prepare(self) -> None:
        """Check that the images are there; raise Failure if not."""
        self._site.require()

    def run(self) -> Dict[str, Any]:
        """Make the load; return the result as plain data."""
        job, context = self._job, self._context
        monitor = Monitor(self._processes, context, self._phase)
        context.stuck = monitor.stuck
        shares = split(job.concurrency, len(job.images))
        for process, depth in zip(self._processes, shares):
            process.trial(job, depth)
        while any(p.child is not None for p in self._processes):
            monitor.tick()
            context.pause(0.1)
            for process in self._processes:
                found = process.measured(job.duration)
                if found is not None:
                    self._loads[process.index] = found
        if monitor.library:
            self._tools[programs.LIBRARY] = monitor.library
        return self._result(monitor)

    def _phase(self, t: float) -> str:
        t -= OPENING
        if t < self._job.warmup:
            return 'warm-up'
        if t < self._job.warmup + self._job.duration:
            return 'measure'
        return 'drain'

    def _mono(self, wall: float) -> float:
        start = self._context.start
        return wall - start[0] + start[1]

    def _segments(self, name: Optional[str] = None) -> List[List[Segment]]:
        """Return those of a direction, or of all."""
        return [
            [segment(found, side, p.depth, self._mono(found.started))]
            for p, found in self._each()
            for side in SIDES
            if side in found.sides and name in (None, side)
        ]

    def _each(self) -> List[Tuple[Fio, Load]]:
        return [(p, self._loads[p.index]) for p in self._processes]

    def _result(self, monitor: Monitor) -> Dict[str, Any]:
        job, context = self._job, self._context
        loads = [found for _, found in self._each()]
        self._check(loads)
        segments = self._segments()
        window = measured(segments, 0.0, job.duration)
        seconds = length(window)
        if seconds < SHARE * job.duration:
            raise Failure(
                'short',
                f'only {seconds:.1f} s of {job.duration:g} s could be '
                'measured on all images: is the client host overloaded?',
            )
        reduced, note = series(segments, context.start)
        total = merged(loads)
        notes = [note] if note else []
        notes += self._notes(loads, total)
        return {
            'started': min(found.started for found in loads) - job.warmup,
            'ended': max(found.started + found.seconds for found in loads),
            'summary': self._summary(segments, window, total, monitor),
            'series': reduced,
            'notes': notes,
            'evidence': {
                **self._evidence(window, total, monitor),
                'rate_quantiles': reduced
                and quantiles(
                    reduced,
                    context.wall(window[0][0]),
                    context.wall(window[-1][1]),
                ),
            },
        }

    def _check(self, loads: List[Load]) -> None:
        for process, found in self._each():
            if not found.sides:
                failed = f'; {found.errors} failed, the first with '
                raise Failure(
                    'load',
                    f'{process.what}: no operation ended well in the '
                    'measured time'
                    + (failed + found.reason if found.errors else ''),
                )
        used = (self._job.reads, self._job.writes)
        for name in [side for side, wanted in zip(SIDES, used) if wanted]:
            if not any(name in found.sides for found in loads):
                raise Failure('short', f'no {name} ended: measure longer')

    def _notes(self, loads: List[Load], total: Dict[str, Any]) -> List[str]:
        notes = list(total['notes'])
        apart = self._apart(loads)
        if apart > max(0.1, APART * self._job.duration):
            notes.append(
                f'images began up to {apart:.1f} s apart: percentiles are of '
                "each image's own time, rates of the time of all"
            )
        if self._job.rate:
            notes.append(
                f'{self._job.rate:g} operations/s were offered, closed above '
                'the iodepth: while as many are in flight, none begins'
            )
        return notes

    @staticmethod
    def _apart(loads: List[Load]) -> float:
        times = [found.started for found in loads]
        return max(times) - min(times)

    def _size(self, name: str) -> int:
        return self._job.read_size if name == 'read' else self._job.write_size

    def _bytes(self, window: List[Interval]) -> float:
        """Return the bytes/s of both directions."""
        return sum(
            (sums(self._segments(name), window).rate or 0.0)
            * self._size(name)
            for name in SIDES
        )

    def _summary(
        self,
        segments: List[List[Segment]],
        window: List[Interval],
        total: Dict[str, Any],
        monitor: Monitor,
    ) -> Dict[str, Any]:
        all_of = sums(segments, window)
        parts = [sums(segments, p) for p in pieces(window, WINDOWS)]
        return {
            'ops_per_s': all_of.rate,
            'bytes_per_s': self._bytes(window),
            'latency_avg': total['latency_avg'],
            'latency_max': total['latency_max'],
            'percentiles': total['percentiles'],
            'window': all_of.seconds,
            'ops': round(all_of.ops),
            'errors': sum(found.errors for found in self._loads.values()),
            'windows': [p.rate for p in parts if p.rate is not None],
            **client_cpu(monitor.meter),
            'analysis': ANALYSIS,
        }

    def _evidence(
        self,
        window: List[Interval],
        total: Dict[str, Any],
        monitor: Monitor,
    ) -> Dict[str, Any]:
        wall = self._context.wall
        loads = [found for _, found in self._each()]
        rate = sums(self._segments(), window).rate or 0.0
        return {
            'tool': 'fio',
            'operations': self._operations(loads, window),
            'errors': self._errors(loads),
            'window': [[wall(low), wall(high)] for low, high in window],
            'apart': self._apart(loads),
            # of fio's own sum of rates to that of the window
            'log_discrepancy': (
                total['ops_per_s'] / rate - 1.0 if rate > 0 else None
            ),
            'clients': monitor.meter.clients(),
            'nic': monitor.meter.busiest_nic(),
            'throttled': monitor.meter.throttled(),
            'processes': len(loads),
            'images': [image.name for image in self._job.images],
            'concurrency': [p.depth for p in self._processes],
            'nice': self._job.nice,
            'events_dropped': self._context.outbox.dropped,
        }

    def _operations(
        self, loads: List[Load], window: List[Interval]
    ) -> Dict[str, Any]:
        """Return the figures of each direction, as S3 trials have them."""
        found: Dict[str, Any] = {}
        for name in SIDES:
            held = [load for load in loads if name in load.sides]
            if not held:
                continue
            figures = merged(held, name)
            rate = sums(self._segments(name), window).rate
            found[name] = {
                'ops': sum(load.ops(name) for load in held),
                'ops_per_s': rate,
                'bytes_per_s': (
                    None if rate is None else rate * self._size(name)
                ),
                **{key: figures[key] for key in SHOWN},
            }
        return found

    def _errors(self, loads: List[Load]) -> Dict[str, int]:
        """Return errors by direction and reason, that of the first one.

        Of a mix fio does not tell in which direction they were.
        """
        job = self._job
        side = 'mixed' if job.mixed else 'read' if job.reads else 'write'
        found: Dict[str, int] = {}
        for load in loads:
            if load.errors:
                name = f'{side} {load.reason}'
                found[name] = found.get(name, 0) + load.errors
        return found


def client_cpu(meter: procstat.Meter) -> Dict[str, Any]:
    """Return what load processes and their host used of the CPU."""
    used = meter.clients()
    threads = [float(str(row['thread_cores'])) for row in used]
    cores = [float(str(row['cores'])) for row in used]
    allowed, busy = procstat.cores(), meter.host_busy()
    if busy is not None and cores:
        # a container may be at its limit on an idle host
        busy = min(1.0, max(busy, sum(cores) / allowed))
    return {
        'client_thread_cores': max(threads, default=None),
        'client_cores': sum(cores) if cores else None,
        'host_busy': busy,
        'host_cores': max(1, round(allowed)),
    }
