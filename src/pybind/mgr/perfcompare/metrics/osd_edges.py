"""The edges of a trial, read from the OSDs in a thread of its own.

The thread that guards a run must never wait for an OSD. An edge is one
`perf dump` and one `perf histogram dump` of each OSD of the group.
"""

from typing import Callable, Dict, List, Mapping, Optional, Sequence

import concurrent.futures
import dataclasses
import functools
import logging
import time

from ..cluster import ClusterReads
from ..errors import PerfcompareError
from ..parallel import together
from . import histograms
from .osd_sample import Samples, light_sample, sample

log = logging.getLogger(__name__)

Histograms = Dict[int, Optional[Mapping[str, histograms.Histogram]]]


@dataclasses.dataclass(frozen=True)
class Edge:
    """Hold what the OSDs of a group counted at one moment (Unix time)."""

    at: float
    samples: Samples
    histograms: Histograms


def read_edge(
    cluster: ClusterReads,
    osds: Sequence[int],
    histogram_osds: Sequence[int],
    rest: Sequence[int] = (),
    paths: Mapping[str, str] = {},
) -> Edge:
    """Ask OSDs for their counters and, of some, for their histograms.

    Of the ``rest``, take the counters at ``paths`` that the mgr has.
    """

    def ask(
        osd: int,
    ) -> Optional[Mapping[str, histograms.Histogram]]:
        try:
            return histograms.parse_kinds(cluster.osd_histograms(osd))
        except PerfcompareError:
            return None

    at = time.time()
    samples = sample(cluster, osds)
    asked = [o for o in histogram_osds if samples.get(o) is not None]
    answers = together([functools.partial(ask, osd) for osd in asked])
    found: Histograms = dict.fromkeys(histogram_osds)
    found.update(zip(asked, answers))
    samples.update(light_sample(cluster, rest, paths))
    return Edge(at, samples, found)


class Aside:
    """Do things one after the other in one thread beside the run's."""

    def __init__(self) -> None:
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
        _, late = concurrent.futures.wait(self._pending, seconds)
        return not late

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
