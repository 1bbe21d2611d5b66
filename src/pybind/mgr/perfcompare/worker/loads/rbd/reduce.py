"""From what all processes of a trial did to the figures of its window."""

from typing import Any, Callable, Dict, List, Optional, Sequence

from ...runtime import procstat
from ...runtime.context import Context
from ...runtime.failure import Failure
from ...wire.rbd_jobs import RbdTrial
from ..rados.reduce import quantiles, series
from ..rados.windows import Segment, Sums, length, measured, pieces, sums
from .monitor import Monitor
from .process import Process

ANALYSIS = 1  # version of the reduction
WINDOWS = 6
SHARE = 0.8  # of the time asked for that must be measured
OPENING = 0.5  # seconds that a program needs until it makes load

Segments = List[List[Segment]]  # one for each process, or direction of one


def phases(job: RbdTrial) -> Callable[[float], str]:
    """Return what tells the phase of a trial by seconds since its start."""

    def phase(t: float) -> str:
        t -= OPENING
        if t < job.warmup:
            return 'warm-up'
        return 'measure' if t < job.warmup + job.duration else 'drain'

    return phase


class Reduction:
    """Hold what all images did in the time in which each was measured.

    ``skip`` seconds of each segment are its warm-up. Raises Failure where
    too little time is left.
    """

    def __init__(
        self,
        job: RbdTrial,
        context: Context,
        segments: Segments,
        skip: float,
    ) -> None:
        self._job = job
        self._context = context
        self._segments = segments
        self._cut = job.warmup - skip  # that the segments do not have
        self.window = measured(segments, skip, job.duration)
        seconds = length(self.window)
        if seconds < SHARE * job.duration:
            raise Failure(
                'short',
                f'only {seconds:.1f} s of {job.duration:g} s could be '
                'measured on all images: is the client host overloaded?',
            )
        self.total = sums(segments, self.window)

    def within(self, segments: Segments) -> Sums:
        """Return what some of the segments did in the window."""
        return sums(segments, self.window)

    def result(
        self,
        monitor: Monitor,
        processes: Sequence[Process],
        summary: Dict[str, Any],
        evidence: Dict[str, Any],
        notes: Sequence[str],
    ) -> Dict[str, Any]:
        """Return a trial's result, with what its program tells."""
        context, segments = self._context, self._segments
        reduced, note = series(segments, context.start)
        parts = [sums(segments, p) for p in pieces(self.window, WINDOWS)]
        first = min(s[0].start for s in segments) - self._cut
        return {
            'started': context.wall(first),
            'ended': context.wall(max(s[0].end for s in segments)),
            'summary': {
                'ops_per_s': self.total.rate,
                'window': self.total.seconds,
                'ops': round(self.total.ops),
                'windows': [p.rate for p in parts if p.rate is not None],
                **client_cpu(monitor.meter),
                'analysis': ANALYSIS,
                **summary,
            },
            'series': reduced,
            'notes': [*([note] if note else []), *notes],
            'evidence': {
                **evidence,
                'window': [
                    [context.wall(low), context.wall(high)]
                    for low, high in self.window
                ],
                'clients': monitor.meter.clients(),
                'nic': monitor.meter.busiest_nic(),
                'throttled': monitor.meter.throttled(),
                'processes': len(processes),
                'images': [image.name for image in self._job.images],
                'concurrency': [p.depth for p in processes],
                'nice': self._job.nice,
                'events_dropped': context.outbox.dropped,
                'rate_quantiles': self._quantiles(reduced),
            },
        }

    def _quantiles(
        self, reduced: Optional[Dict[str, Any]]
    ) -> Optional[Dict[str, float]]:
        if not reduced:
            return None
        wall = self._context.wall
        low, high = self.window[0][0], self.window[-1][1]
        return quantiles(reduced, wall(low), wall(high))


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
