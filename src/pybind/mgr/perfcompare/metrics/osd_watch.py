"""Watch the OSDs of a group during a trial, from their own counters.

Edges are read before load, when the measured window begins and when it
ends; series come from the reports that the mgr keeps. All of it is done
beside the thread of the run.
"""

from typing import (
    Any,
    Callable,
    Dict,
    List,
    Optional,
    Protocol,
    Sequence,
    Tuple,
)

from ..common.clock import SYSTEM
from ..common.errors import PerfcompareError
from ..common.units import format_duration
from ..model.outcome import Outcome
from ..model.series import Table
from ..model.workload import Workload
from ..ports.config import ConfigReads
from ..ports.osds import OsdReads
from ..ports.trial_watch import Evidence, TrialContext, window_of
from . import histograms, osd_counters
from .agreement import client_operations, probe_operations
from .osd_edges import BackgroundReader, Edge, read_edge
from .osd_sample import DUMPED_OSDS, cache_share, evenly, trial_evidence
from .osd_series import KEPT, SeriesReader, window_gauges

READY = 0.4  # seconds that load waits for the first edge
STARTUP = 1.0  # seconds from `begin` to load, before one was seen
SETTLE = 12.0  # seconds that the end of a trial waits for its last edge
INSIDE = 0.2  # seconds by which edges lie inside the measured window
MISSED = 0.1  # of the window: edges further outside are not its own
HISTOGRAM_OSDS = 128  # of a group, evenly chosen
DEFAULT_PERIOD = 5.0  # seconds between reports of OSDs


class Needs(ConfigReads, OsdReads, Protocol):
    """Name what is asked of a cluster here."""


class OsdWatch:
    """Give evidence of OSDs: 'osds', 'histograms', and 'osd.N' series.

    'osd_window' says between which Unix times the counters were read,
    'osd_client_ops' how many operations the load's own processes and the
    latency probe finished between these; absent where they do not tell.
    """

    def __init__(
        self,
        cluster: Needs,
        clock: Callable[[], float] = SYSTEM.wall,
        meanwhile: Callable[[], None] = lambda: None,
    ) -> None:
        """Call ``meanwhile`` about each second while OSDs are waited for."""
        self._cluster = cluster
        self._clock = clock
        self._aside = BackgroundReader(meanwhile)
        self._startup = STARTUP
        self._trial: Optional['_TrialReads'] = None

    def begin(self, context: TrialContext) -> None:
        """Read the first edge."""
        now = self._clock()
        start = now + self._startup + context.workload.warmup + INSIDE
        length = context.workload.duration - 2 * INSIDE
        self._trial = _TrialReads(
            self._cluster,
            context.group.osds,
            now,
            (start, start + length),
            self._period(),
            context.workload.reads,
            _kind(context.workload),
            self._clock,
        )
        self._aside.do(self._trial.first)
        self._aside.settle(READY)

    def tick(self) -> None:
        """Have done what is due: an edge, or a look at the reports."""
        if self._trial is not None:
            for work in self._trial.due(self._clock()):
                self._aside.do(work)

    def end(self, outcome: Optional[Outcome]) -> Evidence:
        """Return what happened between the edges of the window."""
        trial, self._trial = self._trial, None
        if trial is None or outcome is None:
            return Evidence()
        self._startup = max(0.0, outcome.started - trial.began)
        notes = []
        if self._aside.settle(SETTLE):
            notes += trial.fit(window_of(outcome))
        self._aside.do(trial.last)
        settled = self._aside.settle(SETTLE)
        if not settled:
            notes.append('some OSDs answer too slowly for their metrics')
            self._aside.close()
        found = trial.evidence(window_of(outcome), settled)
        found.notes += notes
        edges = found.figures.get('osd_window')
        ops = client_operations(outcome.raw, *edges) if edges else None
        if edges and ops is not None:
            ops += probe_operations(outcome.evidence, *edges)
            found.figures['osd_client_ops'] = round(ops, 1)
        return found

    def close(self) -> None:
        """End the thread."""
        self._aside.close()

    def _period(self) -> float:
        try:
            return float(self._cluster.option('mgr_stats_period'))
        except (PerfcompareError, ValueError):
            return DEFAULT_PERIOD


class _TrialReads:
    """Hold what was read during one trial; used by one thread at a time."""

    def __init__(
        self,
        cluster: Needs,
        osds: Sequence[int],
        began: float,
        window: Tuple[float, float],
        period: float,
        reads: bool,
        kind: str,
        clock: Callable[[], float],
    ) -> None:
        self._clock = clock
        self._cluster = cluster
        self._kind = kind
        self._osds = evenly(osds, DUMPED_OSDS)
        dumped = set(self._osds)
        self._rest = tuple(osd for osd in osds if osd not in dumped)
        self._light: Dict[str, str] = {}
        self._reads = reads
        self.began = began
        self._asked = evenly(self._osds, HISTOGRAM_OSDS)
        self._before: Optional[Edge] = None  # load
        self._opened: Optional[Edge] = None  # the window
        self._closed: Optional[Edge] = None
        self._scheduled: List[Tuple[float, Callable[[], None]]] = [
            (window[0], self._open),
            (window[1], self._close),
        ]
        self._every = max(period, 0.5) * (KEPT - 6)
        self._next_read = began + self._every
        self._reader: Optional[SeriesReader] = None

    # in the thread beside

    def first(self) -> None:
        """Read the edge before load."""
        paths = self._paths()
        self._light = {
            n: path for n, path in paths.items() if n in osd_counters.LIGHT
        }
        self._before = self._edge()
        self._reader = SeriesReader(
            self._cluster, self._osds, paths, self.began
        )

    def _open(self) -> None:
        self._opened = self._edge()

    def _close(self) -> None:
        self._closed = self._edge()

    def _read_reports(self) -> None:
        if self._reader is not None:
            self._reader.read()

    def last(self) -> None:
        """Read what is still missing when load has ended."""
        if self._closed is None:
            self._closed = self._edge()
        self._read_reports()

    def _edge(self) -> Edge:
        return read_edge(
            self._cluster,
            self._osds,
            self._asked,
            self._rest,
            self._light,
            self._kind,
            self._clock,
        )

    def _paths(self) -> Dict[str, str]:
        """Return the counters of the series as this release names them."""
        for osd in self._osds:
            try:
                dump = self._cluster.osd_perf_dump(osd)
            except PerfcompareError:
                continue
            return osd_counters.series_paths(dump)
        return {}

    # in the thread of the run

    def due(self, now: float) -> List[Callable[[], None]]:
        """Return what is to be done now, each thing once."""
        found = [work for at, work in self._scheduled if now >= at]
        if found:
            self._scheduled = [e for e in self._scheduled if e[0] > now]
        if now >= self._next_read:
            self._next_read = now + self._every
            found.append(self._read_reports)
        return found

    def fit(self, window: Tuple[float, float]) -> List[str]:
        """Drop edges that missed the window, and say what that means.

        Load may start later than in the trial before.
        """
        slack = MISSED * (window[1] - window[0])
        if self._closed and self._closed.at < window[1] - slack:
            self._closed = None  # it is read now: load is just over
        opened = self._opened or self._before
        if self._opened and self._opened.at >= window[1]:
            self._opened, opened = None, self._before
        if opened is None or opened.at >= window[0] - slack:
            return []
        return [
            'figures of OSDs begin '
            f'{format_duration(window[0] - opened.at)} before the measured '
            'window'
        ]

    def evidence(
        self, window: Tuple[float, float], settled: bool = True
    ) -> Evidence:
        """Return all that was seen; no series if not all is ``settled``.

        The thread beside may be reading these now.
        """
        start, end = self._opened or self._before, self._closed
        if start is None or end is None:
            return Evidence(notes=['the OSDs gave no counters'])
        tables: Dict[int, Table] = {}
        if self._reader is not None and settled:
            tables = self._reader.tables()
        osds = trial_evidence(start.samples, end.samples)
        _add_gauges(osds, tables, window)
        figures: Dict[str, Any] = {
            'osds': osds,
            'osd_window': [start.at, end.at],
        }
        spread = histograms.evidence(start.histograms, end.histograms)
        if spread:
            figures['histograms'] = spread
        manifest: Dict[str, Any] = {}
        share = None
        if self._reads:
            share = cache_share({str(o): osds[str(o)] for o in self._osds})
        if share is not None:
            manifest['cache_share'] = share
        return Evidence(
            figures,
            manifest,
            {f'osd.{osd}': table for osd, table in sorted(tables.items())},
            _silent(osds) + self._thinned(),
        )

    def _thinned(self) -> List[str]:
        if self._reader is None or not self._reader.gap:
            return []
        return [
            f'series of OSDs leave reports out: {self._reader.gap:.0f} s or '
            'more lie between two values'
        ]


def _kind(workload: Workload) -> str:
    """Return the one kind of operation that OSDs see, '' for several.

    Behind a gateway there are always others beside those of its clients.
    """
    if workload.tool != 'rados':
        return ''
    return 'read' if workload.reads else 'write'


def _add_gauges(
    osds: Dict[str, Any],
    tables: Dict[int, Table],
    window: Tuple[float, float],
) -> None:
    for osd, table in tables.items():
        figures = osds.get(str(osd))
        if figures is not None:
            figures.update(window_gauges(table, window))


def _silent(osds: Dict[str, Any]) -> List[str]:
    silent = [osd for osd, figures in osds.items() if figures is None]
    if not silent:
        return []
    names = ', '.join(f'osd.{osd}' for osd in silent[:5])
    more = f' and {len(silent) - 5} more' if len(silent) > 5 else ''
    return [f'no counters of {names}{more}: silent, or restarted']
