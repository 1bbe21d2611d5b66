"""Series of OSD counters during a trial, from what the mgr has anyway.

OSDs report to the mgr every ``mgr_stats_period`` (5 s), which keeps the
last 20 reports of each counter. So nobody is asked, nothing happens between
two readings, and a reading every minute misses nothing.
"""

from typing import Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple

import time
from array import array

from ..cluster import ClusterReads
from ..series_codec import Column, Table, column
from .osd_counters import BY_NAME, Kind

KEPT = 20  # reports of a counter that the mgr keeps
YIELD = 0.001  # seconds between OSDs: other modules need the mgr as well
CLOCK = 'op_w'  # a counter that each report of every OSD has


class Report(NamedTuple):
    """Hold one counter in one report: a value, or sum and number."""

    at: float  # Unix time of its arrival
    value: float  # means: the sum of seconds
    number: float = 0.0  # means only


class SeriesReader:
    """Collect the reports of some OSDs between two moments."""

    def __init__(
        self,
        cluster: ClusterReads,
        osds: Sequence[int],
        paths: Mapping[str, str],
        began: float,
    ) -> None:
        """``paths`` is `osd_counters.series_paths`; ``began`` Unix time."""
        self._cluster = cluster
        self._osds = tuple(osds)
        self._paths = dict(paths)
        self._began = began
        # by OSD and our name; the first is the last before ``began``
        self._reports: Dict[int, Dict[str, List[Report]]] = {}

    def read(self, pause: float = YIELD) -> None:
        """Take in what came since the last call.

        To be called before 20 more reports came.
        """
        names = list(self._paths)
        paths = list(self._paths.values())
        for osd in self._osds:
            found = self._cluster.osd_counter_history(osd, paths)
            known = self._reports.setdefault(osd, {})
            for name, path in zip(names, paths):
                self._add(known.setdefault(name, []), name, found.get(path))
            time.sleep(pause)

    def _add(
        self,
        reports: List[Report],
        name: str,
        history: Optional[Sequence[Sequence[float]]],
    ) -> None:
        mean = BY_NAME[name].kind is Kind.MEAN
        last = reports[-1].at if reports else 0.0
        for entry in history or ():
            at = float(entry[0])
            if at <= last:
                continue
            if at <= self._began:
                reports.clear()
            if mean:
                # the mgr has the sum in nanoseconds
                report = Report(at, entry[1] * 1e-9, float(entry[2]))
            else:
                report = Report(at, float(entry[1]))
            reports.append(report)
            last = at

    def tables(self) -> Dict[int, Table]:
        """Return the series of each OSD that reported at least twice."""
        found = {}
        for osd, reports in self._reports.items():
            table = _table(reports, self._began)
            if table is not None:
                found[osd] = table
        return found


def _table(
    reports: Mapping[str, Sequence[Report]], began: float
) -> Optional[Table]:
    """Return the reports of one OSD as differences per interval."""
    times = [r.at for r in reports.get(CLOCK, ())]
    if len(times) < 2:
        return None
    columns = [
        found
        for name in reports
        for found in [_column(name, reports[name], times)]
        if found is not None
    ]
    t = array('d', (_narrow(at - began) for at in times[1:]))
    return Table(began, t, tuple(columns))


def _column(
    name: str, reports: Sequence[Report], times: Sequence[float]
) -> Optional[Column]:
    """Return one counter at ``times[1:]``; None when it never came.

    A restart of the OSD, or a missing report, is "not available".
    """
    counter = BY_NAME[name]
    by_time = {r.at: r for r in reports}
    if not by_time:
        return None
    values: List[Optional[float]] = []
    for before, now in zip(times, times[1:]):
        values.append(
            _step(counter.kind, by_time.get(before), by_time.get(now))
        )
    if all(v is None for v in values) and counter.kind is not Kind.MEAN:
        return None
    if counter.kind is Kind.MEAN and not any(
        r.number != reports[0].number for r in reports
    ):
        return None  # nothing of the kind was done
    return column(name, counter.unit, values)


def _step(
    kind: Kind, before: Optional[Report], now: Optional[Report]
) -> Optional[float]:
    if now is None:
        return None
    if kind is Kind.GAUGE:
        return now.value
    if before is None:
        return None
    if kind is Kind.COUNT:
        change = now.value - before.value
        return change if change >= 0 else None
    number = now.number - before.number
    if number <= 0:
        return None
    return _narrow((now.value - before.value) / number)


def _narrow(value: float) -> float:
    """Return ``value`` as a float of 32 bits, which is stored in four."""
    return array('f', [value])[0]


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
