"""Read OSD counters around a trial and form their differences.

`perf dump` costs an OSD about a millisecond; only the OSDs of the group
under test are asked, once before and once after each trial.
"""

from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

from .cluster import ClusterReads
from .errors import PerfcompareError

# (logger, counter) -> name in the evidence; monotonic counters only.
# Averages (LONGRUNAVG) have a sum in seconds and a count.
COUNTERS: Mapping[Tuple[str, str], str] = {
    ('osd', 'op_w'): 'op_w',
    ('osd', 'op_r'): 'op_r',
    ('osd', 'op_in_bytes'): 'op_in_bytes',
    ('osd', 'op_out_bytes'): 'op_out_bytes',
    ('osd', 'subop_w'): 'subop_w',
    ('osd', 'recovery_ops'): 'recovery_ops',
    ('bluestore', 'bluestore_buffer_hit_bytes'): 'buffer_hit_bytes',
    ('bluestore', 'buffer_hit_bytes'): 'buffer_hit_bytes',
    ('bluestore', 'bluestore_buffer_miss_bytes'): 'buffer_miss_bytes',
    ('bluestore', 'buffer_miss_bytes'): 'buffer_miss_bytes',
    ('rocksdb', 'compact'): 'compactions',
    ('rocksdb', 'compact_completed'): 'compactions',
}
AVERAGES: Mapping[Tuple[str, str], str] = {
    ('osd', 'op_w_latency'): 'op_w_latency',
    ('osd', 'op_r_latency'): 'op_r_latency',
    ('osd', 'subop_w_latency'): 'subop_w_latency',
    ('bluestore', 'kv_sync_lat'): 'kv_sync_lat',
    ('bluestore', 'txc_commit_lat'): 'commit_lat',
    ('bluestore', 'commit_lat'): 'commit_lat',
    ('bluestore', 'state_aio_wait_lat'): 'aio_wait_lat',
}
# gauges that say whether an OSD still works on what a trial left
GAUGES: Mapping[Tuple[str, str], str] = {
    ('osd', 'numpg_removing'): 'numpg_removing',
    ('osd', 'op_wip'): 'op_wip',
    ('rocksdb', 'compact_running'): 'compact_running',
}


class OsdSample:
    """Hold the counters of one OSD at one moment."""

    def __init__(self, dump: Mapping[str, Any]) -> None:
        self.counters = _pick(dump, COUNTERS)
        self.gauges = _pick(dump, GAUGES)
        self.averages: Dict[str, Tuple[float, float]] = {}
        for (logger, counter), name in AVERAGES.items():
            value = dump.get(logger, {}).get(counter)
            if isinstance(value, Mapping):
                self.averages[name] = (
                    float(value.get('sum', 0.0)),
                    float(value.get('avgcount', 0)),
                )


def _pick(
    dump: Mapping[str, Any], table: Mapping[Tuple[str, str], str]
) -> Dict[str, float]:
    found = {}
    for (logger, counter), name in table.items():
        value = dump.get(logger, {}).get(counter)
        if isinstance(value, (int, float)):
            found[name] = float(value)
    return found


def sample(
    cluster: ClusterReads, osds: Sequence[int]
) -> Dict[int, Optional[OsdSample]]:
    """Sample each OSD; None for one that does not answer."""
    found: Dict[int, Optional[OsdSample]] = {}
    for osd in osds:
        try:
            found[osd] = OsdSample(cluster.osd_perf_dump(osd))
        except PerfcompareError:
            found[osd] = None
    return found


def difference(
    before: Optional[OsdSample], after: Optional[OsdSample]
) -> Optional[Dict[str, float]]:
    """Return what happened between two samples of one OSD.

    Counters as differences, averages as mean seconds of the interval.
    None when a sample is missing or the OSD restarted in between.
    """
    if before is None or after is None:
        return None
    result: Dict[str, float] = {}
    for name, value in after.counters.items():
        change = value - before.counters.get(name, 0.0)
        if change < 0:
            return None
        result[name] = change
    for name, (total, count) in after.averages.items():
        total0, count0 = before.averages.get(name, (0.0, 0.0))
        if count > count0:
            result[name] = (total - total0) / (count - count0)
    return result


def trial_evidence(
    before: Mapping[int, Optional[OsdSample]],
    after: Mapping[int, Optional[OsdSample]],
) -> Dict[str, Any]:
    """Return the per-OSD evidence of a trial: id -> figures or None."""
    return {
        str(osd): difference(before.get(osd), after.get(osd))
        for osd in sorted(after)
    }


def cache_regime(osds: Mapping[str, Any]) -> Optional[str]:
    """Say where the reads of a trial came from, by bytes over its OSDs.

    'cached' or 'device' when at least nine in ten came from there, else
    'mixed'; None when the OSDs do not tell.
    """
    known = [o for o in osds.values() if o and 'buffer_hit_bytes' in o]
    hit = sum(o['buffer_hit_bytes'] for o in known)
    miss = sum(o.get('buffer_miss_bytes', 0.0) for o in known)
    if len(known) < len(osds) or hit + miss <= 0:
        return None
    share = hit / (hit + miss)
    if share >= 0.9:
        return 'cached'
    return 'device' if share <= 0.1 else 'mixed'


def unsettled(
    now: Mapping[int, Optional[OsdSample]],
    baseline: Mapping[int, Optional[OsdSample]],
) -> List[str]:
    """Say which OSDs still work on what a trial left, and on what."""
    found = []
    for osd, current in sorted(now.items()):
        if current is None:
            found.append(f'osd.{osd} does not answer')
            continue
        former = baseline.get(osd)
        floor = former.gauges.get('numpg_removing', 0.0) if former else 0.0
        removing = current.gauges.get('numpg_removing', 0.0)
        if removing > floor:
            found.append(f'osd.{osd} removes {removing - floor:.0f} PGs')
        if current.gauges.get('compact_running', 0.0) > 0:
            found.append(f'osd.{osd} compacts')
    return found
