"""Series of OSD counters during a trial, from what the mgr has anyway.

OSDs report to the mgr every ``mgr_stats_period`` (5 s), which keeps the
last 20 reports of each counter. So nobody is asked, nothing happens between
two readings, and a reading every minute misses nothing.
"""

from typing import Callable, Dict, List, Mapping, Optional, Sequence, Tuple

import statistics
from array import array

from ..common.clock import SYSTEM
from ..model.series import NAN, Column, Table, column
from ..ports.osds import OsdReads
from .osd_counters import BY_NAME, Kind
from .osd_reports import Report, Reports

KEPT = 20  # reports of a counter that the mgr keeps
YIELD = 0.001  # seconds between OSDs: other modules need the mgr as well
NANO = 1e-9
CLOCK = 'op_w'  # a counter that each report of every OSD has
MOST = 100000  # reports of all OSDs together, before some are left out
THINNER = 1.8  # times the mean gap: reports come a little early at times


class SeriesReader:
    """Collect the reports of some OSDs between two moments."""

    def __init__(
        self,
        cluster: OsdReads,
        osds: Sequence[int],
        paths: Mapping[str, str],
        began: float,
    ) -> None:
        """``paths`` is `osd_counters.series_paths`; ``began`` Unix time."""
        self._cluster = cluster
        self._osds = tuple(osds)
        self._paths = dict(paths)
        self._began = began
        self.gap = 0.0  # seconds between two reports that are kept, at least
        # by OSD and our name; the first is the last before ``began``
        self._reports: Dict[int, Dict[str, Reports]] = {}

    def read(
        self,
        pause: float = YIELD,
        wait: Callable[[float], None] = SYSTEM.wait,
    ) -> None:
        """Take in what came since the last call.

        To be called before 20 more reports came.
        """
        names = list(self._paths)
        paths = list(self._paths.values())
        for osd in self._osds:
            found = self._cluster.osd_counter_history(osd, paths)
            known = self._reports.setdefault(osd, {})
            for name, path in zip(names, paths):
                if name not in known:
                    known[name] = Reports()
                self._add(known[name], found.get(path))
            wait(pause)
        while self._thin():
            wait(pause)

    def _thin(self) -> bool:
        """Leave out about every other report where there are too many.

        Counters grow: an interval then tells of both of its parts.
        """
        clocks = [r[CLOCK] for r in self._reports.values() if CLOCK in r]
        kept = sum(map(len, clocks))
        spans = [
            (c.last - c.first) / (len(c) - 1) for c in clocks if len(c) > 2
        ]
        if kept <= MOST or not spans:
            return False
        self.gap = THINNER * statistics.median(spans)
        for reports in self._reports.values():
            for one in reports.values():
                one.thin(self.gap)
        return sum(map(len, clocks)) < kept

    def _add(
        self, reports: Reports, history: Optional[Sequence[Report]]
    ) -> None:
        last = reports.last
        for report in history or ():
            at = report[0]
            if at <= last:
                continue
            if at <= self._began:
                reports.clear()
            reports.add(report, self.gap)
            last = at

    def tables(self) -> Dict[int, Table]:
        """Return the series of each OSD that reported at least twice."""
        found = {}
        for osd, reports in self._reports.items():
            table = _table(reports, self._began)
            if table is not None:
                found[osd] = table
        return found


def _table(kept: Mapping[str, Reports], began: float) -> Optional[Table]:
    """Return the reports of one OSD as differences per interval."""
    times = [r[0] for r in kept[CLOCK].rows()] if CLOCK in kept else []
    if len(times) < 2:
        return None
    columns = [
        found
        for name in kept
        for found in [_column(name, kept[name].rows(), times)]
        if found is not None
    ]
    t = _narrowed([at - began for at in times[1:]])
    return Table(began, t, tuple(columns))


def _column(
    name: str, reports: Sequence[Report], times: Sequence[float]
) -> Optional[Column]:
    """Return one counter at ``times[1:]``; None when it never came.

    A restart of the OSD, or a missing report, is "not available".
    """
    if not reports:
        return None
    counter = BY_NAME[name]
    mean = counter.kind is Kind.MEAN
    if mean and all(r[2:] == reports[0][2:] for r in reports):
        return None  # nothing of the kind was done
    found: List[Optional[Report]] = list(reports)
    if [r[0] for r in reports] != times:
        by_time = {r[0]: r for r in reports}
        found = [by_time.get(at) for at in times]
    values = list(map(_STEPS[counter.kind], found, found[1:]))
    if mean:
        return Column(name, counter.unit, _narrowed(values))
    if all(v is None for v in values):
        return None
    return column(name, counter.unit, values)


def _mean(before: Optional[Report], now: Optional[Report]) -> Optional[float]:
    if before is None or now is None or now[2] <= before[2]:
        return None
    return NANO * (now[1] - before[1]) / (now[2] - before[2])


def _count(
    before: Optional[Report], now: Optional[Report]
) -> Optional[float]:
    if before is None or now is None or now[1] < before[1]:
        return None
    return now[1] - before[1]


def _gauge(
    before: Optional[Report], now: Optional[Report]
) -> Optional[float]:
    return None if now is None else now[1]


_STEPS = {Kind.MEAN: _mean, Kind.COUNT: _count, Kind.GAUGE: _gauge}


def _narrowed(values: Sequence[Optional[float]]) -> 'array[float]':
    """Return values as floats of 32 bits, which are stored in four bytes."""
    narrow = array('f', [NAN if v is None else v for v in values])
    return array('d', narrow)


def window_gauges(
    table: Table, window: Tuple[float, float]
) -> Dict[str, float]:
    """Return mean and maximum of gauges over a window (Unix times).

    Only what changes between reports: operations inside, memory.
    """
    start, end = (edge - table.wall_start for edge in window)
    found: Dict[str, float] = {}
    for col in table.columns:
        if BY_NAME[col.name].kind is not Kind.GAUGE:
            continue
        inside = [
            v
            for t, v in zip(table.t, col.values)
            if start <= t <= end and v == v
        ]
        if inside:
            found[f'{col.name}_mean'] = round(sum(inside) / len(inside), 3)
            found[f'{col.name}_max'] = max(inside)
    return found
