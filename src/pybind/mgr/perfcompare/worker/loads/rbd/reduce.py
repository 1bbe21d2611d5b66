"""From what all processes of a trial did to the figures of its window."""

from typing import (
    Any,
    Callable,
    Dict,
    List,
    Optional,
    Sequence,
    Tuple,
    Union,
)

from ...runtime import procstat
from ...runtime.context import Context
from ...runtime.failure import Failure
from ...runtime.procstat import Meter
from ...runtime.readings import Readings
from ...wire.rbd_jobs import RbdTrial
from ...wire.rbd_join_jobs import RbdJoin
from ..rados.reduce import quantiles, series
from ..rados.windows import Segment, Sums, length, measured, pieces, sums
from .process import Process

ANALYSIS = 1  # version of the reduction
WINDOWS = 6
SHARE = 0.8  # of the time asked for that must be measured
OPENING = 0.5  # seconds that a program needs until it makes load

Segments = List[List[Segment]]  # one for each process, or direction of one
Asked = Union[RbdTrial, RbdJoin]


def phases(job: RbdTrial) -> Callable[[float], str]:
    """Return what tells the phase of a trial by seconds since its start.

    It is for people, about: when it was measured programs tell at their end.
    """

    def phase(t: float) -> str:
        t -= OPENING
        if t < job.warmup:
            return 'warm-up'
        return 'measure' if t < job.warmup + job.duration else 'drain'

    return phase


class Reduction:
    """Hold what all images did in the time in which each was measured.

    Times of segments are of the second clock of ``clocks`` (Unix time,
    that time); ``skip`` seconds of each are its warm-up.
    """

    def __init__(
        self,
        job: Asked,
        segments: Segments,
        clocks: Tuple[float, float],
        skip: float = 0.0,
        why: str = 'is the client host overloaded?',
    ) -> None:
        """Raise Failure, which ends in ``why``, for too little time."""
        self._clocks = clocks
        self._segments = segments
        self._cut = job.warmup - skip  # that the segments do not have
        self.window = measured(segments, skip, job.duration)
        seconds = length(self.window)
        if seconds < SHARE * job.duration:
            raise Failure(
                'short',
                f'only {seconds:.1f} s of {job.duration:g} s could be '
                f'measured on all images: {why}',
            )
        self.total = sums(segments, self.window)

    def used(self, cpu: Readings, start: Tuple[float, float]) -> Meter:
        """Return what was used in the window.

        ``start`` is one moment as Unix time, and by the clock of ``cpu``.
        """
        low, high = self.window[0][0], self.window[-1][1]
        wall, mono = start
        return cpu.within(
            *[self._wall(at) - wall + mono for at in (low, high)]
        )

    def within(self, segments: Segments) -> Sums:
        """Return what some of the segments did in the window."""
        return sums(segments, self.window)

    def _wall(self, at: float) -> float:
        return at - self._clocks[1] + self._clocks[0]

    def result(
        self,
        summary: Dict[str, Any],
        evidence: Dict[str, Any],
        notes: Sequence[str],
    ) -> Dict[str, Any]:
        """Return a trial's result, with what its program and host tell."""
        segments = self._segments
        reduced, note = series(segments, self._clocks)
        parts = [sums(segments, p) for p in pieces(self.window, WINDOWS)]
        first = min(s[0].start for s in segments) - self._cut
        return {
            'started': self._wall(first),
            'ended': self._wall(max(s[0].end for s in segments)),
            'summary': {
                'ops_per_s': self.total.rate,
                'window': self.total.seconds,
                'ops': round(self.total.ops),
                'windows': [p.rate for p in parts if p.rate is not None],
                'analysis': ANALYSIS,
                **summary,
            },
            'series': reduced,
            'notes': [*([note] if note else []), *notes],
            'evidence': {
                **evidence,
                'window': [
                    [self._wall(low), self._wall(high)]
                    for low, high in self.window
                ],
                'rate_quantiles': self._quantiles(reduced),
            },
        }

    def _quantiles(
        self, reduced: Optional[Dict[str, Any]]
    ) -> Optional[Dict[str, float]]:
        if not reduced:
            return None
        low, high = self.window[0][0], self.window[-1][1]
        return quantiles(reduced, self._wall(low), self._wall(high))


def host_evidence(
    job: RbdTrial,
    context: Context,
    meter: Meter,
    processes: Sequence[Process],
) -> Dict[str, Any]:
    """Return what is known of the host that made a load, and its load."""
    return {
        'clients': meter.clients(),
        'nic': meter.busiest_nic(),
        'throttled': meter.throttled(),
        'processes': len(processes),
        'images': [image.name for image in job.images],
        'concurrency': [p.depth for p in processes],
        'nice': job.nice,
        'events_dropped': context.outbox.dropped,
    }


def client_cpu(meter: Meter) -> Dict[str, Any]:
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
