"""A trial on images: start fio, follow it, reduce what it measured."""

from typing import Any, Dict, List, Optional, Tuple

from ...runtime.context import Context
from ...runtime.failure import Failure
from ...wire.rbd_jobs import RbdTrial
from . import programs
from .monitor import Monitor
from .output import SIDES, Load, histogram_of, merged, segment
from .process import Fio
from .reduce import Reduction, Segments
from .site import Site
from .start import start

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
        monitor = start(job, self._processes, context)
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

    def _mono(self, wall: float) -> float:
        start = self._context.start
        return wall - start[0] + start[1]

    def _segments(self, name: Optional[str] = None) -> Segments:
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
        job, loads = self._job, [found for _, found in self._each()]
        self._check(loads)
        found = Reduction(job, self._context, self._segments(), 0.0)
        total, rate = merged(loads), found.total.rate or 0.0
        held = self._operations(loads, found)
        return found.result(
            monitor,
            self._processes,
            {
                'bytes_per_s': sum(
                    row['bytes_per_s'] or 0.0 for row in held.values()
                ),
                **{key: total[key] for key in SHOWN},
                'errors': sum(load.errors for load in loads),
            },
            {
                'tool': 'fio',
                'operations': held,
                'histograms': {
                    name: histogram_of(loads, name) for name in held
                },
                'errors': self._errors(loads),
                'apart': self._apart(loads),
                # of fio's own sum of rates to that of the window
                'log_discrepancy': (
                    total['ops_per_s'] / rate - 1.0 if rate > 0 else None
                ),
            },
            self._notes(loads, total),
        )

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

    def _operations(
        self, loads: List[Load], reduction: Reduction
    ) -> Dict[str, Any]:
        """Return the figures of each direction, as S3 trials have them."""
        found: Dict[str, Any] = {}
        for name in SIDES:
            held = [load for load in loads if name in load.sides]
            if not held:
                continue
            figures = merged(held, name)
            rate = reduction.within(self._segments(name)).rate
            size = getattr(self._job, f'{name}_size')
            found[name] = {
                'ops': sum(load.ops(name) for load in held),
                'ops_per_s': rate,
                'bytes_per_s': (None if rate is None else rate * size),
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
