"""One OSD's `perf dump` as the counters of our table, and differences.

A dump costs an OSD about a millisecond; only the OSDs of the group under
test are asked, at the edges of a trial.
"""

from typing import Any, Callable, Dict, Mapping, Optional, Sequence, Tuple

import functools

from ..common.errors import PerfcompareError
from ..common.parallel import run_concurrently
from ..ports.osds import OsdReads
from .osd_counters import BY_NAME, COUNTERS, Kind

Figures = Dict[str, float]

NOTHING: Mapping[str, Any] = {}
# an edge of a large group takes thousands of looks: paths are cut once
PLACES = [
    (counter, [path.rpartition('.')[::2] for path in counter.paths])
    for counter in COUNTERS
]

# OSDs of a group that are asked for dumps, evenly chosen; of the others,
# what the mgr has is enough to find slow ones
DUMPED_OSDS = 256


class OsdSample:
    """Hold the counters of one OSD at one moment (Unix time)."""

    def __init__(self, dump: Mapping[str, Any], at: float = 0.0) -> None:
        self.at = at
        self.counts: Dict[str, float] = {}
        self.gauges: Dict[str, float] = {}
        # sum in seconds, number
        self.means: Dict[str, Tuple[float, float]] = {}
        for counter, places in PLACES:
            for logger, name in places:
                value = dump.get(logger, NOTHING).get(name)
                if value is not None:
                    self._take(counter.kind, counter.name, value)
                    break

    def _take(self, kind: Kind, name: str, value: Any) -> None:
        if kind is Kind.COUNT and isinstance(value, Mapping):
            value = value.get('avgcount')
        if kind is Kind.MEAN:
            if isinstance(value, Mapping):
                self.means[name] = (
                    float(value.get('sum', 0.0)),
                    float(value.get('avgcount', 0)),
                )
        elif isinstance(value, (int, float)):
            where = self.counts if kind is Kind.COUNT else self.gauges
            where[name] = float(value)

    @classmethod
    def of_reports(
        cls, reports: Mapping[str, Sequence[float]]
    ) -> Optional['OsdSample']:
        """Make a sample of an OSD's last report to the mgr, by our names.

        None when there is none.
        """
        if not reports:
            return None
        found = cls({}, max(report[0] for report in reports.values()))
        for name, report in reports.items():
            if BY_NAME[name].kind is Kind.MEAN:
                found.means[name] = (report[1] * 1e-9, float(report[2]))
            else:
                found._take(BY_NAME[name].kind, name, report[1])
        return found


Samples = Dict[int, Optional[OsdSample]]


def evenly(osds: Sequence[int], most: int) -> Tuple[int, ...]:
    """Return at most ``most`` of the OSDs, spread evenly over them."""
    if len(osds) <= most:
        return tuple(osds)
    return tuple(osds[i * len(osds) // most] for i in range(most))


def ask(
    cluster: OsdReads,
    osd: int,
    wall: Callable[[], float],
) -> Optional[OsdSample]:
    """Sample one OSD; None when it is silent."""
    asked = wall()
    try:
        dump = cluster.osd_perf_dump(osd)
    except PerfcompareError:
        return None
    # a busy OSD takes a while; it counted somewhere in between
    return OsdSample(dump, (asked + wall()) / 2)


def sample(
    cluster: OsdReads,
    osds: Sequence[int],
    wall: Callable[[], float],
) -> Samples:
    """Sample each OSD, several together; None for one that is silent."""
    answers = run_concurrently(
        [functools.partial(ask, cluster, osd, wall) for osd in osds]
    )
    return dict(zip(osds, answers))


def light_sample(
    cluster: OsdReads, osds: Sequence[int], paths: Mapping[str, str]
) -> Samples:
    """Sample OSDs by what the mgr has of them; our name -> path."""
    found: Samples = {}
    for osd in osds:
        reports = cluster.osd_latest_counters(osd, list(paths.values()))
        found[osd] = OsdSample.of_reports(
            {n: reports[path] for n, path in paths.items() if path in reports}
        )
    return found


def difference(
    before: Optional[OsdSample], after: Optional[OsdSample]
) -> Optional[Figures]:
    """Return what happened between two samples of one OSD.

    Counts as differences, means as mean seconds of the interval, gauges as
    they were at its end; ``seconds`` is its length. None when a sample is
    missing or the OSD restarted in between.
    """
    if before is None or after is None:
        return None
    result: Figures = {}
    if after.at > before.at > 0.0:
        result['seconds'] = after.at - before.at
    for name, value in after.counts.items():
        change = value - before.counts.get(name, 0.0)
        if change < 0:
            return None
        result[name] = change
    for counter in COUNTERS:
        if counter.kind is not Kind.MEAN or counter.name not in after.means:
            continue
        total, count = after.means[counter.name]
        total0, count0 = before.means.get(counter.name, (0.0, 0.0))
        if count < count0:
            return None
        if count > count0:
            result[counter.name] = (total - total0) / (count - count0)
        if counter.total:
            result[f'{counter.name}_total'] = total - total0
    for name, value in after.gauges.items():
        result[name] = value
    return {name: _rounded(value) for name, value in result.items()}


def _rounded(value: float) -> float:
    """Keep whole numbers, and seven digits of others: they are stored."""
    return value if value.is_integer() else float(f'{value:.7g}')


def trial_evidence(before: Samples, after: Samples) -> Dict[str, Any]:
    """Return the per-OSD evidence of a trial: id -> figures or None."""
    return {
        str(osd): difference(before.get(osd), after.get(osd))
        for osd in sorted(after)
    }


def cache_share(osds: Mapping[str, Any]) -> Optional[float]:
    """Return the share of bytes that a trial read from caches of its OSDs.

    0…1; None when an OSD does not tell, or nothing was read.
    """
    known = [o for o in osds.values() if o and 'buffer_hit_bytes' in o]
    hit = sum(o['buffer_hit_bytes'] for o in known)
    miss = sum(o.get('buffer_miss_bytes', 0.0) for o in known)
    if len(known) < len(osds) or hit + miss <= 0:
        return None
    return float(f'{hit / (hit + miss):.4g}')
