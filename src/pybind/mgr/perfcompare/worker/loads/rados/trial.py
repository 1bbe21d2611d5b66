"""A trial: one operation, measured, by one or more clients as one."""

from typing import Any, Dict, List, Optional

import math
import time

from ...runtime import procstat
from ...runtime.context import Context
from ...runtime.failure import Failure
from ...wire.jobs import Trial, split
from .clients import Client, Order
from .figures import figures, window_of
from .latency_probe import LatencyProbe
from .monitor import PERIOD, Monitor
from .populations import require
from .rados_bench import PRINTED
from .reduce import quantiles, series
from .windows import Interval, sums

QUICK = 0.2  # seconds between looks at clients, at the least
LOOKS = 50  # within a measured window
PASS_LOOKS = 7200  # in a sequential read, the longest of which has to fit
PASS = 3.0  # seconds; of each pass of `seq` about half of one is cut


class TrialRun:
    """Drive the processes of one trial and reduce what they report."""

    def __init__(self, job: Trial, context: Context) -> None:
        self._job = job
        self._context = context
        self._clients = [
            Client(i, job.access, order, context.children, job.nice)
            for i, order in enumerate(orders(job))
        ]
        self._probe = LatencyProbe(job, context)
        # one second for the last sample, one for clients to get going
        self._margin = 1 if job.clients == 1 and job.hosts == 1 else 2

    def prepare(self) -> None:
        """Check that what is to be read is there; raise Failure if not."""
        require(self._job.access, self._job.populations)
        self._probe.prepare()

    def run(self) -> Dict[str, Any]:
        """Make the load; return the result as plain data."""
        job, context = self._job, self._context
        monitor = Monitor(
            self._clients,
            context.folder,
            context.outbox.emit,
            lambda: context.outbox.dropped,
            job.size,
            context.start,
            self._phase,
            poll_period(job),
        )
        context.stuck = monitor.stuck
        seconds = math.ceil(job.warmup + job.duration) + self._margin
        end = time.monotonic() + seconds
        self._probe.start(seconds)
        for client in self._clients:
            client.start(seconds)
        while any(c.child is not None for c in self._clients):
            monitor.tick()
            context.pause(0.1 if job.op != 'seq' else 0.02)
            for client in self._clients:
                if client.child is not None:
                    self._follow(client, end)
        return self._result(monitor)

    def _phase(self, t: float) -> str:
        # processes need about half a second until they make load
        t -= 0.5
        if t < self._job.warmup:
            return 'warm-up'
        if t < self._job.warmup + self._job.duration:
            return 'measure'
        return 'drain'

    def _follow(self, client: Client, end: float) -> None:
        bench = client.finished()
        if bench is None:
            return
        if bench.size != self._job.size:
            raise Failure(
                'population',
                f'{client.what} used operations of {bench.size} bytes '
                f'instead of {self._job.size}',
            )
        left = end - time.monotonic()
        if self._job.op == 'seq' and left > 0.2:
            client.start(max(1, math.ceil(left)))
        elif left > 1.0:
            raise Failure(
                'bound',
                f'{client.what} ended {left:.0f} s early, after its bound '
                f'of {client.order.max_objects} objects, the most that it '
                'was planned to write',
            )

    def _result(self, monitor: Monitor) -> Dict[str, Any]:
        job, context = self._job, self._context
        segments = [c.segments for c in self._clients]
        window = window_of(
            segments, job.op, job.warmup, job.duration, self._short()
        )
        reduced, note = series(segments, context.start, printed=PRINTED)
        probe = self._probe.result(window, sums(segments, window).ops)
        ends = [s.end for client in segments for s in client]
        return {
            'started': context.wall(min(c[0].start for c in segments)),
            'ended': context.wall(max(ends)),
            'summary': dict(
                self._summary(window, monitor),
                percentiles=probe['percentiles'],
            ),
            'series': reduced,
            'notes': [note] if note else [],
            'raw': raw(self._clients, context),
            'evidence': dict(
                self._evidence(window, monitor),
                probe=probe,
                rate_quantiles=reduced
                and quantiles(
                    reduced,
                    context.wall(window[0][0]),
                    context.wall(window[-1][1]),
                ),
            ),
        }

    def _short(self) -> str:
        if self._job.op != 'seq':
            return 'is the client host overloaded?'
        passes = [s.end - s.start for c in self._clients for s in c.segments]
        quick = min(passes[:-1] or passes)
        return (
            f'a pass over a population took {quick:.1f} s, which should be '
            f'{PASS:g} s or more: read populations with more objects'
        )

    def _summary(
        self, window: List[Interval], monitor: Monitor
    ) -> Dict[str, Any]:
        segments = [c.segments for c in self._clients]
        used = monitor.meter.clients()
        threads = [float(str(row['thread_cores'])) for row in used]
        cores = [float(str(row['cores'])) for row in used]
        allowed = procstat.cores()
        busy = monitor.meter.host_busy()
        if busy is not None and cores:
            # a container may be at its limit on an idle host
            busy = min(1.0, max(busy, sum(cores) / allowed))
        return {
            **figures(segments, window, self._job.size),
            'client_thread_cores': max(threads, default=None),
            'client_cores': sum(cores) if cores else None,
            'host_busy': busy,
            'host_cores': max(1, round(allowed)),
        }

    def _evidence(
        self, window: List[Interval], monitor: Monitor
    ) -> Dict[str, Any]:
        differences: List[float] = [
            a['discrepancy']
            for c in self._clients
            for a in c.alignments
            if a['discrepancy'] is not None
        ]
        worst: Optional[float] = max(differences, key=abs, default=None)
        wall = self._context.wall
        return {
            'window': [[wall(low), wall(high)] for low, high in window],
            'clients': monitor.meter.clients(),
            'nic': monitor.meter.busiest_nic(),
            'throttled': monitor.meter.throttled(),
            'alignment': [c.alignments for c in self._clients],
            'socket_discrepancy': worst,
            'concurrency': [c.order.concurrency for c in self._clients],
            'run_names': [c.order.run_name for c in self._clients],
            'nice': self._job.nice,
            'events_dropped': self._context.outbox.dropped,
        }


def poll_period(job: Trial) -> float:
    """Return how often clients are asked what they did, in seconds.

    What OSDs counted is compared with it over about the same window, so a
    short one needs closer looks; so does a sequential read, a pass of which
    may last a second only, unless it goes on for half an hour.
    """
    if job.op == 'seq':
        period = (job.warmup + job.duration) / PASS_LOOKS
    else:
        period = job.duration / LOOKS
    return min(PERIOD, max(QUICK, period))


def orders(job: Trial) -> List[Order]:
    """Share the concurrency, and the bound of a write, among clients."""
    shares = split(job.concurrency, job.clients)
    if job.op == 'write':
        bounds = split(job.max_objects, job.clients)
        return [
            Order('write', share, job.size, f'{job.run_name}.{i}', bound)
            for i, (share, bound) in enumerate(zip(shares, bounds))
        ]
    return [
        Order(job.op, share, job.size, population.run_name)
        for share, population in zip(shares, job.populations)
    ]


def raw(clients: List[Client], context: Context) -> List[Dict[str, Any]]:
    """Return every sample of every process, immutable material."""
    return [
        {
            'client': client.index,
            'start': context.wall(segment.start),
            't': [s.t for s in segment.samples],
            'started': [s.started for s in segment.samples],
            'finished': [s.finished for s in segment.samples],
            'waited': [s.waited for s in segment.samples],
            'polled_at': [context.wall(p.at) for p in polls],
            'polled_ops': [p.ops for p in polls],
            'seconds': segment.end - segment.start,
            'stop': segment.stop,
            'concurrency': segment.concurrency,
            'latency_max': segment.latency_max,
        }
        for client in clients
        for segment, polls in zip(client.segments, client.polls)
    ]
