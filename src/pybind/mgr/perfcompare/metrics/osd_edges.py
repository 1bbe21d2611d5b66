"""The edges of a trial, read from the OSDs in a thread of its own.

The thread that guards a run must never wait for an OSD. An edge is one
`perf dump` and one `perf histogram dump` of each OSD of the group.
"""

from typing import (
    Callable,
    Dict,
    List,
    Mapping,
    Optional,
    Sequence,
    Tuple,
)

import concurrent.futures
import dataclasses
import functools
import logging

from ..common.clock import SYSTEM
from ..common.errors import PerfcompareError
from ..common.parallel import run_concurrently
from ..ports.osds import OsdReads
from . import histograms
from .histograms import Histogram
from .osd_sample import OsdSample, Samples, ask, light_sample

log = logging.getLogger(__name__)

STEP = 1.0  # seconds for which nothing else is done, at most

Histograms = Dict[int, Optional[Mapping[str, Histogram]]]


@dataclasses.dataclass(frozen=True)
class Edge:
    """Hold what the OSDs of a group counted at one moment (Unix time)."""

    at: float  # the mean of the OSDs' own times
    samples: Samples
    histograms: Histograms


def read_edge(
    cluster: OsdReads,
    osds: Sequence[int],
    histogram_osds: Sequence[int],
    rest: Sequence[int] = (),
    paths: Mapping[str, str] = {},
    kind: str = '',
    wall: Callable[[], float] = SYSTEM.wall,
) -> Edge:
    """Ask OSDs for their counters and, of some, for their histograms.

    Of the ``rest``, take the counters at ``paths`` that the mgr has. With
    a ``kind`` of ``histograms.KINDS``, ask for that histogram only.
    """
    began = wall()
    times: List[float] = []
    samples: Samples = {}
    spread: Histograms = {}
    asked = frozenset(histogram_osds)
    answers = run_concurrently(
        [
            functools.partial(_ask, cluster, osd, osd in asked, kind, wall)
            for osd in osds
        ]
    )
    for osd, (found, histogram) in zip(osds, answers):
        samples[osd] = found
        if found is not None:
            times.append(found.at)
        if osd in asked:
            spread[osd] = histogram
    at = sum(times) / len(times) if times else began
    samples.update(light_sample(cluster, rest, paths))
    return Edge(at, samples, spread)


def _ask(
    cluster: OsdReads,
    osd: int,
    spread: bool,
    kind: str,
    wall: Callable[[], float],
) -> Tuple[Optional[OsdSample], Optional[Mapping[str, Histogram]]]:
    """Return an OSD's counters and, right after them, its histograms."""
    found = ask(cluster, osd, wall)
    if found is None or not spread:
        return found, None
    try:
        dump = cluster.osd_histograms(osd, histograms.KINDS.get(kind))
    except PerfcompareError:
        return found, None
    return found, histograms.parse_kinds(dump)


class BackgroundReader:
    """Do things one after the other in one thread beside the run's."""

    def __init__(self, meanwhile: Callable[[], None] = lambda: None) -> None:
        """Call ``meanwhile`` about each second in which settle() waits."""
        self._meanwhile = meanwhile
        self._pool: Optional[concurrent.futures.ThreadPoolExecutor] = None
        self._pending: List['concurrent.futures.Future[None]'] = []

    def do(self, work: Callable[[], None]) -> None:
        """Have ``work`` done; what it raises is logged."""
        if self._pool is None:
            self._pool = concurrent.futures.ThreadPoolExecutor(1)
        self._pending = [f for f in self._pending if not f.done()]
        self._pending.append(self._pool.submit(_guarded, work))

    def settle(self, seconds: float) -> bool:
        """Wait until all is done; False when it takes longer."""
        while True:
            _, late = concurrent.futures.wait(
                self._pending, max(0.0, min(seconds, STEP))
            )
            seconds -= STEP
            if not late or seconds <= 0:
                return not late
            self._meanwhile()

    def close(self) -> None:
        """Take no more; what is under way ends by itself."""
        for pending in self._pending:
            pending.cancel()
        self._pending = []
        if self._pool is not None:
            self._pool.shutdown(wait=False)
            self._pool = None


def _guarded(work: Callable[[], None]) -> None:
    try:
        work()
    except PerfcompareError as error:
        log.warning('OSD metrics: %s', error.message)
    except Exception:
        log.exception('OSD metrics')
