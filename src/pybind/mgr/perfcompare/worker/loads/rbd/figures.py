"""From what fio did on all images of a trial to its figures.

fio's own figures are of what ended from the end of its warm-up on, and of
what was under way at its end. Rates are of the time in which all images
were measured, whichever host loaded them.
"""

from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

from ...runtime.failure import Failure
from ...runtime.procstat import Meter
from ...runtime.readings import Readings
from .output import SIDES, Load, histogram_of, merged, segment
from .reduce import Asked, Reduction, Segments

APART = 0.02  # of the duration: images that begin further apart are noted
SHOWN = ('latency_avg', 'latency_max', 'percentiles')
UNIX = (0.0, 0.0)  # segments of fio have Unix times


class ImageLoad(NamedTuple):
    """Hold what one process did on one image."""

    what: str  # for a message: 'fio on image image-0'
    depth: int  # operations in flight
    load: Load


class Figures:
    """Make figures of what all processes did."""

    def __init__(
        self,
        job: Asked,
        images: Sequence[ImageLoad],
        why: str = 'is the client host overloaded?',
    ) -> None:
        """Raise Failure where nothing, or too little, was measured.

        ``why`` ends the message of too little time.
        """
        self._job = job
        self._images = images
        self._loads = [image.load for image in images]
        self._check()
        self._reduction = Reduction(job, self.segments(), UNIX, why=why)

    def segments(
        self, name: Optional[str] = None, some: Sequence[ImageLoad] = ()
    ) -> Segments:
        """Return those of a direction, or of all; of some images, or all."""
        return [
            [segment(image.load, side, image.depth, image.load.started)]
            for image in some or self._images
            for side in SIDES
            if side in image.load.sides and name in (None, side)
        ]

    def rate(self, some: Sequence[ImageLoad]) -> Optional[float]:
        """Return operations/s of some images, in the window of all."""
        return self._reduction.within(self.segments(some=some)).rate

    @property
    def total_rate(self) -> float:
        """Return operations/s of all images."""
        return self._reduction.total.rate or 0.0

    def used(self, cpu: Readings, start: Tuple[float, float]) -> Meter:
        """Return what was used in the window of all images."""
        return self._reduction.used(cpu, start)

    def result(
        self,
        client: Dict[str, Any],
        evidence: Dict[str, Any],
        notes: Sequence[str] = (),
    ) -> Dict[str, Any]:
        """Return a trial's result.

        ``client`` is the summary of the hosts that made the load,
        ``evidence`` and ``notes`` are what else is known of them.
        """
        loads, rate = self._loads, self.total_rate
        total = merged(loads)
        held = self._operations()
        return self._reduction.result(
            {
                'bytes_per_s': sum(
                    row['bytes_per_s'] or 0.0 for row in held.values()
                ),
                **{key: total[key] for key in SHOWN},
                **client,
                'errors': sum(load.errors for load in loads),
            },
            {
                **evidence,
                'tool': 'fio',
                'operations': held,
                'histograms': {
                    name: histogram_of(loads, name) for name in held
                },
                'errors': self.errors(self._images),
                'apart': self._apart(),
                # of fio's own sum of rates to that of the window
                'log_discrepancy': (
                    total['ops_per_s'] / rate - 1.0 if rate > 0 else None
                ),
            },
            [*self._notes(total), *notes],
        )

    def _check(self) -> None:
        for image in self._images:
            found = image.load
            if not found.sides:
                failed = f'; {found.errors} failed, the first with '
                raise Failure(
                    'load',
                    f'{image.what}: no operation ended well in the '
                    'measured time'
                    + (failed + found.reason if found.errors else ''),
                )
        for name in self._job.sizes:
            if not any(name in found.sides for found in self._loads):
                raise Failure('short', f'no {name} ended: measure longer')

    def _notes(self, total: Dict[str, Any]) -> List[str]:
        notes = list(total['notes'])
        apart = self._apart()
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

    def _apart(self) -> float:
        times = [found.started for found in self._loads]
        return max(times) - min(times)

    def _operations(self) -> Dict[str, Any]:
        """Return the figures of each direction, as S3 trials have them."""
        found: Dict[str, Any] = {}
        for name in SIDES:
            held = [load for load in self._loads if name in load.sides]
            if not held:
                continue
            figures = merged(held, name)
            rate = self._reduction.within(self.segments(name)).rate
            size = self._job.sizes.get(name, 0)
            found[name] = {
                'ops': sum(load.ops(name) for load in held),
                'ops_per_s': rate,
                'bytes_per_s': (None if rate is None else rate * size),
                **{key: figures[key] for key in SHOWN},
            }
        return found

    def errors(self, some: Sequence[ImageLoad]) -> Dict[str, int]:
        """Return errors by direction and reason, that of the first one.

        Of a mix fio does not tell in which direction they were.
        """
        side = 'mixed' if len(self._job.sizes) > 1 else min(self._job.sizes)
        found: Dict[str, int] = {}
        for image in some:
            load = image.load
            if load.errors:
                name = f'{side} {load.reason}'
                found[name] = found.get(name, 0) + load.errors
        return found
