"""One process on one image, and what its admin socket tells."""

from typing import Any, Dict, List, Optional, Tuple

import abc
import dataclasses

from ...runtime.context import Context
from ...runtime.failure import Failure
from ...runtime.processes import Child
from ...wire.protocol import Slice
from ...wire.rbd_jobs import RbdJob, RbdTrial
from ..rados.rados_bench import complaint
from . import jobfile, output
from .site import Site, private
from .status import StatusTap

STATUS = '.status'  # the end of the name of a pipe


@dataclasses.dataclass(frozen=True)
class Counters:
    """Hold what librbd counted for an image since it was opened."""

    ops: int
    bytes: int
    waited: float  # seconds, all operations together
    in_flight: int  # of objects


def counters(reply: Any) -> Optional[Counters]:
    """Read an answer to `perf dump`; None before the image is open."""
    try:
        image = next(
            value
            for name, value in reply.items()
            if name.startswith('librbd-') and 'rd_latency' in value
        )
        return Counters(
            int(image['rd']) + int(image['wr']),
            int(image['rd_bytes']) + int(image['wr_bytes']),
            float(image['rd_latency']['sum'])
            + float(image['wr_latency']['sum']),
            int(reply['objecter']['op_active']),
        )
    except (
        StopIteration,
        LookupError,
        TypeError,
        ValueError,
        AttributeError,
    ):
        return None


class Process(abc.ABC):
    """Run a program on image ``index`` of a job; see its subclasses."""

    program = ''

    def __init__(
        self, job: RbdJob, index: int, site: Site, context: Context
    ) -> None:
        self._job = job
        self._site = site
        self._context = context
        self.index = index
        self.label = f'i{index}'
        self.depth = 0  # operations in flight
        self.child: Optional[Child] = None  # while it runs
        self.last: Optional[Counters] = None
        self.errors = 0  # operations that failed, where it tells

    @property
    def what(self) -> str:
        """Name it for an error message."""
        return f'{self.program} on image {self._job.images[self.index].name}'

    @property
    def socket(self) -> str:
        """Name its admin socket."""
        return f'{self.label}.asok'

    def heard(self, at: float, found: Counters) -> None:
        """Take note of what librbd counted until monotonic ``at``."""
        self.last = found

    @abc.abstractmethod
    def trial(self, job: RbdTrial, depth: int) -> None:
        """Begin the load of a trial."""

    @abc.abstractmethod
    def once(self, write: bool, depth: int) -> None:
        """Begin to write or to read the image from end to end."""

    @abc.abstractmethod
    def passed(self) -> Optional[Tuple[int, float]]:
        """Return bytes and seconds of `once`, when it ended."""

    def slices(self) -> List[Slice]:
        """Return the latencies of what ended since; none where not told."""
        return []

    def _launch(self, argv: List[str], env: Dict[str, str]) -> None:
        self.child = self._context.children.start(
            self.label, argv, self._job.nice, env
        )

    def ended(self) -> Optional[Child]:
        """Return the process once it ended; Failure when it failed."""
        child = self.child
        if child is None:
            return None
        code = child.poll()
        if code is None:
            return None
        self.child = None
        if code and (code < 0 or not self._forgiven(child)):
            raise complaint(self._job.access, code, child.errors(), self.what)
        return child

    def _forgiven(self, child: Child) -> bool:
        """Say whether a code other than 0 is no failure."""
        return False


class Fio(Process):
    """Run fio."""

    program = 'fio'
    status: Optional[StatusTap] = None  # of a load that tells slices

    def trial(self, job: RbdTrial, depth: int) -> None:
        """Begin the load of a trial."""
        if job.slices:
            self.status = StatusTap(
                self._context.path(self.label + STATUS), self.what
            )
        self._start(
            jobfile.trial(job, self.index, self.label),
            depth,
            max(job.read_size, job.write_size),
        )

    def once(self, write: bool, depth: int) -> None:
        """Begin to write or to read the image from end to end."""
        job = self._job
        self._start(
            jobfile.once(job, self.index, write, depth),
            depth,
            jobfile.block(job, self.index),
        )

    def _start(self, options: jobfile.Options, depth: int, size: int) -> None:
        self.depth = depth
        environment = self._site.configure(self.label, depth, size)
        private(
            self._context.path(f'{self.label}.fio'), jobfile.text(options)
        )
        self._launch(
            [
                self._job.fio,
                '--output-format=json+',
                '--eta=never',
                *(
                    (f'--output={self.label}{STATUS}', '--status-interval=1')
                    if self.status
                    else ()
                ),
                f'{self.label}.fio',
            ],
            environment,
        )

    def passed(self) -> Optional[Tuple[int, float]]:
        """Return bytes and seconds of `once`, when it ended."""
        child = self.ended()
        if child is None:
            return None
        job = output.parse(child.output(), self.what)
        return output.moved(job, self.what)

    def measured(self, asked: float) -> Optional[output.Load]:
        """Return the figures of a trial of ``asked`` s, when it ended.

        Operations that failed do not fail it: they are counted.
        """
        child = self.ended()
        if child is None:
            return None
        log = self._context.path(f'{self.label}_clat_hist.1.log')
        job, told = output.result(self._printed(child), self.what)
        return output.load(job, log, asked, self.what, told)

    def slices(self) -> List[Slice]:
        """Return the latencies of what ended since the last call."""
        if self.status is None:
            return []
        found = self.status.read()
        self.errors = self.status.errors
        return found

    def _printed(self, child: Child) -> str:
        """Return its result, which is the last thing that it told."""
        return self.status.last() if self.status else child.output()

    def _forgiven(self, child: Child) -> bool:
        try:
            job = output.parse(self._printed(child), self.what)
        except Failure:
            return False
        return not job.get('error') and bool(job.get('total_err'))
