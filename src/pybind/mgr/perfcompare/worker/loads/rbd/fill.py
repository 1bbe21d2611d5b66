"""Images to be loaded: made, written in full, read once."""

from typing import Any, Dict, List, Union

from ...runtime.context import Context
from ...runtime.failure import Failure
from ...wire.jobs import split
from ...wire.rbd_jobs import Image, RbdPrefill, RbdWarm
from . import jobfile, programs
from .bench import Bench
from .monitor import Monitor
from .process import Fio, Process
from .site import WRITTEN, Site

TOGETHER = 16  # processes
STALL = 90.0  # seconds; a prefill has no time limit that fits all
HEADER_MAX = 64 << 20  # bytes that an encrypted image keeps for itself


class FillRun:
    """Write (prefill) or read once (warm) the images of a job."""

    def __init__(
        self, job: Union[RbdPrefill, RbdWarm], context: Context
    ) -> None:
        self._job = job
        self._context = context
        self._site = Site(job, context)
        self._write = isinstance(job, RbdPrefill)
        self._kept: List[str] = []

    def tools(self) -> Dict[str, str]:
        """Return the programs' versions."""
        return programs.versions(self._job)

    def prepare(self) -> None:
        """Check what is there already; raise Failure if it is too little."""
        if not self._write:
            self._site.require()
            return
        self._site.look()
        self._kept = [
            name
            for name, state in self._site.states.items()
            if state == WRITTEN
        ]

    def run(self) -> Dict[str, Any]:
        """Do it in batches of at most one operation in flight each."""
        job, context = self._job, self._context
        todo = [
            index
            for index, image in enumerate(job.images)
            if image.name not in self._kept
        ]
        rows = {
            image.name: self._row(image, kept=True)
            for image in job.images
            if image.name in self._kept
        }
        together = min(TOGETHER, job.concurrency)
        for low in range(0, len(todo), together):
            for row in self._batch(todo[low : low + together]):
                rows[row['run_name']] = row
        return {
            'started': context.start[0],
            'ended': context.now(),
            'populations': [rows[image.name] for image in job.images],
            'notes': [],
        }

    def _row(self, image: Image, kept: bool) -> Dict[str, Any]:
        objects = -(-image.size // self._job.object_size)
        return {'run_name': image.name, 'objects': objects, 'kept': kept}

    def _batch(self, indexes: List[int]) -> List[Dict[str, Any]]:
        job, context = self._job, self._context
        make = Fio if job.tool == 'fio' else Bench
        processes: List[Process] = [
            make(job, index, self._site, context) for index in indexes
        ]
        phase = 'prefill' if self._write else 'warm'
        monitor = Monitor(processes, context, lambda _: phase)
        context.stuck = monitor.stuck
        shares = split(job.concurrency, len(processes))
        for process, depth in zip(processes, shares):
            context.pause(0.0)  # each is made in seconds: hear of a stop
            if self._write:
                self._site.make(job.images[process.index])
            process.once(self._write, depth)
        rows: Dict[int, Dict[str, Any]] = {}
        while len(rows) < len(processes):
            monitor.tick()
            context.pause(0.1)
            if monitor.stalled > STALL:
                raise Failure(
                    'deadline',
                    f'no operation finished for {STALL:.0f} s: '
                    + monitor.stuck(),
                )
            for process in processes:
                done = process.passed()
                if done is not None:
                    rows[process.index] = self._finished(process, *done)
        return [rows[index] for index in indexes]

    def _finished(
        self, process: Process, moved: int, seconds: float
    ) -> Dict[str, Any]:
        job, image = self._job, self._job.images[process.index]
        least = image.size - (HEADER_MAX if job.encryption else 0)
        if moved < least:
            raise Failure(
                'population',
                f'{process.what}: {moved} of {image.size} bytes were '
                + ('written' if self._write else 'read'),
            )
        if isinstance(job, RbdPrefill):
            self._verify(image, least)
            self._site.mark(image, job.compress)
        row = self._row(image, kept=False)
        if seconds > 0:
            blocks = moved / jobfile.block(job, process.index)
            row.update(seconds=seconds, ops_per_s=blocks / seconds)
        return row

    def _verify(self, image: Image, least: int) -> None:
        used = self._site.used(image)
        if used < least:
            raise Failure(
                'population',
                f'image {self._site.spec(image)} has objects of {used} bytes '
                f'after {image.size} were written',
            )
